"""/play: complete games of two and four players over HTTP, and what is refused."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    InvalidInput,
    Player,
    TileSet,
    TurnRequest,
    play_turn,
    rule_set,
    tile_set,
)
from engine.position import Rack
from engine.records import format_cgp, parse_cgp
from service.app import create_app
from service.schemas.play import TurnSchema
from tests.service.analyze_requests import codes
from tests.turns import first_turn

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Lexicon
    from service.settings import Settings

ENGLISH = tile_set("english")
VALUES = dict(zip("?" + "".join(ENGLISH.alphabet.letters), ENGLISH.values, strict=True))
ALL_TILES = Counter(dict(zip(VALUES, ENGLISH.counts, strict=True)))
CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15"


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/play", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    return answer


def points(tiles: str) -> int:
    return sum(VALUES[tile] for tile in tiles)


def opening(lexicon: Lexicon, players: int, seed: int, rules: str = "english") -> dict[str, Any]:
    """Return the state that a caller holds at the beginning of a game."""
    game = first_turn(lexicon, seed, players, rules=rule_set(rules))
    assert game.bag is not None
    alphabet = game.position.tile_set.alphabet
    return {"cgp": format_cgp(game.position), "bag": game.bag.text(alphabet), "passes": 0, "seed": seed}


def play_game(client: FlaskClient, state: dict[str, Any], choose: Any) -> tuple[list[dict[str, Any]], Any]:
    """Play a game to its end, `choose(turn number)` giving move or level; check the books every turn."""
    answers: list[dict[str, Any]] = []
    players = state["cgp"].split()[1].count("/") + 1
    seats = list(range(players))
    scores = [0] * players
    while not answers or answers[-1]["over"] is None:
        answer = ask(client, **state, **choose(len(answers)))
        assert answer["legal"], answer["fault"]
        after = answer["next"]
        scores[seats[0]] += answer["move"]["score"]
        seats = [*seats[1:], seats[0]]
        assert [player["score"] for player in after["players"]] == [scores[seat] for seat in seats]
        tiles = Counter(after["bag"]) + Counter("".join(player["rack"] for player in after["players"]))
        letters = [char for char in after["cgp"].split()[0] if char.isalpha()]
        tiles += Counter("?" if char.islower() else char for char in letters)
        assert tiles == ALL_TILES
        assert after["bag_count"] == len(after["bag"])
        assert after["to_draw"] == 0
        assert after["zero_turns"] == (0 if answer["move"]["score"] else answer_zeros(answers) + 1)
        answers.append(answer)
        state = {**state, "cgp": after["cgp"], "bag": after["bag"], "passes": after["passes"]}
        assert len(answers) < 120
    return answers, answers[-1]["over"]


def answer_zeros(answers: list[dict[str, Any]]) -> int:
    return answers[-1]["next"]["zero_turns"] if answers else 0


@pytest.mark.parametrize(("players", "rules"), [(2, "english"), (4, "english"), (3, "german")])
@pytest.mark.long
def test_a_game_of_levels_is_played_to_the_last_tile(
    client: FlaskClient, lexicon: Lexicon, players: int, rules: str
) -> None:
    state = {**opening(lexicon, players, seed=4, rules=rules)}
    levels = [9, 6, 9, 8]
    answers, over = play_game(client, state, lambda turn: {"level": levels[turn % players]})
    assert over["reason"] == "went_out"
    *others, out = over["players"]
    assert out["left"] == ""
    left = sum(points(player["left"]) for player in others)
    assert left > 0
    single = rule_set(rules).ending == "single"
    assert out["adjustment"] == (left if single else 2 * left)
    for player in others:
        assert player["adjustment"] == (-points(player["left"]) if single else 0)
    for player, after in zip(over["players"], answers[-1]["next"]["players"], strict=True):
        assert player["left"] == after["rack"]
        assert player["final"] == player["score"] + player["adjustment"]
        assert player["score"] == after["score"]
    best = max(player["final"] for player in over["players"])
    assert [player["won"] for player in over["players"]] == [
        player["final"] == best for player in over["players"]
    ]
    refused = client.post("/play", json={"cgp": answers[-1]["next"]["cgp"], "move": "-"})
    assert refused.status_code == 422
    assert refused.get_json()["code"] in ("game_over", "no_rack")
    again, _ = play_game(client, state, lambda turn: {"level": levels[turn % players]})
    assert again == answers
    assert (
        play_game(client, {**state, "seed": 5}, lambda turn: {"level": levels[turn % players]})[0] != answers
    )


@pytest.mark.parametrize(
    ("rules", "players", "reason", "turns"),
    [
        ("english", 2, "zero_turns", 7),
        ("english", 4, "zero_turns", 7),
        ("german", 2, "all_passed", 5),
        ("german", 4, "all_passed", 9),
        ("french", 2, "all_passed", 7),
        ("french", 4, "all_passed", 13),
    ],
)
def test_passes_of_everyone_end_a_game(
    client: FlaskClient, lexicon: Lexicon, rules: str, players: int, reason: str, turns: int
) -> None:
    state = {**opening(lexicon, players, seed=1), "rules": rules}
    answers, over = play_game(client, state, lambda turn: {"level": 9} if turn == 0 else {"move": "-"})
    assert answers[0]["move"]["score"] > 0
    assert (over["reason"], len(answers)) == (reason, turns)
    for player in over["players"]:
        assert player["adjustment"] == -points(player["left"])
        assert len(player["left"]) == 7


def test_exchanges_count_as_turns_without_points(client: FlaskClient, lexicon: Lexicon) -> None:
    def choose(turn: int) -> dict[str, Any]:
        return {"move": "-" if turn == 2 else "-" + racks[-1][:3]}

    state = opening(lexicon, 2, seed=2)
    racks = [state["cgp"].split()[1].split("/")[0]]
    answers = []
    for turn in range(6):
        answer = ask(client, **state, **choose(turn))
        answers.append(answer)
        after = answer["next"]
        state = {**state, "cgp": after["cgp"], "bag": after["bag"], "passes": after["passes"]}
        if turn != 2:
            assert len(answer["drawn"]) == 3
            leave = Counter(racks[-1]) - Counter(racks[-1][:3])
            assert Counter(after["players"][-1]["rack"]) == leave + Counter(answer["drawn"])
            assert after["players"][-1]["last_move"] == "-3"  # not which
            assert len(after["bag"]) == 86
        racks.append(after["players"][0]["rack"])
    assert [answer["next"]["passes"] for answer in answers] == [0, 0, 1, 0, 0, 0]
    assert [answer["over"] is None for answer in answers] == [True] * 5 + [False]
    assert answers[-1]["over"]["reason"] == "zero_turns"


def test_a_caller_may_draw(client: FlaskClient) -> None:
    answer = ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", move="8G ...S")
    after = answer["next"]
    assert (answer["drawn"], after["bag"], after["to_draw"], after["bag_count"]) == (None, None, 1, 82)
    assert after["players"][-1] == {
        "score": 8, "rack": None, "known_tiles": "DEFGTU", "tile_count": 7, "last_move": "8G ...S",
    }  # fmt: skip
    assert after["players"][0]["score"] == 14
    body = {"cgp": after["cgp"], "rack": "AEINRST", "move": "-"}
    assert ask(client, **body)["next"]["passes"] == 1
    ended = client.post("/play", json={"cgp": f"{CAB} DEFGSTU/ 0/14 5", "move": "-DE"})
    assert (ended.status_code, ended.get_json()["code"]) == (422, "racks_needed")
    ended = client.post("/play", json={"cgp": f"{CAB} DEFGSTU/ 0/14 5", "move": "-"})
    assert codes(ended) == [("/cgp", "racks_needed")]


def tiles_of(text: str) -> TileSet:
    """Return the English letters with just these tiles."""
    return TileSet.from_letters(
        [{"letter": letter, "count": text.count(letter), "value": value} for letter, value in VALUES.items()]
    )


@pytest.mark.parametrize(("ending", "expected"), [("double", (40, 0)), ("single", (20, -20))])
def test_the_last_rack_follows_from_what_is_not_seen(
    lexicon: Lexicon, ending: str, expected: tuple[int, int]
) -> None:
    """Two players and an empty bag: the rest is the other's."""
    rules = rule_set("english").changed(ending=ending)
    position = parse_cgp(f"{CAB} S/ 10/14 0", tile_set=tiles_of("CABSQZ"), rules=rules, lexicon="small")
    position = replace(position, players=(position.players[0], Player(14)))
    over = play_turn(TurnRequest(position, move="8G ...S"), lexicon).over
    assert over is not None
    other, out = over.players
    assert (out.adjustment, other.adjustment) == expected
    assert (other.left, other.final, out.won) == ("QZ", 14 + expected[1], True)


