"""Boards, racks, moves and positions print, compare, hash, and are immutable."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

import kibitz
from engine.position import Board as AnyBoard
from engine.position import Exchange as AnyExchange
from engine.position import Rack as AnyRack

GRID = """\
    A B C D E F G H I J K L M N O
  1 . . . . . . . . . . . . . . .
  2 . . . . . . . . . . . . . . .
  3 . . . . . . . . . . . . . . .
  4 . . . . . . . . . . . . . . .
  5 . . . . . . . . . . . . . . .
  6 . . . . . . . . . . . . . . .
  7 . . . . . . . . . . . . . . .
  8 . . . . . . . W I N d O W . .
  9 . . . . . . . . . . . . . . .
 10 . . . . . . . . . . . . . . .
 11 . . . . . . . . . . . . . . .
 12 . . . . . . . . . . . . . . .
 13 . . . . . . . . . . . . . . .
 14 . . . . . . . . . . . . . . .
 15 . . . . . . . . . . . . . . ."""


def test_a_board_on_the_terminal(window: kibitz.Position) -> None:
    assert str(window.board) == GRID
    assert repr(window.board) == "Board('15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15')"
    assert [window.board[square] for square in ("8H", "8K", "H8", "1A")] == ["W", "d", "W", ""]
    with pytest.raises(kibitz.InvalidInput, match="off the board"):
        window.board["8P"]


def test_a_board_of_long_letters_keeps_its_columns() -> None:
    alphabet = kibitz.tile_set("spanish").alphabet
    board = kibitz.Board.from_text("/".join(["15"] * 7 + ["7[CH]A6"] + ["15"] * 7), alphabet, 15)
    lines = str(board).split("\n")
    assert len({len(line) for line in lines[1:9]} - {len(lines[8])}) <= 1
    assert "CH A" in lines[8]
    assert board["8H"] == "CH"


def test_a_rack_prints_its_letters(window: kibitz.Position) -> None:
    rack = window.rack
    assert (str(rack), repr(rack), list(rack), len(rack)) == (
        "AEGIST?",
        "Rack('AEGIST?')",
        ["A", "E", "G", "I", "S", "T", "?"],
        7,
    )
    assert "Q" not in rack
    assert rack == AnyRack(rack.tiles)
    assert hash(rack) == hash(AnyRack(rack.tiles))


def test_values_without_an_alphabet_print_their_codes() -> None:
    assert repr(AnyRack(b"\1\2")) == "Rack(b'\\x01\\x02')"
    assert str(AnyRack(b"\1\2")) == "0102"
    assert repr(AnyExchange(b"\1")) == "Exchange(b'\\x01')"
    board = AnyBoard.empty(15)
    assert str(board) == repr(board)
    with pytest.raises(ValueError, match="no alphabet"):
        list(AnyRack(b"\1"))
    with pytest.raises(ValueError, match="no alphabet"):
        board["8H"]


def test_moves_print(window: kibitz.Position) -> None:
    moves = [window.parse_move(text) for text in ("N2 TrIAGES", "-GA", "pass")]
    assert [repr(move) for move in moves] == ["Play('N2 TrIAGES', 84)", "Exchange('AG')", "Pass()"]
    assert [str(move) for move in moves] == ["N2 TrIAGES", "-AG", "-"]


def test_plays_are_equal_if_they_place_the_same_tiles(window: kibitz.Position) -> None:
    play = window.parse_move("N2 TrIAGES")
    assert isinstance(play, kibitz.Play)
    same = kibitz.Play(play.row, play.column, play.down, play.tiles)
    assert play == same
    assert same == play
    assert len({play, same, replace(play, score=3)}) == 1
    assert play != window.parse_move("N8 SAGIEsT")
    assert play != "N2 TrIAGES"


def test_moves_can_be_pickled(window: kibitz.Position) -> None:
    moves = [window.plays()[0], window.exchanges()[5], kibitz.Pass()]
    again = pickle.loads(pickle.dumps(moves))
    assert again == moves
    assert (str(again[0]), again[0].score, again[0].word) == ("N2 TrIAGES", 84, "TRIAGES")


def test_a_play_without_a_board_has_no_letters() -> None:
    play = kibitz.Play(7, 3, False, (1, 2))
    assert (repr(play), str(play)) == ("Play(8D, (1, 2))", "Play(8D, (1, 2))")
    with pytest.raises(ValueError, match="no board"):
        _ = play.word


def test_a_tile_set_says_its_letters(window: kibitz.Position) -> None:
    assert "".join(window.tile_set.letters) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_a_position_prints_and_compares(window: kibitz.Position) -> None:
    cgp = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0 lex scowl80;"
    assert repr(window) == f"Position({cgp!r})"
    assert window.to_cgp() == cgp
    assert str(window) == (f"{GRID}\n\non turn: 0 points, AEGIST?\nplayer 2: 22 points\nbag: 80 tiles")
    again = kibitz.Position.from_cgp(cgp, window.lexicon)
    assert again == window
    assert hash(again) == hash(window)
    assert again.with_rack("AEGISTT") != window


def test_pictures_for_notebooks(window: kibitz.Position) -> None:
    picture = window._repr_svg_()
    assert picture.startswith("<svg ")
    assert picture == kibitz.board_svg(window)
    assert window.board._repr_html_() == f"<pre>{GRID}</pre>"
    analysis = kibitz.analyze(window)
    assert analysis._repr_html_() == f"<pre>{analysis}</pre>"
    game = kibitz.Game(window.lexicon)
    assert game._repr_svg_().startswith("<svg ")


@pytest.mark.parametrize("name", ["board", "lexicon", "players"])
def test_positions_are_immutable(window: kibitz.Position, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(window, name, None)
