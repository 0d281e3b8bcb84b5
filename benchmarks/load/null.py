"""A Flask route that returns a constant, to compare with: it shows the cost of Flask and gunicorn alone.

`python -m benchmarks.load.null` serves it at KIBITZ_HOST and KIBITZ_PORT like `kibitz serve`: a master and
one worker with the same number of threads.
"""

from __future__ import annotations

import os
import sys

from flask import Flask, Response

CONSTANT = b'{"status":"ok"}'
THREADS = 80

app = Flask("null", static_folder=None)


@app.route("/analyze", methods=["POST"])
@app.route("/readyz")
def constant() -> Response:
    """Return the constant; the load test requests /readyz until the server has started."""
    return Response(CONSTANT, mimetype="application/json")


def serve() -> None:
    """Replace this process by gunicorn."""
    address = f"{os.environ['KIBITZ_HOST']}:{os.environ['KIBITZ_PORT']}"
    options = ["--bind", address, "--worker-class", "gthread", "--threads", str(THREADS), "--preload"]
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *options, f"{__spec__.name}:app"])  # noqa: S606


if __name__ == "__main__":
    serve()
