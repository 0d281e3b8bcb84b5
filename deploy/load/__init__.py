"""The load test: a real server, a pinned client, a null Flask route beside it; `python -m deploy.load`."""
