"""Saved work is bound to the words and the tile set; other changes of the table file do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.errors import InvalidInput
from engine.lexicon import Catalogue
from engine.rules import tile_set
from engine.selfplay import GameSetup, LeavePlan, LeaveTraining, Match, WinPctTraining, resumable_run
from engine.selfplay.self_play import SelfPlay

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


def opened(folder: Path, words: str, name: str = "") -> Lexicon:
    """Build a table of some words, and open it."""
    (folder / "words.txt").write_text(words)
    catalogue = Catalogue(folder)
    catalogue.build_from(folder / "words.txt", tile_set("english"), lexicon_id="mine", name=name)
    return catalogue.open("mine")


@pytest.mark.parametrize("kind", WORK)
@pytest.mark.long
def test_work_resumes_with_another_table_of_the_same_words(kind: str, tmp_path: Path) -> None:
    words = "\n".join(
        ["aa", "ab", "ad", "ae", "at", "eta", "tea", "teas", "oe", "os", "re", "na", "ne", "it"]
    )
    state = tmp_path / "work.state"
    plain = opened(tmp_path, words)
    WORK[kind](GameSetup.of(plain), state).run(1)
    renamed = opened(tmp_path, words, "Mine")
    assert renamed.table_sha256 != plain.table_sha256
    WORK[kind](GameSetup.of(renamed), state)
    other = opened(tmp_path, f"{words}\nza")
    assert other.content_sha256 != plain.content_sha256
    with pytest.raises(InvalidInput):
        WORK[kind](GameSetup.of(other), state)


def test_a_part_that_ctrl_c_cuts_short_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(SelfPlay):
        def _take(self, part: range, played: Any) -> None:
            if part.start > 0:
                self.words += played[1]
                raise KeyboardInterrupt
            super()._take(part, played)

    monkeypatch.setattr(resumable_run, "SAVE_SECONDS", 0.0)
    setup = GameSetup.of(opened(tmp_path, "aa\nab\nad\nae\nat\neta\ntea\nteas"))
    state = tmp_path / "work.state"
    with pytest.raises(KeyboardInterrupt):
        Interrupted(setup, "greedy", 8, state=state).run(1)
    again, uninterrupted = SelfPlay(setup, "greedy", 8, state=state), SelfPlay(setup, "greedy", 8)
    assert 0 < again.games_done < 8
    again.run(1)
    uninterrupted.run(1)
    assert (again.words == uninterrupted.words).all()
