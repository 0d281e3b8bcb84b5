"""Annotations against the analysis of each position, against sums in plain Python, and of invented turns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from engine.analysis import (
    MISTAKES,
    AnalysisOptions,
    AnalysisRequest,
    AnnotationOptions,
    EventNote,
    TurnJudgement,
    TurnNote,
    analyze,
    annotate,
    annotated_record,
    annotation_key,
    annotation_notes,
    annotation_simulation,
)
from engine.analysis.annotate.mistake_index import SPREAD_STEPS, WIN_PCT_STEPS, mistake_class
from engine.errors import InvalidInput
from engine.evaluation.win_pct import win_pct_before, win_pct_table
from engine.position import Rack, format_move
from engine.records import format_gcg, read_gcg
from engine.search import Simulated
from tests.annotation.games import loss_of, recorded_game, win_of

if TYPE_CHECKING:
    from engine.analysis import Annotation
    from engine.lexicon import Lexicon

GOLDEN = Path(__file__).parent / "golden"

HEAD = "#player1 ann Ann Ek\n#player2 bo Bo Li\n"
WAXY = ">ann: AEITWXY 8E WAXY +34 34\n"
DEFO = ">bo: DEEFINO G7 D.FO +11 11\n"  # DXFO is a phony


def turns(text: str, lexicon: Lexicon, evaluator: str = "auto") -> tuple[TurnNote, ...]:
    reading = read_gcg(HEAD + text)
    faults = (*reading.faults, *reading.warnings)
    return annotate(reading.record, lexicon, AnnotationOptions(evaluator), faults).turns


def test_a_simulated_turn_agrees_with_the_simulation_of_its_position(scowl: Lexicon) -> None:
    """`analyze` simulates the same candidates of the same position, without the opponent's rack."""
    record = recorded_game(scowl, 5, "static", "greedy")
    plan = annotation_simulation(iterations=300, candidates=4)
    options = AnnotationOptions(simulate=plan, seed=9)
    plain = annotate(record, scowl).turns
    checked, better = 0, 0
    for note, before in zip(annotate(record, scowl, options).turns, plain, strict=True):
        if not note.position.bag_count():
            assert note == before
            continue
        assert note.played is not None
        assert note.best is not None
        assert before.played is not None
        assert win_of(note.played).error is not None
        assert note.win_before == before.win_before
        lost = round(max(0.0, (win_of(note.best).win_pct or 0) - (win_of(note.played).win_pct or 0)), 2)
        assert loss_of(note).win_pct == lost
        assert note.mistake == mistake_class(lost, WIN_PCT_STEPS)
        if note.judged.rank == 1:
            assert note.judged.missed_bingo is None
        assert (note.judged.rank == 1) == (note.best == note.played)
        assert before.judged.rank is not None
        better += note.best.text != (before.best and before.best.text)
        if checked < 5 and before.judged.rank <= plan.candidates:
            position = note.position
            other = replace(position.players[1], rack=None, known_tiles=None, tile_count=7)
            position = replace(position, players=(position.players[0], other))
            found = analyze(
                AnalysisRequest(
                    position,
                    AnalysisOptions(sort="equity", include_exchanges=True, simulate=plan, seed=9, top_n=50),
                ),
                scowl,
            )
            first, *rest = [move for move in found.moves if move.found is not None]
            assert first.text == note.best.text
            assert isinstance(first.found, Simulated)
            assert win_of(note.best).win_pct == pytest.approx(first.found.win_pct, abs=0.00501 + 1e-9)
            (own,) = [move for move in (first, *rest) if move.text == note.played.text]
            assert own.rank == note.judged.rank
            checked += 1
    assert checked == 5
    assert better


@pytest.mark.parametrize("model", ["seed", "bayes"])
def test_an_impossible_last_move_is_ignored_by_opponent_models(scowl: Lexicon, model: str) -> None:
    """The opponent exchanged more tiles than a rack holds, so the model learns nothing from it."""
    record = read_gcg(HEAD + ">ann: AEITWXY -9 +0 0\n>bo: AEITWXY 8E WAXY +34 34\n").record
    found = [
        annotate(
            record,
            scowl,
            AnnotationOptions(
                simulate=annotation_simulation(iterations=60, candidates=2, opponent_model=one)
            ),
        )
        for one in ("off", model)
    ]
    second = found[0].turns[1].played
    assert second is not None
    assert win_of(second).error is not None
    assert found[0].turns == found[1].turns


