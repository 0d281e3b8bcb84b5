"""Opponent models: the rules of good leaves, inference of the leave, and the known tiles."""

from __future__ import annotations

from dataclasses import replace
from math import comb, e, log, prod
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.analysis import AnalysisOptions, AnalysisRequest, analyze
from engine.errors import InvalidInput
from engine.evaluation.bingo_leaves import good_leaves
from engine.loaded_board import LoadedBoard
from engine.position import Exchange, Play, Player, Rack, format_move
from engine.records import parse_cgp
from engine.search import SimulationPlan
from engine.search.deadline import Deadline
from engine.search.inference import BLUNDERS, TEMPERATURE, likelihood
from engine.search.opponent import LastMove, opponent_tiles
from lab.selfplay.greedy_games import greedy_game
from tests.search.replay import Chooser

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue
    from engine.position import Position


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def loaded(position: Position, lexicon: Lexicon) -> LoadedBoard:
    return LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)


def after_static_moves(lexicon: Lexicon) -> list[tuple[Position, str, bytes, int]]:
    """Return positions after a static move: (position, text of the move, its leave, its points)."""
    found = []
    chooser: Chooser | None = None
    for number in range(3):
        for turn in list(greedy_game(lexicon, 11, number))[1:-9:2]:
            position = turn.position
            chooser = chooser or Chooser(lexicon, "static", position)
            move, score, _ = chooser.choose(position, turn.board)
            leave = bytearray(position.rack.tiles)
            after = turn.board
            used = list(move.tiles) if isinstance(move, Exchange) else []
            if isinstance(move, Play):
                used = [0 if code & 0x80 else code for _, _, code in move.placements()]
                after = turn.board.after(move)
            for code in used:
                leave.remove(code)
            text = format_move(move, position.tile_set)
            mover, other = position.players
            sides = (other, Player(mover.score + score, tile_count=7, last_move=text))
            found.append((replace(position, board=after.board, players=sides), text, bytes(leave), score))
    return found


@pytest.fixture(scope="module")
def moves(lexicon: Lexicon) -> list[tuple[Position, str, bytes, int]]:
    return after_static_moves(lexicon)


def tiles(position: Position, lexicon: Lexicon, model: str) -> dict[bytes, float]:
    rows, shares = opponent_tiles(position, loaded(position, lexicon), model, 1, Deadline())
    assert shares.sum() == pytest.approx(1)
    return {
        bytes(row[1 : 1 + row[0]]): share for row, share in zip(rows.tolist(), shares.tolist(), strict=True)
    }


def test_the_last_move_is_read_off_the_board(
    moves: list[tuple[Position, str, bytes, int]], lexicon: Lexicon
) -> None:
    plays = 0
    for position, text, leave, score in moves:
        last = LastMove(position, loaded(position, lexicon), text)
        assert last.used == 7 - len(leave)
        assert last.score == score
        plays += last.play is not None
    assert plays > 10
    position, text, _, _ = moves[0]
    for wrong in ("8A ZZZZ", "A1 QI", "8H .", "-Ñ", "nonsense", "-8", "exch 9", "-AAAAAAAA"):
        with pytest.raises(InvalidInput) as refused:
            LastMove(position, loaded(position, lexicon), wrong)
        assert refused.value.field == "players/1/last_move"


def test_the_number_of_good_tiles_follows_the_published_rules(
    moves: list[tuple[Position, str, bytes, int]], lexicon: Lexicon
) -> None:
    position = moves[0][0]
    board = loaded(position, lexicon)
    wanted = {"-3": 4, "-ABC": 4, "exch 5": 2, "-": 6}
    assert {text: LastMove(position, board, text).good_tiles for text in wanted} == wanted
    for at, text, leave, score in moves:
        last = LastMove(at, loaded(at, lexicon), text)
        if last.play is not None:
            n = len(leave) if score < 30 or last.used == 7 else 1 if last.used > 3 else 2
            assert last.good_tiles == n