def test_three_players_must_show_their_racks(lexicon: Lexicon) -> None:
    position = parse_cgp(f"{CAB} S// 10/14/15 0", tile_set=tiles_of("CABSQZ"), lexicon="small")
    position = replace(position, players=(position.players[0], *[Player(tile_count=1)] * 2))
    with pytest.raises(InvalidInput, match="player 2, player 3") as caught:
        play_turn(TurnRequest(position, move="8G ...S"), lexicon)
    assert (caught.value.code, caught.value.field) == ("racks_needed", "players/1/rack")
    shown = replace(position, players=(*position.players[:2], Player(rack=Rack(b"\x11"))))
    over = play_turn(TurnRequest(shown, move="8G ...S"), lexicon).over
    assert over is not None
    assert [(player.left, player.adjustment) for player in over.players] == [("Z", 0), ("Q", 0), ("", 40)]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("8G ...Z", "tile_not_in_rack"),
        ("-ZZ", "tile_not_in_rack"),
        ("A1 DUE", "not_connected"),
        ("8G ...T", "not_in_lexicon"),
        ("8G CAD", "square_taken"),
        ("8H ..S", "word_not_whole"),
        ("nonsense", "bad_move"),
    ],
)
def test_an_illegal_move_changes_nothing(client: FlaskClient, move: str, code: str) -> None:
    answer = ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", move=move)
    assert (answer["legal"], answer["fault"]["code"], answer["asked"]) == (False, code, move)
    assert [answer[name] for name in ("move", "drawn", "next", "over")] == [None] * 4
    TurnSchema().load(answer)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"move": None}, [("", "one_move_needed")]),
        ({"level": 3}, [("", "one_move_needed")]),
        ({"move": None, "level": 11}, [("/level", "out_of_range")]),
        ({"passes": 1}, [("/passes", "bad_passes")]),
        ({"bag": "QQ"}, [("/bag", "bag_mismatch")]),
        ({"bag": "q"}, [("/bag", "unknown_tile")]),
        ({"bag": "E" * 83}, [("/bag", "bag_mismatch")]),
        ({"zero_turns": 6}, [("", "game_over")]),
        ({"zero_turns": 4, "passes": 4, "rules": "german"}, [("", "game_over")]),
        ({"rack": ""}, [("/rack", "no_rack")]),
        ({"seed": -1}, [("/seed", "out_of_range")]),
        ({"evaluator": "static"}, [("/evaluator", "unknown_field")]),
    ],
)
def test_what_cannot_be_is_refused(
    client: FlaskClient, changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    body = {"cgp": f"{CAB} DEFGSTU/ 0/14 0", "move": "8G ...S", **changes}
    response = client.post("/play", json={name: value for name, value in body.items() if value is not None})
    assert response.status_code == 422
    assert codes(response) == expected


def test_exchanges_need_tiles_in_the_bag(lexicon: Lexicon) -> None:
    few = rule_set("english").changed(exchange_limit=1)
    game = first_turn(lexicon, players=4, rules=few)
    assert game.bag is not None
    others = tuple(Player(tile_count=7) for _ in range(3))
    position = replace(game.position, players=(game.position.players[0], *others))
    assert position.bag_count() == len(game.bag) == 72
    turn = play_turn(TurnRequest(position, move=f"-{position.rack.text(ENGLISH.alphabet)}"), lexicon)
    assert turn.legal
    tiny = parse_cgp(f"{CAB} DEFGSTU/ 0/14 0", lexicon="small")
    crowded = TurnRequest(replace(tiny, rules=few, tile_set=tiles_of("CABDEFGSTUAEIOUNRST")), move="-DEF")
    refused = play_turn(crowded, lexicon)
    assert refused.fault is not None
    assert (refused.fault.code, "only 2" in refused.fault.detail) == ("exchange_not_allowed", True)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**53 - 1), level=st.integers(1, 9), shuffle=st.randoms(use_true_random=False))
