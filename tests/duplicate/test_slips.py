"""Slips: what they may say, how CSV is read, and the verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.duplicate import DuplicateGame, Slip, read_slips
from engine.errors import EngineError, IllegalMove, InvalidInput

if TYPE_CHECKING:
    from engine.lexicon import Lexicon


@pytest.fixture(scope="module")
def game(small: Lexicon) -> DuplicateGame:
    return DuplicateGame.begin(small, seed=4)


def test_a_slip_is_judged_by_what_is_wrong_with_it(game: DuplicateGame) -> None:
    assert game.current is not None
    top, below = game.current.top, game.current.sub_tops[0]
    lacking = next(letter for letter in game.lexicon.tile_set.letters if letter not in str(game.current.rack))
    square, word = top.text.split()
    for at, text, verdict, points, code in (
        (square, word, "top", top.score, None),
        (*below.text.split(), "valid", below.score, None),
        ("8H", f"{lacking}{lacking}", "invalid", 0, "tile_not_in_rack"),
        ("1A", word, "misplaced", 0, "start_not_covered"),
        ("15O", word, "misplaced", 0, "off_board"),
        ("8H", "Ж", "unclear", 0, "unknown_tile"),
        ("88H", word, "misplaced", 0, "off_board"),
        ("H8H", word, "unclear", 0, "bad_coordinate"),
        ("", word, "unclear", 0, "bad_move"),
        (square, "", "unclear", 0, "bad_move"),
        ("-AB", "", "unclear", 0, "bad_move"),
        ("", "", "pass", 0, None),
        ("-", "", "pass", 0, None),
    ):
        judged = game.judge(Slip("Ann", at, text))
        assert (judged.verdict, judged.points) == (verdict, points), (at, text)
        assert (judged.fault.code if judged.fault else None) == code


def test_a_word_that_is_not_in_the_lexicon_is_invalid(game: DuplicateGame) -> None:
    rack = [letter for letter in game.position.rack if letter != "?"]
    alphabet = game.lexicon.tile_set.alphabet
    wrong = next(
        first + second
        for first in rack
        for second in rack
        if first != second and not game.lexicon.contains(bytes(alphabet.tokenize(first + second)))
    )
    judged = game.judge(Slip("Ann", "8H", wrong))
    assert (judged.verdict, judged.fault and judged.fault.code) == ("invalid", "not_in_lexicon")


def test_at_the_end_nothing_is_judged(game: DuplicateGame) -> None:
    while not game.is_over:
        game = game.closed()
    with pytest.raises(IllegalMove, match="the game is over"):
        game.judge(Slip("Ann"))
    with pytest.raises(IllegalMove, match="the game is over"):
        game.closed()


def test_slips_in_csv() -> None:
    commas = "player,at,word\nAnn,8D,RETINAS\n\n Bob  van Dijk ,,\n"
    assert read_slips(commas, 3) == {3: [Slip("Ann", "8D", "RETINAS"), Slip("Bob van Dijk")]}
    semicolons = "Round; Player ;AT;word;mark\r\n1;Ann;8D;QI;Warning\r\n;Ann;H8;QaT;\r\n"
    assert read_slips(semicolons, 2) == {
        1: [Slip("Ann", "8D", "QI", "warning")],
        2: [Slip("Ann", "H8", "QaT")],
    }
    assert read_slips("player,at,word\n", 1) == {}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "bad_slips", "line 1: the first line names the columns player, at, word"),
        ("player,word\nAnn,QI\n", "bad_slips", "line 1"),
        ("player,at,word,word\nAnn,8D,QI,QI\n", "bad_slips", "line 1"),
        ("player,at,word,colour\nAnn,8D,QI,red\n", "bad_slips", "line 1"),
        ("player,at,word\nAnn,8D\n", "bad_slips", "line 2: it has 2 of 3 cells"),
        ("player,at,word\nAnn,8D,QI\n ,8D,QI\n", "bad_player_name", "line 3: '' is not a name"),
        (f"player,at,word\n{'A' * 41},8D,QI\n", "bad_player_name", "line 2"),
        ("player,at,word\nAn\x07n,8D,QI\n", "bad_player_name", r"line 2: 'An\\x07n'"),
        ("player,at,word\nAnn,8D,Q\x1bI\n", "bad_slip", r"line 2: 'Q\\x1bI'"),
        (f"player,at,word\nAnn,8D,{'Q' * 61}\n", "bad_slip", "line 2"),
        ("player,at,word,mark\nAnn,8D,QI,waning\n", "unknown_mark", "did you mean warning"),
        ("player,at,word,round\nAnn,8D,QI,0\n", "bad_round", "line 2: '0' is not the number of a round"),
        ("player,at,word,round\nAnn,8D,QI,²\n", "bad_round", "line 2"),
        ("player,at,word,round\nAnn,8D,QI,10000\n", "bad_round", "line 2"),
        (f"player,at,word,round\nAnn,8D,QI,{'9' * 5000}\n", "bad_round", "line 2"),
        ('player,at,word\nAnn,8D,"QI\n' + "A" * 200_000, "bad_slips", "line"),
        ("x" * ((1 << 20) + 1), "bad_slips", "at most"),
    ],
)
def test_wrong_slips_name_their_line(text: str, code: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        read_slips(text, 1)
    assert caught.value.code == code


def test_every_wrong_line_is_named() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_slips("player,at,word,mark\n,8D,QI,\nAnn,8D,QI,no\nBob,8D,QI,\n", 1)
    assert [fault.detail.partition(":")[0] for fault in caught.value.faults] == ["line 2", "line 3"]


@given(st.text(), st.text(), st.text(max_size=12), st.integers(1, 3))
def test_whatever_a_slip_says_it_is_judged_or_refused(
    game: DuplicateGame, player: str, at: str, word: str, cells: int
) -> None:
    for text in (f"player,at,word\n{player},{at},{word}\n", word, ",".join([player, at, word][:cells])):
        try:
            read_slips(text, 1)
        except InvalidInput as error:
            assert error.message.isprintable()  # noqa: PT017 - or it is read
    try:
        slip = Slip(player, at, word)
    except EngineError:
        return
    assert slip.player.isprintable()
    assert game.judge(slip).points == 0 or game.judge(slip).fault is None
