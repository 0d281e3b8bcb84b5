"""The commands `kibitz bench` and `kibitz experiment`: options, tables, JSON. Open `bench.py` or
`experiment.py`.
"""
