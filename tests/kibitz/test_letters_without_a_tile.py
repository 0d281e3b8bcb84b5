"""Letters that words have but no tile: only a blank can be one of them, as K in Romanian."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import kibitz
from engine.lexicon import Catalogue
from engine.rules import tile_set

if TYPE_CHECKING:
    from pathlib import Path

EMPTY_ROWS = "/".join(["15"] * 15)
WORDS = ["kiwi", "kebab", "casa", "bebe", "web"]
WITHOUT_TILES = {
    "czech": "QWÄÅĽÖØÜ",
    "italian": "JKWXY",
    "romanian": "KQWY",
    "slovene": "QWXY",
    "swedish": "QWÆÜ",
}


@pytest.fixture(scope="module")
def romanian(tmp_path_factory: pytest.TempPathFactory) -> kibitz.Lexicon:
    """A lexicon of a few words with the Romanian tiles."""
    folder = tmp_path_factory.mktemp("romanian")
    words = folder / "words.txt"
    words.write_text("\n".join(WORDS), "utf-8")
    Catalogue(folder).build_from(words, tile_set("romanian"), lexicon_id="few")
    return kibitz.Lexicon.open("few", data=folder)


def position(lexicon: kibitz.Lexicon, rack: str, rows: str = EMPTY_ROWS) -> kibitz.Position:
    return kibitz.Position.from_cgp(f"{rows} {rack}/ 0/0 0", lexicon)


@pytest.mark.parametrize(("name", "letters"), WITHOUT_TILES.items())
def test_the_letters_of_a_tile_set_that_only_a_blank_can_be(name: str, letters: str) -> None:
    tiles = tile_set(name)
    without = [
        letter for letter, count in zip(tiles.alphabet.letters, tiles.counts[1:], strict=True) if count == 0
    ]
    assert sorted(without) == sorted(letters)
    assert all(tiles.values[tiles.alphabet.code(letter)] == 0 for letter in letters)


def test_a_blank_is_such_a_letter_and_scores_nothing_for_it(romanian: kibitz.Lexicon) -> None:
    plays = {play.text: play.score for play in position(romanian, "EBAB?").plays()}
    tiles = tile_set("romanian")
    values = [tiles.values[tiles.alphabet.code(letter)] for letter in "EBAB"]
    assert plays["8D kEBAB"] == 2 * sum(values)
    without = {play.text for play in position(romanian, "EBABE").plays()}
    assert without, "bebe is played"
    assert not any("EBAB" in text.upper() for text in without), "without a blank there is no K"


def test_a_word_needs_a_blank_for_each_of_them(romanian: kibitz.Lexicon) -> None:
    assert not position(romanian, "II?").plays(), "kiwi has two of them"
    assert {play.text[-4:] for play in position(romanian, "II??").plays()} == {"kIwI"}


def test_a_cgp_is_read_and_written_with_such_a_letter(romanian: kibitz.Lexicon) -> None:
    game = kibitz.Game(romanian, racks=["EBAB?CS", "AEIOURT"], seed=1)
    game.play("8D kEBAB")
    text = game.position.to_cgp()
    assert "3kEBAB7" in text
    assert kibitz.Position.from_cgp(text, romanian).to_cgp() == text


def test_a_gcg_is_read_and_written_with_such_a_letter(romanian: kibitz.Lexicon, tmp_path: Path) -> None:
    game = kibitz.Game(romanian, racks=["EBAB?CS", "AEIOURT"], seed=1)
    game.play("8D kEBAB")
    text = kibitz.format_gcg(game.record)
    assert "8D kEBAB" in text
    replay = kibitz.replay_game(kibitz.parse_gcg(text), romanian.tile_set)
    assert not replay.faults
    assert not replay.warnings


def test_a_word_with_such_a_letter_is_valid(romanian: kibitz.Lexicon) -> None:
    assert "kebab" in romanian
    played = position(romanian, "EBAB?")
    assert kibitz.judge(played, "8D kEBAB").acceptable


def test_no_rack_has_a_tile_of_such_a_letter(romanian: kibitz.Lexicon) -> None:
    with pytest.raises(kibitz.InvalidInput, match="K"):
        position(romanian, "KEBAB")
