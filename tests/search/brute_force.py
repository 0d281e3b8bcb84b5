"""The endgame by brute force: every play and every pass to the end, in plain Python.

`python -m tests.search.brute_force --count 3000` compares the solver with it on random endgames of all kinds;
with `--bounds` the search that closes in by bounds does it all; with `--least 4 --tiles 5 --cuts` on larger
ones, where it is only asked whether the solver's value is reached and not exceeded, so that a reply that
refutes a move is enough.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import BLANK_FLAG, Board, Player, Position, Rack
from engine.rules import RuleSet, TileSet
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver, solver
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, all_worlds, random_layout, random_rack, with_garbage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TELL_EVERY: Final = 10  # endgames compared
INFINITE: Final = 10**9


class TooLargeError(Exception):
    """The tree has more nodes than allowed."""


class State(NamedTuple):
    """Hold what `BruteForce.value` takes."""

    board: LoadedBoard
    racks: tuple[bytes, bytes]
    zeros: int
    passes: int
    scored: bool


@dataclass
class BruteForce:
    """Count out an endgame: `value` returns the change of the spread to the end for the side on turn."""

    rules: RuleSet
    values: tuple[int, ...]
    search: InternalWords
    most_nodes: int
    nodes: int = 0
    known: dict[tuple[object, ...], tuple[int, int]] = field(default_factory=dict)  # what `reaches` has found

    def value(
        self, board: LoadedBoard, racks: tuple[bytes, bytes], zeros: int, passes: int, scored: bool
    ) -> int:
        """Return the value for the owner of racks[0], who is on turn.

        `zeros` turns without points and `passes` in a row came just before; `scored`: someone has points.
        """
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise TooLargeError
        own, other = (self.points(rack) for rack in racks)
        best = (
            other - own
            if self.is_over(zeros + 1, passes + 1, scored)
            else -self.value(board, (racks[1], racks[0]), zeros + 1, passes + 1, scored)
        )
        plays = self.search.generate(board, Rack(racks[0]), self.rules)
        for index, score in enumerate(plays.array["score"].tolist()):
            play = plays.move(index)
            left = list(racks[0])
            for _, _, code in play.placements():
                left.remove(0 if code & BLANK_FLAG else code)
            now_scored = scored or score > 0
            now_zeros = 0 if score else zeros + 1
            if not left:
                value = score + 2 * other
            elif self.is_over(now_zeros, 0, now_scored):
                value = score + other - self.points(bytes(left))
            else:
                after = board.after(play)
                value = score - self.value(after, (racks[1], bytes(left)), now_zeros, 0, now_scored)
            best = max(best, value)
        return best

    def reaches(self, state: State, target: int) -> bool:
        """Return whether the value of a state is at least a target; stop at the first move that does."""
        key = (state.board.kernel.squares, *state[1:])
        low, high = self.known.get(key, (-INFINITE, INFINITE))
        if low >= target or high < target:
            return low >= target
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise TooLargeError
        reached = self.some_move_reaches(state, target)
        self.known[key] = (target, high) if reached else (low, target - 1)
        return reached

    def some_move_reaches(self, state: State, target: int) -> bool:
        """Return whether a play (the highest score first) or the pass reaches a target."""
        board, (own_rack, other_rack), zeros, passes, scored = state
        own, other = self.points(own_rack), self.points(other_rack)
        plays = self.search.generate(board, Rack(own_rack), self.rules)
        for index in plays.best(len(plays)).tolist():
            score, play, left = int(plays.array["score"][index]), plays.move(index), list(own_rack)
            for _, _, code in play.placements():
                left.remove(0 if code & BLANK_FLAG else code)
            now_scored, now_zeros = scored or score > 0, 0 if score else zeros + 1
            if not left:
                reached = score + 2 * other >= target
            elif self.is_over(now_zeros, 0, now_scored):
                reached = score + other - self.points(bytes(left)) >= target
            else:
                after = State(board.after(play), (other_rack, bytes(left)), now_zeros, 0, now_scored)
                reached = not self.reaches(after, score - target + 1)
            if reached:
                return True
        if self.is_over(zeros + 1, passes + 1, scored):
            return other - own >= target
        passed = State(board, (other_rack, own_rack), zeros + 1, passes + 1, scored)
        return not self.reaches(passed, 1 - target)

    def is_over(self, zeros: int, passes: int, scored: bool) -> bool:
        rules = self.rules
        if 0 < 2 * rules.passes_each <= passes:
            return True
        return zeros >= rules.zero_turn_limit and (scored or not rules.zero_turns_need_points)

    def points(self, rack: bytes) -> int:
        return sum(self.values[code] for code in rack)


def start(position: Position, board: LoadedBoard) -> State:
    """Return the state of an endgame."""
    assert position.players[0].rack is not None
    assert position.players[1].rack is not None
    racks = position.players[0].rack.tiles, position.players[1].rack.tiles
    scored = any(player.score for player in position.players)
    zeros = position.zero_turns if scored or not position.rules.zero_turns_need_points else 0
    return State(board, racks, zeros, position.zero_turns, scored)


def brute_value(position: Position, board: LoadedBoard, search: InternalWords, most_nodes: int) -> int:
    """Return the value of an endgame; raises TooLargeError beyond `most_nodes` nodes."""
    return BruteForce(position.rules, position.tile_set.values, search, most_nodes).value(
        *start(position, board)
    )


def has_value(
    position: Position, board: LoadedBoard, search: InternalWords, most_nodes: int, value: int
) -> bool:
    """Return whether an endgame has exactly this value, without a full search; raises as `brute_value`."""
    force = BruteForce(position.rules, position.tile_set.values, search, most_nodes)
    state = start(position, board)
    return force.reaches(state, value) and not force.reaches(state, value + 1)


def endgame_rules(random: Random) -> RuleSet:
    """Return rules whose ends of a game differ: passes, turns without points, or both."""
    zero_turn_limit = random.choice((6, 6, 12, 3, 2, 1))
    return RuleSet(
        bingo_bonus=random.choice((50, 35, 0)),
        bingo_tiles=random.choice((7, 3, 2)),
        zero_turn_limit=zero_turn_limit,
        passes_each=random.choice((2, 2, 1, 1, 0)) if zero_turn_limit < 7 else 1,
        zero_turns_need_points=random.random() < 0.2,
        ending=random.choice(("double", "single")),
    )


def random_endgame(
    random: Random, worlds: Mapping[str, World], most_tiles: int, least_tiles: int = 1
) -> tuple[Position, LoadedBoard]:
    """Return an endgame of so many tiles a side on a random board, with blanks and stuck tiles."""
    world = worlds[random.choice(sorted(worlds))]
    layout = random_layout(random, random.choice((10, 11, 15)), symmetric=random.random() < 0.5, starts=1)
    rules = endgame_rules(random)
    turns = random.choice((0, 1, 2, 3, 4, 5, 6, 8))
    board = play_at_random(random, world, layout, rules, turns)[-1][0].board
    if random.random() < 0.2:
        board = with_garbage(random, world, board, random.randrange(3))
    alphabet = world.tile_set.alphabet
    racks = [random_rack(random, world, size=random.randint(least_tiles, most_tiles)) for _ in range(2)]
    if random.random() < 0.3:  # a tile that no word has is stuck
        stuck = random.choice(range(1, alphabet.size + 1))
        racks[0] = Rack(bytes([stuck, *racks[0].tiles[1:]]))
    counts = [
        on_board + sum(rack.tiles.count(code) for rack in racks)
        for code, on_board in enumerate(board.tile_counts(alphabet.size))
    ]
    values = list(world.tile_set.values)
    if random.random() < 0.3:
        values = [0 if code in world.letters[:2] else value for code, value in enumerate(values)]
    tiles = TileSet("endgame", alphabet, counts, values, world.tile_set.is_vowel)
    limit = min(rules.zero_turn_limit, 2 * rules.passes_each or 99)
    zeros = random.choice((0, 0, 0, 1, 2, 3))
    endless = rules.zero_turns_need_points and not rules.passes_each
    scores = (120, 87) if endless else random.choice(((0, 0), (120, 87)))
    position = Position(
        board=Board(board.side, board.squares),
        layout=layout,
        tile_set=tiles,
        rules=rules,
        players=(Player(scores[0], racks[0]), Player(scores[1], racks[1])),
        zero_turns=zeros if zeros < limit else 0,
    )
    return position, LoadedBoard.load(position.board, layout, tiles, world.lexicon)


@dataclass
class Agreement:
    """Count how solver and brute force compared."""

    compared: int = 0
    too_large: int = 0
    nodes: int = 0


def untold(agreement: Agreement) -> None:
    """Report no progress."""


def tell(agreement: Agreement) -> None:
    """Print the progress of a comparison now and then."""
    if agreement.compared % TELL_EVERY == 0:
        sys.stdout.write(f"{agreement}\n")
        sys.stdout.flush()


def compare(
    worlds: Mapping[str, World],
    seed: int,
    count: int,
    most_tiles: int,
    most_nodes: int,
    *,
    least_tiles: int = 1,
    cuts: bool = False,
    progress: Callable[[Agreement], None] = untold,
) -> Agreement:
    """Compare solver and brute force on `count` endgames that are small enough; assert that they agree.

    `cuts`: brute force is asked whether the solver's value is reached and not exceeded.
    """
    random = Random(seed)
    solvers = {world.lexicon.id: EndgameSolver(world.lexicon, table_mb=1) for world in worlds.values()}
    searches = {world.lexicon.id: InternalWords(world.lexicon) for world in worlds.values()}
    agreement = Agreement()
    while agreement.compared < count:
        position, board = random_endgame(random, worlds, most_tiles, least_tiles)
        search, case = searches[board.lexicon.id], (seed, agreement.compared, position.canonical())
        solve = solvers[board.lexicon.id].solve
        try:
            if cuts:
                expected = solve(position, Budget(), board=board).value
                assert has_value(position, board, search, most_nodes, expected), case
            else:
                expected = brute_value(position, board, search, most_nodes)
        except TooLargeError:
            agreement.too_large += 1
            continue
        result = solve(position, Budget(), board=board)
        assert result.certainty == "exact", case
        assert (result.value, result.lower, result.upper) == (expected, expected, expected), case
        assert result.line_complete, case
        spread = position.players[0].score - position.players[1].score
        last = result.line[-1].scores
        assert last[0] - last[1] == result.final_spread == spread + expected, case
        agreement.compared += 1
        agreement.nodes += result.nodes
        progress(agreement)
    return agreement


def only_bounds() -> None:
    """Switch off searches that estimate, so that the bounds alone must find the value."""
    vars(solver).update(FIRST_NODES=1, ESTIMATE_SHARE=0.0)


def main() -> None:
    """Compare on as many endgames as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiles", type=int, default=4, help="the most tiles a side")
    parser.add_argument("--least", type=int, default=1, help="the least tiles a side")
    parser.add_argument("--bounds", action="store_true", help="close in by bounds alone")
    parser.add_argument("--cuts", action="store_true", help="ask only whether the solver's value is right")
    parser.add_argument("--nodes", type=int, default=20000, help="the most nodes of the brute force")
    asked = parser.parse_args()
    if asked.bounds:
        only_bounds()
    with tempfile.TemporaryDirectory() as folder:
        worlds = all_worlds(Path(folder))
        agreement = compare(
            worlds,
            asked.seed,
            asked.count,
            asked.tiles,
            asked.nodes,
            least_tiles=asked.least,
            cuts=asked.cuts,
            progress=tell,
        )
    sys.stdout.write(f"{agreement}\n")


if __name__ == "__main__":
    main()
