"""What the other side does while tiles are in the bag: three models, and what each makes of a draw.

A move that empties the bag leads to an endgame in which both see all, so the models agree on it. For others:

* pessimistic: the other side sees everything, and from its reply on so do we: the worst reply in each world
  counts.
* guaranteed: it sees everything, but we do not: a later move of ours, while tiles are in the bag, is one
  for all the worlds that we cannot tell apart.
* rational: it sees its own rack only, holds every way the rest may lie for equally likely, and takes the
  reply with the most wins for it, of equal ones that with the higher equity; a reply of ours with tiles
  still in the bag is chosen for the worlds in which it would have replied so.

The choices within "guaranteed" and "rational" rank moves as "pessimistic" does, so they look one turn deep.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from engine.position import Pass, Rack
from engine.search.preendgame.perfect import INFINITE, UNKNOWN, Bounds
from engine.search.preendgame.ranking import Candidate, Ranking
from engine.search.preendgame.result import LeftOut
from engine.search.preendgame.turns import Moves, State, Turn
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
"""Replies that a rational other side weighs: the best by equity, and the pass."""

Equities: TypeAlias = "Callable[[LoadedBoard, bytes, Moves], NDArray[np.int64]]"
"""Values moves by equity, in millipoints."""


@dataclass(frozen=True)
class View:
    """Hold what the side on turn sees: board, own rack, spread (own less other points), turns before."""

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
    most: int | None,
    also: Collection[Play] = (),
) -> tuple[list[Candidate], LeftOut]:
    """Return the best moves by equity, the pass and `also` always among them, and the moves left out."""
    moves = turns.of(view.board, view.own)
    values = equities(view.board, view.own, moves)
    order = np.argsort(-values, kind="stable").tolist()
    chosen = order[: len(order) if most is None else most]
    if len(moves) - 1 not in chosen:
        chosen = [*chosen[:-1], len(moves) - 1]
    named = (moves.find(move) for move in also)
    chosen += sorted({at for at in named if at is not None and at not in chosen}, key=order.index)
    bag = len(worlds[0].bag)
    made = []
    for number in chosen:
        turn = moves[number]
        board = view.board if isinstance(turn.move, Pass) else view.board.after(turn.move)
        empties = turns.rules.rack_size - len(turn.left) >= bag
        guess = view.spread + turn.score
        made.append(Candidate(turn, int(values[number]), board, empties, worlds, guess))
    known = set(chosen)
    return made, LeftOut(moves, [number for number in order if number not in known])


class Pessimistic:
    """Judge candidates by the worst reply in each world, all cards on the table."""

    def __init__(self, perfect: Perfect, view: View, worlds: Sequence[World]) -> None:
        self.perfect, self.turns, self.view, self.worlds = perfect, perfect.turns, view, worlds

    def state(self, number: int) -> State:
        """Return the state before the move in a world."""
        view, world = self.view, self.worlds[number]
        return State(view.board, view.own, world.other, world.bag, view.zeros, view.passes)

    def after(self, candidate: Candidate, number: int) -> State | None:
        """Return the state after a candidate in a world, the other side on turn; None: the game is over."""
        return self.turns.after(self.state(number), candidate.turn, candidate.board)

    def over(self, candidate: Candidate, number: int) -> Bounds:
        """Return the final spread where the candidate ends the game, as bounds."""
        value = self.view.spread + self.turns.end_value(self.state(number), candidate.turn)
        return value, value

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread, one of them on the asked side of `target` if it can."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        spread = self.view.spread + candidate.turn.score
        low, high = self.perfect.at_least(state, spread - target + 1)
        return spread - high, spread - low

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return bounds on the final spread, equal if it can."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        spread = self.view.spread + candidate.turn.score
        low, high = self.perfect.exact(state)
        return spread - high, spread - low

    def guess(self, candidate: Candidate, number: int) -> int:
        """Return a guess of the final spread."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)[0]
        return self.view.spread + candidate.turn.score - self.perfect.estimate(state)


