"""What the service is measured against: a Flask route that does nothing, on the very same server.

`python -m benchmarks.load.null` takes the settings of `kibitz serve` and runs alike: one process with one
worker of the same class and as many threads, or with several workers these and their master.
"""

from __future__ import annotations

from flask import Flask, Response

from service.server import _Server, serve
from service.settings import Settings

CONSTANT = b'{"status":"ok"}'


class NullServer(_Server):
    """The service's own server around the null application."""

    def load(self) -> Flask:
        """Build the application, in the worker."""
        return null_app()


def null_app() -> Flask:
    """Make an application of one route, which answers a constant; /readyz tells that it is there."""
    app = Flask("null", static_folder=None)

    @app.route("/analyze", methods=["POST"])
    @app.route("/readyz")
    def constant() -> Response:
        return Response(CONSTANT, mimetype="application/json")

    return app


if __name__ == "__main__":
    serve(NullServer(Settings.from_environment()))
