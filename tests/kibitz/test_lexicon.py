"""Lexicons: opened by name, built at the first use, and searched for words as text."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import kibitz
from engine.lexicon import Catalogue
from service.settings import Settings
from tests.lexicon.test_catalogue import shelf

__all__ = ["shelf"]  # a fixture: a folder of bundled lexicons with the tiny one "tiny"


def test_words_as_text(lexicon: kibitz.Lexicon) -> None:
    assert "QI" in lexicon
    assert "qi" in lexicon
    for absent in ("QZ", "", "A", "\ud800", "Q" * 1000, 3, b"QI", None):
        assert absent not in lexicon
    assert len(lexicon) == 247_763
    assert repr(lexicon) == "Lexicon('scowl80', 247,763 words)"


def test_iteration_yields_every_word_once_the_shortest_first(small: kibitz.Lexicon) -> None:
    words = list(small)
    assert len(words) == len(set(words)) == len(small)
    assert all(word in small for word in words)
    assert [len(word) for word in words] == sorted(len(word) for word in words)


def test_a_bundled_lexicon_is_built_at_its_first_use(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.library.lexicon.Catalogue", partial(Catalogue, bundled=shelf))
    monkeypatch.delenv("KIBITZ_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    steps: list[tuple[str, float]] = []
    tiny = kibitz.Lexicon.open("Tiny", progress=lambda step, share: steps.append((step, share)))
    assert sorted(tiny) == ["AB", "ABA", "CAB", "SCAB"]
    assert steps[-1] == ("write", 1.0)
    assert kibitz.default_data_folder() == tmp_path / "cache" / "kibitz"
    assert (tmp_path / "cache" / "kibitz" / "tables" / "tiny.kibitz").is_file()
    steps.clear()
    again = kibitz.Lexicon.open("tiny", progress=lambda step, share: steps.append((step, share)))
    assert (steps, again.table_sha256) == ([], tiny.table_sha256)


def test_the_data_folder_is_that_of_the_commands(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "mine"))
    Catalogue(Settings.from_environment().data, bundled=shelf).ensure("tiny")
    assert len(kibitz.Lexicon.open("tiny")) == 4
    assert kibitz.default_data_folder() == Settings().data == tmp_path / "mine"


def test_the_data_folder_is_an_argument(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Catalogue(tmp_path / "mine", bundled=shelf).ensure("tiny")
    assert len(kibitz.Lexicon.open("tiny", data=tmp_path / "mine")) == 4
    assert len(kibitz.Lexicon.open(tmp_path / "mine" / "tables" / "tiny.kibitz")) == 4
    with pytest.raises(kibitz.NotFound, match="there is no lexicon 'tiny'; known: club, danish, ") as caught:
        kibitz.Lexicon.open("tiny")
    assert str(caught.value).count("run: kibitz lexicon build --words FILE --tiles SET --id tiny") == 1
    assert str(caught.value).count("word list") == 1


def test_a_table_file_is_opened_by_its_path(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Catalogue(tmp_path, bundled=shelf).ensure("tiny")
    monkeypatch.chdir(tmp_path / "tables")
    paths = [tmp_path / "tables" / "tiny.kibitz", Path("tiny.kibitz"), "tiny.kibitz", "./tiny.kibitz"]
    for path in [*paths, str(paths[0])]:
        assert len(kibitz.Lexicon.open(path)) == 4
    for absent in (tmp_path / "nowhere.kibitz", "nowhere.kibitz", "tables/nowhere"):
        with pytest.raises(kibitz.MissingTable):
            kibitz.Lexicon.open(absent)
    Path("broken.kibitz").write_bytes(b"no table")
    with pytest.raises(kibitz.DamagedTable):
        kibitz.Lexicon.open("broken.kibitz")


def test_the_default_data_folder_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/someone")
    assert kibitz.default_data_folder() == Path("/home/someone/.cache/kibitz")


def test_a_letter_without_a_tile_is_played_with_a_blank_only(tmp_path: Path) -> None:
    """A tile set of your own gives it the count 0."""
    portuguese = kibitz.tile_set("portuguese")
    names = ("?", *portuguese.alphabet.letters)
    items = [
        {"letter": name, "count": count, "value": value}
        for name, count, value in zip(names, portuguese.counts, portuguese.values, strict=True)
    ]
    tiles = kibitz.TileSet.from_letters([*items, {"letter": "W", "count": 0}], "portuguese_w")
    (tmp_path / "words.txt").write_text("webb\nebb\nab\n", "utf-8")
    Catalogue(tmp_path).build_from(tmp_path / "words.txt", tiles, lexicon_id="webb")
    lexicon = kibitz.Lexicon.open("webb", data=tmp_path)
    assert "webb" in lexicon
    empty = "/".join(["15"] * 15)
    plays = kibitz.Position.from_cgp(f"{empty} EBB?/ 0/0 0", lexicon).plays()
    assert {play.text.split()[1] for play in plays if "w" in play.text.lower()} == {"wEBB"}
    with pytest.raises(kibitz.EngineError) as caught:
        kibitz.Position.from_cgp(f"{empty} WEBB/ 0/0 0", lexicon)
    assert caught.value.code == "too_many_tiles"
