"""`kibitz experiment levels`: the report of an archive ranks players of known levels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue


def levels(data: Path, *arguments: str) -> tuple[int, str]:
    environment = {"KIBITZ_DATA": str(data), "COLUMNS": "200"}
    done = CliRunner().invoke(kibitz, ["experiment", "levels", *arguments], env=environment)
    return done.exit_code, done.output


def test_levels_far_from_each_other_are_ranked_rightly(bundled: Catalogue, tmp_path: Path) -> None:
    code, printed = levels(
        bundled.data_directory, "--levels", "2,9", "--games", "6", "--output", str(tmp_path)
    )
    assert code == 0, printed
    assert re.search(r"level9 +6 .*\n *level2 +6 ", printed)
    assert "By equity lost a turn: all levels in their order." in printed
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names[:2] == ["000000-level2-level9.gcg", "000001-level9-level2.gcg"]
    assert len(names) == 6


@pytest.mark.parametrize("given", ["3", "0-4", "a"])
def test_other_levels_are_refused(bundled: Catalogue, tmp_path: Path, given: str) -> None:
    code, _ = levels(bundled.data_directory, "--levels", given, "--output", str(tmp_path))
    assert code == 2


@pytest.mark.slow
def test_nine_levels_are_ranked_rightly(bundled: Catalogue, tmp_path: Path) -> None:
    code, printed = levels(
        bundled.data_directory, "--games", "432", "--workers", "2", "--output", str(tmp_path)
    )
    assert code == 0, printed
    assert re.findall(r"^ *level(\d)", printed, re.MULTILINE) == list("987654321")
