"""Lexicons: word lists, the tables that are built from them, and the catalogue of both.

A `Catalogue` finds lexicons by id, builds their tables and opens them. A `Lexicon` is an open table file: its
words, and the Internal-Words tables that the kernels read. Open `lexicon` first. In the order of a build:
`build` makes the tables of a list (kernel `tables_narrow` or `tables_wide`, see geometry.h), and `store`
writes and maps the table file. The packages: `word_lists` reads lists, `dictionaries` builds those of other
languages from spelling dictionaries, `spanish` makes a Spanish list from labelled lemmas, `queries` answers
questions about words and compares two lists, `word_study` lists words to learn, `rivals` contains the
optional tables of other generators, and `multisets` is an experiment.
"""

from engine.lexicon.build_stages import total_progress
from engine.lexicon.catalogue import Catalogue
from engine.lexicon.dictionaries import OpenList, OpenWords, SourcePackage, open_list, open_lists, open_words
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.lexicon_entry import LexiconEntry
from engine.lexicon.multisets.multiset_timings import multiset_timings
from engine.lexicon.queries import (
    DIFF_PARTS,
    USES,
    ComparedList,
    FoundWord,
    HookChange,
    LexiconDiff,
    LexiconStatistics,
    Pattern,
    WordPage,
    WordQuery,
    WordReport,
    lexicon_diff,
    lexicon_statistics,
    read_cursor,
    read_word,
    search_words,
    threshold_entries,
    word_report,
    write_cursor,
)
from engine.lexicon.rivals.parts import part_names
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
from engine.lexicon.word_lists import WordListReport, front_coded, read_word_list
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
    "SourcePackage",
    "StudyList",
    "StudyWord",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "bingo_stems",
    "conjugate",
    "front_coded",
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
    "total_progress",
    "word_report",
    "write_cursor",
]
