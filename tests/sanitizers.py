"""A pytest plugin for the debug build: no test may pass on another build than the one with the checks."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

_BUILD = "debug-lab" if os.environ.get("KIBITZ_LAB") else "debug"  # as debug_build.sh names it
LIBRARY = Path(__file__).resolve().parents[1] / "build" / _BUILD / "lib"

# Sanitized code is several times slower; the release build's run has the full number of examples.
settings.register_profile("sanitized", max_examples=12, deadline=None, print_blob=True)
settings.load_profile("sanitized")


# Tests that are long in Python and short in the kernels, that use the same kernels on one more list, or whose
# processes only write files; and a bound of memory, because the sanitizers need several times as much.
LEFT_TO_THE_RELEASE_BUILD = (
    "test_processes_that_start_together_build_once",
    "test_readers_never_see_half_a_file",
    "test_building_takes_so_many_bytes_of_memory_for_a_word",
    "test_the_reference_agrees_with_the_oracle",
    "test_the_figures_of_the_tournament_lists[file2017",
    "test_the_figures_of_the_tournament_lists[nwl23",
    "test_every_word_of_the_tournament_lists_is_playable",
)


def foreign_kernels() -> list[str]:
    """List the loaded kernels that are not those of the debug build; fail if there is none at all."""
    kernels = [
        Path(module.__file__)
        for name, module in sorted(sys.modules.items())
        if name.startswith(("engine.", "lab.")) and (getattr(module, "__file__", None) or "").endswith(".so")
    ]
    if not kernels:
        raise pytest.UsageError("no kernel is loaded: nothing would be tested")
    return [str(path) for path in kernels if not path.is_relative_to(LIBRARY)]


def pytest_sessionstart() -> None:
    """Refuse to start without the sanitizer's runtime."""
    if not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise pytest.UsageError("AddressSanitizer is not loaded: run tests/debug_build.sh")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop the few tests that say nothing about the kernels with their checks."""
    dropped = [item for item in items if item.name.startswith(LEFT_TO_THE_RELEASE_BUILD)]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to go on with a kernel of the release build."""
    if not session.config.option.collectonly and (foreign := foreign_kernels()):
        raise pytest.UsageError(f"not the debug build: {', '.join(foreign)}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that has loaded a kernel of the release build on the way."""
    if foreign_kernels():
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
