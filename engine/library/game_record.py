"""Games as records: `record_of` a game, and the `saved_game_of` a record."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.errors import InvalidInput, params_of
from engine.library.saved_game import Action, Bonus, MoveMade, SavedGame, TakenBack, TimePenalty
from engine.library.seats import nickname
from engine.messages import Text
from engine.position import Rack, format_move
from engine.position.game_state import FORFEITS
from engine.records import Event, EventKind, GameRecord, PlayerName, Replay, replay_game
from engine.records.cgp import DEFAULT_LAYOUT
from engine.records.gcg.record import SECONDS
from engine.records.gcg.roster import TURNS
from engine.rules import board_layout_ids, tile_set_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.library.lexicon import Lexicon
    from engine.library.steps import State, Step
    from engine.position import GameResult, Move
    from engine.records import ReplayedEvent
    from engine.rules import BoardLayout, RuleSet


def record_of(
    names: Sequence[str], state: State, steps: Sequence[Step], result: GameResult | None
) -> GameRecord:
    """Return the record of a game: its steps, the last of which led to `state`, and its result."""
    position = state.position
    pragmas = [("lexicon", position.lexicon.id)]
    if position.layout.id != DEFAULT_LAYOUT and position.layout.id in board_layout_ids():
        pragmas.append(("board-layout", position.layout.id))
    if position.tile_set.id in tile_set_ids():
        pragmas.append(("tile-distribution", position.tile_set.id))
    events = [event for step in steps for event in _events(step)]
    if result is not None:
        events += [*_ending(result, state), *_time_penalties(result)]
    # The last racks follow from the end of a game of two players; otherwise they are recorded.
    shown = result is None or len(names) > 2 or result.reason in FORFEITS
    racks = tuple([str(player.held) if shown else "" for player in state.players])
    return GameRecord(tuple(map(_player, names)), tuple(pragmas), events=tuple(events), last_racks=racks)


def _player(name: str) -> PlayerName:
    nick = nickname(name)
    return PlayerName(nick, "" if nick == name else name)


def _events(step: Step) -> Iterator[Event]:
    """Yield the events of a step; a challenge that costs the challenger the turn is recorded with a pass."""
    mover = step.before.players[step.player]
    total = step.after.players[step.player].score
    rack = str(mover.held)
    pragmas = ((SECONDS, f"{round(step.seconds, 3):g}"),) if step.seconds else ()
    match step.kind:
        case EventKind.PLAY:
            at, word = str(step.move).split(" ")
            yield Event(EventKind.PLAY, step.player, rack, at, word, step.points, total, pragmas=pragmas)
        case EventKind.EXCHANGE:
            tiles = str(step.move)[1:]
            yield Event(EventKind.EXCHANGE, step.player, rack, text=tiles, total=total, pragmas=pragmas)
        case EventKind.PASS:
            yield Event(EventKind.PASS, step.player, rack, total=total, pragmas=pragmas)
        case EventKind.PHONY:
            back = str(step.after.players[step.player].held)
            yield Event(EventKind.PHONY, step.player, back, score=step.points, total=total)
        case EventKind.CHALLENGE:
            if step.points:
                yield Event(EventKind.CHALLENGE, step.player, score=step.points, total=total)
            if step.after.on_turn != step.before.on_turn:
                loser = step.before.on_turn
                challenger = step.before.players[loser]
                yield Event(EventKind.PASS, loser, str(challenger.held), total=challenger.score)
        case _:
            return  # `_time_penalties` records the others


def _ending(result: GameResult, state: State) -> Iterator[Event]:
    """Yield the events by which the tiles left change the scores."""
    if result.reason in FORFEITS:
        return
    scores = [player.score for player in state.players]
    if result.reason == "went_out":
        out = (state.on_turn - 1) % len(scores)
        rest = Rack(b"".join([rack.tiles for rack in result.left]), state.position.tile_set.alphabet)
        added = result.adjustments[out]
        yield Event(EventKind.END_BONUS, out, text=str(rest), score=added, total=scores[out] + added)
        if state.position.rules.ending == "double":
            return
    for player, (rack, added) in enumerate(zip(result.left, result.adjustments, strict=True)):
        if len(rack):
            text = str(rack)
            yield Event(
                EventKind.END_PENALTY, player, text, text=text, score=added, total=scores[player] + added
            )


def _time_penalties(result: GameResult) -> Iterator[Event]:
    for player, points in enumerate(result.penalties):
        if points:
            yield Event(EventKind.TIME, player, score=-points, total=result.scores[player])


def saved_game_of(
    record: GameRecord, lexicon: Lexicon, layout: BoardLayout | None, rules: RuleSet | None
) -> SavedGame:
    """Return the game that a record describes.

    Raises InvalidInput with every fault of the record, and for one that lacks tiles of a rack or whose scores
    differ from those of the rules.
    """
    replay = replay_game(record, lexicon.tile_set, layout, rules)
    faults = [*replay.faults, *[one for one in replay.warnings if one.code == "not_replayed"]]
    if faults:
        raise InvalidInput.collected(faults)
    for turn in replay.turns:
        if turn.points is not None and turn.points != turn.event.score:
            sentence = Text(
                "the score is {score:+}, the rules give {points:+}",
                score=turn.event.score,
                points=turn.points,
            )
            raise _at_line(turn, "score_mismatch", sentence)
    racks = _racks(replay)
    actions: list[Action] = []
    lines: list[int] = []
    for index, turn in enumerate(replay.turns):
        action = _action(index, replay.turns, replay, racks)
        if action is not None:
            actions.append(action)
            lines.append(turn.event.line)
    return SavedGame(
        names=tuple([player.name or player.nick for player in record.players]),
        tile_set=replay.tile_set,
        layout=replay.layout,
        rules=replay.rules,
        racks=tuple([str(held[0][1]) for held in racks]),
        actions=tuple(actions),
        lines=tuple(lines),
    )


Held = list[tuple[int, Rack]]
"""The racks of a player, each with the number of the turn before which it was held, from 0."""


def _racks(replay: Replay) -> list[Held]:
    """Return the racks of each player, the one at the end of the record last."""
    alphabet, turns = replay.tile_set.alphabet, replay.turns
    racks: list[Held] = [[] for _ in replay.record.players]
    last: dict[int, Rack] = {}
    on_turn = 0
    for index, turn in enumerate(turns):
        player, kind = turn.event.player, turn.event.kind
        if kind in TURNS or kind is EventKind.PHONY:
            on_turn = (player + 1) % len(racks)
        if kind in TURNS:
            rack = turn.position.players[0].rack
            if rack is None:
                nick = _nick(replay, player)
                raise _at_line(turn, "rack_unknown", Text("not all tiles of {player} are known", player=nick))
            racks[player].append((index, rack))
        elif kind is EventKind.END_PENALTY:
            last[player] = Rack.from_text(turn.event.text, alphabet)
    for player, held in enumerate(racks):
        at_end = last.get(player) or replay.final.players[(player - on_turn) % len(racks)].rack
        if at_end is None:
            nick, name = _nick(replay, player), f"rack{player + 1}"
            raise InvalidInput(
                Text(
                    "the record does not say what {player} holds at its end: add a line #{name} with "
                    "the tiles",
                    player=nick,
                    name=name,
                ),
                code="rack_unknown",
                field="gcg",
            )
        held.append((len(turns), at_end))
    return racks


def _action(index: int, turns: Sequence[ReplayedEvent], replay: Replay, racks: list[Held]) -> Action | None:
    """Return what happened in an event of a record, None for the points of the tiles left, which follow."""
    turn = turns[index]
    event = turn.event
    if event.kind in TURNS:
        if turn.move is None:
            raise _at_line(turn, "move_unknown", Text("the tiles exchanged are not known"))
        taken_back = index + 1 < len(turns) and turns[index + 1].event.kind is EventKind.PHONY
        drawn = None if taken_back else _drawn(index, turn, turn.move, racks[event.player])
        alphabet = replay.tile_set.alphabet
        text = format_move(turn.move, replay.tile_set)
        return MoveMade(text, None if drawn is None else Rack(drawn).text(alphabet), event.seconds or 0.0)
    if event.kind is EventKind.PHONY:
        return TakenBack()
    if event.kind is EventKind.CHALLENGE:
        return Bonus(event.score)
    return TimePenalty(event.player, -event.score) if event.kind is EventKind.TIME else None


def _drawn(index: int, turn: ReplayedEvent, move: Move, held: Held) -> bytes:
    """Return the tiles that a player drew after a turn: the next rack without the tiles left of this one."""
    rack, following = next((rack, following) for (at, rack), (_, following) in pairwise(held) if at == index)
    left = Counter(rack.without(move.used).tiles)
    drawn = Counter(following.tiles)
    drawn.subtract(left)
    if min(drawn.values(), default=0) < 0:
        raise _at_line(
            turn, "kept_tile_missing", Text("tiles left of this turn are missing from the next rack")
        )
    return bytes(drawn.elements())


def _nick(replay: Replay, player: int) -> str:
    return replay.record.players[player].nick


def _at_line(turn: ReplayedEvent, code: str, sentence: Text) -> InvalidInput:
    """Return the error for the line of a turn."""
    line = turn.event.line
    return InvalidInput(
        Text("line {line}: {fault}", line=line, fault=sentence),
        code=code,
        field=f"gcg/{line}",
        params={"line": line, **params_of(sentence)},
    )
