"""Questions about the words of a lexicon, and of two lists beside each other.

`search_words` finds words by pattern, tiles and length, page by page; `word_report` describes one word with
its hooks and anagrams; `lexicon_statistics` counts words and internal words; `lexicon_diff` compares two
lists.
Open `search` first; `word_arrays` holds the words of one length as an array, which the others use.
"""

from engine.lexicon.queries.cursors import read_cursor, write_cursor
from engine.lexicon.queries.diff import DIFF_PARTS, ComparedList, HookChange, LexiconDiff, lexicon_diff
from engine.lexicon.queries.search import (
    USES,
    FoundWord,
    Pattern,
    WordPage,
    WordQuery,
    read_word,
    search_words,
)
from engine.lexicon.queries.statistics import LexiconStatistics, lexicon_statistics
from engine.lexicon.queries.word_report import WordReport, word_report

__all__ = [
    "DIFF_PARTS",
    "USES",
    "ComparedList",
    "FoundWord",
    "HookChange",
    "LexiconDiff",
    "LexiconStatistics",
    "Pattern",
    "WordPage",
    "WordQuery",
    "WordReport",
    "lexicon_diff",
    "lexicon_statistics",
    "read_cursor",
    "read_word",
    "search_words",
    "word_report",
    "write_cursor",
]
