"""Pre-endgames measured by `kibitz bench preendgame`, and published ones; the solver of a thread."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from benchmarks.measurements.preendgame import (
    Published,
    preendgames,
    published_preendgames,
    solve_in_processor_time,
    summary,
    verdict,
)
from benchmarks.measurements.processor_time import processor_deadline
from engine import Budget, GameSetup, InvalidInput, PreendgameOptions, PreendgameSolver
from tests.search.test_preendgame import small_preendgames

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue
    from tests.movegen.worlds import World


class Named:
    """A lexicon that has only a name."""

    def __init__(self, name: str) -> None:
        self.id = name


def published(needed: str, win_pct: float) -> Published:
    return Published("P", needed, cast("Any", None), "8D IT", win_pct)


@pytest.mark.parametrize(
    ("needed", "name", "fits"),
    [("NWL20", "nwl23", True), ("CSW19/CSW21", "csw24", True), ("CSW21", "nwl23", False)],
)
def test_another_edition_of_the_same_word_list_suffices(needed: str, name: str, fits: bool) -> None:
    assert published(needed, 50).fits(cast("Any", Named(name))) is fits


def test_published_results_are_confirmed_refuted_or_open(worlds: dict[str, World]) -> None:
    position, board = small_preendgames(worlds, 4, 1, 1)[0]
    solver = PreendgameSolver(board.lexicon, table_mb=1)
    options = PreendgameOptions("pessimistic", candidates=None, evaluator="greedy")
    result = solver.solve(position, Budget(), options, board=board)
    found = result.best.win_pct
    assert verdict(published("X", found), result) == "confirmed"
    assert verdict(published("X", found - 5 if found > 50 else found + 5), result) == "refuted"
    assert verdict(published("X", found), replace(result, best_proven=False)) == "open"
    assert verdict(published("CSW21", found), None) == "not solved: it needs CSW21"


@pytest.mark.parametrize(
    "line", ["{", "{}", '{"id":1,"name":2,"lexicon":"X","cgp":"","best":"","win":"much"}']
)
def test_an_invalid_line_is_named(worlds: dict[str, World], tmp_path: Path, line: str) -> None:
    file = tmp_path / "published.jsonl"
    file.write_text(line)
    with pytest.raises(InvalidInput, match=r"published\.jsonl, line 1") as caught:
        published_preendgames(file, worlds["english"].lexicon)
    assert caught.value.code == "bad_published"


@pytest.mark.parametrize("bag", [1, 2])
def test_the_positions_measured_are_repeatable(bundled: Catalogue, bag: int) -> None:
    """They depend on the seeds alone; both what is proven and what the node limit cut short is counted."""
    lexicon = bundled.open("scowl80")
    positions = preendgames(GameSetup.of(lexicon), bag, 4)
    assert positions == preendgames(GameSetup.of(lexicon), bag, 4)
    assert [position.bag_count() for position in positions] == [bag] * 4
    assert len({position.id for position in positions}) == 4
    options = PreendgameOptions(proof_only=True)
    done: list[int] = []
    solved = solve_in_processor_time(positions, lexicon, 60, 3_000, options, done.append)
    assert done == [1, 2, 3, 4]
    measured = summary(solved)
    proven = [one for one in solved if one.result.best_proven]
    assert measured["proven"] == len(proven) / 4
    assert measured["seconds"]["most"] == pytest.approx(max(one.seconds for one in solved), abs=1e-5)
    for one in proven:
        assert all(move.upper <= one.result.best.lower for move in one.result.moves[1:])
    for one in solved:
        assert one.result.best_proven or one.result.stopped_by == "budget"


def test_a_deadline_in_processor_time_counts_no_waiting() -> None:
    with processor_deadline(0.2) as deadline:
        time.sleep(0.4)
        assert not deadline.passed
        rounds = 0
        while not deadline.passed and rounds < 10**9:
            rounds += 1
        assert deadline.passed
