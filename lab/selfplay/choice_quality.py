"""The quality of choices: how much win% players lose on positions of games, by long rollouts.

The positions are random turns, with tiles in the bag, of games of the static player, one of each game. The
value of a move is the share of wins when static players play the game to its end many times. It depends on no
horizon and on no win% table. All moves of a position have the same draws.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, legal_moves
from engine.evaluation.win_pct import win_pct_table
from engine.movegen import InternalWords
from engine.position import Player
from engine.search.deadline import Deadline
from engine.search.simulation import simulate
from engine.search.simulation_plan import MAX_PLIES, SimulationPlan
from engine.selfplay.estimate import Estimate
from engine.selfplay.players import player
from lab.selfplay.empty_bag import played_games
from lab.selfplay.replaying import seen_text, turns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Move, Position
    from engine.selfplay.games import GameSetup

_VALUE_SEED: Final = 0x76616C7565  # no player draws by it


@dataclass(frozen=True, slots=True)
class ChoiceQuality:
    """Hold the result of one player.

    `loss`: win% of the best known move minus that of the choice, mean of the positions; `difference`: this
    loss minus that of the first player; `changed`: share of positions where the choice is another than the
    first player's; `milliseconds`: processor time of a choice; `losses`: by position.
    """

    player: str
    loss: Estimate
    difference: Estimate
    changed: float
    milliseconds: float
    losses: tuple[float, ...]


def choice_quality(
    setup: GameSetup,
    players: Sequence[str],
    count: int,
    *,
    candidates: int = 10,
    rollouts: int = 1000,
    actual_racks: bool = False,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[ChoiceQuality]:
    """Return how much players lose on `count` positions.

    The best move known is the one with the highest value among the choices and the `candidates` moves with
    the most equity. `rollouts`: of each move; `actual_racks`: deal the opponent's rack of the game in all of
    them, so that players who infer it are judged fairly. Raises InvalidInput for an unknown player and for
    "greedy" (code "unknown_player"), and MissingTable without a win% table.
    """
    if "greedy" in players:
        raise InvalidInput("greedy has no leave values to choose by", code="unknown_player", field="player")
    win_pct_table(setup.lexicon)
    choosers = [_chooser(name, setup) for name in players]
    proposer = _ByEquity("static", setup)
    losses = np.empty((count, len(players)))
    changed = np.zeros(len(players))
    seconds = np.zeros(len(players))
    for at, (position, seen, board) in enumerate(middle_positions(setup, count, seed)):
        values = _Values(position if actual_racks else seen, board, rollouts)
        choices = []
        for number, choose in enumerate(choosers):
            began = process_time()
            choices.append(choose(seen, board, seed + at))
            seconds[number] += process_time() - began
        best = proposer.best(seen, board, candidates)
        found = values.of([*choices, *best])
        losses[at] = max(found) - np.array(found[: len(players)])
        changed += [choice.move != choices[0].move for choice in choices]
        if progress is not None:
            progress(at + 1, count)
    return [
        ChoiceQuality(
            name,
            Estimate.of(losses[:, number]),
            Estimate.of(losses[:, number] - losses[:, 0]),
            float(changed[number] / count),
            float(1000 * seconds[number] / count),
            tuple(losses[:, number].tolist()),
        )
        for number, name in enumerate(players)
    ]


def middle_positions(
    setup: GameSetup, count: int, seed: int
) -> Iterator[tuple[Position, Position, LoadedBoard]]:
    """Yield a position of each game with both racks, the same as the player on turn sees it, and its board.

    The second one has the opponent's last move. The games are those of the seeds from `seed` on.
    """
    games = played_games(setup, "static", seed + count - 1)
    for number, game in enumerate(islice(games, seed - 1, None), seed):
        turns = [turn for turn in turns_of(setup, game) if turn.bag_count]
        at = Random(number).randrange(len(turns))  # noqa: S311 - no secret
        position, board = turns[at].position, turns[at].board
        last = seen_text(game.turns[at - 1], turns[at - 1].play, setup.lexicon.tile_set) if at else None
        own, other = position.players
        hidden = Player(other.score, tile_count=len(other.held), last_move=last)
        yield position, replace(position, players=(own, hidden)), board


class _Values:
    """The values of moves of one position, in win%; each move is played out once."""

    def __init__(self, position: Position, board: LoadedBoard, rollouts: int) -> None:
        self._position = position
        self._board = board
        self._rollouts = rollouts
        self._values: dict[Move, float] = {}

    def of(self, choices: Sequence[ValuedMove]) -> list[float]:
        """Return the value of each choice."""
        new = {choice.move: choice for choice in choices if choice.move not in self._values}
        plan = SimulationPlan(
            candidates=len(new), iterations=self._rollouts * len(new), plies=MAX_PLIES, confidence=None
        )
        candidates = list(new.values())
        found = simulate(self._position, self._board, candidates, plan, seed=_VALUE_SEED)
        for move, estimate in zip(new, found.estimates, strict=True):
            if estimate is not None and estimate.win_pct is not None:
                self._values[move] = estimate.win_pct
        return [self._values[choice.move] for choice in choices]


class _ByEquity:
    """The moves with the most equity by one evaluator."""

    def __init__(self, evaluator: str, setup: GameSetup) -> None:
        self._evaluator = Evaluator(evaluator, setup.lexicon, setup.rules)
        self._search = InternalWords(setup.lexicon)

    def best(self, position: Position, board: LoadedBoard, count: int) -> list[ValuedMove]:
        """Return up to `count` moves, best first."""
        moves, _ = legal_moves(position, board, self._search, self._evaluator)
        return moves.valued(moves.candidates(count))


def _chooser(name: str, setup: GameSetup) -> Callable[[Position, LoadedBoard, int], ValuedMove]:
    """Return what chooses the moves of a player; the last argument is the number of the game."""
    seat = player(name, setup, 1)[1]
    if seat is not None:
        return lambda position, board, number: seat.choose(position, board, number, 0, Deadline()).choice
    by_equity = _ByEquity(name, setup)
    return lambda position, board, _: by_equity.best(position, board, 1)[0]
