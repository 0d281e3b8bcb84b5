"""Describe one word: whether it is valid, its points, hooks and anagrams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.lexicon.queries.search import anagrams_of

if TYPE_CHECKING:
    from engine.lexicon.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class InnerHooks:
    """Whether a word remains without the first letter (`front`), and without the last (`back`)."""

    front: bool
    back: bool


@dataclass(frozen=True, slots=True)
class WordReport:
    """Describe a sequence of letters, which need not be a word.

    `tiles` is the word as tiles ("[CH]ICO"), `length` their number, `score` their points on plain squares.
    `front_hooks` and `back_hooks` are the letters that form a word before or after it, in the order of the
    tile set. `anagrams` are the other words of the same tiles.
    """

    word: str
    tiles: str
    length: int
    valid: bool
    score: int
    front_hooks: tuple[str, ...]
    back_hooks: tuple[str, ...]
    inner_hooks: InnerHooks
    anagrams: tuple[str, ...]


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
