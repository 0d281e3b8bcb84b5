"""Losses by words and by choice, against every legal move and its words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine import AnnotationOptions, annotate, annotation_simulation, learned_path
from engine.analysis.annotate import vocabulary
from engine.evaluation.word_frequency import WordFrequencies, find_word_frequencies
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import Play
from engine.records import read_gcg
from tests.annotation.games import recorded_game
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from engine.analysis import Annotation, TurnNote
    from engine.lexicon import Lexicon

GAMES = 100
HEAD = "#player1 ann Ann Ek\n#player2 bo Bo Li\n"


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    """Return a small lexicon whose words were formed 0 to 29 times in GAMES games, as a table says."""
    lexicon = playable(tmp_path_factory.mktemp("words"), few_tiles(8, 5))
    counts = np.random.default_rng(4).integers(0, 30, lexicon.word_count).astype(np.uint32)
    table = WordFrequencies(counts, games=GAMES, player="greedy", seed=1)
    table.save(learned_path(lexicon, "words"), lexicon)
    return lexicon


def annotated(lexicon: Lexicon, number: int, **options: object) -> Annotation:
    chosen = replace(AnnotationOptions("greedy", endgame_nodes=0), **options)  # type: ignore[arg-type]
    return annotate(recorded_game(lexicon, number, "heuri1", "heuri3"), lexicon, chosen)


def scores(lexicon: Lexicon, note: TurnNote, known: set[bytes]) -> tuple[int, int]:
    """Return the most points of a legal move, and of one whose words are all known."""
    position = note.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = InternalWords(lexicon).generate(board, position.rack, position.rules)
    most = allowed = 0  # a pass
    for at in range(len(plays)):
        words = position.words(plays.move(at))
        score = sum([word.score for word in words])
        if int(plays.array["placed"][at]) == position.rules.bingo_tiles:
            score += position.rules.bingo_bonus
        most = max(most, score)
        if all(word.letters in known for word in words):
            allowed = max(allowed, score)
    return most, allowed


@pytest.mark.long
def test_a_loss_is_split_as_by_trying_every_move(counted: Lexicon) -> None:
    table = find_word_frequencies(counted)
    assert table is not None
    frequencies = dict(zip(counted.words(), table.counts.tolist(), strict=True))
    parts = set()
    for number, rarity in enumerate((1, 4, 10)):
        found = annotated(counted, number, rarity=rarity)
        common = {word for word, count in frequencies.items() if count * rarity >= GAMES}
        heading = found.heading.known_words
        assert heading is not None
        assert (heading.rarity, heading.words, heading.games) == (rarity, len(common), GAMES)
        own: list[set[bytes]] = [set(), set()]
        for note in found.turns:
            assert note.played is not None
            own[note.player] |= {word.letters for word in note.position.words(note.played.move)}
        for note in found.turns[::2]:
            assert note.loss is not None
            assert note.played is not None
            most, allowed = scores(counted, note, common | own[note.player])
            assert note.loss.equity == most - note.played.score
            assert note.loss.words == most - allowed
            assert note.loss.choice == allowed - note.played.score
            parts |= {("words", note.loss.words > 0), ("choice", note.loss.choice > 0)}
    assert len(parts) == 4


def check_sums(found: Annotation) -> None:
    """Check that words and choice are parts of every loss and of the sums of the players."""
    for note in found.turns:
        if note.loss is not None:
            words, choice = note.loss.words, note.loss.choice
            assert words is not None
            assert choice is not None
            assert min(words, choice) >= 0
            assert round(words + choice, 3) == round(note.loss.equity, 3)
    for player in found.summary.players:
        losses = [note.loss for note in found.turns if note.player == player.player and note.loss is not None]
        assert player.words_loss == pytest.approx(sum(loss.words or 0.0 for loss in losses), abs=0.001)
        assert player.words_loss is not None
        assert player.choice_loss is not None
        assert player.words_loss + player.choice_loss == pytest.approx(player.equity_loss, abs=0.002)


def test_the_parts_add_up_in_searched_endgames_and_after_simulations(
    scowl: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = np.random.default_rng(5).integers(0, 2, scowl.word_count).astype(np.uint32)
    table = WordFrequencies(counts, games=GAMES, player="greedy", seed=1)
    monkeypatch.setattr(vocabulary, "find_word_frequencies", lambda lexicon: table)
    lost = []
    for number in range(4):
        for plan in (None, annotation_simulation(iterations=20, candidates=4)):
            record = recorded_game(scowl, number)
            found = annotate(
                record, scowl, AnnotationOptions(endgame_nodes=500, simulate=plan, preendgame_nodes=100)
            )
            check_sums(found)
            lost += [note for note in found.turns if note.loss is not None and note.loss.words]
    assert {note.judged.evaluator for note in lost} == {"static", "endgame"}
    for note in lost:  # only a play has words that a player may not know
        assert note.best is not None
        assert isinstance(note.best.move, Play)


def test_known_plays_that_no_simulation_compared_count_too(
    scowl: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = np.array([len(word) == 2 for word in scowl.words()], np.uint32)
    table = WordFrequencies(counts, games=1, player="greedy", seed=1)
    monkeypatch.setattr(vocabulary, "find_word_frequencies", lambda lexicon: table)
    record = read_gcg(f"{HEAD}>ann: AEINRST - +0 0\n>bo: AEITWXY - +0 0\n").record
    plan = annotation_simulation(iterations=20, candidates=4)
    first, second = annotate(record, scowl, AnnotationOptions(simulate=plan)).turns
    for note in (
        first,
        second,
    ):  # every candidate but the pass forms an unknown word, some other plays do not
        assert note.loss is not None
        assert note.loss.choice is not None
        assert 0 < note.loss.choice < note.loss.equity


def test_who_knows_more_words_loses_less_by_words(counted: Lexicon) -> None:
    sums = []
    for rarity in (1, 4, 10, 100):
        found = annotated(counted, 1, rarity=rarity)
        check_sums(found)
        sums.append(sum(player.words_loss or 0.0 for player in found.summary.players))
    assert sums == sorted(sums, reverse=True)
    assert sums[0] > sums[-1]


def test_without_counts_nothing_is_split(scowl: Lexicon) -> None:
    assert find_word_frequencies(scowl) is None, "the counts of club are of other words"
    found = annotate(recorded_game(scowl, 1), scowl)
    assert found.heading.known_words is None
    for player in found.summary.players:
        assert (player.words_loss, player.choice_loss) == (None, None)
    for note in found.turns:
        assert note.loss is not None
        assert (note.loss.words, note.loss.choice) == (None, None)