def test_an_unknown_simulation_is_rejected(scowl: Lexicon) -> None:
    with pytest.raises(InvalidInput) as refusal:
        annotation_simulation("dice")
    assert refusal.value.code == "unknown_simulation"
    assert annotation_simulation("quackle").iterations == 10 * 300


@pytest.mark.parametrize("evaluator", ["static", "heuri1", "heuri6", "combined", "greedy"])
def test_every_turn_agrees_with_the_analysis_of_its_position(scowl: Lexicon, evaluator: str) -> None:
    """`analyze` ranks all moves of the position; endgames are judged by the static evaluator here."""
    checked = 0
    record = recorded_game(scowl, 3)
    for note in annotate(record, scowl, AnnotationOptions(evaluator, endgame_nodes=0)).turns[4:]:
        if evaluator != "static" and note.number % 3:
            continue
        assert note.judged.evaluator is not None
        assert note.judged.evaluator == (evaluator if note.position.bag_count() else "static")
        assert note.played is not None
        assert note.best is not None
        sort = "score" if note.judged.evaluator == "greedy" else "equity"
        options = AnalysisOptions(
            top_n=1,
            sort=sort,
            include_exchanges=True,
            evaluator=note.judged.evaluator,
            compare=(note.played.text,),
        )
        answer = analyze(AnalysisRequest(note.position, options), scowl)
        (best,), (played,) = answer.moves, answer.compare
        assert (note.best.text, note.best.score, note.best.leave) == (best.text, best.score, best.leave)
        assert played.move is not None
        assert played.move.rank is not None
        assert note.judged.rank is not None
        assert note.judged.rank <= played.move.rank
        assert win_of(note.best).win_pct == best.win_pct
        assert win_of(note.played).win_pct == played.move.win_pct
        if best.equity is not None and played.move.equity is not None:
            assert note.best.equity == best.equity
            assert note.best.leave_value == best.leave_value
            assert note.played.equity == played.move.equity
            assert loss_of(note).equity == pytest.approx(best.equity - played.move.equity)
        checked += 1
    assert checked >= 5


def test_the_static_player_makes_no_mistakes_by_the_static_evaluator(annotated: list[Annotation]) -> None:
    for annotation in annotated:
        for note in annotation.turns:
            if note.player == 0 and note.position.bag_count():
                assert (note.judged.rank, loss_of(note).equity, note.mistake) == (1, 0.0, "none")
                assert note.played == note.best
        static, greedy = annotation.summary.players
        assert static.equity_loss < greedy.equity_loss
        assert static.accuracy is not None
        assert greedy.accuracy is not None
        assert static.accuracy > greedy.accuracy


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.gcg")), ids=lambda path: path.stem)
def test_golden_games(path: Path, scowl: Lexicon) -> None:
    """Games of Heuri 6 against the greedy player, judged by Heuri 6, which uses no learned table."""
    annotation = annotate(
        read_gcg(path.read_bytes()).record, scowl, AnnotationOptions("heuri6", endgame_nodes=0)
    )
    assert golden_lines(annotation) == path.with_suffix(".tsv").read_text().splitlines()


def golden_lines(annotation: Annotation) -> list[str]:
    """Return the lines of a golden file: for each turn the moves, their equities and the rank."""
    lines = []
    for note in annotation.turns:
        assert note.played is not None
        assert note.best is not None
        alphabet, missed = note.position.tile_set.alphabet, note.judged.missed_bingo
        cells: list[object] = [note.number, note.position.rack.text(alphabet), note.played.text]
        cells += [note.played.equity, note.best.text, note.best.equity, note.judged.rank]
        cells.append(None if missed is None else format_move(missed, note.position.tile_set))
        lines.append("\t".join(map(str, cells)))
    return lines


