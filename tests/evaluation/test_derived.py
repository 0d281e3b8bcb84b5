"""Files of derived tables: computed once, read back unchanged, and not used for another word list."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    SimulationPlan,
    TableNotReady,
    analyze,
    parse_cgp,
    tile_set,
)
from engine.evaluation import bingo_leaves, bingo_table
from engine.evaluation.derived import derived, derived_path
from engine.lexicon.catalogue import Catalogue
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon

WORDS = (
    "aerials",
    "trained",
    "retains",
    "nastier",
    "antsier",
    "tones",
    "stone",
    "orations",
    "relation",
    "at",
)


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    return built(tmp_path, WORDS)


def built(folder: Path, words: tuple[str, ...]) -> Lexicon:
    catalogue = Catalogue(folder / "data")
    listed = folder / "words.txt"
    listed.write_text("\n".join(words))
    done = CliRunner().invoke(
        kibitz,
        ["lexicon", "build", "--words", str(listed), "--tiles", "english", "--id", "few", "--bingos"],
        env={"KIBITZ_DATA": str(catalogue.data_directory)},
    )
    assert done.exit_code == 0, done.output
    return catalogue.open("few")


def refuse() -> tuple[dict[str, int], dict[str, np.ndarray]]:
    raise AssertionError("the file exists already")


def test_bingo_files_are_built_with_the_lexicon_and_hold_what_is_computed(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = {size: bingo_leaves.bingo_probabilities(lexicon, size) for size in range(7)}
    entries, arrays = bingo_table.bingo_arrays(lexicon)
    monkeypatch.setattr(bingo_table, "bingo_arrays", refuse)
    monkeypatch.setattr(bingo_leaves, "good_leaf_arrays", refuse)
    table = bingo_table.BingoTable(lexicon)
    assert table.counts.septets == entries["counts"]["septets"] > 50
    assert table.kernel.find(int.from_bytes(table.tiles(table.entry(b"\1\5\11\16\22\23\24")))) >= 0
    assert np.array_equal(table.keys, arrays["keys"])
    assert np.packbits(table.counted, bitorder="little").tobytes() == arrays["counted"].tobytes()
    for size, (keys, probabilities) in fresh.items():
        good = bingo_leaves.good_leaves(lexicon, size)
        assert [int.from_bytes(leave) for leave, _ in good] == keys[: bingo_leaves.SIZES[size]].tolist()
        assert [p for _, p in good] == probabilities[: bingo_leaves.SIZES[size]].tolist()


def test_a_file_that_is_damaged_or_of_other_words_is_computed_again(tmp_path: Path, lexicon: Lexicon) -> None:
    path = derived_path(lexicon, "good_leaves")
    whole = path.read_bytes()
    best = bingo_leaves.good_leaves(lexicon, 2)
    for at in (40, len(whole) // 2, len(whole) - 1):
        path.chmod(0o644)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        again = Catalogue(lexicon.data_directory).open("few")  # as another process does
        assert bingo_leaves.good_leaves(again, 2) == best
        assert path.read_bytes() == whole
    others = built(tmp_path, WORDS[1:])
    assert derived_path(others, "good_leaves") == path
    assert bingo_leaves.good_leaves(others, 2) != best


def test_a_folder_that_cannot_be_written_costs_only_time(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.data_directory = tmp_path / "words.txt"  # a file
    figures, arrays = derived(lexicon, "some", 1, lambda: ({"a": 1}, {"b": np.arange(3)}))
    assert figures == {"a": 1}
    assert arrays["b"].tolist() == [0, 1, 2]


def test_a_deadline_does_not_wait_for_tables_that_must_be_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread computes them, and a later call finds them; without a deadline the first call waits."""
    catalogue = Catalogue(tmp_path / "data")
    listed = tmp_path / "words.txt"
    listed.write_text("\n".join(WORDS))
    catalogue.build_from(listed, tile_set("english"), lexicon_id="few")
    lexicon = catalogue.open("few")
    may_go_on, compute = threading.Event(), bingo_leaves.good_leaf_arrays

    def slowly(lexicon: Lexicon) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        assert may_go_on.wait(60)
        return compute(lexicon)

    monkeypatch.setattr(bingo_leaves, "good_leaf_arrays", slowly)
    position = parse_cgp("15/15/15/15/15/15/15/7TONES3/15/15/15/15/15/15/15 AEGIST?/ 0/22 0 lm 8H TONES;")
    plan = SimulationPlan(candidates=2, iterations=20, opponent_model="seed")
    options = AnalysisOptions(simulate=plan, evaluator="greedy", max_ms=40)
    for _ in range(2):
        with pytest.raises(TableNotReady) as caught:
            analyze(AnalysisRequest(position, options), lexicon)
        assert caught.value.code == "table_not_ready"
        assert "kibitz lexicon build few --bingos" in str(caught.value)
    assert sum(thread.name.startswith("making few.") for thread in threading.enumerate()) == 1
    may_go_on.set()
    assert bingo_leaves.bingo_tables_within(lexicon, 20, leaves=True)
    found = analyze(AnalysisRequest(position, replace(options, max_ms=5_000)), lexicon)
    assert found.sort == "simulate"
    assert found.moves
    assert derived_path(lexicon, "good_leaves").exists()


def test_a_search_that_needs_no_such_table_does_not_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalogue(tmp_path / "data")
    listed = tmp_path / "words.txt"
    listed.write_text("\n".join(WORDS))
    catalogue.build_from(listed, tile_set("english"), lexicon_id="few")
    monkeypatch.setattr(bingo_table, "bingo_arrays", lambda _: refuse())
    position = parse_cgp("15/15/15/15/15/15/15/7TONES3/15/15/15/15/15/15/15 AEGIST?/ 0/22 0")
    plan = SimulationPlan(candidates=2, iterations=20, opponent_model="seed")
    options = AnalysisOptions(simulate=plan, evaluator="greedy", max_ms=5_000)
    assert analyze(AnalysisRequest(position, options), catalogue.open("few")).phase == "simulate"
