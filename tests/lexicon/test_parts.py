"""Optional parts of a table file: built on demand, left out by default."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from engine.errors import InvalidInput, MissingTable
from engine.lexicon.catalogue import Catalogue
from engine.lexicon.rivals.parts import PARTS, part_names, sections_of
from engine.movegen import generator
from engine.rules import tile_set
from service.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "AB\nABA\nBA\nBAA\nABBA\n"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    return path


def test_names_are_read_as_people_write_them() -> None:
    assert part_names("") == ()
    assert part_names(" gaddag, dawg ,gaddag") == ("gaddag", "dawg")
    with pytest.raises(InvalidInput, match="no table part 'trie'; known: dawg, gaddag, anagrams"):
        part_names("dawg,trie")


def test_a_table_has_no_parts_unless_asked_for(tmp_path: Path, words: Path) -> None:
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, tile_set("english"), lexicon_id="small")
    entry = next(entry for entry in catalogue.entries() if entry.id == "small")
    assert entry.parts == ()
    for name in PARTS:
        with pytest.raises(MissingTable, match=f"run: kibitz lexicon build small --with {name}$") as raised:
            sections_of(catalogue.open("small"), name)
        assert raised.value.code == "missing_table_part"


def test_parts_are_added_to_a_table_and_keep_the_rest(tmp_path: Path, words: Path) -> None:
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, tile_set("english"), lexicon_id="small")
    before = catalogue.open("small")
    catalogue.add_parts("small", ("gaddag",))
    catalogue.add_parts("SMALL", ("dawg",))
    after = catalogue.open("small")
    assert list(after.words()) == list(before.words())
    assert next(entry.parts for entry in catalogue.entries() if entry.id == "small") == (
        "dawg",
        "gaddag",
    )
    for name in ("gordon", "appel_jacobson"):
        assert generator(name, after).name == name
    catalogue.build_from(words, tile_set("english"), lexicon_id="small", parts=("dawg", "gaddag"))
    whole = catalogue.open("small")
    for name in ("dawg", "gaddag"):
        for section, array in sections_of(after, name).items():
            assert np.array_equal(array, sections_of(whole, name)[section]), section


def test_the_command_adds_them(tmp_path: Path, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    runner = CliRunner()
    build = ["lexicon", "build"]
    made = runner.invoke(
        kibitz, [*build, "--words", str(words), "--tiles", "english", "--id", "small", "--with", "dawg"]
    )
    assert made.exit_code == 0, made.output
    added = runner.invoke(kibitz, [*build, "small", "--with", "gaddag,anagrams"])
    assert added.exit_code == 0, added.output
    listed = runner.invoke(kibitz, ["lexicon", "list"])
    assert "with dawg, gaddag, anagrams" in " ".join(listed.output.split())
    unknown = runner.invoke(kibitz, [*build, "small", "--with", "trie"])
    assert unknown.exit_code != 0


def test_parts_have_the_sections_that_they_say(tmp_path: Path, words: Path) -> None:
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, tile_set("english"), lexicon_id="small")
    lexicon = catalogue.open("small")
    for name, part in PARTS.items():
        tiles = lexicon.tile_set.canonical()
        meta = {"geometry": lexicon.geometry, "tile_set": tiles, "tile_set_id": "english"}
        meta |= {"letter_count": 26, "word_count": lexicon.word_count, "max_length": lexicon.max_length}
        assert tuple(part.build(lexicon.tables, meta, lambda stage, share: None)) == part.sections, name


def test_a_process_that_uses_no_part_loads_no_kernel_of_one() -> None:
    """The resident memory of a service counts."""
    script = "import sys, service.app; print([m for m in sys.modules if m.endswith(('_narrow', '_kernel'))])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    for kernel in ("automaton", "anagrams", "anagram", "gordon", "appel_jacobson", "parity"):
        assert f".{kernel}_" not in loaded
    assert ".internal_words_narrow" in loaded


def test_optional_parts_leave_the_content_the_same(tmp_path: Path, words: Path) -> None:
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, tile_set("english"), lexicon_id="small")
    plain = catalogue.open("small")
    catalogue.add_parts("small", ("dawg",))
    with_dawg = Catalogue(tmp_path).open("small")
    assert with_dawg.table_sha256 != plain.table_sha256
    assert with_dawg.content_sha256 == plain.content_sha256
    catalogue.build_from(words, tile_set("english_wwf"), lexicon_id="other-tiles")
    assert catalogue.open("other-tiles").content_sha256 != plain.content_sha256
    words.write_text(WORDS + "ABAB\n")
    catalogue.build_from(words, tile_set("english"), lexicon_id="more")
    assert catalogue.open("more").content_sha256 != plain.content_sha256
