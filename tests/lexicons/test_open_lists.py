"""Open word lists: which words of a dictionary are played, and how the lists are found and recorded."""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.errors import NotFound, WordListError
from engine.lexicon import Catalogue
from engine.lexicon.lexicon import BUNDLED
from engine.lexicon.word_lists.front_coding import front_decoded
from engine.rules import tile_set_ids
from kibitz.cli import kibitz
from lexicons.dictionaries import open_list, open_lists, open_words
from lexicons.dictionaries.open_list import find_files

ADDED = {name: set(wanted.rules.added_words.split()) for name, wanted in open_lists().items()}
EMPTY_BOARD = "/".join(["15"] * 15)


def dictionary(folder: Path, language: str, affixes: str, *entries: str) -> Path:
    """Write the first dictionary of a language into a folder; return the folder."""
    affix_file, dictionary_file = open_list(language).sources[0].files
    (folder / affix_file).write_text(f"SET UTF-8\n{affixes}", "utf-8")
    (folder / dictionary_file).write_text("\n".join([str(len(entries)), *entries, ""]), "utf-8")
    return folder


def played(folder: Path, language: str) -> set[str]:
    return set(open_words(open_list(language), folder).text.decode().split())


def test_every_record_names_a_tile_set_a_licence_and_its_files() -> None:
    assert len(open_lists()) == 14
    for wanted in open_lists().values():
        assert wanted.tile_set in tile_set_ids()
        assert wanted.licence
        assert wanted.words > 200_000
        assert re.fullmatch(r"[0-9a-f]{64}", wanted.sha256)
        for source in wanted.sources:
            assert source.package
            assert source.version
            assert len(source.files) in (1, 2)
            assert all(re.fullmatch(r"[0-9a-f]{64}", sha256) for sha256 in source.files.values())


def test_names_abbreviations_and_other_characters_are_left_out(tmp_path: Path) -> None:
    entries = ["casa", "Roma", "km", "ex-voto", "d'água", "a", "pão", "kiwi", "oração", "xvi"]
    entries.append("anticonstitucionalmente")
    built = open_words(open_list("portuguese"), dictionary(tmp_path, "portuguese", "", *entries))
    assert built.text.decode() == "casa\noraçao\npao\n"
    assert built.omitted == {
        "without a vowel": 1,
        "no words, such as Roman numerals": 1,
        "not 2 to 15 tiles": 2,
        "with a letter that is not on a tile": 1,
    }
    assert not built.measured


def test_german_nouns_are_played_and_names_are_not(tmp_path: Path) -> None:
    rules = "SFX S Y 1\nSFX S 0 s .\nSFX N Y 2\nSFX N 0 n .\nSFX N 0 In .\n"
    folder = dictionary(tmp_path, "german", rules, "Straße/N", "Hans/S", "Bonn", "groß", "GmbH/N")
    assert played(folder, "german") - ADDED["german"] == {"strasse", "strassen", "gross"}


def test_german_names_with_the_flags_of_nouns_are_left_out_by_hand(tmp_path: Path) -> None:
    rules = "SFX S Y 1\nSFX S 0 s .\nSFX R Y 1\nSFX R 0 er .\nPFX m Y 1\nPFX m M -m M\n"
    entries = ["Berlin/Sm", "Paris/m", "London/RSm", "München/Sm", "Museum/Sm"]
    words = played(dictionary(tmp_path, "german", rules, *entries), "german")
    assert words - ADDED["german"] == {"museum", "museums"}
    assert words >= {"londoner"}


def test_words_that_the_german_dictionary_lacks_are_added(tmp_path: Path) -> None:
    words = played(dictionary(tmp_path, "german", "", "gut"), "german")
    assert words == ADDED["german"] | {"gut"}
    assert words >= {"ah", "ha", "na", "ne", "hey"}


def test_abbreviations_are_left_out_with_their_forms(tmp_path: Path) -> None:
    rules = "SFX G Y 1\nSFX G o a o\n"
    folder = dictionary(tmp_path, "spanish", rules, "hno/G", "cta", "nro", "vto/G", "malo/G")
    (folder / "spanish").write_text("in\ntal\n", "utf-8")
    assert played(folder, "spanish") - ADDED["spanish"] == {"malo", "mala", "tal"}


@pytest.mark.parametrize(
    ("language", "abbreviations"),
    [
        ("spanish", "CTA NRO VTA TEL ETC ADMON"),
        ("french", "ETC IBID JUSQU QU"),
        ("dutch", "HBO OV UV VWO"),
        ("polish", "ITD ITP INŻ"),
        ("portuguese", "ETC"),
        ("romanian", "ETC"),
    ],
)
@pytest.mark.long
def test_bundled_lists_hold_no_abbreviations(language: str, abbreviations: str) -> None:
    words = front_decoded(lzma.decompress((BUNDLED / language / "words.front.xz").read_bytes())).split()
    assert not {word.lower().encode() for word in abbreviations.split()} & {*words}


