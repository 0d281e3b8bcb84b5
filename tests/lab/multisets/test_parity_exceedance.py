"""The Parity-Exceedance Representation does what counting letters does, by its literal counts."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import WordListError
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set
from lab.multisets.parity_exceedance import (
    NOT_FEASIBLE,
    ParityExceedance,
    exceedance_of,
    feasible_exceedances,
)
from tests.movegen.worlds import random_words

if TYPE_CHECKING:
    from pathlib import Path

ALPHABETS = (1, 3, 26, 32, 33, 39, 48)


def representation(seed: int, letters: int) -> tuple[ParityExceedance, list[bytes], tuple[int, ...]]:
    """Return the representation of a small random list over the ends and the middle of an alphabet."""
    random = Random(seed)
    used = tuple(sorted({1, letters, (letters + 1) // 2, random.randint(1, letters)}))
    words = sorted(random_words(random, used, 12, 15) or {bytes((1, 1))})
    return ParityExceedance(words, letters), words, used


def is_feasible(multiset: bytes, words: list[bytes]) -> bool:
    """Tell whether some word holds the exceedance of a multiset twice: the definition, counted plainly."""
    halves = Counter({code: 2 * (count // 2) for code, count in Counter(multiset).items()})
    return any(halves <= Counter(word) for word in words) or not +halves


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    letters=st.sampled_from(ALPHABETS),
    choices=st.lists(st.integers(0, 3), max_size=9),
    others=st.lists(st.integers(0, 3), max_size=9),
)
def test_operations_agree_with_counting(
    seed: int, letters: int, choices: list[int], others: list[int]
) -> None:
    parity, words, used = representation(seed % 50, letters)
    x = bytes(sorted(used[i % len(used)] for i in choices))
    y = bytes(sorted(used[i % len(used)] for i in others))
    code_x, code_y = parity.encode(x), parity.encode(y)
    for code, multiset in ((code_x, x), (code_y, y)):
        assert (code != NOT_FEASIBLE) == is_feasible(multiset, words)
        if code:
            assert parity.decode(code) == multiset
            assert code < 1 << 64
    assert parity.sum(code_x, code_y) == (parity.encode(bytes(sorted(x + y))) if code_x and code_y else 0)
    included = bool(code_x and code_y) and Counter(x) <= Counter(y)
    assert parity.included(code_x, code_y) == included
    rest = bytes(sorted((Counter(y) - Counter(x)).elements()))
    assert parity.difference(code_y, code_x) == (parity.encode(rest) if included else NOT_FEASIBLE)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), letters=st.sampled_from(ALPHABETS))
def test_all_parts_of_a_word_add_up_to_it(seed: int, letters: int) -> None:
    parity, words, _ = representation(seed % 50, letters)
    random = Random(seed)
    word = random.choice(words)
    tiles = bytes(random.sample(word, len(word)))
    cut = random.randint(0, len(word))
    part, rest, whole = parity.encode(tiles[:cut]), parity.encode(tiles[cut:]), parity.encode(word)
    assert NOT_FEASIBLE not in {part, rest, whole}
    assert parity.sum(part, rest) == parity.sum(rest, part) == whole
    assert parity.difference(whole, part) == rest
    assert parity.included(part, whole)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_counts_agree_with_the_definitions_spelled_out(seed: int) -> None:
    random = Random(seed)
    words = sorted(random_words(random, (1, 2, 3), 4, 9) or {bytes((1, 1))})
    parts = {
        bytes(part)
        for word in words
        for chosen in range(1 << len(word))
        for part in [sorted(code for i, code in enumerate(word) if chosen >> i & 1)]
    }
    exceedances = {exceedance_of(part) for part in parts}
    assert feasible_exceedances(words) == exceedances
    parity = ParityExceedance(words, 3)
    binary = [exceedance for exceedance in exceedances if len(set(exceedance)) == len(exceedance)]
    triads = sum(
        bytes(sorted(carry + a + b)) in exceedances
        for carry in binary
        for a in exceedances
        for b in exceedances
    )
    figures = parity.figures()
    assert (figures["feasible_exceedances"], figures["carry_masks"]) == (len(exceedances), len(binary))
    assert figures["feasible_triads"] == triads


def test_the_sum_of_the_thesis() -> None:
    """Table 3.10: AACS and ABBCELRS, with the carry CS, make the exceedance ABCS and the parity AELR."""
    alphabet = tile_set("spanish").alphabet
    x, y = map(alphabet.encode_word, ("AACS", "ABBCELRS"))
    parity = ParityExceedance([bytes(sorted(x + y))], alphabet.size)
    found = parity.decode(parity.sum(parity.encode(x), parity.encode(y)))
    assert exceedance_of(found) == bytes(sorted(map(alphabet.code, "ABCS")))
    assert {code for code, count in Counter(found).items() if count % 2} == set(map(alphabet.code, "AELR"))


def test_czech_tiles_need_the_layout_for_more_than_32_letters() -> None:
    alphabet = tile_set("czech").alphabet
    words = [alphabet.encode_word(word) for word in ("NEJNEOBHOSPODAŘOVÁVAT", "ŽIŽALA", "ÚŽAS", "ŠŤÁVNATÝ")]
    parity = ParityExceedance(words, alphabet.size)
    assert (alphabet.size, parity.parity_bits) == (47, 47)
    last = alphabet.code("Ž")
    zizala, uzas = parity.encode(words[1]), parity.encode(words[2])
    assert last > 32
    assert uzas >> last - 1 & 1
    assert not zizala >> last - 1 & 1, "two of a letter are in the exceedance"
    assert parity.decode(zizala) == bytes(sorted(words[1]))
    one = parity.encode(bytes([last]))
    assert parity.sum(one, one) == parity.encode(bytes([last, last]))
    assert parity.difference(zizala, one) == parity.encode(alphabet.encode_word("IŽALA"))
    assert parity.included(one, uzas)
    assert not parity.included(parity.encode(bytes([last, last])), uzas)


def test_codes_that_are_none() -> None:
    parity = ParityExceedance([bytes((1, 1, 2))], 26)
    assert parity.encode(bytes((2, 2))) == NOT_FEASIBLE
    assert parity.sum(NOT_FEASIBLE, parity.encode(b"\x01")) == NOT_FEASIBLE
    assert not parity.included(NOT_FEASIBLE, parity.encode(b"\x01"))
    assert not parity.included(parity.encode(b"\x01"), NOT_FEASIBLE)
    with pytest.raises(ValueError, match="no multiset"):
        parity.decode(NOT_FEASIBLE)


def test_more_exceedances_than_fit_are_refused() -> None:
    """With 63 letters one bit is left: room for the empty exceedance and no other."""
    assert ParityExceedance([bytes((1, 63))], 63).encode(bytes((1, 63))) == 1 << 63 | 1 << 62 | 1
    with pytest.raises(WordListError) as caught:
        ParityExceedance([bytes((1, 1))], 63)
    assert caught.value.code == "too_many_exceedances"


@pytest.mark.parametrize(
    ("list_file", "tiles", "exceedances", "triads"),
    [
        ("twl06", "english", 4_683, 522_039),
        ("nwl23", "english", 4_953, 559_565),
        ("file2017", "spanish", 4_755, 689_461),
        ("scowl80", "english", 5_817, 698_213),
    ],
    indirect=["list_file"],
)
@pytest.mark.long
def test_counts_of_complete_lists(list_file: Path, tiles: str, exceedances: int, triads: int) -> None:
    alphabet = tile_set(tiles).alphabet
    words = read_word_list(list_file, alphabet, max_length=15).words.tolist()
    figures = ParityExceedance(words, alphabet.size).figures()
    assert (figures["feasible_exceedances"], figures["feasible_triads"]) == (exceedances, triads)
