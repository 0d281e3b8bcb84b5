"""Simulating players: their names, their games, and that threads do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.errors import InvalidInput
from engine.selfplay import GameSetup, Match, game_loop, play_game
from engine.selfplay.players import SimulatingPlan, player

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def test_names_say_the_plan() -> None:
    plan = SimulatingPlan.parse(
        "heuri_sim,candidates=10,iterations=300,refills=10,max_ms=900,evaluator=heuri5"
    )
    assert plan is not None
    assert (plan.plan.candidates, plan.plan.iterations, plan.plan.refills) == (10, 300, 10)
    assert (plan.max_ms, plan.evaluator) == (900, "heuri5")
    assert SimulatingPlan.parse("static") is None
    assert SimulatingPlan.parse("monte_carlo,confidence=0") is not None
    for wrong in (
        "monte_carlo,depth=3",
        "quackle,plies=many",
        "heuri_sim,plies=3",
        "monte_carlo,confidence=2",
    ):
        with pytest.raises(InvalidInput):
            SimulatingPlan.parse(wrong)


def test_a_match_does_not_depend_on_threads(lexicon: Lexicon) -> None:
    names = ("monte_carlo,iterations=60,candidates=3", "static")
    matches = [Match(GameSetup.of(lexicon), names, 4) for _ in range(2)]
    assert matches[0].run(1) == matches[1].run(2)
    assert matches[0].results.tobytes() == matches[1].results.tobytes()


def test_one_candidate_is_the_static_player(lexicon: Lexicon) -> None:
    """The hook hands over the right board, rack, scores and bag: without a choice it plays as static does."""
    setup = GameSetup.of(lexicon)
    games = []
    for name in ("monte_carlo,candidates=1", "static"):
        parts = [player(name, setup, 1) for _ in range(2)]
        loop = game_loop(setup, parts[0][0], parts[1][0], (parts[0][1], parts[1][1]))
        games.append([play_game(loop, 5, number, swapped=bool(number % 2)) for number in range(3)])
    for thinking, plain in zip(*games, strict=True):
        assert thinking.final == plain.final
        assert thinking.turns["play"].tolist() == plain.turns["play"].tolist()
        assert thinking.turns["equity"].tolist() == plain.turns["equity"].tolist()


def test_an_error_of_a_player_ends_the_match(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.selfplay.players.simulate", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Match(GameSetup.of(lexicon), ("quackle,candidates=2", "static"), 2).run(1)
