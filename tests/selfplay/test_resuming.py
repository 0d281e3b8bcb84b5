"""Saved work is bound to the words and the tile set: optional parts of the table file do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.errors import InvalidInput
from engine.lexicon import Catalogue
from engine.rules import tile_set
from engine.selfplay import GameSetup, LeavePlan, LeaveTraining, Match, SelfPlay, WinPctTraining

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.lexicon import Lexicon

WORK: dict[str, Callable[[GameSetup, Path], Any]] = {
    "match": lambda setup, state: Match(setup, ("greedy", "heuri2"), 8, state=state),
    "win%": lambda setup, state: WinPctTraining(setup, "greedy", 8, state=state),
    "games": lambda setup, state: SelfPlay(setup, "greedy", 8, state=state),
    "leaves": lambda setup, state: LeaveTraining(setup, LeavePlan(games=(8,), plain_games=0), state),
}


def opened(folder: Path, words: str, *parts: str) -> Lexicon:
    """Build a table of some words with optional parts, and open it."""
    (folder / "words.txt").write_text(words)
    catalogue = Catalogue(folder)
    catalogue.build_from(folder / "words.txt", tile_set("english"), lexicon_id="mine")
    catalogue.add_parts("mine", parts)
    return catalogue.open("mine")


@pytest.mark.parametrize("kind", WORK)
def test_work_resumes_with_another_table_of_the_same_words(kind: str, tmp_path: Path) -> None:
    words = "\n".join(
        ["aa", "ab", "ad", "ae", "at", "eta", "tea", "teas", "oe", "os", "re", "na", "ne", "it"]
    )
    state = tmp_path / "work.state"
    plain = opened(tmp_path, words)
    WORK[kind](GameSetup.of(plain), state).run(1)
    with_dawg = opened(tmp_path, words, "dawg")
    assert with_dawg.table_sha256 != plain.table_sha256
    WORK[kind](GameSetup.of(with_dawg), state)
    other = opened(tmp_path, f"{words}\nza")
    assert other.content_sha256 != plain.content_sha256
    with pytest.raises(InvalidInput):
        WORK[kind](GameSetup.of(other), state)
