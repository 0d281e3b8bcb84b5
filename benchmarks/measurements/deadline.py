"""The time by which answers miss their deadline, beside busy processes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from subprocess import DEVNULL, Popen
from sys import executable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from engine import (
    PREENDGAME_OPPONENTS,
    SIMULATIONS,
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    GameSetup,
    PreendgamePlan,
    SimulationPlan,
    analyze,
)
from lab.selfplay.empty_bag import game_positions, played_games
from service.documents import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine import Lexicon, Position

ENDLESS: Final = 10**8
"""A number of nodes or iterations that no search of the benchmark reaches."""

PLAIN: Final = "plain"
"""The name of an analysis without a search that starts at its deadline."""

ALL: Final = "all"
"""The name of all searches together."""

MIDDLE, COUNTED, SAMPLED, LAST = "middle", "counted", "sampled", "last"
STAGES: Final = {MIDDLE: (), COUNTED: (1, 2), SAMPLED: (3, 4, 5, 6), LAST: (0,)}
"""The stages of a game, with the tiles in the bag; a middle game has more than six."""

_MAX_BAG: Final = 6  # of a pre-endgame
_SPIN: Final = "while True: pass"


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Keep some cores busy, each with a process."""
    command = [executable, "-c", _SPIN]
    neighbours = [Popen(command, stdout=DEVNULL) for _ in range(count)]  # noqa: S603 - a constant command
    try:
        yield
    finally:
        for one in neighbours:
            one.kill()
        for one in neighbours:
            one.wait()


def kinds() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return every kind of search by name: its stage of the game, one of STAGES, and its plan.

    None of them ends before its deadline unless everything is proven.
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
    endgames = {"endgame exact": (LAST, {"endgame": EndgamePlan(ENDLESS)})}
    return {**simulations, **counted, **sampled, **endgames}


def cases(lexicon: Lexicon, count: int) -> dict[str, list[Position]]:
    """Return `count` positions of each of STAGES, at most one for each game and stage, of static self-play.

    Every other position has a blank on the rack, which makes lists of plays long. The number of tiles in the
    bag changes with every second position; middle games are from later and later turns.
    """
    setup = GameSetup.of(lexicon)
    has_blanks = lexicon.tile_set.counts[0] > 0
    found: dict[str, list[Position]] = {stage: [] for stage in STAGES}
    for number, game in enumerate(played_games(setup, "static", ENDLESS)):
        listed = list(game_positions(setup, game))
        for stage, chosen in found.items():
            if len(chosen) >= count:
                continue
            bags = STAGES[stage]
            bag = bags[len(chosen) // 2 % len(bags)] if bags else None
            ones = [
                position
                for in_bag, position in listed
                if (in_bag == bag if bags else in_bag > _MAX_BAG)
                and (0 in position.rack.tiles or not (has_blanks and len(chosen) % 2))
            ]
            if ones:
                chosen.append(ones[0] if bags else ones[number % len(ones)])
        if all(len(chosen) >= count for chosen in found.values()):
            break
    return found


def overshoots(
    lexicon: Lexicon,
    found: dict[str, list[Position]],
    limits: Iterable[int],
    neighbours: int,
    progress: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """Analyze every position with each suitable kind of search and each limit in milliseconds.

    Returns for each answer: kind, bag, whether a blank is on the rack, max_ms, milliseconds by which the
    encoded answer came later than max_ms, whether the deadline cut the search. The first answer of the
    process, which maps the tables, is not counted.

    The kind PLAIN is for comparison: it spins for max_ms and then analyzes without a search, so it shows how
    late any program is on this machine.
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
    """Return the number of answers and of cut ones, and median, p99 and maximum of the overshoot in
    milliseconds.

    Keys are kinds, kinds with a limit, and ALL for everything but PLAIN. An answer before its deadline counts
    as 0.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        names = [line["kind"]] if line["kind"] == PLAIN else [line["kind"], ALL]
        for name in names:
            groups.setdefault(name, []).append(line)
            groups.setdefault(f"{name} {line['max_ms']} ms", []).append(line)
    results = {}
    for name in sorted(groups):
        late = sorted(max(0.0, line["late_ms"]) for line in groups[name])
        results[name] = {
            "answers": len(late),
            "cut": sum(line["cut"] for line in groups[name]),
            "p50": late[len(late) // 2],
            "p99": late[min(len(late) - 1, -(-99 * len(late) // 100) - 1)],
            "most": late[-1],
        }
    return results
