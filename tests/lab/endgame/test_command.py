"""`kibitz experiment endgame`: a published method's answer, in the form of `kibitz endgame`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from engine import GameSetup, format_cgp
from lab.endgame import METHODS
from lab.selfplay.empty_bag import first_endgames
from tests.command_line.conftest import run

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

__all__ = ["run"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.long
def test_it_answers_as_kibitz_endgame_does(run: Run, bundled: Catalogue, method: str) -> None:
    (position,) = first_endgames(GameSetup.of(bundled.open("scowl80")), "greedy", 1)
    assert position is not None
    limits = (format_cgp(position), "--nodes", "1", "--json")
    exact = json.loads(run("endgame", *limits).stdout)
    answer = json.loads(run("experiment", "endgame", "--method", method, *limits).stdout)
    assert answer.pop("method") == method
    assert answer.keys() == exact.keys()
    assert exact["lower"] <= answer["lower"] <= answer["value"] <= answer["upper"] <= exact["upper"]
