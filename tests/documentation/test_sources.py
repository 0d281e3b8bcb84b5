"""The page of the sources lists every section in order and fills every cell.

tests/front_door/test_documents.py reads its commands and links.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sources.md"
HEADINGS = "| section | what it holds | shown by | printed | ours |"
LAST_SECTIONS = {
    "Anagram2018": "4",
    "Sanchez2025": "6",
    "Cipra2006": "8",
    "Heuri": "10.2",
    "MoveGenChapter": "7",
}
NUMBER = re.compile(r"(?:(table|figure) )?([A-Z]|\d+)((?:\.\d+)*)(?:, .*)?")
UNNUMBERED = ("conclusions", "recommendations", "appendix")


def tables() -> dict[str, list[list[str]]]:
    """Return the rows of each document's table, by the document's key in the bibliography."""
    found = {}
    for part in PAGE.read_text("utf-8").split("\n## ")[1:]:
        title, *lines = part.splitlines()
        key = re.search(r"\[(\w+)\]", title)
        assert key is not None, title
        rows = [line for line in lines if line.startswith("|")]
        assert rows[0] == HEADINGS, title
        found[key[1]] = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows[2:]]
    return found


TABLES = tables()


def follows(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Return whether a section is the first within the last one, or the next at any level."""
    return number == (*last, 1) or any(
        number == (*last[:level], last[level] + 1) for level in range(len(last))
    )


def test_the_page_holds_the_five_documents() -> None:
    assert list(TABLES) == list(LAST_SECTIONS)


@pytest.mark.parametrize("key", LAST_SECTIONS)
def test_every_cell_is_filled(key: str) -> None:
    assert [row for row in TABLES[key] if len(row) != 5 or not all(row)] == []


@pytest.mark.parametrize("key", LAST_SECTIONS)
def test_no_section_table_or_figure_is_left_out(key: str) -> None:
    last: dict[tuple[str, str], tuple[int, ...]] = {}
    for label, *_ in TABLES[key]:
        if label in UNNUMBERED:
            continue
        matched = NUMBER.fullmatch(label)
        assert matched is not None, label
        kind, chapter, rest = matched.groups()
        numbers = tuple(int(number) for number in rest.split(".")[1:])
        if kind is None:
            number = (int(chapter), *numbers)
            before = last.get(("section", ""), (0,))
            assert follows(number, before) or number == before, f"{label} after {before}"
            last["section", ""] = number
        elif numbers:  # tables and figures count from 1 in each chapter
            assert numbers == (last.get((kind, chapter), (0,))[0] + 1,), label
            last[kind, chapter] = numbers
        else:
            assert int(chapter) == last.get((kind, ""), (0,))[0] + 1, label
            last[kind, ""] = (int(chapter),)
    assert last["section", ""] == tuple(map(int, LAST_SECTIONS[key].split(".")))


def test_every_test_named_exists() -> None:
    named = set(re.findall(r"\btests/[\w/]+(?:\.py)?", PAGE.read_text("utf-8")))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
