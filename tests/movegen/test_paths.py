"""Every build of the kernel finds the same plays: plain C, AVX2 and AVX-512; narrow and wide."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from engine.errors import EngineError
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords, simd_level, simd_paths, use_simd
from engine.movegen.internal_words_narrow import EMULATES_AVX512
from engine.rules import board_layout, default_rule_set
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, open_lexicon, random_rack

ROOT = Path(__file__).parents[2]
# The vector paths, and the processor flags that each needs (as /proc/cpuinfo spells them).
PATHS = {
    "0": frozenset[str](),
    "1": frozenset({"avx2", "popcnt", "bmi1", "bmi2"}),
    "2": frozenset({"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vpopcntdq"}),
}


def processor_flags() -> frozenset[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text("ascii", "replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line.split(":")[1] for line in lines if line.startswith("flags")), "").split())


def probe(path: str, folder: Path) -> tuple[str, dict[str, str]]:
    """Run the probe in another process; return the path in use and the hash of each world."""
    places = [place for place in (os.environ.get("PYTHONPATH"), str(ROOT)) if place]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    command = [sys.executable, "-m", "tests.movegen.simd_probe", str(folder), *([path] if path else [])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    return lines.pop("path"), lines


@pytest.mark.process
def test_all_vector_paths_of_this_processor_agree(tmp_path: Path) -> None:
    usable = [path for path, needed in PATHS.items() if needed <= processor_flags()]
    if EMULATES_AVX512 and "2" not in usable:
        usable.append("2")
    found = {path: probe(path, tmp_path / path) for path in usable}
    assert {path: used for path, (used, _) in found.items()} == {path: path for path in usable}
    plain = found["0"][1]
    assert len(plain) == 12
    for path, (_, hashes) in found.items():
        assert hashes == plain, path


@pytest.mark.long
def test_wide_equals_narrow_on_english(tmp_path: Path, worlds: dict[str, World]) -> None:
    narrow = worlds["english"]
    wide = World("w", narrow.tile_set, narrow.words, narrow.letters, open_wide(tmp_path, narrow))
    compare_geometries(narrow, wide, games=12)


@pytest.mark.long
def test_wide_equals_narrow_on_a_large_list(tmp_path: Path, large: World) -> None:
    wide = World("w", large.tile_set, large.words, large.letters, open_wide(tmp_path, large))
    compare_geometries(large, wide, games=6)


def open_wide(folder: Path, world: World):  # type: ignore[no-untyped-def]
    return open_lexicon(folder, "wide", world.tile_set, world.words, wide=True)


def compare_geometries(narrow: World, wide: World, games: int) -> None:
    games = max(2, games * settings.default.max_examples // 100)
    assert (narrow.lexicon.geometry, wide.lexicon.geometry) == ("narrow", "wide")
    layout, rules = board_layout("standard15"), default_rule_set("english")
    searches = [InternalWords(world.lexicon) for world in (narrow, wide)]
    compared = 0
    for seed in range(games):
        random = Random(seed)
        for board, _ in play_at_random(random, narrow, layout, rules, 12):
            other = LoadedBoard.load(board.board, layout, wide.tile_set, wide.lexicon)
            rack = random_rack(random, narrow)
            found = []
            for search, loaded in zip(searches, (board, other), strict=True):
                plays = search.generate(loaded, rack, rules)
                found.append([(plays.move(i), int(plays.array["score"][i])) for i in plays.best(len(plays))])
            assert found[0] == found[1]
            compared += len(found[0])
    assert compared > 1000


@pytest.mark.process
def test_without_a_choice_the_best_path_is_taken(tmp_path: Path) -> None:
    assert probe("", tmp_path)[0] == str(max(simd_paths().values()))


@pytest.mark.parametrize("level", [3, -1])
def test_an_unknown_path_is_refused_and_changes_nothing(level: int) -> None:
    before = simd_level()
    with pytest.raises(EngineError, match=f"no vector path {level}; it has 0 \\(plain\\)") as caught:
        use_simd(level)
    assert caught.value.code == "simd_unavailable"
    assert simd_level() == before


def test_every_generator_takes_the_path_that_was_chosen(worlds: dict[str, World]) -> None:
    lexicon = worlds["english"].lexicon
    try:
        for name, level in simd_paths().items():
            use_simd(level)
            assert InternalWords(lexicon).simd == name
            assert InternalWords(lexicon, simd=0).simd == "plain"
    finally:
        use_simd(None)
