"""Records of one whole game, each with one thing wrong or odd, named for it."""

from __future__ import annotations

from pathlib import Path

GAME = (Path(__file__).parents[1] / "annotation" / "golden" / "game2.gcg").read_text("utf-8")
LINES = GAME.splitlines()


def edited(*edits: tuple[int, int, list[str]]) -> bytes:
    """Return the game with some of its lines replaced: from a number (1 is the first), how many, by what."""
    lines = list(LINES)
    for start, count, new in sorted(edits, reverse=True):
        lines[start - 1 : start - 1 + count] = new
    return "".join(f"{line}\n" for line in lines).encode()


def inserted(after: int, *new: str) -> bytes:
    """Return the game with lines put in after one of its lines."""
    return edited((after + 1, 0, list(new)))


def replaced(line: int, old: str, new: str) -> bytes:
    """Return the game with a part of one line replaced."""
    assert old in LINES[line - 1]
    return edited((line, 1, [LINES[line - 1].replace(old, new)]))


WHOLE_GAMES: dict[str, bytes] = {
    "nothing": GAME.encode(),
    "nothing_written": b"",
    "line_ends_of_dos": GAME.replace("\n", "\r\n").encode(),
    "latin_1_undeclared": edited((1, 1, []), (2, 1, ["#player1 ann Ann Ék"])).decode().encode("latin-1"),
    "encoding_unknown": replaced(1, "UTF-8", "EBCDIC"),
    "heading_twice": inserted(4, "#lexicon scowl80"),
    "heading_twice_and_different": inserted(4, "#lexicon nwl23"),
    "name_twice": edited((3, 1, ["#player2 bo Ann <b>Ek</b>"])),
    "note_of_two_lines": inserted(8, "#note one", "two"),
    "stopped": edited((25, 99, [])),
    "stopped_with_racks": edited((25, 99, ["#rack1 ELLPSTU", "#rack2 AAENOOP"])),
    "stopped_with_a_rack_that_cannot_be": edited((25, 99, ["#rack1 JJJ"])),
    "event_after_racks": inserted(23, "#rack1 EELPSTW"),
    "phony_taken_back": edited((25, 99, [">bo: AAEGHIT -- -24 312"])),
    "phony_without_a_play": inserted(4, ">ann: EIMOSUY -- -12 0"),
    "challenge_without_a_play": inserted(4, ">ann: (challenge) +5 5"),
    "challenge_of_the_last_play": edited((30, 1, [">ann: (challenge) +5 443", ">ann: (OOO) +6 449"])),
    "total_wrong": replaced(14, "+53 194", "+53 195"),
    "tile_not_of_the_rack": replaced(14, "EIKLOUY", "EILLOUY"),
    "rack_not_of_the_bag": replaced(9, "EGIQRST", "JGIQRST"),
    "rack_of_unknown_tiles": replaced(9, "EGIQRST", "EG1QRST"),
    "play_of_unknown_tiles": replaced(9, "D8 Q.", "D8 Q1"),
    "play_off_the_board": replaced(9, "D8 Q.", "15O QI"),
    "play_on_a_taken_square": replaced(9, "D8 Q.", "8F QI"),
    "play_through_an_empty_square": replaced(9, "D8 Q.", "D13 Q."),
    "no_move": replaced(9, "D8 Q. ", ""),
    "nobody": replaced(9, ">ann", ">cid"),
    "out_of_turn": edited((9, 1, [])),
    "time_penalty": inserted(30, ">bo: (time) -10 391"),
    "time_penalty_twice": inserted(30, ">bo: (time) -10 391", ">bo: (time) -10 381"),
    "time_penalty_early": inserted(8, ">ann: (time) -10 32"),
    "left_tiles_of_wrong_value": replaced(30, "+6 444", "+8 446"),
    "left_tiles_of_others": replaced(30, "(OOO) +6 444", "(OOZ) +24 462"),
    "pass_after_the_end": inserted(29, ">bo: OOO - +0 401"),
    "play_after_the_end": inserted(30, ">ann: AB 15A AB +4 448"),
    "passed_out": edited(
        (5, 99, [f">{who}: {rack} - +0 0" for who, rack in 3 * (("ann", "EEIMOSY"), ("bo", "DEEIUV?"))])
    ),
    "passed_out_and_counted": edited(
        (
            5,
            99,
            [
                *[f">{who}: {rack} - +0 0" for who, rack in 3 * (("ann", "EEIMOSY"), ("bo", "DEEIUV?"))],
                *(">ann: EEIMOSY (EEIMOSY) -12 -12", ">bo: DEEIUV? (DEEIUV?) -10 -10"),
            ],
        )
    ),
}
