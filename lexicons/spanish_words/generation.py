"""Generate all inflected words of labelled Spanish lemmas. Source: [Heuri, chapter 5]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.rules import tile_set
from lexicons.spanish_words.conjugation import conjugate
from lexicons.spanish_words.inflection import feminine, plurals
from lexicons.spanish_words.lemmas import VERB_LABELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexicons.spanish_words.conjugation import Paradigm
    from lexicons.spanish_words.lemmas import Lemma

MIN_TILES: Final = 2
MAX_TILES: Final = 15
_REPORT_EVERY: Final = 1_000

_PARTICIPLE_ENDINGS: Final = ("a", "os", "as")


def generate(lemmas: Sequence[Lemma], progress: Callable[[int, int], None] | None = None) -> list[str]:
    """Return all words of labelled lemmas, sorted, in upper case as tiles spell them.

    Accents are dropped, Ñ stays. Words of fewer than 2 or more than 15 tiles are left out, as are words with
    letters that have no tile (K, W); CH, LL and RR are one tile. `progress` is called with the number of
    lemmas done and their total.
    """
    alphabet = tile_set("spanish").alphabet
    words: set[str] = set()
    for done, lemma in enumerate(lemmas):
        if progress is not None and done % _REPORT_EVERY == 0:
            progress(done, len(lemmas))
        words.update(inflected(lemma))
    playable: set[str] = set()
    for word in words:
        try:
            codes = alphabet.encode_word(word)
        except InvalidInput:
            continue
        if MIN_TILES <= len(codes) <= MAX_TILES:
            playable.add(alphabet.word(codes))
    if progress is not None:
        progress(len(lemmas), len(lemmas))
    return sorted(playable)


def inflected(lemma: Lemma) -> Iterator[str]:
    """Yield the forms of a lemma, in lower case with accents; some may be repeated."""
    yield lemma.text
    if "old" in lemma.labels:
        return
    if lemma.labels & VERB_LABELS:
        yield from verb_forms(lemma)
    if "plural" in lemma.labels or "feminine" in lemma.labels:
        yield from plurals(lemma.text)
    if "feminine" in lemma.labels and (other := feminine(lemma.text)) is not None:
        yield other
        yield from plurals(other)


def verb_forms(lemma: Lemma) -> Iterator[str]:
    """Yield the forms that the labels of a verb allow; the infinitive in -se only if it is a word."""
    paradigm = conjugate(lemma.text)
    labels = lemma.labels
    yield paradigm.infinitive
    if "reflexive" in labels:
        yield paradigm.infinitive + "se"
    yield from paradigm.cell("gerund")
    participles = paradigm.cell("participle")
    yield from participles
    if "transitive" in labels:
        for participle in participles:
            yield from (participle[:-1] + ending for ending in _PARTICIPLE_ENDINGS)
    yield from _finite_forms(paradigm, labels)


def _finite_forms(paradigm: Paradigm, labels: frozenset[str]) -> Iterator[str]:
    commands = "transitive" in labels or "intransitive" in labels
    persons: tuple[str, ...] = ()
    if not commands and "pronominal" not in labels:
        persons = ("él", "ellos") if "third_person" in labels else ("él",)
    for (tense, person), forms in paradigm.forms.items():
        if not person or (persons and (person not in persons or tense == "imperative")):
            continue
        if tense == "imperative" and person == "vosotros" and not commands:
            continue
        yield from forms
