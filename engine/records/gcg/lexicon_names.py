"""The tile sets that the names of lexicons imply."""

from __future__ import annotations

import re
from typing import Final

from engine.rules import tile_set_ids

# The first letters of the names of lexicons, and the tile set of each.
LEXICON: Final = re.compile(r"[A-Za-z]+")
LEXICON_TILES: Final = {
    **dict.fromkeys(
        ("NWL", "CSW", "TWL", "OTCWL", "OCTWL", "OWL", "OSPD", "OSWI", "OSW", "SOWPODS"), "english"
    ),
    **dict.fromkeys(("CEL", "ECWL", "SCOWL", "NSWL", "COLLINS", "ENGLISH"), "english"),
    **dict.fromkeys(("FILE", "FISE"), "spanish"),
    **dict.fromkeys(("ODS", "FRA"), "french"),
    **dict.fromkeys(("OSPS",), "polish"),
    **dict.fromkeys(("RD",), "german"),
    **dict.fromkeys(("DISC",), "catalan"),
    **dict.fromkeys(("NSF",), "norwegian"),
    **dict.fromkeys(("SAOL",), "swedish"),
}


def tiles_of_lexicon(lexicon: str) -> str | None:
    """Return the id of the tile set that the name of a lexicon implies, None if it is not known."""
    prefix = LEXICON.match(lexicon)
    if prefix is None:
        return None
    language = prefix[0].lower()
    return language if language in tile_set_ids() else LEXICON_TILES.get(prefix[0].upper())
