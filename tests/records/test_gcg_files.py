"""Whole game records, most of them named for their one fault: each reads as its name says.

Those of the wild lie beside the checkout, as they may not be copied; our own are edits of one game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from engine.errors import InvalidInput
from engine.records.gcg import format_gcg, parse_gcg, read_gcg, replay_game
from tests.records.whole_games import WHOLE_GAMES

if TYPE_CHECKING:
    from pathlib import Path

    from engine.records.gcg import GcgReading, LineFault


class Outcome(NamedTuple):
    """What a file must give: events replayed, scores, whether the game is over, "line:code" of all faults.

    The warning that the tile set was guessed is left out: `GUESSED` lists the files that have it.
    """

    replayed: int
    scores: tuple[int, ...]
    over: bool
    faults: str
    warnings: str = ""


OUR_OUTCOMES = {
    "nothing": Outcome(26, (444, 401), True, ""),
    "line_ends_of_dos": Outcome(26, (444, 401), True, ""),
    "latin_1_undeclared": Outcome(26, (444, 401), True, ""),
    "encoding_unknown": Outcome(26, (444, 401), True, "1:unsupported_encoding"),
    "heading_twice": Outcome(26, (444, 401), True, "", "5:redundant_pragma"),
    "heading_twice_and_different": Outcome(26, (444, 401), True, "5:redundant_pragma"),
    "name_twice": Outcome(26, (444, 401), True, "", "3:duplicate_name"),
    "note_of_two_lines": Outcome(26, (444, 401), True, ""),
    "stopped": Outcome(20, (312, 336), False, ""),
    "stopped_with_racks": Outcome(20, (312, 336), False, ""),
    "stopped_with_a_rack_that_cannot_be": Outcome(20, (312, 336), False, "25:rack_not_in_bag"),
    "event_after_racks": Outcome(26, (444, 401), True, "25:event_after_last_rack"),
    "phony_taken_back": Outcome(21, (312, 312), False, ""),
    "phony_without_a_play": Outcome(27, (444, 401), True, "5:phony_without_play"),
    "challenge_without_a_play": Outcome(27, (444, 401), True, "5:challenge_without_play"),
    "challenge_of_the_last_play": Outcome(27, (449, 401), True, ""),
    "total_wrong": Outcome(26, (444, 401), True, "14:wrong_cumulative_score"),
    "tile_not_of_the_rack": Outcome(26, (444, 401), True, "14:tile_not_in_rack"),
    "rack_not_of_the_bag": Outcome(26, (444, 401), True, "9:rack_not_in_bag"),
    "rack_of_unknown_tiles": Outcome(26, (444, 401), True, "9:unknown_tile"),
    "play_of_unknown_tiles": Outcome(5, (42, 45), False, "9:unknown_tile", "9:not_replayed"),
    "play_off_the_board": Outcome(5, (42, 45), False, "9:off_board", "9:not_replayed"),
    "play_on_a_taken_square": Outcome(5, (42, 45), False, "9:square_taken", "9:not_replayed"),
    "play_through_an_empty_square": Outcome(5, (42, 45), False, "9:square_empty", "9:not_replayed"),
    "no_move": Outcome(5, (42, 45), False, "9:unreadable_event", "9:not_replayed"),
    "nobody": Outcome(5, (42, 45), False, "9:unknown_player", "9:not_replayed"),
    "out_of_turn": Outcome(
        25, (423, 401), True, "9:off_turn 10:wrong_cumulative_score 29:wrong_end_rack 29:wrong_end_value"
    ),
    "time_penalty": Outcome(27, (444, 391), True, ""),
    "time_penalty_twice": Outcome(28, (444, 391), True, "32:duplicate_time_penalty"),
    "time_penalty_early": Outcome(27, (444, 401), True, "9:early_time_penalty"),
    "left_tiles_of_wrong_value": Outcome(26, (446, 401), True, "30:wrong_end_value"),
    "left_tiles_of_others": Outcome(26, (462, 401), True, "30:wrong_end_rack 30:wrong_end_value"),
    "pass_after_the_end": Outcome(27, (444, 401), True, "", "30:pass_after_out"),
    "play_after_the_end": Outcome(27, (444, 401), True, "31:event_after_end 31:rack_too_long"),
    "passed_out": Outcome(6, (0, 0), True, ""),
    "passed_out_and_counted": Outcome(8, (-12, -10), True, ""),
}

WILD_OUTCOMES = {
    "challenge_bonus_without_play": Outcome(
        19,
        (255, 298),
        False,
        "24:challenge_without_play 26:square_empty",
        "24:kept_tile_missing 26:kept_tile_missing 26:not_replayed",
    ),
    "duplicate_names": Outcome(26, (393, 539), True, "", "3:duplicate_name"),
    "end_game_event_before_game_end": Outcome(30, (516, 358), True, "18:early_time_penalty"),
    "end_points_rack_malformed": Outcome(29, (516, 358), True, "45:unknown_tile"),
    "event_after_last_rack": Outcome(29, (516, 358), True, "37:event_after_last_rack"),
    "exchange_not_in_rack": Outcome(10, (-6, -16), True, "6:tile_not_in_rack"),
    "first_rack_not_in_bag": Outcome(2, (0, 0), False, "13:rack_not_in_bag", "13:not_replayed"),
    "game_events_overflow": Outcome(
        11, (209, 223), False, "19:no_tile_placed 19:rack_not_in_bag", "19:not_replayed"
    ),
    "incomplete_after_five_point_challenge": Outcome(17, (245, 398), False, ""),
    "incomplete_after_phony_returned": Outcome(11, (194, 131), False, ""),
    "incomplete_with_last_rack_after_tile_placement": Outcome(3, (79, 22), False, ""),
    "invalid_phony_tiles_player_index": Outcome(
        13, (211, 158), False, "22:phony_without_play 24:rack_not_in_bag 24:square_taken", "24:not_replayed"
    ),
    "last_rack1_not_in_bag": Outcome(2, (0, 22), False, "14:rack_not_in_bag"),
    "last_rack_penalty_incorrect": Outcome(10, (-6, -18), True, "17:wrong_end_value"),
    "line_overflow": Outcome(26, (393, 539), True, ""),
    "macondo_doug_v_emely_double_challenge": Outcome(29, (451, 345), True, "", "30:pass_after_out"),
    "macondo_guy_vs_bot": Outcome(27, (454, 424), True, ""),
    "macondo_incomplete": Outcome(20, (336, 298), False, "", "23:kept_tile_missing"),
    "macondo_name_iso8859-1": Outcome(2, (32, 16), False, ""),
    "macondo_noah_vs_mishu": Outcome(36, (377, 388), True, ""),
    "macondo_polish_endgame": Outcome(53, (316, 323), True, "", "56:other_ending"),
    "macondo_some_isc_game": Outcome(24, (364, 409), True, ""),
    "macondo_utf8_dos": Outcome(24, (375, 488), True, ""),
    "macondo_vs_andy": Outcome(27, (423, 363), True, "", "15:kept_tile_missing"),
    "malformed_play": Outcome(5, (92, 108), False, "11:unknown_tile", "11:not_replayed"),
    "midgame_rack_not_in_bag": Outcome(29, (516, 358), True, "35:rack_not_in_bag"),
    "move_event_after_game_end": Outcome(30, (516, 358), True, "45:event_after_end"),
    "name_iso8859-1": Outcome(2, (32, 16), False, ""),
    "name_utf8_with_header": Outcome(2, (32, 16), False, ""),
    "no_challenge_rack_mid": Outcome(25, (339, 532), True, ""),
    "no_matching_token": Outcome(4, (92, 22), False, "10:unreadable_event", "10:not_replayed"),
    "oops_all_pragmas": Outcome(0, (0, 0), False, ""),
    "outplay_challenge_bonus": Outcome(30, (516, 363), True, ""),
    "pass_rack_malformed": Outcome(29, (516, 358), True, "28:unknown_tile"),
    "phony_tiles_returned_with_no_play": Outcome(26, (393, 539), True, "35:phony_without_play"),
    "play_out_of_bounds": Outcome(10, (209, 140), False, "18:off_board", "18:not_replayed"),
    "player_does_not_exist": Outcome(20, (389, 400), False, "30:unknown_player", "30:not_replayed"),
    "redundant_pragma": Outcome(26, (393, 539), True, "5:redundant_pragma"),
    "six_pass_cumulative_scoring_error": Outcome(10, (-6, -16), True, "17:wrong_cumulative_score"),
    "standard_cumulative_scoring_error": Outcome(29, (516, 358), True, "15:wrong_cumulative_score"),
    "success_five_point_challenge": Outcome(25, (339, 532), True, ""),
    "success_long_game": Outcome(46, (336, 443), True, ""),
    "success_standard": Outcome(29, (516, 358), True, ""),
    "time_penalty_before_rack_points": Outcome(29, (516, 378), True, "45:early_time_penalty"),
    "time_penalty_duplicate": Outcome(30, (516, 358), True, "47:duplicate_time_penalty"),
    "time_penalty_midgame": Outcome(29, (516, 378), True, "15:early_time_penalty"),
    "unsupported_character_encoding": Outcome(26, (393, 539), True, "1:unsupported_encoding"),
    "vs_jeremy": Outcome(25, (331, 352), False, ""),
}

EMPTY = {"empty", "nothing_written"}
GUESSED = {"macondo_polish_endgame": "polish"}
"""The files whose tile set is guessed with a warning, and the guess."""


@pytest.fixture(scope="module")
def readings(game_records: dict[str, bytes]) -> dict[str, GcgReading]:
    """Our own records, and where they lie beside the checkout those of the wild."""
    return {name: read_gcg(data) for name, data in game_records.items()}


@pytest.fixture(scope="module")
def wild(shared_data: Path, readings: dict[str, GcgReading]) -> dict[str, GcgReading]:
    """The records of the wild alone."""
    return {path.stem: readings[path.stem] for path in sorted((shared_data / "gcg").glob("*.gcg"))}


def listed(faults: list[LineFault]) -> str:
    return " ".join(f"{line}:{code}" for line, code in sorted((fault.line, fault.code) for fault in faults))


def check(name: str, reading: GcgReading, expected: Outcome, guess: str | None) -> None:
    """Assert that a record reads as expected; `guess` is the tile set that is guessed, if one is."""
    replay = replay_game(reading.record)
    totals = [0] * len(reading.record.players)
    for turn in replay.turns:
        if turn.event.player >= 0:
            totals[turn.event.player] = turn.total
    warnings = [*reading.warnings, *replay.warnings]
    guessed = [fault for fault in warnings if fault.code == "tile_set_guessed"]
    assert {fault.detail.split("; ")[1].split()[0] for fault in guessed} == ({guess} if guess else set()), (
        name
    )
    found = Outcome(
        len(replay.turns),
        tuple(totals),
        replay.over,
        listed([*reading.faults, *replay.faults]),
        listed([fault for fault in warnings if fault not in guessed]),
    )
    assert found == expected, name


@pytest.mark.parametrize("name", OUR_OUTCOMES)
def test_a_record_of_ours_reads_as_its_name_says(name: str, readings: dict[str, GcgReading]) -> None:
    check(name, readings[name], OUR_OUTCOMES[name], None)


def test_every_record_of_the_wild_reads_as_its_name_says(wild: dict[str, GcgReading]) -> None:
    assert set(wild) == {*WILD_OUTCOMES, "empty"}
    for name, expected in WILD_OUTCOMES.items():
        check(name, wild[name], expected, GUESSED.get(name))


def test_an_empty_record(readings: dict[str, GcgReading]) -> None:
    assert set(WHOLE_GAMES) == {*OUR_OUTCOMES, "nothing_written"}
    for name in readings.keys() & EMPTY:
        assert listed(list(readings[name].faults)) == "0:empty_record"
    with pytest.raises(InvalidInput, match="not a game record"):
        parse_gcg("")


def test_every_fault_names_its_line_and_field(readings: dict[str, GcgReading]) -> None:
    for name, reading in readings.items():
        faults = [*reading.faults, *reading.warnings]
        if name not in EMPTY:
            replay = replay_game(reading.record)
            faults += [*replay.faults, *replay.warnings]
        for fault in faults:
            if fault.line:
                assert fault.detail.startswith(f"line {fault.line}: ")
                assert fault.field.split("/")[:2] == ["gcg", str(fault.line)]
            else:
                assert fault.field == "gcg"


def test_written_and_read_again_a_record_is_the_same(readings: dict[str, GcgReading]) -> None:
    for reading in readings.values():
        text = format_gcg(reading.record)
        again = read_gcg(text.encode())
        assert again.record == reading.record
        assert again.encoding == "utf-8"
        assert format_gcg(again.record) == text


def test_the_positions_of_a_replay_are_possible(readings: dict[str, GcgReading]) -> None:
    for name, reading in readings.items():
        if name not in EMPTY:
            replay = replay_game(reading.record)
            for turn in replay.turns:
                turn.position.check()
            replay.final.check()


def test_encodings_give_the_same_names(wild: dict[str, GcgReading]) -> None:
    old, new = wild["name_iso8859-1"], wild["name_utf8_with_header"]
    assert (old.encoding, new.encoding) == ("iso-8859-1", "utf-8")
    assert old.record.players[0].nick == new.record.players[0].nick == "césar"
    polish = wild["macondo_polish_endgame"].record
    assert polish.events[2].text == "STĘPIĆ"


def test_a_note_of_several_lines_is_read(wild: dict[str, GcgReading]) -> None:
    record = wild["success_standard"].record
    assert record.events[16].note == "this\nis\na\nmultiline\nnote"
    dos = wild["macondo_utf8_dos"].record
    assert dos.events[3].note == "volplane!"
    assert dos.events[9].note.endswith("will it work?")


def test_a_rack_after_a_phony_stays_known_to_all(wild: dict[str, GcgReading]) -> None:
    replay = replay_game(wild["success_standard"].record)
    after = replay.turns[11]
    assert after.event.text == "ED"
    shown = after.position.players[1].known_tiles
    assert shown is not None
    assert shown.text(replay.tile_set.alphabet) == "ADKOV"


def test_the_racks_at_the_end_of_an_unfinished_game(wild: dict[str, GcgReading]) -> None:
    replay = replay_game(wild["incomplete_after_phony_returned"].record)
    mover = replay.final.players[0]
    assert mover.rack is not None
    assert mover.rack.text(replay.tile_set.alphabet) == "ADEEIRT"
    assert mover.score == 194


def test_the_tiles_left_at_the_end_of_a_game(wild: dict[str, GcgReading]) -> None:
    final = replay_game(wild["macondo_polish_endgame"].record).final
    assert [player.held.text(final.tile_set.alphabet) for player in final.players] == ["BHUWZ", ""]
    assert (final.bag_count(), final.players[0].score, final.players[1].score) == (0, 316, 323)
