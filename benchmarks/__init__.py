"""Benchmarks: the speed of the engine, the experiments of the papers, and the service under load.

Only `kibitz bench` and `kibitz experiment` import this package, when they are called, and of `namespaces.py`
a script of deploy/. Open `commands/` first: it holds both commands, their options and their tables. The work
behind them is in `measurements/` (`kibitz bench`), `compare/` (`kibitz bench compare`) and `experiments/`
(`kibitz experiment`). `load/` is the load test, `python -m benchmarks.load`, and `soak/` the
soak, `python -m benchmarks.soak`.
"""
