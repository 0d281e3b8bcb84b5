"""Lexica: from a word list to memory-mapped tables, and the catalogue of what is there.

`word_list` reads a list, `build` makes the Internal-Words tables of it, `store` writes and maps the table
file, `lexicon` is the open lexicon, `catalogue` finds, builds and opens them by id, `figures` counts what the
thesis counts.  The kernels are `tables_narrow` and `tables_wide` (geometry.h says how they differ).
"""

from engine.lexicon.catalogue import Catalogue, LexiconEntry
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.multisets.multiset_timings import multiset_timings
from engine.lexicon.rivals.parts import part_names
from engine.lexicon.search import USES, FoundWord, Pattern, WordPage, WordQuery, read_word, search_words
from engine.lexicon.statistics import lexicon_statistics, threshold_entries
from engine.lexicon.word_list import WordListReport
from engine.lexicon.word_report import WordReport, word_report

__all__ = [
    "USES",
    "Catalogue",
    "FoundWord",
    "Lexicon",
    "LexiconEntry",
    "Pattern",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "lexicon_statistics",
    "multiset_timings",
    "part_names",
    "read_word",
    "search_words",
    "threshold_entries",
    "word_report",
]