def test_losses_and_classes_follow_from_the_moves(annotated: list[Annotation], scowl: Lexicon) -> None:
    table = win_pct_table(scowl)
    classes = set()
    for annotation in annotated:
        for note in annotation.turns:
            assert note.best is not None
            assert note.played is not None
            best, played, loss = win_of(note.best).win_pct, win_of(note.played).win_pct, loss_of(note)
            if best is None or played is None:
                assert not note.position.bag_count()
                assert loss.win_pct is None
            else:
                assert loss.win_pct == pytest.approx(max(0, best - played))
            searched = note.judged.evaluator == "endgame"
            assert loss.certainty in (("exact", "bound") if searched else ("estimate",))
            if loss.certainty == "bound":
                continue
            assert loss.equity == pytest.approx(note.best.equity - note.played.equity)
            lost, limits = loss.win_pct, (0.25, 3, 7)
            if not note.position.bag_count():
                lost, limits = loss.equity, (0, 7, 15)
            assert lost is not None
            wanted = MISTAKES[sum(lost > limit for limit in limits)]
            assert note.mistake == wanted
            classes.add(wanted)
            if note.position.bag_count():
                assert win_of(note.win_before).win_pct == round(win_pct_before(table, note.position), 2)
    assert classes == set(MISTAKES)


def test_the_summary_adds_up(annotated: list[Annotation]) -> None:
    for annotation in annotated:
        summary = annotation.summary
        assert (summary.over, summary.complete) == (True, True)
        assert summary.turns == len(annotation.turns) == summary.judged
        for player in summary.players:
            own = [note for note in annotation.turns if note.player == player.player]
            losses = [loss_of(note).equity for note in own]
            assert (player.turns, player.judged) == (len(own), len(losses))
            assert player.equity_loss == round(sum(losses), 3)
            assert player.average_equity_loss == round(fmean(losses), 3)
            won = [lost for note in own if (lost := loss_of(note).win_pct) is not None]
            assert player.average_win_pct_loss == round(fmean(won), 3)
            kinds = [note.mistake for note in own]
            mistakes = player.mistakes
            assert [mistakes.none, mistakes.small, mistakes.medium, mistakes.large] == [
                kinds.count(name) for name in ("none", "small", "medium", "large")
            ]
            classed = len(kinds) - kinds.count(None)
            assert player.accuracy == round(100 * kinds.count("none") / classed, 2)
            tiles = [note for note in own if note.kind == "play"]
            bingos = [note for note in tiles if note.played and note.played.is_bingo]
            assert player.bingos == len(bingos)
            assert player.exchanges + player.passes == len(own) - len(tiles)
        last = {note.player: note.total for note in (*annotation.turns, *annotation.notes[-1:])}
        assert [player.score for player in summary.players] == [last[0], last[1]]
        assert isinstance(annotation.notes[-1], EventNote)
        assert annotation.notes[-1].kind == "end_bonus"


@pytest.mark.parametrize(
    ("lost", "by_win_pct", "by_spread"),
    [
        (0, "none", "none"),
        (0.25, "none", "small"),
        (0.26, "small", "small"),
        (3, "small", "small"),
        (3.01, "medium", "small"),
        (7, "medium", "small"),
        (7.01, "large", "medium"),
        (15, "large", "medium"),
        (15.5, "large", "large"),
    ],
)
def test_the_classes_of_mistakes(lost: float, by_win_pct: str, by_spread: str) -> None:
    assert mistake_class(lost, WIN_PCT_STEPS) == by_win_pct
    assert mistake_class(lost, SPREAD_STEPS) == by_spread


def test_a_phony_taken_back_is_a_pass_and_one_that_stands_is_not(scowl: Lexicon) -> None:
    _, taken, after = turns(WAXY + DEFO + ">bo: DEEFINO -- -11 0\n>ann: AEITTSU - +0 34\n", scowl)
    assert taken.phonies == ("DXFO",)
    assert (taken.challenge, taken.total, taken.kind, taken.score) == ("taken_back", 0, "play", 11)
    assert taken.played is not None
    assert taken.best is not None
    leave = taken.played.leave.text(scowl.tile_set.alphabet)
    assert (taken.played.text, taken.played.score, leave) == ("-", 0, "DEEFINO")
    assert loss_of(taken).equity == pytest.approx(taken.best.equity - taken.played.equity)
    assert (after.phonies, after.challenge) == ((), None)
    assert [player.score for player in after.position.players] == [34, 0]
    _, stood = turns(WAXY + DEFO, scowl)
    assert (stood.challenge, stood.total) == (None, 11)
    assert stood.played is not None
    assert (stood.played.score, stood.played.leave) == (
        stood.points,
        Rack.from_text("EEIN", scowl.tile_set.alphabet),
    )
    assert stood.phonies == taken.phonies


