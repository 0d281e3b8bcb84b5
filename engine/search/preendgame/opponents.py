"""Models of the opponent while tiles are in the bag, and the value of a candidate by each of them.

"We" are the player on turn, a world is one order of the bag with the opponent's rack that it leaves. A move
that empties the bag leads to an endgame in which both sides see everything, so the models agree on it. For
other moves:

* pessimistic: the opponent sees everything, and so do we after the reply. The worst reply in each world
  counts.
* guaranteed: the opponent sees everything, we do not. Our next move, while tiles are in the bag, must be the
  same in all worlds that we cannot tell apart.
* rational: the opponent sees their own rack only and takes all worlds to be equally likely. The reply with
  the most wins is chosen, among equal ones the one with the highest equity. Our next move, while tiles are in
  the bag, is chosen for the worlds in which the opponent would have replied so.

The choices within "guaranteed" and "rational" rank moves by "pessimistic", so they look one turn deep.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from engine.position import Rack
from engine.search.preendgame.candidate import Candidate
from engine.search.preendgame.perfect import INFINITE, UNKNOWN, Bounds
from engine.search.preendgame.ranking import CandidateRanking, Goal
from engine.search.preendgame.result import LeftOut
from engine.search.preendgame.turns import Moves, PreendgameState, ScoredMove
from engine.search.preendgame.worlds import Hidden, World, all_worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from engine.loaded_board import LoadedBoard
    from engine.position import Play
    from engine.search.preendgame.perfect import Perfect
    from engine.search.preendgame.ranking import Judge
    from engine.search.preendgame.turns import Turns

MAX_REPLIES: Final = 12
"""Number of replies that a rational opponent compares: the best by equity, and the pass."""

Equities: TypeAlias = "Callable[[LoadedBoard, bytes, Moves], NDArray[np.int64]]"
"""Returns the equity of the moves of a rack on a board, in millipoints."""


@dataclass(frozen=True)
class View:
    """Hold what the side on turn sees.

    `spread`: that of the side on turn; `zeros`, `passes`: turns without points and passes in a row before.
    """

    board: LoadedBoard
    own: bytes
    spread: int
    zeros: int
    passes: int


def candidates(
    turns: Turns,
    view: View,
    worlds: Sequence[World],
    equities: Equities,
    limit: int | None,
    also: Collection[Play] = (),
) -> tuple[list[Candidate], LeftOut]:
    """Return the best moves by equity, with the pass and the moves `also`; and the moves left out."""
    moves = turns.of(view.board, view.own)
    values = equities(view.board, view.own, moves)
    order = np.argsort(-values, kind="stable").tolist()
    chosen = order[: len(order) if limit is None else limit]
    if len(moves) - 1 not in chosen:
        chosen = [*chosen[:-1], len(moves) - 1]
    named = (moves.find(move) for move in also)
    chosen += sorted({at for at in named if at is not None and at not in chosen}, key=order.index)
    bag = len(worlds[0].bag)
    chosen_moves = []
    for number in chosen:
        turn = moves[number]
        board = view.board.after(turn.move)
        empties = turns.rules.rack_size - len(turn.left) >= bag
        guess = view.spread + turn.score
        chosen_moves.append(Candidate(turn, int(values[number]), board, empties, worlds, guess))
    known = set(chosen)
    return chosen_moves, LeftOut(moves, [number for number in order if number not in known])


class Pessimistic:
    """Evaluate candidates by the worst reply in each world, where both sides see everything."""

    def __init__(self, perfect: Perfect, view: View, worlds: Sequence[World]) -> None:
        self.perfect, self.turns, self.view, self.worlds = perfect, perfect.turns, view, worlds

    def allow(self, nodes: int) -> None:
        """Set the node limit of one endgame."""
        self.perfect.limit = nodes

    def state(self, number: int) -> PreendgameState:
        """Return the state before the move in a world."""
        view, world = self.view, self.worlds[number]
        return PreendgameState(view.board, view.own, world.other, world.bag, view.zeros, view.passes)

    def after(self, candidate: Candidate, number: int) -> PreendgameState | None:
        """Return the state after a candidate in a world, None if the game is over."""
        return self.turns.after(self.state(number), candidate.turn, candidate.board)

    def over(self, candidate: Candidate, number: int) -> Bounds:
        """Return the final spread, as bounds, if the candidate ends the game."""
        value = self.view.spread + self.turns.end_value(self.state(number), candidate.turn)
        return value, value

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread that show whether it is at least `target`, if the limits allow
        it.
        """
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        spread = self.view.spread + candidate.turn.score
        low, high = self.perfect.at_least(state, spread - target + 1)
        return spread - high, spread - low

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return bounds on the final spread, equal if the limits allow it."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        spread = self.view.spread + candidate.turn.score
        low, high = self.perfect.exact(state)
        return spread - high, spread - low

    def guess(self, candidate: Candidate, number: int) -> int:
        """Return an estimate of the final spread."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)[0]
        return self.view.spread + candidate.turn.score - self.perfect.estimate(state)


class Guaranteed(Pessimistic):
    """Evaluate candidates by the worst reply, where we do not see the opponent's rack."""

    def __init__(
        self, perfect: Perfect, view: View, worlds: Sequence[World], equities: Equities, limit: int | None
    ) -> None:
        super().__init__(perfect, view, worlds)
        self.equities, self.candidate_limit = equities, limit
        self._choices: dict[tuple[object, ...], tuple[int, ScoredMove | None]] = {}

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread against every reply."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        if not state.bag:
            return super().at_least(candidate, number, target)
        low, high = super().at_least(candidate, number, target)
        if high < target:
            return low, high  # lost even if we see everything
        low = high = INFINITE
        for reply in self.turns.of(state.board, state.own):
            found = self.answered(candidate, state, reply, target)
            low, high = min(low, found[0]), min(high, found[1])
            if high < target:
                return -INFINITE, high
        return low, high

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return the known bounds on the final spread; for moves that leave tiles in the bag they are not
        improved.
        """
        state = self.after(candidate, number)
        if state is None or not state.bag:
            return super().exact(candidate, number)
        return candidate.bounds[number]

    def answered(
        self, candidate: Candidate, state: PreendgameState, reply: ScoredMove, target: int
    ) -> Bounds:
        """Return bounds on the final spread after a reply and our own choice after it."""
        spread = self.view.spread + candidate.turn.score - reply.score
        after = self.turns.after(state, reply)
        if after is None or not after.bag:
            spread += reply.score
            low, high = self.perfect.turn_at_least(state, reply, spread - target + 1)
            return spread - high, spread - low
        ours = self.choice(candidate, state, after, reply, spread)
        if ours is None:
            return UNKNOWN
        low, high = self.perfect.turn_at_least(after, ours, target - spread)
        return spread + low, spread + high

    def choice(
        self,
        candidate: Candidate,
        state: PreendgameState,
        after: PreendgameState,
        reply: ScoredMove,
        spread: int,
    ) -> ScoredMove | None:
        """Return our move after a reply that leaves tiles in the bag, None if the limits do not suffice."""
        key = (candidate.turn.move, after.own, reply.move)
        limit, chosen = self._choices.get(key, (0, None))
        if chosen is None and limit < self.perfect.limit:
            worlds = self.possible(candidate, state, reply)
            view = View(after.board, after.own, spread, after.zeros, after.passes)
            chosen = best_turn(
                Pessimistic(self.perfect, view, worlds), worlds, self.equities, self.candidate_limit
            )
            self._choices[key] = self.perfect.limit, chosen
        return chosen

    def possible(self, candidate: Candidate, state: PreendgameState, reply: ScoredMove) -> list[World]:
        """Return the worlds that we cannot tell apart after a reply."""
        found: dict[tuple[bytes, bytes], int] = {}
        for number, world in enumerate(self.worlds):
            before = self.after(candidate, number)
            if before is None or before.other != state.other or not self.would(candidate, before, reply):
                continue
            moves = self.turns.of(before.board, before.own)
            at = moves.find(reply.move)
            if at is not None and (now := self.turns.after(before, moves[at])) is not None:
                key = now.other, now.bag
                found[key] = found.get(key, 0) + world.weight
        return [World(other, bag, weight) for (other, bag), weight in sorted(found.items())]

    def would(self, candidate: Candidate, state: PreendgameState, reply: ScoredMove) -> bool:
        """Return whether the opponent might make a reply in a state."""
        return True


class Rational(Guaranteed):
    """Evaluate candidates by the reply that an opponent who sees only the own rack chooses."""

    def __init__(
        self,
        perfect: Perfect,
        view: View,
        worlds: Sequence[World],
        equities: Equities,
        limit: int | None,
        replies: int | None,
    ) -> None:
        super().__init__(perfect, view, worlds, equities, limit)
        self.replies = replies
        self._replies: dict[tuple[object, ...], tuple[int, list[ScoredMove]]] = {}

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread after the chosen reply, or all that may be chosen."""
        state = self.after(candidate, number)
        if state is None or not state.bag:
            return Pessimistic.at_least(self, candidate, number, target)
        found = [self.answered(candidate, state, reply, target) for reply in self.chosen(candidate, state)]
        return min(low for low, _ in found), max(high for _, high in found)

    def chosen(self, candidate: Candidate, state: PreendgameState) -> list[ScoredMove]:
        """Return the reply that the opponent chooses; several while the limits do not decide between them."""
        key = candidate.turn.move, state.own
        limit, replies = self._replies.get(key, (0, []))
        if len(replies) != 1 and limit < self.perfect.limit:
            # The opponent cannot tell our rack from the bag.
            unseen = Rack(state.other + state.bag).tiles
            worlds = all_worlds(Hidden(unseen, b"", len(state.bag)))
            spread = -(self.view.spread + candidate.turn.score)
            view = View(state.board, state.own, spread, state.zeros, state.passes)
            judge = Pessimistic(self.perfect, view, worlds)
            ranking = ranked(judge, worlds, self.equities, self.replies)
            replies = [one.turn for one in likeliest(ranking)]
            self._replies[key] = self.perfect.limit, replies
        return replies

    def would(self, candidate: Candidate, state: PreendgameState, reply: ScoredMove) -> bool:
        """Return whether the opponent might make a reply in a state."""
        return any(turn.move == reply.move for turn in self.chosen(candidate, state))


