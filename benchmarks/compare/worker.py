"""One side of `kibitz bench compare`: a process that runs the engine of the checkout it belongs to.

Run as a script with that checkout as working directory and on PYTHONPATH. `kibitz bench compare` runs each
side's own copy of this file, so the requests below are a contract between versions: add to them, change none.
Each request and each answer is a line of JSON:

    {"tasks": true}
        -> {"tasks": [name, ...]}: the tasks that this worker knows
    {"load": [CGP, ...], "lexicon": ID, "data": FOLDER, "core": N or null}
        -> {"positions": n, "simd": name of the vector path}
    {"sum": TASK, "items": n}
        -> {"sum": sha256 of the results, "plays": n}
    {"run": [first, last], "task": TASK}
        -> {"ns": [...], "cpu_ns": [...]}: wall and processor time of the items first .. last - 1

An item is a position of "load"; of `selfplay` it is a match of MATCH_GAMES games with the seed item + 1.
An error is answered by {"error": text}.
"""

from __future__ import annotations

import gc
import hashlib
import json
import math
import os
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Lexicon

FIELDS = ("score", "equity", "line", "start", "length", "placed", "blanks")
ITERATIONS = 500
CANDIDATES = 10
NODES = 20_000
TABLE_MB = 16
MATCH_GAMES = 10
PLAYER = "static"
LEAVE_SPREAD = 8000  # millipoints


