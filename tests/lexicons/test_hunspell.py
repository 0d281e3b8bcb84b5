"""The expander of hunspell's dictionaries: small files for each rule of the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.errors import WordListError
from lexicons.dictionaries.hunspell import Dictionary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Expand = Callable[..., set[str]]


@pytest.fixture
def expand(tmp_path: Path) -> Expand:
    """Write an affix file and entries, and return the words that they describe."""

    def words(affixes: str, *entries: str, encoding: str = "utf-8") -> set[str]:
        header = "" if "SET" in affixes or encoding != "utf-8" else "SET UTF-8\n"
        (tmp_path / "small.aff").write_bytes((header + affixes).encode(encoding))
        text = "".join(f"{line}\n" for line in (str(len(entries)), *entries))
        (tmp_path / "small.dic").write_bytes(text.encode(encoding))
        return set(Dictionary.open(tmp_path / "small.aff", tmp_path / "small.dic").forms())

    return words


PLURAL = "SFX S Y 3\nSFX S 0 s [^sy]\nSFX S y ies [^aeiou]y\nSFX S 0 es s\n"
UN = "PFX U Y 1\nPFX U 0 un .\n"


def test_suffixes_follow_their_conditions(expand: Expand) -> None:
    assert expand(PLURAL, "cat/S", "pony/S", "bus/S", "day/S", "sheep") == {
        *("cat", "cats", "pony", "ponies", "bus", "buses", "day", "sheep")
    }


def test_prefixes_and_suffixes_meet_only_if_both_are_crossed(expand: Expand) -> None:
    crossed = UN + "SFX D Y 1\nSFX D 0 ed .\n"
    assert expand(crossed, "fold/UD") == {"fold", "unfold", "folded", "unfolded"}
    assert expand(crossed.replace("SFX D Y", "SFX D N"), "fold/UD") == {"fold", "unfold", "folded"}
    assert expand(crossed.replace("PFX U Y", "PFX U N"), "fold/UD") == {"fold", "unfold", "folded"}


def test_the_condition_of_a_prefix_reads_the_suffixed_word(expand: Expand) -> None:
    rules = "PFX P Y 1\nPFX P 0 re ab\nSFX B Y 1\nSFX B c b c\n"
    assert expand(rules, "ac/PB") == {"ac", "ab", "reab"}


def test_a_suffix_may_allow_a_second_suffix_and_a_prefix(expand: Expand) -> None:
    rules = PLURAL + "SFX E Y 1\nSFX E 0 er/SU .\n" + UN
    assert expand(rules, "paint/E") == {"paint", "painter", "painters", "unpainter", "unpainters"}


def test_there_are_no_third_suffixes(expand: Expand) -> None:
    rules = "SFX A Y 1\nSFX A 0 a/B .\nSFX B Y 1\nSFX B 0 b/C .\nSFX C Y 1\nSFX C 0 c .\n"
    assert expand(rules, "x/A") == {"x", "xa", "xab"}


def test_a_prefix_may_allow_a_suffix(expand: Expand) -> None:
    rules = "PFX K Y 1\nPFX K 0 kilo/S .\n" + PLURAL
    assert expand(rules, "gram/K") == {"gram", "kilogram", "kilograms"}


def test_needaffix_stems_and_affixes_are_no_words_alone(expand: Expand) -> None:
    rules = "NEEDAFFIX X\n" + PLURAL + UN
    assert expand(rules, "trouser/XS") == {"trousers"}
    assert expand("PSEUDOROOT X\n" + PLURAL, "trouser/XS") == {"trousers"}
    half = rules.replace("0 un .", "0 un/X .")
    assert expand(half, "do/US") == {"do", "dos", "undos"}
    both = half.replace("0 s [^sy]", "0 s/X [^sy]")
    assert expand(both, "do/US") == {"do"}


def test_the_halves_of_a_circumfix_need_each_other(expand: Expand) -> None:
    rules = "CIRCUMFIX C\nPFX G Y 1\nPFX G 0 ge/C .\nSFX T Y 2\nSFX T en t/C en\nSFX T n 0 n\n"
    assert expand(rules, "machen/GT") == {"machen", "gemacht", "mache"}


def test_forbidden_words_and_parts_of_compounds_are_left_out(expand: Expand) -> None:
    rules = "FORBIDDENWORD F\nONLYINCOMPOUND O\n" + PLURAL + "SFX Z Y 1\nSFX Z 0 z/O .\n"
    assert expand(rules, "foot/S", "foots/F", "cran/OS", "cat/Z") == {"foot", "cat"}


def test_nothing_is_stripped_completely_without_fullstrip(expand: Expand) -> None:
    rules = "SFX A Y 1\nSFX A be is be\n"
    assert expand(rules, "be/A", "maybe/A") == {"be", "maybe", "mayis"}
    assert expand("FULLSTRIP\n" + rules, "be/A") == {"be", "is"}


@pytest.mark.parametrize(
    ("flag_format", "first", "second"), [("long", "Aa", "Bé"), ("num", "12,", "7"), ("UTF-8", "ž", "→")]
)
def test_flags_have_four_formats(expand: Expand, flag_format: str, first: str, second: str) -> None:
    one = first.rstrip(",")
    rules = f"FLAG {flag_format}\nSFX {one} Y 1\nSFX {one} 0 s .\nPFX {second} Y 1\nPFX {second} 0 un .\n"
    assert expand(rules, f"fold/{first}{second}") == {"fold", "unfold", "folds", "unfolds"}


def test_without_a_format_each_byte_is_a_flag(expand: Expand) -> None:
    """The two bytes of À are C3 80; hunspell takes the first of them for the table's flag."""
    assert expand("SFX À Y 1\nSFX À 0 s .\n", "cat/À", "dog/é") == {"cat", "cats", "dog", "dogs"}


