"""The drawings of the documentation show what the engine computes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from lab.drawings import CGP, DRAWINGS, WORD, FollowedBoard, draw
from lab.drawings.bingos import bingo_draws, expectation
from lab.experiments.intervals import interval_counts
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from lab.drawings.followed_board import BoardInterval

FOLDER = Path(__file__).parents[3] / "docs" / "drawings"
BOARD_PICTURES = {
    "board",
    "play",
    "play-dark",
}  # the library's board_svg draws these; its own tests look at them


@pytest.fixture(scope="module")
def followed(bundled: Catalogue) -> FollowedBoard:
    return FollowedBoard(bundled.open("scowl80"))


@pytest.fixture(scope="module")
def interval(followed: FollowedBoard) -> BoardInterval:
    """F6 to F10."""
    return followed.interval(15 + 5, 5, 5)


@pytest.mark.long
def test_the_intervals_of_the_board_are_those_that_the_experiments_count(followed: FollowedBoard) -> None:
    assert len(followed.intervals) == sum(interval_counts(followed.position).values()) == 613


def test_as_many_intervals_are_answered_as_the_kernel_counts(followed: FollowedBoard) -> None:
    assert len(followed.answered) == followed.plays.statistics["intervals"] == 328
    dropped = Counter(each.dropped for each in followed.intervals)
    assert dropped == {"": 328, "letter": 214, "word": 66, "same play": 5}


def test_every_play_lies_in_an_interval_that_is_answered_and_its_points_add_up(
    followed: FollowedBoard,
) -> None:
    plays = [
        (interval, word, score)
        for interval in followed.answered
        for word, score in followed.plays_in(interval)
    ]
    assert len(plays) == len(followed.plays) == 262
    for interval, word, score in plays:
        assert score == sum(each.points for each in followed.scores(interval, word))


def test_the_list_of_the_internal_word_leads_to_the_play(
    followed: FollowedBoard, interval: BoardInterval
) -> None:
    (internal,) = interval.internal_words
    assert str(internal) == "(ON, 1, 5)"
    words = followed.word_list(internal.word, internal.position, internal.length)
    assert len(words) == internal.frequency == 152
    held = followed.with_held_letters(interval, words)
    assert sorted(held) == ["CONEY", "MONEY", "MONIE", "YONIC"]
    assert followed.fitting(interval, held) == [word for word, _ in followed.plays_in(interval)] == [WORD]


def test_the_score_of_the_play_is_the_engines(followed: FollowedBoard, interval: BoardInterval) -> None:
    words = followed.scores(interval, WORD)
    assert [(each.word, each.points) for each in words] == [("MONEY", 24), ("EM", 10), ("NE", 2), ("AY", 13)]
    assert followed.plays_in(interval) == [(WORD, 49)]


def test_the_threshold_divides_the_two_intervals_of_the_drawing(
    followed: FollowedBoard, interval: BoardInterval
) -> None:
    common = followed.interval(15 + 7, 7, 5)
    assert str(common.internal_words[0]) == "(S, 0, 5)"
    assert (followed.level(interval), followed.level(common)) == ("high", "low")
    assert followed.subset_count(3) == followed.subset_count(4) == 25
    assert interval.internal_words[0].frequency <= 16 * 25 < common.internal_words[0].frequency


def test_every_play_covers_the_halo(followed: FollowedBoard) -> None:
    halo = set(followed.halo())
    for index in range(len(followed.plays)):
        assert halo & {(row, column) for row, column, _ in followed.plays.move(index).placements()}


def test_the_expected_bingos_are_the_engines(followed: FollowedBoard, bundled: Catalogue) -> None:
    """Every draw is played out here; the engine sums over its delta set."""
    app = create_app(Settings(data=bundled.data_directory, log_level="error"))
    question = {"cgp": CGP, "lexicon": "scowl80", "evaluator": "heuri4", "sort": "equity", "top_n": 1}
    best = app.test_client().post("/analyze", json=question).get_json()["moves"][0]
    assert (best["word"], best["leave"]) == (WORD, "CEIU")
    draws = bingo_draws(followed, best["leave"])
    assert expectation(draws) == pytest.approx(best["bingo_expectation"], abs=0.001)
    assert best["is_fish"] == (best["bingo_expectation"] > best["score"])


def test_the_chapters_state_what_is_computed(followed: FollowedBoard, interval: BoardInterval) -> None:
    dropped = Counter(each.dropped for each in followed.intervals)
    common = followed.interval(15 + 7, 7, 5).internal_words[0]
    stated = {
        "board": [f"{len(followed.plays)} legal plays"],
        "intervals": [
            f"{len(followed.intervals)} intervals",
            f"{dropped['word']} of the {len(followed.intervals)} intervals",
            f"This drops {dropped['letter']}",
            f"{len(followed.answered)} intervals remain",
        ],
        "internal-words": [f"(ON, 1, 5) has {interval.internal_words[0].frequency} words"],
        "levels": [f"{common.frequency:,} words", f"{followed.subset_count(3)} different"],
        "validation": [followed.cross_checks(interval.line, 5), f"all {len(followed.plays)} plays"],
    }
    for page, texts in stated.items():
        text = " ".join((FOLDER.parent / "how-it-works" / f"{page}.md").read_text("utf-8").split())
        assert [each for each in texts if each not in text] == []
    assert f"Our board has {len(followed.halo())}." in (FOLDER.parent / "glossary.md").read_text("utf-8")


def test_the_stored_drawings_are_those_that_the_command_makes(
    followed: FollowedBoard, tmp_path: Path
) -> None:
    made = draw(followed, tmp_path)
    assert {path.name for path in made} == {path.name for path in FOLDER.glob("*.svg")}
    for path in made:
        ElementTree.parse(path)
        if path.stem not in BOARD_PICTURES:
            assert path.read_text("utf-8") == (FOLDER / path.name).read_text("utf-8")
    assert set(DRAWINGS) >= BOARD_PICTURES
