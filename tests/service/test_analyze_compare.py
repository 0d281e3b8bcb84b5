"""/analyze: moves that the request asks to rank, legal or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.analyze_requests import CAB_CGP, answer

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_a_move_far_down_the_list_gets_its_rank(client: FlaskClient) -> None:
    everything = answer(client, cgp=CAB_CGP, top_n=200)["moves"]
    asked = [everything[150]["move"], everything[3]["move"]]
    compared = answer(client, cgp=CAB_CGP, top_n=1, compare=asked)["compare"]
    assert [item["move"] for item in compared] == [everything[150], everything[3]]
    assert all(item["legal"] and item["fault"] is None for item in compared)


def test_notation_is_forgiving(client: FlaskClient) -> None:
    compared = answer(client, cgp=CAB_CGP, compare=["8G CABS", "8G (CAB)S", " 8g  ...S "])["compare"]
    assert {item["move"]["move"] for item in compared} == {"8G ...S"}


def test_exchanges_and_the_pass_have_ranks_whether_listed_or_not(client: FlaskClient) -> None:
    result = answer(client, cgp=CAB_CGP, compare=["-?", "-ADDEFS?", "pass"])
    plays, exchanges = result["play_count"], result["exchange_count"]
    ranks = [item["move"]["rank"] for item in result["compare"]]
    assert ranks == [plays + 1, plays + exchanges, plays + exchanges + 1]


def test_a_play_down_on_an_empty_symmetric_board_ranks_as_its_mirror_image(client: FlaskClient) -> None:
    across, down, off = answer(client, tiles=[], rack="CABDEFE", compare=["8H CAB", "H8 CAB", "G8 CAB"])[
        "compare"
    ]
    assert across["legal"]
    assert down["legal"]
    assert down["move"]["move"] == "H8 CAB"
    assert down["move"]["rank"] == across["move"]["rank"]
    assert off["fault"]["code"] == "start_not_covered"


@pytest.mark.parametrize(
    ("move", "code", "described"),
    [
        ("8G ...XQ", "tile_not_in_rack", True),
        ("8D DAF...", "not_in_lexicon", True),
        ("1A DEAF", "not_connected", True),
        ("-ZZ", "tile_not_in_rack", True),
        ("8G DOG", "square_taken", False),
        ("8Q A", "off_board", False),
        ("hello", "bad_move", False),
        ("8N FADED", "off_board", False),
        ("9A F", "lone_tile", False),
        ("8G C", None, False),
    ],
)
def test_an_illegal_move_has_a_fault_and_does_not_affect_the_others(
    client: FlaskClient, move: str, code: str | None, described: bool
) -> None:
    first, second = answer(client, cgp=CAB_CGP, compare=[move, "8G ...S"])["compare"]
    assert second["legal"]
    assert first["legal"] is False
    assert first["asked"] == move
    assert first["fault"]["detail"]
    assert code is None or first["fault"]["code"] == code
    assert (first["move"] is not None) == described
    if described:
        assert first["move"]["rank"] is None


def test_a_phony_names_its_words_and_is_scored(client: FlaskClient) -> None:
    (item,) = answer(client, cgp=CAB_CGP, compare=["8D DAF..."])["compare"]
    assert "DAFCAB" in item["fault"]["detail"]
    assert [(word["word"], word["valid"]) for word in item["move"]["words"]] == [("DAFCAB", False)]
    assert item["move"]["score"] > 0
