"""Games in JSON, as Woogles and Macondo store them: read, written, and converted to GCG and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EventKind, InvalidInput, format_gcg, format_history, read_gcg, replay_game
from engine.records.gcg.game_history import TYPES

if TYPE_CHECKING:
    from pathlib import Path

GAME: dict[str, Any] = {
    "players": [{"nickname": "ann lee", "realName": "Ann Lee"}, {"nickname": "bo"}],
    "lexicon": "NWL23",
    "challengeRule": "FIVE_POINT",
    "uid": "abc",
    "idAuth": "io.woogles",
    "boardLayout": "CrosswordGame",
    "letterDistribution": "english",
    "events": [
        {
            "rack": "CABSXYZ",
            "position": "8G",
            "playedTiles": "CAB",
            "score": 16,
            "cumulative": 16,
            "note": "so",
        },
        {"playerIndex": 1, "rack": "AEIOUUU", "type": "EXCHANGE", "exchanged": "UU", "cumulative": 0},
        {"rack": "SXYZ", "row": 7, "column": 6, "playedTiles": "...S", "score": 9, "cumulative": 25},
        {"type": 1, "rack": "SXYZ", "playedTiles": "...S", "lostScore": 9, "cumulative": 16},
        {"playerIndex": 1, "type": "PASS", "millisRemaining": "1200"},
        {"row": 6, "column": 8, "direction": "VERTICAL", "playedTiles": "A.", "score": 4, "cumulative": 20},
        {"type": "CHALLENGE_BONUS", "bonus": 5, "cumulative": 25},
        {"type": "CHALLENGE", "playerIndex": 1},
        {"type": 6, "lostScore": 10, "cumulative": 15},
        {"playerIndex": 1, "type": "END_RACK_PTS", "rack": "XYZ", "endRackPoints": 44, "cumulative": 44},
    ],
}


def test_every_kind_of_event_is_read() -> None:
    reading = read_gcg(json.dumps(GAME))
    record = reading.record
    assert not reading.faults
    assert not reading.warnings
    assert [(one.nick, one.name) for one in record.players] == [("ann_lee", "Ann Lee"), ("bo", "")]
    assert record.lexicon == "NWL23"
    assert dict(record.pragmas) == {
        "id": "io.woogles abc",
        "lexicon": "NWL23",
        "challenge-rule": "FIVE_POINT",
    }
    found = [
        (one.kind, one.player, one.rack, one.at, one.text, one.score, one.total) for one in record.events
    ]
    assert found == [
        (EventKind.PLAY, 0, "CABSXYZ", "8G", "CAB", 16, 16),
        (EventKind.EXCHANGE, 1, "AEIOUUU", "", "UU", 0, 0),
        (EventKind.PLAY, 0, "SXYZ", "8G", "...S", 9, 25),
        (EventKind.PHONY, 0, "SXYZ", "", "", -9, 16),
        (EventKind.PASS, 1, "", "", "", 0, 0),
        (EventKind.PLAY, 0, "", "I7", "A.", 4, 20),
        (EventKind.CHALLENGE, 0, "", "", "", 5, 25),
        (EventKind.TIME, 0, "", "", "", -10, 15),
        (EventKind.END_BONUS, 1, "", "", "XYZ", 44, 44),
    ]
    assert record.events[0].note == "so"
    assert record.events[4].pragmas == (("millis-remaining", "1200"),)


def test_a_game_survives_gcg_and_comes_back() -> None:
    record = read_gcg(json.dumps(GAME)).record
    assert read_gcg(format_gcg(record)).record == record
    history = format_history(record)
    assert read_gcg(json.dumps(history)).record == record
    assert [name for name, kind in TYPES if kind is not None][history["events"][1]["type"]] == "EXCHANGE"
    assert history["final_scores"] == [15, 44]
    assert "direction" not in history["events"][0]
    assert (
        history["events"][5] | {"position": "I7", "row": 6, "column": 8, "direction": 1}
        == history["events"][5]
    )


def test_a_wrapped_history_and_the_second_player_first() -> None:
    turned = {
        **GAME,
        "second_went_first": True,
        "events": [{"nickname": "bo", "type": 2}],
        "players": GAME["players"],
    }
    record = read_gcg(json.dumps({"history": turned})).record
    assert [one.nick for one in record.players] == ["bo", "ann_lee"]
    assert [event.player for event in record.events] == [0]


def test_an_unfinished_game_has_its_last_racks() -> None:
    record = read_gcg(
        json.dumps({**GAME, "events": GAME["events"][:1], "last_known_racks": ["SXYZ", "QI"]})
    ).record
    assert record.last_racks == ("SXYZ", "QI")
    assert format_history(record)["last_known_racks"] == ["SXYZ", "QI"]


def test_faults_name_the_event() -> None:
    events = [*GAME["events"][:1], {"type": "TELEPORT"}, 7, {"playerIndex": 5}]
    reading = read_gcg(json.dumps({**GAME, "events": events}))
    assert [(fault.code, fault.line) for fault in reading.faults] == [
        ("unreadable_event", at) for at in (2, 3, 4)
    ]
    assert reading.faults[0].detail.startswith("event 2: ")
    wrong = json.dumps({**GAME, "events": [{**GAME["events"][0], "score": 99}]})
    replay = replay_game(read_gcg(wrong).record)
    assert [fault.detail.partition(":")[0] for fault in replay.faults] == ["event 1"] * len(replay.faults)
    assert replay.faults


@pytest.mark.parametrize("text", ['{"events": [', "{}", '{"players": [{"nickname": "a"}]}', "{" * 100_000])
def test_what_is_no_history_is_no_record(text: str) -> None:
    reading = read_gcg(text)
    assert [fault.code for fault in reading.faults] == ["empty_record"]


@pytest.mark.parametrize("number", ["--5", "\u00b2", "9" * 5000, 10**30, True, "1e3"])
def test_what_is_no_number_is_none(number: object) -> None:
    event = {
        "score": number,
        "row": number,
        "millisRemaining": number,
        "playedTiles": "CAB",
        "position": "8G",
    }
    record = read_gcg(json.dumps({**GAME, "events": [event]})).record
    assert abs(record.events[0].score) <= 1
    clock = f"#player1 a A\n#player2 b B\n>a: - +0 0\n#millis-remaining {number}\n"
    assert "millis_remaining" not in format_history(read_gcg(clock).record)["events"][0] or number is True


def test_halves_of_characters_become_marks_that_can_be_written() -> None:
    events = [{**GAME["events"][0], "note": "\ud800 \u0000"}, "\ud800"]
    reading = read_gcg(
        json.dumps({**GAME, "players": [{"nickname": "\ud800"}, {"nickname": "b"}], "events": events})
    )
    assert reading.record.players[0].nick == "\ufffd"
    format_gcg(reading.record).encode("utf-8")
    for fault in reading.faults:
        str(fault.detail).encode("utf-8")


def test_a_fifth_player_is_a_fault() -> None:
    reading = read_gcg(
        json.dumps({**GAME, "players": [{"nickname": name} for name in "abcde"], "events": []})
    )
    assert [fault.code for fault in reading.faults] == ["bad_player"]
    assert len(reading.record.players) == 4


def test_a_number_of_too_many_digits_is_no_record() -> None:
    (fault,) = read_gcg('{"players": [], "x": ' + "1" * 5000 + "}").faults
    assert fault.code == "empty_record"
    assert "a number is too long" in fault.detail


def test_a_history_has_at_most_300_events() -> None:
    with pytest.raises(InvalidInput, match="at most 300 events"):
        read_gcg(json.dumps({**GAME, "events": [{"type": 2}] * 301}))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.lists(
    st.dictionaries(
        st.sampled_from(
            ["type", "playerIndex", "rack", "row", "column", "position", "playedTiles", "score", "note"]
        ),
        VALUES,
    ),
    max_size=4,
)


@given(
    EVENTS, st.dictionaries(st.sampled_from(["lexicon", "uid", "challenge_rule", "last_known_racks"]), VALUES)
)
def test_no_json_is_too_strange(events: list[dict[str, Any]], more: dict[str, Any]) -> None:
    record = read_gcg(json.dumps({"players": GAME["players"], "events": events, **more})).record
    replay_game(record)
    json.dumps(format_history(record))


@pytest.mark.parametrize("name", ["doug_v_emely", "phony_tiles_history", "vs_andy"])
def test_games_of_other_programs_convert_without_loss(name: str, shared_data: Path) -> None:
    text = (shared_data / "woogles_json" / f"{name}.json").read_text("utf-8")
    reading, given = read_gcg(text), json.loads(text)
    assert not reading.faults
    replay = replay_game(reading.record)
    assert replay.over
    assert len(replay.turns) == len(given["events"])
    assert not replay.faults
    again = read_gcg(format_gcg(reading.record)).record
    assert again == reading.record
    written = format_history(again)
    events = [
        {key: value for key, value in event.items() if key != "words_formed"} for event in given["events"]
    ]
    assert written["events"] == events
    assert written["final_scores"] == given["final_scores"]
