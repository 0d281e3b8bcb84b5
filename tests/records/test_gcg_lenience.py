"""GCG: what few records contain, and what is understood nevertheless, with a warning for its line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.records.gcg import format_gcg, parse_gcg, read_gcg, replay_game
from engine.rules import tile_set
from tests.records.gcg_codes import TWO, WAITE, codes

if TYPE_CHECKING:
    from engine.records.gcg import GcgReading, Replay

TAKEN_BACK = WAITE + ">b: DEEFINO 7C DEFO +22 22\n"
SIX = TWO + "".join(f">{who}: -1 +0 0\n" for who in "ababab")
TIM = "#player1 Tim Tim Weiss\n#player2 Tim Tim Baker\n"
TURNS = (
    ">{}: AEITW 8D WAITE +24 24\n>{}: DEEFINO 7C DEFO +22 22\n>{}: DEEFINO -- -22 0\n>{}: -3 +0 24\n"
    ">{}: DEFO 7C DEFO +22 22\n>{}: - +0 24\n"
)


def read(text: str | bytes) -> tuple[GcgReading, Replay]:
    reading = read_gcg(text)
    return reading, replay_game(reading.record)


def warnings(text: str | bytes) -> list[tuple[int, str]]:
    """Return line and code of every warning; assert that there is no fault."""
    reading, replay = read(text)
    assert [*reading.faults, *replay.faults] == []
    found = [*reading.warnings, *replay.warnings]
    return [(one.line, one.code) for one in found]


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("DEEFINO", []),
        ("", []),
        ("UNKNOWN", []),
        ("DEFO", []),  # the tiles of the play, recorded in part
        ("DEEFINS", [(5, "phony_tiles_returned_mismatch")]),
        ("EEINO", [(5, "phony_tiles_returned_mismatch")]),
    ],
)
def test_the_rack_given_back_is_that_of_the_play(returned: str, expected: list[tuple[int, str]]) -> None:
    assert warnings(TAKEN_BACK + f">b: {returned} -- -22 0\n") == expected


def test_the_rack_given_back_is_complete_where_that_of_the_play_is_not() -> None:
    start = WAITE + ">b: DEFO 7C DEFO +22 22\n"
    assert warnings(start + ">b: DEEFINO -- -22 0\n") == []
    assert warnings(start + ">b: DEEFIN -- -22 0\n") == [(5, "phony_tiles_returned_mismatch")]


def test_the_rack_given_back_of_a_play_without_a_rack() -> None:
    start = WAITE + ">b: 7C DEFO +22 22\n"
    assert warnings(start + ">b: DEEFINO -- -22 0\n") == []
    assert warnings(start + ">b: DEEGINO -- -22 0\n") == [(5, "phony_tiles_returned_mismatch")]


def test_a_malformed_rack_after_six_turns_without_points_counts_as_recorded() -> None:
    text = SIX + ">a: AE1 (AE1) -3 -3\n>b: (BCD) -8 -8\n"
    assert warnings(text) == [(9, "six_pass_last_rack_malformed")]
    _, replay = read(text)
    assert replay.over
    assert [turn.total for turn in replay.turns[-2:]] == [-3, -8]
    assert codes(SIX + ">a: (AE1) +6 6\n") == ["end_rack_too_early"]


@pytest.mark.parametrize("kind", ["classic", "Classic", "classic_super", "classic-super"])
def test_known_types_of_games(kind: str) -> None:
    assert warnings(f"#game-type {kind}\n" + TWO) == []


def test_an_unknown_type_of_game_is_named_with_its_line() -> None:
    assert warnings(TWO + "#game-type wordsmog\n>a: 8D WAITE +24 24\n") == [(3, "unknown_game_type")]
    named = "#tile-distribution klingon\n#board-layout mine\n"
    assert warnings(named + WAITE) == [(1, "unknown_tile_set"), (2, "unknown_board")]


def test_moves_before_any_player_name_their_lines() -> None:
    reading = read_gcg(">a: 8D WAITE +24 24\n>b: 7C DEFO +22 22\n>a: - +0 24\n#player1 a Ann\n")
    assert [(one.line, one.code) for one in reading.faults] == [
        (1, "event_before_player"), (2, "event_before_player"),
    ]  # fmt: skip
    assert [player.name for player in reading.record.players] == ["Ann", ""]


def test_unknown_is_an_unknown_rack() -> None:
    text = TWO + ">a: UNKNOWN 8D WAITE +24 24\n>b: UNKNOWN -3 +0 0\n>a: UNKNOWN - +0 24\n#rack2 UNKNOWN\n"
    assert warnings(text) == []
    reading, replay = read(text)
    assert [event.rack for event in reading.record.events] == ["", "", ""]
    assert reading.record.last_racks == ("", "")
    assert [turn.position.players[0].rack for turn in replay.turns] == [None] * 3
    assert parse_gcg(format_gcg(reading.record)) == reading.record
    at_end = SIX + ">a: (UNKNOWN) -3 -3\n>b: UNKNOWN (UNKNOWN) -8 -8\n"
    assert warnings(at_end) == []
    assert [turn.points for turn in read(at_end)[1].turns[-2:]] == [None, None]


def test_players_of_one_nickname_are_distinguished_by_turn_order() -> None:
    text = TIM + TURNS.format(*["Tim"] * 6)
    assert warnings(text) == [(2, "duplicate_nickname")]
    reading, replay = read(text)
    apart = read_gcg(TWO + TURNS.format(*"abbaba")).record
    assert [event.player for event in reading.record.events] == [event.player for event in apart.events]
    assert [event.player for event in reading.record.events] == [0, 1, 1, 0, 1, 0]
    assert [player.score for player in replay.final.players] == [22, 24]
    assert parse_gcg(format_gcg(reading.record)) == reading.record


def test_the_ends_of_players_of_one_nickname_are_distinguished_by_their_scores() -> None:
    start = TIM + ">Tim: 8D WAITE +24 24\n" + ">Tim: -1 +0 0\n>Tim: -1 +0 24\n" * 3
    first = start + ">Tim: A (A) -1 23\n>Tim: BC (BC) -6 -6\n>Tim: (time) -10 -16\n"
    second = start + ">Tim: BC (BC) -6 -6\n>Tim: A (A) -1 23\n>Tim: (time) -10 13\n"
    for text, players in ((first, [0, 1, 1]), (second, [1, 0, 0])):
        assert warnings(text) == [(2, "duplicate_nickname")]
        assert [event.player for event in read_gcg(text).record.events[-3:]] == players


def test_two_of_three_players_have_one_nickname() -> None:
    text = "#player1 Tim A\n#player2 Ann B\n#player3 Tim C\n" + "".join(
        f">{nick}: - +0 0\n" for nick in ("Tim", "Ann", "Tim", "Tim", "Ann")
    )
    assert [event.player for event in read_gcg(text).record.events] == [0, 1, 2, 0, 1]


@pytest.mark.parametrize(
    "pragma", ["#lexicon OSPS49", "#lexicon Polish", "#tile-distribution polish", "#LEXICON osps50"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_lexicon_identifies_iso_8859_2(pragma: str, line_end: str) -> None:
    text = f"#player1 a Łucja\n#player2 b Bob\n{pragma}\n>a: ŻÓŁĆ 8E ŻÓŁĆ +42 42\n".replace("\n", line_end)
    reading = read_gcg(text.encode("iso-8859-2"))
    assert (reading.encoding, reading.faults) == ("iso-8859-2", ())
    assert [(one.line, one.code) for one in reading.warnings] == [(1, "encoding_guessed")]
    assert reading.record == read_gcg(text).record
    assert replay_game(reading.record).faults == ()


def test_other_lexicons_leave_iso_8859_1() -> None:
    for pragma in ("#lexicon CSW21", "#lexicon FISE2", "#title OSPS49"):
        reading = read_gcg(f"#player1 a Zoé\n#player2 b\n{pragma}\n".encode("latin-1"))
        assert (reading.encoding, reading.warnings) == ("iso-8859-1", ())
        assert reading.record.players[0].name == "Zoé"


LARGE = TWO + ">a: 11J WAITE +18 18\n>b: 10N ORT +8 8\n"


def test_coordinates_tell_the_board_of_21_squares() -> None:
    for named in ("", "#lexicon CSW21\n"):
        _, replay = read(named + LARGE + ">a: R7 AROSE +12 30\n")
        assert (replay.layout.id, replay.tile_set.id) == ("super21", "english_super")
        assert "board_guessed" in [one.code for one in replay.warnings]
        assert (
            replay_game(
                read_gcg(named + LARGE + ">a: R7 AROSE +12 30\n").record, tile_set("english")
            ).layout.side
            == 21
        )
    spanish = read("#lexicon FISE2\n" + LARGE + ">a: R7 AROSE +12 30\n")[1]
    assert (spanish.layout.id, spanish.tile_set.id) == ("super21", "spanish")


def test_one_wrong_coordinate_identifies_no_board() -> None:
    for text in (WAITE + ">b: 16A WE +5 5\n", TWO + ">a: 16A WAITE +24 24\n", LARGE):
        assert read(text)[1].layout.id == "standard15"
    named = read("#board-layout standard15\n" + LARGE + ">a: R7 AROSE +12 30\n")[1]
    assert named.layout.id == "standard15"


def test_every_code_is_documented() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "game-records.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", page))
    reported = r"(?:_report|_warn|_refuse|found\.add|LineFault|_warn_of_missing)\("
    calls = re.compile(
        rf"{reported}\s*(?:found, record, \S+ |faults, )?\"([a-z_]+)\""
        r"|\(\"([a-z]+(?:_[a-z]+)+)\", f?\"|malformed = .*\"([a-z_]+)\""
    )
    sources = "".join(path.read_text("utf-8") for path in (root / "engine" / "records" / "gcg").glob("*.py"))
    used = {code for found in calls.findall(sources) for code in found if code}
    assert len(used) > 50
    assert used <= documented, used - documented
