"""Games by the full rules, compared with games played by `play_turn` and by the self-play kernels."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import kibitz
from engine.analysis import TurnRequest, play_turn
from engine.evaluation.evaluators import evaluator_kernel
from engine.position import Player
from engine.position import Position as PlainPosition
from engine.records import EventKind
from engine.selfplay import GameSetup, game_loop, play_game
from lab.selfplay.replaying import turns_of
from tests.turns import first_turn

ENGLISH = kibitz.rule_set("english")


def some_move(random: Random, game: kibitz.Game) -> kibitz.Move:
    """Return a random legal move, usually a play."""
    plays, exchanges = game.position.plays(), game.position.exchanges()
    if plays and random.random() < 0.8:
        return plays[min(int(random.expovariate(0.3)), len(plays) - 1)]
    if exchanges and random.random() < 0.6:
        return random.choice(exchanges)
    return kibitz.Pass()


def play_on(game: kibitz.Game, random: Random) -> kibitz.Game:
    """Play a game to its end."""
    while not game.is_over:
        game.play(some_move(random, game))
    return game


def test_the_loop_of_the_architecture(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game(lexicon, players=2, seed=7)
    while not game.is_over:
        game.play(kibitz.best_move(game.position))
    assert str(game.result) == "Player 1 404, Player 2 427: Player 2 wins (played the last tile)"
    assert str(game).endswith(str(game.result))


RULES = {
    "english": ENGLISH,
    "french": kibitz.rule_set("french"),
    "wwf": kibitz.rule_set("wwf"),
    "single, short": ENGLISH.changed(ending="single", zero_turn_limit=3, exchange_limit=1, passes_each=0),
    "points first": ENGLISH.changed(zero_turns_need_points=True, passes_each=0, zero_turn_limit=2),
    "small rack": ENGLISH.changed(rack_size=4, bingo_tiles=3, bingo_bonus=11, exchange_limit=5),
}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
@pytest.mark.long
def test_a_game_agrees_with_play_turn(small: kibitz.Lexicon, rules: kibitz.RuleSet, players: int) -> None:
    """A client of `play_turn`, who stores the state between turns, plays the same game."""
    endings = set()
    for seed in range(12):
        random = Random(seed)
        game = kibitz.Game(small, players, seed=seed, rules=rules)
        asked = first_turn(small, seed, players, rules=rules)
        while not game.is_over:
            position = game.position
            assert (position.board, position.zero_turns) == (asked.position.board, asked.position.zero_turns)
            assert position.scores == tuple(player.score for player in asked.position.players)
            assert (position.rack, game.bag) == (asked.position.rack, asked.bag)
            assert position.bag_count() == len(game.bag)
            move = game.play(some_move(random, game))
            turn = play_turn(replace(asked, move=str(move)), small)
            assert turn.next is not None
            assert turn.move is not None
            assert turn.move.score == getattr(move, "score", 0)
            asked = following(asked, turn.next, small)
        assert turn.over is not None
        assert game.result is not None
        by_turn = [(one.final, one.adjustment, one.left, one.won) for one in turn.over.players]
        numbers = [(game.on_turn + step) % players for step in range(players)]
        result = game.result
        assert by_turn == [
            (result.scores[at], result.adjustments[at], str(result.left[at]), at in result.winners)
            for at in numbers
        ]
        assert result.reason == turn.over.reason
        endings.add(result.reason)
    assert endings >= {"went_out"}


def following(asked: TurnRequest, following: object, lexicon: kibitz.Lexicon) -> TurnRequest:
    """Return the request after a turn, built as a client would build it."""
    before, alphabet = asked.position, lexicon.tile_set.alphabet
    cgp = kibitz.Position.from_cgp(following.cgp, lexicon, rules=before.rules)  # type: ignore[attr-defined]
    players = tuple(
        Player(one.score, kibitz.Rack.from_text(one.rack, alphabet), last_move=one.last_move)
        for one in following.players  # type: ignore[attr-defined]
    )
    position = PlainPosition(
        cgp.board, before.layout, before.tile_set, before.rules, players, cgp.zero_turns, lexicon.id
    )
    bag = kibitz.Rack.from_text(following.bag, alphabet)  # type: ignore[attr-defined]
    return TurnRequest(position, seed=asked.seed, bag=bag, passes=following.passes)  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", range(6))
def test_a_game_agrees_with_the_self_play_kernels(small: kibitz.Lexicon, number: int) -> None:
    setup = GameSetup.of(small)
    greedy = evaluator_kernel("greedy", setup.lexicon, setup.rules)
    alphabet = small.tile_set.alphabet
    played = play_game(game_loop(setup, greedy, greedy), 11, number)
    turns = list(turns_of(setup, played))
    racks = [str(kibitz.Rack(player.held.tiles, alphabet)) for player in turns[0].position.players]
    game = kibitz.Game(small, racks=racks)
    for turn, after, log in zip(turns, [*turns[1:], None], played.turns, strict=True):
        assert (game.position.rack, len(game.bag)) == (turn.position.rack, turn.bag_count)
        left = bytes(log["leave"][: log["leave_count"]])
        gone = kibitz.Rack(without(turn.position.rack.tiles, left), alphabet)
        held = played.left[game.on_turn] if after is None else after.position.players[1].held.tiles
        drawn = str(kibitz.Rack(without(held, left), alphabet))
        game.play(turn.play or f"-{gone}", drawn=drawn)
    assert game.result is not None
    assert (game.result.scores, game.result.reason) == (played.final, played.ending)


def without(tiles: bytes, others: bytes) -> bytes:
    rest = list(tiles)
    for code in others:
        rest.remove(code)
    return bytes(rest)


def test_the_position_hides_the_racks_of_the_others(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, 3, seed=1)
    assert [player.rack for player in game.position.players[1:]] == [None, None]
    assert game.position.rack == game.racks[game.on_turn]
    game.play(game.position.plays()[0])
    assert game.on_turn == 1
    assert game.position.players[2].last_move == str(game.moves[0])


def test_the_same_seed_and_moves_give_the_same_game(small: kibitz.Lexicon) -> None:
    first, second = (play_on(kibitz.Game(small, 2, seed=5), Random(1)) for _ in range(2))
    assert first == second
    assert first != play_on(kibitz.Game(small, 2, seed=6), Random(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)


def test_after_undo_the_same_move_draws_the_same_tiles(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, 3, seed=4)
    seen = [(game.position, game.racks, game.bag)]
    while not game.is_over:
        game.play(some_move(Random(len(seen)), game))
        seen.append((game.position, game.racks, game.bag))
    saved, moves = game.to_json(), game.moves
    for before in reversed(seen[:-1]):
        game.undo()
        assert (game.position, game.racks, game.bag) == before
    with pytest.raises(kibitz.IllegalMove, match="nothing to undo"):
        game.undo()
    for move in moves:
        game.play(move)
    assert game.to_json() == saved


def test_an_illegal_move_changes_nothing(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, seed=2)
    before = (game.position, game.to_json())
    for move in ("8H ABABABAB", "-QQ", "8H", "", "1A AB"):
        with pytest.raises((kibitz.IllegalMove, kibitz.InvalidInput)):
            game.play(move)
    assert (game.position, game.to_json()) == before


def test_nothing_is_played_after_the_end(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small)
    for _ in range(6):
        assert not game.is_over
        game.play("-")
    assert game.is_over
    assert game.result is not None
    assert (game.result.reason, game.result.winners) in [("zero_turns", (at,)) for at in (0, 1)] + [
        ("zero_turns", (0, 1))
    ]
    with pytest.raises(kibitz.IllegalMove, match="the game is over") as error:
        game.play("-")
    assert error.value.code == "game_over"


def test_tiles_drawn_by_hand_must_be_in_the_bag(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game(lexicon, racks=["AEINRST", "EEIOUU?"])
    for drawn in ("QZVVWW", "QQZVVWW", "QZVVWWKK"):
        with pytest.raises(kibitz.InvalidInput, match="7 tiles are drawn from the bag"):
            game.play("8H RETAINS", drawn=drawn)
    game.play("8H RETAINS", drawn="QZVVWWK")
    assert str(game.racks[0]) == "KQVVWWZ"


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (1, "bad_player_count"),
        (5, "bad_player_count"),
        (["A", "A"], "bad_player_name"),
        (["A", " "], "bad_player_name"),
    ],
)
def test_wrong_players_are_rejected(small: kibitz.Lexicon, players: int | list[str], code: str) -> None:
    with pytest.raises(kibitz.InvalidInput) as error:
        kibitz.Game(small, players)
    assert error.value.code == code


def test_wrong_racks_are_rejected(lexicon: kibitz.Lexicon) -> None:
    for racks in (["QQ", "A"], ["AEINRST"], ["AEINRSTU", "A"]):
        with pytest.raises(kibitz.InvalidInput):
            kibitz.Game(lexicon, racks=racks)


# Challenges: QI is in the lexicon, OZ is not.


def challenged(lexicon: kibitz.Lexicon, rule: str, word: str) -> tuple[kibitz.Game, kibitz.Game]:
    """Return a game before a play and one after the challenge of it."""
    rules = ENGLISH.changed(challenge_rule=rule)
    games = [
        kibitz.Game(lexicon, racks=["IOQZAET", "AEINRST"], rules=rules, allow_phonies=True) for _ in range(2)
    ]
    games[1].play(f"8H {word}", drawn="BC")
    games[1].challenge()
    return games[0], games[1]


def kinds(game: kibitz.Game) -> list[EventKind]:
    return [event.kind for event in game.events]


@pytest.mark.parametrize("rule", ["single", "double", "5pt", "10pt"])
def test_a_challenged_phony_is_taken_back_and_costs_the_turn(lexicon: kibitz.Lexicon, rule: str) -> None:
    before, game = challenged(lexicon, rule, "OZ")
    assert game.board.is_empty
    assert (game.on_turn, game.scores, game.racks, game.bag) == (1, (0, 0), before.racks, before.bag)
    assert (game.position.zero_turns, kinds(game)) == (1, [EventKind.PLAY, EventKind.PHONY])
    assert str(game.position.players[1].known_tiles) == "OZ"  # all players have seen them
    game.play(game.position.plays()[0])
    game.play(game.position.plays()[0])
    assert game.position.players[1].known_tiles is None


def test_under_the_rule_void_a_challenged_phony_changes_nothing(lexicon: kibitz.Lexicon) -> None:
    before, game = challenged(lexicon, "void", "OZ")
    assert game == before


@pytest.mark.parametrize(
    ("rule", "bonus", "loses_turn"),
    [("single", 0, 0), ("double", 0, 1), ("5pt", 5, 0), ("10pt", 10, 0), ("void", 0, 0)],
)
def test_an_unsuccessful_challenge(lexicon: kibitz.Lexicon, rule: str, bonus: int, loses_turn: int) -> None:
    _, game = challenged(lexicon, rule, "QI")
    assert game.board["8H"] == "Q"
    assert game.scores == (22 + bonus, 0)
    assert (game.on_turn, game.position.zero_turns) == ((1 + loses_turn) % 2, loses_turn)
    assert kinds(game) == [
        EventKind.PLAY,
        *[EventKind.CHALLENGE] * bool(bonus),
        *[EventKind.PASS] * loses_turn,
    ]
    with pytest.raises(kibitz.IllegalMove, match="no play to challenge"):
        game.challenge()
    game.undo()
    assert (game.on_turn, game.scores) == (1, (22, 0))


@pytest.mark.parametrize(("word", "winner"), [("OZ", 1), ("QI", 0)])
def test_under_the_rule_triple_a_challenge_decides_the_game(
    lexicon: kibitz.Lexicon, word: str, winner: int
) -> None:
    _, game = challenged(lexicon, "triple", word)
    assert game.is_over
    assert game.result is not None
    assert (game.result.reason, game.result.winners) == ("challenge", (winner,))
    assert kibitz.Game.from_json(game.to_json(), lexicon) == game
    with pytest.raises(kibitz.IllegalMove):
        game.play("-")


def test_phonies_are_illegal_unless_they_are_allowed(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game(lexicon, racks=["IOQZAET", "AEINRST"])
    with pytest.raises(kibitz.IllegalMove, match="not in scowl80: OZ at 8H"):
        game.play("8H OZ")
    with pytest.raises(kibitz.IllegalMove, match="no play to challenge"):
        game.challenge()


def few_tiles(letters: str) -> kibitz.TileSet:
    """Return the English letters with only these tiles."""
    english = kibitz.tile_set("english")
    names = english.alphabet.letters
    return kibitz.TileSet.from_letters(
        [
            {"letter": name, "count": letters.count(name), "value": english.values[code]}
            for code, name in enumerate(names, 1)
        ]
    )


def test_going_out_with_a_phony_does_not_end_the_game(lexicon: kibitz.Lexicon) -> None:
    """The last play is taken back after a challenge, so the tiles left do not count."""
    rules = ENGLISH.changed(challenge_rule="5pt")
    game = kibitz.Game(
        lexicon, racks=["IQZ", "AOX"], tile_set=few_tiles("IQZAOX"), rules=rules, allow_phonies=True
    )
    game.play("8H ZIQ")
    assert game.result is not None
    assert (game.result.reason, game.result.adjustments) == ("went_out", (20, 0))
    game.challenge()
    assert (game.is_over, game.scores, str(game.racks[0])) == (False, (0, 0), "IQZ")
    game.play("8H OX")
    game.challenge()  # unsuccessfully
    assert game.scores == (0, 23)
    game.play("-")
    game.play("I7 AX")
    assert game.result is not None
    assert game.result.reason == "went_out"
    assert (game.result.adjustments, game.result.winners) == ((0, 42), (1,))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["english", "french", "german", "wwf"])
def test_passes_end_a_game_by_its_rules(small: kibitz.Lexicon, rules: str, players: int) -> None:
    game = kibitz.Game(small, players, rules=kibitz.rule_set(rules))
    game.play(game.position.plays()[0])
    passes = 0
    while not game.is_over:
        game.play("-")
        passes += 1
    assert game.result is not None
    limit = {
        "english": ("zero_turns", 6),
        "french": ("all_passed", 3 * players),
        "german": ("all_passed", 2 * players),
        "wwf": ("zero_turns", 3),
    }
    assert (game.result.reason, passes) == limit[rules]
    values = game.lexicon.tile_set.values
    left = [sum(values[code] for code in rack.tiles) for rack in game.racks]
    assert game.result.adjustments == tuple(-points for points in left)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["english", "french"])
def test_who_goes_out_gets_the_tiles_left_of_all_others(
    small: kibitz.Lexicon, rules: str, players: int
) -> None:
    games = (kibitz.Game(small, players, seed=seed, rules=kibitz.rule_set(rules)) for seed in range(20))
    played = (play_on(game, Random(game.seed)) for game in games)
    game = next(game for game in played if game.result and game.result.reason == "went_out")
    assert game.result is not None
    values = game.lexicon.tile_set.values
    left = [sum(values[code] for code in rack.tiles) for rack in game.result.left]
    assert left.count(0) == 1
    out = left.index(0)
    others = [-points if rules == "french" else 0 for points in left]
    others[out] = sum(left) * (1 if rules == "french" else 2)
    assert game.result.adjustments == tuple(others)
    record = game.record
    replay = kibitz.replay_game(record, game.lexicon.tile_set, rules=game.rules)
    assert (replay.faults, replay.over) == ((), True)
    assert [event.total for event in record.events if event.kind is EventKind.END_BONUS] == [
        game.result.scores[out]
    ]


def test_time_penalties(small: kibitz.Lexicon) -> None:
    game = kibitz.Game(small, ["Ann", "Bob"])
    with pytest.raises(kibitz.IllegalMove, match="after the last move"):
        game.penalize(0, 10)
    for _ in range(6):
        game.play("-")
    before = game.result
    assert before is not None
    game.penalize(1, 20)
    assert game.result is not None
    assert game.result.scores == (before.scores[0], before.scores[1] - 20)
    assert game.result.penalties == (0, 20)
    with pytest.raises(kibitz.IllegalMove, match="already"):
        game.penalize(1, 10)
    with pytest.raises(kibitz.InvalidInput):
        game.penalize(2, 10)
    again = kibitz.Game.from_gcg(game.to_gcg(), small)
    assert again.result == game.result
    assert kibitz.Game.from_json(game.to_json(), small) == game
    game.undo()
    assert game.result == before
