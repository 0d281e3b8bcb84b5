"""Positions: legal moves, texts of moves, and the position after one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from engine.loaded_board import LoadedBoard
from engine.movegen.reference import Reference
from engine.records import parse_cgp

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue

WINDOW = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15"


def test_the_five_lines_of_the_architecture(window: kibitz.Position) -> None:
    assert repr(window.plays()[0]) == "Play('N2 TrIAGES', 84)"
    assert kibitz.analyze(window, budget=kibitz.Budget(seconds=1)).best.score > 70


@pytest.mark.long
def test_plays_are_those_of_the_reference(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, seed=2)
    reference = Reference(small)
    for _ in range(4):
        position, plays = game.position, game.position.plays()
        assert len(plays) == len(set(plays))
        assert [play.score for play in plays] == sorted((play.score for play in plays), reverse=True)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, small)
        found = reference.generate(board, position.rack, position.rules)
        moves = found.moves(list(range(len(found))))
        expected = {(move, int(score)) for move, score in zip(moves, found.array["score"], strict=True)}
        assert {(play, play.score) for play in plays} == expected
        game.play(plays[0])


def test_plays_are_a_sequence_that_makes_its_objects_on_demand(window: kibitz.Position) -> None:
    plays, moves = window.plays(), window.moves()
    every = list(plays)
    assert plays[:3] == every[:3]
    assert plays[-1] == every[-1]
    assert every[7] in plays
    assert plays.index(every[7]) == 7
    assert plays.best(3) == every[:3]
    best = plays.best(5, by="equity")
    analyzed = kibitz.analyze(window, top=100).moves
    assert [play.text for play in best] == [one.text for one in analyzed if one.kind == "play"][:5]
    assert list(moves) == [*every, *window.exchanges(), kibitz.Pass()]
    assert len(moves) == len(every) + len(window.exchanges()) + 1
    assert kibitz.Pass() in moves
    assert kibitz.Pass() not in plays
    with pytest.raises(IndexError):
        plays[len(plays)]


def test_moves_are_not_ordered_by_an_unknown_name(window: kibitz.Position) -> None:
    with pytest.raises(kibitz.InvalidInput, match="did you mean equity") as raised:
        window.plays().best(1, by="equty")  # type: ignore[arg-type]
    assert raised.value.code == "unknown_by"


def test_a_play_says_its_word_and_its_tiles(window: kibitz.Position) -> None:
    play = window.plays()[0]
    assert (play.text, play.square, play.word, play.across, play.is_bingo) == (
        "N2 TrIAGES", "N2", "TRIAGES", False, True,
    )  # fmt: skip
    assert play.placed[1] == ("3N", "R", True)
    short = window.parse_move("8H WINDOWS")
    assert isinstance(short, kibitz.Play)
    assert (short.word, short.across, short.is_bingo) == ("WINDOWS", True, False)
    assert [tile.square for tile in short.placed] == ["8N"]


def test_exchanges_follow_the_rules(window: kibitz.Position) -> None:
    exchanges = window.exchanges()
    assert len(exchanges) == 2**7 - 1
    assert repr(exchanges[0]) == "Exchange('?')"
    late = kibitz.Position.from_cgp(
        f"{WINDOW} AEGIST?/ 0/22 0",
        window.lexicon,
        rules=kibitz.rule_set("english").changed(exchange_limit=90),
    )
    assert late.exchanges() == []
    with pytest.raises(
        kibitz.IllegalMove, match="an exchange needs 90 tiles in the bag, which holds 80"
    ) as error:
        late.parse_move("-A")
    assert error.value.code == "exchange_not_allowed"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("N2 TrIAGES", "Play('N2 TrIAGES', 84)"),
        ("N2 TRIAGES", "Play('N2 TrIAGES', 84)"),  # the R can only be the blank
        ("8H WINDOWS", "Play('8H ......S', 12)"),
        ("8h (WINDOW)S", "Play('8H ......S', 12)"),
        ("windows", "Play('8H ......S', 12)"),  # its only play with the S itself
        ("WINDOWs", "Play('8H ......s', 11)"),
        ("-GA", "Exchange('AG')"),
        ("exch GA", "Exchange('AG')"),
        ("-", "Pass()"),
        ("Pass", "Pass()"),
    ],
)
def test_texts_of_moves(window: kibitz.Position, text: str, move: str) -> None:
    assert repr(window.parse_move(text)) == move


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("", kibitz.InvalidInput, "bad_move"),
        ("8D", kibitz.InvalidInput, "bad_move"),
        ("H8", kibitz.InvalidInput, "bad_move"),
        ("Z9 CAT", kibitz.InvalidInput, "off_board"),
        ("8D C4T", kibitz.InvalidInput, "unknown_tile"),
        ("8I INDOWS", kibitz.InvalidInput, "word_not_whole"),
        ("8H ZINDOWS", kibitz.InvalidInput, "square_taken"),
        ("8H WINDOWQ", kibitz.IllegalMove, "tile_not_in_rack"),
        ("-Q", kibitz.IllegalMove, "tile_not_in_rack"),
        ("1A GATES", kibitz.IllegalMove, "not_connected"),
        ("8H WINDOWT", kibitz.IllegalMove, "not_in_lexicon"),
        ("ZEBRA", kibitz.IllegalMove, "no_such_play"),
        ("TRIAGES", kibitz.AmbiguousMove, "ambiguous_move"),
        ("15A GATES", kibitz.IllegalMove, "not_connected"),
    ],
)
def test_errors_are_invalid_illegal_or_ambiguous(
    window: kibitz.Position, text: str, error: type[kibitz.EngineError], code: str
) -> None:
    with pytest.raises(error) as caught:
        window.parse_move(text)
    assert type(caught.value) is error
    assert caught.value.code == code


def test_the_error_of_an_ambiguous_blank_lists_the_plays(lexicon: kibitz.Lexicon) -> None:
    position = kibitz.Position.opening(lexicon, "AESSTT?")
    assert str(position.parse_move("8H ASSET")) == "8H ASSET"
    with pytest.raises(kibitz.AmbiguousMove) as caught:
        position.parse_move("8D ASSES")
    assert caught.value.faults[0].params["moves"] == ["8D AsSES", "8D ASsES", "8D ASSEs"]


def test_a_first_play_may_go_down(lexicon: kibitz.Lexicon) -> None:
    position = kibitz.Position.opening(lexicon, "AEINRS?")
    assert all(not play.down for play in position.plays())
    assert str(position.parse_move("H8 RETAINS")) == "H8 REtAINS"
    assert position.after("H8 RETAINS").board["9H"] == "E"
    with pytest.raises(kibitz.AmbiguousMove, match="or 3 more"):
        position.parse_move("RAIN")


def test_the_position_after_a_move(window: kibitz.Position) -> None:
    after = window.after("N8 SAGIEsT")
    assert (after.scores, after.zero_turns, after.board["13N"]) == ((22, 84), 0, "s")
    mover = after.players[1]
    assert (mover.rack, mover.tile_count, mover.last_move) == (None, 7, "N8 SAGIEsT")
    assert after.bag_count() == window.bag_count() - 7 + 7  # the other's rack is full, as it was
    exchanged = window.after("-AG")
    assert (exchanged.zero_turns, exchanged.players[1].last_move) == (1, "-2")
    assert str(exchanged.players[1].known_tiles) == "EIST?"
    drawn = window.after("8H ......S", kibitz.Rack.from_text("Q", window.tile_set.alphabet))
    assert str(drawn.players[1].rack) == "AEGIQT?"
    passed = window.after(kibitz.Pass())
    assert (str(passed.players[1].rack), passed.zero_turns) == ("AEGIST?", 1)
    with pytest.raises(kibitz.IllegalMove):
        window.after("8H WINDOWT")


def test_unseen_tiles(window: kibitz.Position) -> None:
    unseen = window.unseen_tiles
    assert (len(unseen), list(unseen).count("?"), list(unseen).count("W")) == (87, 0, 0)


@pytest.mark.parametrize(
    ("cgp", "code"),
    [
        ("15/15 / 0/0 0", "bad_row_count"),
        (f"{WINDOW} AEGISTQQ/ 0/22 0", "several_faults"),
        (f"{'/'.join(['15'] * 15)} AE/ 0/0 0 ld spanish;", "tile_set_mismatch"),
    ],
)
def test_impossible_positions_are_rejected(window: kibitz.Position, cgp: str, code: str) -> None:
    with pytest.raises(kibitz.InvalidInput) as caught:
        kibitz.Position.from_cgp(cgp, window.lexicon)
    assert caught.value.code == code


def test_impossible_racks_are_rejected(window: kibitz.Position) -> None:
    with pytest.raises(kibitz.InvalidInput, match="contains 2 of the tile Q, the tile set only 1"):
        window.with_rack("QQ")
    with pytest.raises(kibitz.InvalidInput):
        kibitz.Position.opening(window.lexicon, "AEINRST", players=5)


def test_a_cgp_opens_the_lexicon_that_it_names(
    window: kibitz.Position, bundled: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kibitz").symlink_to(bundled.data_directory)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    opened = kibitz.Position.from_cgp(f"{WINDOW} AEGIST?/ 0/22 0 lex SCOWL80;")
    assert opened == window
    assert opened.plays()[0] == window.plays()[0]
    with pytest.raises(kibitz.NotFound, match="kibitz lexicon build --words FILE --tiles SET --id nwl20"):
        kibitz.Position.from_cgp(f"{WINDOW} AEGIST?/ 0/22 0 lex NWL20;")
    with pytest.raises(kibitz.InvalidInput, match="names no lexicon") as caught:
        kibitz.Position.from_cgp(f"{WINDOW} AEGIST?/ 0/22 0")
    assert caught.value.code == "no_lexicon"


def test_a_lexicon_that_is_passed_replaces_that_of_the_cgp(window: kibitz.Position) -> None:
    other = kibitz.Position.from_cgp(f"{WINDOW} AEGIST?/ 0/22 0 lex NWL20;", window.lexicon)
    assert other == window
    plain = parse_cgp(f"{WINDOW} AEGIST?/ 0/22 0")
    assert kibitz.Position.of(plain, window.lexicon) == window


@settings(deadline=None)
@given(st.text(max_size=20))
def test_any_text_is_a_move_or_a_clear_error(window: kibitz.Position, text: str) -> None:
    try:
        move = window.parse_move(text)
    except (kibitz.InvalidInput, kibitz.IllegalMove, kibitz.AmbiguousMove):
        pass
    else:
        assert window.parse_move(str(move)) == move


@settings(deadline=None)
@given(st.data())
@pytest.mark.long
def test_the_text_of_a_move_is_parsed_as_that_move(window: kibitz.Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from([*window.plays()[::7], *window.exchanges()[::5]]))
    assert window.parse_move(str(move)) == move
    assert window.parse_move(move) == move
