"""Appel and Jacobson's method: parts before and after an anchor, over the DAWG.

The oldest of the fast generators, with 004's corrected termination and incremental scoring.
Source: systems.md G2 (004; 002, chapter 4; 001, section 2.3.1); appel_jacobson_kernel.inc.h is the method.
"""

from __future__ import annotations

from typing import ClassVar

from engine.movegen.rivals import appel_jacobson_narrow, appel_jacobson_wide
from engine.movegen.rivals.arc_search import ArcSearch


class AppelJacobson(ArcSearch):
    """Generates plays over the DAWG (part "dawg" of the tables)."""

    name = "appel_jacobson"
    part = "dawg"
    kernels: ClassVar = {"narrow": appel_jacobson_narrow, "wide": appel_jacobson_wide}
