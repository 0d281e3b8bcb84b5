"""Large lists: their tables stay small, and so does the memory that building them takes."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.errors import WordListError
from engine.lexicon.build import build_lexicon
from engine.lexicon.store import write_table_file
from engine.rules import tile_set
from tests.movegen.worlds import word_list

if TYPE_CHECKING:
    from pathlib import Path

BUILD = """
import sys
from pathlib import Path
from engine import Catalogue, tile_set
from lexicons.dictionaries import open_list, open_words

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])

before = peak()
built = open_words(open_list("polish"), Path(sys.argv[1]))
Catalogue(Path(sys.argv[1])).build_from(built.word_list, tile_set("polish"), lexicon_id="large")
print(len(built.word_list.words), peak() - before)
"""


def inflected(letters: str, stems: int, endings: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Return random stems and endings of some letters, of which the first are the most frequent."""
    random = Random(seed)
    weights = [1 / (rank + 2) for rank in range(len(letters))]

    def texts(count: int, low: int, high: int) -> list[str]:
        found: set[str] = set()
        while len(found) < count:
            found.add("".join(random.choices(letters, weights, k=random.randint(low, high))))
        return sorted(found)

    return texts(stems, 4, 9), texts(endings, 1, 5)


@pytest.mark.parametrize(("tiles", "most"), [("english", 100), ("czech", 112)])
def test_a_word_takes_so_many_bytes_of_a_table(tiles: str, most: int, tmp_path: Path) -> None:
    letters = range(1, tile_set(tiles).alphabet.size + 1)
    stems, endings = inflected("".join(map(chr, letters)), 2000, 25)
    words = word_list([f"{stem}{ending}".encode("latin-1") for stem in stems for ending in endings])
    path = tmp_path / "large.kibitz"
    write_table_file(path, *build_lexicon(words, tile_set(tiles), id="large"))
    assert path.stat().st_size < most * len(words.words)


@pytest.mark.process
def test_building_takes_so_many_bytes_of_memory_for_a_word(tmp_path: Path) -> None:
    stems, endings = inflected("aeioznwrcty", 5000, 30)
    rules = "".join(f"SFX A 0 {ending} .\n" for ending in endings)
    (tmp_path / "pl_PL.aff").write_text(f"SET UTF-8\nSFX A Y {len(endings)}\n{rules}", "utf-8")
    (tmp_path / "pl_PL.dic").write_text(
        "\n".join([str(len(stems)), *(f"{stem}/A" for stem in stems)]), "utf-8"
    )
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    words, peak = map(int, result.stdout.split())
    assert words > 100_000
    assert peak < 250 * words


def test_more_anagrams_than_a_slot_counts_are_refused() -> None:
    words = word_list([bytes(letters) for letters in permutations(range(1, 7))])
    with pytest.raises(WordListError, match="720 anagrams of one another exceed the limit of 255") as caught:
        build_lexicon(words, tile_set("english"), id="permuted")
    assert caught.value.code == "lexicon_too_large"
