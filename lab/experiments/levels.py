"""Play games between known levels, and check whether the report of their archive ranks them by level."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING

import kibitz
from engine import AnnotationOptions
from kibitz.archives.player_reports import archive_report
from kibitz.archives.record_annotator import FolderWork
from kibitz.archives.turns_file import TURNS_FILE, TurnsFile
from kibitz.cli.files import write_atomically
from kibitz.cli.record_folder import RecordFolder
from kibitz.cli.workers import record_workers
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kibitz.archives.player_reports import ArchiveReport, PlayerReport


def run_levels(
    lexicon_id: str,
    levels: Sequence[int],
    games: int,
    seed: int,
    workers: int,
    output: Path,
    progress: Callable[[str, int, int], None] = lambda work, done, total: None,
) -> ArchiveReport:
    """Play games, annotate them without endgame searches, and return the report of the players.

    The records are in the folder games, the annotations in annotated; a stopped run continues from them.
    `progress` is called with "playing" or "annotating", the number of games done, and of all.
    """
    settings, annotated = Settings.from_environment(), output / "annotated"
    lexicon = kibitz.Lexicon.open(lexicon_id, data=settings.data)
    play_games(
        lexicon, levels, games, seed, output / "games", lambda done, total: progress("playing", done, total)
    )
    options = AnnotationOptions(endgame_nodes=0)
    work = FolderWork(
        output / "games", annotated, (lexicon.id,), options, settings.data, lexicon.id, settings.simd
    )
    folder = RecordFolder(work)
    with record_workers(work, workers) as annotators, TurnsFile(annotated / TURNS_FILE) as turns:
        for done, outcome in enumerate(folder.annotate(annotators), 1):
            turns.add(outcome.lines)
            progress("annotating", done, len(folder.names))
    return archive_report(annotated)


def misranked(
    report: ArchiveReport, levels: Sequence[int], figure: Callable[[PlayerReport], float]
) -> list[tuple[str, str]]:
    """Return the pairs of neighbouring levels, lower first, of which the lower has the larger figure."""
    players = {player.player: player for player in report.players}
    names = [f"level{level}" for level in sorted(levels)]
    return [(low, high) for low, high in pairwise(names) if figure(players[low]) >= figure(players[high])]


def play_games(
    lexicon: kibitz.Lexicon,
    levels: Sequence[int],
    games: int,
    seed: int,
    folder: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write the records of games between players of different levels, as many of each pair as possible.

    A player has the name of the level: level3. A record that exists is not played again. `progress` is called
    with the number of games done, and of all.
    """
    pairs = list(permutations(levels, 2))
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(games):
        pair = pairs[number % len(pairs)]
        names = [f"level{level}" for level in pair]
        path = folder / f"{number:06}-{'-'.join(names)}.gcg"
        if not path.exists():
            write_atomically(path, _game(lexicon, pair, names, (seed << 32) + number).to_gcg().encode())
        progress(number + 1, games)


def _game(lexicon: kibitz.Lexicon, levels: Sequence[int], names: list[str], seed: int) -> kibitz.Game:
    game = kibitz.Game(lexicon, names, seed=seed)
    while not game.is_over:
        game.play(kibitz.best_move(game.position, level=levels[game.on_turn], seed=seed))
    return game
