"""Games with computer players and clocks: seats, time limits, taking back, ranks; all of it saved."""

from __future__ import annotations

import json

import pytest

import kibitz
from engine.rules.game_end import ranking


def timed(lexicon: kibitz.Lexicon, players: int = 2, **limits: object) -> kibitz.Game:
    return kibitz.Game(lexicon, players, seed=3, time=kibitz.TimeControl(**limits))  # type: ignore[arg-type]


def reloaded(game: kibitz.Game) -> kibitz.Game:
    again = kibitz.Game.from_json(game.to_json(), game.lexicon)
    assert again == game
    assert again.to_json() == game.to_json()
    assert (again.time_left, again.move_time_left, again.result) == (
        game.time_left,
        game.move_time_left,
        game.result,
    )
    return again


def test_a_seat_is_a_name_or_a_level(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, ["Ann", 4, "Bob", 4])
    assert game.names == ("Ann", "Level 4", "Bob", "Level 4 (4)")
    assert game.levels == (None, 4, None, 4)
    assert reloaded(game).levels == game.levels
    assert kibitz.Game.from_gcg(game.to_gcg(), small).names == game.names
    assert kibitz.Game(small, 3).levels == (None, None, None)


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (10**12, "bad_player_count"),
        (["Ann", 0], "out_of_range"),
        (["Ann", 11], "out_of_range"),
        ([1, 2, 3, 4, 5], "bad_player_count"),
        (["Level 4", 4], "bad_player_name"),
    ],
)
def test_wrong_seats(small: kibitz.Lexicon, players: int | list[str | int], code: str) -> None:
    with pytest.raises(kibitz.InvalidInput) as error:
        kibitz.Game(small, players)
    assert error.value.code == code


def test_taking_back_undoes_a_move_of_a_person_and_the_answers(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game(lexicon, [2, "Ann", 3, "Bob"], seed=1)
    states = []
    for _ in range(7):
        states.append((game.on_turn, game.position, game.bag))
        level = game.levels[game.on_turn]
        game.play(game.position.plays()[0] if level is None else kibitz.best_move(game.position, level=level))
    assert game.movers == (0, 1, 2, 3, 0, 1, 2)
    for number in (5, 3, 1):
        game.take_back()
        assert (game.on_turn, game.position, game.bag) == states[number]
    with pytest.raises(kibitz.IllegalMove, match="no move of yours") as error:
        game.take_back()
    assert error.value.code == "nothing_to_undo"
    assert len(game.moves) == 1  # that of the computer player who began


def test_times_are_counted_by_player(small: kibitz.Lexicon) -> None:
    game = timed(small, per_game=600, per_move=60)
    assert (game.time_left, game.move_time_left) == ((600, 600), 60)
    assert game.spend(10.5) is None
    assert game.spend(20) is None
    assert (game.time_left, game.move_time_left) == ((569.5, 600), 29.5)
    reloaded(game)
    game.play(game.position.plays()[0])
    assert (game.time_left, game.move_time_left) == ((569.5, 600), 60)
    game.spend(60)
    assert game.on_turn == 1  # the last second of the time for a move is part of it
    game.play("-")
    assert game.time_left == (569.5, 540)
    assert game.move_seconds == (30.5, 60)
    assert "\n#seconds 30.5\n" in game.to_gcg()
    assert kibitz.Game.from_gcg(game.to_gcg(), small).move_seconds == (30.5, 60)
    reloaded(game)
    game.undo()
    assert game.time_left == (569.5, 600)


def test_whose_time_for_a_move_is_over_passes(small: kibitz.Lexicon) -> None:
    game = timed(small, 3, per_game=600, per_move=60)
    assert game.spend(100) == kibitz.Pass()
    assert (game.on_turn, game.moves, game.position.zero_turns) == (1, (kibitz.Pass(),), 1)
    assert game.time_left == (540, 600, 600)  # what comes after the end of a move does not count
    assert game.move_seconds == (100,)
    reloaded(game)


@pytest.mark.parametrize(("over", "points"), [(0, 0), (0.5, 10), (60, 10), (60.5, 20), (600, 100)])
def test_each_minute_of_overtime_costs_ten_points(small: kibitz.Lexicon, over: float, points: int) -> None:
    game = timed(small, per_game=100)
    game.spend(100 + over)
    while not game.is_over:
        game.play("-")
    result = game.result
    assert result is not None
    assert result.penalties == (points, 0)
    assert result.scores == (result.adjustments[0] - points, result.adjustments[1])
    reloaded(game)
    assert kibitz.Game.from_gcg(game.to_gcg(), small).result == result
    if points:
        with pytest.raises(kibitz.IllegalMove, match="penalized this player already"):
            game.penalize(0, 10)
    game.penalize(1, 10)
    assert game.result is not None
    assert game.result.penalties == (points, 10)


def test_overtime_may_lose_the_game(small: kibitz.Lexicon) -> None:
    game = timed(small, 3, per_game=100, overtime="loss")
    play = game.position.plays()[0]
    game.play(play)
    assert game.spend(100) is None
    assert not game.is_over
    assert game.spend(0.1) is None
    assert game.result is not None
    assert (game.result.reason, game.result.ranks, game.result.winners) == ("time", (1, 3, 2), (0,))
    assert game.result.scores == (play.score, 0, 0)  # tiles left do not count
    assert "lost on time" in str(game.result)
    reloaded(game)
    for after in (lambda: game.play("-"), lambda: game.spend(1), lambda: game.penalize(1, 10)):
        with pytest.raises(kibitz.IllegalMove):
            after()
    game.undo()
    assert not game.is_over


def test_a_game_with_a_clock_takes_nothing_back(small: kibitz.Lexicon) -> None:
    game = timed(small, per_move=60)
    game.play("-")
    with pytest.raises(kibitz.IllegalMove, match="time limit") as error:
        game.take_back()
    assert error.value.code == "no_taking_back"


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), True, "3", 10**9, 10**400])
def test_wrong_times(small: kibitz.Lexicon, seconds: float) -> None:
    with pytest.raises(kibitz.InvalidInput):
        timed(small).spend(seconds)
    for name in ("per_game", "per_move"):
        with pytest.raises(kibitz.InvalidInput, match=name):
            kibitz.TimeControl(**{name: seconds})  # type: ignore[arg-type]
    with pytest.raises(kibitz.InvalidInput, match="points, loss"):
        kibitz.TimeControl(overtime="draw")


