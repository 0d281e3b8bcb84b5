"""The generators that the Internal-Words Method is compared with; each finds the same plays, with the same
scores.

`Anagram` looks up the letters of an interval with each part of the rack [Anagram2018]. `Gordon` [Gordon1994]
and `AppelJacobson` [AppelJacobson1988] walk an automaton of the words from square to square. `Literal` is the
Internal-Words Method exactly as its thesis has it, in Python [Sanchez2025]. Each needs a part of the tables
that is not built by default: `kibitz lexicon build ID --with anagrams`, `--with gaddag`, `--with dawg` or
`--with literal`. Choose one by its name with `engine.movegen.generator`.

Where to begin: `anagram.py` with `anagram_kernel.inc.h`; `arc_search.py` (what the two walks share) with
`gordon_kernel.inc.h` and `appel_jacobson_kernel.inc.h`; `literal.py`.
"""

from engine.movegen.rivals.anagram import Anagram
from engine.movegen.rivals.appel_jacobson import AppelJacobson
from engine.movegen.rivals.gordon import Gordon
from engine.movegen.rivals.literal import Literal

__all__ = ["Anagram", "AppelJacobson", "Gordon", "Literal"]
