"""The ladder: a list of matches and a table of their results. Source: [Heuri], section 9.2."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import Estimate, Match
from kibitz.cli.match import percent, player_statistics
from lab.experiments.journal import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine import GameExecutor, GameSetup, MatchProgress

_SAMP: Final = "heuri_samp,candidates=10,iterations=300"
_SIM: Final = "heuri_sim,candidates=10,iterations=300,refills=10"
_MONTE_CARLO: Final = "monte_carlo,iterations=2000,candidates=12"

RUNGS: Final = tuple(
    (player, other)
    for player in (
        _SAMP,
        f"{_SAMP},opponent_model=seed",
        _SIM,
        f"{_SIM},opponent_model=seed",
        _MONTE_CARLO,
        f"{_MONTE_CARLO},opponent_model=seed",
        f"{_MONTE_CARLO},opponent_model=bayes",
        "best",
    )
    for other in ("static", "heuri6")
)
"""The default matches: every player who searches, against two who do not."""


def ladder_name(lexicon_id: str) -> str:
    """Return the beginning of the names of a ladder's files."""
    return f"ladder-{lexicon_id}"


def run_ladder(
    setup: GameSetup,
    rungs: Sequence[tuple[str, str]],
    games: int,
    seed: int,
    workers: int | GameExecutor,
    output: Path,
    progress: Callable[[tuple[str, str], MatchProgress], None] = lambda names, played: None,
) -> dict[str, Any]:
    """Play the matches, write ladder-LEXICON.json and .md after each of them, and return the report.

    `workers` as for `Match.run`. Each match saves its games in a file ending in .state, from which the next
    run continues. `progress` is called with the names of the players and how far their match has come. Raises
    what `Match` raises, for any of the matches, before the first is played.
    """
    name = ladder_name(setup.lexicon.id)
    output.mkdir(parents=True, exist_ok=True)
    matches = [
        Match(setup, names, games, seed=seed, state=output / f"{name}-{_slug(names, games, seed)}.state")
        for names in rungs
    ]
    report: dict[str, Any] = {
        "experiment": "ladder",
        "format": 1,
        "lexicon": {"id": setup.lexicon.id, "sha256": setup.lexicon.sha256},
        "board": setup.layout.id,
        "rules": setup.rules.id,
        "seed": seed,
        "games": games,
        "matches": [],
    }
    for match in matches:
        names = match.names

        score = match.run(workers, lambda played, names=names: progress(names, played))  # type: ignore[misc]
        report["matches"].append({"score": asdict(score), "players": player_statistics(match)})
        write_file(output / f"{name}.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
        write_file(output / f"{name}.md", ladder_markdown(report).encode())
    return report


def ladder_markdown(report: dict[str, Any]) -> str:
    """Return the table of a ladder as Markdown."""
    rows = ["| match | games | won | points a game |", "|---|---|---|---|"]
    for one in report["matches"]:
        first, second = (player["name"] for player in one["players"])
        spread = one["score"]["spread"]
        won = percent(Estimate(**one["score"]["share"]), 1)
        points = f"{spread['value']:+.1f} [{spread['low']:+.1f}, {spread['high']:+.1f}]"
        rows.append(f"| `{first}` - `{second}` | {one['score']['games']} | {won} | {points} |")
    return "\n".join(
        [f"{report['lexicon']['id']}, seed {report['seed']}, 95 % intervals over pairs", "", *rows, ""]
    )


def _slug(names: tuple[str, str], games: int, seed: int) -> str:
    text = "-".join([*names, str(games), str(seed)])
    return re.sub(r"[^a-z0-9.-]+", "_", text.lower())
