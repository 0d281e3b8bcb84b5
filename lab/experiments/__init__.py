"""The experiments of the papers, repeated: the work of `kibitz experiment`. Open `movegen.py` first."""