@pytest.mark.parametrize("rack", ["", "AEITWXY ", "ETIABCD "])
def test_an_unsuccessful_challenge_is_noted_with_its_bonus(rack: str, scowl: Lexicon) -> None:
    (note,) = turns(WAXY + f">ann: {rack}(challenge) +5 39\n", scowl)
    assert (note.challenge, note.challenge_bonus, note.score, note.total) == ("stood", 5, 34, 39)
    assert note.loss == turns(WAXY, scowl)[0].loss


def test_a_bonus_without_a_play_is_an_event_with_its_fault(scowl: Lexicon) -> None:
    reading = read_gcg(HEAD + WAXY + ">bo: DEEFINO - +0 0\n>ann: (challenge) +5 39\n")
    notes = annotate(reading.record, scowl).notes
    assert isinstance(notes[-1], EventNote)
    assert [fault.code for fault in notes[-1].faults] == ["challenge_without_play"]
    assert all(isinstance(note, TurnNote) and note.challenge is None for note in notes[:-1])


def test_racks_are_known_inferred_partial_or_unknown(scowl: Lexicon) -> None:
    inferred, partial, unknown, exchange = turns(
        ">ann: 8D RETINAS +66 66\n>bo: QU 7C QUA +20 20\n>ann: - +0 66\n>bo: DEEFINO -3 +0 20\n", scowl
    )
    assert inferred.position.rack.text(scowl.tile_set.alphabet) == "AEINRST"
    assert (inferred.rack_known, inferred.not_judged) == ("inferred", None)
    assert inferred.bingo
    assert inferred.best is not None
    assert (partial.rack_known, partial.not_judged) == ("partial", "rack_partial")
    assert (unknown.rack_known, unknown.not_judged) == ("unknown", "rack_unknown")
    for note in (partial, unknown):
        assert note.judged == TurnJudgement()
        assert note.win_before is not None
    assert (exchange.not_judged, exchange.played, exchange.mistake) == ("move_unknown", None, None)
    assert exchange.best is not None


def test_a_missed_bingo_is_named(scowl: Lexicon) -> None:
    (note,) = turns(">ann: AEINRST 8G IS +4 4\n", scowl)
    assert note.judged.missed_bingo is not None
    assert note.best is not None
    assert note.judged.missed_bingo == note.best.move
    assert note.best.is_bingo
    assert not note.bingo
    (found,) = turns(">ann: AEINRST 8D RETINAS +64 64\n", scowl)
    assert (found.judged.missed_bingo, found.bingo) == (None, True)


def test_an_impossible_move_is_not_judged(scowl: Lexicon) -> None:
    (note,) = turns(">ann: AEINRST 8G QI +22 22\n", scowl)
    assert note.not_judged == "tile_not_in_rack"
    assert "tile_not_in_rack" in {fault.code for fault in note.faults}
    _, loose, after = turns(WAXY + ">bo: DEEFINO 1A FINE +14 14\n>ann: AEITTSU - +0 34\n", scowl)
    assert (loose.phonies, loose.not_judged) == ((), None)
    assert after.not_judged == "impossible_position"


def test_an_impossible_rack_is_an_error_of_the_whole_record(scowl: Lexicon) -> None:
    """English has one X: the turn is not judged, and the heading says why too."""
    reading = read_gcg(HEAD + WAXY + ">bo: ABCXXXX 7H AB +12 12\n")
    annotation = annotate(reading.record, scowl, faults=(*reading.faults, *reading.warnings))
    (fault,) = annotation.heading.faults
    assert (fault.line, fault.code, fault.params["tiles"]) == (4, "rack_not_in_bag", "X")
    assert annotation.turns[1].not_judged == "rack_unknown"
    assert fault in annotation.turns[1].faults


