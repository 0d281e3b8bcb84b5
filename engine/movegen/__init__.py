"""Move generation: every legal play of a rack on a loaded board.

    lexicon tables, loaded board, rack  ->  InternalWords.generate  ->  Plays  ->  LegalMoves

`InternalWords` is the generator, `Plays` is what it returns, and `legal_moves.LegalMoves` adds the exchanges,
the pass and one order of all moves. `reference` is a second generator, slow and readable, which goes square
by square; the package's tests compare the two.

Where to begin: docs/internal-words.md, then `internal_words_kernel.pyx`, which can be read from top to bottom
with the two files that it includes.

What counts as one play: a play of a single tile is listed once, across if it makes a word across; on an empty
board with a symmetric layout only plays across are listed; a blank and the letter itself are different plays.
"""

from engine.movegen.internal_words import DEFAULT_THRESHOLD, NO_LOW_LEVEL, InternalWords
from engine.movegen.perft import perft
from engine.movegen.plays import PLAY_DTYPE, Plays, leaves
from engine.movegen.simd import simd_level, simd_paths, use_simd

__all__ = [
    "DEFAULT_THRESHOLD",
    "NO_LOW_LEVEL",
    "PLAY_DTYPE",
    "InternalWords",
    "Plays",
    "leaves",
    "perft",
    "simd_level",
    "simd_paths",
    "use_simd",
]
