"""A Flask route that answers a constant, for comparison: what Flask and gunicorn alone cost.

`python -m benchmarks.load.null` serves it at KIBITZ_HOST and KIBITZ_PORT in the way of `kibitz serve`: a
master of gunicorn and one worker of as many threads.
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
    """Return the constant; /readyz is asked until the server has started."""
    return Response(CONSTANT, mimetype="application/json")


def serve() -> None:
    """Run gunicorn in the place of this process."""
    address = f"{os.environ['KIBITZ_HOST']}:{os.environ['KIBITZ_PORT']}"
    options = ["--bind", address, "--worker-class", "gthread", "--threads", str(THREADS), "--preload"]
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *options, f"{__spec__.name}:app"])  # noqa: S606


if __name__ == "__main__":
    serve()