def test_spanish_pronouns_after_verbs_are_left_out(tmp_path: Path) -> None:
    rules = "FLAG UTF-8\nSFX R Y 2\nSFX R 0 se r\nSFX R r se ar\nSFX À Y 1\nSFX À 0 la r\n"
    folder = dictionary(
        tmp_path, "spanish", rules, "amar/RÀ", "dar", "darme", "dármelo", "parte", "aguacates"
    )
    (folder / "spanish").write_text("Madrid\nárbol\nniño\n", "utf-8")
    assert played(folder, "spanish") - ADDED["spanish"] == {
        *("amar", "amase", "dar", "parte", "aguacates", "arbol", "niño")
    }


def test_italian_pronouns_after_verbs_are_left_out(tmp_path: Path) -> None:
    rules = (
        "SFX A Y 4\nSFX A re 0 are\nSFX A re vi are\nSFX A re te are\nSFX A re nte are\n"
        "SFX L Y 1\nSFX L re lo are\nSFX E Y 2\nSFX E 0 gli o\nSFX E o i o\nSFX B Y 2\n"
        "SFX B ere iamoci ere\nSFX B ere iamo ere\n"
    )
    folder = dictionary(tmp_path, "italian", rules, "parlare/AL", "parlato/E", "vedere/B")
    assert played(folder, "italian") == {
        *("parlare", "parla", "parlavi", "parlate", "parlante", "parlato", "parlati", "vedere", "vediamo")
    }


def test_some_languages_drop_accents_and_others_the_words(tmp_path: Path) -> None:
    folder = dictionary(tmp_path, "polish", "", "żółw", "café", "menu")
    assert played(folder, "polish") - ADDED["polish"] == {"żółw", "menu"}
    (tmp_path / "fr").mkdir()
    folder = dictionary(tmp_path / "fr", "french", "FLAG long\n", "café", "cœur", "kg", "ça/||")
    assert played(folder, "french") - ADDED["french"] == {"cafe", "coeur"}


def test_syllabic_consonants_are_vowels_of_longer_czech_words(tmp_path: Path) -> None:
    assert played(dictionary(tmp_path, "czech", "", "vlk", "ml", "kč", "str", "ano"), "czech") == {
        *("vlk", "str", "ano")
    }


@pytest.mark.parametrize(
    ("language", "abbreviations", "words"),
    [
        ("danish", "mm km dvd", "brr hm pst"),
        ("dutch", "km tv/ClCw hst/Cl", "brr hm sst"),
        ("french", "mm/|| ln pt", "brrr hmm pst vs"),
        ("polish", "dr km mgr", "brr hm ts"),
        ("romanian", "nr ftp", "hm st"),
        ("czech", "mm kč", "hm pst kš vlk"),
    ],
)
def test_words_without_a_vowel_are_abbreviations_but_for_those_that_are_said(
    language: str, abbreviations: str, words: str, tmp_path: Path
) -> None:
    affixes = "" if language in ("danish", "polish", "romanian", "czech") else "FLAG long\n"
    folder = dictionary(tmp_path, language, affixes, *abbreviations.split(), *words.split())
    assert played(folder, language) - ADDED[language] == set(words.split())


def test_words_without_a_vowel_have_none_and_are_written_as_the_source_does() -> None:
    for wanted in open_lists().values():
        words = wanted.rules.without_vowel.split()
        assert words == sorted(set(words)) or wanted.id == "czech"
        assert not set("aeiouy") & set("".join(words))


def test_dutch_leaves_out_marks_that_only_help_to_read(tmp_path: Path) -> None:
    rules = "FLAG long\nSFX Zc Y 1\nSFX Zc 0 's .\nSFX Zt Y 2\nSFX Zt 0 'tje .\nSFX Zt 0 'er .\n"
    entries = ["auto/Zc", "baby/ZcZt", "o/Zc", "tv/Zc", "hbo/ZcCl", "zee-egel", "café-eigenaar", "push-up"]
    entries += ["e-opa", "mbo-examen", "na-ĳver", "'s-avonds", "ex-eend", "zzp'er"]
    assert played(dictionary(tmp_path, "dutch", rules, *entries), "dutch") == {
        *("auto", "autos", "baby", "babys", "babytje", "zeeegel", "cafeeigenaar", "naijver")
    }


def test_catalan_tiles_of_several_letters_are_counted_as_one(tmp_path: Path) -> None:
    entries = ["col·legi", "any", "quatre", "intel·lectualitzaré", "yuan"]
    assert played(dictionary(tmp_path, "catalan", "FLAG long\n", *entries), "catalan") == {
        *("col·legi", "any", "quatre")
    }


def test_files_are_found_in_an_unpacked_package(tmp_path: Path) -> None:
    below = tmp_path / "usr/share/hunspell"
    below.mkdir(parents=True)
    dictionary(below, "dutch", "FLAG long\n", "huis")
    assert played(tmp_path, "dutch") == {"huis"}


