"""Every position with published figures: those of two independent engines, or of the reference generator."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.loaded_board import LoadedBoard
from engine.movegen import generator
from engine.movegen.perft import Perft, perft
from engine.movegen.reference import reference_plays
from engine.records import parse_cgp
from tests.large_list import published

if TYPE_CHECKING:
    from engine.position import Position
    from tests.large_list import LargeList
    from tests.movegen.worlds import World


def figures_of(position: Position, world: World) -> Perft:
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, world.lexicon)
    plays = generator("internal_words", world.lexicon).generate(board, position.rack, position.rules)
    return perft(position, ((plays.move(i), int(plays.array["score"][i])) for i in range(len(plays))))


def test_internal_words_agrees_with_every_line_of_the_oracle(large_list: LargeList, large: World) -> None:
    for line in large_list.counted:
        position = parse_cgp(line["cgp"])
        position.check()
        figures, known = asdict(figures_of(position, large)), published(line)
        assert {name: figures[name] for name in known} == known, line["cgp"]


def test_the_reference_agrees_with_the_oracle(large_list: LargeList, large: World) -> None:
    """Every eighth line; all agree, which takes the reference some minutes."""
    for line in large_list.counted[::8]:
        position = parse_cgp(line["cgp"])
        found = reference_plays(
            position.board, position.layout, position.tile_set, position.rack, large.word_set, position.rules
        )
        figures, known = asdict(perft(position, found)), published(line)
        assert {name: figures[name] for name in known} == known, line["cgp"]
