"""/play with a clock: the caller measures the times, the service applies the limits; ranks at the end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from engine import TimeControl, TurnRequest, TurnTime, parse_cgp, tile_set
from service.schemas.play import TurnSchema
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15"
TWO = f"{CAB} DEFGSTU/ 0/14 0"
LAST = f"{CAB} DEFGSTU/EEILNRT 30/14 3"  # two passes each end a German game


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/play", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    TurnSchema().load(answer)
    return answer


def test_a_move_in_time_is_made_and_the_times_turn_with_the_players(client: FlaskClient) -> None:
    time = {"taken": 60, "left": [100.5, 90, 80], "per_move": 60}
    answer = ask(client, cgp=f"{CAB} DEFGSTU// 0/14/3 0", move="8G ...S", time=time)
    assert (answer["legal"], answer["time_up"], answer["move"]["move"]) == (True, None, "8G ...S")
    assert answer["next"]["time_left"] == [90, 80, 40.5]
    assert ask(client, cgp=TWO, move="8G ...S")["next"]["time_left"] is None
    assert ask(client, cgp=TWO, move="8G ...S", time={"taken": 5})["next"]["time_left"] is None


@pytest.mark.parametrize("asked", [{"move": "8G ...S"}, {"move": "nonsense"}, {"level": 3}])
def test_a_late_move_is_a_pass(client: FlaskClient, asked: dict[str, Any]) -> None:
    answer = ask(client, cgp=TWO, **asked, time={"taken": 60.5, "left": [100, 90], "per_move": 60})
    assert (answer["legal"], answer["time_up"], answer["move"]["kind"]) == (True, "move", "pass")
    assert (answer["next"]["time_left"], answer["next"]["passes"]) == ([90, 40], 1)
    assert answer["asked"] == asked.get("move")


def test_a_late_computer_player_does_not_search() -> None:
    for taken, searches in ((60, True), (60.5, False)):
        time = TurnTime(taken, control=TimeControl(per_move=60))
        assert TurnRequest(parse_cgp(TWO), level=10, time=time).is_search is searches


def test_overtime_may_lose_the_game(client: FlaskClient) -> None:
    cgp = f"{CAB} DEFGSTU// 50/14/14 0"
    time = {"taken": 3, "left": [2.5, 10, -5], "overtime": "loss"}
    answer = ask(client, cgp=cgp, move="8G ...S", time=time)
    assert (answer["legal"], answer["time_up"], answer["move"]) == (False, "game", None)
    assert (answer["next"], answer["over"]["reason"]) == (None, "time")
    players = answer["over"]["players"]
    assert [player["final"] for player in players] == [14, 14, 50]
    assert [player["rank"] for player in players] == [1, 1, 3]
    assert [player["won"] for player in players] == [True, True, False]
    assert [player["left"] for player in players] == [None, None, "DEFGSTU"]


def test_overtime_costs_points_at_the_end(client: FlaskClient) -> None:
    english = tile_set("english")
    left = Counter(dict(zip("?" + "".join(english.alphabet.letters), english.counts, strict=True)))
    left.subtract("CABDEFGSTUEEILNRT")
    bag = "".join(left.elements())
    time = {"taken": 61, "left": [0, -0.5]}
    answer = ask(client, cgp=f"{LAST} rules german;", bag=bag, move="-", passes=3, time=time)
    assert answer["over"]["reason"] == "all_passed"
    other, mover = answer["over"]["players"]
    assert (other["penalty"], mover["penalty"]) == (10, 20)
    for player in (other, mover):
        assert player["final"] == player["score"] + player["adjustment"] - player["penalty"]
    assert (other["rank"], mover["rank"]) == (2, 1)
    assert answer["next"]["time_left"] == [-0.5, -61]


def test_equal_points_share_a_rank(client: FlaskClient) -> None:
    rules = {"rack_size": 3, "zero_turn_limit": 6}
    tiles = [
        {"letter": chr(letter), "count": 6 if letter == 65 else 2 if letter == 66 else 1, "value": 1}
        for letter in range(65, 91)
    ]
    players = [{"score": 10, "rack": "AAA"}, {"score": 10, "rack": "ABD"}, {"score": 5, "rack": "EFG"}]
    bag = "".join(chr(letter) for letter in range(72, 91)) + "A"
    answer = ask(
        client,
        rows=["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7,
        players=players,
        zero_turns=5,
        rules=rules,
        tile_set=tiles,
        bag=bag,
        move="-",
    )
    assert [player["rank"] for player in answer["over"]["players"]] == [1, 3, 1]


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ({}, [("/time/taken", "missing_field")]),
        ({"taken": -1}, [("/time/taken", "out_of_range")]),
        ({"taken": "1"}, [("/time/taken", "wrong_type")]),
        ({"taken": True}, [("/time/taken", "wrong_type")]),
        ({"taken": 10**15}, [("/time/taken", "out_of_range")]),
        ({"taken": 1, "per_move": 0}, [("/time/per_move", "out_of_range")]),
        ({"taken": 1, "left": [1]}, [("/time/left", "out_of_range")]),
        ({"taken": 1, "left": [1, 2, 3]}, [("/time/left", "bad_time")]),
        ({"taken": 1, "overtime": "draw"}, [("/time/overtime", "unknown_choice")]),
        ({"taken": 1, "hours": 2}, [("/time/hours", "unknown_field")]),
        (None, [("/time", "wrong_type")]),
    ],
)
def test_wrong_times_are_refused(client: FlaskClient, time: Any, expected: list[tuple[str, str]]) -> None:
    response = client.post("/play", json={"cgp": TWO, "move": "8G ...S", "time": time})
    assert response.status_code == 422
    assert codes(response) == expected


def test_a_number_too_large_for_a_float_is_refused(client: FlaskClient) -> None:
    for taken in ("1" + "0" * 400, "1e999", "-1e999"):
        text = f'{{"cgp": "{TWO}", "move": "-", "time": {{"taken": {taken}}}}}'
        response = client.post("/play", data=text, content_type="application/json")
        assert response.status_code in (400, 422), response.text
