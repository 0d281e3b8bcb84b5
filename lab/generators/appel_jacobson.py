"""Appel and Jacobson's method: a word grows from a square beside a tile, its left part first, over the DAWG.

The oldest of the fast generators, with the corrected end and the incremental score of [MoveGenChapter].
appel_jacobson_kernel.inc.h holds the method. Source: [AppelJacobson1988]; [MoveGenChapter];
[Cipra2006, chapter 4]; [Sanchez2025, section 2.3.1].
"""

from __future__ import annotations

from typing import ClassVar

from lab.generators import appel_jacobson_narrow, appel_jacobson_wide
from lab.generators.arc_search import ArcSearch


class AppelJacobson(ArcSearch):
    """Generates plays over the DAWG."""

    name = "appel_jacobson"
    automaton = "dawg"
    kernels: ClassVar = {"narrow": appel_jacobson_narrow, "wide": appel_jacobson_wide}
