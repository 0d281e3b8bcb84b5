"""Find the tile set, board and rules of a recorded game from its pragmas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import NotFound, excerpt, quoted
from engine.position.notation import MAX_MOVE_TEXT
from engine.records.cgp import DEFAULT_LAYOUT, LAYOUT_NAMES, TILE_SET_NAMES
from engine.records.gcg.record import EventKind, LineFault
from engine.rules import board_layout, default_rule_set, tile_set, tile_set_ids
from engine.rules.alphabet import NOTATION_TOKEN, composed
from engine.rules.readings import readings

if TYPE_CHECKING:
    from engine.records.gcg.record import GameRecord
    from engine.rules import Alphabet, BoardLayout, RuleSet, TileSet

SUPER_TILES: Final = "english_super"
SUPER_LAYOUT: Final = "super21"

# The first letters of the names of lexicons, and the tile set of each.
LEXICON: Final = re.compile(r"[A-Za-z]+")
LEXICON_TILES: Final = {
    **dict.fromkeys(
        ("NWL", "CSW", "TWL", "OTCWL", "OCTWL", "OWL", "OSPD", "OSWI", "OSW", "SOWPODS"), "english"
    ),
    **dict.fromkeys(("CEL", "ECWL", "SCOWL", "NSWL", "COLLINS", "ENGLISH"), "english"),
    **dict.fromkeys(("FILE", "FISE"), "spanish"),
    **dict.fromkeys(("ODS", "FRA"), "french"),
    **dict.fromkeys(("OSPS",), "polish"),
    **dict.fromkeys(("RD",), "german"),
    **dict.fromkeys(("DISC",), "catalan"),
    **dict.fromkeys(("NSF",), "norwegian"),
    **dict.fromkeys(("SAOL",), "swedish"),
}
WITH_TILES: Final = (EventKind.PLAY, EventKind.END_BONUS, EventKind.END_PENALTY)
NO_TILE: Final = frozenset(".()?")


class Equipment(NamedTuple):
    """Hold what a game was played with; `tile_set` is None if neither record nor caller names one."""

    tile_set: TileSet | None
    layout: BoardLayout
    rules: RuleSet | None
    warnings: tuple[LineFault, ...]

    def rules_for(self, tiles: TileSet) -> RuleSet:
        """Return the rules, by default those of a tile set."""
        return self.rules or default_rule_set(tiles.id)


def equipment_of(
    record: GameRecord, tiles: TileSet | None, layout: BoardLayout | None, rules: RuleSet | None
) -> Equipment:
    """Find tile set, board and rules from the pragmas of a record, else from the caller."""
    warnings: list[LineFault] = []
    large = "super" in (record.pragma("game-type") or "").lower()
    named = record.pragma("tile-distribution")
    if named is not None:
        name = named.lower().replace("-", "_").replace(" ", "_")
        try:
            tiles = tile_set(TILE_SET_NAMES.get(name, name))
        except NotFound:
            detail = f"the tile distribution {quoted(named)} is unknown"
            warnings.append(_warning("unknown_tile_set", detail, named))
            named = None
    if named is None and large:
        tiles = tile_set(SUPER_TILES)
    elif named is None:
        tiles = _tiles_of(record.lexicon) or tiles
    board = record.pragma("board-layout")
    if board is not None:
        try:
            layout = board_layout(LAYOUT_NAMES.get(board.lower(), board))
        except NotFound:
            detail = f"the board {quoted(board)} is unknown"
            warnings.append(_warning("unknown_board", detail, board))
    elif large:
        layout = board_layout(SUPER_LAYOUT)
    if layout is None:
        default = SUPER_LAYOUT if tiles is not None and tiles.id == SUPER_TILES else DEFAULT_LAYOUT
        layout = board_layout(default)
    return Equipment(tiles, layout, rules, tuple(warnings))


def possible_tile_sets(record: GameRecord) -> list[TileSet]:
    """List the tile sets that can spell all words of a record, english first; english if none can."""
    words = {event.text for event in record.events if event.kind in WITH_TILES}
    words |= {event.rack for event in record.events}
    split = [NOTATION_TOKEN.findall(composed(word)) for word in words]
    tokens = {token for word in split for token in word} - NO_TILE
    english = tile_set("english")
    names = [name for name in tile_set_ids() if name not in (english.id, SUPER_TILES)]
    sets = [english, *map(tile_set, names)]
    return [tiles for tiles in sets if _spells(tiles.alphabet, tokens, split)] or [english]


def _spells(alphabet: Alphabet, tokens: set[str], words: list[list[str]]) -> bool:
    """Return whether an alphabet can spell some words, tiles of several letters without brackets included."""
    if all(token in alphabet.notation for token in tokens):
        return True
    if not alphabet.has_long_tiles or any(len(word) > MAX_MOVE_TEXT for word in words):
        return False
    table = {**alphabet.spellings, **dict.fromkeys(NO_TILE, 0)}
    return all(any(True for _ in readings(word, table, longest=False)) for word in words)


def _tiles_of(lexicon: str | None) -> TileSet | None:
    prefix = LEXICON.match(lexicon or "")
    name = LEXICON_TILES.get(prefix[0].upper()) if prefix else None
    return tile_set(name) if name else None


def _warning(code: str, detail: str, name: str) -> LineFault:
    return LineFault(code, detail, "gcg", 0, warning=True, params={"name": excerpt(name)})
