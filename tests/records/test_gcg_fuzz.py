"""GCG under fire: whatever the bytes, only InvalidInput comes out, and soon."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.records import GcgReading, format_cgp, format_gcg, read_gcg, replay_game
from engine.rules import tile_set
from tests.rules.strategies import foreign_text

GAME = """#character-encoding UTF-8
#description Made up
#lexicon NWL23
#player1 Anna Anna Ek
#player2 bo Bo Li
>Anna: ?AEITWX 8D WAITE +24 24
#note a note
of two lines
>bo: DEEFINO 7C DEFO +22 22
>bo: DEEFINO -- -22 0
>Anna: ?BCDRSX -BCD +0 24
>bo: DEEFINO 7C DEFO +22 22
>bo: EINRSTU (challenge) +5 27
>Anna: - +0 24
>bo: -5 +0 27
>Anna: ?RSX D8 .oX +12 36
>bo: (AB) +8 35
>Anna: AB (AB) -4 32
>bo: (time) -10 25
#rack1 ABC
"""
PIECES = [
    *GAME.splitlines(),
    *GAME.split(),
    *("\n", " ", ">", "#", ">Anna:", ">bo: ", "#note", "#player3 c", "8D", "H15", "(", ")", "--", "-", "+0"),
    *("9" * 400, "A" * 600, "[CH]", "[", "é", "\u0301", "\ud800", "\x00", "\x1c", "\u2028", "\u00a0"),
]


def consume(data: bytes | str) -> None:
    """Read, write, replay and look at every position; nothing but an InvalidInput may come out."""
    try:
        reading = read_gcg(data)
    except InvalidInput:
        return  # too long: nothing of it can be read
    play_through(reading)


def play_through(reading: GcgReading) -> None:
    again = read_gcg(format_gcg(reading.record))
    assert again.record == reading.record
    for tiles in (None, tile_set("spanish")):
        if len(reading.record.players) < 2:
            with pytest.raises(InvalidInput):
                replay_game(reading.record, tiles)
            continue
        replay = replay_game(reading.record, tiles)
        assert len(replay.turns) <= len(reading.record.events)
        for turn in replay.turns:
            turn.position.canonical()
        format_cgp(replay.final)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw a game with a few bytes changed, cut out or put in."""
    data = bytearray(GAME.encode())
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 12))
        data[start : start + length] = draw(st.binary(max_size=6))
    return bytes(data)


@settings(deadline=None, max_examples=60)
@given(mutated())
def test_a_mutated_game(data: bytes) -> None:
    consume(data)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_pieces_of_games_in_any_order(pieces: list[str]) -> None:
    consume("".join(pieces))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(GAME.splitlines()), max_size=30))
def test_lines_of_games_in_any_order(lines: list[str]) -> None:
    consume("\n".join(lines))


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300) | foreign_text)
def test_any_bytes_or_text(data: bytes | str) -> None:
    consume(data)


def test_long_lines_of_every_kind_are_read_in_linear_time() -> None:
    size = 60_000
    for unit in (
        "A",
        "(",
        "[",
        "[A",
        ".",
        " ",
        "9",
        "-",
        ">a: ",
        "#",
        "\t",
        "é",
        ": ",
        "\r",
        "#note\n",
        "(A)",
    ):
        text = unit * (size // len(unit))
        for before in ("", ">a: ", "#player1 ", "#note ", "#rack1 ", ">a: ABC ", ">a: 8D "):
            head = "#player1 a\n#player2 b\n" if before.startswith((">", "#rack")) else ""
            consume(head + before + text + (" +0 0" if before.startswith(">") else ""))
