"""The load test, `python -m benchmarks.load`: latency, throughput and overload of a running `kibitz serve`.

Open `run.py` first, which starts the servers and runs the phases of `phases.py`. `client.py` is the HTTP
client, `report.py` writes the tables, `bounds.py` judges them, and `null.py` is a constant Flask route for
comparison.
"""
