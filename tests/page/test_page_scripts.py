"""The scripts of the page are small; `make lint` checks their types and their style."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine import __version__

if TYPE_CHECKING:
    from flask import Flask

STATIC = Path(__file__).parents[2] / "service" / "static"
SCRIPTS = [*(STATIC / "page").iterdir(), *STATIC.glob("*.js")]
MOST_BYTES = 100_000
MOST_BYTES_OF_OTHERS = {
    "judge": 10_000,
    "topping": 10_000,
    "quiz": 12_000,
    "join": 10_000,
    "puzzles": 10_000,
    "editor": 14_000,
}
"""What each page of its own may add to the modules of the page that it uses."""


def test_the_page_is_small(app: Flask) -> None:
    """Measure what the service sends to a browser over HTTPS, where all of them accept brotli."""
    addresses = [f"/static/{__version__}/{path.relative_to(STATIC)}" for path in SCRIPTS]
    addresses.append("/service-worker.js")
    client = app.test_client()
    sent = {"Accept-Encoding": "gzip, deflate, br"}
    answers = [client.get(one, headers=sent, buffered=True) for one in addresses]
    assert {one.status_code for one in answers} == {200}
    sizes = {address: len(answer.data) for address, answer in zip(addresses, answers, strict=True)}
    assert sum(sizes.values()) < MOST_BYTES, sizes


@pytest.mark.parametrize("name", MOST_BYTES_OF_OTHERS)
def test_the_other_pages_are_small(name: str) -> None:
    paths = [*(STATIC / name).iterdir(), STATIC.parent / "templates" / f"{name}.html"]
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in paths}
    assert sum(sizes.values()) < MOST_BYTES_OF_OTHERS[name], sizes
