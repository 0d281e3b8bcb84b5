"""A server that is no Redis, though it listens where one should."""

from __future__ import annotations

import random
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REPLIES: dict[str, Callable[[socket.socket], None]] = {
    "nonsense": lambda peer: peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "an error": lambda peer: peer.sendall(b"-LOADING Redis is loading the dataset in memory\r\n" * 8),
    "a number": lambda peer: peer.sendall(b":7\r\n" * 8),
    "too short a list": lambda peer: peer.sendall(b"*0\r\n" * 8),
    "too long a list": lambda peer: peer.sendall(b"*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n" * 8),
    "a list of lists": lambda peer: peer.sendall(b"*2\r\n*1\r\n:1\r\n*1\r\n:2\r\n" * 8),
    "half an answer": lambda peer: peer.sendall(b"*2\r\n$900\r\nabc"),
    "a length beyond all bounds": lambda peer: peer.sendall(b"*2\r\n$99999999999\r\nabc"),
    "a bad length": lambda peer: peer.sendall(b"*x\r\n$-5\r\n"),
    "deep nesting": lambda peer: peer.sendall(b"*1\r\n" * 5000),
    "nothing": lambda peer: None,
    "the end": lambda peer: peer.close(),
}


def any_reply(peer: socket.socket) -> None:
    """Send one of the replies, another each time."""
    random.choice(list(REPLIES.values()))(peer)


@contextmanager
def impostor_at(path: Path, reply: Callable[[socket.socket], None]) -> Iterator[None]:
    """Listen on a unix socket and give every command the same reply."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    peers: list[socket.socket] = []

    def serve(peer: socket.socket) -> None:
        try:
            while peer.recv(65_536):
                reply(peer)
        except OSError:
            pass

    def accept() -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            peers.append(peer)
            threading.Thread(target=serve, args=(peer,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
        for peer in peers:
            peer.close()
        path.unlink()
