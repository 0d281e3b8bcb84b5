"""Rollouts replayed in Python, with the library's public parts alone: slow, plain, and complete.

Whatever chance decides is asked of a `Fate`; `all_fates` goes through every answer with its probability.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from engine.evaluation.evaluators import Evaluator
from engine.movegen import InternalWords, leaves
from engine.position import BLANK_FLAG, Exchange, Pass, Play, Player, Position, Rack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Move

GIVEN_UP = 200


class Fate:
    """Answer questions of chance by a script, with 0 after its end; remembers the numbers of answers."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        at = len(self.bounds) - 1
        return self.script[at] if at < len(self.script) else 0


def all_fates(play: Callable[[Fate], Found]) -> Iterator[tuple[Found, float]]:
    """Yield every outcome with its probability."""
    scripts: list[list[int]] = [[]]
    while scripts:
        script = scripts.pop()
        fate = Fate(script)
        value = play(fate)
        probability = 1.0
        for bound in fate.bounds:
            probability /= bound
        yield value, probability
        taken = script + [0] * (len(fate.bounds) - len(script))
        for at in range(len(script), len(fate.bounds)):
            scripts += [[*taken[:at], other] for other in range(1, fate.bounds[at])]


class Found(NamedTuple):
    """Hold the value of a rollout in millipoints, and whether the game ended."""

    spread: int
    ended: bool


class Chooser:
    """Choose as the static or the greedy player does, by the documented order of ties."""

    def __init__(self, lexicon: Lexicon, name: str, position: Position) -> None:
        self.search = InternalWords(lexicon)
        self.evaluator = None if name == "greedy" else Evaluator(name, lexicon, position.rules)
        self.known: dict[tuple[object, ...], tuple[Move, int, int]] = {}

    def choose(self, position: Position, board: LoadedBoard) -> tuple[Move, int, int]:
        """Return the move, its points, and the value of its leave in millipoints."""
        key = (position.board.squares, position.rack.tiles, position.bag_count(), position.unseen())
        if key not in self.known:
            self.known[key] = self._choose(position, board)
        return self.known[key]

    def _choose(self, position: Position, board: LoadedBoard) -> tuple[Move, int, int]:
        rack, rules, bag = position.rack, position.rules, position.bag_count()
        values = None if self.evaluator is None else self.evaluator.leave_values(board, position)[0].array
        plays = self.search.generate(board, rack, rules, values)
        best: tuple[Move, int, int] | None = None
        equity = 0
        if len(plays):
            at = int(plays.best(1, by="equity")[0])
            score, equity = int(plays.array["score"][at]), int(plays.array["equity"][at])
            best = (plays.move(at), score, equity - 1000 * score)
        may_exchange = bool(bag) and bag >= rules.exchange_limit
        if values is None:
            if best is None and may_exchange:
                return Exchange(rack.tiles[: min(len(rack), bag)]), 0, 0
            return best or (Pass(), 0, 0)
        exchanges = [
            (int(values[number]), number, leave)
            for number, leave in enumerate(leaves(rack))
            if may_exchange and 0 < len(rack) - len(leave) <= bag
        ]
        if not exchanges:
            return best or (Pass(), 0, int(values[-1]))
        value, _, leave = max(exchanges)
        if best is None or value > equity:
            returned = Counter(rack.tiles)
            returned.subtract(leave)
            return Exchange(bytes(returned.elements())), 0, value
        return best


def roll_out(
    position: Position,
    board: LoadedBoard,
    candidate: ValuedMove,
    opponent: bytes,
    bag: tuple[int, ...],
    plies: int,
    chooser: Chooser,
    fate: Fate,
    *,
    play_out: bool,
) -> Found:
    """Play a candidate and what follows; the mover draws from the bag's front, the opponent from its end."""
    rules, tiles = position.rules, list(bag)
    racks = [bytearray(position.rack.tiles), bytearray(opponent)]
    scores = [player.score for player in position.players]
    leave_values = [0, 0]
    zeros, passes = position.zero_turns, 0
    turn = 0
    while True:
        seat = turn % 2
        if turn:
            sides = [Player(scores[seat], Rack(bytes(racks[seat])))]
            sides.append(Player(scores[1 - seat], Rack(bytes(racks[1 - seat]))))
            on_turn = Position(
                board.board, position.layout, position.tile_set, rules, players=tuple(sides), zero_turns=0
            )
            move, score, leave_values[seat] = chooser.choose(on_turn, board)
        else:
            move, score, leave_values[0] = candidate.move, candidate.score, candidate.leave_value
        used = (
            [0 if code & BLANK_FLAG else code for code in move.tiles if code]
            if isinstance(move, Play)
            else []
        )
        returned = list(move.tiles) if isinstance(move, Exchange) else []
        for code in used + returned:
            racks[seat].remove(code)
        if isinstance(move, Play):
            board = board.after(move)
        scores[seat] += score
        wanted = len(returned) or (rules.rack_size - len(racks[seat]) if used else 0)
        for _ in range(min(wanted, len(tiles))):
            racks[seat].append(tiles.pop() if seat else tiles.pop(0))
        for code in returned:
            tiles.insert(fate.below(len(tiles) + 1), code)
        racks[seat] = bytearray(sorted(racks[seat]))
        zeros = 0 if score else zeros + 1
        passes = passes + 1 if isinstance(move, Pass) else 0
        points = [sum(position.tile_set.values[code] for code in rack) for rack in racks]
        spread = scores[0] - scores[1]
        if not racks[seat]:
            gain = 2 * points[1 - seat]
            if rules.ending == "single":  # what one loses the other gains
                gain = points[1 - seat] + points[1 - seat]
            return Found(1000 * (spread + (gain if seat == 0 else -gain)), True)
        scoreless = rules.zero_turns_need_points and not any(scores)
        stopped = rules.passes_each and passes >= 2 * rules.passes_each
        if stopped or (zeros >= rules.zero_turn_limit and not scoreless):
            return Found(1000 * (spread - points[0] + points[1]), True)
        turn += 1
        if turn > plies and not (play_out and not tiles and turn < GIVEN_UP):
            return Found(1000 * spread + leave_values[0] - leave_values[1], False)


def deals(position: Position) -> Iterator[tuple[bytes, tuple[int, ...], float]]:
    """Yield every rack of the opponent with every order of the bag, and the probability of both."""
    unseen = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    bag = position.bag_count()
    orders = Counter(permutations(unseen, bag))
    total = sum(orders.values())
    for order, ways in orders.items():
        rest = Counter(unseen)
        rest.subtract(order)
        yield bytes(sorted(rest.elements())), order, ways / total