def ranked(
    judge: Pessimistic, worlds: list[World], equities: Equities, limit: int | None
) -> CandidateRanking:
    """Return the moves of a view, settled as far as the limits allow."""
    chosen_moves, _ = candidates(judge.turns, judge.view, worlds, equities, limit)
    ranking = CandidateRanking(chosen_moves, worlds, (judge.perfect.limit,))
    ranking.settle(judge, Goal.FIRST)
    return ranking


def likeliest(ranking: CandidateRanking) -> list[Candidate]:
    """Return the move with the most wins, of equal ones that with the highest equity; several if it is
    undecided.
    """
    best = max(ranking.candidates, key=lambda one: (one.lower, one.equity))
    rest = [
        one
        for one in ranking.candidates
        if one is not best and not one.is_known and (one.upper, one.equity) > (best.lower, best.equity)
    ]
    return [best, *rest]


def best_turn(
    judge: Pessimistic, worlds: list[World], equities: Equities, limit: int | None
) -> ScoredMove | None:
    """Return the move with the most wins over worlds, None if it is undecided."""
    found = likeliest(ranked(judge, worlds, equities, limit))
    return found[0].turn if len(found) == 1 else None


def judge_of(
    opponent: str,
    perfect: Perfect,
    view: View,
    worlds: list[World],
    equities: Equities,
    limit: int | None,
    replies: int | None,
) -> Judge:
    """Return the judge of a model, one of PREENDGAME_OPPONENTS.

    `limit`, `replies`: number of own moves and of replies that it compares, None for all.
    """
    if opponent == "pessimistic":
        return Pessimistic(perfect, view, worlds)
    if opponent == "guaranteed":
        return Guaranteed(perfect, view, worlds, equities, limit)
    return Rational(perfect, view, worlds, equities, limit, replies)
