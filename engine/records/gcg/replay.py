"""A record played through: the position before each event, and every disagreement with the rules, by line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.position.limits import MAX_TEXT, UNWRITABLE
from engine.records.gcg.record import LineFault
from engine.records.gcg.referee import Referee
from engine.records.gcg.setting import possible_tile_sets, setting_of

if TYPE_CHECKING:
    from engine.position import Move, Position
    from engine.records.gcg.record import Event, GameRecord
    from engine.records.gcg.setting import Setting
    from engine.rules import BoardLayout, RuleSet, TileSet

SLIPS: Final = 3
"""A tile set that leaves so many things unexplained, or one in so many events, may be the wrong guess."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold one event and the position before it.

    `number` counts the events from 1. `position.players[0]` is the player of the event. `move` is None
    where the event is not a move or not wholly known (an exchange of unknown tiles), or was refused; `points`
    what the rules give for it, None where that cannot be said; `total` the player's score after it.
    """

    number: int
    event: Event
    position: Position
    move: Move | None
    points: int | None
    total: int


@dataclass(frozen=True, slots=True)
class Replay:
    """Hold a game played through.

    `final` is the position after the last event that could be played; `over` tells that the game has come
    to its end. `faults` and `warnings` are those of the replay alone, in the order of the lines; a replay
    that had to stop early says so in its last warning.
    """

    record: GameRecord
    tile_set: TileSet
    layout: BoardLayout
    rules: RuleSet
    turns: tuple[Turn, ...]
    final: Position
    over: bool
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
            f"there is no turn {turn}; the turns are 1 to {len(self.turns)}, and "
            f"{len(self.turns) + 1} is the end",
            code="no_such_turn",
            field="turn",
            params={"turn": turn, "turns": len(self.turns), "most": len(self.turns) + 1},
        )


def replay_game(
    record: GameRecord,
    tile_set: TileSet | None = None,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
) -> Replay:
    """Play a record through.

    Tile set, board and rules are those that its pragmas name (a lexicon names a tile set), else those
    given; without either, the tile set is the one that explains the words and scores best, which a warning
    says, the board the standard one, the rules those that go with the tile set. Racks, scores, cumulative
    scores, the tiles of the bag and the ends of games are all checked. Never raises for what the record
    says, except InvalidInput for a record without two players.
    """
    if len(record.players) < 2:
        raise InvalidInput("a game has two players or more", code="missing_player", field="gcg")
    setting = setting_of(record, tile_set, layout, rules)
    if setting.tile_set is not None:
        return _played(record, setting.tile_set, setting)
    first, *others = possible_tile_sets(record)
    best = _played(record, first, setting)
    # Some slips are to be expected; only many of them speak for another language.
    if _doubts(best) > max(SLIPS, len(record.events) // SLIPS):
        best = min([best, *[_played(record, tiles, setting) for tiles in others]], key=_doubts)
    return _guessed(best)


def _played(record: GameRecord, tiles: TileSet, setting: Setting) -> Replay:
    """Play a record through with a tile set."""
    rules = setting.rules_for(tiles)
    referee = Referee(tiles, setting.layout, rules, len(record.players))
    lexicon = _writable(record.lexicon)
    turns: list[Turn] = []
    for number, event in enumerate(record.events, 1):
        rack = referee.rack(event)
        mover = max(event.player, 0)
        position = referee.state.position(mover, rack, lexicon)
        move, points = referee.judge(event, rack)
        turns.append(Turn(number, event, position, move, points, referee.state.totals[mover]))
        if referee.stopped:
            referee.tell_rest(len(record.events) - number)
            break
    racks = referee.last_racks(record)
    return Replay(
        record=record,
        tile_set=tiles,
        layout=setting.layout,
        rules=rules,
        turns=tuple(turns),
        final=referee.state.final(racks, lexicon),
        over=referee.over,
        faults=referee.found.faults,
        warnings=(*setting.warnings, *referee.found.warnings),
    )


def _doubts(replay: Replay) -> int:
    """Return how badly a tile set explains a record."""
    unplayed = len(replay.record.events) - len(replay.turns)
    return unplayed + len(replay.faults) + len(replay.warnings)


def _guessed(replay: Replay) -> Replay:
    """Return the replay with the warning that its tile set was guessed."""
    detail = f"the record names no tile set; {replay.tile_set.id} was taken, which explains it best"
    named = {"tile_set": replay.tile_set.id}
    warning = LineFault("tile_set_guessed", detail, "gcg", 0, warning=True, params=named)
    return replace(replay, warnings=(warning, *replay.warnings))


def _writable(lexicon: str | None) -> str | None:
    """Return the name of a lexicon if a position can carry it."""
    if lexicon is None or not lexicon or len(lexicon) > MAX_TEXT or UNWRITABLE.search(lexicon):
        return None
    return lexicon
