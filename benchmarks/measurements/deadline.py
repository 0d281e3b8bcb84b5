"""How late searches end that a deadline cuts, beside busy neighbours."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from subprocess import DEVNULL, Popen
from sys import executable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from engine import (
    ENDGAME_METHODS,
    PREENDGAME_OPPONENTS,
    SIMULATIONS,
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

PLAIN: Final = "plain"
"""The name of an analysis without a search, begun when its time is up."""

ALL: Final = "all"
"""The name of all searches together."""

MIDDLE, COUNTED, SAMPLED, LAST = "middle", "counted", "sampled", "last"
STAGES: Final = {MIDDLE: (), COUNTED: (1, 2), SAMPLED: (3, 4, 5, 6), LAST: (0,)}
"""The stages of a game in which searches differ, and the tiles in the bag: of a middle game more than six."""

_LARGEST_BAG: Final = 6  # of a pre-endgame
_SPIN: Final = "while True: pass"


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Load so many cores, each by a process of its own."""
    command = [executable, "-c", _SPIN]
    neighbours = [Popen(command, stdout=DEVNULL) for _ in range(count)]  # noqa: S603 - our own words
    try:
        yield
    finally:
        for one in neighbours:
            one.kill()
        for one in neighbours:
            one.wait()


def kinds() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return every way to search by its name: the stage of the game it is for, one of STAGES, and its plan.

    None of them ends before its deadline, unless all is proven.
    """
    simulations = {
        f"simulate {method}": (
            MIDDLE,
            {"simulate": replace(SimulationPlan.preset(method, iterations=ENDLESS), confidence=None)},
        )
        for method in SIMULATIONS
    }
    counted = {
        f"preendgame {model}": (COUNTED, {"preendgame": PreendgamePlan(opponent=model, nodes=ENDLESS)})
        for model in PREENDGAME_OPPONENTS
    }
    sampled = {"preendgame static": (SAMPLED, {"preendgame": PreendgamePlan(nodes=ENDLESS, draws=ENDLESS)})}
    endgames = {
        f"endgame {method}": (LAST, {"endgame": EndgamePlan(method, ENDLESS)}) for method in ENDGAME_METHODS
    }
    return {**simulations, **counted, **sampled, **endgames}


def cases(lexicon: Lexicon, positions: int) -> dict[str, list[Position]]:
    """Return so many positions of each of STAGES, one a game and stage, of static self-play, seeds 1, 2, ...

    Every other one has a blank on the rack, which makes lists of plays long. Two by two they have one tile
    in the bag, two, ... as the stage has it; middle games are of ever later turns.
    """
    setup = GameSetup.of(lexicon)
    has_blanks = lexicon.tile_set.counts[0] > 0
    found: dict[str, list[Position]] = {stage: [] for stage in STAGES}
    for number, game in enumerate(played_games(setup, "static", ENDLESS)):
        listed = list(game_positions(setup, game))
        for stage, chosen in found.items():
            if len(chosen) >= positions:
                continue
            bags = STAGES[stage]
            bag = bags[len(chosen) // 2 % len(bags)] if bags else None
            ones = [
                position
                for count, position in listed
                if (count == bag if bags else count > _LARGEST_BAG)
                and (0 in position.rack.tiles or not (has_blanks and len(chosen) % 2))
            ]
            if ones:
                chosen.append(ones[0] if bags else ones[number % len(ones)])
        if all(len(chosen) >= positions for chosen in found.values()):
            break
    return found


def overshoots(
    lexicon: Lexicon,
    found: dict[str, list[Position]],
    limits: Iterable[int],
    neighbours: int,
    progress: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """Analyze every position in each of the `kinds` for it, with every limit in milliseconds.

    Returns a line each: kind, bag, whether a blank is on the rack, max_ms, milliseconds by which the encoded
    answer came later, whether the deadline cut it. The first answer of a process, which maps the tables, is
    not counted.

    The kind PLAIN is there to compare with: it spins for max_ms and only then analyzes, without a search, so
    it is as late as the machine makes everybody who has used that much of a core.
    """
    lines = []
    searches: dict[str, tuple[str, dict[str, Any]]] = {PLAIN: (MIDDLE, {}), **kinds()}
    work = [
        (kind, found[stage][at], plan, ms)
        for ms in limits
        for at in range(len(found[MIDDLE]))
        for kind, (stage, plan) in searches.items()
    ]
    analyze(AnalysisRequest(work[0][1]), lexicon)
    with busy_neighbours(neighbours):
        for done, (kind, position, plan, ms) in enumerate(work, 1):
            options = AnalysisOptions(sort="equity", max_ms=ms, **plan)
            began = perf_counter()
            while kind == PLAIN and 1000 * (perf_counter() - began) < ms:
                pass
            analysis = analyze(AnalysisRequest(position, options), lexicon)
            dump_analysis(analysis)
            late = 1000 * (perf_counter() - began) - ms
            lines.append(
                {
                    "kind": kind,
                    "bag": position.bag_count(),
                    "blank": 0 in position.rack.tiles,
                    "max_ms": ms,
                    "late_ms": round(late, 3),
                    "cut": analysis.provenance.stopped_by == "deadline",
                }
            )
            progress(done, len(work))
    return lines


def summary(lines: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return answers, cut ones, and p50, p99 and most of the overshoot in milliseconds.

    By kind, by kind and limit, and all but PLAIN together. An answer that comes before its deadline counts
    as 0.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        names = [line["kind"]] if line["kind"] == PLAIN else [line["kind"], ALL]
        for name in names:
            groups.setdefault(name, []).append(line)
            groups.setdefault(f"{name} {line['max_ms']} ms", []).append(line)
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
