"""The quality of opponent models: probabilities by counting, and inference better than random draws."""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import TYPE_CHECKING

import pytest

from engine.search.inference import BLUNDERS, TEMPERATURE
from engine.selfplay import GameSetup
from lab.selfplay.inference_fit import fit_inference
from lab.selfplay.inference_quality import RANDOM_SHARE, _holds, _loss, inference_quality

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue


def test_probabilities_to_hold_a_tile_equal_counted_ones() -> None:
    """A guess holds one tile for certain; the other two of three are drawn."""
    unseen = (1, 3, 2, 4)
    bag = [0, 1, 1, 2, 2, 3, 3, 3, 3]  # less the 1 that is held
    draws = list(combinations(bag, 2))
    for code in range(4):
        counted = sum(code in (1, *draw) for draw in draws) / len(draws)
        assert _holds(code, b"\1", 3, unseen) == pytest.approx(counted)
    held = [_holds(code, b"\1", 3, unseen) for code in range(4)]
    blind = [_holds(code, b"", 3, unseen) for code in range(4)]
    chances = [RANDOM_SHARE * b + (1 - RANDOM_SHARE) * h for b, h in zip(blind, held, strict=True)]
    answers = [1 - chances[0], chances[1], 1 - chances[2], chances[3]]
    assert _loss(b"\1\3\3", [(b"\1", 1.0)], unseen) == pytest.approx(-sum(map(log, answers)))


@pytest.mark.long
def test_inference_is_better_than_random_draws(bundled: Catalogue) -> None:
    quality = inference_quality(GameSetup.of(bundled.open("scowl80")), 2)
    assert quality["off"]["turns"] == quality["bayes"]["turns"] > 20
    assert quality["off"]["gain"] == 0
    assert quality["bayes"]["gain"] > 0


@pytest.mark.long
def test_the_fitted_likelihood_explains_leaves_of_held_out_games(bundled: Catalogue) -> None:
    """The same games give the same figures; the pair that the model uses is among the compared ones."""
    setup, players = GameSetup.of(bundled.open("scowl80")), ("level9", "static")
    report = fit_inference(setup, 2, players=players)
    assert report == fit_inference(setup, 2, players=players)
    gains, used = report["gains"], report["gains"][report["used"]]
    assert (used["temperature"], used["blunders"]) == (TEMPERATURE, BLUNDERS)
    assert gains[report["best"]]["fitted"] == max(one["fitted"] for one in gains)
    assert used["held_out"] == pytest.approx(sum(report["held_out_gains"].values()) / len(players))
    assert used["held_out"] > 0
    assert all(min(turns) > 3 for turns in report["turns"].values())
