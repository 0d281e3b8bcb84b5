"""Benchmarks: the speed of the engine, and the service under load. Only a checkout has them.

Only `kibitz bench` imports this package, when it is called; a script of deploy/ imports `namespaces.py`. Open
`commands/` first: it holds the command, its options and its tables. The work behind them is in
`measurements/`, `compare/` (`kibitz bench compare`) and `capacity/` (`kibitz bench capacity`). `load/` is the
load test, `python -m benchmarks.load`, and `soak/` the soak, `python -m benchmarks.soak`.
"""
