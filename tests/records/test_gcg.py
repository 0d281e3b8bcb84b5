"""GCG: what is written is read, leniently and by line; whole games are replayed and scored."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.movegen.reference import Game, Slot, WordSet
from engine.position import BLANK_FLAG, Board, Play, Position, format_move, parse_move
from engine.records import format_cgp, parse_cgp
from engine.records.gcg import (
    Event,
    EventKind,
    GameRecord,
    PlayerName,
    format_gcg,
    parse_gcg,
    read_gcg,
    replay_game,
)
from engine.records.gcg.scoring import score_play, worth
from engine.rules import BoardLayout, TileSet, board_layout, default_rule_set, rule_set, tile_set
from tests.position.strategies import boards

GOLDEN = Path(__file__).parents[1] / "golden" / "greedy_games.tsv"
TWO = "#player1 a Ann\n#player2 b Bob\n"
GAMES = 12


def codes(text: str | bytes) -> list[str]:
    """Return the codes of all faults, and of the warnings in brackets, but for the guessed tile set."""
    reading = read_gcg(text)
    replay = replay_game(reading.record)
    found = [*reading.faults, *reading.warnings, *replay.faults, *replay.warnings]
    return [
        f"({fault.code})" if fault.warning else fault.code
        for fault in found
        if fault.code != "tile_set_guessed"
    ]


# Whole games, which the engine itself has played.


def golden_games() -> list[list[Position]]:
    games = defaultdict(list)
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["game"]) < GAMES:
                games[row["game"]].append(parse_cgp(row["cgp"]))
    return list(games.values())


def play_between(before: Position, after: Position) -> Play | None:
    """Return the play whose tiles one board has more than the other."""
    side = before.board.side
    new = [i for i, code in enumerate(after.board.squares) if code and not before.board.squares[i]]
    if not new:
        return None
    down = len(new) > 1 and new[0] % side == new[-1] % side
    step = side if down else 1
    word = "".join(
        after.tile_set.alphabet.text([after.board.squares[place]]) if place in new else "."
        for place in range(new[0], new[-1] + 1, step)
    )
    row, column = divmod(new[0], side)
    # The word may begin before its first new tile and end after the last one.
    squares = after.board.squares
    ahead = column if not down else row
    while ahead and squares[row * side + column - step]:
        row, column, ahead, word = (
            (row - 1, column, ahead - 1, "." + word) if down else (row, column - 1, ahead - 1, "." + word)
        )
    end = new[-1] + step
    while (end < side * side if down else end % side) and squares[end]:
        end, word = end + step, word + "."
    if len(word) == 1:  # one tile, and no word across
        return play_down(before, new[0], squares[new[0]])
    at = f"{chr(65 + column)}{row + 1}" if down else f"{row + 1}{chr(65 + column)}"
    move = parse_move(f"{at} {word}", before.board, before.tile_set)
    assert isinstance(move, Play)
    return move


def play_down(before: Position, place: int, code: int) -> Play:
    side, first, last = before.board.side, place, place
    while first >= side and before.board.squares[first - side]:
        first -= side
    while last + side < side * side and before.board.squares[last + side]:
        last += side
    tiles = tuple([code if at == place else 0 for at in range(first, last + 1, side)])
    return Play(first // side, first % side, True, tiles)


def recorded(game: list[Position]) -> GameRecord:
    events = []
    for number, (before, after) in enumerate(pairwise(game)):
        alphabet = before.tile_set.alphabet
        rack = before.rack.text(alphabet)
        total = after.players[1].score
        score = total - before.players[0].score
        play = play_between(before, after)
        if play is None:
            held = after.players[1].held
            same = held == before.rack
            kind = EventKind.PASS if same and before.bag_count() < 7 else EventKind.EXCHANGE
            event = Event(
                kind, number % 2, rack, text=rack if kind is EventKind.EXCHANGE else "", total=total
            )
        else:
            at, text = format_move(play, before.tile_set).split()
            event = Event(EventKind.PLAY, number % 2, rack, at, text, score, total)
        events.append(event)
    return GameRecord((PlayerName("a"), PlayerName("b")), (("lexicon", "TWL06"),), "", tuple(events))


def test_games_of_the_engine_replay_without_a_fault() -> None:
    for game in golden_games():
        record = recorded(game)
        read = parse_gcg(format_gcg(record).encode())
        assert read == record
        replay = replay_game(read)
        assert (replay.faults, replay.warnings) == ((), ())
        for turn, position in zip(replay.turns, game, strict=False):
            assert turn.position.board == position.board
            assert turn.position.rack == position.rack
            assert turn.position.bag_count() == position.bag_count()
            assert turn.position.zero_turns == position.zero_turns
            assert [player.score for player in turn.position.players] == [
                player.score for player in position.players
            ]
            assert turn.points == turn.event.score
        assert replay.final.board == game[-1].board


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_scores_are_those_of_the_slow_reference(data: st.DataObject) -> None:
    tiles = tile_set(data.draw(st.sampled_from(["english", "spanish", "german"])))
    size = tiles.alphabet.size
    board = data.draw(boards(size).filter(lambda board: board.side in (15, 21)))
    layout = board_layout("standard15" if board.side == 15 else "super21")
    rules = default_rule_set(tiles.id)
    line, down = data.draw(st.integers(0, board.side - 1)), data.draw(st.booleans())
    first = data.draw(st.integers(0, board.side - 2))
    last = data.draw(st.integers(first + 1, board.side - 1))
    whole = [(i, line) if down else (line, i) for i in range(board.side)]
    while first and board[whole[first - 1]]:
        first -= 1
    while last < board.side - 1 and board[whole[last + 1]]:
        last += 1
    squares = tuple(whole[first : last + 1])
    letters = st.integers(1, size)
    new = tuple(
        [0 if board[at] else data.draw(letters | letters.map(lambda c: c | BLANK_FLAG)) for at in squares]
    )
    play = Play(*squares[0], down, new)
    game = Game(board, layout, tiles, WordSet([], size), rules)
    slot = Slot(squares, down)
    made = game.perpendicular_words(slot, new)
    main = {at: code or board[at] for at, code in zip(squares, new, strict=True)}
    placed = sum(code != 0 for code in new)
    expected = game.points(main) + sum(map(game.points, made))
    if placed == rules.bingo_tiles:
        expected += rules.bingo_bonus
    scored = score_play(board.squares, board.side, play, worth(tiles, layout), rules)
    assert scored == (expected, placed, bool(made) or placed < len(new))


# What the wild writes.


@pytest.mark.parametrize(
    "text",
    [
        TWO + ">a: AEITW 8D WAITE +24 24\n>b: DEEFINO 7C DEFO +22 22\n",
        TWO + ">a: AEITW 8D WAITE +24 24\r\n>b: DEEFINO 7C DEFO +22 22\r\n",
        TWO + ">a:   AEITW\t8D WAITE +24   24   \n\n\n>b: DEEFINO 7C DEFO +22 22",
        TWO.replace("#player", "#Player") + ">a: AEITW 8D WAITE +24 24\r>b: DEEFINO 7C DEFO +22 22\r",
        TWO + ">a: AEITW 8d WAITE +24 24\n>b: 7C DEFO +22 22\n",
    ],
)
def test_the_same_game_in_many_hands(text: str) -> None:
    assert codes(text) == []
    replay = replay_game(parse_gcg(text))
    assert [turn.points for turn in replay.turns] == [24, 22]
    alphabet = replay.tile_set.alphabet
    assert replay.final.board.rows(alphabet)[6] == "..DEFO........."
    assert [player.score for player in replay.final.players] == [24, 22]


def test_tiles_on_the_board_as_dots_in_parentheses_or_repeated() -> None:
    start = TWO + ">a: AEITW 8D WAITE +24 24\n"
    plays = [">b: SR D8 .RS +6 6\n", ">b: SR D8 (W)RS +6 6\n", ">b: SR D8 WRS +6 6\n"]
    finals = [replay_game(parse_gcg(start + play)).final for play in plays]
    assert finals[0] == finals[1] == finals[2]
    assert [codes(start + play) for play in plays] == [[], [], []]


def test_blanks_exchanges_passes_and_unknown_racks() -> None:
    text = (
        TWO
        + ">a: ?AEITWW 8D WaITE +22 22\n>b: -5 +0 0\n>a: - +0 22\n>b: ABCDEFG -ABC +0 0\n>a: 7D TO +8 30\n"
    )
    replay = replay_game(parse_gcg(text))
    kinds = [turn.event.kind for turn in replay.turns]
    assert kinds == ["play", "exchange", "pass", "exchange", "play"]
    assert codes(text) == []
    assert replay.turns[3].move is not None
    assert replay.turns[1].move is None
    assert replay.turns[4].position.zero_turns == 3
    # What a must still hold of the rack of the first turn.
    known = replay.turns[2].position.players[0].known_tiles
    assert known is not None
    assert known.text(replay.tile_set.alphabet) == "AW"


def test_spanish_tiles_of_two_characters() -> None:
    text = (
        "#character-encoding UTF-8\n" + TWO + "#lexicon FISE2\n"
        ">a: A[CH]ILEÑ? 8E [CH]I[ll]A +14 14\n>b: [RR]O 7G [RR]O +35 35\n"
    )
    replay = replay_game(parse_gcg(text))
    assert (replay.tile_set.id, replay.rules.id) == ("spanish", "spanish")
    assert replay.final.board.rows(replay.tile_set.alphabet)[7].replace(".", "") == "[CH]I[ll]A"
    assert [turn.points for turn in replay.turns] == [turn.event.score for turn in replay.turns]
    assert codes(text) == []


def test_encodings() -> None:
    text = "#player1 é Émile\n#player2 b B\n>é: AEITW 8D WAITE +24 24\n"
    for data, encoding, said in [
        (text.encode("latin-1"), "iso-8859-1", []),
        (text.encode(), "utf-8", ["(encoding_guessed)"]),
        (b"\xef\xbb\xbf" + text.encode(), "utf-8", ["(byte_order_mark)"]),
        (b"#character-encoding utf8\r\n" + text.encode(), "utf-8", []),
        (b"#character-encoding ISO-8859-15\n" + text.encode("iso-8859-15"), "iso-8859-15", []),
        (b"#character-encoding windows-1252\n" + text.encode("cp1252"), "cp1252", []),
        (b"#character-encoding UTF-8\n" + text.encode("latin-1"), "utf-8", ["bad_encoding"]),
        (b"#character-encoding KOI8-R\n" + text.encode(), "utf-8", ["unsupported_encoding"]),
    ]:
        reading = read_gcg(data)
        assert reading.encoding == encoding
        assert codes(data) == said
        if said != ["bad_encoding"]:
            assert reading.record.players[0] == PlayerName("é", "Émile")
    assert read_gcg(b"#character-encoding UTF-8\n\xff\n").faults[0].line == 2
    with pytest.raises(InvalidInput, match="UTF-16") as caught:
        read_gcg(text.encode("utf-16"))
    assert caught.value.code == "unsupported_encoding"


def test_a_record_too_long_is_refused() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_gcg(b"#" * (1 << 20) + b"#")
    assert caught.value.code == "gcg_too_long"
    reading = read_gcg(TWO + ">a: - +0 0\n" * 2000)
    assert [fault.code for fault in reading.faults] == ["too_many_events"]
    assert len(reading.record.events) == 1000
    assert len(read_gcg(">?\n" * 900).faults) <= 101


def test_unknown_pragmas_and_odd_lines_are_kept() -> None:
    text = (
        "#style x y\n#player1 a\n#player2 b\n# a remark\nstray\n>a: AEITW 8D WAITE +24 24\n"
        "#mood good\n#note\n#note > not an event\nand more\n#lexicon NWL23\n"
        ">c: nobody\n#incomplete\n#rack2 ABC\n"
    )
    reading = read_gcg(text)
    record = reading.record
    assert record.pragmas == (("lexicon", "NWL23"), ("incomplete", ""), ("style", "x y"), ("", "a remark"))
    assert record.note == "stray"
    assert record.events[0].pragmas == (("mood", "good"),)
    assert record.events[0].note == "\n> not an event\nand more"
    assert (record.events[1].kind, record.events[1].text) == (EventKind.UNREADABLE, ">c: nobody")
    assert record.last_racks == ("", "ABC")
    assert [fault.code for fault in reading.faults] == ["unreadable_event"]
    assert [fault.code for fault in reading.warnings] == ["stray_text", "late_pragma"]
    assert read_gcg(format_gcg(record)).record == record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">x: AEITW 8D WAITE +24 24\n", ["event_before_player", "missing_player"]),
        ("#player1 a\n#player2 a\n", ["duplicate_player", "missing_player"]),
        ("#player1 a\n#player1 b\n", ["duplicate_player", "missing_player"]),
        ("#player2 a\n", ["bad_player", "empty_record"]),
        ("#player1\n", ["bad_player", "empty_record"]),
        (TWO + "#rack3 ABC\n", ["unknown_player"]),
        (TWO + "#rack1 ABC\n#rack1 ABC\n", ["redundant_pragma"]),
        (TWO + "#rack1 A B\n", ["bad_rack"]),
        (TWO + "#title x\n#title x\n", ["(redundant_pragma)"]),
        (TWO + "#title x\n#title y\n", ["redundant_pragma"]),
        (TWO + "#character-encoding UTF-8\n", ["(late_encoding)"]),
        (TWO + "  >a: - +0 0\n", ["(indented_line)"]),
        (TWO + ">a:\n", ["unreadable_event"]),
        (TWO + ">a: +0 0\n", ["unreadable_event"]),
        (TWO + ">a: A B 8D AB +0 0\n", ["unreadable_event"]),
        (TWO + ">a: 8D +0 0\n", ["unreadable_event"]),
        (TWO + ">a: 8D\n", ["unreadable_event"]),
        (TWO + ">a: ABC -ABC\n", ["unreadable_event"]),
        (TWO + ">a: ABC 8D ABC +0 0 AB, OR\n", ["(trailing_text)"]),
        (TWO + ">c: ABC 8D ABC +0 0 AB, OR\n", ["unknown_player", "(trailing_text)"]),
        (TWO + ">a: ABC\n", ["unreadable_event"]),
        (TWO + ">a ABC - +0 0\n", ["unreadable_event"]),
        (TWO + ">a: - \n", ["(missing_score)"]),
        (TWO + ">a: - +0\n", ["(missing_total)"]),
        (TWO + ">a: - 0 0\n", ["(unsigned_score)"]),
    ],
)
def test_faults_of_the_text(text: str, expected: list[str]) -> None:
    reading = read_gcg(text)
    found = [*reading.faults, *reading.warnings]
    assert [f"({fault.code})" if fault.warning else fault.code for fault in found] == expected
    assert read_gcg(format_gcg(reading.record)).record == reading.record


WAITE = TWO + ">a: AEITW 8D WAITE +24 24\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TWO + ">a: ABZZ 8G AB +8 8\n", ["rack_not_in_bag"]),
        (TWO + ">a: AEITWXYZ 8D WAITE +24 24\n", ["rack_too_long"]),
        (TWO + ">a: AEIT 8D WAITE +24 24\n", ["tile_not_in_rack"]),
        (TWO + ">a: A1 8D WAITE +24 24\n", ["unknown_tile"]),
        (TWO + ">a: 8D WAITE +20 20\n", ["(score_mismatch)"]),
        (TWO + ">a: 8D WAITE +20 24\n", ["(score_mismatch)"]),
        (TWO + ">a: 8D WAITE +24 25\n", ["wrong_cumulative_score"]),
        (TWO + ">a: 1A WAITE +27 27\n", ["start_not_covered"]),
        (TWO + ">a: 8D ZZ +40 40\n", ["tile_not_in_bag"]),
        (TWO + ">a: 8L WAITE +24 24\n", ["off_board"]),
        (TWO + ">a: 16A WAITE +24 24\n", ["off_board"]),
        (TWO + ">a: 8H A +1 1\n", ["lone_tile"]),
        (TWO + ">a: 8H ABCDEFGH +24 24\n", ["tile_not_in_rack"]),
        (TWO + ">a: -99 +0 0\n", ["bad_exchange"]),
        (TWO + ">a: ABC -ABD +0 0\n", ["tile_not_in_rack"]),
        (TWO + ">a: -AB1 +0 0\n", ["unknown_tile"]),
        (TWO + ">a: -ABC +5 5\n", ["(score_mismatch)"]),
        (TWO + ">a: --  -24 0\n", ["phony_without_play"]),
        (TWO + ">a: (challenge) +5 5\n", ["challenge_without_play"]),
        (TWO + ">a: (ABC) +5 5\n", ["end_rack_too_early"]),
        (TWO + ">a: ABC (ABC) -5 -5\n", ["end_rack_too_early"]),
        (TWO + ">a: (time) -10 -10\n", ["early_time_penalty"]),
        (WAITE + ">a: - +0 24\n", ["off_turn"]),
        (WAITE + ">b: 1A AD +9 9\n", ["not_connected"]),
        (WAITE + ">b: 8I RS +10 10\n", ["(word_not_whole)"]),
        (WAITE + ">b: D9 RS +6 6\n", ["(word_not_whole)"]),
        (WAITE + ">b: 8B RE +10 10\n", ["(word_not_whole)"]),
        (WAITE + ">b: 8E AD +9 9\n", ["square_taken"]),
        (WAITE + ">b: 9D .D +9 9\n", ["square_empty"]),
        (WAITE + ">a: -- -23 1\n", ["wrong_phony_score"]),
        (WAITE + ">a: -- +0 0\n", ["(wrong_phony_score)"]),
        (WAITE + ">a: -- -24 0\n>a: -- -24 -24\n", ["phony_without_play"]),
        (WAITE + ">a: (challenge) +5 29\n", []),
        (WAITE + ">a: (challenge) +5 29\n>a: (challenge) +5 34\n", ["challenge_without_play"]),
        (WAITE + ">a: (challenge) -5 19\n", ["(odd_challenge_bonus)"]),
        (WAITE + "#rack1 ABCDEFGH\n", ["rack_too_long"]),
        (WAITE + "#rack1 AAAAAAA\n#rack2 AAA\n", ["rack_not_in_bag"]),
        ("#lexicon ?\n#tile-distribution klingon\n" + WAITE, ["(unknown_tile_set)"]),
        ("#board-layout mine\n" + WAITE, ["(unknown_board)"]),
        (TWO + ">a: AEITWXY 8D WAITE +24 24\n>b: - +0 0\n>a: BCDEFGH - +0 24\n", ["(kept_tile_missing)"]),
    ],
)
def test_faults_of_the_game(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_score_written_wrongly_stands_with_the_right_one_named() -> None:
    replay = replay_game(parse_gcg(TWO + ">a: 8D WAITE +20 20\n>b: 9D OR +5 5\n"))
    assert replay.turns[0].points == 24
    assert [player.score for player in replay.turns[1].position.players] == [0, 20]
    assert "the rules give +24" in replay.warnings[1].detail


def test_taking_back_a_play_gives_the_board_and_the_rack_back() -> None:
    text = (
        WAITE.replace("AEITW", "AEITWXY") + ">a: AEITWXY -- -24 0\n>b: - +0 0\n>a: AEITWXY 8D WAITE +24 24\n"
    )
    replay = replay_game(parse_gcg(text))
    assert codes(text) == []
    assert replay.turns[2].position.board.is_empty
    assert replay.turns[2].position.zero_turns == 1
    shown = replay.turns[2].position.players[1].known_tiles
    assert shown is not None
    assert shown.text(replay.tile_set.alphabet) == "AEITW"
    assert replay.turns[3].position.rack.text(replay.tile_set.alphabet) == "AEITWXY"


def test_words_listed_after_the_scores_become_a_note() -> None:
    reading = read_gcg(WAITE + ">b: OR  9d OR   +5   5  WO, AR\n#note and more\n")
    assert reading.record.events[1].note == "WO, AR\nand more"
    assert [fault.code for fault in reading.warnings] == ["trailing_text"]


def test_the_tiles_left_count_twice_or_are_taken_off() -> None:
    small = TileSet.from_csv("letter,count,value,is_vowel\nA,4,1,1\nB,4,3,0\n", "custom")
    rules = default_rule_set("english").changed(rack_size=4)
    start = TWO + ">a: AABB 8F ABBA +16 16\n"

    def found(text: str, ending: str) -> list[str]:
        replay = replay_game(parse_gcg(start + text), small, rules=rules.changed(ending=ending))
        assert replay.over
        return [*[fault.code for fault in replay.faults], *[f"({fault.code})" for fault in replay.warnings]]

    twice = ">a: (AABB) +16 32\n"
    once = ">a: (AABB) +8 24\n>b: AABB (AABB) -8 -8\n"
    assert found(twice, "double") == found(once, "single") == []
    assert found(twice, "single") == found(once, "double") == ["(other_ending)"]
    assert found(">a: (AABB) +9 25\n", "double") == ["wrong_end_value"]
    assert found(">a: (AAB) +16 32\n", "double") == ["wrong_end_rack"]
    assert found(">b: (AABB) +16 16\n", "double") == ["end_rack_wrong_player"]
    assert found(twice + twice, "double") == ["event_after_end"]
    assert found(">b: AABB F8 .B +4 4\n", "double") == ["event_after_end"]
    assert found(">b: AABB - +0 0\n" + twice, "double") == ["(pass_after_out)"]
    assert found(">a: (challenge) +5 21\n>a: (AABB) +16 37\n>b: (time) -10 -10\n", "double") == []


def test_six_zeros_end_a_game_with_both_racks() -> None:
    passes = "".join(f">{who}: -1 +0 0\n" for who in "ababab")
    text = TWO + passes + ">a: AEI (AEI) -3 -3\n>b: (BCD) -8 -8\n>a: (time) -10 -13\n"
    replay = replay_game(parse_gcg(text))
    assert codes(text) == []
    assert replay.over
    assert [turn.total for turn in replay.turns[-3:]] == [-3, -8, -13]


def test_three_players_take_turns() -> None:
    text = TWO + "#player3 c Cid\n>a: 8D WAITE +24 24\n>b: - +0 0\n>c: 9D OR +5 5\n>a: - +0 24\n"
    replay = replay_game(parse_gcg(text))
    assert [fault.code for fault in replay.faults] == []
    assert [player.score for player in replay.final.players] == [0, 5, 24]
    assert "off_turn" in codes(text.replace(">c: 9D", ">a: 9D").replace("+5 5", "+5 29"))


def test_the_setting_is_the_record_s_else_the_caller_s() -> None:
    record = parse_gcg(WAITE)
    given = replay_game(record, tile_set("english_wwf"), board_layout("wwf15"), rule_set("wwf"))
    assert (given.tile_set.id, given.layout.id, given.rules.id) == ("english_wwf", "wwf15", "wwf")
    assert "tile_set_guessed" not in [fault.code for fault in given.warnings]
    named = parse_gcg("#tile-distribution english\n#board-layout CrosswordGame\n" + WAITE)
    replay = replay_game(named, tile_set("english_wwf"), board_layout("wwf15"))
    assert (replay.tile_set.id, replay.layout.id) == ("english", "standard15")
    large = replay_game(parse_gcg("#game-type classic_super\n" + TWO + ">a: 11J WAITE +24 24\n"))
    assert (large.tile_set.id, large.layout.id) == ("english_super", "super21")
    polish = replay_game(parse_gcg(TWO + ">a: 8D ŻÓŁĆ +42 42\n"))
    assert polish.tile_set.id == "polish"


def test_a_turn_that_is_not_there() -> None:
    replay = replay_game(parse_gcg(WAITE))
    assert replay.position(1).board.is_empty
    assert replay.position(2) == replay.final
    for turn in (0, 3):
        with pytest.raises(InvalidInput, match="there is no turn") as caught:
            replay.position(turn)
        assert caught.value.code == "no_such_turn"
    with pytest.raises(InvalidInput, match="two players"):
        replay_game(GameRecord((PlayerName("a"),)))


def test_positions_go_through_cgp() -> None:
    replay = replay_game(parse_gcg("#lexicon NWL23\n" + WAITE + ">b: DEEFINO 7C DEFO +22 22\n#rack1 ABC\n"))
    for turn in (1, 2, 3):
        position = replay.position(turn)
        assert format_cgp(parse_cgp(format_cgp(position))) == format_cgp(position)
    assert format_cgp(replay.final) == (
        "15/15/15/15/15/15/2DEFO9/3WAITE7/15/15/15/15/15/15/15 ABC/ 24/22 0 lex NWL23; lm 7C DEFO;"
    )


def test_strict_reading_raises_all_faults_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_gcg(TWO + ">c: - +0 0\n>a: x\n")
    assert [fault.code for fault in caught.value.faults] == ["unknown_player", "unreadable_event"]


# Every record.

WORDS = st.text("ABCÉŁabcé.?()[]0189", min_size=1, max_size=8).filter(lambda word: not word.isdigit())
PLAIN = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
LINES = st.lists(PLAIN, max_size=3).map(" ".join)
NOTES = st.lists(LINES, max_size=3).map("\n".join).map(str.rstrip)
TILES = st.text("ABCÉŁ?", min_size=1, max_size=7)
NAMES = PLAIN.filter(lambda name: name.lower() not in ("note", "incomplete", "character-encoding", "lexicon"))


@st.composite
def events(draw: st.DrawFn, players: int) -> Event:
    kind = draw(st.sampled_from([kind for kind in EventKind if kind is not EventKind.UNREADABLE]))
    at, text, rack, score = "", "", draw(st.just("") | TILES), draw(st.integers(0, 999))
    if kind is EventKind.PLAY:
        at, text = draw(st.sampled_from(["8D", "D8", "15O", "a1", "26Z"])), draw(WORDS)
    elif kind is EventKind.EXCHANGE:
        text = draw(TILES | st.integers(1, 7).map(str))
    elif kind in (EventKind.END_BONUS, EventKind.END_PENALTY):
        text = draw(TILES)
        if kind is EventKind.END_PENALTY:
            score = -score - 1
        elif score == 0:
            rack = ""  # who goes out has no rack; with one, no points would be a penalty
    pragmas = draw(st.lists(st.tuples(st.sampled_from(["mood", "x-y"]), LINES), max_size=2))
    total = draw(st.none() | st.integers(-99, 999))
    player = draw(st.integers(0, players - 1))
    return Event(kind, player, rack, at, text, score, total, draw(NOTES), tuple(pragmas))


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    nicks = draw(st.lists(PLAIN.filter(lambda nick: ":" not in nick), min_size=2, max_size=4, unique=True))
    names = draw(st.lists(LINES, min_size=len(nicks), max_size=len(nicks)))
    headings = draw(
        st.dictionaries(st.sampled_from(["title", "lexicon", "id", "description", "game-type"]), LINES)
    )
    others = draw(st.lists(st.tuples(st.sampled_from(["style", "x"]), LINES), max_size=2))
    return GameRecord(
        players=tuple([PlayerName(nick, name) for nick, name in zip(nicks, names, strict=True)]),
        pragmas=(*headings.items(), *others),
        note=draw(NOTES),
        events=tuple(draw(st.lists(events(len(nicks)), max_size=6))),
        last_racks=tuple(draw(st.lists(st.just("") | TILES, max_size=len(nicks)))),
    )


@settings(deadline=None, max_examples=60)
@given(records())
def test_every_record_is_read_as_it_was_written(record: GameRecord) -> None:
    text = format_gcg(record)
    assert read_gcg(text.encode()).record == record
    assert read_gcg(text.replace("\n", "\r\n").encode()).record == record


@pytest.mark.parametrize(
    "record",
    [
        GameRecord((PlayerName("a b"), PlayerName("c"))),
        GameRecord((PlayerName("a"), PlayerName("c")), note="x\n\n"),
        GameRecord((PlayerName("a"), PlayerName("c")), (("title", "two\nlines"),)),
        GameRecord((PlayerName("a"), PlayerName("c")), events=(Event(EventKind.PLAY, 0, "A B", "8D", "AB"),)),
    ],
)
def test_what_gcg_cannot_say_is_refused(record: GameRecord) -> None:
    with pytest.raises(InvalidInput) as caught:
        format_gcg(record)
    assert caught.value.code == "unwritable_record"


def test_a_board_of_another_size_and_layout() -> None:
    layout = BoardLayout.from_rows(["." * 11] * 11)
    replay = replay_game(parse_gcg(TWO + ">a: 6D WAITE +8 8\n"), tile_set("english"), layout)
    assert replay.faults == ()
    assert replay.final.board.side == 11
    assert replay.final.board == Board.from_tiles(
        [(f"6{column}", letter, False) for column, letter in zip("DEFGH", "WAITE", strict=True)],
        replay.tile_set.alphabet,
        11,
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "this is no game record: it declares no player"),
        ("\n\n# A title\n\nwords\n", 3, "line 3: this is no game record: it begins with '# A title', "),
        ("[build]\nx = 1\n", 1, "line 1: this is no game record: it begins with '[build]', "),
        ("#title A game\n", 0, "this is no game record: it declares no player"),
        ("#player1 a\n", 0, "a game has 2 players or more, the record names 1"),
    ],
)
def test_what_is_no_record_is_told_with_its_first_line(text: str, line: int, said: str) -> None:
    (fault,) = read_gcg(text).faults
    assert fault.line == line
    assert fault.detail.startswith(said)
