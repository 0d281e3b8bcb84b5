"""The scripts of the page are small; `make lint` checks their types and their style."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "service" / "static"
SCRIPTS = [
    *(STATIC / "page").iterdir(),
    *STATIC.glob("*.js"),
    STATIC.parent / "templates" / "service-worker.js",
]
MOST_BYTES = 100_000
MOST_BYTES_OF_OTHERS = {"judge": 10_000, "topping": 10_000, "quiz": 12_000}
"""What each page of its own may add to the modules of the page that it uses."""


def test_the_page_is_small() -> None:
    sizes = compressed(SCRIPTS)
    assert sum(sizes.values()) < MOST_BYTES, sizes


@pytest.mark.parametrize("name", MOST_BYTES_OF_OTHERS)
def test_the_other_pages_are_small(name: str) -> None:
    sizes = compressed([*(STATIC / name).iterdir(), STATIC.parent / "templates" / f"{name}.html"])
    assert sum(sizes.values()) < MOST_BYTES_OF_OTHERS[name], sizes


def compressed(paths: list[Path]) -> dict[str, int]:
    return {path.name: len(gzip.compress(path.read_bytes())) for path in paths}
