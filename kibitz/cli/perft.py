"""`kibitz perft`: counts and a hash of all plays of each position, to compare engines or versions."""

from __future__ import annotations

from dataclasses import asdict
from typing import IO

import click
import orjson

from engine import EngineError, InternalWords, LoadedBoard, parse_cgp, perft
from kibitz.cli import from_checkout
from kibitz.cli.errors import echo_error
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option


@click.command("perft")
@lexicon_option
@click.option(
    "--generator",
    "generator_name",
    default=InternalWords.name,
    show_default=True,
    metavar="NAME",
    help="The algorithm that finds the plays. In a checkout also anagram, gordon, appel_jacobson, literal or "
    "reference.",
)
@json_option
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"))
def perft_command(lexicon_id: str | None, generator_name: str, as_json: bool, file: IO[str]) -> None:
    """Count and hash every legal play of each position in FILE.

    FILE holds one CGP a line ("-" reads standard input; empty lines are skipped). For each, a line of JSON is
    printed with plays, exchanges, top_score, sum_of_scores and moves_sha256, the SHA-256 of the sorted lines
    "row,column=TILE;...#score". The name comes from chess, where perft counts moves to compare move
    generators. A line with an impossible position is reported on standard error, and the exit code is then 1.

    \b
    kibitz perft positions.cgp
    kibitz perft --lexicon twl06 --generator reference positions.cgp
    """
    lexicon = open_lexicon(lexicon_id)
    if generator_name == InternalWords.name:
        chosen = InternalWords(lexicon)
    else:
        chosen = from_checkout("lab.generators").generator(generator_name, lexicon)
    bad = 0
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            position = parse_cgp(line.strip(), tile_set=lexicon.tile_set)
            position.check()
            board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
            plays = chosen.generate(board, position.rack, position.rules)
        except EngineError as error:
            echo_error(error, f"{file.name}:{number}", as_json)
            bad += 1
            continue
        scores = plays.array["score"].tolist()
        found = ((plays.move(i), score) for i, score in enumerate(scores))
        click.echo(orjson.dumps(asdict(perft(position, found))))
    if bad:
        raise SystemExit(1)
