"""The server of a hosted game: hostile requests, slow clients, and what it serves."""

from __future__ import annotations

from socket import create_connection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from service.game_host import MAX_BODY, Host
from service.hosted_game import HostedGame
from tests.service.hosting import begun, data, words

__all__ = ["data", "words"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "malformed_json"),
        (b"\xff", "malformed_json"),
        (b"NaN", "malformed_json"),
        (b"[]", "wrong_type"),
        (b'"x"', "wrong_type"),
        (b"{}", "wrong_type"),
        (b'{"seat": 1, "move": "-"}', "wrong_type"),
        (b'{"seat": "SEAT", "move": null}', "wrong_type"),
        (b'{"seat": "SEAT", "move": "-", "more": 1}', "wrong_type"),
        (b'{"seat": "SEAT", "seat": "SEAT", "move": "-"}', "duplicate_key"),
        (b'{"seat": "\\ud800", "move": "-"}', "malformed_json"),
        (b"[" * 1000, "too_deep"),
        (b'{"seat": "SEAT", "move": "' + b"A" * MAX_BODY + b'"}', "body_too_large"),
    ],
)
def test_a_hostile_body_is_a_problem(words: kibitz.Lexicon, body: bytes, code: str) -> None:
    game = kibitz.Game(words, ["Ann", "Bob"])
    _, (ann, _) = begun(game)
    sent = body.replace(b"SEAT", ann.secret.encode())
    answer = ann.client.post("/game/moves", data=sent, content_type="application/json")
    assert 400 <= answer.status_code < 500
    assert (answer.mimetype, answer.get_json()["code"]) == ("application/problem+json", code)
    assert game.moves == ()


@settings(max_examples=25)
@given(st.text(max_size=300))
def test_any_text_of_a_move_is_a_move_or_a_problem(words: kibitz.Lexicon, text: str) -> None:
    _, (ann, _) = begun(kibitz.Game(words, ["Ann", "Bob"]))
    answer = ann.client.post("/game/moves", json={"seat": ann.secret, "move": text})
    assert answer.status_code in (200, 400, 422), answer.data


def test_the_page_and_its_texts_are_served_and_nothing_else(words: kibitz.Lexicon) -> None:
    _, (ann, _) = begun(kibitz.Game(words, ["Ann", "Bob"]))
    assert ann.client.get("/messages/de").status_code == 200
    for path in ("/", "/analyze", "/metrics", "/lexicons", "/game", "/play"):
        answer = ann.client.get(path)
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert ann.client.get("/game/moves").status_code == 405


def test_connections_beyond_the_limit_are_closed_at_once(
    words: kibitz.Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.game_host.MAX_THREADS", 2)
    monkeypatch.setattr("service.game_host.STALLED_SECONDS", 0.5)
    hosted = HostedGame(kibitz.Game(words, ["Ann", "Bob"]), [1])
    host = Host(hosted, ("127.0.0.1", 0))
    host.start()
    silent = [create_connection(("127.0.0.1", host.port)) for _ in range(3)]
    assert silent[2].recv(1) == b""
    assert [one.recv(1) for one in silent[:2]] == [b"", b""], "they have sent nothing for too long"
    with create_connection(("127.0.0.1", host.port)) as served:
        served.sendall(b"GET /join HTTP/1.0\r\n\r\n")
        assert served.recv(12) == b"HTTP/1.1 200"
    for one in silent:
        one.close()
    hosted.close()
    host.stop()


@pytest.mark.parametrize("head", [b"", b"POST /game/moves HTTP/1.1\r\nContent-Length: 2000\r\n\r\n"])
def test_a_request_that_trickles_in_is_ended(
    words: kibitz.Lexicon, monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    monkeypatch.setattr("service.game_host.STALLED_SECONDS", 0.3)
    hosted = HostedGame(kibitz.Game(words, ["Ann", "Bob"]), [1])
    host = Host(hosted, ("127.0.0.1", 0))
    host.start()
    with create_connection(("127.0.0.1", host.port)) as slow:
        slow.sendall(head)
        slow.settimeout(0.05)
        for _ in range(40):
            try:
                slow.sendall(b"G")
                if not slow.recv(4096):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("each byte has prolonged the connection")
    hosted.close()
    host.stop()


def test_an_address_that_is_none_is_refused_in_silence(
    words: kibitz.Lexicon, capfd: pytest.CaptureFixture[str]
) -> None:
    hosted = HostedGame(kibitz.Game(words, ["Ann", "Bob"]), [1])
    host = Host(hosted, ("127.0.0.1", 0))
    host.start()
    for version in (b"1.0", b"1.1"):
        with create_connection(("127.0.0.1", host.port)) as asking:
            asking.sendall(b"GET http://[/x HTTP/" + version + b"\r\n\r\n")
            with asking.makefile("rb") as answer:
                assert b" 400 " in answer.readline()
                answer.read()
    hosted.close()
    host.stop()
    assert capfd.readouterr() == ("", "")
