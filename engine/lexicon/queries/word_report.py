"""Describe one word: whether it is valid, its points, hooks and anagrams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from engine.lexicon.queries.search import anagrams_of

if TYPE_CHECKING:
    from engine.lexicon.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class InnerHooks:
    """Say whether a word remains without its first letter, and without its last."""

    front: Annotated[bool, "true without the first letter"]
    back: Annotated[bool, "true without the last letter"]


@dataclass(frozen=True, slots=True)
class WordReport:
    """Describe a sequence of letters, which need not be a word.

    Hooks are in the order of the tile set.
    """

    word: Annotated[str, "the word, upper case"]
    tiles: Annotated[str, "the word as tiles: [CH] is one tile"]
    length: Annotated[int, "number of tiles"]
    valid: Annotated[bool, "true if it is in the lexicon"]
    score: Annotated[int, "points of its tiles on plain squares"]
    front_hooks: Annotated[tuple[str, ...], "letters that form a word in front of it"]
    back_hooks: Annotated[tuple[str, ...], "letters that form a word after it"]
    inner_hooks: Annotated[InnerHooks, "whether the word without its first or last letter is a word"]
    anagrams: Annotated[tuple[str, ...], "other words of the same tiles"]


def word_report(lexicon: Lexicon, word: bytes) -> WordReport:
    """Describe a word given as tile codes 1..n."""
    alphabet = lexicon.tile_set.alphabet
    letters = [(bytes([code]), letter) for code, letter in enumerate(alphabet.letters, 1)]
    return WordReport(
        word=alphabet.word(word),
        tiles=alphabet.text(word),
        length=len(word),
        valid=lexicon.contains(word),
        score=sum(lexicon.tile_set.values[code] for code in word),
        front_hooks=tuple(letter for code, letter in letters if lexicon.contains(code + word)),
        back_hooks=tuple(letter for code, letter in letters if lexicon.contains(word + code)),
        inner_hooks=InnerHooks(lexicon.contains(word[1:]), lexicon.contains(word[:-1])),
        anagrams=tuple(alphabet.word(other) for other in anagrams_of(lexicon, word) if other != word),
    )
