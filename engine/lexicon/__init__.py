"""Lexicons: word lists, the tables that are built from them, and the catalogue of both.

A `Catalogue` finds lexicons by id, builds their tables and opens them. A `Lexicon` is an open table file: its
words, and the Internal-Words tables that the kernels read. `search_words` and `word_report` answer questions
about words. Open `lexicon` first. In the order of a build: `word_list` reads a list, `build` builds the
tables (kernel `tables_narrow` or `tables_wide`, see geometry.h), `store` writes and maps the table file. The
package `rivals` contains optional tables of other generators, `multisets` an experiment, `spanish` makes a
Spanish word list from labelled lemmas.
"""

from engine.lexicon.catalogue import Catalogue, LexiconEntry
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.multisets.multiset_timings import multiset_timings
from engine.lexicon.rivals.parts import part_names
from engine.lexicon.search import USES, FoundWord, Pattern, WordPage, WordQuery, read_word, search_words
from engine.lexicon.spanish import (
    LEMMA_LABELS,
    VERB_LABELS,
    VERB_PERSONS,
    VERB_TENSES,
    Lemma,
    Paradigm,
    conjugate,
    read_lemmas,
)
from engine.lexicon.spanish import generate as generate_spanish
from engine.lexicon.statistics import lexicon_statistics, threshold_entries
from engine.lexicon.word_list import WordListReport
from engine.lexicon.word_report import WordReport, word_report

__all__ = [
    "LEMMA_LABELS",
    "USES",
    "VERB_LABELS",
    "VERB_PERSONS",
    "VERB_TENSES",
    "Catalogue",
    "FoundWord",
    "Lemma",
    "Lexicon",
    "LexiconEntry",
    "Paradigm",
    "Pattern",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "conjugate",
    "generate_spanish",
    "lexicon_statistics",
    "multiset_timings",
    "part_names",
    "read_lemmas",
    "read_word",
    "search_words",
    "threshold_entries",
    "word_report",
]
