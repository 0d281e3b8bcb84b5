"""Errors carry stable codes, and messages that can always be sent."""

from __future__ import annotations

import pickle

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
    excerpt,
    known_names,
    printable,
    quoted,
)
from engine.messages import Text


@pytest.mark.parametrize(
    "kind", [InvalidInput, NotFound, DamagedTable, MissingTable, TableNotReady, WordListError]
)
def test_one_fault_speaks_for_itself(kind: type[EngineError]) -> None:
    error = kind("the tile Q is missing", code="no_q", field="rack")
    assert str(error) == "the tile Q is missing"
    assert error.faults == (Fault("no_q", "the tile Q is missing", "rack"),)
    assert isinstance(error, EngineError)


def test_the_values_of_a_message_go_with_it() -> None:
    error = InvalidInput(
        "8D holds Q", code="square_taken", field="move", params={"square": "8D", "letter": "Q"}
    )
    assert error.params == {"square": "8D", "letter": "Q"}
    assert error.faults[0].params == error.params
    assert InvalidInput.collected(error.faults).params == error.params
    several = InvalidInput.collected([*error.faults, Fault("no_q", "no Q", "rack")])
    assert several.params == {}
    assert [fault.params for fault in several.faults] == [{"square": "8D", "letter": "Q"}, {}]


def test_faults_are_equal_by_all_they_say_and_can_be_put_in_sets() -> None:
    one = Fault("too_long", "3 is too much", "rack", params={"count": 3})
    same = Fault("too_long", "3 is too much", "rack", params={"count": 3})
    assert one == same
    assert len({one, same}) == 1
    assert one != Fault("too_long", "3 is too much", "rack", params={"count": 4})


@pytest.mark.parametrize("kind", [EngineError, InvalidInput, DamagedTable, WordListError])
def test_an_error_reaches_another_process_unchanged(kind: type[EngineError]) -> None:
    message = Text("the tile {tile} is missing", tile="Q")
    error = kind(message, code="no_q", field="rack", faults=[Fault("no_q", message, "rack")])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), again.code, again.field) == (str(error), "no_q", "rack")
    assert (again.params, again.faults) == ({"tile": "Q"}, error.faults)
    assert again.message.template == message.template


def test_faults_are_collected() -> None:
    same = InvalidInput.collected([Fault("a", "one", "x"), Fault("a", "two", "x")])
    assert (same.code, same.field, str(same)) == ("a", "x", "one; two")
    mixed = NotFound.collected([Fault("a", "one", "x"), Fault("b", "two", "y")])
    assert (mixed.code, mixed.field, type(mixed)) == ("several_faults", "", NotFound)
    many = InvalidInput.collected([Fault("a", str(number)) for number in range(9)])
    assert str(many) == "0; 1; 2; 3; 4; and 4 more"
    assert len(many.faults) == 9


def test_a_word_list_that_cannot_be_read_is_invalid_input() -> None:
    assert issubclass(WordListError, InvalidInput)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("englich", "known: english, french (did you mean english?)"),
        ("ENGLISH", "known: english, french (did you mean english?)"),
        ("klingon", "known: english, french"),
        ("e" * 10_000, "known: english, french"),
    ],
)
def test_the_nearest_name_is_suggested(name: str, said: str) -> None:
    assert known_names(name, ["english", "french"]) == said


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


def test_printable_text_holds_nothing_that_a_terminal_obeys() -> None:
    assert printable("Jos\xe9 Ñandú 8D") == "Jos\xe9 Ñandú 8D"
    assert printable("a\x1b[2J\x07\x7f\x9b\u202eb") == r"a\x1b[2J\x07\x7f\x9b\u202eb"
    assert printable("\r\n\ud800") == r"\r\n\ud800"


@given(st.text(st.characters()))
def test_printable_text_can_be_sent_and_stays_the_same(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert shown.isprintable()
    assert printable(shown) == shown
    assert excerpt(text, 5) == (printable(text) if len(text) <= 5 else printable(text[:5]) + "...")
