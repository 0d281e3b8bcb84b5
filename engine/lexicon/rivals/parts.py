"""The optional parts of a table file, which are built on demand from the sections of every table file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.errors import InvalidInput, MissingTable, excerpt
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon
    from engine.lexicon.tables_narrow import Tables
    from engine.lexicon.word_lists.word_list import Progress

Sections = dict[str, "NDArray[Any]"]
Builder = Callable[["Tables", Mapping[str, Any], "Progress"], Sections]
"""(open tables, meta of the file, progress) -> the sections of the part."""


@dataclass(frozen=True, slots=True)
class Part:
    """An optional part: the names of its sections, and the function that builds them."""

    sections: tuple[str, ...]
    build: Builder


# The kernels are imported when a part is built, because most processes never build one.


def _dawg(tables: Tables, meta: Mapping[str, Any], progress: Progress) -> Sections:
    from engine.lexicon.rivals.automaton import build_dawg

    return build_dawg(tables, meta, progress)


def _gaddag(tables: Tables, meta: Mapping[str, Any], progress: Progress) -> Sections:
    from engine.lexicon.rivals.automaton import build_gaddag

    return build_gaddag(tables, meta, progress)


def _anagrams(tables: Tables, meta: Mapping[str, Any], progress: Progress) -> Sections:
    from engine.lexicon.rivals.anagrams import build_anagrams

    return build_anagrams(tables, meta, progress)


def _literal(tables: Tables, meta: Mapping[str, Any], progress: Progress) -> Sections:
    from engine.lexicon.rivals.literal import build_literal

    return build_literal(tables, meta, progress)


PARTS: Final[Mapping[str, Part]] = {
    "dawg": Part(("dawg_arcs", "dawg_words", "dawg_figures"), _dawg),
    "gaddag": Part(("gaddag_arcs", "gaddag_words", "gaddag_figures"), _gaddag),
    "anagrams": Part(
        ("anagram_strings", "anagram_words", "anagram_filter_blanks", "anagram_tile_counts"), _anagrams
    ),
    "literal": Part(
        (
            "literal_words",
            "literal_codes",
            "literal_placed",
            "literal_placed_starts",
            "literal_high",
            "literal_problems",
            "literal_problem_starts",
            "literal_low",
        ),
        _literal,
    ),
}


def part_names(text: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Read a list of parts such as "dawg,gaddag"; `others` are further names that the caller accepts.

    Raises InvalidInput (code "unknown_table_part") naming the known ones.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in PARTS and name not in others:
            raise InvalidInput(
                Text(
                    "there is no table part '{name}'; known: {known}",
                    name=excerpt(name),
                    known=[*PARTS, *others],
                ),
                code="unknown_table_part",
                field="with",
            )
    return names


def build_parts(
    tables: Tables, meta: Mapping[str, Any], names: Iterable[str], progress: Progress | None = None
) -> dict[str, NDArray[Any]]:
    """Build the sections of some parts; `progress` is called with a stage and its completed share."""
    report = progress or (lambda stage, share: None)
    sections: dict[str, NDArray[Any]] = {}
    for name in names:
        sections |= PARTS[name].build(tables, meta, report)
    return sections


def sections_of(lexicon: Lexicon, name: str) -> dict[str, NDArray[Any]]:
    """Return the sections of a part, read-only.

    Raises MissingTable (code "missing_table_part") naming the command that builds them.
    """
    try:
        return {section: lexicon.section(section) for section in PARTS[name].sections}
    except KeyError:
        raise MissingTable(
            Text(
                "the tables of {lexicon} have no part '{part}'; run: kibitz lexicon build {lexicon} "
                "--with {part}",
                lexicon=lexicon.id,
                part=name,
            ),
            code="missing_table_part",
        ) from None
