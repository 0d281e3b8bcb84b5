"""Lexicons: word lists, the tables that are built from them, and the catalogue of both.

A `Catalogue` finds lexicons by id, builds their tables and opens them. A `Lexicon` is an open table file: its
words, and the Internal-Words tables that the kernels read. Open `lexicon` first. In the order of a build:
`build` makes the tables of a list (`tables_kernel.pyx`), and `store` writes and maps the table file;
`kernels` has the compiled modules of both geometries. The packages: `word_lists` reads lists, `queries`
answers questions about words and compares two lists, `word_study` lists words to learn. `tile_suggestion`
counts letters for a tile set. The lists themselves, and what makes them, are in the folder `lexicons`.
"""

from engine.lexicon.build_stages import total_progress
from engine.lexicon.catalogue import Catalogue
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.lexicon_entry import LexiconEntry
from engine.lexicon.queries import (
    DIFF_PARTS,
    USES,
    WORD_SORTS,
    ComparedList,
    FoundWord,
    HookChange,
    LexiconDiff,
    LexiconStatistics,
    Pattern,
    WordConditions,
    WordPage,
    WordQuery,
    WordReport,
    lexicon_diff,
    lexicon_statistics,
    read_cursor,
    read_word,
    search_words,
    word_report,
    write_cursor,
)
from engine.lexicon.tile_suggestion import letters_of, suggest_tiles
from engine.lexicon.word_lists import WordListReport, front_coded, read_word_list, word_graph
from engine.lexicon.word_study.bingo_stems import BingoStem, bingo_stems
from engine.lexicon.word_study.card_formats import (
    ImportedCards,
    read_anki,
    read_zyzzyva,
    write_anki,
    write_zyzzyva,
)
from engine.lexicon.word_study.card_progress import (
    CARD_RATINGS,
    CardProgress,
    card_scheduler,
    reviewed_card,
)
from engine.lexicon.word_study.flash_cards import (
    CARD_KINDS,
    FlashCard,
    card_kind,
    flash_card,
    hooks_question,
    questions,
    questions_about,
)
from engine.lexicon.word_study.study_lists import STUDY_LISTS, StudyList, StudyWord, study_list, study_words

__all__ = [
    "CARD_KINDS",
    "CARD_RATINGS",
    "DIFF_PARTS",
    "STUDY_LISTS",
    "USES",
    "WORD_SORTS",
    "BingoStem",
    "CardProgress",
    "Catalogue",
    "ComparedList",
    "FlashCard",
    "FoundWord",
    "HookChange",
    "ImportedCards",
    "Lexicon",
    "LexiconDiff",
    "LexiconEntry",
    "LexiconStatistics",
    "Pattern",
    "StudyList",
    "StudyWord",
    "WordConditions",
    "WordListReport",
    "WordPage",
    "WordQuery",
    "WordReport",
    "bingo_stems",
    "card_kind",
    "card_scheduler",
    "flash_card",
    "front_coded",
    "hooks_question",
    "letters_of",
    "lexicon_diff",
    "lexicon_statistics",
    "questions",
    "questions_about",
    "read_anki",
    "read_cursor",
    "read_word",
    "read_word_list",
    "read_zyzzyva",
    "reviewed_card",
    "search_words",
    "study_list",
    "study_words",
    "suggest_tiles",
    "total_progress",
    "word_graph",
    "word_report",
    "write_anki",
    "write_cursor",
    "write_zyzzyva",
]
