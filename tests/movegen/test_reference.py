"""The reference generator against positions small enough to work out by hand: every rule once."""

from __future__ import annotations

import hashlib

import pytest

from engine.movegen.perft import move_line, moves_sha256, perft
from engine.movegen.reference import WordSet, reference_plays
from engine.position import BLANK_FLAG, Board, Play, Player, Position, Rack, format_move
from engine.rules import BoardLayout, RuleSet, TileSet, board_layout, default_rule_set, tile_set

ENGLISH = tile_set("english")
STANDARD = board_layout("standard15")
PLAIN = BoardLayout.from_rows(["." * 15] * 15, [(7, 7)])


def board_of(tiles: dict[str, str], tiles_of: TileSet = ENGLISH, side: int = 15) -> Board:
    """Return a board with words laid from coordinates: {"8H": "CAT"} across, {"H8": "CAT"} down."""
    items = []
    for at, word in tiles.items():
        across = at[0].isdigit()
        row = int(at.rstrip("ABCDEFGHIJKLMNO") if across else at[1:]) - 1
        column = ord(at[-1] if across else at[0]) - 65
        for i, code in enumerate(tiles_of.alphabet.tokenize(word)):
            items.append((row, column + i, code) if across else (row + i, column, code))
    found: dict[tuple[int, int], int] = {}
    for r, c, code in items:
        found.setdefault((r, c), code)
    return Board.empty(side).with_tiles([(r, c, code) for (r, c), code in found.items()])


def moves(
    words: str,
    rack: str,
    board: Board,
    *,
    layout: BoardLayout = PLAIN,
    tiles: TileSet = ENGLISH,
    rules: RuleSet | None = None,
) -> dict[str, int]:
    """Return {notation: score} of every play."""
    alphabet = tiles.alphabet
    word_set = WordSet([alphabet.encode_word(word) for word in words.split()], alphabet.size)
    rack_tiles = Rack.from_text(rack, alphabet)
    found = reference_plays(board, layout, tiles, rack_tiles, word_set, rules or default_rule_set("english"))
    named = {format_move(play, tiles): score for play, score in found}
    assert len(named) == len(found)
    return named


EMPTY_BOARD = Board.empty(15)


def test_a_first_play_covers_the_start_square_across_only() -> None:
    assert moves("CAT", "CAT", EMPTY_BOARD) == {"8F CAT": 5, "8G CAT": 5, "8H CAT": 5}


def test_a_first_play_goes_both_ways_on_a_board_that_is_not_its_own_mirror() -> None:
    layout = BoardLayout.from_rows(["t" + "." * 14, *["." * 15] * 13, "d" + "." * 14], [(7, 7)])
    found = moves("CAT", "CAT", EMPTY_BOARD, layout=layout)
    assert found == {f"{at} CAT": 5 for at in ("8F", "8G", "8H", "H6", "H7", "H8")}


def test_any_start_square_will_do() -> None:
    layout = BoardLayout.from_rows(["." * 15] * 15, [(0, 0), (14, 13), (13, 14)])
    assert set(moves("CAT", "CAT", EMPTY_BOARD, layout=layout)) == {"1A CAT", "15L CAT", "15M CAT", "14M CAT"}
    layout = BoardLayout.from_rows(["." * 15] * 15, [(0, 1)])
    assert set(moves("CAT", "CAT", EMPTY_BOARD, layout=layout)) == {"1A CAT", "1B CAT", "B1 CAT"}


def test_a_rack_without_tiles_or_words_has_no_play() -> None:
    assert moves("CAT", "", EMPTY_BOARD) == {}
    assert moves("CAT", "CTS", EMPTY_BOARD) == {}


def test_premiums_multiply_letters_then_words_and_a_full_rack_earns_the_bonus() -> None:
    # On the standard board 8A covers 8A (triple word), 8D (double letter) and, the start, 8H (double word).
    score = moves("ZYMURGIST", "MURGIST", board_of({"8A": "ZY"}), layout=STANDARD)["8A ..MURGIST"]
    # Z and Y lie already: their premiums are spent. M on 8C, U 8D doubled, ..., S on 8H doubles the word.
    assert score == 2 * (10 + 4 + 3 + 2 * 1 + 1 + 2 + 1 + 1 + 1) + 50


def test_two_word_premiums_multiply_each_other() -> None:
    layout = BoardLayout.from_rows(["." * 15] * 7 + ["." * 6 + "TQd......"] + ["." * 15] * 7, [(7, 7)])
    assert moves("CAT", "CAT", EMPTY_BOARD, layout=layout)["8G CAT"] == 3 * 4 * (3 + 1 + 2 * 1)


def test_a_blank_scores_nothing_but_its_square_still_multiplies() -> None:
    found = moves("CAT", "CA?", EMPTY_BOARD, layout=STANDARD)
    assert found == {"8F CAt": 8, "8G CAt": 8, "8H CAt": 8}
    assert moves("CATS", "S", board_of({"8H": "cAT"}))["8H ...S"] == 0 + 1 + 1 + 1


def test_a_blank_and_the_letter_itself_are_different_plays() -> None:
    assert moves("TAT", "TAT?", EMPTY_BOARD) == {
        f"8{column} {word}": score
        for column in "FGH"
        for word, score in (("TAT", 3), ("TaT", 2), ("TAt", 2), ("tAT", 2))
    }


def test_two_blanks_stand_in_for_each_pair_of_letters() -> None:
    found = moves("TAT", "T??", EMPTY_BOARD)
    assert {name.split()[1] for name in found} == {"Tat", "taT"}
    found = moves("AB", "??", EMPTY_BOARD)
    assert found == {"8G ab": 0, "8H ab": 0}


