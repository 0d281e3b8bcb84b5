"""The rule that selects the words of `club` from those of scowl80, for `build_club.py`.

The score of a word is the sum of the WEIGHTS of its features; a score above 0 selects it. They say
how small the lists of SCOWL are that hold the word, which other dictionaries hold it, and how it is made.
None of them names a word.

The family of a word is the word, its bases and all their inflected forms, as far as scowl80 has them. A word
is supported if a list of SCOWL up to size 70 has it, or another of the dictionaries. The words that are not
come from the two sources of SCOWL's size 80, ENABLE and the British UKACD.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from collections.abc import Set as AbstractSet

SUPPORTED_SIZE: Final = 70
COMMON_SIZE: Final = 60
"""The size of SCOWL up to which a word is common."""

PREFIXES: Final = ("anti", "co", "de", "mis", "non", "out", "over", "pre", "re", "sub", "un")
SUFFIXES: Final = ("able", "er", "ish", "less", "like", "ly", "ness", "y")

WEIGHTS: Final = {
    "any word": -1.0,
    "in a list of SCOWL up to size 35": 1.0,
    "in a list up to size 70": 1.0,
    "itself or its base in a list up to size 60": -2.0,
    "itself or its base in a list up to size 70": 1.5,
    "a word of its family in WordNet": 1.0,
    "in AGID": 1.0,
    "in 2of12id": 2.5,
    "itself or its base in no American or Canadian list": -1.5,
    "has inflected forms, but is not supported": -2.0,
    "a common word with a usual prefix or suffix": 1.0,
    "ends in -ings": -1.0,
}
"""The weight of each feature, a logarithm of odds in halves; `build_club.py --weigh` computes them."""


@dataclass(frozen=True)
class Sources:
    """Hold what the dictionaries say.

    `sizes`: the smallest size of SCOWL of each word of scowl80; `american`: the words that are not British
    or Australian only; `forms`: for each inflected form the words that it may be a form of.
    """

    sizes: Mapping[str, int]
    american: AbstractSet[str]
    wordnet: AbstractSet[str]
    agid: AbstractSet[str]
    specialist: AbstractSet[str]
    common: AbstractSet[str]
    forms: Mapping[str, Collection[str]]


class ClubRule:
    """Score words of scowl80 by the features that they have."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._bases = {word: frozenset(self._bases_of(word)) for word in sources.sizes}
        forms: dict[str, set[str]] = defaultdict(set)
        for word, bases in self._bases.items():
            for base in bases:
                forms[base].add(word)
        self._forms = {word: frozenset(inflected) for word, inflected in forms.items()}

    def selects(self, word: str) -> bool:
        """Return whether a word of scowl80 is a word of club."""
        score: float = sum(map(mul, WEIGHTS.values(), self.features(word)))
        return score > 0

    def features(self, word: str) -> list[float]:
        """Return for each feature of WEIGHTS 1.0 if the word has it, else 0.0."""
        sources, bases = self.sources, self._bases[word]
        own = bases | {word}
        family = own.union(*(self._forms.get(one, ()) for one in own))
        size = sources.sizes[word]
        smallest = min(sources.sizes[one] for one in own)
        return [
            float(value)
            for value in (
                True,
                size <= 35,
                size <= SUPPORTED_SIZE,
                smallest <= COMMON_SIZE,
                smallest <= SUPPORTED_SIZE,
                not sources.wordnet.isdisjoint(family),
                word in sources.agid,
                word in sources.common,
                any(one not in sources.american for one in own),
                word in self._forms and not self._is_supported(word),
                any(self._is_derived(one) for one in own),
                word.endswith("ings"),
            )
        ]

    def _is_supported(self, word: str) -> bool:
        """Return whether more than the size 80 of SCOWL has a word."""
        sources = self.sources
        others = (sources.wordnet, sources.agid, sources.specialist, sources.common)
        return sources.sizes[word] <= SUPPORTED_SIZE or any(word in other for other in others)

    def _is_common(self, word: str) -> bool:
        return self.sources.sizes.get(word, COMMON_SIZE + 1) <= COMMON_SIZE

    def _is_derived(self, word: str) -> bool:
        """Return whether a word is a common word with one of PREFIXES or SUFFIXES."""
        if any(word.startswith(one) and self._is_common(word.removeprefix(one)) for one in PREFIXES):
            return True
        return any(
            self._is_common(stem)
            for one in SUFFIXES
            if word.endswith(one)
            for stem in stems(word.removesuffix(one))
        )

    def _bases_of(self, word: str) -> Iterator[str]:
        """Yield the words of scowl80 that a word may be an inflected form of."""
        for base in (*self.sources.forms.get(word, ()), *regular_bases(word)):
            if base != word and base in self.sources.sizes:
                yield base


def regular_bases(word: str) -> Iterator[str]:
    """Yield what a word may be the regular plural, past tense, participle or comparison of."""
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-2]
        if word.endswith("ies"):
            yield word[:-3] + "y"
        if word.endswith("ves"):
            yield word[:-3] + "f"
            yield word[:-3] + "fe"
    for ending in ("ed", "ing", "er", "est"):
        if word.endswith(ending):
            yield from stems(word.removesuffix(ending))


def stems(start: str) -> Iterator[str]:
    """Yield the words that become `start` before an ending: bak-er, runn-er, happi-er."""
    if len(start) < 2:
        return
    yield start
    yield start + "e"
    if start.endswith("i"):
        yield start[:-1] + "y"
    if len(start) > 2 and start[-1] == start[-2]:
        yield start[:-1]
