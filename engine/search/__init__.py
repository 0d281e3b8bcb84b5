"""Looking ahead: what a position is worth when both sides play on."""
