"""Suggested tile sets are near the official ones, and a game can be played with them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine import Catalogue, InvalidInput, TileSet, letters_of, suggest_tiles
from engine.lexicon import tile_suggestion
from engine.rules import tile_set
from kibitz.cli import kibitz

LISTS = Path(tile_suggestion.__file__).parents[2] / "lexicons"


@pytest.mark.long
@pytest.mark.parametrize(("lexicon", "tiles"), [("club", "english"), ("dutch", "dutch")])
def test_suggestions_are_near_official_tiles(lexicon: str, tiles: str) -> None:
    """At most 13 of 100 tiles are elsewhere, and values differ by at most one and a half on the mean."""
    official = tile_set(tiles)
    (file,) = (LISTS / lexicon).glob("words.[!k]*.xz")  # not the counts of words
    suggested = suggest_tiles(file, official.letters, official.total, official.counts[0])
    assert (suggested.total, suggested.letters) == (official.total, official.letters)
    apart = np.abs(np.subtract(suggested.counts, official.counts))
    assert apart.sum() / 2 <= 0.13 * official.total
    assert np.abs(np.subtract(suggested.values, official.values)[1:]).mean() < 1.5
    assert (min(suggested.values[1:]), max(suggested.values)) == (1, 10)


@given(
    words=st.lists(st.text("abcdeé", min_size=2, max_size=9), min_size=1),
    blanks=st.integers(0, 3),
    data=st.data(),
)
def test_every_letter_has_a_tile_and_the_total_is_right(
    words: list[str], blanks: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("list") / "words.txt"
    file.write_text("\n".join(words), "utf-8")
    letters = letters_of(file)
    assert letters == [letter for letter in "ABCDEÉ" if letter.lower() in "".join(words)]
    if all(len(word) > 8 for word in words):
        return
    total = data.draw(st.integers(len(letters) + blanks, 60))
    suggested = suggest_tiles(file, letters, total, blanks)
    assert suggested.total == total
    assert suggested.counts[0] == blanks
    assert min(suggested.counts[1:]) >= 1
    assert all(1 <= value <= 10 for value in suggested.values[1:])
    found = [sum(word.upper().count(letter) for word in set(words) if len(word) <= 8) for letter in letters]
    pairs = sorted(zip(found, suggested.counts[1:], suggested.values[1:], strict=True))
    values = [value for _, _, value in pairs]
    assert values == sorted(values, reverse=True), "a rarer letter has no lower value"


def test_faults_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("cat\ncats\n")
    with pytest.raises(InvalidInput, match="5 tiles with 2 blanks are too few for 4 letters") as caught:
        suggest_tiles(file, letters_of(file), 5)
    assert caught.value.code == "too_few_tiles"
    for name, content in (("empty", b""), ("digits", b"123\n"), ("binary", bytes(range(256)) * 20)):
        (tmp_path / name).write_bytes(content)
        done = CliRunner().invoke(kibitz, ["tiles", "suggest", "--words", str(tmp_path / name)])
        assert done.exit_code == 2, name
        assert "Traceback" not in done.output
    done = CliRunner().invoke(kibitz, ["tiles", "suggest", "--words", str(file), "--letters", "A A C"])
    assert done.exit_code == 2


def test_the_csv_builds_a_lexicon_with_digraphs(tmp_path: Path) -> None:
    words, tiles = tmp_path / "words.txt", tmp_path / "tiles.csv"
    words.write_text("chat\nchats\nhat\ncat\nacht\nétat\n", "utf-8")
    arguments = ["tiles", "suggest", "--words", str(words), "--count", "30", "--output", str(tiles)]
    done = CliRunner().invoke(kibitz, [*arguments, "--letters", "A CH C E H S T", "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["tiles"]
    assert [row["letter"] for row in rows] == ["?", "A", "CH", "C", "E", "H", "S", "T"]
    assert [row["is_vowel"] for row in rows][:5] == [False, True, False, False, True]
    read = TileSet.from_csv(tiles.read_text("utf-8"), "tiles")
    assert (read.total, read.counts[0]) == (30, 2)
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, read, lexicon_id="mine")
    assert catalogue.open("mine").word_count == 6
    printed = CliRunner().invoke(kibitz, ["tiles", "suggest", "--words", str(words)])
    assert printed.stdout.startswith("letter,count,value,is_vowel\n?,2,0,0\nA,")
    assert TileSet.from_csv(printed.stdout, "printed").letters == ("A", "C", "É", "H", "S", "T")
