"""`import kibitz`: about 45 names, one tree of errors, and a quick import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kibitz

MEASURE = """
import re, sys, time
started = time.process_time()
__import__(sys.argv[1])
most = re.search("VmHWM:\\s+([0-9]+) kB", open("/proc/self/status").read())[1]
print(1000 * (time.process_time() - started), int(most) / 1024)
"""


def test_every_public_name_can_be_imported() -> None:
    assert 35 <= len(kibitz.__all__) <= 48
    assert dir(kibitz) == sorted(kibitz.__all__)
    for name in kibitz.__all__:
        assert getattr(kibitz, name) is not None
    with pytest.raises(AttributeError, match="module 'kibitz' has no attribute 'Nonsense'"):
        kibitz.Nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_the_errors_are_one_tree() -> None:
    for error in (
        kibitz.InvalidInput,
        kibitz.IllegalMove,
        kibitz.AmbiguousMove,
        kibitz.NotFound,
        kibitz.MissingTable,
        kibitz.DamagedTable,
    ):
        assert error.__bases__ == (kibitz.EngineError,)


def measured(module: str) -> tuple[float, float]:
    """Return the processor milliseconds and megabytes that importing a module takes, the best of five."""
    command = [sys.executable, "-c", MEASURE, module]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)
    ]
    return min(float(run[0]) for run in runs), min(float(run[1]) for run in runs)


@pytest.mark.process
def test_the_import_is_quick_and_small() -> None:
    """150 ms and 40 MB; a busy machine gets as long as three times the import of NumPy."""
    milliseconds, megabytes = measured("kibitz")
    assert megabytes < 40
    assert milliseconds < max(150, 3 * measured("numpy")[0])


@pytest.mark.process
def test_the_import_loads_nothing_that_searches_and_no_numpy() -> None:
    loaded = loaded_by("import kibitz")
    assert "kibitz" in loaded
    assert not loaded & {"engine.lexicon", "engine.search", "engine.analysis", "numpy", "importlib.metadata"}


@pytest.mark.process
def test_a_lexicon_alone_loads_nothing_that_searches() -> None:
    loaded = loaded_by("import kibitz; kibitz.Lexicon")
    assert "engine.lexicon" in loaded
    assert not loaded & {"engine.search", "engine.analysis"}


def loaded_by(statement: str) -> set[str]:
    """Return the names of the modules that a fresh process has loaded after a statement."""
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())
