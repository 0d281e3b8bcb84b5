"""The measurements of `kibitz bench`, without options and tables. Open `samples.py` first (the positions)."""
