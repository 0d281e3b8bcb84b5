"""Errors carry stable codes, and messages that can always be sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import (
    DamagedTable,
    EngineError,
    Fault,
    InvalidInput,
    MissingTable,
    NotFound,
    TableNotReady,
    WordListError,
    printable,
    quoted,
)


@pytest.mark.parametrize(
    "kind", [InvalidInput, NotFound, DamagedTable, MissingTable, TableNotReady, WordListError]
)
def test_one_fault_speaks_for_itself(kind: type[EngineError]) -> None:
    error = kind("the tile Q is missing", code="no_q", field="rack")
    assert str(error) == "the tile Q is missing"
    assert error.faults == (Fault("no_q", "the tile Q is missing", "rack"),)
    assert isinstance(error, EngineError)


def test_faults_are_collected() -> None:
    same = InvalidInput.collected([Fault("a", "one", "x"), Fault("a", "two", "x")])
    assert (same.code, same.field, str(same)) == ("a", "x", "one; two")
    mixed = NotFound.collected([Fault("a", "one", "x"), Fault("b", "two", "y")])
    assert (mixed.code, mixed.field, type(mixed)) == ("several_faults", "", NotFound)
    many = InvalidInput.collected([Fault("a", str(number)) for number in range(9)])
    assert str(many) == "0; 1; 2; 3; 4; and 4 more"
    assert len(many.faults) == 9


@given(st.text(st.characters()))
def test_quoted_text_can_be_sent_and_stays_short(text: str) -> None:
    shown = quoted(text)
    shown.encode()
    assert shown.isprintable()
    assert len(shown) <= 40 * 10 + 5


def test_quoted_text() -> None:
    assert quoted("Čau") == "'Čau'"
    assert quoted("a\n\ud800") == r"'a\n\ud800'"
    assert quoted("x" * 41) == "'" + "x" * 40 + "...'"


def test_control_characters_are_shown() -> None:
    assert (
        printable("\x1b[31mred\x00\n\x7f\x9b \u202eabc\u2066") == r"\x1b[31mred\x00\n\x7f\x9b \u202eabc\u2066"
    )
    assert printable("Žluťoučký kůň 山 'x' \\") == "Žluťoučký kůň 山 'x' \\"