class Guaranteed(Pessimistic):
    """Judge candidates by the worst reply, where we cannot see what the other side does."""

    def __init__(
        self, perfect: Perfect, view: View, worlds: Sequence[World], equities: Equities, most: int | None
    ) -> None:
        super().__init__(perfect, view, worlds)
        self.equities, self.most = equities, most
        self._choices: dict[tuple[object, ...], tuple[int, Turn | None]] = {}

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread against every reply."""
        state = self.after(candidate, number)
        if state is None:
            return self.over(candidate, number)
        if not state.bag:
            return super().at_least(candidate, number, target)
        low, high = super().at_least(candidate, number, target)
        if high < target:
            return low, high  # lost even when we see all
        low = high = INFINITE
        for reply in self.turns.of(state.board, state.own):
            found = self.answered(candidate, state, reply, target)
            low, high = min(low, found[0]), min(high, found[1])
            if high < target:
                return -INFINITE, high
        return low, high

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return what is known of the final spread: more is not asked of a move that leaves a bag."""
        state = self.after(candidate, number)
        if state is None or not state.bag:
            return super().exact(candidate, number)
        return candidate.bounds[number]

    def answered(self, candidate: Candidate, state: State, reply: Turn, target: int) -> Bounds:
        """Return bounds on the final spread after a reply, our own choice after it included."""
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
        self, candidate: Candidate, state: State, after: State, reply: Turn, spread: int
    ) -> Turn | None:
        """Return our move after a reply that leaves tiles in the bag, None if the limits came first."""
        key = (candidate.turn.move, after.own, reply.move)
        limit, chosen = self._choices.get(key, (0, None))
        if chosen is None and limit < self.perfect.limit:
            worlds = self.possible(candidate, state, reply)
            view = View(after.board, after.own, spread, after.zeros, after.passes)
            chosen = best_turn(Pessimistic(self.perfect, view, worlds), worlds, self.equities, self.most)
            self._choices[key] = self.perfect.limit, chosen
        return chosen

    def possible(self, candidate: Candidate, state: State, reply: Turn) -> list[World]:
        """Return the worlds that we cannot tell apart after a reply: other rack, bag, weight."""
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

    def would(self, candidate: Candidate, state: State, reply: Turn) -> bool:
        """Tell whether the other side might reply so in a state."""
        return True


class Rational(Guaranteed):
    """Judge candidates by the reply that the other side would choose for want of seeing more."""

    def __init__(
        self,
        perfect: Perfect,
        view: View,
        worlds: Sequence[World],
        equities: Equities,
        most: int | None,
        replies: int | None,
    ) -> None:
        super().__init__(perfect, view, worlds, equities, most)
        self.replies = replies
        self._replies: dict[tuple[object, ...], tuple[int, list[Turn]]] = {}

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread after the chosen reply, or after any that may be chosen."""
        state = self.after(candidate, number)
        if state is None or not state.bag:
            return Pessimistic.at_least(self, candidate, number, target)
        low = high = None
        for reply in self.chosen(candidate, state):
            found = self.answered(candidate, state, reply, target)
            low = found[0] if low is None else min(low, found[0])
            high = found[1] if high is None else max(high, found[1])
        return (-INFINITE if low is None else low), (INFINITE if high is None else high)

    def chosen(self, candidate: Candidate, state: State) -> list[Turn]:
        """Return the reply that the owner of a rack chooses, or several while the limits leave it open."""
        key = candidate.turn.move, state.own
        limit, replies = self._replies.get(key, (0, []))
        if len(replies) != 1 and limit < self.perfect.limit:
            # It sees its rack and the board; our rack and the bag are alike to it.
            unseen = Rack(state.other + state.bag).tiles
            worlds = all_worlds(Hidden(unseen, b"", len(state.bag)))
            spread = -(self.view.spread + candidate.turn.score)
            view = View(state.board, state.own, spread, state.zeros, state.passes)
            judge = Pessimistic(self.perfect, view, worlds)
            ranking = ranked(judge, worlds, self.equities, self.replies)
            replies = [one.turn for one in likeliest(ranking)]
            self._replies[key] = self.perfect.limit, replies
        return replies

    def would(self, candidate: Candidate, state: State, reply: Turn) -> bool:
        """Tell whether the other side might reply so in a state."""
        return any(turn.move == reply.move for turn in self.chosen(candidate, state))


def ranked(judge: Pessimistic, worlds: list[World], equities: Equities, most: int | None) -> Ranking:
    """Return the moves of a view, settled as far as the limits go."""
    made, _ = candidates(judge.turns, judge.view, worlds, equities, most)
    ranking = Ranking(made, worlds, ties=False)
    ranking.round(judge)
    return ranking


def likeliest(ranking: Ranking) -> list[Candidate]:
    """Return the move with the most wins, the higher equity first; several if it is open which it is."""
    best = max(ranking.candidates, key=lambda one: (one.lower, one.equity))
    rest = [
        one
        for one in ranking.candidates
        if one is not best and not one.is_known and (one.upper, one.equity) > (best.lower, best.equity)
    ]
    return [best, *rest]


def best_turn(judge: Pessimistic, worlds: list[World], equities: Equities, most: int | None) -> Turn | None:
    """Return the move with the most wins over worlds, None if it is open."""
    found = likeliest(ranked(judge, worlds, equities, most))
    return found[0].turn if len(found) == 1 else None


def judge_of(
    opponent: str,
    perfect: Perfect,
    view: View,
    worlds: list[World],
    equities: Equities,
    most: int | None,
    replies: int | None,
) -> Judge:
    """Return the judge by a model's name, one of PREENDGAME_OPPONENTS; `most`, `replies`: how many moves it
    weighs."""
    if opponent == "pessimistic":
        return Pessimistic(perfect, view, worlds)
    if opponent == "guaranteed":
        return Guaranteed(perfect, view, worlds, equities, most)
    return Rational(perfect, view, worlds, equities, most, replies)
