"""Find the tile set, board and rules of a recorded game from its pragmas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput, NotFound, excerpt
from engine.messages import Text
from engine.position import parse_coordinate
from engine.position.notation import MAX_MOVE_TEXT
from engine.records.cgp import DEFAULT_LAYOUT, LAYOUT_NAMES, TILE_SET_NAMES, VARIANTS
from engine.records.gcg.fault_list import FaultList
from engine.records.gcg.lexicon_names import tiles_of_lexicon
from engine.records.gcg.record import EventKind
from engine.rules import MAX_SIDE, board_layout, default_rule_set, tile_set, tile_set_ids
from engine.rules.alphabet import NOTATION_TOKEN, composed
from engine.rules.readings import readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.records.gcg.record import GameRecord, LineFault
    from engine.rules import Alphabet, BoardLayout, RuleSet, TileSet

SUPER_TILES: Final = "english_super"
SUPER_LAYOUT: Final = "super21"

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
    """Find tile set, board and rules from the pragmas of a record, else from the caller.

    Without a board, plays that need 21 x 21 squares imply the large one.
    """
    found = FaultList(record.unit)
    kind = record.pragma("game-type")
    large = "super" in (kind or "").lower()
    if kind is not None and kind.lower().replace("-", "_") not in VARIANTS:
        sentence = Text(
            "the game type '{name}' is unknown; known: {known}", name=excerpt(kind), known=list(VARIANTS)
        )
        _warn_of_pragma(found, record, "game-type", "unknown_game_type", sentence, kind)
    if not large and layout is None and record.pragma("board-layout") is None and _needs_large_board(record):
        large = True
        side = board_layout(SUPER_LAYOUT).side
        sentence = Text(
            "the plays need a board of {side} x {side} squares: {board} was chosen",
            board=SUPER_LAYOUT,
            side=side,
        )
        found.add("board_guessed", sentence, 0, warning=True)
    named = record.pragma("tile-distribution")
    if named is not None:
        name = named.lower().replace("-", "_").replace(" ", "_")
        try:
            tiles = tile_set(TILE_SET_NAMES.get(name, name))
        except NotFound:
            sentence = Text("the tile distribution '{name}' is unknown", name=excerpt(named))
            _warn_of_pragma(found, record, "tile-distribution", "unknown_tile_set", sentence, named)
            named = None
    if named is None:
        tiles = _tiles_of(record.lexicon) or tiles
        if large and (tiles is None or tiles.id == "english"):
            tiles = tile_set(SUPER_TILES)
    board = record.pragma("board-layout")
    if board is not None:
        try:
            layout = board_layout(LAYOUT_NAMES.get(board.lower(), board))
        except NotFound:
            sentence = Text("the board '{name}' is unknown", name=excerpt(board))
            _warn_of_pragma(found, record, "board-layout", "unknown_board", sentence, board)
    elif large:
        layout = board_layout(SUPER_LAYOUT)
    if layout is None:
        default = SUPER_LAYOUT if tiles is not None and tiles.id == SUPER_TILES else DEFAULT_LAYOUT
        layout = board_layout(default)
    return Equipment(tiles, layout, rules, found.warnings)


def possible_tile_sets(record: GameRecord) -> list[TileSet]:
    """List the tile sets that can spell all words of a record as they are written, english first."""
    words = {event.text for event in record.events if event.kind in WITH_TILES}
    words |= {event.rack for event in record.events}
    split = [NOTATION_TOKEN.findall(composed(word)) for word in words]
    tokens = {token for word in split for token in word} - NO_TILE
    english = tile_set("english")
    names = [name for name in tile_set_ids() if name not in (english.id, SUPER_TILES)]
    sets = [english, *map(tile_set, names)]
    return [tiles for tiles in sets if _spells(tiles.alphabet, tokens, split)]


def _spells(alphabet: Alphabet, tokens: set[str], words: list[list[str]]) -> bool:
    """Return whether an alphabet can spell some words, tiles of several letters without brackets included."""
    if all(token in alphabet.notation for token in tokens):
        return True
    if not alphabet.has_long_tiles or any(len(word) > MAX_MOVE_TEXT for word in words):
        return False
    table = {**alphabet.spellings, **dict.fromkeys(NO_TILE, 0)}
    return all(any(True for _ in readings(word, table, longest=False)) for word in words)


def _tiles_of(lexicon: str | None) -> TileSet | None:
    name = tiles_of_lexicon(lexicon or "")
    return tile_set(name) if name else None


def _needs_large_board(record: GameRecord) -> bool:
    """Return whether a play begins beyond the standard board, and the first one fits only the large board.

    The first play covers the start square in the middle; so one wrong coordinate does not decide.
    """
    middle, side = board_layout(SUPER_LAYOUT).side // 2, board_layout(DEFAULT_LAYOUT).side
    places = list(_places(record))
    if not places:
        return False
    (line, start, length), *_ = places
    in_the_middle = line == middle and start <= middle < start + length
    return in_the_middle and any(max(line, start) >= side for line, start, _ in places)


def _places(record: GameRecord) -> Iterator[tuple[int, int, int]]:
    """Yield row or column, start and length of every play whose coordinate can be read."""
    for event in record.events:
        if event.kind is EventKind.PLAY:
            try:
                row, column, down = parse_coordinate(event.at, MAX_SIDE)
            except InvalidInput:
                continue
            length = len(NOTATION_TOKEN.findall(composed(event.text)))
            yield (column, row, length) if down else (row, column, length)


def _warn_of_pragma(
    found: FaultList, record: GameRecord, pragma: str, code: str, sentence: str, name: str
) -> None:
    line = record.pragma_line(pragma)
    found.add(code, sentence, line, pragma, warning=True, params={"name": excerpt(name)})
