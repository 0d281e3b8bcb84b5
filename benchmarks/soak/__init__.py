"""The soak, `python -m benchmarks.soak`: mixed traffic for an hour while hosts, network, disk and clock fail.

Open `run.py` first, which starts the deployment of `deployment.py`, the users of `users.py` and one fault of
`faults.py` after the other. `objectives.py` judges what the users saw, `report.py` writes the tables.
"""
