"""Two commits or two builds of kibitz, timed in turns on the same positions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine import InvalidInput
from service.benchmarks.samples import by_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Lexicon
    from service.benchmarks.samples import Sample

WORKER: Final = Path(__file__).with_name("compare_worker.py")
RESAMPLES: Final = 1000
BLOCK: Final = 100  # positions that one side goes through before it is the other's turn
LAST_LINES: Final = 12  # of a failed build, that the error shows


@dataclass(frozen=True)
class Side:
    """Hold one side of a comparison: its name as given, its folder, and the folder of its tables."""

    name: str
    folder: Path
    data: Path


def commit_of(name: str, repository: Path) -> str | None:
    """Return the commit that a side names, None if it is a folder; raises InvalidInput ("unknown_side")."""
    if Path(name).is_dir():
        return None
    done = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if done.returncode:
        raise InvalidInput(f"{name} is neither a folder nor a commit of this repository", code="unknown_side")
    return done.stdout.strip()


def prepare(name: str, repository: Path, cache: Path, tell: Callable[[str], None]) -> Side:
    """Return a side ready to run: a folder as it is, or a commit checked out and built under `cache`.

    A commit that was built before is used again. Raises InvalidInput (code "unknown_side", "not_built",
    "build_failed").
    """
    commit = commit_of(name, repository)
    if commit is None:
        folder = Path(name)
        if not list((folder / "engine" / "movegen").glob("internal_words_narrow*.so")):
            raise InvalidInput(f"{name} holds no built kernels: run `make kernels` there", code="not_built")
        data = cache / f"data-{folder.resolve().as_posix().strip('/').replace('/', '-')}"
        shutil.rmtree(data, ignore_errors=True)  # its code may have changed since
        return Side(name, folder.resolve(), data)
    home = cache / commit[:16]
    source = home / "source"
    if not (home / "built").exists():
        tell(f"Building {name} ({commit[:10]}), once")
        shutil.rmtree(home, ignore_errors=True)
        source.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", "--format=tar", commit], cwd=repository, capture_output=True, check=True
        )
        subprocess.run(["tar", "xf", "-", "-C", str(source)], input=archive.stdout, check=True)
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        _checked(command, source, {}, f"building {name}")
        (home / "built").touch()
    return Side(name, source, home / "data")


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", *arguments], cwd=repository, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise InvalidInput("comparing commits needs git", code="unknown_side") from None


def _checked(command: list[str], folder: Path, more: dict[str, str], what: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env=_environment(folder) | more, capture_output=True, text=True, check=False
    )
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        raise InvalidInput(f"{what} failed:\n{tail}", code="build_failed")


def _environment(folder: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("KIBITZ_") or name == "KIBITZ_SIMD"
    }
    return {**kept, "PYTHONPATH": str(folder)}


def provide_tables(side: Side, lexicon: Lexicon, words: Path) -> None:
    """Build a lexicon's tables with the side's own code, unless they are there; `words` is its word list."""
    if (side.data / f"{lexicon.id}-{lexicon.sha256[:16]}").exists():
        return
    call = "from service.cli import main; main()"
    arguments = [
        "lexicon",
        "build",
        "--words",
        str(words),
        "--tiles",
        lexicon.tile_set.id,
        "--id",
        "compared",
    ]
    _checked(
        [sys.executable, "-c", call, *arguments],
        side.folder,
        {"KIBITZ_DATA": str(side.data)},
        f"building tables with {side.name}",
    )
    (side.data / f"{lexicon.id}-{lexicon.sha256[:16]}").touch()


class Worker:
    """Talk to the process of one side."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            cwd=side.folder,
            env=_environment(side.folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer; raises InvalidInput (code "side_failed")."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the worker has no pipes")
        try:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        answer: dict[str, Any] = json.loads(line) if line else {"error": "its process ended"}
        if "error" in answer:
            raise InvalidInput(f"{self.side.name}: {answer['error']}", code="side_failed")
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def compare(
    sides: Sequence[Side],
    cgps: Sequence[str],
    samples: list[Sample],
    task: str,
    passes: int,
    core: int | None,
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Time two sides in turns on the same positions and return the report.

    Of each position the least time of all passes counts. `ratio` is the second side's mean over the first's,
    `ratio_interval` holds 95 % of its values over games drawn anew (bootstrap).
    """
    blocks = [(first, min(first + BLOCK, len(cgps))) for first in range(0, len(cgps), BLOCK)]
    least = np.full((2, len(cgps)), np.inf)
    with ExitStack() as stack:
        workers = [Worker(side) for side in sides]
        for worker in workers:
            stack.callback(worker.close)
        loaded = [
            worker.ask({"load": cgps, "lexicon": "compared", "data": str(worker.side.data), "core": core})
            for worker in workers
        ]
        sums = [worker.ask({"sum": task}) for worker in workers]
        turn = 0
        for number in range(passes):
            for done, (first, last) in enumerate(blocks, 1):
                for index in (0, 1) if turn % 2 == 0 else (1, 0):
                    spent = workers[index].ask({"run": [first, last], "task": task})["ns"]
                    least[index, first:last] = np.minimum(least[index, first:last], np.array(spent) / 1000)
                turn += 1
                progress(number * len(blocks) + done, passes * len(blocks))
    games = {sample.number: game for game, group in enumerate(by_game(samples)) for sample in group}
    return {
        "task": task,
        "passes": passes,
        "positions": len(cgps),
        "sides": [
            {
                "name": side.name,
                "mean_us": _rounded(least[i].mean()),
                "median_us": _rounded(float(np.median(least[i]))),
                "vector_path": loaded[i]["simd"],
                "plays": sums[i]["plays"],
                "sha256": sums[i]["sum"],
            }
            for i, side in enumerate(sides)
        ],
        "same_plays": sums[0] == sums[1],
        "ratio": _rounded(least[1].mean() / least[0].mean()),
        "ratio_interval": _interval(least, np.array([games[sample.number] for sample in samples])),
        "by_blanks": _groups(least, np.array([sample.blanks for sample in samples]), "blanks"),
        "per_move": _groups(least, np.array([sample.move for sample in samples]), "move"),
    }


def _rounded(value: float) -> float:
    return round(float(value), 3)


def _groups(least: np.ndarray[Any, Any], keys: np.ndarray[Any, Any], name: str) -> list[dict[str, Any]]:
    rows = []
    for key in np.unique(keys):
        a, b = (least[i][keys == key].mean() for i in (0, 1))
        count = int((keys == key).sum())
        rows.append(
            {
                name: int(key),
                "positions": count,
                "us": [_rounded(a), _rounded(b)],
                "ratio": _rounded(b / a),
            }
        )
    return rows


def _interval(least: np.ndarray[Any, Any], games: np.ndarray[Any, Any]) -> list[float]:
    """Return the 2.5th and 97.5th percentile of the ratio over games drawn with replacement."""
    count = int(games.max()) + 1
    sums = np.stack([np.bincount(games, least[i], count) for i in (0, 1)])
    drawn = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    resampled = sums[:, drawn].sum(axis=2)
    low, high = np.percentile(resampled[1] / resampled[0], [2.5, 97.5])
    return [_rounded(low), _rounded(high)]
