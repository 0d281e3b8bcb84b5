"""`kibitz perft`: the figures and the hash of every play of each position, to compare engines by."""

from __future__ import annotations

from dataclasses import asdict
from typing import IO

import click
import orjson

from engine import ALL_GENERATOR_NAMES, GENERATOR_NAMES, EngineError, LoadedBoard, generator, parse_cgp, perft
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.terminal import shown


@click.command("perft")
@lexicon_option
@click.option(
    "--generator",
    "generator_name",
    type=click.Choice(ALL_GENERATOR_NAMES),
    default=GENERATOR_NAMES[0],
    show_default=True,
    help="The generator that finds the plays.",
)
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"))
def perft_command(lexicon_id: str | None, generator_name: str, file: IO[str]) -> None:
    """Count and hash every legal play of each position in FILE.

    FILE holds one CGP a line ("-" reads standard input; empty lines are skipped); for each a JSON object
    goes out with plays, exchanges, top_score, sum_of_scores and moves_sha256, the SHA-256 of the sorted
    lines "row,column=TILE;...#score". A line that is no possible position is named on standard error, the
    others are answered all the same, and the exit status is 1.

    \b
    kibitz perft positions.cgp
    kibitz perft --lexicon twl06 --generator reference positions.cgp
    """
    lexicon = open_lexicon(lexicon_id)
    chosen = generator(generator_name, lexicon)
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
            click.echo(shown(f"{file.name}:{number}: {error}"), err=True)
            bad += 1
            continue
        scores = plays.array["score"].tolist()
        found = ((plays.move(i), score) for i, score in enumerate(scores))
        click.echo(orjson.dumps(asdict(perft(position, found))))
    if bad:
        raise SystemExit(1)
