"""The lexicon by which the record of a game is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import GameRecord, Lexicon


def game_lexicon(
    record: GameRecord, asked: str | None, default: str, open_lexicon: Callable[[str], Lexicon]
) -> Lexicon:
    """Open the lexicon asked for, else the one that the record names if it is at hand, else the default one.

    Raises what `open_lexicon` raises for the first and the last.
    """
    if asked:
        return open_lexicon(asked)
    if record.lexicon:
        try:
            return open_lexicon(record.lexicon.lower())
        except EngineError:
            pass  # the record names a list that its owner has not built here, or anything at all
    return open_lexicon(default)


def lexicon_warnings(what: str, named: str | None, used: str) -> list[str]:
    """Return a sentence if a record or a position (`what`) names another lexicon than the one used."""
    if not named or named.lower() == used.lower():
        return []
    return [
        f"the {what} names the lexicon {named}, but the words are those of {used}: "
        f"{named} is not installed, or another was asked for"
    ]
