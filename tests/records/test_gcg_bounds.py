"""The work of reading and replaying a record grows no faster than its text, whatever stands in it."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from engine.errors import InvalidInput
from engine.records import read_gcg, replay_game
from engine.rules import alphabet

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PLAYERS = "#player1 a Ann\n#player2 b Ben\n"
UNITS = (
    *(
        "0\n",
        "\n",
        "#note a\n",
        "#x y\n",
        "#title y\n",
        "#title y{}\n",
        "#\n",
        "#rack1 A\n",
        " #\n",
        "[",
        "é\n",
    ),
    *("#player1 a b\n", "#player3 c{}\n", ">{}\n", ">a: A 8D A +1 1\n", ">a: - +0 0\n", ">a: - +0 0 x{}\n"),
    *("#note\n0\n", "(.", "#rack2 [A]", ">a: -- -1\n", ">b: AB (AB) +1 1\n"),
)


def calls(work: Callable[[], object]) -> int:
    """Count the calls of Python and C functions during some work."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def take(text: str) -> None:
    try:
        reading = read_gcg(text)
        replay_game(reading.record)
    except InvalidInput:
        return


@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_text_is_at_most_twice_the_calls(unit: str) -> None:
    def text(count: int) -> str:
        return PLAYERS + "".join([unit.format(number) for number in range(count)])

    take(text(10))  # what is computed once a process
    small, large = (calls(lambda count=count: take(text(count))) for count in (600, 1200))
    assert large <= 2.2 * small + 2000
    assert small <= 600 * 60 + 40_000


@pytest.mark.parametrize(
    "unit", [">?\n", "#title {}\n", "#player1 {}\n", ">c: - +0 0\n", "#rack7 A\n", " #\n"]
)
def test_no_more_than_100_faults_and_100_warnings_are_collected(unit: str) -> None:
    reading = read_gcg(PLAYERS + "".join([unit.format(number) for number in range(290)]))
    assert len(reading.faults) <= 101
    assert len(reading.warnings) <= 100
    assert max(map(len, (reading.faults, reading.warnings))) >= 100


def test_accents_are_joined_a_piece_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normalising a run of n accents takes n squared steps, inside one call that no counter sees."""
    lengths: list[int] = []

    class Watched:
        bidirectional = staticmethod(unicodedata.bidirectional)  # of tile sets that are read meanwhile
        combining = staticmethod(unicodedata.combining)

        @staticmethod
        def normalize(form: str, text: str) -> str:
            lengths.append(len(text))
            return unicodedata.normalize(form, text)

    monkeypatch.setattr(alphabet, "unicodedata", Watched)
    accents = "A" + "\u0301\u0316" * 20_000
    for event in (f">a: {accents} - +0 0", f">a: ABC 8D {accents} +1 1", f">a: ABC -{accents} +0 0"):
        take(f"{PLAYERS}{event}\n")
    assert lengths
    assert max(lengths) <= 72


@pytest.mark.parametrize("letters", [1, 63, 64, 65, 127, 500])
def test_long_texts_are_joined_like_short_ones(letters: int) -> None:
    text = "x" + "N\u0303A\u0301\u0323" * letters
    assert alphabet.composed(text) == unicodedata.normalize("NFC", text)
