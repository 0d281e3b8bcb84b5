"""The quality of choices: losses against the best move known, by the same rollouts for every player."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.errors import InvalidInput
from engine.selfplay import GameSetup
from lab.selfplay.choice_quality import choice_quality, middle_positions

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue

PLAYERS = ("static", "monte_carlo,iterations=40,candidates=4", "static", "level1")


@pytest.fixture(scope="module")
def setup(bundled: Catalogue) -> GameSetup:
    return GameSetup.of(bundled.open("scowl80"))


def test_players_are_compared_on_the_same_positions(setup: GameSetup) -> None:
    found = choice_quality(setup, PLAYERS, 4, candidates=3, rollouts=30)
    assert [one.player for one in found] == list(PLAYERS)
    static, _, again, weak = found
    assert static.losses == again.losses
    assert (again.difference.value, again.changed) == (0, 0)
    assert weak.loss.value > static.loss.value
    assert weak.difference.value == pytest.approx(weak.loss.value - static.loss.value)
    for at in range(4):
        assert min(one.losses[at] for one in found) >= 0
    later = choice_quality(setup, PLAYERS, 2, candidates=3, rollouts=30, seed=3)
    assert [one.losses for one in later] == [one.losses[2:] for one in found]


def test_positions_have_the_last_move_and_hide_the_other_rack(setup: GameSetup) -> None:
    for known, seen, board in middle_positions(setup, 6, 1):
        assert seen.bag_count() == known.bag_count() > 0
        assert known.players[1].rack is not None
        assert seen.players[1].rack is None
        assert board.board == seen.board
        assert (seen.players[1].last_move is None) == (not any(seen.board.squares))


def test_greedy_and_unknown_players_are_refused(setup: GameSetup) -> None:
    for name in ("greedy", "nobody"):
        with pytest.raises(InvalidInput) as caught:
            choice_quality(setup, (name,), 1)
        assert caught.value.code == "unknown_player"