def test_three_players_have_equity_but_no_win_pct(scowl: Lexicon) -> None:
    text = "#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8E WAXY +34 34\n>b: AEINRST - +0 0\n"
    first, second = annotate(read_gcg(text).record, scowl).turns
    assert [player.score for player in second.position.players] == [0, 0, 34]
    for note in (first, second):
        assert note.played is not None
        assert (note.win_before, note.played.win, loss_of(note).win_pct, note.mistake) == (None,) * 4


@pytest.mark.parametrize(
    ("text", "evaluator", "code"),
    [
        ("", "auto", "empty_record"),
        ("#player1 a A\n>a: AEITWXY 8E WAXY +34 34\n", "auto", "missing_player"),
        (HEAD + WAXY, "oracle", "unknown_evaluator"),
        ("#tile-distribution polish\n" + HEAD + WAXY, "auto", "tile_set_mismatch"),
        ("#board-layout super21\n" + HEAD + WAXY, "auto", "board_too_large"),
    ],
)
def test_a_record_that_cannot_be_annotated_is_rejected_before_the_first_note(
    scowl: Lexicon, text: str, evaluator: str, code: str
) -> None:
    reading = read_gcg(text)
    faults = (*reading.faults, *reading.warnings)
    with pytest.raises(InvalidInput) as caught:
        annotation_notes(reading.record, scowl, AnnotationOptions(evaluator), faults)
    assert caught.value.code == code


def test_three_players_cannot_be_simulated(scowl: Lexicon) -> None:
    text = "#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8E WAXY +34 34\n"
    with pytest.raises(InvalidInput) as caught:
        annotation_notes(read_gcg(text).record, scowl, AnnotationOptions(simulate=annotation_simulation()))
    assert (caught.value.code, caught.value.field) == ("not_two_players", "simulate")


def test_a_play_that_cannot_be_placed_is_neither_bingo_nor_phony(scowl: Lexicon) -> None:
    text = HEAD + ">ann: AEINRST 8D RETINAZ +64 64\n>bo: AEZ 1A ZZZZZZ +10 10\n"
    annotation = annotate(read_gcg(text).record, scowl)
    first, refused = annotation.turns
    assert (first.bingo, first.phonies) == (True, ("RETINAZ",))
    assert (refused.not_judged is None, refused.bingo, refused.phonies) == (False, False, ())
    assert [player.bingos for player in annotation.summary.players] == [1, 0]
    assert [player.phonies for player in annotation.summary.players] == [1, 0]


@pytest.mark.long
def test_every_record_is_annotated_or_rejected_with_a_code(
    game_records: dict[str, bytes], scowl: Lexicon
) -> None:
    refused, judged = {}, 0
    for name, data in game_records.items():
        reading = read_gcg(data)
        try:
            faults = (*reading.faults, *reading.warnings)
            annotation = annotate(reading.record, scowl, AnnotationOptions(endgame_nodes=100), faults)
        except InvalidInput as error:
            refused[name] = error.code
            continue
        judged += annotation.summary.judged
        errors = [fault for fault in annotation.heading.faults if not fault.warning]
        noted_errors = [fault for note in annotation.notes for fault in note.faults if not fault.warning]
        assert {fault.code for fault in reading.faults} <= {fault.code for fault in errors}
        assert all(fault in errors for fault in noted_errors)
        assert all(note.best is not None or note.not_judged for note in annotation.turns)
        # The record with the annotation can be written and read again.
        noted = annotated_record(annotation)
        assert read_gcg(format_gcg(noted)).record == noted
    expected = {
        **dict.fromkeys(("empty", "nothing_written"), "empty_record"),
        "macondo_polish_endgame": "tile_set_mismatch",
    }
    assert refused == {name: code for name, code in expected.items() if name in game_records}
    assert judged > 600


def test_annotations_are_added_to_the_notes_of_the_record(scowl: Lexicon) -> None:
    record = read_gcg(HEAD + WAXY + "#note nice\n>bo: EEE - +0 0\n").record
    first, second = annotated_record(annotate(record, scowl)).events
    assert first.note.startswith("nice\nkibitz: the best move, equity ")
    assert second.note == "kibitz: not judged: the rack is known in part"


def test_the_annotation_key_depends_on_the_options(scowl: Lexicon) -> None:
    keys = {annotation_key(scowl, AnnotationOptions(name)) for name in ("auto", "static", "heuri6")}
    assert len(keys) == 3
    assert annotation_key(scowl) in keys
