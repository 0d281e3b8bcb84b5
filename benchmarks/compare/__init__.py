"""Comparison of two versions of kibitz: the work of `kibitz bench compare`.

Open `timing.py` first, which times the tasks of the engine in turns; `over_http.py` does so with the
services. `sides.py` builds a commit, or takes a folder, and starts its worker; `worker.py` is that process.
"""
