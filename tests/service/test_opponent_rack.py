"""/opponent-rack: what the opponent may hold after the last move."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

import pytest

from engine import Deadline
from engine.analysis.opponent_rack import opponent_rack
from engine.loaded_board import LoadedBoard
from engine.position import Player, format_move
from engine.search.opponent import opponent_tiles
from lab.selfplay.greedy_games import greedy_game
from service.schemas.opponent_rack import OpponentRackSchema
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Catalogue

BOARD = "/".join(["15"] * 7 + ["6CAB6"] + ["15"] * 7)
PLAYED: dict[str, Any] = {"cgp": f"{BOARD} AEGIST?/ 0/14 0", "players": [{}, {"last_move": "8G CAB"}]}


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/opponent-rack", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    OpponentRackSchema().load(answer)
    return answer


def test_the_odds_of_a_tile_are_those_of_all_racks(bundled: Catalogue) -> None:
    """Every rack with each possible leave is counted one by one."""
    lexicon = bundled.open("scowl80")
    turns = list(greedy_game(lexicon, 3, 1))
    last, turn = next(pair for pair in pairwise(turns) if pair[0].play and 1 <= pair[1].bag_count <= 4)
    assert last.play is not None
    position = turn.position
    text = format_move(last.play, position.tile_set)
    opponent = Player(tile_count=len(position.players[1].held.tiles), last_move=text)
    position = replace(position, players=(position.players[0], opponent))
    found = opponent_rack(position, lexicon, Deadline())
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    rows, shares = opponent_tiles(position, board, "bayes", 1, Deadline())
    unseen = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    assert len(unseen) - position.bag_count() == found.tile_count == 7
    assert len(found.leaves) > 1
    letters = position.tile_set.alphabet
    expected = dict.fromkeys(letters.text(bytes(sorted(set(unseen)))), 0.0)
    for row, share in zip(rows, shares, strict=True):
        leave = row[1 : 1 + row[0]].tolist()
        rest = list(unseen)
        for code in leave:
            rest.remove(code)
        drawn = list(combinations(rest, 7 - len(leave)))
        for rack in drawn:
            for code in {*leave, *rack}:
                expected[letters.text(bytes([code]))] += share / len(drawn)
    assert {one.tile: one.share for one in found.tiles} == pytest.approx(expected, abs=1e-4)


def test_the_last_move_raises_the_odds_of_its_leave(client: FlaskClient) -> None:
    answer = ask(client, **PLAYED)
    assert (answer["last_move"], answer["tile_count"]) == ("8G CAB", 7)
    assert len(answer["leaves"]) == 20
    assert {len(one["tiles"]) for one in answer["leaves"]} == {4}
    shares = [one["share"] for one in answer["leaves"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) < 1
    gains = [one["share"] - one["by_chance"] for one in answer["tiles"]]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0.05
    assert gains[-1] < -0.05, "what would have been played is rare"
    for one in answer["tiles"]:
        if one["tile"] == "Q":
            assert one["by_chance"] == pytest.approx(1 - comb(89, 7) / comb(90, 7), abs=1e-4)
    assert answer["provenance"]["deterministic"] is True
    assert ask(client, **PLAYED) == answer
    spelled = ask(client, cgp=f"{BOARD} AEGIST?/ 0/14 0 lm 8G CAB;")
    assert spelled["tiles"] == answer["tiles"]


def test_a_phony_and_an_empty_bag_say_nothing_more(client: FlaskClient) -> None:
    phony = ask(client, cgp=f"{BOARD.replace('CAB', 'CQB')} AEGIST?/ 0/14 0 lm 8G CQB;")
    assert phony["leaves"] == []
    assert all(one["share"] == one["by_chance"] for one in phony["tiles"])
    assert ask(client, cgp=f"{BOARD} / 0/14 0 lm 8G CAB;")["tile_count"] == 7, "the own rack may be unknown"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({**PLAYED, "players": [{}, {}]}, ("/players/1", "no_last_move")),
        ({**PLAYED, "players": [{}, {"last_move": "8A CAB"}]}, ("/players/1/last_move", "bad_last_move")),
        ({**PLAYED, "players": [{}, {"last_move": "8G CAT"}]}, ("/players/1/last_move", "bad_last_move")),
        ({**PLAYED, "players": [{}, {"last_move": "8G \U0001f600"}]}, None),
        ({**PLAYED, "players": [{}, {}, {"last_move": "8G CAB"}]}, ("/players", "not_two_players")),
        ({"cgp": "15/15"}, None),
    ],
)
def test_faults_name_their_field(client: FlaskClient, body: Any, code: tuple[str, str] | None) -> None:
    response = client.post("/opponent-rack", json=body)
    assert response.status_code == 422
    assert code is None or codes(response) == [code]
