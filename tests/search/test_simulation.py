"""Simulation against games replayed in Python: every rack, every draw, every ending."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, legal_moves
from engine.evaluation.win_pct import MIDDLE, SCALE, WinChances, WinPctTable
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.movegen.legal_moves import ValuedMove
from engine.position import Pass, Play, Player, Position, Rack, format_square
from engine.search import SimulationPlan, simulate
from engine.search import simulation as simulation_module
from engine.search.deadline import Deadline
from lab.selfplay.greedy_games import greedy_game
from tests.search.replay import Chooser, all_fates, deals, roll_out

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue
    from engine.search import Simulation

FIXED = SimulationPlan(confidence=None)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture(scope="module")
def games(lexicon: Lexicon) -> list[Position]:
    """The positions of some greedy games, the opponent's rack known."""
    return [turn.position for number in range(8) for turn in greedy_game(lexicon, 3, number)]


def loaded(position: Position, lexicon: Lexicon) -> LoadedBoard:
    return LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)


def hidden(position: Position) -> Position:
    """Return a position whose opponent's rack is not known."""
    first, other = position.players
    return replace(position, players=(first, Player(other.score, tile_count=len(other.held))))


def candidates(position: Position, lexicon: Lexicon, count: int, *, others: int = 0) -> list[ValuedMove]:
    """Return the best plays by static equity, and the last few of the other moves."""
    evaluator = Evaluator("static", lexicon, position.rules)
    moves, _ = legal_moves(position, loaded(position, lexicon), InternalWords(lexicon), evaluator)
    last = range(max(moves.play_count, len(moves) - others), len(moves))
    return moves.valued([*moves.best(count, only_plays=True), *last])


def run(
    position: Position, lexicon: Lexicon, chosen: list[ValuedMove], plan: SimulationPlan, **more: int
) -> Simulation:
    return simulate(position, loaded(position, lexicon), chosen, plan, **more)  # type: ignore[arg-type]


def late(games: list[Position], low: int, high: int) -> list[Position]:
    return [position for position in games if low <= position.bag_count() <= high]


def test_no_plies_give_the_static_equity(games: list[Position], lexicon: Lexicon) -> None:
    for position in games[2:30:9]:
        chosen = candidates(hidden(position), lexicon, 4, others=1)
        plan = replace(FIXED, plies=0, iterations=12 * len(chosen), play_out=False)
        spread = position.players[0].score - position.players[1].score
        found = run(hidden(position), lexicon, chosen, plan)
        for one, estimate in zip(chosen, found.estimates, strict=True):
            assert estimate is not None
            assert estimate.iterations == 12
            assert estimate.spread_error == 0
            assert estimate.spread == pytest.approx(spread + one.score + one.leave_value / 1000)


