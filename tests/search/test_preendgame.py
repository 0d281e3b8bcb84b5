"""The pre-endgame solver agrees with brute force; unfinished searches return true bounds."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from math import comb, perm
from random import Random
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Budget,
    EndgameSolver,
    InvalidInput,
    NotFound,
    Player,
    PreendgameOptions,
    PreendgameSolver,
    Rack,
)
from engine.movegen import InternalWords
from engine.position import Pass, Play, format_move
from engine.records import parse_cgp
from engine.rules import rule_set
from engine.search.budget import BudgetSpentError
from engine.search.preendgame.candidate import Candidate, merit
from engine.search.preendgame.perfect import UNKNOWN
from engine.search.preendgame.ranking import CandidateRanking, Goal
from engine.search.preendgame.result import win
from engine.search.preendgame.sampling import standard_error
from engine.search.preendgame.turns import ScoredMove
from engine.search.preendgame.worlds import Hidden, all_worlds, count_bags, every_bag, sampled_world
from engine.search.preendgame.worlds import World as Draw
from tests.large_list import PREENDGAMES, json_lines
from tests.search.preendgame_brute_force import BruteForce, Deal, compare, deals_of, random_preendgame

if TYPE_CHECKING:
    from engine import Lexicon, PreendgameResult
    from engine.lexicon.catalogue import Catalogue
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from tests.movegen.worlds import World

GREEDY = PreendgameOptions("pessimistic", candidates=None, evaluator="greedy")
UNLIMITED = Budget()


def small_preendgames(
    worlds: dict[str, World], seed: int, count: int, bag: int
) -> list[tuple[Position, LoadedBoard]]:
    """Return pre-endgames with racks of two tiles."""
    random, english = Random(seed), {"english": worlds["english"]}
    return [random_preendgame(random, english, 2, bag) for _ in range(count)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rack", "bag", "count", "most_nodes"), [(2, 1, 6, 100), (1, 2, 12, 200), (1, 1, 10, 100)]
)
def test_it_agrees_with_brute_force(
    worlds: dict[str, World], rack: int, bag: int, count: int, most_nodes: int
) -> None:
    """All draws, replies and moves, by all three models of the opponent."""
    assert compare(worlds, 3, count, rack_size=rack, bag=bag, most_nodes=most_nodes) > 50


@given(st.binary(min_size=3, max_size=7), st.integers(1, 2), st.integers(0, 2))
def test_worlds_are_the_orders_of_the_bag(tiles: bytes, bag: int, known: int) -> None:
    tiles = bytes(sorted(code % 3 for code in tiles))
    known = min(known, len(tiles) - bag)
    hidden = Hidden(tiles, tiles[:known], bag)
    free = tiles[known:]
    counted: dict[bytes, int] = {}
    for order in permutations(free, bag):
        counted[bytes(order)] = counted.get(bytes(order), 0) + 1
    worlds = all_worlds(hidden)
    assert {world.bag: world.weight for world in worlds} == counted
    assert sum(world.weight for world in worlds) == perm(len(free), bag)
    assert all(sorted(world.other + world.bag) == list(tiles) for world in worlds)
    bags = count_bags(hidden)
    assert bags == comb(len(free), bag)
    every = every_bag(hidden, Random(1))
    assert sorted(bytes(sorted(world.bag)) for world in every) == sorted(map(bytes, combinations(free, bag)))
    for drawn in (sampled_world(hidden, Random(1)), *every):
        assert drawn.bag in counted
        assert sorted(drawn.other + drawn.bag) == list(tiles)


def summary_of(result: PreendgameResult) -> list[tuple[object, ...]]:
    return [(m.move, m.win_pct, m.lower, m.upper, m.spread, m.draws_settled, m.stopped) for m in result.moves]


@pytest.mark.long
def test_an_unfinished_search_returns_true_bounds(worlds: dict[str, World]) -> None:
    cut = 0
    for position, board in small_preendgames(worlds, 4, 2, 1):
        solver = PreendgameSolver(board.lexicon, table_mb=1)
        options = replace(GREEDY, spreads=False)
        exact = {}
        for move in solver.solve(position, UNLIMITED, options, board=board).moves[:4]:
            if isinstance(move.move, Play):
                alone = replace(options, only=(move.move,))
                exact[move.move] = solver.solve(position, UNLIMITED, alone, board=board).best
        for nodes in (1, 40, 400):
            result = solver.solve(position, Budget(nodes=nodes), options, board=board)
            for move in result.moves:
                assert move.lower <= move.win_pct <= move.upper
                assert (move.certainty == "exact") == (move.draws_settled == move.draws)
                if known := exact.get(move.move):
                    assert move.lower <= known.win_pct <= move.upper
                cut += move.certainty != "exact" and not move.stopped
            again = solver.solve(position, Budget(nodes=nodes), options, board=board)
            assert summary_of(again) == summary_of(result)
    assert cut > 0


@pytest.mark.long
def test_a_deadline_changes_no_result_that_it_does_not_cut(worlds: dict[str, World]) -> None:
    position, board = random_preendgame(Random(6), {"english": worlds["english"]}, 1, 2)
    solver = PreendgameSolver(board.lexicon, table_mb=1)
    result = solver.solve(position, Budget(seconds=1e-6), GREEDY, board=board)
    assert (result.endgames, result.best.lower, result.best.upper) == (0, 0, 100)
    assert not result.best_proven
    assert summary_of(solver.solve(position, Budget(seconds=60), GREEDY, board=board)) == summary_of(
        solver.solve(position, UNLIMITED, GREEDY, board=board)
    )


@pytest.mark.long
def test_larger_bags_are_sampled(worlds: dict[str, World]) -> None:
    position, board = small_preendgames(worlds, 7, 1, 3)[0]
    solver = PreendgameSolver(board.lexicon, table_mb=1)
    options = replace(GREEDY, draws=24)
    result = solver.solve(position, UNLIMITED, options, board=board)
    assert result.opponent == "static"
    assert not result.best_proven
    assert {move.certainty for move in result.moves} == {"estimate"}
    assert all(move.draws == 24 or move.stopped for move in result.moves)
    assert summary_of(solver.solve(position, UNLIMITED, options, board=board)) == summary_of(result)
    for lead, win_pct in ((900, 100.0), (-900, 0.0)):
        own, other = position.players
        sure = replace(position, players=(Player(other.score + 1000 + lead, own.rack), Player(1000)))
        best = solver.solve(sure, UNLIMITED, options, board=board).best
        assert best.win_pct == win_pct
        assert best.standard_error == pytest.approx(100 / 26)  # as if one more were won and one lost


@pytest.mark.long
def test_the_wins_of_moves_that_empty_a_larger_bag_are_counted(worlds: dict[str, World]) -> None:
    random, english = Random(7), {"english": worlds["english"]}
    counted = 0
    for _ in range(6):
        position, board = random_preendgame(random, english, 3, 3)
        solver = PreendgameSolver(board.lexicon, table_mb=1)
        options = replace(GREEDY, candidates=12, draws=20)
        result = solver.solve(position, UNLIMITED, options, board=board)
        values, deals = position.tile_set.values, list(deals_of(position, board, 3))
        force = BruteForce(position.rules, values, InternalWords(board.lexicon), scored=True, most_nodes=0)
        for found in result.moves:
            empties = len(found.move.used) == 3
            assert (found.certainty == "exact") == (empties and not found.stopped)
            if found.certainty == "exact":
                assert (found.draws, found.draws_settled, found.by_draw) == (20, 20, ())
                assert found.standard_error is None
        for found in [one for one in result.moves if one.certainty == "exact"][:3]:
            spreads = {
                other: final_spread(force, position, deal, found.move)
                for other, deal in {deal.other: deal for deal in deals}.items()
            }
            wins = [win(spreads[deal.other]) for deal in deals]
            assert found.lower == found.upper == pytest.approx(100 * sum(wins) / len(wins))
            counted += 1
        verdicts = [move.verdict.key for move in result.moves if not move.stopped]
        assert verdicts == sorted(verdicts, reverse=True)
        fewer = solver.solve(position, UNLIMITED, replace(options, draws=19), board=board)
        assert {move.certainty for move in fewer.moves} == {"estimate"}
    assert counted > 10


def final_spread(force: BruteForce, position: Position, deal: Deal, move: Play | Pass) -> int:
    """Return the final spread after a move that empties the bag, by the endgame solver."""
    after = force.after(deal, next(one for one in force.moves(deal) if one[0] == move))
    assert isinstance(after, Deal)
    players = Player(1000 + after.spread, Rack(after.own)), Player(1000, Rack(after.other))
    board, lexicon = after.board.board, deal.board.lexicon
    following = replace(position, board=board, players=players, zero_turns=after.zeros)
    result = EndgameSolver(lexicon, table_mb=1).solve(following, UNLIMITED)
    assert result.certainty == "exact"
    return -result.final_spread


def test_standard_errors_are_those_of_a_mean_with_one_more_of_the_extremes() -> None:
    assert standard_error([0.0, 1.0], 0.0, 1.0) == pytest.approx((1 / 12) ** 0.5)
    assert standard_error([1.0] * 98, 0.0, 1.0) == pytest.approx(0.01)
    assert standard_error([0.0, 0.0], -1.0, 1.0) == pytest.approx((2 / 3 / 4) ** 0.5)


@pytest.mark.long
def test_a_known_rack_leaves_one_draw(worlds: dict[str, World]) -> None:
    position, board = small_preendgames(worlds, 9, 1, 1)[0]
    own, other = position.players
    unseen = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    known = replace(position, players=(own, Player(other.score, Rack(bytes(unseen[:2])))))
    solver = PreendgameSolver(board.lexicon, table_mb=1)
    result = solver.solve(known, UNLIMITED, GREEDY, board=board)
    assert [draw.bag for draw in result.best.by_draw] == [bytes(unseen[2:])]
    hidden = solver.solve(position, UNLIMITED, GREEDY, board=board)
    (of_it,) = [move for move in hidden.moves if move.move == result.best.move]
    (draw,) = [draw for draw in of_it.by_draw if draw.bag == bytes(unseen[2:])]
    assert 100 * draw.lower <= result.best.win_pct <= 100 * draw.upper


def test_positions_that_are_no_preendgame_are_refused(worlds: dict[str, World]) -> None:
    position, board = small_preendgames(worlds, 2, 1, 1)[0]
    solver = PreendgameSolver(board.lexicon, table_mb=1)

    def code(changed: Position) -> str:
        with pytest.raises(InvalidInput) as caught:
            solver.solve(changed)
        return caught.value.code

    own, other = position.players
    assert code(replace(position, players=(own, other, Player()))) == "preendgame_players"
    assert code(replace(position, players=(Player(), other))) == "rack_unknown"
    assert code(replace(position, players=(own, Player(tile_count=3)))) == "bag_size"
    assert code(replace(position, zero_turns=99)) == "game_over"
    endless = rule_set("english").changed(passes_each=0, zero_turns_need_points=True, rack_size=2)
    assert code(replace(position, rules=endless, players=(Player(0, own.rack), Player()))) == "endless_game"
    with pytest.raises(NotFound, match="no model 'kind'"):
        solver.solve(position, options=PreendgameOptions("kind"))
    with pytest.raises(InvalidInput, match="1 to 65536"):
        PreendgameSolver(board.lexicon, table_mb=0)


@pytest.mark.parametrize(
    ("word_list", "move", "win_pct", "not_won"),
    [("nwl23", "13L ONYX", 93.75, {"Y": 0.5}), ("scowl80", "1D SEXTON", 87.5, {"Y": 0.0})],
    indirect=["word_list"],
)
@pytest.mark.long
def test_the_published_one_in_the_bag(
    word_list: Lexicon, move: str, win_pct: float, not_won: dict[str, float]
) -> None:
    """P1: 13L ONYX wins seven draws of eight and ties the other one, with Y in the bag.

    With the bundled list, which has more words, another move is best.
    """
    lexicon, text = word_list, json_lines(PREENDGAMES)[0]["cgp"]
    position = parse_cgp(text, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    own, other = position.players
    position = replace(position, players=(own, Player(other.score)))
    result = PreendgameSolver(lexicon).solve(position, UNLIMITED, PreendgameOptions(candidates=5))
    best = result.best
    assert format_move(best.move, lexicon.tile_set) == move
    assert best.win_pct == win_pct
    assert result.best_proven
    assert best.spread_exact
    letters = lexicon.tile_set.alphabet.text
    assert {letters(draw.bag): draw.lower for draw in best.by_draw if draw.lower < 1} == not_won


def test_a_move_that_was_not_examined_counts_nothing() -> None:
    """Its points alone would rank it above a move that certainly wins."""
    worlds = [Draw(b"\1", b"\2", 1), Draw(b"\2", b"\1", 1)]
    turn, board = ScoredMove(Pass(), 0, b""), cast("LoadedBoard", None)
    fresh = Candidate(turn, 0, board, True, worlds, 90)
    known = Candidate(turn, 0, board, True, worlds, -90)
    known.learn(0, (5, 5), 5)
    assert (fresh.lower, fresh.upper, known.lower) == (0, 2, 1)
    assert min(fresh, known, key=merit) is known
    lost = Candidate(turn, 0, board, True, worlds, -90)
    for number in range(2):
        lost.learn(number, (-5, -5), -5)
    assert (lost.lower, lost.upper) == (0, 0)
    assert min(fresh, lost, key=merit) is lost


class Oracle:
    """A judge that knows each final spread; it answers a number of questions only, hard ones not at once."""

    def __init__(
        self, spreads: dict[tuple[int, int], int], hard: set[tuple[int, int]], questions: int
    ) -> None:
        self.spreads, self.hard, self.questions = spreads, hard, questions

    def at_least(self, candidate: Candidate, number: int, target: int) -> tuple[int, int]:
        if not self.questions:
            raise BudgetSpentError
        self.questions -= 1
        key = candidate.equity, number
        return UNKNOWN if key in self.hard and self.limit == 1 else (self.spreads[key], self.spreads[key])

    exact = at_least

    def allow(self, nodes: int) -> None:
        """A limit of 1 settles no hard draw; the next one settles all."""
        self.limit = nodes

    def guess(self, candidate: Candidate, number: int) -> int:
        return 50  # as if every draw were won


@given(
    st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=2, max_size=6),
    st.sets(st.tuples(st.integers(1, 6), st.integers(0, 2))),
    st.integers(0, 40),
)
def test_moves_are_ranked_by_what_is_proven(
    spreads: list[list[int]], hard: set[tuple[int, int]], questions: int
) -> None:
    """With any budget the order contradicts no bound; what is called best is best."""
    worlds = [Draw(bytes([number]), b"", weight) for number, weight in enumerate((1, 2, 5))]
    turn, board = ScoredMove(Pass(), 0, b""), cast("LoadedBoard", None)
    found = [Candidate(turn, 1 + at, board, True, worlds, 99) for at in range(len(spreads))]
    by_draw = {(1 + at, n): spread for at, row in enumerate(spreads) for n, spread in enumerate(row)}
    ranking, judge = CandidateRanking(found, worlds, (1, 2)), Oracle(by_draw, hard, questions)
    with suppress(BudgetSpentError):
        ranking.settle(judge, Goal.BEST)
        assert ranking.is_proven()
        ranking.settle(judge, Goal.EQUALS)
        assert not ranking.open(Goal.EQUALS).any()
    true = {
        one.equity: sum(world.weight * win(by_draw[one.equity, n]) for n, world in enumerate(worlds))
        for one in found
    }
    ordered = sorted(found, key=merit)
    for one, worse in pairwise(ordered):
        assert one.lower >= worse.lower
        assert one.upper >= worse.lower
    for one in found:
        assert one.lower <= true[one.equity] <= one.upper
        assert one.is_known == (one.lower == one.upper)
    best = ordered[0]
    beaten = all(one.upper <= best.lower for one in ordered[1:])
    assert ranking.is_proven() == (beaten and (best.lower > 0 or best.is_known))
    if ranking.is_proven():
        assert best.settled_weight
        assert true[best.equity] == max(true.values())


def test_the_draws_of_the_leading_moves_are_settled_first() -> None:
    """Whatever the budget, the first move has more settled draws than the others have on average."""
    worlds = [Draw(bytes([number]), b"", 1) for number in range(12)]
    turn, board = ScoredMove(Pass(), 0, b""), cast("LoadedBoard", None)
    random, strengths = Random(3), (3, 8, 2, 10, 5, 1, 7, 4)
    spreads = {
        (equity, number): 1 if rank < strength else -1
        for equity, strength in enumerate(strengths)
        for rank, number in enumerate(random.sample(range(12), 12))
    }
    for questions in range(12, 97):
        found = [Candidate(turn, equity, board, True, worlds, 0) for equity in range(len(strengths))]
        ranking = CandidateRanking(found, worlds, (1,))
        with suppress(BudgetSpentError):
            ranking.settle(Oracle(spreads, set(), questions), Goal.BEST)
        first, *others = [one.settled_weight for one in sorted(found, key=merit)]
        assert first > sum(others) / len(others)


def test_a_short_search_of_two_in_the_bag_settles_the_draws_of_the_first_moves(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    cgp = json_lines(PREENDGAMES)[0]["cgp"].replace("ENOSTXY/", "ENOSTX/")
    position = parse_cgp(cgp, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    own, other = position.players
    position = replace(position, players=(own, Player(other.score)))
    result = PreendgameSolver(lexicon).solve(position, Budget(nodes=8_000))
    assert result.stopped_by == "budget"
    settled = [move.draws_settled for move in result.moves]
    assert result.best.draws == 72
    assert settled[0] == max(settled) > 12
    assert settled[0] > 4 * sum(settled[1:]) / len(settled[1:])
    for move in result.moves:
        assert move.lower <= move.win_pct <= move.upper
        assert move.lower <= result.best.lower
