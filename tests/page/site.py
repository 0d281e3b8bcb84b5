"""A small web site of another origin than kibitz, whose pages a test writes."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES = {"html": "text/html; charset=utf-8", "gcg": "text/plain", "js": "text/javascript"}


class Site:
    """Files by their path, served at `address`; all may be read by pages of other origins."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.files: dict[str, bytes] = {}

    def write(self, path: str, content: str | bytes) -> str:
        """Write a file and return its address."""
        self.files[f"/{path}"] = content.encode() if isinstance(content, str) else content
        return f"{self.address}/{path}"


@contextmanager
def serving() -> Iterator[Site]:
    """Serve a site on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = site.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", TYPES.get(self.path.rpartition(".")[2], "text/plain"))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    site = Site(f"http://127.0.0.1:{server.server_port}")
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
