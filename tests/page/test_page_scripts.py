"""The scripts of the page are small; `make lint` checks their types and their style."""

from __future__ import annotations

import gzip
from pathlib import Path

STATIC = Path(__file__).parents[2] / "service" / "static"
SCRIPTS = [
    *(STATIC / "page").iterdir(),
    *STATIC.glob("*.js"),
    STATIC.parent / "templates" / "service-worker.js",
]
MOST_BYTES = 100_000


def test_the_page_is_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in SCRIPTS}
    assert sum(sizes.values()) < MOST_BYTES, sizes
