"""The options that say which words to find, and the query that they make."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import click

from engine import WORD_SORTS, WordQuery
from kibitz.cli.lexicons import open_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Lexicon

_MEASURES: Final = (
    ("vowels", 0, "Number of vowels of the tile set."),
    ("points", 0, "Points of the letters, those of blanks included."),
    ("anagrams", 1, "Number of words of the same tiles, the word itself included."),
    ("rank", 1, "Place by probability among all words of the length; equal words share one."),
    ("place", 1, "Place by probability among the words found, for each length."),
)
"""What can be limited: the name, its least value, and what it is."""

_LENGTH: Final = click.IntRange(2, 26)
_LIST: Final = "ID or FILE"

_OPTIONS: Final = (
    click.argument("pattern", required=False),
    click.option("--tiles", metavar="TILES", help="The tiles to form words with; ? is a blank."),
    click.option("--some", is_flag=True, help="Find words of some of the tiles too, not only of all."),
    click.option("--min-length", type=_LENGTH, default=2, show_default=True, help="In tiles, not letters."),
    click.option("--max-length", type=_LENGTH, default=26, show_default=True, help="In tiles, not letters."),
    click.option(
        "--includes",
        metavar="LETTERS",
        default="",
        help="Letters that the words have, each at least as often.",
    ),
    click.option("--excludes", metavar="LETTERS", default="", help="Letters that the words do not have."),
    click.option(
        "--takes-prefix", metavar="LETTERS", default="", help="Words that make a word with these before them."
    ),
    click.option(
        "--takes-suffix", metavar="LETTERS", default="", help="Words that make a word with these after them."
    ),
    click.option("--in-lexicon", metavar=_LIST, help="Words that this list has too."),
    click.option("--not-in-lexicon", metavar=_LIST, help="Words that this list does not have."),
    *(
        click.option(f"--{side}-{measure}", type=click.IntRange(min=least), help=meaning)
        for measure, least, meaning in _MEASURES
        for side in ("min", "max")
    ),
    click.option(
        "--sort",
        type=click.Choice(WORD_SORTS),
        default=WORD_SORTS[0],
        show_default=True,
        help="The order of words of one length; probability: the most probable first.",
    ),
)


def query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument PATTERN and the options of a query to a command, which takes them as `asked`."""
    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), command)


def read_query(lexicon: Lexicon, asked: dict[str, Any]) -> WordQuery:
    """Return the query that the options of `query_options` make; raise EngineError."""
    given = {**asked, "use": "some" if asked["some"] else "all"}
    del given["some"]
    for name in ("in_lexicon", "not_in_lexicon"):
        if asked[name] is not None:
            given[name] = open_list(asked[name], lexicon.tile_set)
    return WordQuery.from_text(lexicon.tile_set.alphabet, **given)
