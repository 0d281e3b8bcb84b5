"""Gordon's method: a word grows from one of its squares to the left, then to the right, over the GADDAG.

Most Scrabble engines generate moves in this way; the benchmarks compare the Internal-Words Method with it.
gordon_kernel.inc.h holds the method. Source: [Gordon1994]; [Sanchez2025, section 2.3.2]; [Heuri, section
4.1.2].
"""

from __future__ import annotations

from typing import ClassVar

from lab.generators import gordon_narrow, gordon_wide
from lab.generators.arc_search import ArcSearch


class Gordon(ArcSearch):
    """Generates plays over the GADDAG."""

    name = "gordon"
    automaton = "gaddag"
    kernels: ClassVar = {"narrow": gordon_narrow, "wide": gordon_wide}
