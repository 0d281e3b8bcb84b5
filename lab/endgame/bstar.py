"""B*: best-first search with an optimistic and a pessimistic bound on every position, until one move is
proven best.

Source: [Heuri], sections 2.3.5 and 4.5.3; [Berliner1979]; [Sheppard2002] for endgames. Here the bounds of a
leaf are sound: no side gains more than it would if the other side only passed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.position import BLANK_FLAG, Rack
from engine.search.budget import BudgetSpentError
from engine.search.endgame.states import Endgame, EndgameMove, EndgameState, Racks, moves

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.rules import RuleSet
    from lab.endgame.meter import Meter

SOLITAIRE_NODES: Final = 30  # of one side playing alone; beyond them a cruder bound is used


@dataclass
class Tree:
    """Hold a node: the move that leads to it, and bounds on its value for the side on turn there."""

    made: EndgameMove | None  # None: the root
    pessimistic: int
    optimistic: int
    state: EndgameState | None  # None: the game is over
    children: list[Tree] = field(default_factory=list)

    def gain(self) -> tuple[int, int]:
        """Return bounds on the value of the move that leads here, for the side that makes it."""
        assert self.made is not None  # noqa: S101 - only the root has no move
        if self.state is None:
            return self.made.value, self.made.value
        return self.made.score - self.optimistic, self.made.score - self.pessimistic


class BStar:
    """Search one endgame; `run` returns whether a move was proven best within the budget."""

    def __init__(self, endgame: Endgame, state: EndgameState, meter: Meter) -> None:
        self.endgame, self.meter = endgame, meter
        self.max_word = max_word_score(endgame.position, state.racks)
        self.root = self.leaf(None, state)
        self.expansions = 0
        self.depth = 0

    def run(self) -> bool:
        """Expand nodes until the best move is separated from the rest."""
        try:
            self.expand([self.root])
            while not self.is_separated():
                first, second = self.front()
                # Alternate: prove the best move, disprove the second best unless it is settled.
                open_second = second is not None and second.gain()[0] < second.gain()[1]
                chosen = second if second is not None and open_second and self.expansions % 2 else first
                self.expand(self.frontier(chosen))
        except BudgetSpentError:
            return False
        return True

    def front(self) -> tuple[Tree, Tree | None]:
        """Return the move of the highest optimistic bound, ties by the pessimistic one, and the next."""
        ranked = sorted(self.root.children, key=lambda child: (-child.gain()[1], -child.gain()[0]))
        return ranked[0], ranked[1] if len(ranked) > 1 else None

    def best(self) -> Tree:
        """Return the move of the highest pessimistic bound, ties by the optimistic one."""
        return max(self.root.children, key=lambda child: child.gain())

    def is_separated(self) -> bool:
        """Return whether the lower bound of the best move is at least every other upper bound."""
        best = self.best()
        return all(child is best or child.gain()[1] <= best.gain()[0] for child in self.root.children)

    def frontier(self, child: Tree) -> list[Tree]:
        """Return the path to an unexpanded node along the moves with the highest optimistic bounds."""
        path = [self.root, child]
        while path[-1].children:
            node = path[-1]
            open_ones = [below for below in node.children if below.gain()[0] < below.gain()[1]]
            path.append(max(open_ones or node.children, key=lambda below: below.gain()[1]))
        self.depth = max(self.depth, len(path) - 1)
        return path

    def expand(self, path: list[Tree]) -> None:
        """Expand the last node of a path and update the bounds above it."""
        self.meter.count()
        self.expansions += 1
        node = path[-1]
        children = []
        if node.state is not None:
            for made in moves(self.endgame, node.state):
                self.meter.check_time()
                children.append(Tree(made, 0, 0, None) if made.state is None else self.leaf(made, made.state))
        node.children = children  # all of them or none: otherwise the bounds above would be wrong
        for above in reversed(path):
            if above.children:
                gains = [child.gain() for child in above.children]
                above.pessimistic = max(above.pessimistic, max(low for low, _ in gains))
                above.optimistic = min(above.optimistic, max(high for _, high in gains))

    def leaf(self, made: EndgameMove | None, state: EndgameState) -> Tree:
        """Return the node of a position with its first bounds."""
        own, other = state.racks
        pessimistic = -self.alone(state.board, other, own)
        return Tree(made, pessimistic, self.alone(state.board, own, other), state)

    def alone(self, board: LoadedBoard, own: bytes, other: bytes) -> int:
        """Return an upper bound on the gain of a side if the other side only passes from here on."""
        left = self.endgame.points(other)
        crude = max_gain(self.max_word, self.endgame.position.rules, len(own), left)
        exact = self.solitaire(board, own, left, [SOLITAIRE_NODES])
        return crude if exact is None else min(crude, exact)

    def solitaire(self, board: LoadedBoard, own: bytes, left: int, budget: list[int]) -> int | None:
        """Return the highest gain of a side that plays alone, None if `budget` or the time does not suffice.

        `left`: points of the other rack.
        """
        budget[0] -= 1
        if budget[0] < 0 or self.meter.is_late():
            return None
        best = left - self.endgame.points(own)
        plays = self.endgame.search.generate(board, Rack(own), self.endgame.position.rules)
        for index, score in enumerate(plays.array["score"].tolist()):
            move = plays.move(index)
            rest = Rack(own).without(move.used).tiles
            gain = self.solitaire(board.after(move), rest, left, budget) if rest else 2 * left
            if gain is None:
                return None
            best = max(best, score + gain)
        return best


def max_word_score(position: Position, racks: Racks) -> int:
    """Return points that no word exceeds: of the best line, filled with the tiles of both racks."""
    values, layout, board = position.tile_set.values, position.layout, position.board
    side = board.side
    tiles = sorted([values[code] for rack in racks for code in rack], reverse=True)
    highest = 0
    for line in range(side):
        for cells in ([(line, i) for i in range(side)], [(i, line) for i in range(side)]):
            letters, words, lying = [], 1, 0
            for row, column in cells:
                code = board.squares[row * side + column]
                if not code:
                    letters.append(int(layout.letter_factors[row, column]))
                    words *= int(layout.word_factors[row, column])
                elif not code & BLANK_FLAG:
                    lying += values[code]
            letters.sort(reverse=True)
            points = sum(value * factor for value, factor in zip(tiles, letters, strict=False))
            highest = max(highest, (lying + points) * words)
    return highest


def max_gain(max_word: int, rules: RuleSet, tiles: int, other_points: int) -> int:
    """Return an upper bound on the gain of a side with `tiles` tiles against a rack of `other_points`.

    It is crude but needs no search: every play takes a tile, and forms a word along its line and one across
    for each tile.
    """
    return tiles * (2 * max_word + rules.bingo_bonus) + 2 * other_points
