"""Samples: the positions that benchmarks measure, from a file or from greedy games."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, TYPE_CHECKING, Final

import numpy as np

from engine import EngineError, InvalidInput, LoadedBoard, format_cgp, leaves, parse_cgp
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine import Lexicon, Position

FIELDS: Final = ("cgp", "move_number", "game")
OWN_GAMES: Final = 20
"""Games played if no file of positions is given: about 500 positions."""
SEED: Final = 1

LEAVE_SPREAD: Final = 8000  # millipoints; about the standard deviation of learned leave values


@dataclass
class Sample:
    """Hold one position and its measurements by contender.

    `nanoseconds`: times of the passes; `counts`: numbers that the contender counted (intervals, candidates,
    plays).
    """

    number: int
    move: int
    game: str
    cgp: str
    position: Position
    nanoseconds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    counts: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def blanks(self) -> int:
        """Number of blanks on the rack."""
        return self.position.rack.tiles.count(0)

    @cached_property
    def leave_values(self) -> NDArray[np.int32]:
        """Random values of the rack's leaves in millipoints, the same in every run."""
        random = np.random.default_rng(self.number)
        return random.normal(0, LEAVE_SPREAD, len(leaves(self.position.rack))).astype(np.int32)

    def load(self, lexicon: Lexicon) -> LoadedBoard:
        """Return the loaded board."""
        position = self.position
        return LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)


def find_samples(file: IO[str] | None, lexicon: Lexicon, games: int | None = None) -> list[Sample]:
    """Return the positions of a file; without a file those of `games` (default OWN_GAMES) greedy games.

    Raises what `read_samples` raises.
    """
    if file is not None:
        return read_samples(file, lexicon, games)
    return own_samples(lexicon, games or OWN_GAMES)


def own_samples(lexicon: Lexicon, games: int) -> list[Sample]:
    """Return the positions of greedy games, the same in every run."""
    samples: list[Sample] = []
    for game in range(games):
        for turn in greedy_game(lexicon, SEED, game):
            text = format_cgp(turn.position)
            samples.append(Sample(len(samples), turn.number, str(game), text, turn.position))
    return samples


def read_samples(file: IO[str], lexicon: Lexicon, games: int | None = None) -> list[Sample]:
    """Read the positions of a TSV file with the columns cgp, move_number and game.

    `games`: number of games to read. Raises InvalidInput (code "bad_positions") with the line.
    """
    rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = set(FIELDS) - set(rows.fieldnames or ())
    if missing:
        raise InvalidInput(
            f"{file.name}:1: the heading lacks the column {min(missing)}", code="bad_positions"
        )
    samples: list[Sample] = []
    seen: set[str] = set()
    for row in rows:
        if games is not None and row["game"] not in seen and len(seen) == games:
            continue
        seen.add(row["game"])
        try:
            position = parse_cgp(row["cgp"], tile_set=lexicon.tile_set)
            position.check()
            samples.append(Sample(len(samples), int(row["move_number"]), row["game"], row["cgp"], position))
        except (EngineError, ValueError, TypeError) as error:
            raise InvalidInput(f"{file.name}:{rows.line_num}: {error}", code="bad_positions") from None
    if not samples:
        raise InvalidInput(f"{file.name}: has no position", code="bad_positions")
    return samples


def by_game(samples: list[Sample]) -> list[list[Sample]]:
    """Return the samples of each game."""
    games: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        games[sample.game].append(sample)
    return list(games.values())