def test_a_level_sees_no_hidden_tile(lexicon: Lexicon, seed: int, level: int, shuffle: Any) -> None:
    """The same move for any rack of the opponent, given or not."""
    assert_same_move(lexicon, seed, level, shuffle)


def test_nor_does_the_best_level(lexicon: Lexicon) -> None:
    assert_same_move(lexicon, 3, 10, Random(5))


def test_the_server_limits_the_time_of_the_best_level(settings: Settings) -> None:
    """Without `max_ms` in the request."""
    client = create_app(replace(settings, sync_ms=1)).test_client()
    thought = ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", level=10)["provenance"]
    assert (thought["stopped_by"], thought["deterministic"]) == ("deadline", False)


def assert_same_move(lexicon: Lexicon, seed: int, level: int, shuffle: Any) -> None:
    game = first_turn(lexicon, seed)
    assert game.bag is not None
    first, other = game.position.players
    assert other.rack is not None
    hidden = list(game.bag.tiles + other.rack.tiles)
    moves = []
    for known in (True, True, False):
        shuffle.shuffle(hidden)
        dealt = Player(rack=Rack(bytes(hidden[:7]))) if known else Player(known_tiles=Rack(bytes(hidden[:2])))
        position = replace(game.position, players=(first, dealt))
        bag = Rack(bytes(hidden[7:])) if known else None
        turn = play_turn(TurnRequest(position, level=level, seed=seed, bag=bag), lexicon)
        assert turn.move is not None
        moves.append(turn.move.move)
    assert len(set(moves)) == 1


