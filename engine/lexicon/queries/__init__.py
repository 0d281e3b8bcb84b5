"""Questions about the words of a lexicon, and of two lists beside each other.

`search_words` finds the words of a `WordQuery`, page by page; `word_report` describes one word with its hooks
and anagrams; `lexicon_statistics` counts words and internal words; `lexicon_diff` compares two lists.
Open `word_query` first, then `search`; `pattern` reads patterns and words, `word_arrays` holds the words of
one length as an array, which the others use, and `draw_probability` says how often their tiles are drawn.
"""

from engine.lexicon.queries.compared_list import ComparedList
from engine.lexicon.queries.cursors import read_cursor, write_cursor
from engine.lexicon.queries.diff import DIFF_PARTS, HookChange, LexiconDiff, lexicon_diff
from engine.lexicon.queries.pattern import Pattern, read_word
from engine.lexicon.queries.search import FoundWord, WordPage, search_words
from engine.lexicon.queries.statistics import LexiconStatistics, lexicon_statistics
from engine.lexicon.queries.word_query import USES, WORD_SORTS, WordConditions, WordQuery
from engine.lexicon.queries.word_report import WordReport, word_report

__all__ = [
    "DIFF_PARTS",
    "USES",
    "WORD_SORTS",
    "ComparedList",
    "FoundWord",
    "HookChange",
    "LexiconDiff",
    "LexiconStatistics",
    "Pattern",
    "WordConditions",
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
