"""Game records of the wild, most of them named for their one fault: each reads as its name says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from engine.errors import InvalidInput
from engine.records.gcg import format_gcg, parse_gcg, read_gcg, replay_game

if TYPE_CHECKING:
    from pathlib import Path

    from engine.records.gcg import GcgReading, LineFault


class Outcome(NamedTuple):
    """What a file must give: events replayed, scores, whether the game is over, "line:code" of all faults.

    The warning that the tile set was guessed is left out: `NO_LEXICON` lists the files that have it.
    """

    replayed: int
    scores: tuple[int, ...]
    over: bool
    faults: str
    warnings: str = ""


OUTCOMES = {
    "challenge_bonus_without_play": Outcome(
        19,
        (255, 298),
        False,
        "24:challenge_without_play 26:square_empty",
        "24:kept_tile_missing 26:kept_tile_missing 26:not_replayed",
    ),
    "duplicate_names": Outcome(26, (393, 539), True, "", "3:duplicate_name"),
    "empty": Outcome(0, (), False, "0:empty_record"),
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

NO_LEXICON = {
    "duplicate_names": "english",
    "last_rack_penalty_incorrect": "english",
    "macondo_doug_v_emely_double_challenge": "english",
    "macondo_guy_vs_bot": "english",
    "macondo_name_iso8859-1": "english",
    "macondo_noah_vs_mishu": "english",
    "macondo_polish_endgame": "polish",
    "macondo_some_isc_game": "english",
    "macondo_utf8_dos": "english",
    "macondo_vs_andy": "english",
    "outplay_challenge_bonus": "english",
    "six_pass_cumulative_scoring_error": "english",
    "success_long_game": "english",
    "unsupported_character_encoding": "english",
    "vs_jeremy": "english",
}


@pytest.fixture(scope="module")
def readings(shared_data: Path) -> dict[str, GcgReading]:
    return {path.stem: read_gcg(path.read_bytes()) for path in sorted((shared_data / "gcg").glob("*.gcg"))}


def listed(faults: list[LineFault]) -> str:
    return " ".join(f"{line}:{code}" for line, code in sorted((fault.line, fault.code) for fault in faults))


def test_the_table_has_every_file(readings: dict[str, GcgReading]) -> None:
    assert set(readings) == set(OUTCOMES)


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_file_reads_as_its_name_says(name: str, readings: dict[str, GcgReading]) -> None:
    reading, expected = readings[name], OUTCOMES[name]
    if name == "empty":
        assert listed(list(reading.faults)) == expected.faults
        with pytest.raises(InvalidInput, match="no game record"):
            parse_gcg("")
        return
    replay = replay_game(reading.record)
    totals = [0] * len(reading.record.players)
    for turn in replay.turns:
        if turn.event.player >= 0:
            totals[turn.event.player] = turn.total
    warnings = [*reading.warnings, *replay.warnings]
    guessed = [fault for fault in warnings if fault.code == "tile_set_guessed"]
    assert {fault.detail.split("; ")[1].split()[0] for fault in guessed} == (
        {NO_LEXICON[name]} if name in NO_LEXICON else set()
    )
    found = Outcome(
        len(replay.turns),
        tuple(totals),
        replay.over,
        listed([*reading.faults, *replay.faults]),
        listed([fault for fault in warnings if fault not in guessed]),
    )
    assert found == expected


def test_every_fault_names_its_line_and_field(readings: dict[str, GcgReading]) -> None:
    for name, reading in readings.items():
        faults = [*reading.faults, *reading.warnings]
        if name != "empty":
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
        if name != "empty":
            replay = replay_game(reading.record)
            for turn in replay.turns:
                turn.position.check()
            replay.final.check()


def test_encodings_give_the_same_names(readings: dict[str, GcgReading]) -> None:
    old, new = readings["name_iso8859-1"], readings["name_utf8_with_header"]
    assert (old.encoding, new.encoding) == ("iso-8859-1", "utf-8")
    assert old.record.players[0].nick == new.record.players[0].nick == "césar"
    polish = readings["macondo_polish_endgame"].record
    assert polish.events[2].text == "STĘPIĆ"


def test_a_note_of_several_lines_is_kept(readings: dict[str, GcgReading]) -> None:
    record = readings["success_standard"].record
    assert record.events[16].note == "this\nis\na\nmultiline\nnote"
    dos = readings["macondo_utf8_dos"].record
    assert dos.events[3].note == "volplane!"
    assert dos.events[9].note.endswith("will it work?")


def test_a_rack_after_a_phony_stays_known_to_all(readings: dict[str, GcgReading]) -> None:
    replay = replay_game(readings["success_standard"].record)
    after = replay.turns[11]
    assert after.event.text == "ED"
    shown = after.position.players[1].known_tiles
    assert shown is not None
    assert shown.text(replay.tile_set.alphabet) == "ADKOV"


def test_the_racks_at_the_end_of_an_unfinished_game(readings: dict[str, GcgReading]) -> None:
    replay = replay_game(readings["incomplete_after_phony_returned"].record)
    mover = replay.final.players[0]
    assert mover.rack is not None
    assert mover.rack.text(replay.tile_set.alphabet) == "ADEEIRT"
    assert mover.score == 194


def test_the_tiles_left_at_the_end_of_a_game(readings: dict[str, GcgReading]) -> None:
    final = replay_game(readings["macondo_polish_endgame"].record).final
    assert [player.held.text(final.tile_set.alphabet) for player in final.players] == ["BHUWZ", ""]
    assert (final.bag_count(), final.players[0].score, final.players[1].score) == (0, 316, 323)
