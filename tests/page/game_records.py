"""Games for the tests of the page: a record to annotate and how to open it, and games that are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import kibitz
from engine.rules import default_rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from kibitz import BoardLayout, Lexicon, TileSet, TimeControl

RECORD = """#player1 ann Ann Ek
#player2 bo Bo Li
>ann: AABBCEG 8H CAB +14 14
>bo: DEEHRST - +0 0
>ann: AEGIOUW -IOU +0 14
>bo: DEEHRST 7H HE +12 12
"""
TURNS = "#turns [role=option]"


def game(
    lexicon: Lexicon,
    *racks: str,
    seats: Sequence[str | int] = ("Ann", "Bo"),
    challenge: str = "void",
    time: TimeControl | None = None,
    layout: BoardLayout | None = None,
    tile_set: TileSet | None = None,
    seed: int = 5,
) -> kibitz.Game:
    """Return a game before its first turn; by default its racks are dealt."""
    rules = default_rule_set((tile_set or lexicon.tile_set).id).changed(challenge_rule=challenge)
    return kibitz.Game(
        lexicon,
        seats,
        seed=seed,
        racks=racks or None,
        layout=layout,
        rules=rules,
        tile_set=tile_set,
        time=time or kibitz.TimeControl(),
        allow_phonies=challenge != "void",
    )


def open_record(page: Page, text: str = RECORD, name: str = "club.gcg") -> None:
    """Open a record as a file."""
    page.click("#tab-games")
    page.set_input_files(
        "#gcgfile", [{"name": name, "mimeType": "text/plain", "buffer": text.encode("latin-1")}]
    )


def selected(page: Page) -> str:
    return page.inner_text(f"{TURNS}[aria-selected=true] .n")
