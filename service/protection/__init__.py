"""What stands between strangers and the engine: keys, rates, a bound on heavy work, rules for browsers."""
