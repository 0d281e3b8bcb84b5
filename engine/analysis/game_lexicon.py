"""What a game record or a CGP names that may not exist here: its lexicon, and operations of a CGP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.analysis.report import Notice
from engine.errors import MissingTable, NotFound, excerpt
from engine.messages import Text
from engine.records import recorded_tile_set, unknown_operations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.lexicon import Catalogue, Lexicon, LexiconEntry
    from engine.position import Position
    from engine.records import GameRecord
    from engine.rules import TileSet

    Opening = Callable[[str], Lexicon]
    Choice = tuple[Lexicon, tuple[Notice, ...]]


def named_lexicon(named: str | None, asked: str | None, default: str, open_lexicon: Opening) -> Choice:
    """Open the lexicon `asked` for, else the one `named` by a CGP, else the default one.

    If the named one is not installed, the default one is used and a warning says so. Raises the errors of
    `open_lexicon` for the other two.
    """
    if asked or not named:
        return open_lexicon(asked or default), ()
    if (installed := _installed(named, open_lexicon)) is not None:
        return installed, ()
    lexicon = open_lexicon(default)
    return lexicon, (_not_installed(named, lexicon),)


def record_lexicon(
    record: GameRecord, asked: Sequence[str], default: str, catalogue: Catalogue, open_lexicon: Opening
) -> Choice:
    """Open the lexicon of a recorded game.

    If several are `asked` for, it is the one that the record names, else the first with its tiles. Without
    any, it is the one that the record names, if it is installed, else the default one; if that has other
    tiles than the game, it is another one of the catalogue, and a warning names it. Where none has the tiles
    of the game, it is the first asked for, or the default one. Raises the errors of `open_lexicon`.
    """
    named = record.lexicon
    if named and named.lower() in map(str.lower, asked):
        return open_lexicon(named.lower()), ()
    if named and not asked and (installed := _installed(named, open_lexicon)) is not None:
        return installed, ()
    usual = lexicon = open_lexicon(asked[0] if asked else default)
    if len(asked) != 1:
        tiles = recorded_tile_set(record, usual.tile_set)
        if not _fits(usual.tile_set.id, tiles):
            other = _other(tiles, asked, catalogue.entries())
            lexicon = usual if other is None else open_lexicon(other)
    if asked:
        return lexicon, ()
    if named:
        return lexicon, (_not_installed(named, lexicon),)
    return lexicon, () if lexicon is usual else (_chosen(lexicon),)


def _installed(named: str, open_lexicon: Opening) -> Lexicon | None:
    try:
        return open_lexicon(named.lower())
    except (NotFound, MissingTable):
        return None


def _other(tiles: TileSet, asked: Sequence[str], entries: Sequence[LexiconEntry]) -> str | None:
    """Return the first lexicon with these tiles of those asked for, else of all; built ones come first."""
    fitting = {entry.id: entry for entry in entries if _fits(entry.tile_set, tiles) and not entry.problem}
    if asked:
        return next((one for one in asked if one.lower() in fitting), None)
    return min(fitting, key=lambda one: (not fitting[one].built, one != tiles.id, one), default=None)


def _fits(tile_set_id: str, tiles: TileSet) -> bool:
    """Return whether a tile set is the same, or one of the same language such as english_super."""
    return tile_set_id.partition("_")[0] == tiles.id.partition("_")[0]


def _not_installed(named: str, used: Lexicon) -> Notice:
    shown = excerpt(named)
    return Notice(
        "lexicon_not_installed",
        {"named": shown, "used": used.id},
        Text(
            "the lexicon {named} is not installed; the words are those of {used}", named=shown, used=used.id
        ),
    )


def _chosen(used: Lexicon) -> Notice:
    return Notice(
        "lexicon_chosen",
        {"tile_set": used.tile_set.id, "used": used.id},
        Text(
            "the record names no lexicon and has the tiles of {tile_set}; the words are those of {used}",
            tile_set=used.tile_set.id,
            used=used.id,
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


def operation_warnings(position: Position) -> tuple[Notice, ...]:
    """Return a warning for each operation of a position that is ignored because its name is unknown."""
    return tuple(
        Notice(
            "unknown_operation",
            {"name": name},
            Text("the operation {name} of the CGP is unknown and ignored", name=name),
        )
        for name in unknown_operations(position.operations)
    )
