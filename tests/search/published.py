"""Replays the lines of published endgames by brute force, from the end back as far as it finishes.

`python -m tests.search.published FILE --lexicon ID` solves each position, then counts out every position of
the line that brute force can, and tells from which turn on the line is confirmed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measurements.endgame import published_endgames
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import Pass
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver
from engine.search.endgame.problem import known_racks
from kibitz.cli.lexicons import open_lexicon
from tests.search.brute_force import TooLargeError, has_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search.endgame import EndgameResult, LineMove


@dataclass(frozen=True, slots=True)
class Replay:
    """Hold how far brute force confirmed a line: from turn `since` on (0: the root), of `turns`."""

    since: int
    turns: int


def positions_of(position: Position, line: Iterable[LineMove], lexicon: Lexicon) -> list[Position]:
    """Return the positions before each move of a line, the side on turn first."""
    own, other = known_racks(position)
    first, second = position.players
    at = replace(position, players=(replace(first, rack=own), replace(second, rack=other)))
    found = []
    for made in line:
        found.append(at)
        mover, waiting = at.players
        assert mover.rack is not None
        board, left, zeros = at.board, mover.rack, at.zero_turns + 1
        if not isinstance(made.move, Pass):
            loaded = LoadedBoard.load(board, at.layout, at.tile_set, lexicon)
            board, left = loaded.after(made.move).board, left.without(made.move.used)
            zeros = 0 if made.score else zeros
        moved = replace(mover, score=mover.score + made.score, rack=left)
        at = replace(at, board=board, players=(waiting, moved), zero_turns=zeros)
    return found


def replay(position: Position, result: EndgameResult, lexicon: Lexicon, most_nodes: int) -> Replay:
    """Confirm the line of an answer from its end back; asserts that brute force finds what it promises."""
    assert result.line_complete
    search = InternalWords(lexicon)
    turns = len(result.line)
    since = turns
    for number in range(turns - 1, -1, -1):
        at = positions_of(position, result.line, lexicon)[number]
        board = LoadedBoard.load(at.board, at.layout, at.tile_set, lexicon)
        spread = at.players[0].score - at.players[1].score
        promised = result.final_spread if number % 2 == 0 else -result.final_spread
        try:
            assert has_value(at, board, search, most_nodes, promised - spread), (number, spread, promised)
        except TooLargeError:
            break
        since = number
    return Replay(since, turns)


def main() -> None:
    """Solve and replay every position of a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lexicon", required=True)
    parser.add_argument("--ending", default="passes_each 1;", help="CGP operations added to each position")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--nodes", type=int, default=20000, help="the most nodes of the brute force")
    asked = parser.parse_args()
    lexicon = open_lexicon(asked.lexicon)
    solver = EndgameSolver(lexicon)
    for row in published_endgames(asked.file, lexicon, asked.ending):
        result = solver.solve(row.position, Budget(seconds=asked.seconds))
        text = f"{row.name}: published {row.value:+d}, proven {result.lower:+d} to {result.upper:+d}"
        if result.certainty == "exact" and result.line_complete:
            done = replay(row.position, result, lexicon, asked.nodes)
            text += f"; brute force agrees from turn {done.since + 1} of {done.turns} on"
        sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
