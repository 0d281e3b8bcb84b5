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
JUDGE = [*(STATIC / "judge").iterdir(), STATIC.parent / "templates" / "judge.html"]
MOST_BYTES_OF_THE_JUDGE = 10_000


def test_the_page_is_small() -> None:
    sizes = compressed(SCRIPTS)
    assert sum(sizes.values()) < MOST_BYTES, sizes


def test_the_word_judge_is_small() -> None:
    sizes = compressed(JUDGE)
    assert sum(sizes.values()) < MOST_BYTES_OF_THE_JUDGE, sizes


def compressed(paths: list[Path]) -> dict[str, int]:
    return {path.name: len(gzip.compress(path.read_bytes())) for path in paths}
