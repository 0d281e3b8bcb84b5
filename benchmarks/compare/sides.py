"""The sides of a comparison: a commit or a folder, with its build, its tables and its worker."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from engine import Lexicon

ROOT: Final = Path(__file__).parents[2]
WORKER: Final = Path(__file__).with_name("worker.py")
WORKERS: Final = ("benchmarks/compare/worker.py", "service/benchmarks/compare_worker.py")
"""Paths of the worker in checkouts, the newest first."""
FIRST_TASKS: Final = ("all", "leaves", "best", "best_leaves")
"""The tasks of old workers, which cannot list them."""
LEXICON_ID: Final = "compared"
COMMAND_LINE: Final = (
    "-c",
    "from importlib import import_module; from os.path import exists; "
    "import_module('kibitz.cli' if exists('kibitz/cli') else 'service.cli').main()",
)
"""The arguments of Python that run the command line of the checkout in the working directory.

Older commits have it in `service`.
"""
_ERROR_LINES: Final = 12


@dataclass(frozen=True)
class Side:
    """Hold one side: its name on the command line, its folder, the folder of its tables, its Python."""

    name: str
    folder: Path
    data: Path
    python: str = sys.executable

    def environment(self) -> dict[str, str]:
        """Return the environment of its processes: its own packages, of the KIBITZ_ variables only
        KIBITZ_SIMD.
        """
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("KIBITZ_") or name == "KIBITZ_SIMD"
        }
        return {**inherited, "PYTHONPATH": str(self.folder)}


def commit_of(name: str, repository: Path) -> str | None:
    """Return the commit that a side names, None if it is a folder; raises InvalidInput ("unknown_side")."""
    if Path(name).is_dir():
        return None
    done = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if done.returncode:
        raise InvalidInput(f"{name} is neither a folder nor a commit of this repository", code="unknown_side")
    return done.stdout.strip()


def prepare(name: str, repository: Path, cache: Path, announce: Callable[[str], None]) -> Side:
    """Return a side ready to run: a folder as it is, or a commit checked out and built under `cache`.

    A commit that was built before is used again. A folder with a .venv runs on the Python in there. Raises
    InvalidInput (code "unknown_side", "not_built", "build_failed").
    """
    commit = commit_of(name, repository)
    if commit is None:
        folder = Path(name).resolve()
        if not any((folder / "engine").rglob("*.so")):
            raise InvalidInput(f"{name} holds no built kernels: run `make kernels` there", code="not_built")
        data = cache / f"data-{folder.as_posix().strip('/').replace('/', '-')}"
        shutil.rmtree(data, ignore_errors=True)  # its code may have changed since
        own = folder / ".venv" / "bin" / "python"
        return Side(name, folder, data, str(own) if own.exists() and folder != ROOT else sys.executable)
    home = cache / commit[:16]
    side = Side(name, home / "source", home / "data")
    if not (home / "built").exists():
        announce(f"Building {name} ({commit[:10]}), once")
        shutil.rmtree(home, ignore_errors=True)
        side.folder.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", "--format=tar", commit], cwd=repository, capture_output=True, check=True
        )
        subprocess.run(["tar", "xf", "-", "-C", str(side.folder)], input=archive.stdout, check=True)
        _checked(side, ["setup.py", "-q", "build_ext", "--inplace"], {}, f"building {name}")
        (home / "built").touch()
    return side


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", *arguments], cwd=repository, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise InvalidInput("comparing commits needs git", code="unknown_side") from None


def _checked(side: Side, arguments: list[str], settings: dict[str, str], what: str) -> None:
    done = subprocess.run(
        [side.python, *arguments],
        cwd=side.folder,
        env=side.environment() | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-_ERROR_LINES:])
        raise InvalidInput(f"{what} failed:\n{tail}", code="build_failed")


def provide_tables(side: Side, lexicon: Lexicon, words: Path) -> None:
    """Build a lexicon's tables with the side's own code, unless they are there; `words` is its word list."""
    built = side.data / f"{lexicon.id}-{lexicon.sha256[:16]}"
    if built.exists():
        return
    side.data.mkdir(parents=True, exist_ok=True)
    for other in side.data.glob(f"*-{'?' * 16}"):  # the folder holds one table, of the lexicon asked for last
        other.unlink()
    options = ["--words", str(words), "--tiles", lexicon.tile_set.id, "--id", LEXICON_ID]
    _checked(
        side,
        [*COMMAND_LINE, "lexicon", "build", *options],
        {"KIBITZ_DATA": str(side.data)},
        f"building tables with {side.name}",
    )
    built.touch()


class Worker:
    """The process that runs the engine of one side."""

    def __init__(self, side: Side, script: Path) -> None:
        self.side = side
        self.script = script
        self._process = subprocess.Popen(
            [side.python, "-P", str(script)],  # -P: the modules beside the script are not importable
            cwd=side.folder,
            env=side.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @classmethod
    def start(cls, side: Side, task: str) -> Self:
        """Start the side's own worker; if it lacks the task, this checkout's worker on the side's engine."""
        for path in WORKERS:
            if (side.folder / path).exists():
                worker = cls(side, side.folder / path)
                if task in worker.tasks():
                    return worker
                worker.close()
        return cls(side, WORKER)

    @property
    def is_own(self) -> bool:
        """Whether the worker belongs to the side's checkout."""
        return self.script.is_relative_to(self.side.folder)

    def tasks(self) -> list[str]:
        """Return the tasks that the worker knows."""
        try:
            tasks: list[str] = self.ask({"tasks": True})["tasks"]
        except InvalidInput:
            return list(FIRST_TASKS)
        return tasks

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
            whose = "" if self.is_own else ", whose checkout has no worker for this task"
            raise InvalidInput(f"{self.side.name}{whose}: {answer['error']}", code="side_failed")
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
