"""`kibitz bench multisets` prints the counts and the time of every form, for any size of alphabet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("tiles", "words", "letters", "parity_bits", "planes"),
    [
        ("english", "cab scab abaca banana baa aa", 26, 32, 16),
        ("czech", "žižala úžas aža áá", 47, 47, 32),
    ],
)
def test_the_report(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tiles: str,
    words: str,
    letters: int,
    parity_bits: int,
    planes: int,
) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))
    (tmp_path / "list.txt").write_text(words.replace(" ", "\n"), encoding="utf-8")
    build = ["lexicon", "build", "--words", str(tmp_path / "list.txt"), "--tiles", tiles, "--id", "small"]
    assert CliRunner().invoke(kibitz, build).exit_code == 0
    bench = ["bench", "multisets", "--lexicon", "small", "--pairs", "50", "--repeat", "3"]
    result = CliRunner().invoke(kibitz, bench)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["letters"], report["pairs"], report["passes"]) == (letters, 50, 3)
    assert report["parity_exceedance"]["parity_bits"] == parity_bits
    assert report["parity_exceedance"]["feasible_exceedances"] > 1
    assert 25 <= report["included"] <= 50, "half of the pairs are parts of a word and that word"
    assert report["bytes"]["planes"] == planes
    assert set(report["sum"]) == {"parity_exceedance", "additive_key", "packed_counters", "planes"}
    assert set(report["inclusion"]) == {"parity_exceedance", "packed_counters", "planes"}
    times = [report["loop"], *report["sum"].values(), *report["inclusion"].values()]
    assert all(time["ns"] >= 0 and time["chained_ns"] >= 0 for time in times)
