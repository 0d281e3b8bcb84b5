"""Explained annotations: why a move was worse than the best one, and how lucky each draw was."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import hypot
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from engine.analysis import (
    AnalysisOptions,
    AnalysisRequest,
    AnnotationOptions,
    analyze,
    annotate,
    annotated_record,
    annotation_simulation,
)
from engine.analysis.annotate.luck import DRAWS, Leave, luck_of_draw
from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.position import Exchange, Rack
from engine.records import format_gcg, parse_cgp, read_gcg
from engine.search.deadline import Deadline
from service.documents import explanation_members
from tests.annotation.games import loss_of, recorded_game, win_of

if TYPE_CHECKING:
    from engine.analysis import Annotation, TurnNote
    from engine.lexicon import Lexicon
    from engine.position import Position

HEAD = "#player1 ann Ann Ek\n#player2 bo Bo Li\n"
LATE = (
    "7Z1REMBLE/1UNTWINE2G1i2/4I2AD1G1G2/4K2LOVATS2/4I3NOR1h2/8EX2OY1/8E3TED/3M2QIS4LO/2BOWFIN4UPO/"
    "1HIREE2AVIAN2/3D8A2/3E8U2/1PANARIES6/3T11/3SCHUYT6 CEJOORR/ 329/334 0"
)


@pytest.fixture(scope="module")
def explained(scowl: Lexicon) -> Annotation:
    return annotate(recorded_game(scowl, 1), scowl, AnnotationOptions(explain=True))


def turns(text: str, lexicon: Lexicon) -> tuple[TurnNote, ...]:
    return annotate(read_gcg(HEAD + text).record, lexicon, AnnotationOptions(explain=True)).turns


def test_an_explanation_changes_nothing_else(explained: Annotation, scowl: Lexicon) -> None:
    plain = annotate(explained.record, scowl)
    assert all(note.explanation is None and note.luck is None for note in plain.turns)
    bare = [replace(note, explanation=None, luck=None) for note in explained.turns]
    assert tuple(bare) == plain.turns
    players = [
        replace(player, luck=None, luck_error=None, luck_turns=0) for player in explained.summary.players
    ]
    assert tuple(players) == plain.summary.players


def test_every_turn_with_a_better_move_is_explained(explained: Annotation) -> None:
    found = 0
    for note in explained.turns:
        assert note.best is not None
        assert note.played is not None
        why = note.explanation
        assert note.position.bag_count() or loss_of(note).certainty == "exact"
        assert (why is None) == (not loss_of(note).equity)
        if why is None:
            continue
        found += 1
        (contrast,) = why.contrasts
        for figures, noted in ((why.best, note.best), (contrast.other, note.played)):
            assert figures.judged == noted
        assert contrast.equity == pytest.approx(loss_of(note).equity)
        assert (why.ranked_by == "endgame") == (note.judged.evaluator == "endgame")
        assert bool(why.best.leave_tiles) == bool(note.position.bag_count() and len(note.best.leave))
    assert found > 3


def test_the_opponents_rack_is_not_looked_at(scowl: Lexicon) -> None:
    """The record knows both racks, the player one: the other must not change the explanation."""
    (first, second) = turns(">ann: AEITWXY 8G WE +10 10\n>bo: DEEFINO 7G OF +19 19\n", scowl)
    for note in (first, second):
        assert note.explanation is not None
        assert note.best is not None
        assert note.played is not None
        position = note.position
        mover, other = position.players
        hidden = replace(other, rack=None, known_tiles=None, tile_count=7)
        seen = replace(position, players=(mover, hidden))
        options = AnalysisOptions(
            sort="equity", include_exchanges=True, compare=(note.played.text,), explain=True
        )
        same = analyze(AnalysisRequest(seen, options), scowl).explanation
        assert explanation_members(same) == explanation_members(note.explanation)


def test_a_simulated_turn_is_explained_by_its_win_pct(scowl: Lexicon) -> None:
    record = read_gcg(HEAD + ">ann: AEITWXY 8G WE +10 10\n").record
    plan = annotation_simulation(iterations=200, candidates=3)
    (note,) = annotate(record, scowl, AnnotationOptions(simulate=plan, explain=True)).turns
    assert note.explanation is not None
    assert note.best is not None
    sentence = note.explanation.contrasts[0].sentences[0]
    assert sentence.code == "simulation"
    assert sentence.params["win_pct"] == pytest.approx(win_of(note.best).win_pct, abs=0.05)


def test_a_proven_endgame_is_explained_by_what_it_lost(explained: Annotation) -> None:
    notes = [note for note in explained.turns if loss_of(note).certainty == "exact" and note.explanation]
    assert notes
    for note in notes:
        assert note.explanation is not None
        sentence = note.explanation.contrasts[0].sentences[0]
        assert (sentence.code, sentence.params["points"]) == ("endgame_loss", loss_of(note).equity)


def test_a_phony_that_stands_is_not_praised(scowl: Lexicon) -> None:
    """A phony may have more equity than every legal move: it is said to be invalid, not to be worse."""
    (note,) = turns(">ann: AEIQXYZ 8D ZAXYQEI +150 150\n", scowl)
    assert note.phonies
    assert loss_of(note).equity == 0
    assert note.explanation is not None
    assert note.best is not None
    assert note.explanation.text == f"8D ZAXYQEI is not valid; the best legal move is {note.best.text}."
    assert note.explanation.contrasts[0].other.phonies == note.phonies


def test_the_record_has_the_explanations_in_its_notes(explained: Annotation) -> None:
    text = format_gcg(annotated_record(explained))
    again = read_gcg(text).record
    for note in explained.turns:
        if note.explanation is not None:
            assert again.events[note.number - 1].note.endswith(note.explanation.text)


def test_an_unknown_language_is_refused(scowl: Lexicon) -> None:
    with pytest.raises(InvalidInput) as caught:
        annotate(recorded_game(scowl, 1), scowl, AnnotationOptions(explain=True, lang="xx"))
    assert caught.value.code == "unknown_lang"


def value(position: Position, tiles: bytes, lexicon: Lexicon) -> float:
    """Return the equity of the best move with a rack."""
    player = replace(position.players[0], rack=Rack(tiles))
    seated = replace(position, players=(player, *position.players[1:]))
    best = analyze(
        AnalysisRequest(seated, AnalysisOptions(sort="equity", include_exchanges=True, top_n=1)), lexicon
    ).best
    assert best.equity is not None
    return best.equity


@pytest.mark.parametrize("drawn", [1, 2])
def test_the_luck_of_a_draw_agrees_with_every_rack(scowl: Lexicon, drawn: int) -> None:
    """Every physical draw of one or two tiles, one by one."""
    position = parse_cgp(LATE, lexicon=scowl.id)
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, scowl)
    leave = position.rack.tiles[:-drawn]
    pool = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    pool += position.rack.tiles[-drawn:]
    assert len({tuple(sorted(draw)) for draw in combinations(pool, drawn)}) <= DRAWS
    known: dict[bytes, float] = {}
    values = []
    for draw in combinations(pool, drawn):
        tiles = bytes(sorted((*leave, *draw)))
        if tiles not in known:
            known[tiles] = value(position, tiles, scowl)
        values.append(known[tiles])
    luck = luck_of_draw(position, board, scowl, "static", Leave(Rack(leave)), 1)
    assert luck is not None
    assert luck.error == 0.0
    assert luck.value == pytest.approx(known[position.rack.tiles] - fmean(values), abs=1e-3)


def test_no_draw_is_valued_after_the_deadline(scowl: Lexicon) -> None:
    position = parse_cgp(LATE, lexicon=scowl.id)
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, scowl)
    cut = Deadline()
    cut.cut()
    assert luck_of_draw(position, board, scowl, "static", Leave(), 1, cut) is None


def test_the_luck_of_many_draws_is_an_estimate_with_its_error(scowl: Lexicon) -> None:
    position = parse_cgp("/".join(["15"] * 15) + " AEINRS?/ 0/0 0", lexicon=scowl.id)
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, scowl)
    one, again, other = (luck_of_draw(position, board, scowl, "static", Leave(), seed) for seed in (1, 1, 2))
    assert one == again
    assert one is not None
    assert other is not None
    assert one.value > 20
    assert one.error > 0.5
    assert abs(one.value - other.value) < 5 * hypot(one.error, other.error)


def test_an_exchange_does_not_draw_what_it_returns(scowl: Lexicon) -> None:
    position = parse_cgp(LATE, lexicon=scowl.id)
    alphabet = position.tile_set.alphabet
    unseen = Rack(bytes([code for code, count in enumerate(position.unseen()) for _ in range(count)]))
    returned = Rack(unseen.tiles[:1])
    before = Rack(position.rack.tiles[1:] + returned.tiles)
    last = Leave.after(before, Exchange(returned.tiles))
    assert last == Leave(Rack(position.rack.tiles[1:]), returned.tiles)
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, scowl)
    pool = Counter(unseen.tiles + position.rack.tiles[:1]) - Counter(returned.tiles)
    values = [
        value(position, bytes(sorted(last.rack.tiles + bytes([code]))), scowl) for code in pool.elements()
    ]
    luck = luck_of_draw(position, board, scowl, "static", last, 1)
    assert luck is not None, alphabet
    assert luck.value == pytest.approx(value(position, position.rack.tiles, scowl) - fmean(values), abs=1e-3)


def test_a_turn_without_a_known_draw_has_no_luck(scowl: Lexicon) -> None:
    first, second, third, fourth, fifth = turns(
        ">ann: AEITWXY 8E WAXY +34 34\n"
        ">bo: DEEFINO - +0 0\n"
        ">ann: EI 7H EI +2 36\n"  # a part of the rack
        ">bo: DEEFINO - +0 0\n"  # nothing drawn
        ">ann: AEINRST - +0 36\n",  # after an unknown leave
        scowl,
    )
    assert first.luck is not None
    assert second.luck is not None
    assert (third.rack_known, third.luck, fourth.luck, fifth.luck) == ("partial", None, None, None)


def test_a_rack_that_only_the_move_reveals_has_no_luck(scowl: Lexicon) -> None:
    (note,) = turns(">ann: 8D RETINAS +66 66\n", scowl)
    assert (note.rack_known, note.luck) == ("inferred", None)


def test_the_luck_of_a_player_is_the_sum_over_the_turns(explained: Annotation) -> None:
    for player in explained.summary.players:
        own = [note for note in explained.turns if note.player == player.player and note.luck is not None]
        assert player.luck_turns == len(own) > 8
        assert player.luck == pytest.approx(sum(note.luck.value for note in own if note.luck))
        assert player.luck_error == pytest.approx(
            sum(note.luck.error**2 for note in own if note.luck) ** 0.5, abs=1e-3
        )


@pytest.mark.long
def test_luck_is_fair(scowl: Lexicon) -> None:
    """Over many fair draws the mean of luck is about zero."""
    found = [
        note.luck.value
        for number in range(4)
        for note in annotate(recorded_game(scowl, number), scowl, AnnotationOptions(explain=True)).turns
        if note.luck is not None
    ]
    mean = fmean(found)
    spread = fmean((luck - mean) ** 2 for luck in found) ** 0.5
    assert len(found) > 80
    assert abs(mean) < 3 * spread / len(found) ** 0.5
