"""Lexica: from a word list to memory-mapped tables, and the catalogue of what is there.

`word_list` reads a list, `build` makes the Internal-Words tables of it, `store` writes and maps the table
file, `lexicon` is the open lexicon, `catalogue` finds, builds and opens them by id, `figures` counts what the
thesis counts.  The kernels are `tables_narrow` and `tables_wide` (geometry.h says how they differ).
"""

from engine.lexicon.lexicon import Lexicon

__all__ = ["Lexicon"]