def test_every_word_that_a_new_tile_makes_counts_and_must_be_valid() -> None:
    board = board_of({"8H": "CAT"})
    # CATS; CATS with SO; TO.
    assert moves("CAT CATS SO TO", "SO", board) == {"8H ...S": 6, "K8 SO": 6 + 2, "J8 .O": 2}


def test_a_single_tile_that_makes_two_words_is_one_play_across() -> None:
    board = board_of({"8H": "AB", "I9": "A"})
    # A on 9H makes AA across and AA down.
    assert moves("AB BA AA", "A", board) == {"9H A.": 2 + 2, "9I .A": 2, "H7 A.": 2}


def test_a_single_tile_down_is_listed_if_it_makes_no_word_across() -> None:
    assert moves("CAT CATS", "S", board_of({"H8": "CAT"})) == {"H8 ...S": 6}


def test_words_already_on_the_board_need_not_be_words() -> None:
    board = board_of({"8H": "XQ"})
    assert moves("CAT", "CAT", board) == {}
    assert moves("AXQB AXE", "ABE", board) == {"8G A..B": 1 + 8 + 10 + 3, "H7 A.E": 10}
    # A play that would make a phony longer without making it a word is refused.
    assert "I8 .I" not in moves("AXQ", "AI", board)
    assert moves("AXQ", "A", board) == {"8G A..": 19}


def test_phonies_that_are_not_touched_do_not_matter() -> None:
    board = board_of({"8H": "CAT", "1A": "XQ"})
    assert moves("CATS", "S", board) == {"8H ...S": 6}


def test_a_slot_has_no_tile_before_or_after_it() -> None:
    board = board_of({"8H": "CAT", "8L": "S"})
    assert moves("CAT CATE EH", "EH", board) == {}
    assert moves("CATES", "E", board) == {"8H ...E.": 7}


def test_a_play_reaches_the_edges() -> None:
    board = board_of({"1A": "CA", "15N": "AT"})
    found = moves("CAT CATS BAT OAT", "TBO", board)
    assert found["1A ..T"] == 5
    assert found["15M B.."] == 5
    assert found["15M O.."] == 3


def test_tiles_of_two_characters_fill_one_square() -> None:
    spanish = tile_set("spanish")
    found = moves("CHARRO", "[CH]A[RR]O", EMPTY_BOARD, tiles=spanish)
    assert found == {f"8{column} [CH]A[RR]O": 5 + 1 + 8 + 1 for column in "EFGH"}
    board = board_of({"8H": "A[RR]"}, spanish)
    assert moves("CHARRO", "[CH]O", board, tiles=spanish) == {"8G [CH]..O": 15}
    assert moves("CHARRO", "?O", board, tiles=spanish) == {"8G [ch]..O": 10}
    assert moves("CHARRO", "CHO", board, tiles=spanish) == {}


def test_the_bonus_goes_by_the_rules() -> None:
    rules = default_rule_set("english").changed(bingo_tiles=3, bingo_bonus=100)
    assert moves("CAT AT", "CAT", EMPTY_BOARD, rules=rules) == {
        **{f"8{column} CAT": 105 for column in "FGH"},
        **{f"8{column} AT": 2 for column in "GH"},
    }


def test_ties_come_in_the_documented_order() -> None:
    word_set = WordSet([ENGLISH.alphabet.encode_word(word) for word in ("TAB", "BAT", "ABA")], 26)
    rack = Rack.from_text("TABA?", ENGLISH.alphabet)
    found = reference_plays(EMPTY_BOARD, PLAIN, ENGLISH, rack, word_set, default_rule_set("english"))
    names = [f"{score} {format_move(play, ENGLISH)}" for play, score in found]
    # Score, then start, then sorted letters (AAB before ABT), then letters, then the blank's square.
    assert names[:8] == [
        "5 8F ABA",
        "5 8F BAT",
        "5 8F TAB",
        "5 8G ABA",
        "5 8G BAT",
        "5 8G TAB",
        "5 8H ABA",
        "5 8H BAT",
    ]
    assert names[9:13] == ["4 8F aBA", "4 8F ABa", "4 8F BaT", "4 8F BAt"]


def test_a_move_line_and_its_hash_are_those_of_the_data_folder() -> None:
    play = Play(7, 6, False, (3, 0, 20 | BLANK_FLAG))
    down = Play(0, 1, True, (1, 2))
    assert move_line(play, 12, ENGLISH.alphabet) == "7,6=C;7,8=t;#12"
    lines = "0,1=A;1,1=B;#3\n7,6=C;7,8=t;#12"
    assert (
        moves_sha256([(play, 12), (down, 3)], ENGLISH.alphabet) == hashlib.sha256(lines.encode()).hexdigest()
    )
    assert moves_sha256([], ENGLISH.alphabet) == hashlib.sha256(b"").hexdigest()


@pytest.mark.parametrize(
    ("rack", "bag", "limit", "count"),
    [
        ("AABC??", 87, 7, 3 * 2 * 2 * 3 - 1),
        ("AABC??", 87, 88, 0),
        ("AABC??", 2, 1, 4 + 8),  # no more tiles than the bag holds: A B C ?, AA AB AC A? BC B? C? ??
    ],
)
def test_exchanges_are_counted_as_multisets_while_the_bag_allows_them(
    rack: str, bag: int, limit: int, count: int
) -> None:
    rules = default_rule_set("english").changed(exchange_limit=limit)
    players = (Player(rack=Rack.from_text(rack, ENGLISH.alphabet)), Player(tile_count=100 - 6 - bag))
    position = Position(EMPTY_BOARD, STANDARD, ENGLISH, rules, players)
    assert position.bag_count() == bag
    figures = perft(position, [])
    assert (figures.plays, figures.exchanges, figures.top_score, figures.sum_of_scores) == (0, count, 0, 0)
