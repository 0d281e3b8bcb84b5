"""Objects made at once are those that their constructors make."""

from __future__ import annotations

import dataclasses

import pytest

from engine.position import Board, Player, Position, Rack
from engine.position.filling import filled
from engine.rules import board_layout, default_rule_set, tile_set


def test_an_object_filled_is_the_one_constructed() -> None:
    player = filled(Player, 7, Rack(b"\1\2"), None, 2, "8D AB")
    assert player == Player(7, Rack(b"\1\2"), tile_count=2, last_move="8D AB")
    with pytest.raises(dataclasses.FrozenInstanceError):
        player.score = 8  # type: ignore[misc]


def test_one_without_slots_keeps_what_it_works_out() -> None:
    english, rules = tile_set("english"), default_rule_set("english")
    parts = (Board.empty(15), board_layout("standard15"), english, rules, (Player(), Player()), 0, None, ())
    made = filled(Position, *parts)
    assert made == Position(*parts)
    assert made.unseen() is made.unseen()


def test_all_fields_must_be_given() -> None:
    with pytest.raises(TypeError, match="Rack has 2 fields, not 1"):
        filled(Rack, b"")
    with pytest.raises(TypeError, match="Player has 5 fields, not 1"):
        filled(Player, 1)