def test_missing_files_name_the_package(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="apt-get install hunspell-es wspanish") as caught:
        open_words(open_list("spanish"), tmp_path)
    assert caught.value.code == "missing_source"
    with pytest.raises(NotFound, match="did you mean german"):
        open_list("germn")


def test_fetch_builds_a_lexicon_that_analyze_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    folder = dictionary(tmp_path, "polish", "", "żółw", "menu", "mamut", "tuman")
    arguments = ["lexicon", "fetch", "polish", "--from", str(folder), "--id", "sjp"]
    result = CliRunner().invoke(kibitz, arguments)
    assert result.exit_code == 0, result.output
    assert f"sjp: {4 + len(ADDED['polish'])} words" in result.output
    assert "another version" in result.output
    entry = next(entry for entry in Catalogue(tmp_path / "data").entries() if entry.id == "sjp")
    assert (entry.language, entry.tile_set, entry.word_count) == (
        *("pl", "polish", 4 + len(ADDED["polish"])),
    )
    assert "hunspell-pl" in entry.source
    assert "pl_PL.dic sha256 " in entry.source
    assert entry.licence == open_list("polish").licence
    position = f"{EMPTY_BOARD} MAMUTAA/ 0/0 0"
    result = CliRunner().invoke(kibitz, ["analyze", "--lexicon", "sjp", position])
    assert result.exit_code == 0, result.output
    assert "MAMUT" in result.output


def test_fetch_reports_faults_and_lists_the_languages(tmp_path: Path) -> None:
    folder = dictionary(tmp_path, "italian", "SFX S Y 2\nSFX S 0 s .\n", "casa/S")
    result = CliRunner().invoke(kibitz, ["lexicon", "fetch", "italian", "--from", str(folder)])
    assert result.exit_code == 2
    assert "it_IT.aff, line 2: this table lacks 1 of its lines" in result.output
    result = CliRunner().invoke(
        kibitz, ["lexicon", "fetch", "italian", "--from", str(folder), "--id", "scowl80"]
    )
    assert (result.exit_code, result.output.count("Building")) == (2, 0)  # before the files are read
    assert "scowl80 is bundled with kibitz" in result.output


def test_fetch_lists_the_languages_and_says_which_are_bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    result = CliRunner().invoke(kibitz, ["lexicon", "fetch"])
    assert result.exit_code == 0
    bundled = {name for name, wanted in open_lists().items() if wanted.bundled_under}
    for name in open_lists():
        (line,) = [line for line in result.output.splitlines() if f" {name} " in line]
        assert ("bundled" in line) == (name in bundled)
    result = CliRunner().invoke(kibitz, ["lexicon", "fetch", "french"])
    assert result.exit_code == 2
    assert "kibitz lexicon build french" in result.output
    assert "--id" in result.output


@pytest.mark.process
def test_build_open_compares_a_list_with_its_record_and_writes_no_other(tmp_path: Path) -> None:
    def run(*arguments: str) -> tuple[int, str]:
        script = Path(__file__).parents[2] / "lexicons" / "build_open.py"
        command = [sys.executable, str(script), *arguments, "--from", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout

    below = tmp_path / "usr/share/hunspell"
    below.mkdir(parents=True)
    dictionary(below, "german", "", "gut", "besser")
    notice = tmp_path / "usr/share/doc/hunspell-de-de/copyright"
    notice.parent.mkdir(parents=True)
    notice.write_text("GPL")
    code, output = run("--check", "german")
    assert code == 1
    recorded = open_list("german").words
    assert f"german: word_count is {2 + len(ADDED['german'])}, open_lists.toml has {recorded}" in output
    code, output = run("german")
    assert code == 2
    assert "german may not be bundled" in output
    dictionary(below, "spanish", "", "bueno", "mejor")
    (below / "spanish").write_text("peor\n")
    for package in ("hunspell-es", "wspanish"):
        notice = tmp_path / "usr/share/doc" / package / "copyright"
        notice.parent.mkdir()
        notice.write_text(
            "Format: x\n\nFiles: *\nLicense: GPL\n\nFiles: dictionaries/es/*\nLicense: GPL-3+ or MPL-1.1+\n"
        )
    code, output = run("--check", "spanish")
    assert code == 1
    built, recorded = 3 + len(ADDED["spanish"]), open_list("spanish").words
    assert f"spanish: word_count is {built}, open_lists.toml has {recorded}" in output
    for name in ("words.front.xz", "manifest.json", "COPYRIGHT"):
        assert f"lexicons/spanish/{name} differs" in output


@pytest.mark.process
@pytest.mark.slow
def test_build_open_repeats_a_bundled_list() -> None:
    dutch = open_list("dutch")
    try:
        files = find_files(dutch, Path("/"))
    except WordListError as error:
        pytest.skip(str(error))
    if not all(file.measured for found in files for file in found):
        pytest.skip("the installed hunspell-nl is another version")
    script = Path(__file__).parents[2] / "lexicons" / "build_open.py"
    command = [sys.executable, str(script), "--check", "dutch", "--from", "/"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, "dutch: 251,326 words, as recorded\n")
