"""A Spanish lexicon: from labelled lemmas to all inflected words. Source: [Heuri, chapter 5].

`conjugate` returns the paradigm of a verb, `generate` all words of a list of lemmas, `read_lemmas` reads such
a list. Open `conjugation` first. In the order of the work: `endings` holds the regular endings and the ending
sets, `families` the 38 families of irregular verbs, `spelling` joins root and ending, `inflection` makes
plurals and feminine forms, `lemmas` reads labels, `generation` puts them together.
"""

from lexicons.spanish_words.conjugation import Paradigm, conjugate
from lexicons.spanish_words.endings import VERB_PERSONS, VERB_TENSES
from lexicons.spanish_words.generation import generate
from lexicons.spanish_words.lemmas import LEMMA_LABELS, SPANISH_LEMMAS, VERB_LABELS, Lemma, read_lemmas

__all__ = [
    "LEMMA_LABELS",
    "SPANISH_LEMMAS",
    "VERB_LABELS",
    "VERB_PERSONS",
    "VERB_TENSES",
    "Lemma",
    "Paradigm",
    "conjugate",
    "generate",
    "read_lemmas",
]
