"""Lexicons: word lists, the tables that are built from them, and the catalogue of both.

A `Catalogue` finds lexicons by id, builds their tables and opens them. A `Lexicon` is an open table file: its
words, and the Internal-Words tables that the kernels read. `search_words` and `word_report` answer questions
about words, `study_list` and `bingo_stems` list words to learn, and `lexicon_diff` compares two lists.
`open_lists` names the open word lists of other languages, and `open_words` builds one from the dictionary
files of a system, which the package `hunspell` expands. Open `lexicon` first. In the order of a build:
`word_list` reads a list, `build` builds the tables (kernel `tables_narrow` or `tables_wide`, see geometry.h),
`store` writes and maps the table file. The package `rivals` contains optional tables of other generators,
`word_study` the lists to study, `spanish` makes a Spanish word list from labelled lemmas, `multisets` is an
experiment.
"""

from engine.lexicon.catalogue import Catalogue, LexiconEntry
from engine.lexicon.cursors import read_cursor, write_cursor
from engine.lexicon.diff import DIFF_PARTS, ComparedList, HookChange, LexiconDiff, lexicon_diff
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.multisets.multiset_timings import multiset_timings
from engine.lexicon.open_list import OpenList, open_list, open_lists
from engine.lexicon.open_words import OpenWords, open_words
from engine.lexicon.rivals.parts import part_names
from engine.lexicon.search import USES, FoundWord, Pattern, WordPage, WordQuery, read_word, search_words
from engine.lexicon.spanish import (
    LEMMA_LABELS,
    SPANISH_LEMMAS,
    VERB_LABELS,
    VERB_PERSONS,
    VERB_TENSES,
    Lemma,
    Paradigm,
    conjugate,
    read_lemmas,
)
from engine.lexicon.spanish import generate as generate_spanish
from engine.lexicon.statistics import LexiconStatistics, lexicon_statistics, threshold_entries
from engine.lexicon.word_list import WordListReport, read_word_list
from engine.lexicon.word_report import WordReport, word_report
from engine.lexicon.word_study.bingo_stems import BingoStem, bingo_stems
from engine.lexicon.word_study.study_lists import STUDY_LISTS, StudyList, StudyWord, study_list, study_words

__all__ = [
    "DIFF_PARTS",
    "LEMMA_LABELS",
    "SPANISH_LEMMAS",
    "STUDY_LISTS",
    "USES",
    "VERB_LABELS",
    "VERB_PERSONS",
    "VERB_TENSES",
    "BingoStem",
    "Catalogue",
    "ComparedList",
    "FoundWord",
    "HookChange",
    "Lemma",
    "Lexicon",
    "LexiconDiff",
    "LexiconEntry",
    "LexiconStatistics",
    "OpenList",
    "OpenWords",
    "Paradigm",
    "Pattern",
    "StudyList",
    "StudyWord",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "bingo_stems",
    "conjugate",
    "generate_spanish",
    "lexicon_diff",
    "lexicon_statistics",
    "multiset_timings",
    "open_list",
    "open_lists",
    "open_words",
    "part_names",
    "read_cursor",
    "read_lemmas",
    "read_word",
    "read_word_list",
    "search_words",
    "study_list",
    "study_words",
    "threshold_entries",
    "word_report",
    "write_cursor",
]