class Side:
    """Hold the lexicon and the loaded positions of this side, and what each task calls."""

    lexicon: Lexicon
    generator: Any

    def __init__(self) -> None:
        self.calls: dict[str, Callable[[int], Any]] = {}
        self.cgps: list[str] = []

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Open the lexicon and store the positions; a task reads them when it is first asked for."""
        from engine import Catalogue, InternalWords

        if request["core"] is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {request["core"]})
        self.lexicon = Catalogue(Path(request["data"])).open(request["lexicon"])
        self.generator = InternalWords(self.lexicon)
        self.cgps = request["load"]
        self.calls.clear()
        return {"positions": len(self.cgps), "simd": str(self.generator.simd)}

    def call(self, task: str) -> Callable[[int], Any]:
        """Return what does one item of a task and returns its result."""
        if task not in self.calls:
            self.calls[task] = TASKS[task](self, task)
            gc.collect()
            gc.disable()
        return self.calls[task]

    def run(self, first: int, last: int, task: str) -> dict[str, Any]:
        """Time the items first .. last - 1."""
        call, wall, processor = self.call(task), time.perf_counter_ns, time.process_time_ns
        spent, worked = [], []
        for item in range(first, last):
            worked_before = processor()
            began = wall()
            result = call(item)
            spent.append(wall() - began)
            worked.append(processor() - worked_before)
            del result
        gc.collect()
        return {"ns": spent, "cpu_ns": worked}

    def sum(self, task: str, items: int) -> dict[str, Any]:
        """Return a hash over the results of all items, and how many results they are."""
        call, digest, count = self.call(task), hashlib.sha256(), 0
        for item in range(items):
            result = call(item)
            if task in GENERATING:
                rows = np.stack([result.array[name].astype(np.int64) for name in FIELDS], axis=1)
                digest.update(rows[np.lexsort(rows.T[::-1])].tobytes())  # in one order
                count += len(rows)
            else:
                digest.update(f"{result}\n".encode())
                count += 1
        return {"sum": digest.hexdigest(), "plays": count}


def generating(side: Side, task: str) -> Callable[[int], Any]:
    """Generate plays: all or the best one alone, by score or with random values of the leaves."""
    from engine import LoadedBoard, parse_cgp

    best, with_leaves = task.startswith("best"), task.endswith("leaves")
    if best and not hasattr(side.generator, "best"):
        raise ValueError("this side cannot look for the best play alone")
    find = side.generator.best if best else side.generator.generate
    loaded = []
    for number, cgp in enumerate(side.cgps):
        position = parse_cgp(cgp, tile_set=side.lexicon.tile_set)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, side.lexicon)
        leaves = math.prod(count + 1 for count in Counter(position.rack.tiles).values())
        values = np.random.default_rng(number).normal(0, LEAVE_SPREAD, leaves).astype(np.int32)
        loaded.append((board, position.rack, position.rules, values if with_leaves else None))
    return lambda item: find(*loaded[item])


def best_equity(side: Side, _: str) -> Callable[[int], Any]:
    """Find the best play by equity of a position seen for the first time, with the learned leaves."""
    from engine import LoadedBoard, leave_table, parse_cgp

    positions = [parse_cgp(cgp, tile_set=side.lexicon.tile_set) for cgp in side.cgps]
    boards = [LoadedBoard.load(one.board, one.layout, one.tile_set, side.lexicon) for one in positions]
    leave_table(side.lexicon)  # read before the clock starts
    evaluators = sys.modules["engine.evaluation.evaluators"]  # older checkouts have no public name for it
    evaluator, search = evaluators.Evaluator("static", side.lexicon, positions[0].rules), side.generator

    def in_one_call(item: int) -> Any:
        return evaluator.best_play(boards[item], replace(positions[item]), search)[0]

    def in_two_calls(item: int) -> Any:
        board, position = boards[item], replace(positions[item])
        values = evaluator.leave_values(board, position)[0].array
        return search.best(board, position.rack, position.rules, values)

    return in_one_call if hasattr(evaluator, "best_play") else in_two_calls


def rollouts(side: Side, _: str) -> Callable[[int], Any]:
    """Simulate: every candidate gets the same number of rollouts; the result is the best move."""
    from engine import AnalysisOptions, AnalysisRequest, SimulationPlan, analyze, parse_cgp

    plan = SimulationPlan(candidates=CANDIDATES, iterations=ITERATIONS, plies=2, confidence=None)
    options = AnalysisOptions(top_n=1, sort="equity", simulate=plan, threads=1)
    requests = [AnalysisRequest(parse_cgp(cgp, tile_set=side.lexicon.tile_set), options) for cgp in side.cgps]

    def simulate(item: int) -> str:
        best = analyze(requests[item], side.lexicon).moves[0]
        return f"{best.text} {best.score}"

    return simulate


def endgame(side: Side, _: str) -> Callable[[int], Any]:
    """Solve endgames with a limit of nodes; the result is the value and its proven bounds."""
    from engine import Budget, EndgameSolver, parse_cgp

    solver = EndgameSolver(side.lexicon, table_mb=TABLE_MB)
    positions = [parse_cgp(cgp, tile_set=side.lexicon.tile_set) for cgp in side.cgps]

    def solve(item: int) -> str:
        found = solver.solve(positions[item], Budget(nodes=NODES, seconds=None))
        return f"{found.value} {found.lower} {found.upper}"

    return solve


def selfplay(side: Side, _: str) -> Callable[[int], Any]:
    """Play matches of two equal players; the result is the final points of each game."""
    from engine import GameSetup, Match

    setup = GameSetup.of(side.lexicon)

    def play(item: int) -> str:
        match = Match(setup, (PLAYER, PLAYER), MATCH_GAMES, seed=item + 1)
        match.run(1)
        return str(match.by_player("final").tolist())

    return play


GENERATING = ("all", "leaves", "best", "best_leaves", "best_equity")
TASKS: dict[str, Callable[[Side, str], Callable[[int], Any]]] = {
    **dict.fromkeys(GENERATING, generating),
    "best_equity": best_equity,
    "rollouts": rollouts,
    "endgame": endgame,
    "selfplay": selfplay,
}


def answered(side: Side, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request."""
    if "tasks" in request:
        return {"tasks": list(TASKS)}
    if "load" in request:
        return side.load(request)
    if "run" in request:
        return side.run(request["run"][0], request["run"][1], request["task"])
    return side.sum(request["sum"], request.get("items", len(side.cgps)))


def main() -> None:
    """Answer requests until standard input ends."""
    side = Side()
    for line in sys.stdin:
        try:
            answer = answered(side, json.loads(line))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
