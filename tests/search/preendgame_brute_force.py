"""The pre-endgame by brute force: every draw, every reply to the end, in plain Python, nothing remembered.

`python -m tests.search.preendgame_brute_force --count 300` compares the solver with it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import BLANK_FLAG, Board, Pass, Play, Player, Position, Rack
from engine.rules import RuleSet, TileSet
from engine.search.budget import Budget
from engine.search.phase import PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameOptions, PreendgameSolver
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, all_worlds, random_layout, random_rack
from tests.search.brute_force import TooLargeError, endgame_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Deal:
    """Hold all tiles, the side on turn first, and the turns without points before."""

    board: LoadedBoard
    own: bytes
    other: bytes
    bag: bytes
    zeros: int
    passes: int
    spread: int


@dataclass
class BruteForce:
    """Count out pre-endgames of one position's rules."""

    rules: RuleSet
    values: tuple[int, ...]
    search: InternalWords
    scored: bool
    most_nodes: int
    nodes: int = 0

    def moves(self, deal: Deal) -> list[tuple[Play | Pass, int, bytes]]:
        """Return every move with its points and its leave, by falling points; the pass last."""
        plays = self.search.generate(deal.board, Rack(deal.own), self.rules)
        found: list[tuple[Play | Pass, int, bytes]] = []
        for index in plays.best(len(plays)).tolist():
            play, left = plays.move(index), list(deal.own)
            for _, _, code in play.placements():
                left.remove(0 if code & BLANK_FLAG else code)
            found.append((play, int(plays.array["score"][index]), bytes(left)))
        return [*found, (Pass(), 0, deal.own)]

    def after(self, deal: Deal, move: tuple[Play | Pass, int, bytes]) -> Deal | int:
        """Return the deal after a move, or the final spread for its maker if the game is over."""
        made, score, left = move
        spread = deal.spread + score
        zeros = 0 if score else deal.zeros + 1
        passes = deal.passes + 1 if isinstance(made, Pass) else 0
        if not left and not deal.bag:
            return spread + 2 * self.points(deal.other)
        if self.is_over(zeros, passes, self.scored or score > 0 or spread != 0):
            return spread + self.points(deal.other) - self.points(left)
        drawn = min(self.rules.rack_size - len(left), len(deal.bag))
        own = bytes(sorted(left + deal.bag[:drawn]))
        board = deal.board.after(made) if isinstance(made, Play) else deal.board
        return Deal(board, deal.other, own, deal.bag[drawn:], zeros, passes, -spread)

    def final(self, deal: Deal) -> int:
        """Return the final spread for the side on turn, when both see everything."""
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise TooLargeError
        return max(self.final_after(deal, move) for move in self.moves(deal))

    def final_after(self, deal: Deal, move: tuple[Play | Pass, int, bytes]) -> int:
        after = self.after(deal, move)
        return after if isinstance(after, int) else -self.final(after)

    def is_over(self, zeros: int, passes: int, scored: bool) -> bool:
        rules = self.rules
        if 0 < 2 * rules.passes_each <= passes:
            return True
        return zeros >= rules.zero_turn_limit and (scored or not rules.zero_turns_need_points)

    def points(self, rack: bytes) -> int:
        return sum(self.values[code] for code in rack)

    def chosen(self, deals: Sequence[Deal]) -> tuple[Play | Pass, int, bytes]:
        """Return the move that wins most often over deals that its maker cannot tell apart."""
        moves = self.moves(deals[0])
        return max(moves, key=lambda move: sum(win(self.final_after(deal, move)) for deal in deals))

    def pessimistic(self, deals: Sequence[Deal], move: tuple[Play | Pass, int, bytes]) -> list[float]:
        """Return the win of a move in each deal, when after it both see everything."""
        return [win(self.final_after(deal, move)) for deal in deals]

    def guaranteed(self, deals: Sequence[Deal], move: tuple[Play | Pass, int, bytes]) -> list[float]:
        """Return the win of a move in each deal, whatever the other side does, when we see nothing."""
        found = []
        afters = [self.after(deal, move) for deal in deals]
        for after in afters:
            if isinstance(after, int):
                found.append(win(after))
            elif not after.bag:
                found.append(win(-self.final(after)))
            else:
                found.append(min(self.answered(after, reply, afters) for reply in self.moves(after)))
        return found

    def answered(
        self, deal: Deal, reply: tuple[Play | Pass, int, bytes], afters: Sequence[Deal | int]
    ) -> float:
        """Return our win after a reply, where we choose for all the deals in which it may have been made."""
        now = self.after(deal, reply)
        if isinstance(now, int):
            return win(-now)
        if not now.bag:
            return win(self.final(now))
        alike = []
        for one in afters:
            if isinstance(one, Deal) and one.other == deal.other:
                alike += [self.after(one, made) for made in self.moves(one) if made[0] == reply[0]]
        ours = self.chosen([one for one in alike if isinstance(one, Deal)])
        return win(self.final_after(now, ours))

    def rational(self, deals: Sequence[Deal], move: tuple[Play | Pass, int, bytes]) -> list[float]:
        """Return the win of a move in each deal, when the other side replies by what it sees."""
        afters = [self.after(deal, move) for deal in deals]
        replies = [self.reply(after) if isinstance(after, Deal) and after.bag else None for after in afters]
        found = []
        for after, reply in zip(afters, replies, strict=True):
            if isinstance(after, int):
                found.append(win(after))
            elif reply is None:
                found.append(win(-self.final(after)))
            else:
                alike = [
                    one
                    for one, other in zip(afters, replies, strict=True)
                    if other is not None and other[0] == reply[0]
                ]
                found.append(self.answered(after, reply, alike))
        return found

    def reply(self, deal: Deal) -> tuple[Play | Pass, int, bytes]:
        """Return the reply of a side that takes every split of what it cannot see for equally likely."""
        unseen, bag = deal.other + deal.bag, len(deal.bag)
        splits = permutations(range(len(unseen)), bag)
        deals = []
        for split in splits:
            ours = bytes(sorted(code for i, code in enumerate(unseen) if i not in split))
            deals.append(replace(deal, other=ours, bag=bytes(unseen[i] for i in split)))
        return self.chosen(deals)