@pytest.mark.parametrize(
    ("scores", "lost_by", "ranks"),
    [
        ((300, 200), None, [1, 2]),
        ((200, 200), None, [1, 1]),
        ((200, 300, 300, 100), None, [3, 1, 1, 4]),
        ((300, 200, 200), None, [1, 2, 2]),
        ((300, 200), 0, [2, 1]),
        ((100, 300, 100), 1, [1, 3, 1]),
    ],
)
def test_equal_scores_share_a_rank(scores: tuple[int, ...], lost_by: int | None, ranks: list[int]) -> None:
    assert ranking(scores, lost_by) == ranks


def test_a_game_saved_by_the_first_version_is_read(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, ["Ann", "Bob"], seed=2)
    game.play("-")
    data = json.loads(game.to_json())
    for name in ("levels", "time", "seconds"):
        del data[name]
    del data["actions"][0]["seconds"]
    data["format"] = "kibitz game 1"
    assert kibitz.Game.from_json(json.dumps(data), small) == game


def test_another_version_is_named(small: kibitz.Lexicon) -> None:
    data = {**json.loads(kibitz.Game(small).to_json()), "format": "kibitz game 3"}
    with pytest.raises(kibitz.InvalidInput, match="another version of kibitz, as 'kibitz game 3'") as error:
        kibitz.Game.from_json(json.dumps(data), small)
    assert error.value.code == "other_version"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", {"id": "french", "colour": 1}),
        ("levels", [None]),
        ("levels", [None, 11]),
        ("levels", [None, True]),
        ("time", {"per_game": -1}),
        ("time", {"hours": 3}),
        ("seconds", -1),
        ("seconds", "1"),
        ("seconds", 10**400),
        ("actions", [{"move": "-", "drawn": "", "seconds": -5}]),
        ("actions", [{"time_lost": None}]),
        ("actions", [{"time_lost": 1}, {"time_lost": 1}]),
    ],
)
def test_wrong_rules_levels_and_times_are_rejected(small: kibitz.Lexicon, name: str, value: object) -> None:
    data = {**json.loads(kibitz.Game(small).to_json()), name: value}
    with pytest.raises(kibitz.InvalidInput):
        kibitz.Game.from_json(json.dumps(data), small)


def test_a_saved_game_opens_its_lexicon(small: kibitz.Lexicon) -> None:
    asked: list[str] = []

    def opened(name: str) -> kibitz.Lexicon:
        asked.append(name)
        return small

    game = kibitz.Game(small)
    assert kibitz.Game.from_json(game.to_json(), opened) == game
    assert asked == [small.id]


def test_a_challenge_leaves_the_clocks_as_they_are(lexicon: kibitz.Lexicon) -> None:
    for rule, on_turn, left in (("void", 0, 70), ("5pt", 1, 70), ("double", 1, 70)):
        game = kibitz.Game(
            lexicon,
            racks=["IOQZAET", "AEINRST"],
            rules=kibitz.rule_set("english").changed(challenge_rule=rule),
            time=kibitz.TimeControl(100),
            allow_phonies=True,
        )
        game.spend(30)
        game.play("8H OZ", drawn="BC")
        game.challenge()
        assert (game.on_turn, game.time_left[0]) == (on_turn, left)
        reloaded(game)


@pytest.mark.parametrize(("rule", "on_turn", "reason"), [("double", 0, None), ("triple", 1, "challenge")])
def test_the_time_before_a_wrong_challenge_counts(
    lexicon: kibitz.Lexicon, rule: str, on_turn: int, reason: str | None
) -> None:
    rules = kibitz.rule_set("english").changed(challenge_rule=rule)
    game = kibitz.Game(lexicon, rules=rules, time=kibitz.TimeControl(100), allow_phonies=True)
    game.spend(30)
    game.play(game.position.plays()[0])
    game.spend(20)
    game.challenge()
    assert (game.on_turn, game.result and game.result.reason) == (on_turn, reason)
    assert game.time_left == (70, 80)
    reloaded(game)
