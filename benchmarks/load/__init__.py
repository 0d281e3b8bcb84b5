"""The load test, `python -m benchmarks.load`: a real server, a pinned client, a null route beside it."""
