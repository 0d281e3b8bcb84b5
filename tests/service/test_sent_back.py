"""Racks of an answer can be sent back unchanged, with tiles of two letters too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import Catalogue, tile_set
from service.app import create_app
from service.settings import Settings
from tests.service.analyze_requests import ask, codes
from tests.service.documented import DocumentedClient

if TYPE_CHECKING:
    from flask.testing import FlaskClient

EMPTY = "/".join(["15"] * 15)
WORDS = "CHICO CHE ECO CON CHINO LLANO CARRO PERRO NICHO OCHO OCA CAN RIO"


@pytest.fixture(scope="module")
def spanish(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """The application over a handful of Spanish words."""
    folder = tmp_path_factory.mktemp("spanish")
    listed = folder / "words.txt"
    listed.write_text("\n".join(WORDS.split()))
    Catalogue(folder).build_from(listed, tile_set("spanish"), lexicon_id="pocas", name="Pocas")
    app = create_app(Settings(data=folder, lexicon="pocas", log_level="error"))
    app.test_client_class = DocumentedClient
    return app.test_client()


def test_a_position_has_the_same_id_with_and_without_the_last_moves(spanish: FlaskClient) -> None:
    before = f"{EMPTY} [CH]ICOEAN/OLN[RR]SAE 0/0 0"
    following = ask(spanish, "/play", cgp=before, move="8H [CH]ICO")["next"]
    players = following["players"]
    assert players[1]["last_move"] == "8H [CH]ICO"
    silent = [player | {"last_move": None} for player in players]
    for given in (players, silent):
        position = ask(spanish, "/analyze", cgp=following["cgp"], players=given)["position"]
        assert position["id"] == following["id"]


@pytest.mark.parametrize("draws", [True, False])
def test_the_players_of_a_turn_are_those_of_the_next(spanish: FlaskClient, draws: bool) -> None:
    """With a bag the racks are known; without one, what the caller has yet to draw is not."""
    unseen = ask(spanish, "/analyze", cgp=f"{EMPTY} [CH]ICOEAN/OLN[RR]SAE 0/0 0")["position"]["unseen"]
    held = ["O", "L", "N", "[RR]", "S", "A", "E"]
    for tile in held:
        unseen = unseen.replace(tile, "", 1)
    bag = {"bag": unseen} if draws else {}
    turn = ask(spanish, "/play", cgp=f"{EMPTY} [CH]ICOEAN/OLN[RR]SAE 0/0 0", move="8H [CH]ICO", **bag)
    following = turn["next"]
    players = following["players"]
    assert "[RR]" in players[0]["rack"]
    assert (players[1]["rack"] is None) == (not draws)
    assert None in players[0].values()

    cgp = following["cgp"]
    for path, options in (("/analyze", {"top_n": 5}), ("/hints", {}), ("/play", {"level": 3})):
        back = ask(spanish, path, cgp=cgp, players=players, **options)
        # The racks alone, on the board alone, say the same.
        board = cgp.split()[0]
        again = ask(spanish, path, cgp=f"{board} / 0/0 0", players=players, **options)
        assert again["position"] == back["position"]
        known = ask(spanish, path, cgp=cgp, rack=players[0]["rack"], players=players, **options)
        assert known == back
    if not draws:
        return  # the next player has to draw first
    after = ask(spanish, "/play", cgp=cgp, players=players, level=3, bag=following["bag"])["next"]
    back = ask(spanish, "/play", cgp=after["cgp"], players=after["players"], move="-")
    assert back["position"]["cgp"] == after["cgp"]


def test_a_rack_of_an_annotation_can_be_sent_back(spanish: FlaskClient) -> None:
    gcg = "#player1 a A\n#player2 b B\n>a: [CH]ICOEAN 8H [CH]ICO +18 18\n"
    answer = ask(spanish, "/games/annotate", gcg=gcg, endgame_nodes=0)
    racks = [turn["rack"] for turn in answer["turns"]]
    assert "[CH]" in racks[0]
    for turn in answer["turns"][:1]:
        found = ask(spanish, "/analyze", cgp=turn["cgp"], rack=turn["rack"])
        assert found == ask(spanish, "/analyze", cgp=turn["cgp"])


def test_digraphs_are_understood_with_and_without_brackets(spanish: FlaskClient) -> None:
    bodies = [{"cgp": f"{EMPTY} {rack}/ 0/0 0"} for rack in ("[CH]ICOEAN", "NAEOCI[CH]")]
    bodies += [{"tiles": [], "rack": rack} for rack in ("[CH]ICOEAN", "ANEOIC[CH]", "[ch]icoean".upper())]
    answers = [ask(spanish, "/analyze", **body) for body in bodies]
    assert all(answer["moves"] == answers[0]["moves"] for answer in answers)
    assert any(move["word"] == "CHICO" for move in answers[0]["moves"])
    for move in ("8H [CH]ICO", "8H CHICO"):
        compared = ask(spanish, "/analyze", tiles=[], rack="[CH]ICOEAN", compare=[move])["compare"]
        assert compared[0]["legal"], move


def test_two_racks_for_one_player_are_refused(client: FlaskClient) -> None:
    players = [{"rack": "ABC"}, {}]
    assert ask(client, "/analyze", tiles=[], players=players) == ask(client, "/analyze", tiles=[], rack="CBA")
    same = ask(client, "/analyze", tiles=[], rack="BCA", players=players)
    assert same["position"]["cgp"].split()[1] == "ABC/"
    other = client.post("/analyze", json={"tiles": [], "rack": "AB", "players": players})
    assert (other.status_code, codes(other)) == (422, [("/players/0/rack", "two_racks")])
