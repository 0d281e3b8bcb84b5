"""Heuri 1 to 6: the value of a move is v = j + e - d, its score, the bingo to expect of its leave, and
defence.

A leave of n tiles draws t = 7 - n. p_i is the probability that the leave and the tiles drawn from the unseen
ones (bag and other racks) are septet i; sigma_i are the points of its tiles. Then e and d are

1. e = p (50 + 2.5 (r + 1.92 t)), p the sum of p_i over all septets, r the points of the leave; d as below;
2. e = sum of p_i (50 + 2.5 sigma_i); d = 0, here and below;
3. the same over the septets that can be played on the board (delta_i = 1);
4. the same over septets and reduced octets that can be played;
5. with k = 5 on an empty board, else 5 times the share of all septets and reduced octets that can be played,
   in place of 2.5;
6. as 5, but with 1 to 14 tiles in the bag ('prefinal') all delta_i = 1 and k = 0.5.

With fewer than t tiles in the bag e = 0. An exchange scores 0 and has the e of the tiles left. A *fish* is a
move with e above its score.

The text counts 128 exchanges of seven tiles, among them the one of no tile, t = 0: a pass, whose e is
50 + k sigma if the rack is a septet (and delta_i = 1), else 0. With the pass rule "literal" a pass has that
e and is chosen if no other move has as much; so a player may keep a septet until a place for it comes. With
the rule "never" the e of a full rack is 0, and a player passes only without another move. Which wins:
docs/experiments.md.

Heuri 1's d is the largest that applies to a play:

* 20, nine-timer: one more play could cover empty squares whose word factors multiply to 9 or more;
* 10, six-timer: a vowel is played beside an empty square that triples (or more) its letter: a tile there
  counts three times in each of two words;
* 5, four-timer: as the nine-timer, with a product of 4 to 8.

'Could cover' means: in a line of a tile just played there is a stretch of squares that holds the whole run of
tiles that this tile now belongs to, has at most seven empty squares, no tile just before or after it, and the
length of some word of the lexicon that has that run at that place. The letters of other runs and the
cross-check sets of other squares are not considered.

The k of Heuri 5 is, in the text, 5 on an empty board and proportional to the number of playable entries. If
k were 5 at the number that an empty board admits (the septets alone), it would be 7 on the open boards of
the first moves; an expected bingo would then count more than most bingos on the rack, and Heuri 5 would lose
two games of three against Heuri 4 (31.5 % of 200, TWL06). That cannot be what was published. With the number
of all entries as the measure, it is about even with Heuri 4 (docs/experiments.md).

Source: [Heuri, sections 7.2 to 7.5 and 9.2.6 to 9.2.8].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.evaluation.bingo_table import bingo_table

if TYPE_CHECKING:
    from engine.evaluation.evaluation_kernel import HeuriKernel
    from engine.lexicon import Lexicon

VERSIONS: Final = (1, 2, 3, 4, 5, 6)
PASS_RULES: Final = {"literal": True, "never": False}
"""Whether a pass with a full rack has the e of the formula, by the name of the rule; "never" is the default.
"""


@dataclass(frozen=True, slots=True)
class HeuriConstants:
    """Hold the constants of the text: points, tiles in the bag, and factors without unit."""

    bonus: float = 50.0  # of a bingo
    factor: float = 2.5  # k, Heuri 1 to 4
    open_factor: float = 5.0  # k of an empty board, Heuri 5 and 6
    prefinal_bag: int = 15  # fewer tiles than this in the bag, but not none: the prefinal of Heuri 6
    prefinal_factor: float = 0.5  # k in it
    tile_mean: float = 1.92  # points to expect of a tile drawn, Heuri 1
    nine_timer: int = 20  # d, Heuri 1
    six_timer: int = 10
    four_timer: int = 5


def heuri_kernel(
    version: int,
    lexicon: Lexicon,
    constants: HeuriConstants | None = None,
    *,
    weighs_pass: bool = False,
) -> HeuriKernel:
    """Return a new kernel of a version for one thread; it caches the delta set of the last board.

    Makes the lexicon's bingo table if it has none yet. `constants`: if not those of the text; `weighs_pass`:
    see PASS_RULES.
    """
    vowels = [code - 1 for code, vowel in enumerate(lexicon.tile_set.is_vowel) if vowel and code]
    kernel: HeuriKernel = lexicon.kernels.evaluation.HeuriKernel(
        bingo_table(lexicon).kernel, version, constants or HeuriConstants(), vowels, weighs_pass
    )
    return kernel