def win(spread: int) -> float:
    """Return 1 for a win, a half for a tie, 0 for a loss."""
    return (spread > 0) + 0.5 * (spread == 0)


def deals_of(position: Position, board: LoadedBoard, bag: int) -> Iterator[Deal]:
    """Yield a deal for every order of the unseen tiles' first `bag`."""
    unseen = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    own, other = position.players
    assert own.rack is not None
    passes = min(position.zero_turns, max(0, 2 * position.rules.passes_each - 1))
    for split in permutations(range(len(unseen)), bag):
        rack = bytes(sorted(code for i, code in enumerate(unseen) if i not in split))
        drawn = bytes(unseen[i] for i in split)
        yield Deal(board, own.rack.tiles, rack, drawn, position.zero_turns, passes, own.score - other.score)


def random_preendgame(
    random: Random, worlds: Mapping[str, World], rack_size: int, bag: int
) -> tuple[Position, LoadedBoard]:
    """Return a pre-endgame with small racks on a random board; the scores are close."""
    world = worlds[random.choice(sorted(worlds))]
    layout = random_layout(random, random.choice((10, 11, 15)), symmetric=random.random() < 0.5, starts=1)
    rules = replace(
        endgame_rules(random), rack_size=rack_size, zero_turns_need_points=False, exchange_limit=7
    )
    board = play_at_random(random, world, layout, rules, random.choice((1, 1, 2, 3)))[-1][0].board
    racks = [random_rack(random, world, size=size) for size in (rack_size, rack_size + bag)]
    counts = [
        lying + sum(rack.tiles.count(code) for rack in racks)
        for code, lying in enumerate(board.tile_counts(world.tile_set.alphabet.size))
    ]
    tiles = TileSet(
        "preendgame", world.tile_set.alphabet, counts, world.tile_set.values, world.tile_set.is_vowel
    )
    limit = min(rules.zero_turn_limit, 2 * rules.passes_each or 99)
    zeros = random.choice((0, 0, 1))
    players = Player(100 + random.randint(-25, 25), racks[0]), Player(100)
    position = Position(
        Board(board.side, board.squares), layout, tiles, rules, players, zeros if zeros < limit else 0
    )
    return position, LoadedBoard.load(position.board, layout, tiles, world.lexicon)


def compare(
    worlds: Mapping[str, World],
    seed: int,
    count: int,
    *,
    rack_size: int,
    bag: int,
    most_nodes: int,
    opponents: Sequence[str] = PREENDGAME_OPPONENTS,
) -> int:
    """Compare solver and brute force on `count` positions, every candidate; returns how many moves agreed."""
    random = Random(seed)
    solvers = {world.lexicon.id: PreendgameSolver(world.lexicon, table_mb=1) for world in worlds.values()}
    searches = {world.lexicon.id: InternalWords(world.lexicon) for world in worlds.values()}
    compared = moves = 0
    while compared < count:
        position, board = random_preendgame(random, worlds, rack_size, bag)
        deals = list(deals_of(position, board, bag))
        for opponent in opponents:
            force = BruteForce(
                position.rules, position.tile_set.values, searches[board.lexicon.id], True, most_nodes
            )
            judge = getattr(force, opponent)
            try:
                expected = {move[0]: sum(judge(deals, move)) / len(deals) for move in force.moves(deals[0])}
            except TooLargeError:
                break
            result = solvers[board.lexicon.id].solve(
                position,
                Budget(),
                PreendgameOptions(opponent, candidates=None, replies=None, evaluator="greedy"),
                board=board,
            )
            force.most_nodes = sys.maxsize
            case = seed, compared, opponent, position.canonical()
            assert result.best_proven, case
            assert {move.move for move in result.moves} == set(expected), case
            assert abs(result.best.win_pct - 100 * max(expected.values())) < 1e-6, case
            for move in result.moves:
                assert move.lower - 1e-6 <= 100 * expected[move.move] <= move.upper + 1e-6, case
                assert move.stopped or move.certainty == "exact", case
                if opponent == "pessimistic" and move.spread_exact:
                    finals = [
                        force.final_after(deal, one)
                        for deal in deals
                        for one in force.moves(deal)
                        if one[0] == move.move
                    ]
                    assert abs(move.spread - sum(finals) / len(finals)) < 1e-6, case
            moves += len(result.moves)
        else:
            compared += 1
    return moves


def main() -> None:
    """Compare on as many positions as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rack", type=int, default=2, help="tiles of a rack")
    parser.add_argument("--bag", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=20000, help="the most nodes of the brute force")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        worlds = all_worlds(Path(folder))
        moves = compare(
            worlds, asked.seed, asked.count, rack_size=asked.rack, bag=asked.bag, most_nodes=asked.nodes
        )
    sys.stdout.write(f"{asked.count} positions, {moves} moves agree\n")


if __name__ == "__main__":
    main()
