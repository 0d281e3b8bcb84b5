"""The DAWG and the GADDAG: what they accept, and that they are minimal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules import tile_set
from lab.tables.automaton import build_dawg, build_gaddag, open_automaton
from tests.movegen.worlds import many_letters, word_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.rules import TileSet
    from lab.tables.automaton_narrow import Automaton

SEPARATOR = b"\0"
State = tuple[bool, frozenset[tuple[int, Any]]]


def rotations(word: bytes) -> list[bytes]:
    """Every reverse(x) + separator + y of a word x + y, without the separator when y is empty."""
    cuts = [word[:i][::-1] + SEPARATOR + word[i:] for i in range(1, len(word))]
    return [*cuts, word[::-1]]


def minimised_trie(strings: Iterable[bytes]) -> set[State]:
    """The states of the least automaton: the distinct right languages of a trie's nodes, written out."""
    trie: dict[int, Any] = {}
    for string in strings:
        node = trie
        for symbol in string:
            node = node.setdefault(symbol, {})
        node[-1] = {}
    states: set[State] = set()

    def state(node: dict[int, Any]) -> State:
        children = frozenset((symbol, state(child)) for symbol, child in node.items() if symbol >= 0)
        states.add((-1 in node, children))
        return -1 in node, children

    state(trie)
    return states


def automata(
    words: Iterable[bytes], tiles: TileSet, *, wide: bool
) -> dict[str, tuple[Automaton, int, Lexicon]]:
    """Both automata of some words, with their number of states."""
    meta, sections = build_lexicon(word_list(list(words)), tiles, id="automata", wide=wide)
    lexicon = Lexicon(meta, sections, "")
    found = {}
    for name, build in (("dawg", build_dawg), ("gaddag", build_gaddag)):
        built = build(lexicon, lambda stage, share: None)
        states = int(built[f"{name}_figures"][0])
        found[name] = (open_automaton(name, built, meta["geometry"]), states, lexicon)
    return found


def assert_minimal(words: set[bytes], tiles: TileSet, *, wide: bool = False) -> None:
    built = automata(words, tiles, wide=wide)
    expected = {
        "dawg": {word: [word] for word in words},
        "gaddag": {word: rotations(word) for word in words},
    }
    for name, (automaton, states, lexicon) in built.items():
        strings = [string for each in expected[name].values() for string in each]
        assert sorted(automaton.strings()) == sorted(strings), name
        assert states == len(minimised_trie(strings)), name
        for word, own in expected[name].items():
            assert {lexicon.word(automaton.find(string)) for string in own} == {word}
            assert automaton.find(word + b"\1") == -1 or name == "gaddag" or word + b"\1" in words


@settings(deadline=None)
@given(
    words=st.sets(
        st.binary(min_size=2, max_size=15).map(lambda raw: bytes(b % 3 + 1 for b in raw)), min_size=1
    )
)
def test_words_of_three_letters(words: set[bytes]) -> None:
    assert_minimal(words, tile_set("english"))


@settings(deadline=None, max_examples=40)
@given(
    letters=st.sampled_from((1, 2, 26, 31, 32, 33, 62, 63)),
    raw=st.sets(st.binary(min_size=2, max_size=12), min_size=1, max_size=60),
    wide=st.booleans(),
)
def test_alphabets_of_every_size(letters: int, raw: set[bytes], wide: bool) -> None:
    """The highest letters too; tails shared by many words, so that states merge."""
    words = {bytes(letters - byte % letters for byte in word) for word in raw}
    tail = bytes([letters, 1])
    assert_minimal(words | {word + tail for word in words}, many_letters(letters), wide=wide)


def test_the_longest_words() -> None:
    tiles = many_letters(63)
    assert_minimal({bytes([63]) * n for n in range(2, 27)} | {bytes(range(1, 27))}, tiles, wide=True)
    assert_minimal({bytes([26]) * n for n in range(2, 17)}, tile_set("english"))


def test_words_that_differ_only_far_behind() -> None:
    """More equal symbols than a sort key holds."""
    words = {bytes([1 + (i >> k & 1) for k in range(15)]) for i in range(300)}
    words |= {word[::-1] for word in words}
    assert_minimal(words, tile_set("english"))


@pytest.mark.parametrize(
    "string", [b"", b"\0", b"\1", b"\1\0", b"\0\1\2", b"\2\0", b"\2\0\0\1", b"\1\2\3", b"\1\2\0"]
)
def test_strings_that_are_none(string: bytes) -> None:
    """The word is AB: B A, A separator B."""
    for automaton, _, _ in automata([b"\1\2"], tile_set("english"), wide=False).values():
        assert automaton.find(string) == -1


def test_a_list_of_words_has_the_figures_of_its_automata() -> None:
    """Five words by hand: the states of the DAWG of AB, ABC, BAB, BABC, CC."""
    alphabet = tile_set("english").alphabet
    words = [alphabet.encode_word(word) for word in ("AB", "ABC", "BAB", "BABC", "CC")]
    built = automata(words, tile_set("english"), wide=False)
    # root, A- (= BA-), B-, AB (= BAB, accepts), ABC (= CC, ends), C-
    assert built["dawg"][1] == 6
