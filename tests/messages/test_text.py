"""A text with values: English as it is, and rendered in other languages."""

from __future__ import annotations

import copy
import pickle

from engine.errors import EngineError, Fault, InvalidInput
from engine.messages import Text, both, either, joined, rendered

ILLEGAL = Text("there is no legal play '{text}'", text="8D QI")


def test_a_text_is_its_english() -> None:
    assert ILLEGAL == "there is no legal play '8D QI'"
    assert rendered(ILLEGAL, "en") == ILLEGAL
    assert type(rendered(ILLEGAL, "en")) is str


def test_a_text_is_rendered_in_a_language() -> None:
    assert rendered(ILLEGAL, "de") == "es gibt keinen erlaubten Zug „8D QI“"
    assert rendered(ILLEGAL, "pl") == "nie ma dozwolonego zagrania „8D QI”"


def test_texts_in_a_text_are_rendered_too() -> None:
    outer = Text("line {line}: {fault}", line=3, fault=ILLEGAL)
    assert rendered(outer, "fr") == "ligne 3 : il n'y a pas de coup légal « 8D QI »"
    assert rendered(joined([ILLEGAL, outer], "; "), "es").count("no hay ninguna jugada legal") == 2


def test_lists_are_separated_by_commas_and_each_part_rendered() -> None:
    words = [Text("{word} at {square}", word=word, square="8D") for word in ("QIS", "QIT")]
    text = Text("not in {lexicon}: {words}", lexicon="small", words=words)
    assert text == "not in small: QIS at 8D, QIT at 8D"
    assert rendered(text, "cs") == "nejsou v small: QIS na 8D, QIT na 8D"
    assert either(["8H", "7G"]) == "8H or 7G"
    assert rendered(either(["8H", "7G"]), "pl") == "8H lub 7G"
    assert rendered(both(["a", "b", "c"]), "es") == "a y b y c"
    assert both(["a"]) == "a"


def test_decimals_have_the_notation_of_the_language() -> None:
    text = Text("a limit of {option} must be greater than 0, not {value}", option="seconds", value=-0.5)
    assert text == "a limit of seconds must be greater than 0, not -0.5"
    assert rendered(text, "cs").endswith("ne -0,5")


def test_a_text_without_a_translation_and_a_plain_str_stay_english() -> None:
    assert rendered(Text("no such template {x}", x=1), "fr") == "no such template 1"
    assert rendered("a {plain} str", "fr") == "a {plain} str"


def test_the_values_of_users_are_not_templates() -> None:
    text = Text("there is no legal play '{text}'", text="{move} {0}")
    assert text == "there is no legal play '{move} {0}'"
    assert "{move} {0}" in rendered(text, "de")


def test_copies_and_pickles_can_be_rendered() -> None:
    outer = Text("line {line}: {fault}", line=3, fault=ILLEGAL)
    for same in (copy.deepcopy(outer), pickle.loads(pickle.dumps(outer))):
        assert same == outer
        assert rendered(same, "de") == rendered(outer, "de")


def test_the_params_of_errors_and_faults_are_the_values_of_their_texts() -> None:
    error = InvalidInput(ILLEGAL, code="no_such_play")
    assert error.params == error.faults[0].params == {"text": "8D QI"}
    assert Fault("no_such_play", ILLEGAL).params == {"text": "8D QI"}
    assert Fault("no_such_play", ILLEGAL, params={"move": "QI"}).params == {"move": "QI"}
    assert InvalidInput("plain", code="x").params == {}


def test_several_faults_are_one_message_in_every_language() -> None:
    faults = [Fault("no_such_play", Text("there is no legal play '{text}'", text=str(at))) for at in range(7)]
    error = EngineError.collected(faults)
    assert str(error).endswith("there is no legal play '4'; and 2 more")
    assert error.params == {}
    assert rendered(error.message, "pl").endswith("nie ma dozwolonego zagrania „4”; i inne (liczba: 2)")