@pytest.fixture
def played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play rollouts to the end as with more tiles in the bag, where no search finds how they end."""
    monkeypatch.setattr("engine.search.endings.SEARCHED_BAG", -1)


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("replies", ["static", "greedy"])
@pytest.mark.long
@pytest.mark.usefixtures("played_out")
def test_means_are_those_over_all_draws(
    games: list[Position], lexicon: Lexicon, plies: int, replies: str
) -> None:
    """With one or two tiles in the bag everything that can happen is enumerated."""
    for known in (late(games, 1, 1)[0], late(games, 2, 2)[0]):
        # So that exchanges are played, too.
        position = hidden(replace(known, rules=known.rules.changed(exchange_limit=1)))
        board, chooser = loaded(position, lexicon), Chooser(lexicon, replies, position)
        chosen = candidates(position, lexicon, 2, others=1)
        plan = replace(FIXED, plies=plies, replies=replies, iterations=1500 * len(chosen))
        found = run(position, lexicon, chosen, plan)
        for one, estimate in zip(chosen, found.estimates, strict=True):
            assert estimate is not None
            outcomes = [
                (found_there.spread / 1000, share * chance)
                for opponent, bag, share in deals(position)
                for found_there, chance in all_fates(
                    partial(roll_out, position, board, one, opponent, bag, plies, chooser, play_out=True)
                )
            ]
            mean = sum(value * share for value, share in outcomes)
            deviation = sum((value - mean) ** 2 * share for value, share in outcomes) ** 0.5
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            assert abs(estimate.spread - mean) <= 4.5 * deviation / 1500**0.5 + 1e-6
            assert estimate.spread_error * 1500**0.5 == pytest.approx(deviation, rel=0.2, abs=1e-3)


@pytest.mark.usefixtures("played_out")
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"ending": "single"},
        {"passes_each": 0},
        {"passes_each": 1},
        {"zero_turn_limit": 3, "zero_turns_need_points": True},
    ],
)
def test_endings_are_those_of_a_replay(
    games: list[Position], lexicon: Lexicon, rules: dict[str, int | str | bool]
) -> None:
    """With an empty bag there is only one rollout, and it is played to the end of the game."""
    positions = [position for position in late(games, 0, 0) if position.players[1].held][::2]
    assert len(positions) >= 4
    ended = 0
    for known in positions:
        position = replace(known, rules=known.rules.changed(**rules), zero_turns=1)
        board, chooser = loaded(position, lexicon), Chooser(lexicon, "static", position)
        chosen = candidates(position, lexicon, 3)
        chosen.append(ValuedMove(Pass(), 0, 0, 0, 0))
        for plan in (replace(FIXED, iterations=2 * len(chosen)), SimulationPlan.preset("quackle", plies=3)):
            plan = replace(plan, iterations=2 * len(chosen))
            found = run(position, lexicon, chosen, plan)
            opponent = position.players[1].held.tiles
            for one, estimate in zip(chosen, found.estimates, strict=True):
                assert estimate is not None
                replay = partial(roll_out, position, board, one, opponent, (), plan.plies, chooser)
                ((ending, _),) = all_fates(partial(replay, play_out=plan.play_out))
                assert estimate.spread_error == 0
                assert estimate.spread * 1000 == pytest.approx(ending.spread)
                assert estimate.ended == ending.ended
                ended += ending.ended
    assert ended > len(positions)


@pytest.mark.long
def test_several_own_racks_give_the_same_mean(games: list[Position], lexicon: Lexicon) -> None:
    """Several own racks for a reply change the error, not the mean; exchanged tiles are not drawn again."""
    position = hidden(late(games, 8, 30)[0])
    chosen = candidates(position, lexicon, 2, others=2)
    once = replace(SimulationPlan.preset("heuri_sim"), refills=1, iterations=4000 * len(chosen))
    often = replace(SimulationPlan.preset("heuri_sim"), refills=10, iterations=800 * len(chosen))
    one, ten = run(position, lexicon, chosen, once), run(position, lexicon, chosen, often)
    for a, b in zip(one.estimates, ten.estimates, strict=True):
        assert a is not None
        assert b is not None
        assert abs(a.spread - b.spread) <= 4.5 * (a.spread_error**2 + b.spread_error**2) ** 0.5
        assert abs(a.own_score - b.own_score) < 3
        if a is not one.estimates[-1]:  # a pass draws nothing
            assert b.spread_error * 800**0.5 < 0.85 * a.spread_error * 4000**0.5


def test_threads_and_other_candidates_change_no_result(games: list[Position], lexicon: Lexicon) -> None:
    position = hidden(games[10])
    chosen = candidates(position, lexicon, 9)
    plan = SimulationPlan.preset("monte_carlo", iterations=2500, reply_squares=True)
    first = run(position, lexicon, chosen, plan)
    assert first.spent <= 2500
    for threads in (2, 4):
        assert run(position, lexicon, chosen, plan, threads=threads) == first
    assert run(position, lexicon, chosen, plan, seed=2) != first
    # Each candidate sees the same draws whoever else is there, in whatever order.
    fixed = replace(plan, confidence=None, iterations=9 * 100)
    full = run(position, lexicon, chosen, fixed)
    part = run(position, lexicon, chosen[5:2:-1], replace(fixed, iterations=300))
    assert part.estimates == full.estimates[5:2:-1]


@pytest.mark.parametrize("replies", ["static", "greedy"])
@pytest.mark.long
def test_sharing_work_changes_nothing(games: list[Position], lexicon: Lexicon, replies: str) -> None:
    """Rollouts that share racks and lines have the same results as alone."""
    shared = 0
    for at, known in enumerate(games[:: 7 if replies == "static" else 17]):
        position = hidden(replace(known, rules=known.rules.changed(exchange_limit=1 + at % 7)))
        chosen = candidates(position, lexicon, 9, others=3 if len(position.rack.tiles) > 2 else 0)
        if not chosen:
            continue
        plan = replace(
            FIXED, plies=1 + at % 4, replies=replies, iterations=12 * len(chosen), reply_squares=True
        )
        together = run(position, lexicon, chosen, plan)
        assert together == run(position, lexicon, chosen, plan, sharing=False)
        assert together == run(position, lexicon, chosen, plan, threads=4)
        shared += 1
    assert shared > 4


def test_chances_are_those_of_the_table(
    games: list[Position], lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    spreads = np.arange(-MIDDLE, MIDDLE + 1)
    chances = 1 / (1 + np.exp(-spreads / (5 + 2 * np.arange(94)[:, None])))
    table = WinPctTable((chances * SCALE).astype(np.uint16), np.ones(94, np.int64), meta={})
    monkeypatch.setattr(simulation_module, "find_win_pct_table", lambda _: table)
    for known in (games[3], games[12], late(games, 1, 6)[0]):
        position = hidden(known)
        chosen = candidates(position, lexicon, 5)
        plan = replace(FIXED, plies=0, iterations=2 * len(chosen), play_out=False)
        found = run(position, lexicon, chosen, plan)
        placed = [len(one.move.placements()) for one in chosen if isinstance(one.move, Play)]
        equities = [1000 * one.score + one.leave_value for one in chosen]
        wanted = WinChances(table, position).after([one.score for one in chosen], equities, placed)
        given = [estimate.win_pct for estimate in found.estimates if estimate is not None]
        if position.bag_count() > 7:
            assert given == pytest.approx(wanted.tolist(), abs=2e-4)
        for reply in (1, 2):
            best = run(position, lexicon, chosen, replace(plan, plies=reply, iterations=40 * len(chosen)))
            assert all(one and 0 <= (one.win_pct or 0) <= 100 for one in best.estimates)
            wins = [best.estimates[at].win_pct for at in best.order]  # type: ignore[union-attr]
            assert wins == sorted(wins, reverse=True)  # type: ignore[type-var]


def test_replies_are_counted_on_the_squares_of_the_move_that_is_found(
    games: list[Position], lexicon: Lexicon
) -> None:
    """A rack that is known has one reply; of other racks, each square has its share of the replies."""
    plan = replace(FIXED, plies=1, reply_squares=True)
    for position in [*games[1:40:5], *late(games, 0, 6)]:
        chooser = Chooser(lexicon, "static", position)
        mover, other = position.players
        for one in candidates(position, lexicon, 2):
            kept, bag = len(position.rack.tiles) - len(one.move.used), position.bag_count()
            rack = Player(mover.score, tile_count=kept + min(len(one.move.used), bag))
            turned = replace(position, board=position.after(one.move).board, players=(other, rack))
            reply, _, _ = chooser.choose(turned, loaded(turned, lexicon))
            (found,) = run(position, lexicon, [one], replace(plan, iterations=3)).estimates
            assert found is not None
            if not kept and not bag:
                assert found.reply_squares == (), "the game is over"
                continue
            laid = {format_square(row, column) for row, column, _ in reply.placements()}
            assert {square.at for square in found.reply_squares or ()} == laid
            assert {square.share for square in found.reply_squares or ()} <= {1}
    position = hidden(games[10])
    (found,) = run(
        position, lexicon, candidates(position, lexicon, 1), replace(plan, iterations=400)
    ).estimates
    assert found is not None
    assert found.reply_squares is not None
    shares = [square.share for square in found.reply_squares]
    assert shares == sorted(shares, reverse=True)
    assert 0.01 <= shares[-1] < shares[0] < 1
    assert 2 < sum(shares) < 7


def test_known_tiles_are_held(games: list[Position], lexicon: Lexicon) -> None:
    position = games[8]
    first, other = position.players
    full = run(position, lexicon, candidates(position, lexicon, 1), replace(FIXED, plies=1, iterations=50))
    assert full.estimates[0] is not None
    assert full.estimates[0].spread_error == 0  # one rack, one reply
    some = Player(other.score, known_tiles=Rack(other.held.tiles[:6]), tile_count=7)
    nearly = replace(position, players=(first, some))
    found = run(nearly, lexicon, candidates(position, lexicon, 1), replace(FIXED, plies=1, iterations=50))
    assert found.estimates[0] is not None
    assert found.estimates[0].spread_error > 0


def test_a_game_that_is_over_is_not_simulated(games: list[Position], lexicon: Lexicon) -> None:
    position = hidden(games[10])
    chosen = candidates(position, lexicon, 2)
    limit = position.rules.zero_turn_limit
    few = replace(FIXED, iterations=2)
    assert run(replace(position, zero_turns=limit - 1), lexicon, chosen, few).spent == 2
    for zeros in (limit, limit + 1):
        with pytest.raises(InvalidInput) as caught:
            run(replace(position, zero_turns=zeros), lexicon, chosen, few)
        assert (caught.value.code, caught.value.field) == ("game_over", "zero_turns")
    rules = position.rules.changed(zero_turns_need_points=True)
    own, other = position.players
    scoreless = replace(
        position, rules=rules, zero_turns=limit, players=(replace(own, score=0), replace(other, score=0))
    )
    assert run(scoreless, lexicon, chosen, few).spent == 2


def test_wins_have_an_error_unless_there_is_one_draw(games: list[Position], lexicon: Lexicon) -> None:
    for position, alone in ((late(games, 0, 0)[0], True), (hidden(late(games, 1, 6)[0]), False)):
        mover, other = position.players
        ahead = replace(position, players=(replace(mover, score=other.score + 2_000), other))
        chosen = candidates(ahead, lexicon, 2)
        found = run(ahead, lexicon, chosen, replace(FIXED, iterations=40 * len(chosen)))
        for estimate in found.estimates:
            assert estimate is not None
            assert estimate.win_pct == 100
            assert estimate.win_pct_error == (0 if alone else pytest.approx(100 / 42))


def test_a_deadline_changes_no_result_that_it_does_not_cut(games: list[Position], lexicon: Lexicon) -> None:
    position = hidden(games[10])
    chosen, board = candidates(position, lexicon, 5), loaded(position, lexicon)
    over = simulate(position, board, chosen, FIXED, deadline=Deadline(1))
    assert over.stopped_by == "deadline"
    assert over.spent == 0
    assert over.estimates == (None,) * 5
    assert over.order == (0, 1, 2, 3, 4)
    plan = replace(FIXED, iterations=10**8)
    cut = simulate(position, board, chosen, plan, deadline=Deadline.after(60), threads=2)
    assert cut.stopped_by == "deadline"
    assert cut.estimates[0] is not None
    draws = cut.estimates[0].iterations
    assert cut.spent == 5 * draws
    again = simulate(position, board, chosen, replace(plan, iterations=cut.spent))
    assert again.estimates == cut.estimates
