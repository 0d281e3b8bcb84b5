"""One side of `kibitz bench compare`: a process that generates plays with the kibitz of another folder.

Run as a script with that folder as working directory and on PYTHONPATH, by this version of kibitz whatever
the side's version is; so it uses only what every version has. It answers lines of JSON:

    {"load": [CGP, ...], "lexicon": ID, "data": FOLDER, "core": N or null}  ->  {"positions": n, "simd": name}
    {"run": [from, to], "task": "all" | "leaves" | "best" | "best_leaves"}  ->  {"ns": [...]}
    {"sum": task}  ->  {"sum": sha256 over the plays of all positions, "plays": n}

A fault is answered by {"error": text}.
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
from pathlib import Path
from typing import Any

import numpy as np

FIELDS = ("score", "equity", "line", "start", "length", "placed", "blanks")


class Side:
    """Hold the loaded positions and the generator of this side."""

    search: Any  # a generator of that side's version

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Open the lexicon, load the boards, and value the leaves of each rack at random."""
        from engine import Catalogue, LoadedBoard, generator, parse_cgp

        if request["core"] is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {request["core"]})
        lexicon = Catalogue(Path(request["data"])).open(request["lexicon"])
        self.search = generator("internal_words", lexicon)
        self.positions = []
        for number, cgp in enumerate(request["load"]):
            position = parse_cgp(cgp, tile_set=lexicon.tile_set)
            board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
            count = math.prod(held + 1 for held in Counter(position.rack.tiles).values())
            values = np.random.default_rng(number).normal(0, 8000, count).astype(np.int32)
            self.positions.append((board, position.rack, position.rules, values))
        gc.collect()
        gc.disable()
        return {"positions": len(self.positions), "simd": str(self.search.simd)}

    def call(self, task: str, index: int) -> Any:
        """Generate for one position."""
        board, rack, rules, made_up = self.positions[index]
        values = made_up if task.endswith("leaves") else None
        if not task.startswith("best"):
            return self.search.generate(board, rack, rules, values)
        if not hasattr(self.search, "best"):
            raise ValueError("this side cannot look for the best play alone")
        return self.search.best(board, rack, rules, values)

    def run(self, first: int, last: int, task: str) -> dict[str, Any]:
        """Time the positions first .. last - 1."""
        clock, spent = time.perf_counter_ns, []
        for index in range(first, last):
            began = clock()
            plays = self.call(task, index)
            spent.append(clock() - began)
            del plays
        gc.collect()
        return {"ns": spent}

    def sum(self, task: str) -> dict[str, Any]:
        """Return a hash over the plays, whatever their order and the numbers of words."""
        digest, count = hashlib.sha256(), 0
        for index in range(len(self.positions)):
            array = self.call(task, index).array
            rows = np.stack([array[name].astype(np.int64) for name in FIELDS], axis=1)
            digest.update(rows[np.lexsort(rows.T[::-1])].tobytes())
            count += len(rows)
        return {"sum": digest.hexdigest(), "plays": count}


def main() -> None:
    """Answer requests until standard input ends."""
    side = Side()
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if "load" in request:
                answer = side.load(request)
            elif "run" in request:
                answer = side.run(request["run"][0], request["run"][1], request["task"])
            else:
                answer = side.sum(request["sum"])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
