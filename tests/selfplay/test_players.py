"""Players by name: their options, their games, and independence of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.errors import InvalidInput
from engine.evaluation.evaluators import LEAVE_EVALUATORS, Evaluator, legal_moves
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.records import parse_cgp
from engine.search import SIMULATIONS
from engine.search.search_player import BEST
from engine.selfplay import BEST_PLAYER, LEVEL_PLAYERS, GameSetup, Match, game_loop, play_game
from engine.selfplay.players import check_player, player, player_plan
from tests.selfplay.replays import replay

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue


KEPT_SEPTET = (  # C7 PLOTTERS scores 62; the septet ELOPSTT has 5 + 4 points
    "15/15/15/15/15/11A3/6BEADLES2/5REH3GOON/5AG4I3/5C5r3/4BI4KI3/5E5N3/1TRANSECT2EM2/5T9/15 "
    "ELOPSTT/ 110/250 0"
)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def test_names_say_the_plan() -> None:
    plan = player_plan("heuri_sim,candidates=10,iterations=300,refills=10,max_ms=900,evaluator=heuri5")
    assert plan is not None
    simulation = plan.simulation
    assert (simulation.candidates, simulation.iterations, simulation.refills) == (10, 300, 10)
    assert (plan.max_ms, plan.evaluator, plan.endgame_nodes) == (900, "heuri5", 0)
    assert player_plan("static") is None
    assert not simulation.halving
    certain = player_plan("monte_carlo,confidence=0,by_win=0,nodes=7,preendgame=1,preendgame_nodes=9")
    assert certain is not None
    assert (certain.simulation.confidence, certain.simulation.by_win) == (None, False)
    assert (certain.endgame_nodes, certain.preendgame_bag, certain.preendgame_nodes) == (7, 1, 9)
    assert certain.simulation.halving  # what a player needs is the best move
    as_before = player_plan("monte_carlo,halving=0")
    assert as_before is not None
    assert as_before.simulation == SIMULATIONS["monte_carlo"]
    quackle = player_plan("quackle,candidates=10")
    assert quackle is not None
    assert quackle.simulation.iterations == 3000  # as many for each as before


def test_the_best_player_may_be_changed() -> None:
    assert player_plan("best") == BEST
    changed = player_plan("best,iterations=60,nodes=50,plies=3")
    assert changed is not None
    assert (changed.simulation.iterations, changed.simulation.plies, changed.endgame_nodes) == (60, 3, 50)
    assert changed.simulation.candidates == BEST.simulation.candidates


def test_heuri_takes_its_rule_for_passes(lexicon: Lexicon) -> None:
    """By default Heuri never passes for its value; "literal" plays other games."""
    plan = player_plan("heuri_samp,candidates=3,evaluator=heuri4,pass=literal")
    assert plan is not None
    assert plan.evaluator == "heuri4,pass=literal"
    matches = [Match(GameSetup.of(lexicon), (name, "greedy"), 6) for name in passing_players("heuri2")]
    for match in matches:
        match.run(1)
    default, never, literal = [match.results.tobytes() for match in matches]
    assert default == never != literal
    for wrong in ("heuri3,pass=maybe", "heuri1,pass=literal", "static,pass=never"):
        with pytest.raises(InvalidInput, match="heuri3,pass=literal"):
            check_player(wrong)
    for wrong in ("best,pass=literal", "best,evaluator=heuri3,pass=maybe"):
        with pytest.raises(InvalidInput, match="cannot have"):
            player_plan(wrong)


def passing_players(name: str) -> list[str]:
    return [name, f"{name},pass=never", f"{name},pass=literal"]


def test_a_player_who_searches_compares_the_pass_that_its_evaluator_weighs(lexicon: Lexicon) -> None:
    position = parse_cgp(KEPT_SEPTET, lexicon=lexicon.id, tile_set=lexicon.tile_set)
    board = LoadedBoard.load(position.board, position.layout, lexicon.tile_set, lexicon)
    for name, expected in zip(passing_players("heuri3"), (False, False, True), strict=True):
        evaluator = Evaluator(name, lexicon, position.rules)
        moves, _ = legal_moves(position, board, InternalWords(lexicon), evaluator)
        best = moves.candidates(3)
        assert (best[0] == moves.passing) is expected
        assert expected or moves.passing not in best


def test_an_unknown_player_is_answered_with_the_list_of_players() -> None:
    with pytest.raises(InvalidInput) as caught:
        check_player("nobody")
    assert caught.value.code == "unknown_player"
    for name in (
        "greedy",
        *LEAVE_EVALUATORS,
        *SIMULATIONS,
        BEST_PLAYER,
        LEVEL_PLAYERS[0],
        LEVEL_PLAYERS[-1],
    ):
        assert name in str(caught.value)
    for wrong in (
        "monte_carlo,depth=3",
        "quackle,plies=many",
        "heuri_sim,plies=3",
        "monte_carlo,confidence=2",
        "best,preendgame=3",
        "best,plies=-1",
        "best,by_win=2",
        "monte_carlo,halving=yes",
    ):
        with pytest.raises(InvalidInput):
            player_plan(wrong)


@pytest.mark.long
def test_a_match_does_not_depend_on_threads(lexicon: Lexicon) -> None:
    names = ("best,iterations=60,candidates=3,nodes=2000", "level8")
    matches = [Match(GameSetup.of(lexicon), names, 4) for _ in range(2)]
    scores = [match.run(threads) for match, threads in zip(matches, (1, 2), strict=True)]
    assert repr(scores[0]) == repr(scores[1])  # so few games have no interval, and NaN equals nothing
    assert matches[0].results.tobytes() == matches[1].results.tobytes()


def test_a_match_of_the_best_continues_only_with_the_same_tuning(
    lexicon: Lexicon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, state = ("best,iterations=20,candidates=2,nodes=500", "level9"), tmp_path / "state"
    Match(GameSetup.of(lexicon), names, 2, state=state).run(1)
    assert Match(GameSetup.of(lexicon), names, 2, state=state).pairs_done == 1
    monkeypatch.setattr("engine.selfplay.players.BEST", replace(BEST, evaluator="heuri4"))
    with pytest.raises(InvalidInput, match="another match"):
        Match(GameSetup.of(lexicon), names, 2, state=state)


def test_one_candidate_is_the_static_player(lexicon: Lexicon) -> None:
    """The seat receives the right board, rack, scores and bag: with one candidate it plays like static."""
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


@pytest.mark.long
def test_all_kinds_of_players_can_play_each_other(lexicon: Lexicon) -> None:
    """Games between levels, evaluators and players who search follow the rules."""
    setup = GameSetup.of(lexicon)
    best = "best,iterations=48,candidates=3,nodes=3000,preendgame=1,preendgame_nodes=500"
    for names in (("level4", "greedy"), ("static", "level9"), (best, "level2"), (best, "heuri2")):
        parts = [player(name, setup, 1) for name in names]
        loop = game_loop(setup, parts[0][0], parts[1][0], (parts[0][1], parts[1][1]))
        for number in range(2):
            game = play_game(loop, 8, number, swapped=bool(number))
            assert len(list(replay(setup, game, 8, number))) == len(game.turns)


def test_an_error_of_a_player_ends_the_match(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.search_player.simulate", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Match(GameSetup.of(lexicon), ("quackle,candidates=2", "static"), 2).run(1)
