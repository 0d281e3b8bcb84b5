"""`LegalMoves`: one numbering and one order of plays, exchanges and the pass, compared with plain Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords, leaves
from engine.movegen.legal_moves import LegalMoves, exchange_leaves
from engine.position import Board, Exchange, Pass, Play, Player, Position, Rack
from engine.rules import RuleSet
from tests.movegen.games import play_at_random
from tests.movegen.worlds import random_layout, random_rack

if TYPE_CHECKING:
    from engine.position import Move
    from tests.movegen.worlds import World

NAMES = ("english", "two-letters", "czech")


def some_moves(world: World, random: Random) -> LegalMoves:
    """Return the moves of a position of a random game, with few different leave values, so that many tie."""
    layout, rules = (
        random_layout(random, 15, symmetric=True, starts=1),
        RuleSet(exchange_limit=random.choice((1, 7))),
    )
    board = play_at_random(random, world, layout, rules, random.choice((0, 1, 4)))[-1][0]
    rack = random_rack(random, world)
    held = random.choice((0, 7, world.tile_set.total))  # with the last one the bag is empty
    players = (Player(rack=rack), Player(tile_count=held))
    position = Position(board.board, layout, world.tile_set, rules, players)
    values = np.array([random.randrange(-3, 4) * 1000 for _ in leaves(rack)], np.int32)
    plays = InternalWords(world.lexicon).generate(board, rack, rules, values)
    return LegalMoves(position, plays, values)


def listed(moves: LegalMoves, by: Literal["score", "equity"]) -> list[tuple[Move, int]]:
    """Return every move with its key, sorted by plain Python."""
    position, values = moves.position, moves.leave_values
    assert values is not None
    numbered = {leave: int(value) for leave, value in zip(leaves(position.rack), values, strict=True)}

    def equity(move: Move, score: int) -> int:
        return 1000 * score + numbered[position.rack.without(move.used).tiles]

    found: list[tuple[Move, int]] = []
    for index in moves.plays.best(len(moves.plays), by).tolist():
        move, score = moves.plays.move(index), int(moves.plays.array["score"][index])
        found.append((move, score if by == "score" else equity(move, score)))
    tiles, bag = position.rack.tiles, position.bag_count()
    others: list[Move] = []
    if bag and bag >= position.rules.exchange_limit:
        for size in range(1, min(bag, len(tiles)) + 1):
            others += [Exchange(bytes(chosen)) for chosen in sorted(set(combinations(tiles, size)))]
    found += [(move, 0 if by == "score" else equity(move, 0)) for move in [*others, Pass()]]
    return sorted(found, key=lambda one: -one[1])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by", ["score", "equity"])
def test_moves_are_those_of_plain_python_in_its_order(
    worlds: dict[str, World], name: str, by: Literal["score", "equity"]
) -> None:
    random, exchanges = Random(3), 0
    for _ in range(12):
        moves = some_moves(worlds[name], random)
        expected = listed(moves, by)
        order = moves.order(by).tolist()
        assert moves.moves(order) == [move for move, _ in expected]
        key = moves.score if by == "score" else moves.equity
        assert key[order].tolist() == [value for _, value in expected]
        ranked = list(enumerate(order, start=1))
        offset, count = random.randrange(4), random.randrange(1, len(moves) + 3)
        assert moves.ranked(count, by, offset=offset) == ranked[offset : offset + count]
        plays = [(rank, number) for rank, number in ranked if number < moves.play_count]
        assert moves.ranked(count, by, offset=offset, only_plays=True) == plays[offset : offset + count]
        at = random.randrange(len(moves))
        assert moves.ranks([order[at]], by) == [at + 1]
        exchanges += moves.exchange_count
    assert exchanges > 100


@pytest.mark.parametrize("name", NAMES)
def test_a_move_is_found_by_its_number_and_the_number_by_the_move(
    worlds: dict[str, World], name: str
) -> None:
    random = Random(4)
    for _ in range(6):
        moves = some_moves(worlds[name], random)
        every = list(moves)
        assert len(every) == len(moves) == moves.play_count + moves.exchange_count + 1
        assert [moves.find(move) for move in every] == list(range(len(moves)))
        assert moves[2:5] == every[2:5]
        assert moves[-1] == Pass() == every[moves.passing]
        assert all(move in moves for move in every[:5])
        with pytest.raises(IndexError):
            moves[len(moves)]
        for one in moves.valued(list(range(len(moves)))):
            assert moves.value(one.move, one.score) == one
            assert one.equity == 1000 * one.score + one.leave_value
            assert one.placed == (len(one.move.used) if isinstance(one.move, Play) else 0)


def test_an_empty_rack_has_only_the_pass(worlds: dict[str, World]) -> None:
    moves = some_moves(worlds["english"], Random(4))
    position = replace(moves.position, players=(Player(), Player(tile_count=7)))
    assert position.most_exchanged == 0 == len(exchange_leaves(position))
    plays = InternalWords(worlds["english"].lexicon).generate(
        LoadedBoard.load(
            position.board, position.layout, worlds["english"].tile_set, worlds["english"].lexicon
        ),
        position.rack,
        position.rules,
    )
    assert list(LegalMoves(position, plays)) == [Pass()]


def test_moves_that_are_illegal_have_no_number(worlds: dict[str, World]) -> None:
    moves = some_moves(worlds["english"], Random(4))
    assert Exchange(moves.position.rack.tiles + b"\1") not in moves
    assert Play(0, 0, False, (1,) * 15) not in moves
    assert "pass" not in moves


def test_the_best_by_an_array_break_ties_by_equity(worlds: dict[str, World]) -> None:
    moves = some_moves(worlds["english"], Random(6))
    key = np.arange(len(moves)) % 3
    equity = moves.equity.tolist()
    order = moves.order(key).tolist()
    assert [(-key[at], -equity[at]) for at in order] == sorted((-key[at], -equity[at]) for at in order)
    assert moves.best(4, key) == order[:4]


def test_a_first_play_downwards_is_the_mirror_image_of_one_across(worlds: dict[str, World]) -> None:
    world, random = worlds["english"], Random(1)
    layout = random_layout(random, 15, symmetric=True, starts=1)
    board = LoadedBoard.load(Board.empty(15), layout, world.tile_set, world.lexicon)
    rack = random_rack(random, world)
    position = Position(board.board, layout, world.tile_set, RuleSet(), (Player(rack=rack), Player()))
    moves = LegalMoves(position, InternalWords(world.lexicon).generate(board, rack, position.rules))
    for number in range(min(5, moves.play_count)):
        play = moves[number]
        assert isinstance(play, Play)
        down = replace(play, row=play.column, column=play.row, down=True)
        assert moves.find(down) == number
        assert moves.value(down, 7).move == down


def test_the_pass_is_a_candidate_if_its_value_is_known_or_the_bag_is_empty(worlds: dict[str, World]) -> None:
    random = Random(8)
    for _ in range(6):
        moves = some_moves(worlds["english"], random)
        every = moves.candidates(len(moves))
        assert (moves.passing in every) == (not moves.position.bag_count() or len(moves) == 1)
        assert every == [number for number in moves.best(len(moves)) if number in every]
        weighing = LegalMoves(moves.position, moves.plays, moves.leave_values, weighs_pass=True)
        assert moves.passing in weighing.candidates(len(moves))
    assert Rack(b"\1\1\2").leave_number(b"\1\2") == 1


def test_a_number_is_found_without_making_the_other_moves(worlds: dict[str, World]) -> None:
    moves = some_moves(worlds["english"], Random(4))
    assert moves.index(moves[3]) == 3
    with pytest.raises(ValueError, match="is not one of these moves"):
        moves.index(moves[3], 4)
    with pytest.raises(ValueError, match="is not one of these moves"):
        moves.index("pass")
    assert moves.best(-1) == []