@pytest.mark.long
def test_the_most_probable_good_leaves_are_used(
    lexicon: Lexicon, moves: list[tuple[Position, str, bytes, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.search.opponent.GOOD_LEAVES", 5)
    position = moves[0][0]
    mover, other = position.players
    asked = replace(position, players=(mover, replace(other, last_move="-6")))
    found = tiles(asked, lexicon, "seed")
    unseen = asked.unseen()
    good = [leave for leave, _ in good_leaves(lexicon, 1)]

    def ways(leave: bytes) -> int:
        return prod(comb(unseen[code], leave.count(code)) for code in set(leave))

    assert len(found) == 5
    assert all(share == pytest.approx(0.2) for share in found.values())
    assert min(map(ways, found)) >= max(ways(leave) for leave in good if leave not in found)


@pytest.mark.parametrize("model", ["off", "seed", "bayes"])
def test_every_model_holds_the_known_tiles(
    lexicon: Lexicon, moves: list[tuple[Position, str, bytes, int]], model: str
) -> None:
    for position, _, _, score in moves[:2]:
        if model == "seed" and score < 30:
            continue  # many good tiles: their list takes seconds to make
        mover, other = position.players
        unseen = [code for code, count in enumerate(position.unseen()) if count][:2]
        known = replace(other, known_tiles=Rack(bytes(unseen)))
        for held in tiles(replace(position, players=(mover, known)), lexicon, model):
            assert len(held) <= 7
            assert all(held.count(code) >= 1 for code in unseen)
            assert all(held.count(code) <= position.unseen()[code] for code in set(held))


def test_inference_finds_what_static_players_keep(
    lexicon: Lexicon, moves: list[tuple[Position, str, bytes, int]]
) -> None:
    """The true leave is inferred to be more probable than by chance, by the sum of the log ratios."""
    gains = []
    for position, _, leave, _ in moves:
        if not 1 <= len(leave) <= 2:
            continue
        found = tiles(position, lexicon, "bayes")
        unseen = position.unseen()
        ways = prod(comb(unseen[code], leave.count(code)) for code in set(leave))
        gains.append(log(found[leave] / (ways / comb(sum(unseen), len(leave)))))
    assert len(gains) >= 5
    assert np.mean(gains) > 0.3


@pytest.mark.long
def test_all_leaves_of_up_to_three_tiles_are_tried(
    lexicon: Lexicon, moves: list[tuple[Position, str, bytes, int]]
) -> None:
    """No true leave is missed, whatever the move gave up; larger leaves are sampled."""
    sizes = set()
    for position, _, leave, _ in moves:
        if not 1 <= len(leave) <= 3 or len(leave) in sizes:
            continue
        sizes.add(len(leave))
        unseen = position.unseen()
        found = tiles(position, lexicon, "bayes")
        ways = {held: prod(comb(unseen[code], held.count(code)) for code in set(held)) for held in found}
        assert leave in found
        assert sum(ways.values()) == comb(sum(unseen), len(leave))
        # The share of blunders leaves each of them at least so much of the probability of a random draw.
        least = min(found[held] * comb(sum(unseen), len(leave)) / ways[held] for held in found)
        assert least >= BLUNDERS
    assert sizes == {1, 2, 3}


def test_a_move_that_loses_more_is_less_likely() -> None:
    assert likelihood(-5) == likelihood(0) == pytest.approx(1)
    assert likelihood(TEMPERATURE) == pytest.approx(BLUNDERS + (1 - BLUNDERS) / e)
    assert likelihood(10**6) == pytest.approx(BLUNDERS)
    assert likelihood(2000, 1000, 0) == pytest.approx(e**-2)


@pytest.mark.parametrize(
    ("model", "last", "warned"),
    [("bayes", "", True), ("seed", "", True), ("off", "", False), ("bayes", " lm -3;", False)],
)
def test_a_model_without_a_last_move_is_warned_about(
    lexicon: Lexicon, model: str, last: str, warned: bool
) -> None:
    """Such a simulation has the results of the model off."""
    cgp = f"15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 AEINRST/ 0/12 0{last}"
    plan = SimulationPlan(candidates=2, iterations=20, opponent_model=model)
    analysis = analyze(AnalysisRequest(parse_cgp(cgp), AnalysisOptions(simulate=plan)), lexicon)
    assert [warning.code for warning in analysis.warnings] == ["no_last_move"] * warned
    if warned:
        off = replace(plan, opponent_model="off")
        same = analyze(AnalysisRequest(parse_cgp(cgp), AnalysisOptions(simulate=off)), lexicon)
        assert analysis.moves == same.moves
        assert analysis.warnings[0].params == {"opponent_model": model}