def test_the_best_level_reports_the_work_it_did(client: FlaskClient, lexicon: Lexicon) -> None:
    position = {"cgp": f"{CAB} DEFGSTU/ 0/14 0", "level": 10}
    thought = ask(client, **position)
    assert (thought["search"], thought["level"]) == ("simulate", 10)
    provenance = thought["provenance"]
    assert 0 < provenance["spent"]["iterations"] <= provenance["budget"]["iterations"]
    assert provenance["stopped_by"] in ("complete", "budget")
    assert provenance["deterministic"]
    TurnSchema().load(thought)
    again = ask(client, **position)
    assert again == thought
    hurried = ask(client, **position, max_ms=1)["provenance"]
    assert (hurried["stopped_by"], hurried["deterministic"]) == ("deadline", False)
    weak = ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", level=9)
    assert (weak["search"], weak["provenance"]["spent"]) == ("equity", None)
    turn = ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", move="8G ...S")
    assert (turn["search"], turn["provenance"]["spent"]) == (None, None)
    last = parse_cgp(f"{CAB} SE/ 10/14 0", tile_set=tiles_of("CABSEQZ"), lexicon="small")
    last = replace(last, players=(last.players[0], Player(14, tile_count=2)))
    solved = play_turn(TurnRequest(last, level=10), lexicon)
    assert solved.search == "endgame"
    assert solved.provenance.spent is not None
    assert (solved.provenance.spent or 0) > 0


def test_the_best_level_is_heavy_work(client: FlaskClient) -> None:
    state = client.application.extensions["kibitz"]
    with ExitStack() as slots:
        for _ in range(state.settings.searches):
            slots.enter_context(state.searches.slot())
        busy = client.post("/play", json={"cgp": f"{CAB} DEFGSTU/ 0/14 0", "level": 10})
        assert (busy.status_code, busy.get_json()["code"]) == (503, "busy")
        assert int(busy.headers["Retry-After"]) > 0
        assert ask(client, cgp=f"{CAB} DEFGSTU/ 0/14 0", level=9)["legal"]
        assert ask(client, cgp=f"{CAB} DEFGSTU// 0/14/2 0", level=10)["search"] == "equity"


def test_a_level_that_does_not_exist_is_refused(lexicon: Lexicon) -> None:
    with pytest.raises(InvalidInput) as caught:
        play_turn(replace(first_turn(lexicon), level=0), lexicon)
    assert (caught.value.code, caught.value.field) == ("out_of_range", "level")


def test_a_play_with_an_invalid_word_stands_if_phonies_are_allowed(client: FlaskClient) -> None:
    body = {"cgp": "/".join(["15"] * 15) + " QZXAEIO/BCDEFGH 0/0 0", "move": "8G QZX"}
    assert ask(client, **body)["fault"]["code"] == "not_in_lexicon"
    stands = ask(client, **body, allow_phonies=True)
    assert stands["legal"]
    assert stands["move"]["words"][0]["valid"] is False
    assert stands["next"]["players"][1]["score"] == stands["move"]["score"] > 0
    loose = ask(client, **{**body, "move": "1A QZX"}, allow_phonies=True)
    assert loose["fault"]["code"] == "start_not_covered"


def test_tiles_that_are_known_already_are_drawn(client: FlaskClient, lexicon: Lexicon) -> None:
    start = opening(lexicon, 2, 3)
    bag, rack = start["bag"], start["cgp"].split()[1].split("/")[0]
    drawn = bag[0] + bag[-1]
    answer = ask(client, **start, move=f"-{rack[:2]}", drawn=drawn)
    assert answer["drawn"] == drawn
    assert Counter(answer["next"]["players"][1]["rack"]) == Counter(rack[2:] + drawn)
    assert Counter(answer["next"]["bag"]) == Counter(bag) - Counter(drawn) + Counter(rack[:2])
    for wrong in (bag[0], "ZZ", ""):
        response = client.post("/play", json={**start, "move": f"-{rack[:2]}", "drawn": wrong})
        assert (response.status_code, codes(response)) == (422, [("/drawn", "bad_draw")])
    del start["bag"]
    response = client.post("/play", json={**start, "move": "-", "drawn": ""})
    assert (response.status_code, codes(response)) == (422, [("/bag", "missing_field")])
