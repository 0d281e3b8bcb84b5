"""A game that one process holds for several places: what each place is sent, clocks, lost connections."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

import kibitz
from engine.library import SeatView
from service.hosted_game import MAX_CONNECTIONS, MAX_NAME, HostedGame, HostedView
from tests.service.hosting import HALF, TILES, Clock, Player, begun, data, words

__all__ = ["data", "words"]

SHORTEST_SECRET = 4
"""Fewer tiles than these occur in an answer by chance."""

WRONG_TIMES = (float("nan"), float("inf"), float("-inf"), 1e300, -1e300, 10**400)


def spellings(rack: kibitz.Rack) -> list[bytes]:
    """Return the ways in which tiles could be written: in the order held, sorted, as text and as a list."""
    letters = list(str(rack))
    orders = (letters, sorted(letters))
    texts = [text for order in orders for text in ("".join(order), ",".join(order), json.dumps(order))]
    return [text.encode() for one in texts for text in (one, one.replace(" ", ""), one.lower())]


def test_no_byte_of_a_whole_game_shows_another_rack_or_the_bag(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob", "Cy"], seed=8_190_212_733, tile_set=TILES)
    _, players = begun(game)
    streams = [player.connect() for player in players]
    secrets: list[set[bytes]] = [set(), set(), set()]
    received = [b""] * 3
    while not game.is_over:  # its end shows the tiles left
        received = [player.received for player in players]
        for seat, secret in enumerate(secrets):
            hidden = [game.bag, *(rack for at, rack in enumerate(game.racks) if at != seat)]
            for tiles in hidden:
                if len(tiles) >= SHORTEST_SECRET:
                    secret.update(spellings(tiles))
        mover = game.on_turn
        text = "-" + str(game.racks[mover])[:2] if len(game.moves) == 3 else None
        move = text or str(kibitz.best_move(game.position, level=3))
        seen = players[mover].move(move)
        assert seen["game"]["rack"] == str(game.racks[mover])
        for player, stream in zip(players, streams, strict=True):
            assert player.event(stream)["number"] == seen["number"]
    assert len(game.moves) > 9
    for player, secret, shown in zip(players, secrets, received, strict=True):
        assert secret
        assert not [text for text in secret if text in shown]
        others = [other.secret for other in players if other is not player]
        assert not [other for other in others if other.encode() in player.received]
        assert str(game.seed).encode() not in player.received


def test_what_a_player_is_sent_does_not_depend_on_the_tiles_that_are_hidden(words: kibitz.Lexicon) -> None:
    """Two games that differ only in the racks of the others and in the bag: the same bytes."""

    def sent(racks: list[str]) -> bytes:
        game = kibitz.Game(words, ["Ann", "Bob", "Cy"], racks=racks)
        hosted, players = begun(game)
        ann = hosted.view([0])
        players[0].secret = hosted.secrets[0]
        moved = players[0].move("-")
        players[1].move("-" + racks[1][:2])
        players[2].move("-")
        return json.dumps([ann.game.rack, moved, players[0].event(players[0].connect())]).encode()

    assert sent(["AEINRST", "BCDEFGH", "IJKLMNO"]) == sent(["AEINRST", "QUVWXYZ", "AAEEIIO"])


def test_no_rack_is_shown_while_the_play_that_ended_the_game_may_be_challenged(words: kibitz.Lexicon) -> None:
    """Two games that differ only in the racks of the others, whose points are the same: the same bytes."""
    counts = dict.fromkeys("ABCDEFGHIJKLMNOPRSTUV", 1)
    rows = HALF.read_text().splitlines()
    cells = [row.split(",") for row in rows[1:]]
    table = "\n".join([rows[0], *(f"{a},{counts.get(a, 0)},{value},{vowel}" for a, _, value, vowel in cells)])
    tiles = kibitz.TileSet.from_csv(table, "few")

    def sent(racks: list[str]) -> bytes:
        game = kibitz.Game(words, ["Ann", "Bob", "Cy"], racks=racks, tile_set=tiles, allow_phonies=True)
        _, (ann, bob, cy) = begun(game)
        seen = ann.move("8D ACFHMNV")["game"]
        assert (seen["end"]["reason"], seen["challengeable"]) == ("went_out", True)
        text = json.dumps([seen, game.seen_by(None)], default=members).encode()
        assert not [rack for rack in racks[1:] if rack.encode() in text]
        assert bob.event(bob.connect())["game"]["end"]["left"] == ["", racks[1], ""]
        assert cy.event(cy.connect())["game"]["end"]["left"] == ["", "", racks[2]]
        view = game.seen_by(2)
        assert SeatView.read(json.loads(json.dumps(view, default=members))) == view
        bob.move("challenge")
        assert not game.is_over
        return text

    assert sent(["ACFHMNV", "BDIOSTU", "EGJKLPR"]) == sent(["ACFHMNV", "BDEOSTU", "GIJKLPR"])


def test_a_view_has_no_other_members(words: kibitz.Lexicon) -> None:
    """A new member of the view must be considered here."""
    assert [field.name for field in fields(SeatView)] == [
        *("seat", "names", "levels", "lexicon", "tile_set", "letters", "layout", "rows", "starts", "board"),
        *("rack", "held", "bag", "scores", "on_turn", "time", "time_left", "move_time_left", "turns"),
        *("played", "challengeable", "end"),
    ]
    game = kibitz.Game(words, ["Ann", 2])
    view = game.seen_by(1)
    assert (view.rack, view.held, view.bag) == (str(game.racks[1]), (7, 7), 86)
    assert game.seen_by(None).rack == ""
    assert SeatView.read(json.loads(json.dumps(view, default=members))) == view


def members(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def test_a_game_waits_until_every_seat_is_taken(words: kibitz.Lexicon) -> None:
    clock = Clock()
    game = kibitz.Game(words, ["Ann", "Bob"], time=kibitz.TimeControl(60))
    hosted = HostedGame(game, [1], clock=clock)
    clock.now = 30
    assert hosted.view([0]).missing == (1,)
    with pytest.raises(kibitz.IllegalMove) as refused:
        hosted.act(0, "-")
    assert refused.value.code == "game_not_begun"
    bob = Player(hosted, 1)
    stream = bob.connect()
    assert bob.event(stream)["missing"] == []
    hosted.act(0, "-")
    assert game.time_left == (60, 60)
    stream.close()


def test_the_clocks_run_here_and_a_late_player_passes(words: kibitz.Lexicon) -> None:
    clock = Clock()
    game = kibitz.Game(words, ["Ann", "Bob"], time=kibitz.TimeControl(600, 60))
    _, (ann, bob) = begun(game, clock)
    stream = bob.connect()
    clock.now = 20.5
    assert bob.event(stream)["game"]["time_left"] == [579.5, 600]
    clock.now = 61
    seen = bob.event(bob.connect())["game"]
    assert (seen["on_turn"], seen["turns"][0]["kind"]) == (1, "late")
    assert ann.refusal("-") == "not_your_turn"
    clock.now = 91
    assert bob.move("-")["game"]["time_left"] == [540, 570]


def test_a_clock_ends_a_turn_and_a_game_by_itself(words: kibitz.Lexicon) -> None:
    clock = Clock()
    game = kibitz.Game(words, ["Ann", "Bob"], time=kibitz.TimeControl(0.2, None, "loss"))
    hosted, (ann, _) = begun(game, clock)
    stream = ann.connect()
    ann.event(stream)
    clock.now = 1
    hosted.start()
    end = ann.event(stream)["game"]["end"]
    assert (end["reason"], end["ranks"]) == ("time", [2, 1])
    hosted.close()


def test_computer_players_move_by_themselves(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, [2, "Bob", 3])
    hosted = HostedGame(game, [1], clock=Clock())
    hosted.start()
    bob = Player(hosted, 1)
    stream = bob.connect()
    while (seen := bob.event(stream)["game"])["on_turn"] != 1:
        pass
    assert [turn["player"] for turn in seen["turns"]] == [0]
    bob.move("-")
    while len(seen["turns"]) < 4:
        seen = bob.event(stream)["game"]
    assert [turn["player"] for turn in seen["turns"]] == [0, 1, 2, 0]
    hosted.close()
    stream.close()


def test_a_lost_connection_comes_back_to_its_seat(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob"])
    hosted = HostedGame(game, [0, 1], clock=Clock())
    ann, bob = Player(hosted, 0), Player(hosted, 1)
    stays, drops = ann.connect(), bob.connect()
    bob.event(drops)
    assert ann.event(stays)["away"] == []
    drops.close()
    assert ann.event(stays)["away"] == [1]
    ann.move("-")
    again = bob.connect()
    seen = bob.event(again)
    assert (seen["away"], seen["game"]["turns"][0]["kind"]) == ([], "pass")
    assert bob.move("-")["game"]["on_turn"] == 0


def test_newer_connections_of_a_seat_replace_the_oldest(words: kibitz.Lexicon) -> None:
    hosted = HostedGame(kibitz.Game(words, ["Ann", "Bob"]), [0, 1], clock=Clock())
    ann = Player(hosted, 0)
    first = ann.connect()
    ann.event(first)
    others = [ann.connect() for _ in range(MAX_CONNECTIONS)]
    with pytest.raises(EOFError):
        ann.event(first)
    assert all(ann.event(one) for one in others)


def test_a_slow_reader_gets_only_the_last_state(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob"])
    _, (ann, bob) = begun(game)
    slow = bob.connect()
    number = bob.event(slow)["number"]
    for player in (ann, bob, ann):
        player.move("-")
    seen = bob.event(slow)
    assert (seen["number"], len(seen["game"]["turns"])) == (number + 3, 3)


def test_a_wrong_secret_opens_no_seat(words: kibitz.Lexicon) -> None:
    _, (ann, bob) = begun(kibitz.Game(words, ["Ann", "Bob"]))
    assert len(ann.secret) >= 43
    for wrong in ("", ann.secret[:-1], ann.secret + "=", ann.secret[::-1], "ä", "\x00", "x" * 1900):
        answer = ann.client.get("/game/events", query_string={"seat": wrong})
        assert (answer.status_code, answer.get_json()["code"]) == (404, "unknown_seat")
        for path in ("moves", "name"):
            answer = ann.client.post(f"/game/{path}", json={"seat": wrong, path.removesuffix("s"): "-"})
            assert (answer.status_code, answer.get_json()["code"]) == (404, "unknown_seat")
            assert bob.secret not in answer.text


def test_only_legal_moves_of_the_player_on_turn_count(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob"], racks=["AEINRST", "BCDEFGH"])
    _, (ann, bob) = begun(game)
    assert bob.refusal("-") == "not_your_turn"
    assert bob.refusal("challenge") == "not_your_turn"
    codes = [ann.refusal(text) for text in ("8D QI", "8D TSRNIEA", "8D", "", "1A IN", "-QQ", "challenge")]
    assert "game_over" not in codes
    assert codes[-1] == "nothing_to_challenge"
    assert game.moves == ()
    seen = ann.move("8H in".upper())["game"]
    assert (seen["turns"][0]["move"], seen["played"]) == ("8H IN", ["8H", "8I"])
    assert ann.refusal("-") == "not_your_turn"


def test_who_resigns_is_last(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob", "Cy"], racks=["AEINRST", "BCDEFGH", "ABCDEFG"])
    _, (ann, bob, _) = begun(game)
    ann.move("8H IN")
    end = ann.move(" Resign ")["game"]["end"]
    assert (end["reason"], end["ranks"], end["adjustments"]) == ("resigned", [3, 1, 1], [0, 0, 0])
    assert bob.refusal("-") == "game_over"
    assert kibitz.Game.from_json(game.to_json(), words) == game


def test_a_challenge_takes_a_phony_back(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Bob"], racks=["AEINRST", "BCDEFGH"], allow_phonies=True)
    _, (ann, bob) = begun(game)
    assert ann.move("8H TSR")["game"]["challengeable"]
    seen = bob.move("challenge")["game"]
    assert [turn["kind"] for turn in seen["turns"]] == ["play", "phony"]
    assert (seen["board"], seen["on_turn"], seen["challengeable"]) == ("/".join(["15"] * 15), 1, False)


def test_a_player_takes_a_name(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Guest 2"])
    _, (_, bob) = begun(game)
    assert bob.post("name", name="Bob ").get_json()["game"]["names"] == ["Ann", "Bob"]
    for wrong in (
        *("", " ", "Ann", "\x1b[2J", "x" * (MAX_NAME + 1), "You", " you ", "\u3164", "\u2800", "Ann\ufe0f"),
        *("\u034f", "\u115f\u1160", "\uffa0", "\u180b", "\U000e0100"),
    ):
        answer = bob.post("name", name=wrong)
        assert (answer.status_code, answer.get_json()["code"]) == (422, "bad_player_name")
    assert game.names == ("Ann", "Bob")


def test_a_name_stays_from_the_first_move_on(words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Guest 1", "Guest 2"])
    _, (ann, bob) = begun(game)
    ann.post("name", name="Ann")
    number = ann.move("-")["number"]
    assert ann.post("name", name=" Ann").get_json()["number"] == number, "that is no change"
    answer = ann.post("name", name="Bob")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "bad_player_name")
    assert bob.post("name", name="Bob").get_json()["game"]["names"] == ["Ann", "Bob"]


def test_a_saved_game_continues_with_new_links(words: kibitz.Lexicon) -> None:
    clock = Clock()
    game = kibitz.Game(words, ["Ann", "Bob"], time=kibitz.TimeControl(60))
    hosted, (ann, bob) = begun(game, clock)
    ann.move("-")
    clock.now = 12.5
    stream = bob.connect()
    bob.event(stream)
    saved = hosted.to_json()
    hosted.close()
    with pytest.raises(EOFError):
        bob.event(stream)
    assert ann.secret not in saved
    again = kibitz.Game.from_json(saved, words)
    assert again.time_left == (60, 47.5)
    hosted, (_, other) = begun(again)
    assert other.secret != bob.secret
    assert hosted.seat_of(bob.secret) is None
    assert other.move("-")["game"]["on_turn"] == 0


def test_a_terminal_refuses_a_view_that_is_none(words: kibitz.Lexicon) -> None:
    hosted = HostedGame(kibitz.Game(words, ["Ann", "Bob"]), [1])
    good = json.loads(json.dumps(members(hosted.view([1])), default=members))
    assert HostedView.read(good) == hosted.view([1])
    game = good["game"]
    changes: list[dict[str, Any]] = [
        {"names": []},
        {"names": ["Ann"]},
        {"scores": [1, "2"]},
        {"on_turn": 2},
        {"on_turn": True},
        {"seat": -1},
        {"time": {}},
        {"time": {"per_game": -1, "per_move": None, "overtime": "points"}},
        {"turns": [{"player": 0}]},
        {"end": {}},
        {"starts": [[1]]},
        *[{"time_left": [0, seconds]} for seconds in WRONG_TIMES],
        *[{"move_time_left": seconds} for seconds in WRONG_TIMES],
    ]
    for change in changes:
        with pytest.raises(kibitz.InvalidInput):
            HostedView.read({**good, "game": {**game, **change}})
    for wrong in (None, [], {}, {**good, "missing": [2]}, {**good, "number": "1"}, {**good, "game": None}):
        with pytest.raises(kibitz.InvalidInput):
            HostedView.read(wrong)
    for change in (
        {"rows": ["x"]},
        {"board": "Q/"},
        {"letters": []},
        {"starts": [[99, 99]]},
    ):
        view = HostedView.read({**good, "game": {**game, **change}}).game
        with pytest.raises(kibitz.InvalidInput):
            print(view.position)
