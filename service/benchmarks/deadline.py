"""How late searches end that a deadline cuts, beside busy neighbours."""

from __future__ import annotations

from contextlib import contextmanager
from subprocess import DEVNULL, Popen
from sys import executable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from engine import (
    PHASES,
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    GameSetup,
    PreendgamePlan,
    SimulationPlan,
    analyze,
    game_positions,
    played_games,
)
from service.schemas.answers import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine import Lexicon, Position

ENDLESS: Final = 10**8
"""Nodes, or iterations, that no deadline of the benchmark leaves time for."""

_LARGEST_BAG: Final = 6  # of a pre-endgame
_SPIN: Final = "while True: pass"


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Keep so many cores busy, each by a process of its own."""
    command = [executable, "-c", _SPIN]
    neighbours = [Popen(command, stdout=DEVNULL) for _ in range(count)]  # noqa: S603 - our own words
    try:
        yield
    finally:
        for one in neighbours:
            one.kill()
        for one in neighbours:
            one.wait()


def cases(lexicon: Lexicon, positions: int) -> dict[str, list[Position]]:
    """Return so many positions of each of PHASES, one a game and phase, of static self-play, seeds 1, 2, ...

    Turn and turn about they have one tile in the bag, two, ... six; simulations are of ever later turns.
    """
    setup = GameSetup.of(lexicon)
    found: dict[str, list[Position]] = {phase: [] for phase in PHASES}
    for number, game in enumerate(played_games(setup, "static", ENDLESS)):
        listed = list(game_positions(setup, game))
        by_phase = {
            "simulate": [position for bag, position in listed if bag > _LARGEST_BAG],
            "preendgame": [position for bag, position in listed if bag == number % _LARGEST_BAG + 1],
            "endgame": [position for bag, position in listed if bag == 0],
        }
        for phase, ones in by_phase.items():
            if ones and len(found[phase]) < positions:
                found[phase].append(ones[number % len(ones)] if phase == "simulate" else ones[0])
        if all(len(ones) >= positions for ones in found.values()):
            return found
    return found


def overshoots(
    lexicon: Lexicon,
    found: dict[str, list[Position]],
    limits: Iterable[int],
    neighbours: int,
    progress: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """Analyze every position by its phase with every limit in milliseconds, searches that would never end.

    Returns a line each: phase, bag, max_ms, milliseconds by which the encoded answer came later, whether the
    deadline cut it. The first answer of a process, which maps the tables, is not counted.
    """
    lines = []
    work = [(phase, one, ms) for ms in limits for phase, ones in found.items() for one in ones]
    analyze(AnalysisRequest(work[0][1]), lexicon)
    with busy_neighbours(neighbours):
        for done, (phase, position, ms) in enumerate(work, 1):
            options = AnalysisOptions(
                sort="equity",
                phase=phase,
                simulate=SimulationPlan(iterations=ENDLESS, confidence=None) if phase == "simulate" else None,
                preendgame=PreendgamePlan(nodes=ENDLESS, draws=ENDLESS) if phase == "preendgame" else None,
                endgame=EndgamePlan(nodes=ENDLESS) if phase == "endgame" else None,
                max_ms=ms,
            )
            began = perf_counter()
            analysis = analyze(AnalysisRequest(position, options), lexicon)
            dump_analysis(analysis)
            late = 1000 * (perf_counter() - began) - ms
            lines.append(
                {
                    "phase": phase,
                    "bag": position.bag_count(),
                    "max_ms": ms,
                    "late_ms": round(late, 3),
                    "cut": analysis.provenance.stopped_by == "deadline",
                }
            )
            progress(done, len(work))
    return lines


def summary(lines: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return answers, cut ones, and p50, p99 and most of the overshoot in milliseconds, by phase and limit.

    An answer that comes before its deadline counts as 0.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        for name in (line["phase"], f"{line['phase']} {line['max_ms']} ms", "all"):
            groups.setdefault(name, []).append(line)
    figures = {}
    for name in sorted(groups):
        late = sorted(max(0.0, line["late_ms"]) for line in groups[name])
        figures[name] = {
            "answers": len(late),
            "cut": sum(line["cut"] for line in groups[name]),
            "p50": late[len(late) // 2],
            "p99": late[min(len(late) - 1, -(-99 * len(late) // 100) - 1)],
            "most": late[-1],
        }
    return figures
