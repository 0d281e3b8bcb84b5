"""The examples of docs/library.md and of the package run and print what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kibitz

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["docs/library.md"]


@pytest.fixture(autouse=True)
def _cache(by_default: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the default data folder one that contains the built default lexicon."""
    (tmp_path / "kibitz").symlink_to(by_default.data_directory)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def run(text: str, name: str) -> tuple[doctest.TestResults, str]:
    """Run the examples of a text; return the number of failures and the differences."""
    printed: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    return runner.run(examples, out=printed.append), "".join(printed)


def blocks(page: str) -> str:
    """Return the examples of a page, on the same line numbers as in the page."""
    text = (ROOT / page).read_text("utf-8")
    lines = [""] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        first = text[: block.start(1)].count("\n")
        for number, line in enumerate(block[1].splitlines()):
            lines[first + number] = line
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page(page: str) -> None:
    results, printed = run(blocks(page), page)
    assert results.failed == 0, printed
    assert results.attempted > 20


def test_the_examples_of_the_page_on_duplicate() -> None:
    results, printed = run(blocks("docs/duplicate.md"), "docs/duplicate.md")
    assert (results.failed, results.attempted) == (0, 10), printed


def test_the_example_of_the_package() -> None:
    results, printed = run(kibitz.__doc__ or "", "kibitz")
    assert (results.failed, results.attempted) == (0, 3), printed


def test_every_public_name_is_on_the_page() -> None:
    text = (ROOT / "docs/library.md").read_text("utf-8")
    missing = [name for name in kibitz.__all__ if not re.search(rf"\b{name}\b", text)]
    assert missing == []
