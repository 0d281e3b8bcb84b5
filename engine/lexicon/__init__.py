"""Lexicons: word lists, the tables that are built from them, and the catalogue of both.

A `Catalogue` finds lexicons by id, builds their tables and opens them. A `Lexicon` is an open table file: its
words, and the Internal-Words tables that the kernels read. `search_words` and `word_report` answer questions
about words. `open_lists` names the open word lists of other languages, and `open_words` builds one from the
dictionary files of a system, which the package `hunspell` expands. Open `lexicon` first. In the order of a
build: `word_list` reads a list, `build` builds the tables (kernel `tables_narrow` or `tables_wide`, see
geometry.h), `store` writes and maps the table file. The package `rivals` contains optional tables of other
generators, `multisets` an experiment.
"""

from engine.lexicon.catalogue import Catalogue, LexiconEntry
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.multisets.multiset_timings import multiset_timings
from engine.lexicon.open_list import OpenList, open_list, open_lists
from engine.lexicon.open_words import OpenWords, open_words
from engine.lexicon.rivals.parts import part_names
from engine.lexicon.search import USES, FoundWord, Pattern, WordPage, WordQuery, read_word, search_words
from engine.lexicon.statistics import LexiconStatistics, lexicon_statistics, threshold_entries
from engine.lexicon.word_list import WordListReport
from engine.lexicon.word_report import WordReport, word_report

__all__ = [
    "USES",
    "Catalogue",
    "FoundWord",
    "Lexicon",
    "LexiconEntry",
    "LexiconStatistics",
    "OpenList",
    "OpenWords",
    "Pattern",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "lexicon_statistics",
    "multiset_timings",
    "open_list",
    "open_lists",
    "open_words",
    "part_names",
    "read_word",
    "search_words",
    "threshold_entries",
    "word_report",
]
