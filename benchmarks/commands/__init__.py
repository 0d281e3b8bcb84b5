"""The command `kibitz bench`: options, tables, JSON. Open `bench.py`."""