def test_aliases_stand_for_sets_of_flags(expand: Expand) -> None:
    rules = "AF 2\nAF SU\nAF S # only plurals\n" + PLURAL + UN.replace("un .", "un/2 .")
    assert expand(rules, "fold/1", "cat/2") == {"fold", "folds", "unfold", "unfolds", "cat", "cats"}


def test_one_byte_encodings_are_read(expand: Expand) -> None:
    rules = "SET ISO8859-2\nSFX A Y 1\nSFX A 0 ů ž\n"
    assert expand(rules, "muž/A", encoding="iso-8859-2") == {"muž", "mužů"}
    assert expand("", "blå", encoding="iso-8859-1") == {"blå"}  # what hunspell reads without SET


def test_notes_comments_and_slashes_in_words_are_no_flags(expand: Expand) -> None:
    rules = (
        "# SFX S Y 9\n"
        + PLURAL.replace("ies [^aeiou]y", "ies [^aeiou]y # pony")
        + "TRY abc\nREP 1\nREP a e\n"
    )
    entries = ["cat/S\tpo:noun", "pony/S po:noun is:sg", "km\\/h", ""]
    assert expand(rules, *entries) == {"cat", "cats", "pony", "ponies", "km/h"}
    numbers = "FLAG num\nSFX 1 Y 1\nSFX 1 0 s .\n"
    assert expand(numbers, "c/o", "cat/1") == {"c/o", "cat", "cats"}


@pytest.mark.parametrize(
    ("affixes", "line", "reason"),
    [
        ("SET UTF-9\n", 1, "encoding 'UTF-9'"),
        ("SET hex\n", 1, "encoding 'hex'"),
        ("SET UTF-8\nFLAG short\n", 2, "FLAG short"),
        ("SFX S Y 2\nSFX S 0 s .\n", 1, "lacks 1"),
        ("SFX S Y 2\nSFX S 0 s .\nPFX U Y 1\nPFX U 0 un .\n", 3, "lacks 1"),
        ("SFX S Y 1\nSFX S 0 s .\nSFX S 0 es .\n", 3, "head of a table"),
        ("SFX S Y x\n", 1, "'x' is not a number"),
        ("SFX S Y\n", 1, "needs a flag"),
        ("SFX S Y 1\nSFX S 0 s [^ab\n", 2, "brackets"),
        ("SFX S Y 1\nSFX S 0 s a]\n", 2, "brackets"),
        ("SFX S Y 1\nSFX S 0 s []\n", 2, "brackets"),
        ("FLAG long\nSFX S Y 1\nSFX S 0 s .\n", 2, "odd number"),
        ("FLAG num\nSFX 0 Y 1\nSFX 0 0 s .\n", 2, "1 to 65535"),
        ("AF 2\nAF S\n", 2, "1 lines AF are missing"),
        ("AF 1\nAF S\nAF T\n", 3, "more lines AF"),
        ("AF 1\nAF S\nSFX S Y 1\nSFX S 0 s/2 .\n", 4, "'2' is not the number"),
        ("NEEDAFFIX\n", 1, "NEEDAFFIX needs a value"),
        ("TRY abc\nCOMPLEXPREFIXES\n", 2, "COMPLEXPREFIXES is not supported"),
    ],
)
def test_a_faulty_affix_file_is_refused_by_line(expand: Expand, affixes: str, line: int, reason: str) -> None:
    with pytest.raises(WordListError) as caught:
        expand(affixes, "cat", encoding="ascii")
    assert caught.value.code == "bad_affix_file"
    assert f"small.aff, line {line}: " in str(caught.value)
    assert reason in str(caught.value)
    assert caught.value.params["line"] == line


def test_a_faulty_dictionary_is_refused_by_line(expand: Expand, tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"small\.dic, line 3: .*odd number"):
        expand("FLAG long\n", "cat/Aa", "dog/A")
    with pytest.raises(WordListError, match=r"small\.aff, line 2: is not text in UTF-8"):
        expand("SET UTF-8\n# é\n", "cat", encoding="iso-8859-1")
    (tmp_path / "small.aff").write_text("")
    (tmp_path / "small.dic").write_text("cat\n")
    with pytest.raises(WordListError, match=r"small\.dic, line 1: a dictionary begins with the number"):
        Dictionary.open(tmp_path / "small.aff", tmp_path / "small.dic")
