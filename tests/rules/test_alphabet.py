"""Letters become tile codes and back, in every notation and every alphabet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.rules import BLANK_FLAG, Alphabet, tile_set, tile_set_ids
from tests.rules.strategies import foreign_text, letter_items, tile_sets

ENGLISH = tile_set("english").alphabet
SPANISH = tile_set("spanish").alphabet
CZECH = tile_set("czech").alphabet
CATALAN = tile_set("catalan").alphabet
GERMAN = tile_set("german").alphabet


def test_codes_follow_the_order_of_the_tile_set() -> None:
    assert [ENGLISH.code(letter) for letter in "ABZ"] == [1, 2, 26]
    assert SPANISH.code("CH") == 4
    assert SPANISH.letter(4) == "CH"
    assert SPANISH.letter(BLANK_FLAG | 4) == "CH"
    assert CZECH.size == 47
    assert CZECH.code("Ž") == 41


@pytest.mark.parametrize("letter", ["a", "ñ", "?", "", "[CH]", "\ud800"])
def test_an_unknown_letter_has_no_code(letter: str) -> None:
    with pytest.raises(InvalidInput, match="not a letter of this tile set"):
        SPANISH.code(letter)


@pytest.mark.parametrize("code", [0, 48, -1, BLANK_FLAG, 255, 1000])
def test_an_unknown_code_has_no_letter(code: int) -> None:
    with pytest.raises(InvalidInput, match="not a tile code"):
        CZECH.letter(code)


def test_notation_of_boards_and_racks() -> None:
    assert SPANISH.tokenize("[CH]a[ll]?Ñ") == [4, 0x81, 0x80 | SPANISH.code("LL"), 0, SPANISH.code("Ñ")]
    assert SPANISH.text([4, 0x81, 0x80 | SPANISH.code("LL"), 0]) == "[CH]a[ll]?"
    assert SPANISH.word([4, 0x81, 0x80 | SPANISH.code("LL")]) == "CHALL"


def test_accents_typed_apart_are_joined() -> None:
    assert CZECH.tokenize("C\u030ca\u0301") == [CZECH.code("Č"), BLANK_FLAG | CZECH.code("Á")]


@given(tile_sets, st.data())
def test_notation_round_trip(tiles, data) -> None:
    size = tiles.alphabet.size
    code = st.one_of(st.integers(0, size), st.integers(BLANK_FLAG + 1, BLANK_FLAG + size))
    codes = data.draw(st.lists(code, max_size=40))
    assert tiles.alphabet.tokenize(tiles.alphabet.text(codes)) == codes


@given(letter_items, st.data())
def test_notation_is_read_back_with_random_alphabets(items, data) -> None:
    alphabet = Alphabet([item["letter"] for item in items])
    codes = data.draw(st.lists(st.integers(1, alphabet.size), max_size=20))
    flagged = [code | BLANK_FLAG for code in codes]
    assert alphabet.tokenize(alphabet.text(codes + flagged)) == codes + flagged


@given(tile_sets, foreign_text)
def test_any_text_is_tiles_or_invalid_input(tiles, text) -> None:
    try:
        codes = tiles.alphabet.tokenize(text)
    except InvalidInput as error:
        str(error).encode()
    else:
        assert all(0 <= code & ~BLANK_FLAG <= tiles.alphabet.size for code in codes)


@pytest.mark.parametrize(
    ("text", "named"),
    [("AB1", "'1'"), ("A[QX]", "'[QX]'"), ("[Ch]", "'[Ch]'"), ("A\ud800", r"'\ud800'"), ("[", "'['")],
)
def test_an_unknown_tile_is_named(text: str, named: str) -> None:
    with pytest.raises(InvalidInput, match="is not a tile of this tile set") as caught:
        SPANISH.tokenize(text)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("name", "word", "spelled"),
    [
        ("english", "retains", "R E T A I N S"),
        ("english", "Café", "C A F E"),
        ("english", "naïve", "N A I V E"),
        ("english", "Œuvre", "O E U V R E"),
        ("english", "İstanbul", "I S T A N B U L"),
        ("english", "ısı", "I S I"),
        ("english", "ﬁn", "F I N"),
        ("german", "MAẞ", "M A S S"),
        ("dutch", "Ĳs", "I J S"),
        ("romanian", "înşişi", "I N S I S I"),
        ("english", "encyclopædia", "E N C Y C L O P A E D I A"),
        ("spanish", "CHORIZO", "CH O R I Z O"),
        ("spanish", "llorarRé", "LL O R A RR E"),
        ("spanish", "Ñandú", "Ñ A N D U"),
        ("spanish", "ALLL", "A LL L"),
        ("spanish", "pingu\u0308ino", "P I N G U I N O"),
        ("french", "cœur", "C O E U R"),
        ("french", "garçon", "G A R C O N"),
        ("german", "Straße", "S T R A S S E"),
        ("german", "STRAẞE", "S T R A S S E"),
        ("german", "Äpfel", "Ä P F E L"),
        ("german", "Café", "C A F E"),
        ("czech", "příliš", "P Ř Í L I Š"),
        ("czech", "CHLE\u0301B", "C H L É B"),
        ("polish", "żółć", "Ż Ó Ł Ć"),
        ("norwegian", "ærlig", "Æ R L I G"),
        ("danish", "ål", "Å L"),
        ("catalan", "col·legi", "C O L·L E G I"),
        ("catalan", "col.legi", "C O L·L E G I"),
        ("catalan", "COL-LEGI", "C O L·L E G I"),
        ("catalan", "COĿLEGI", "C O L·L E G I"),
        ("catalan", "coŀlegi", "C O L·L E G I"),
        ("catalan", "COL•LEGI", "C O L·L E G I"),
        ("catalan", "colla", "C O L L A"),
        ("catalan", "any", "A NY"),
        ("catalan", "QUÈ", "QU E"),
        ("catalan", "FEIÇA", "F E I Ç A"),
        ("portuguese", "ação", "A Ç A O"),
    ],
)
def test_words_of_word_lists(name: str, word: str, spelled: str) -> None:
    alphabet = tile_set(name).alphabet
    assert [alphabet.letter(code) for code in alphabet.encode_word(word)] == spelled.split()


@pytest.mark.parametrize(
    ("name", "word", "named"),
    [
        ("english", "O'CLOCK", "'''"),
        ("english", "CO-OP", "'-'"),
        ("english", "ŁÓDŹ", "'Ł'"),
        ("spanish", "WHISKY", "'W'"),
        ("spanish", "KILO", "'K'"),
        ("catalan", "IRAQ", "'Q'"),
        ("catalan", "A·B", "'·'"),
        ("english", "A B", "' '"),
        ("english", "A1", "'1'"),
        ("english", "A\ud800", r"'\ud800'"),
        ("english", "АВ", "'А'"),
    ],
)
def test_an_unplayable_word_names_its_character(name: str, word: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        tile_set(name).alphabet.encode_word(word)
    assert str(caught.value).startswith(named)
    assert caught.value.code == "unknown_letter"
    str(caught.value).encode()


def test_an_accent_that_only_a_longer_tile_has_stays() -> None:
    alphabet = Alphabet(["A", "C", "H", "ČH"])
    assert alphabet.encode_word("áčhç") == bytes([1, 4, 2])


@pytest.mark.parametrize("name", tile_set_ids())
def test_plain_spelling_is_read_back(name: str) -> None:
    alphabet = tile_set(name).alphabet
    for code in range(1, alphabet.size + 1):
        assert alphabet.encode_word(alphabet.word([code])) == bytes([code])
        assert alphabet.encode_word(alphabet.word([code]).lower()) == bytes([code])


@given(tile_sets, foreign_text)
def test_any_text_is_a_word_or_invalid_input(tiles, text) -> None:
    try:
        codes = tiles.alphabet.encode_word(text)
    except InvalidInput as error:
        str(error).encode()
    else:
        assert all(1 <= code <= tiles.alphabet.size for code in codes)


@pytest.mark.parametrize(
    "letter",
    [
        "",
        "a",
        "ABCD",
        "1",
        "A1",
        "?",
        "[",
        ".",
        "·",
        "·A",
        "/",
        "ß",
        "א",
        "İ",
        "A\u0301",
        "\ud800",
        "A ",
        "A\n",
    ],
)
def test_a_letter_must_have_both_cases(letter: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Alphabet(["B", letter])
    assert caught.value.code == "bad_letter"


def test_letters_are_limited_and_differ() -> None:
    with pytest.raises(InvalidInput, match="twice"):
        Alphabet(["A", "B", "A"])
    with pytest.raises(InvalidInput, match="1 to 63"):
        Alphabet([])
    with pytest.raises(InvalidInput, match="1 to 63"):
        Alphabet([first + second for first in "ABCDEFGH" for second in "ABCDEFGH"])
    assert Alphabet([first + second for first in "ABCDEFGH" for second in "ABCDEFGH"][:63]).size == 63


def test_alphabets_are_values() -> None:
    assert Alphabet(ENGLISH.letters) == ENGLISH
    assert hash(Alphabet(ENGLISH.letters)) == hash(ENGLISH)
    assert Alphabet("AB") != Alphabet("BA")
    assert repr(Alphabet("AB")) == "Alphabet(A B)"
