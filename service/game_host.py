"""The HTTP side of a hosted game: the page at /join, the events of a seat, and its moves."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from http import HTTPStatus
from io import BufferedReader, RawIOBase
from secrets import token_hex
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import orjson
from flask import Response, current_app, g, render_template, request
from werkzeug.serving import WSGIRequestHandler, make_server

from engine import Text
from service.app import Service
from service.disconnects import on_disconnect
from service.json_parser import read_body, read_json
from service.logs import RequestLog, configure_logs
from service.middleware import NOTHING_LOADED, SECURITY_HEADERS
from service.problem_objects import ErrorItem
from service.problems import Problem, handle_problems
from service.resources import page_texts
from service.resources.pages import POLICY
from service.view_rules import JSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from service.hosted_game import HostedGame, HostedView

MAX_BODY: Final = 2048
MAX_DEPTH: Final = 2
MAX_THREADS: Final = 64
"""Connections that are served at a time; further ones are closed at once."""

KEEP_ALIVE_SECONDS: Final = 5.0
STALLED_SECONDS: Final = 10.0
"""How long a request may take to arrive, and how long a client may not read."""

_EXTENSION: Final = "kibitz-hosted-game"


def create_host_app(hosted: HostedGame) -> Flask:
    """Return the application that serves a game to the players who connect."""
    app = Service()
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions[_EXTENSION] = hosted
    handle_problems(app)
    app.before_request(_begin)
    app.after_request(_complete)
    app.register_blueprint(page_texts.blueprint)
    app.add_url_rule("/join", view_func=join)
    app.add_url_rule("/game/events", view_func=events)
    app.add_url_rule("/game/name", view_func=name, methods=["POST"])
    app.add_url_rule("/game/moves", view_func=moves, methods=["POST"])
    return app


def join() -> Response:
    """Return the page of a player; the secret of the seat is the part of its address after "#"."""
    response = Response(render_template("join.html"), mimetype="text/html")
    response.content_security_policy = POLICY
    return response


def events() -> Response:
    """Follow the game from a seat by server-sent events; the data of each is a `HostedView`."""
    hosted = _hosted()
    connection = hosted.connect(_seat(request.args.get("seat", "")))
    response = Response(
        _events(hosted, connection),
        content_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )
    closing = ExitStack()
    closing.callback(hosted.disconnect, connection)
    closing.enter_context(on_disconnect(lambda: hosted.disconnect(connection)))
    response.call_on_close(closing.close)
    return response


def name() -> Response:
    """Give the player of a seat a name, and return the `HostedView`."""
    seat, text = _read("name")
    return _answer(_hosted().rename(seat, text))


def moves() -> Response:
    """Make a move, and return the `HostedView` after it."""
    seat, text = _read("move")
    return _answer(_hosted().act(seat, text))


class Host:
    """A server of a hosted game, in threads of this process.

    `address`: where it listens, port 0 for a free one. Raises OSError for an address that is in use.
    """

    def __init__(self, hosted: HostedGame, address: tuple[str, int]) -> None:
        configure_logs("error")
        self._free = BoundedSemaphore(MAX_THREADS)
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        with socket.create_server(address, family=family) as listening:
            self.port: Final[int] = listening.getsockname()[1]
            self._server = make_server(
                *address,
                create_host_app(hosted),
                threaded=True,
                request_handler=_handler(self._free),
                fd=listening.fileno(),
            )
        self._thread = Thread(target=self._server.serve_forever, name="game host", daemon=True)

    def start(self) -> None:
        """Serve until `stop` is called."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving; close the hosted game before, so that its last state is sent."""
        self._server.shutdown()
        self._thread.join()
        for _ in range(MAX_THREADS):
            if not self._free.acquire(timeout=STALLED_SECONDS):  # a client has stalled
                return


class _Arriving(RawIOBase):
    """What a client sends; slow senders, too, must have sent it all in time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._until = monotonic() + STALLED_SECONDS

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes; raise TimeoutError after the deadline."""
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(STALLED_SECONDS)


def _handler(free: BoundedSemaphore) -> type[WSGIRequestHandler]:
    """Return a handler of connections, of which as many are served at a time as are free."""

    class Handler(WSGIRequestHandler):
        timeout = STALLED_SECONDS

        def setup(self) -> None:
            super().setup()
            self.rfile = BufferedReader(_Arriving(self.connection))

        def handle(self) -> None:
            if free.acquire(blocking=False):
                try:
                    super().handle()
                finally:
                    free.release()

        def parse_request(self) -> bool:
            """Return whether the request can be served; answer 400 to an address that is none."""
            if not super().parse_request():
                return False
            try:
                urlsplit(self.path)
            except ValueError:
                self.send_error(HTTPStatus.BAD_REQUEST)
                return False
            return True

        def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
            """Write nothing: the terminal is that of a player."""

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Write nothing, and do not read the address, which may be none."""

    return Handler


def _hosted() -> HostedGame:
    found: HostedGame = current_app.extensions[_EXTENSION]
    return found


def _begin() -> None:
    g.log = RequestLog(token_hex(16))  # its id is in every problem


def _complete(response: Response) -> Response:
    response.headers.extend(SECURITY_HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("Content-Security-Policy", NOTHING_LOADED)
    return response


def _seat(secret: str) -> int:
    seat = _hosted().seat_of(secret)
    if seat is None:
        raise Problem(404, "unknown_seat", Text("no seat of this game has this link"))
    return seat


def _read(field: str) -> tuple[int, str]:
    """Return the seat and a text of the body, an object of exactly these two."""
    body = read_json(read_body(request), MAX_DEPTH)
    if isinstance(body, dict) and body.keys() == {"seat", field}:
        secret, text = body["seat"], body[field]
        if isinstance(secret, str) and isinstance(text, str):
            return _seat(secret), text
    detail = Text("the body must be an object of the texts {known}", known=["seat", field])
    raise Problem.invalid([ErrorItem("", "wrong_type", detail)])


def _answer(view: HostedView) -> Response:
    return Response(orjson.dumps(view), mimetype=JSON)


def _events(hosted: HostedGame, connection: int) -> Iterator[bytes]:
    yield b"retry: 1000\n\n"
    for view in hosted.views_of(connection, KEEP_ALIVE_SECONDS):
        yield b": keep-alive\n\n" if view is None else b"data: " + orjson.dumps(view) + b"\n\n"
