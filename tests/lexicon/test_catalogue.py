"""The catalogue: bundled lexicons, lexicons of one's own, and processes that build at the same time."""

from __future__ import annotations

import json
import lzma
import multiprocessing
import os
import re
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.errors import DamagedTable, InvalidInput, MissingTable, NotFound, WordListError
from engine.lexicon.catalogue import BUNDLED, Catalogue, Manifest
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set
from lexicons.dictionaries import open_lists

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"ab\naba\ncab\nscab\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of bundled lexicons with one tiny one, `tiny`."""
    folder = tmp_path / "lexicons" / "tiny"
    folder.mkdir(parents=True)
    (folder / "words.txt.xz").write_bytes(lzma.compress(TEXT))
    manifest = {
        "id": "tiny",
        "name": "Tiny",
        "language": "en",
        "tile_set": "english",
        "words_file": "words.txt.xz",
        "encoding": "utf-8",
        "word_count": 4,
        "sha256": sha256(TEXT).hexdigest(),
        "source": "made up",
        "source_url": "",
        "licence": "none",
        "about": "tests",
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder.parent / "open_lists.toml").write_text("[german]\n")
    return folder.parent


@pytest.fixture
def catalogue(shelf: Path, tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "data", bundled=shelf)


@pytest.fixture
def own_list(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("zoo\noz\n")
    return path


def test_a_bundled_lexicon_is_built_once_and_then_opened(catalogue: Catalogue) -> None:
    with pytest.raises(MissingTable, match="run: kibitz lexicon build tiny"):
        catalogue.open("tiny")
    (entry,) = catalogue.entries()
    assert (entry.id, entry.built, entry.bundled, entry.word_count) == ("tiny", False, True, 4)
    stages: list[str] = []
    lexicon = catalogue.ensure("tiny", lambda stage, _: stages.append(stage))
    assert lexicon.word_count == 4
    assert lexicon.contains(tile_set("english").alphabet.encode_word("scab"))
    assert stages[0] == "decode"
    assert stages[-1] == "write"
    stages.clear()
    assert catalogue.ensure("TINY", lambda stage, _: stages.append(stage)) is lexicon
    assert not stages
    (entry,) = catalogue.entries()
    assert entry.built
    assert entry.table_bytes == catalogue.table_path("tiny").stat().st_size
    assert entry.table_sha256 == lexicon.table_sha256
    assert entry.sha256 == lexicon.sha256 == sha256(TEXT).hexdigest()


def test_the_same_list_gives_the_same_table(catalogue: Catalogue, tmp_path: Path, shelf: Path) -> None:
    catalogue.build("tiny")
    other = Catalogue(tmp_path / "elsewhere", bundled=shelf)
    other.build("tiny")
    assert other.table_path("tiny").read_bytes() == catalogue.table_path("tiny").read_bytes()


def test_ensure_repairs_a_damaged_table(catalogue: Catalogue) -> None:
    catalogue.ensure("tiny")
    path = catalogue.table_path("tiny")
    whole = path.read_bytes()
    overwrite(path, whole[:-64])
    fresh = Catalogue(catalogue.data_directory, bundled=catalogue.bundled)
    assert "it should have" in fresh.entries()[0].problem
    with pytest.raises(DamagedTable, match="run: kibitz lexicon build tiny"):
        fresh.open("tiny")
    fresh.ensure("tiny")
    assert path.read_bytes() == whole


def overwrite(path: Path, data: bytes) -> None:
    """Damage a file where it lies, as kibitz itself never writes."""
    path.chmod(0o644)
    path.write_bytes(data)


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_anywhere_is_found_when_the_table_is_opened(catalogue: Catalogue, seed: int) -> None:
    catalogue.ensure("tiny")
    path = catalogue.table_path("tiny")
    damaged = bytearray(path.read_bytes())
    random = Random(seed)
    for _ in range(1 if seed % 2 else 20_000):
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    overwrite(path, bytes(damaged))
    fresh = Catalogue(catalogue.data_directory, bundled=catalogue.bundled)
    with pytest.raises(DamagedTable, match="run: kibitz lexicon build tiny") as caught:
        fresh.open("tiny")
    assert caught.value.params["path"] == str(path)
    assert fresh.ensure("tiny").word_count == 4


def test_ensure_rebuilds_when_the_bundled_list_has_changed(catalogue: Catalogue, shelf: Path) -> None:
    catalogue.ensure("tiny")
    text = TEXT + b"scabs\n"
    (shelf / "tiny" / "words.txt.xz").write_bytes(lzma.compress(text))
    manifest = json.loads((shelf / "tiny" / "manifest.json").read_text())
    manifest |= {"word_count": 5, "sha256": sha256(text).hexdigest()}
    (shelf / "tiny" / "manifest.json").write_text(json.dumps(manifest))
    fresh = Catalogue(catalogue.data_directory, bundled=shelf)
    assert "another word list" in fresh.entries()[0].problem
    with pytest.raises(DamagedTable, match="another word list"):
        fresh.open("tiny")
    assert fresh.ensure("tiny").word_count == 5


def test_a_bundled_lexicon_may_be_built_for_larger_boards(catalogue: Catalogue) -> None:
    assert catalogue.ensure("tiny").geometry == "narrow"
    catalogue.build("tiny", wide=True)
    assert catalogue.open("tiny").geometry == "wide"
    assert catalogue.ensure("tiny").geometry == "wide", "a later start keeps it"


def test_tables_of_another_version_are_built_again(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue.ensure("tiny")
    monkeypatch.setattr("engine.lexicon.lexicon.TABLES_VERSION", 999)
    fresh = Catalogue(catalogue.data_directory, bundled=catalogue.bundled)
    with pytest.raises(DamagedTable, match=r"version \d+, not 999; run: kibitz lexicon build tiny"):
        fresh.open("tiny")
    monkeypatch.setattr("engine.lexicon.build.TABLES_VERSION", 999)
    assert fresh.ensure("tiny").word_count == 4


def test_a_bundled_list_must_be_the_one_of_its_manifest(catalogue: Catalogue, shelf: Path) -> None:
    (shelf / "tiny" / "words.txt.xz").write_bytes(lzma.compress(b"other\n"))
    with pytest.raises(WordListError, match="not the list of its manifest"):
        catalogue.ensure("tiny")
    assert not catalogue.table_path("tiny").exists()


def test_a_list_of_ones_own(catalogue: Catalogue, own_list: Path) -> None:
    words = catalogue.build_from(own_list, tile_set("english"), lexicon_id="Mine", name="My words")
    assert words.report.words == 2
    assert [entry.id for entry in catalogue.entries()] == ["mine", "tiny"]
    entry = catalogue.entries()[0]
    assert (entry.name, entry.tile_set, entry.word_count, entry.bundled) == ("My words", "english", 2, False)
    assert catalogue.open("MINE").name == "My words"
    own_list.write_text("zoo\n")
    catalogue.build_from(own_list, tile_set("english"), lexicon_id="mine")
    assert catalogue.open("mine").word_count == 1
    assert catalogue.ensure("mine").word_count == 1


def test_alphabets_over_32_letters_get_wide_tables(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "czech.txt"
    path.write_text("kůň\nžluť\n" + "a" * 20 + "\n", "cp1250")
    words = catalogue.build_from(path, tile_set("czech"), lexicon_id="cz")
    lexicon = catalogue.open("cz")
    assert lexicon.geometry == "wide"
    assert lexicon.word_count == 3
    assert words.report.encoding == "cp1250"
    assert lexicon.tile_set == tile_set("czech")


def test_wide_tables_hold_longer_words(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("ab\n" + "a" * 20 + "\n")
    assert catalogue.build_from(path, tile_set("english"), lexicon_id="x").report.too_long == 1
    assert catalogue.open("x").geometry == "narrow"
    assert catalogue.build_from(path, tile_set("english"), lexicon_id="x", wide=True).report.too_long == 0
    assert catalogue.open("x").geometry == "wide"


@pytest.mark.parametrize("lexicon_id", ["", "../x", "a/b", ".hidden", "x" * 65, "a b", "ñ", "a\0b"])
def test_odd_ids_are_refused_and_never_become_paths(
    catalogue: Catalogue, own_list: Path, lexicon_id: str
) -> None:
    with pytest.raises(InvalidInput, match="is not a lexicon id"):
        catalogue.build_from(own_list, tile_set("english"), lexicon_id=lexicon_id)
    for find in (catalogue.open, catalogue.ensure, catalogue.build):
        with pytest.raises(NotFound):
            find(lexicon_id)
    assert not catalogue.data_directory.exists()


def test_a_bundled_id_is_taken(catalogue: Catalogue, own_list: Path) -> None:
    with pytest.raises(InvalidInput, match="tiny is bundled"):
        catalogue.build_from(own_list, tile_set("english"), lexicon_id="Tiny")


def test_an_unknown_lexicon_names_the_known_ones(catalogue: Catalogue) -> None:
    with pytest.raises(NotFound, match="'CSW24'; known: tiny") as caught:
        catalogue.open("CSW24")
    assert caught.value.code == "unknown_lexicon"
    assert "run: kibitz lexicon build --words FILE --tiles SET --id csw24" in str(caught.value)
    with pytest.raises(NotFound, match=r"known: tiny \(did you mean tiny\?\)"):
        catalogue.open("tinny")
    with pytest.raises(NotFound, match="bundled: tiny"):
        catalogue.build("csw24")
    with pytest.raises(NotFound, match=r"run: kibitz lexicon fetch german$"):
        catalogue.open("German")


def _ensure(data: Path, shelf: Path, done: multiprocessing.Queue[bool]) -> None:
    built: list[str] = []
    catalogue = Catalogue(data, bundled=shelf)
    catalogue.ensure("tiny", lambda stage, _: built.append(stage))
    done.put("write" in built)


@pytest.mark.process
def test_processes_that_start_together_build_once(shelf: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    done: multiprocessing.Queue[bool] = context.Queue()
    processes = [context.Process(target=_ensure, args=(tmp_path / "data", shelf, done)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sorted(done.get(timeout=60) for _ in processes) == [False, False, False, True]


def test_a_build_is_known_while_it_lasts(catalogue: Catalogue) -> None:
    seen = [catalogue.is_building("tiny")]
    catalogue.ensure("tiny", lambda *_: seen.append(catalogue.is_building("tiny")))
    seen.append(catalogue.is_building("tiny"))
    assert (seen[0], set(seen[1:-1]), seen[-1]) == (False, {True}, False)


def test_one_process_at_a_time_builds_for_requests(catalogue: Catalogue) -> None:
    lock = catalogue.claim_requested_build()
    assert lock is not None
    assert catalogue.claim_requested_build() is None
    os.close(lock)
    again = catalogue.claim_requested_build()
    assert again is not None
    os.close(again)


def test_leftovers_of_a_killed_build_are_swept(catalogue: Catalogue) -> None:
    catalogue.tables.mkdir(parents=True)
    leftover = catalogue.tables / ".tiny.kibitz.abcd1234.tmp"
    other = catalogue.tables / ".other.kibitz.abcd1234.tmp"
    leftover.write_bytes(b"half")
    other.write_bytes(b"half")
    catalogue.build("tiny")
    assert not leftover.exists()
    assert other.exists()


def test_a_bad_list_leaves_the_old_table(catalogue: Catalogue, own_list: Path) -> None:
    catalogue.build_from(own_list, tile_set("english"), lexicon_id="mine")
    before = catalogue.table_path("mine").read_bytes()
    own_list.write_text("12\n")
    with pytest.raises(WordListError):
        catalogue.build_from(own_list, tile_set("english"), lexicon_id="mine")
    assert catalogue.table_path("mine").read_bytes() == before


MANIFESTS = {path.parent.name: Manifest.read(path) for path in sorted(BUNDLED.glob("*/manifest.json"))}


def test_eight_languages_are_bundled() -> None:
    assert {manifest.language for manifest in MANIFESTS.values()} == {
        *("da", "en", "es", "fr", "nl", "pl", "pt", "ro")
    }


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if manifest.word_count > 400_000 else [])
        for name, manifest in MANIFESTS.items()
    ],
)
def test_what_is_bundled_is_what_its_manifest_says(name: str) -> None:
    manifest = MANIFESTS[name]
    tiles = tile_set(manifest.tile_set)
    words = read_word_list(
        BUNDLED / name / manifest.words_file, tiles.alphabet, encoding=manifest.encoding, max_length=15
    )
    assert words.sha256 == manifest.sha256
    assert len(words.words) == manifest.word_count
    assert words.report.dropped == words.report.duplicates == 0


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_bundled_lexicon_names_its_source_and_comes_with_its_licence(name: str) -> None:
    manifest = MANIFESTS[name]
    assert manifest.id == name
    assert all((manifest.name, manifest.language, manifest.source, manifest.source_url))
    sources = (BUNDLED / "SOURCES.md").read_text("utf-8")
    assert f"{manifest.word_count:,}" in sources
    assert re.search(rf"^(## {name}: |\| {name} \|.*\| yes \|$)", sources, re.MULTILINE)
    assert (BUNDLED / name / "COPYRIGHT").stat().st_size > 500
    _, _, named = manifest.licence.partition("full terms in ")
    for text in named.split(" and "):
        assert any((folder / text).is_file() for folder in (BUNDLED / name, BUNDLED)), text


def test_the_manifest_of_an_open_list_agrees_with_its_record() -> None:
    recorded = {wanted.id: wanted for wanted in open_lists().values() if wanted.bundled_under}
    assert recorded.keys() == MANIFESTS.keys() - {"club", "scowl80"}
    for name, wanted in recorded.items():
        manifest = MANIFESTS[name]
        assert (manifest.word_count, manifest.sha256) == (wanted.words, wanted.sha256)
        for field in ("name", "language", "tile_set", "source_url"):
            assert getattr(manifest, field) == getattr(wanted, field)
        assert manifest.licence.startswith(f"{wanted.bundled_under}; ")
        assert wanted.bundled_under in wanted.licence
        for source in wanted.sources:
            assert f"{source.package} {source.version} (" in manifest.source
            assert all(sha256 in manifest.source for sha256 in source.files.values())


def test_scowl_is_the_list_that_was_agreed() -> None:
    manifest = Manifest.read(BUNDLED / "scowl80" / "manifest.json")
    assert manifest.word_count == 247_763
    text = lzma.decompress((BUNDLED / "scowl80" / manifest.words_file).read_bytes()).decode("ascii")
    words = text.splitlines()
    assert words == sorted(set(words))
    short = {word for word in words if len(word) == 2}
    assert {"ad", "my", "qi", "za"} <= short
    assert not [word for word in short if not set(word) & set("aeiouy")]
    assert {"colour", "color", "realise", "realize", "aeroplane"} <= set(words)
    licence = (BUNDLED / "scowl80" / "COPYRIGHT").read_text()
    for owner in ("Kevin Atkinson", "J Ross Beresford", "Princeton University", "Geoff Kuenning"):
        assert owner in licence
        assert owner in (BUNDLED / "SOURCES.md").read_text()


def test_the_content_depends_on_words_and_tiles_only(catalogue: Catalogue, own_list: Path) -> None:
    def content(tiles: str = "english", name: str = "") -> str:
        catalogue.build_from(own_list, tile_set(tiles), lexicon_id="mine", name=name)
        return catalogue.open("mine").content_sha256

    plain = content()
    assert content(name="Mine") == plain
    assert content("english_wwf") != plain
    own_list.write_bytes(own_list.read_bytes() + b"\nabab\n")
    assert content() != plain
