"""The lexicon of a game record or a CGP, which may name one that is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MissingTable, NotFound, Notice, Text, excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Lexicon


def named_lexicon(
    named: str | None, asked: str | None, default: str, open_lexicon: Callable[[str], Lexicon]
) -> tuple[Lexicon, tuple[Notice, ...]]:
    """Open the lexicon `asked` for, else the one `named` by a record or a CGP, else the default one.

    If the named one is not installed, the default one is used and a warning says so. Raises the errors of
    `open_lexicon` for the other two.
    """
    if asked or not named:
        return open_lexicon(asked or default), ()
    try:
        return open_lexicon(named.lower()), ()
    except (NotFound, MissingTable):
        lexicon = open_lexicon(default)
    shown = excerpt(named)
    return lexicon, (
        Notice(
            "lexicon_not_installed",
            {"named": shown, "used": lexicon.id},
            Text(
                "the lexicon {named} is not installed; the words are those of {used}",
                named=shown,
                used=lexicon.id,
            ),
        ),
    )


def lexicon_warnings(what: Text, named: str | None, used: str) -> list[Text]:
    """Return a sentence if a record or a position (`what`) names another lexicon than the one used."""
    if not named or named.lower() == used.lower():
        return []
    return [
        Text(
            "the {what} names the lexicon {named}, but the words are those of {used}: {named} is not "
            "installed, or another was asked for",
            what=what,
            named=named,
            used=used,
        )
    ]
