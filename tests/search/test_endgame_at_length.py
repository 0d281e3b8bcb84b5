"""Thousands of endgames against brute force, and published ones; takes minutes, so marked slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from benchmarks.measurements.endgame import published_endgames
from engine import Budget, EndgameSolver
from engine.position import Pass
from engine.search.endgame import solver
from tests.large_list import ENDGAMES
from tests.search.brute_force import compare
from tests.search.published import replay

if TYPE_CHECKING:
    from engine import Lexicon
    from tests.movegen.worlds import World

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [101, 102, 103])
def test_a_thousand_endgames_agree_with_brute_force(worlds: dict[str, World], seed: int) -> None:
    """One to four tiles a side: blanks, stuck tiles, phonies, odd boards, every way a game may end."""
    found = compare(worlds, seed, count=1_000, most_tiles=4, most_nodes=120)
    assert found.compared == 1_000


def test_bounds_alone_agree_with_brute_force_at_length(
    worlds: dict[str, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "FIRST_NODES", 1)
    monkeypatch.setattr(solver, "ESTIMATE_SHARE", 0.0)
    assert compare(worlds, seed=201, count=300, most_tiles=4, most_nodes=120).compared == 300


class Outcome(NamedTuple):
    """What a published endgame comes to with a word list.

    Its value beside the published one, how many turns at the end of the line brute force can count out, and
    whether the best first move is a pass.
    """

    value: int
    published: int
    counted_out: int
    passes: bool


# Published for other lists, so that words which came or went change the values: VsCanik is of NWL20, VsJoey
# was solved by NWL18, PassFirst by Collins; its first move is a pass here too.
EXPECTED = {
    ("nwl23", "VsCanik"): Outcome(11, 11, 0, passes=False),
    ("nwl23", "VsJoey"): Outcome(56, 55, 5, passes=False),
    ("nwl23", "PassFirst"): Outcome(-56, -63, 2, passes=True),
    ("scowl80", "VsCanik"): Outcome(12, 11, 3, passes=False),
    ("scowl80", "VsJoey"): Outcome(51, 55, 6, passes=False),
    ("scowl80", "PassFirst"): Outcome(-60, -63, 4, passes=True),
}


@pytest.mark.parametrize(
    ("word_list", "name", "expected"),
    [(*key, outcome) for key, outcome in EXPECTED.items()],
    indirect=["word_list"],
)
def test_published_endgames_come_to_what_they_should(
    word_list: Lexicon, name: str, expected: Outcome
) -> None:
    """Proven exactly; the end of the line is what brute force finds there."""
    rows = {row.name: row for row in published_endgames(ENDGAMES, word_list, "passes_each 1;")}
    assert rows[name].value == expected.published
    result = EndgameSolver(word_list).solve(rows[name].position, Budget(seconds=120))
    assert result.certainty == "exact"
    assert (result.lower, result.value, result.upper) == (expected.value,) * 3
    assert isinstance(result.best, Pass) is expected.passes
    assert result.line_complete
    done = replay(rows[name].position, result, word_list, 20_000)
    assert done.turns - done.since >= expected.counted_out
