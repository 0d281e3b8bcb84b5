"""Read labelled lemmas: which inflected forms each Spanish word has.

A line is a lemma, a tab and its labels, separated by commas: "amar<TAB>transitive", "niño<TAB>feminine".
Lines that begin with # and empty lines are skipped. A lemma may have several lines.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.lexicon.lexicon import BUNDLED
from engine.messages import Text, message
from lexicons.spanish_words.conjugation import check_infinitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SPANISH_LEMMAS: Final = BUNDLED / "spanish" / "lemmas.tsv.xz"
"""The labelled lemmas that kibitz bundles."""

_VERBS: Final = {
    "transitive": "a verb, all forms",
    "intransitive": "a verb without the participle's feminine and plural",
    "pronominal": "a verb, neither transitive nor intransitive: without amad, amada, amadas and amados",
    "reflexive": "a verb whose infinitive in -se is a word, too",
    "impersonal": "a verb of the third person singular only, without an imperative: lloviznar",
    "third_person": "a verb of the third persons only, without an imperative: acontecer",
}
VERB_LABELS: Final = frozenset(_VERBS)
"""The labels of verbs."""

LEMMA_LABELS: Final = {
    **_VERBS,
    "plural": "a noun or adjective with a plural",
    "feminine": "a masculine noun or adjective with a feminine form, and the plurals of both",
    "invariable": "a word without inflected forms: adverb, preposition, plural, foreign word",
    "old": "a word of old Spanish, which is valid only as it is written; other labels then have no effect",
}
"""The labels of lemmas, and what each means."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """Hold a word in lower case with the accents of print, and its labels."""

    text: str
    labels: frozenset[str]


def read_lemmas(lines: Iterable[str]) -> Iterator[Lemma]:
    """Read labelled lemmas, one a line.

    Raises InvalidInput naming the line for one without a label, with an unknown label, or with a verb's label
    on a word that is no infinitive.
    """
    for number, line in enumerate(lines, 1):
        text = unicodedata.normalize("NFC", line).strip("\r\n")
        if text.strip() and not text.startswith("#"):
            yield _read_line(text, number)


def _read_line(text: str, number: int) -> Lemma:
    word, tab, rest = text.partition("\t")
    word = word.strip().lower()
    labels = frozenset(label.strip() for label in rest.split(",") if label.strip())
    if not tab or not labels or not word:
        raise _bad_lemma(text, number, Text("it must be a lemma, a tab and at least one label"))
    if unknown := sorted(labels - LEMMA_LABELS.keys()):
        template = message("it has the unknown label '{label}'; known: {known}")
        raise _bad_lemma(text, number, Text(template, label=excerpt(unknown[0]), known=list(LEMMA_LABELS)))
    if not word.isalpha():
        raise _bad_lemma(text, number, Text("it has a lemma with characters that are not letters"))
    if labels & VERB_LABELS:
        try:
            check_infinitive(word)
        except InvalidInput as error:
            reason = Text("it has a label of verbs, but {reason}", reason=error.message)
            raise _bad_lemma(text, number, reason) from None
    return Lemma(word, labels)


def _bad_lemma(text: str, number: int, reason: Text) -> InvalidInput:
    return InvalidInput(
        Text("line {line} of the lemmas, '{text}': {reason}", line=number, text=excerpt(text), reason=reason),
        code="bad_lemma",
        field="lemmas",
    )
