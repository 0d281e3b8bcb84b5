"""`kibitz experiment statistics`: numbers agree with the logs of the games; stopped games continue."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from engine import Catalogue, Estimate, GameSetup, InvalidInput, MissingTable, default_rule_set, tile_set
from engine.evaluation.evaluators import evaluator_kernel
from engine.movegen.plays import ONE_TILE
from engine.selfplay import PlayedGame, game_loop, play_game
from engine.selfplay.games import PLAY, RESULT_DTYPE
from engine.selfplay.self_play import WORD_USES, SelfPlay
from kibitz.cli import kibitz
from lab.experiments import published_statistics as published
from lab.experiments.agreement import made_up_words
from lab.experiments.statistics import (
    BIN,
    even_handicap,
    game_statistics,
    run_statistics,
    word_statistics,
)

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon

GAMES = 10


@pytest.fixture(scope="module", params=["english", "czech"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SelfPlay:
    """Ten games on the narrow and on the wide kernels."""
    lexicon = open_made_up(request.param, tmp_path_factory.mktemp("words"))
    play = SelfPlay(GameSetup.of(lexicon), "greedy", GAMES, seed=5)
    play.run(2)
    return play


@pytest.fixture(scope="module")
def games(played: SelfPlay) -> list[PlayedGame]:
    """The same games, one by one, with their turns."""
    kernel = evaluator_kernel("greedy", played.setup.lexicon, played.setup.rules)
    loop = game_loop(played.setup, kernel, kernel)
    return [play_game(loop, 5, number) for number in range(GAMES)]


def open_made_up(tiles_id: str, folder: Path) -> Lexicon:
    tiles = tile_set(tiles_id)
    (folder / "words.txt").write_text("\n".join(made_up_words(tiles, 1500, 2)), "utf-8")
    Catalogue(folder).build_from(folder / "words.txt", tiles, lexicon_id="made-up")
    return Catalogue(folder).open("made-up")


def test_results_are_those_of_the_games(played: SelfPlay, games: list[PlayedGame]) -> None:
    for result, game in zip(played.results, games, strict=True):
        assert tuple(result["final"]) == game.final
        assert result["turns"].tolist() == [(game.turns["seat"] == seat).sum() for seat in (0, 1)]


def run_of(board: dict[tuple[int, int], int], place: tuple[int, int], down: bool) -> bytes:
    """Return the tiles that lie in one piece along a line through a square."""
    row, column = (down, not down)
    first = place
    while (before := (first[0] - row, first[1] - column)) in board:
        first = before
    tiles = []
    while first in board:
        tiles.append(board[first])
        first = (first[0] + row, first[1] + column)
    return bytes(tiles)


def test_every_word_is_counted(played: SelfPlay, games: list[PlayedGame]) -> None:
    """Against a board that is filled turn by turn."""
    lexicon, side = played.setup.lexicon, played.setup.layout.side
    counts = {use: Counter[bytes]() for use in WORD_USES}
    for game in games:
        board: dict[tuple[int, int], int] = {}
        for turn in game.turns[game.turns["kind"] == PLAY]:
            play = turn["play"]
            line, start, length = (int(play[name]) for name in ("line", "start", "length"))
            down = line >= side
            places = [(start + i, line - side) if down else (line, start + i) for i in range(length)]
            new = [place for place in places if place not in board]
            number = int(play["word"])
            if number & ONE_TILE:
                board[new[0]] = (number & ~ONE_TILE) + 1
            else:
                board.update(zip(places, lexicon.word(number), strict=True))
            assert len(new) == play["placed"]
            word = run_of(board, places[0], down)
            assert len(word) == length
            across = [run_of(board, place, not down) for place in new]
            counts["played"][word] += 1
            counts["bingos"][word] += len(new) == 7
            counts["made"].update([word, *(other for other in across if len(other) > 1)])
    known = list(lexicon.words())
    for row, use in zip(played.words.tolist(), WORD_USES, strict=True):
        assert {word: n for word, n in zip(known, row, strict=True) if n} == dict(+counts[use])
    assert any(np.any(game.turns["play"]["word"] & ONE_TILE) for game in games)  # that case was there
    statistics = word_statistics(lexicon, played.words)
    for length, by_use in statistics["lengths"].items():
        for use in WORD_USES:
            assert by_use[use] == sum(n for word, n in counts[use].items() if len(word) == int(length))
    assert statistics["different"] == {use: len(+counts[use]) for use in WORD_USES}
    bingos = sorted((+counts["bingos"]).values(), reverse=True)
    assert [row["bingos"] for row in statistics["most_bingos"]] == bingos[:200]
    codes = lexicon.tile_set.alphabet.encode_word
    threes = statistics["most_made"]["3"]
    assert threes[0]["made"] == max(n for word, n in counts["made"].items() if len(word) == 3)
    for row in threes:
        assert [row[use] for use in WORD_USES] == [counts[use][codes(row["word"])] for use in WORD_USES]


def test_statistics_are_counted_as_named(played: SelfPlay, games: list[PlayedGame]) -> None:
    statistics = game_statistics(played.results)
    ahead = [first - second for first, second in (game.final for game in games)]
    assert statistics["first_player"]["wins"] == sum(points > 0 for points in ahead)
    assert statistics["first_player"]["losses"] == sum(points < 0 for points in ahead)
    assert statistics["points"]["winner"]["value"] == np.mean([max(game.final) for game in games])
    assert statistics["points"]["difference"]["least"] == min(ahead)
    assert statistics["a_game"]["turns"]["value"] == np.mean([len(game.turns) for game in games])
    plays, bingos, _ = played.words.sum(axis=1)
    assert statistics["a_game"]["plays"]["value"] == plays / GAMES
    assert statistics["a_game"]["bingos"]["value"] == bingos / GAMES
    for seat, name in enumerate(("first", "second")):
        theirs = [points for points, game in zip(ahead, games, strict=True) if game.turns["seat"][-1] == seat]
        assert statistics["last_turn"][name]["share"]["value"] == len(theirs) / GAMES
        assert statistics["last_turn"][name]["difference"]["value"] == pytest.approx(
            np.mean(theirs), abs=1e-4
        )
    for name, counts in statistics["distributions"].items():
        assert sum(counts.values()) == GAMES, name
    bins = Counter(str(game.final[1] // BIN * BIN) for game in games)
    assert statistics["distributions"]["points_second"] == bins
    row = next(row for row in statistics["handicap"]["table"] if row["points"] == 5)
    assert row == {
        "points": 5,
        "wins": sum(points > 5 for points in ahead),
        "ties": ahead.count(5),
        "losses": sum(points < 5 for points in ahead),
    }


def test_leads_are_those_of_the_turns(played: SelfPlay, games: list[PlayedGame]) -> None:
    """The scores after 12 turns and at the first turn with an empty bag, against the logs of the games."""
    for result, game in zip(played.results, games, strict=True):
        after = {"middle": game.turns[12:], "endgame": game.turns[game.turns["bag_before"] == 0]}
        for name, turns in after.items():
            expected = turns["score_before"][0].tolist() if len(turns) else list(game.final)
            assert result[name].tolist() == expected
    assert np.any(played.results["middle"] != played.results["final"])
    if played.setup.lexicon.tile_set.id == "english":  # its games empty the bag
        assert np.any(played.results["endgame"] != played.results["final"])


def test_who_led_and_who_won() -> None:
    results = np.zeros(5, RESULT_DTYPE)
    results["final"] = [[400, 390], [300, 420], [350, 350], [380, 370], [500, 300]]
    results["middle"] = [[100, 150], [100, 150], [90, 80], [200, 200], [200, 199]]
    results["endgame"] = [[320, 381], [300, 361], [340, 330], [340, 330], [450, 300]]
    leads = game_statistics(results)["leads"]
    assert leads["middle_leader_wins"]["value"] == 0.5  # of four: the first was lost, the third tied
    assert leads["endgame_leader_wins"]["value"] == 0.6
    assert leads["wide_endgame_leads"]["value"] == 0.6
    assert leads["turnovers"]["value"] == 0.2
    assert leads["turnovers_by_seat"] == [1, 0]


@given(st.lists(st.integers(-60, 60), min_size=1, max_size=80))
def test_the_handicap_evens_wins_and_losses(ahead: list[int]) -> None:
    def gap(given: int) -> int:
        return abs(sum(points > given for points in ahead) - sum(points < given for points in ahead))

    even, low, high = even_handicap(np.array(ahead, np.int64))
    assert even == min(range(min(ahead), max(ahead) + 1), key=lambda given: (gap(given), given))
    assert min(ahead) <= low <= high <= max(ahead)


def test_the_interval_of_the_handicap_holds_the_median() -> None:
    """In 95 of 100 samples of a distribution whose median is 7, within three standard errors."""
    random = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        _, low, high = even_handicap(np.rint(random.normal(7, 100, 400)).astype(np.int64))
        held += low <= 7 <= high
    assert 930 <= held <= 975


def test_published_statistics_agree_with_each_other() -> None:
    """A win with h points given is a win or a tie with h + 1."""
    rows = published.HANDICAPS
    for (wins, _, _), (fewer, ties, _) in pairwise(rows):
        assert wins == pytest.approx(fewer + ties, abs=2e-4)
    assert rows[0][0] == pytest.approx(100 * published.WINS / published.GAMES, abs=1e-4)
    assert published.WINS + published.TIES + published.LOSSES == published.GAMES
    gaps = [abs(wins - losses) for wins, _, losses in rows]
    assert gaps.index(min(gaps)) == published.EVEN_HANDICAP


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


def test_stopped_games_continue(made_up: Lexicon, tmp_path: Path) -> None:
    setup, state = GameSetup.of(made_up), tmp_path / "state"

    def stop(done: int) -> None:
        if done >= 8:
            raise StoppedError

    stopped = SelfPlay(setup, "greedy", 20, state=state)
    with pytest.raises(StoppedError):
        stopped.run(1, stop)
    resumed = SelfPlay(setup, "greedy", 20, state=state)
    assert 8 <= resumed.games_done < 20
    resumed.run(3)
    more = SelfPlay(setup, "greedy", 30, state=state)
    assert more.games_done == 20
    more.run(2)
    uninterrupted = SelfPlay(setup, "greedy", 30)
    uninterrupted.run(1)
    assert np.array_equal(more.results, uninterrupted.results)
    assert np.array_equal(more.words, uninterrupted.words)
    assert np.array_equal(resumed.results, uninterrupted.results[:20])
    assert len({bytes(result) for result in uninterrupted.results}) == 30


def test_impossible_games_are_rejected(made_up: Lexicon, tmp_path: Path) -> None:
    setup, state = GameSetup.of(made_up), tmp_path / "state"
    SelfPlay(setup, "greedy", 4, state=state).run(1)
    for changed, code in (
        ({"seed": 2}, "other_games"),
        ({"player": "heuri2"}, "other_games"),
        ({"games": 3}, "out_of_range"),
        ({"games": 0}, "out_of_range"),
        ({"seed": -1}, "out_of_range"),
    ):
        asked: dict[str, Any] = {"player": "greedy", "games": 4, "seed": 1, **changed}
        with pytest.raises(InvalidInput) as caught:
            SelfPlay(setup, asked["player"], asked["games"], seed=asked["seed"], state=state)
        assert caught.value.code == code
    italian = open_made_up("italian", tmp_path)
    with pytest.raises(MissingTable):
        SelfPlay(GameSetup.of(italian), "static", 4)
    other_rules = GameSetup.of(made_up, rules=default_rule_set("spanish"))
    with pytest.raises(InvalidInput, match="other games"):
        SelfPlay(other_rules, "greedy", 4, state=state)


def test_an_estimate_has_the_usual_interval() -> None:
    samples = np.array([0.0, 1.0, 1.0, 1.0])
    half = 1.959964 * samples.std(ddof=1) / 2
    assert Estimate.of(samples) == Estimate(0.75, 0.75 - half, 0.75 + half)


def test_ties_and_two_bingo_counts(tmp_path: Path) -> None:
    results = np.zeros(3, RESULT_DTYPE)
    results["final"] = [[400, 400], [380, 390], [500, 300]]
    results["bingos"] = [[2, 1], [0, 0], [3, 0]]
    statistics = game_statistics(results)
    assert statistics["first_player"]["ties"] == 1
    assert statistics["first_player"]["win_share"]["value"] == 0.333333
    assert statistics["handicap"]["even"] == 0
    assert statistics["distributions"]["bingos"] == {"0": 1, "3": 2}
    assert statistics["by_seat"]["bingos"] == [1.6667, 0.3333]


def call(data: Path, output: Path, *arguments: str) -> Result:
    given = ["experiment", "statistics", "--lexicon", "made-up", "--output", str(output), *arguments]
    return CliRunner().invoke(kibitz, given, env={"KIBITZ_DATA": str(data), "COLUMNS": "120"})


def test_the_command_writes_report_and_plots(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    open_made_up("spanish", tmp_path / "data")
    output = tmp_path / "out"
    done = call(tmp_path / "data", output, "--player", "greedy", "--games", "6", "--threads", "2")
    assert done.exit_code == 0, done.output
    assert "published" in done.output
    assert "518.03" in done.output
    assert "leader after 12 turns wins, %" in done.output
    report = json.loads((output / "statistics-made-up-greedy.json").read_bytes())
    setup = GameSetup.of(Catalogue(tmp_path / "data").open("made-up"))
    assert report == run_statistics(setup, "greedy", 6, 1, 1, tmp_path / "again")
    assert f"{report['points']['first']['value']:.2f}" in done.output
    assert report["rules"] == "spanish"
    drawn = sorted(path.name for path in output.glob("*.svg"))
    assert drawn == [
        f"statistics-made-up-greedy-{name}.svg" for name in ("bingos", "handicap", "lengths", "points")
    ]
    for path in output.glob("*.svg"):
        assert ET.parse(path).getroot().tag.endswith("svg")
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < 150_000
    refused = call(tmp_path / "data", output, "--player", "greedy", "--games", "5")
    assert refused.exit_code == 2
    assert "holds 6 games already" in refused.stderr
    assert "Traceback" not in refused.output
    (tmp_path / "italian").mkdir()
    open_made_up("italian", tmp_path / "italian")  # no bundled list of these tiles has leaves
    refused = call(tmp_path / "italian", output, "--games", "5")
    assert refused.exit_code == 2
    assert "kibitz train leaves --lexicon made-up" in refused.stderr
