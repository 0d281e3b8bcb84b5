"""The ladder: its table has the results of the matches, and finished matches are not played again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from engine import GameSetup, InvalidInput, Match
from kibitz.cli import kibitz
from lab.experiments import ladder
from lab.experiments.ladder import RUNGS, run_ladder
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from pathlib import Path

MATCHES = (("greedy", "heuri2"), ("level3", "greedy"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    playable(folder, few_tiles(8, 5))
    return folder


@pytest.fixture(scope="module")
def setup(data: Path) -> GameSetup:
    return GameSetup.of(playable(data, few_tiles(8, 5)))


def test_the_table_is_that_of_the_matches(
    setup: GameSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[tuple[tuple[str, str], float]] = []
    report = run_ladder(
        setup, MATCHES, 20, 4, 1, tmp_path, lambda names, played: reported.append((names, played.games))
    )
    assert reported[0][0] == MATCHES[0]
    assert reported[-1] == (MATCHES[1], 20)
    name = f"ladder-{setup.lexicon.id}"
    assert json.loads((tmp_path / f"{name}.json").read_bytes()) == report
    text = (tmp_path / f"{name}.md").read_text()
    for names, row in zip(MATCHES, report["matches"], strict=True):
        score = Match(setup, names, 20, seed=4).run(1)
        assert row["score"]["share"]["value"] == score.share.value
        assert [player["name"] for player in row["players"]] == list(names)
        assert f"| `{names[0]}` - `{names[1]}` | 20 | {100 * score.share.value:.1f} % [" in text

    def refuse(*_: object) -> None:
        pytest.fail("a match was played again")

    monkeypatch.setattr("engine.selfplay.match.MatchWork.player", refuse)
    assert run_ladder(setup, MATCHES, 20, 4, 1, tmp_path) == report


def test_an_unknown_player_is_named_before_anything_is_played(setup: GameSetup, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nobody"):
        run_ladder(setup, (*MATCHES, ("best", "nobody")), 2, 1, 1, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_ladder_from_the_command_line(data: Path, tmp_path: Path) -> None:
    arguments = ["experiment", "ladder", "--lexicon", "few8", "--games", "4", "--threads", "1"]
    arguments += ["--match", "greedy", "level2", "--output", str(tmp_path)]
    done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(data)})
    assert done.exit_code == 0, done.output
    assert "ladder-few8.json" in done.output
    assert (tmp_path / "ladder-few8.md").exists()
    assert len({ladder._slug(names, 2, 1) for names in RUNGS}) == len(RUNGS)
