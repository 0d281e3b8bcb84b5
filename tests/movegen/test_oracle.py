"""Every published position with its figures, on which two independent engines agree."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine.loaded_board import LoadedBoard
from engine.movegen import generator
from engine.movegen.perft import Perft, perft
from engine.movegen.reference import reference_plays
from engine.records import parse_cgp

if TYPE_CHECKING:
    from pathlib import Path

    from engine.position import Position
    from tests.movegen.worlds import World

FIGURES = ("plays", "exchanges", "top_score", "sum_of_scores", "moves_sha256")


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def figures_of(position: Position, world: World) -> Perft:
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, world.lexicon)
    plays = generator("internal_words", world.lexicon).generate(board, position.rack, position.rules)
    return perft(position, ((plays.move(i), int(plays.array["score"][i])) for i in range(len(plays))))


def published(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in FIGURES if name in line}


def test_internal_words_agrees_with_every_line_of_the_oracle(shared_data: Path, twl06: World) -> None:
    lines = read_lines(shared_data / "positions" / "oracle_twl06.jsonl")
    assert len(lines) == 249
    for line in lines:
        position = parse_cgp(line["cgp"])
        position.check()
        assert asdict(figures_of(position, twl06)) == published(line), line["cgp"]


def test_internal_words_agrees_on_the_racks_of_the_seeds(shared_data: Path, twl06: World) -> None:
    lines = read_lines(shared_data / "positions" / "oracle_seed_cases_twl06.jsonl")
    assert len(lines) == 6
    for line in lines:
        figures = asdict(figures_of(parse_cgp(line["cgp"]), twl06))
        known = published(line)
        assert {name: figures[name] for name in known} == known, line["name"]


def test_the_reference_agrees_with_the_oracle(shared_data: Path, twl06: World) -> None:
    """Every eighth line; all 249 agree, which takes the reference some minutes."""
    for line in read_lines(shared_data / "positions" / "oracle_twl06.jsonl")[::8]:
        position = parse_cgp(line["cgp"])
        found = reference_plays(
            position.board, position.layout, position.tile_set, position.rack, twl06.word_set, position.rules
        )
        assert asdict(perft(position, found)) == published(line), line["cgp"]
