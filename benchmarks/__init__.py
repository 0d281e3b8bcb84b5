"""What measures kibitz: speed, the experiments of the papers, the service under load.

Nothing imports this package but `kibitz bench` and `kibitz experiment`, when they are called. Start with
`commands/`, which holds both; `measurements/` is the work of `kibitz bench`, `compare/` that of
`kibitz bench compare`, `experiments/` that of `kibitz experiment`, and `python -m benchmarks.load` is the
load test.
"""
