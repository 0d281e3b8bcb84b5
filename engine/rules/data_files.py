"""The data files that come with the rules: tile sets, boards and rule sets."""

from __future__ import annotations

from importlib.resources import files


def data_ids(folder: str, suffix: str) -> tuple[str, ...]:
    """List the names of the data files in a folder, without their suffix, sorted."""
    entries = files("engine.rules").joinpath("data", folder).iterdir()
    return tuple(sorted(entry.name.removesuffix(suffix) for entry in entries if entry.name.endswith(suffix)))


def data_text(*path: str) -> str:
    """Return the text of a data file by its folder, if it is in one, and its name."""
    return files("engine.rules").joinpath("data", *path).read_text(encoding="utf-8")
