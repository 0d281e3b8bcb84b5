"""Replay a record: the position before each event, and every disagreement with the rules, by line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position.limits import MAX_TEXT, UNWRITABLE
from engine.records.cgp import DEFAULT_TILE_SET
from engine.records.gcg.equipment import equipment_of, possible_tile_sets
from engine.records.gcg.record import LineFault
from engine.records.gcg.referee import Referee
from engine.rules import tile_set as load_tile_set

if TYPE_CHECKING:
    from engine.position import Move, Position
    from engine.records.gcg.equipment import Equipment
    from engine.records.gcg.record import Event, GameRecord
    from engine.rules import BoardLayout, RuleSet, TileSet

SLIPS: Final = 3
"""A tile set with more faults than this, or more than one fault in this many events, may be a wrong guess."""


@dataclass(frozen=True, slots=True)
class ReplayedEvent:
    """Hold one event and the position before it.

    `number` counts the events from 1. `position.players[0]` is the player of the event. `move` is None if the
    event is not a move, is not completely known (an exchange of unknown tiles), or was refused. `points` are
    those by the rules, None if they are unknown. `total` is the player's score after the event.
    """

    number: int
    event: Event
    position: Position
    move: Move | None
    points: int | None
    total: int


@dataclass(frozen=True, slots=True)
class Replay:
    """Hold a replayed game; immutable.

    `final` is the position after the last event that could be replayed; `over` is whether the game is over.
    `on_turn` is the number, from 0, of the player who is first in `final`.
    `faults` and `warnings` are those of the replay, without those of the reader, in the order of the lines.
    The last warning of a replay that stopped early says so.
    """

    record: GameRecord
    tile_set: TileSet
    layout: BoardLayout
    rules: RuleSet
    turns: tuple[ReplayedEvent, ...]
    final: Position
    over: bool
    on_turn: int
    faults: tuple[LineFault, ...]
    warnings: tuple[LineFault, ...]

    def position(self, turn: int) -> Position:
        """Return the position before a turn, counted from 1; the one after the last turn is the final one.

        Raises InvalidInput if there is no such turn.
        """
        if 1 <= turn <= len(self.turns):
            return self.turns[turn - 1].position
        if turn == len(self.turns) + 1:
            return self.final
        raise InvalidInput(
            Text(
                "there is no turn {turn}; the turns are 1 to {turns}, and {most} is the end",
                turn=turn,
                turns=len(self.turns),
                most=len(self.turns) + 1,
            ),
            code="no_such_turn",
            field="turn",
        )


def replay_game(
    record: GameRecord,
    tile_set: TileSet | None = None,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
) -> Replay:
    """Replay a record.

    Tile set, board and rules are those that its pragmas name (a lexicon implies a tile set), else the
    arguments. Without either, the tile set is the one that explains words and scores best, with a warning
    unless it is english, the board is the standard one, and the rules are the default of the tile set. Racks,
    scores, cumulative scores, the tiles in the bag and the end of the game are checked; disagreements are
    faults of the replay. Raises InvalidInput only for a record with fewer than two players.
    """
    if len(record.players) < 2:
        raise InvalidInput(Text("a game has at least two players"), code="missing_player", field="gcg")
    equipment = equipment_of(record, tile_set, layout, rules)
    if equipment.tile_set is not None:
        return _played(record, equipment.tile_set, equipment)
    first, *others = possible_tile_sets(record) or [load_tile_set(DEFAULT_TILE_SET)]
    best = _played(record, first, equipment)
    if first.id != DEFAULT_TILE_SET or not _is_explained(best):
        best = min([best, *[_played(record, tiles, equipment) for tiles in others]], key=_doubts)
    return _guessed(best)


def recorded_tile_set(record: GameRecord, usual: TileSet) -> TileSet:
    """Return the tile set that a record names, else `usual` if it explains the game, else the best guess.

    A tile set that lacks a letter of the record does not explain it. The result is `usual` for a record with
    fewer than two players.
    """
    if len(record.players) < 2:
        return usual
    equipment = equipment_of(record, None, None, None)
    if equipment.tile_set is not None:
        return equipment.tile_set
    possible = possible_tile_sets(record) or [usual]
    if usual in possible and _is_explained(_played(record, usual, equipment)):
        return usual
    return replay_game(record).tile_set


def _played(record: GameRecord, tiles: TileSet, equipment: Equipment) -> Replay:
    """Replay a record with a tile set."""
    rules = equipment.rules_for(tiles)
    referee = Referee(tiles, equipment.layout, rules, record)
    lexicon = _writable(record.lexicon)
    turns: list[ReplayedEvent] = []
    for number, event in enumerate(record.events, 1):
        rack = referee.rack(event)
        mover = max(event.player, 0)
        position = referee.state.position(mover, rack, lexicon)
        move, points = referee.judge(event, rack)
        turns.append(ReplayedEvent(number, event, position, move, points, referee.state.totals[mover]))
        if referee.stopped:
            referee.warn_not_replayed(len(record.events) - number)
            break
    racks = referee.last_racks(record)
    return Replay(
        record=record,
        tile_set=tiles,
        layout=equipment.layout,
        rules=rules,
        turns=tuple(turns),
        final=referee.state.final(racks, lexicon),
        over=referee.over,
        on_turn=referee.state.on_turn or 0,
        faults=referee.found.faults,
        warnings=(*equipment.warnings, *referee.found.warnings),
    )


def _is_explained(replay: Replay) -> bool:
    """Return whether the tile set may be right: records contain errors, but only the wrong set has many."""
    whole = len(replay.turns) == len(replay.record.events)
    return whole and _doubts(replay) <= max(SLIPS, len(replay.record.events) // SLIPS)


def _doubts(replay: Replay) -> int:
    """Count what a tile set does not explain: faults, warnings and events that could not be replayed."""
    unplayed = len(replay.record.events) - len(replay.turns)
    return unplayed + len(replay.faults) + len(replay.warnings)


def _guessed(replay: Replay) -> Replay:
    """Return the replay, with a warning if the tile set that explains it best is not the English one."""
    if replay.tile_set.id == DEFAULT_TILE_SET:
        return replay
    detail = Text(
        "the record names no tile set; {tile_set} was chosen, which explains it best",
        tile_set=replay.tile_set.id,
    )
    warning = LineFault("tile_set_guessed", detail, "gcg", 0, warning=True)
    return replace(replay, warnings=(warning, *replay.warnings))


def _writable(lexicon: str | None) -> str | None:
    """Return the name of a lexicon if a position can contain it, else None."""
    if lexicon is None or not lexicon or len(lexicon) > MAX_TEXT or UNWRITABLE.search(lexicon):
        return None
    return lexicon
