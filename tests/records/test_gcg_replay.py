"""GCG: whole games are replayed and scored, and held against the rules line by line."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.movegen.reference import RuleChecker, Slot, WordSet
from engine.position import BLANK_FLAG, Board, Play, Position, format_move, parse_move
from engine.records import format_cgp, parse_cgp
from engine.records.gcg import (
    Event,
    EventKind,
    GameRecord,
    PlayerName,
    format_gcg,
    parse_gcg,
    replay_game,
)
from engine.rules import BoardLayout, TileSet, board_layout, default_rule_set, rule_set, tile_set
from tests.position.strategies import boards
from tests.records.gcg_codes import TWO, WAITE, codes

GOLDEN = Path(__file__).parents[1] / "golden" / "greedy_games.tsv"
GAMES = 12


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


@pytest.mark.long
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
    checker = RuleChecker(board, layout, tiles, WordSet([], size), rules)
    slot = Slot(squares, down)
    made = checker.perpendicular_words(slot, new)
    main = {at: code or board[at] for at, code in zip(squares, new, strict=True)}
    placed = sum(code != 0 for code in new)
    expected = checker.points(main) + sum(map(checker.points, made))
    if placed == rules.bingo_tiles:
        expected += rules.bingo_bonus
    position = Position(board, layout, tiles, rules)
    assert position.score(play) == expected
    assert len(position.words(play)) == 1 + len(made)
    assert len(play.used) == placed


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


def test_a_wrong_score_counts_with_a_warning_that_names_the_right_one() -> None:
    replay = replay_game(parse_gcg(TWO + ">a: 8D WAITE +20 20\n>b: 9D OR +5 5\n"))
    assert replay.turns[0].points == 24
    assert [player.score for player in replay.turns[1].position.players] == [0, 20]
    assert "the rules give +24" in replay.warnings[0].detail


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
    assert found(twice, "single") == ["(other_ending)"]
    assert found(once, "double") == ["(other_ending)"] * 2  # the bonus, and the points that the other loses
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


@pytest.mark.parametrize(
    ("rules", "passes"), [("english", 6), ("english_wespa", 6), ("german", 4), ("french", 6)]
)
def test_passes_end_a_game_by_the_rule_set(rules: str, passes: int) -> None:
    start = WAITE + "".join([f">{'ba'[turn % 2]}: - +0 {24 * (turn % 2)}\n" for turn in range(passes)])
    ended = start + ">b: DEE (DEE) -4 -4\n"
    assert found_by(ended, rules) == []
    early = start.removesuffix(">a: - +0 24\n") + ">b: DEE (DEE) -4 -4\n"
    assert found_by(early, rules) == ["end_rack_too_early"]


def found_by(text: str, rules: str) -> list[str]:
    replay = replay_game(parse_gcg(text), tile_set("english"), rules=rule_set(rules))
    assert replay.over == (not replay.faults)
    return [fault.code for fault in replay.faults]


@pytest.mark.parametrize("ending", ["double", "single"])
def test_who_goes_out_gets_the_tiles_of_all_others(ending: str) -> None:
    small = TileSet.from_csv("letter,count,value,is_vowel\nA,6,1,1\nB,6,3,0\n", "custom")
    rules = default_rule_set("english").changed(rack_size=3, bingo_tiles=3, bingo_bonus=0, ending=ending)
    start = TWO + "#player3 c Cid\n#player4 d Di\n>a: AAB 8G ABA +10 10\n"
    bonus = {"double": ">a: (AAABBBBAB) +38 48\n", "single": ">a: (AAABBBBAB) +19 29\n"}
    lost = ">b: AAA (AAA) -3 -3\n>c: BBB (BBB) -9 -9\n>d: BAB (BAB) -7 -7\n"

    def found(text: str) -> list[str]:
        replay = replay_game(parse_gcg(start + text), small, rules=rules)
        assert replay.over
        return [fault.code for fault in (*replay.faults, *replay.warnings)]

    assert found(bonus["double"]) == [] if ending == "double" else ["other_ending"]
    assert found(bonus["single"] + lost) == ([] if ending == "single" else ["other_ending"] * 4)
    assert found(bonus[ending].replace("AAABBBBAB", "AAABBB")) == ["wrong_end_rack"]


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


def test_a_tile_set_is_guessed_with_a_warning_unless_it_is_english() -> None:
    def warnings(text: str) -> list[str]:
        return [fault.code for fault in replay_game(parse_gcg(text)).warnings]

    assert warnings(WAITE) == []
    assert "tile_set_guessed" in warnings(TWO + ">a: 8D ŻÓŁĆ +42 42\n")


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
