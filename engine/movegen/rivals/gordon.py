"""Gordon's method: words grow out of a square of theirs, to the left and then to the right, over the GADDAG.

The generator the field uses, here as the rival of the Internal-Words Method in every benchmark.
Source: systems.md G3 (001, section 2.3.2; 003, section 4.1.2); gordon_kernel.inc.h says what was added.
"""

from __future__ import annotations

from typing import ClassVar

from engine.movegen.rivals import gordon_narrow, gordon_wide
from engine.movegen.rivals.arc_search import ArcSearch


class Gordon(ArcSearch):
    """Generates plays over the GADDAG (part "gaddag" of the tables)."""

    name = "gordon"
    part = "gaddag"
    kernels: ClassVar = {"narrow": gordon_narrow, "wide": gordon_wide}
