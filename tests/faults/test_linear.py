"""The work for a text grows in proportion to its length, however hard the text is to read.

There are two tests for each reader. The first counts lines of Python. The second reads a megabyte, with
the reader's limit raised if need be, and fails only if it gets stuck. It is for regular expressions and
copies, which do their work within one line.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine import EngineError, format_cgp, format_gcg, parse_cgp, read_gcg, replay_game
from engine.records.gcg.encoding import MAX_GCG
from engine.records.operations import MAX_CGP, split_operations
from service.app import create_app
from tests.faults.work import assert_linear, not_stuck

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

    from service.settings import Settings

MEGABYTE = 1 << 20

EMPTY = "/".join(["15"] * 15)
CGP_HEADS = ("", f"{EMPTY} ", f"{EMPTY} ABC/ ", f"{EMPTY} ABC/ 0/0 ", f"{EMPTY} ABC/ 0/0 0 ")
CGP_UNITS = (
    *("A", "(", "[", "[A", "]", "[CH]", ".", "9", " ", "/", "a/", "1", "-", "-a ", "a b;", ";", "lex x;"),
    *("x y; ", "é", "\u0301", "?", "\t", "\n"),
)
PLAYERS = "#player1 a A\n#player2 b B\n"
GCG_HEADS = ("", PLAYERS, f"{PLAYERS}>a: ", f"{PLAYERS}>a: ABC 8D ", "#note ", "#player1 ")
GCG_UNITS = (
    *("A", "(", "[", "[CH]", ".", " ", "9", "-", ": ", "\r", "\n", "\u2028", "é"),
    *("(A)", "8D ", "+1 ", "#", ">"),
    *("#note a\n", "#x y\n", "#title y\n", "#rack1 A\n", "#player1 a b\n", ">a: A 8D A +1 1\n"),
    *(">b: A 8D A +1 1\n", ">a: AB -- -1 0\n", ">a: A - +0 0\n"),
)


def repeated(head: str, unit: str) -> Callable[[int], str]:
    return lambda size: head + unit * max((size - len(head)) // len(unit), 1)


def take_cgp(text: str) -> None:
    split_operations.cache_clear()  # these texts come more than once
    with suppress(EngineError):
        position = parse_cgp(text)
        position.check()
        position.canonical()
        format_cgp(position)


def take_gcg(text: str) -> None:
    with suppress(EngineError):
        reading = read_gcg(text)
        format_gcg(reading.record)
        replay_game(reading.record, None)


@pytest.mark.parametrize("head", CGP_HEADS)
def test_a_cgp(head: str) -> None:
    for unit in CGP_UNITS:
        assert_linear(take_cgp, repeated(head, unit), MAX_CGP)


@pytest.mark.parametrize("head", CGP_HEADS)
def test_a_megabyte_of_cgp(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cgp", "operations"):
        monkeypatch.setattr(f"engine.records.{module}.MAX_CGP", MEGABYTE)
    for unit in CGP_UNITS:
        with not_stuck():
            take_cgp(repeated(head, unit)(MEGABYTE))


@pytest.mark.parametrize(
    "size", [8_192, pytest.param(MAX_GCG // 4, marks=pytest.mark.slow)], ids=["short", "long"]
)
@pytest.mark.parametrize("head", GCG_HEADS)
def test_a_gcg(head: str, size: int) -> None:
    for unit in GCG_UNITS:
        assert_linear(take_gcg, repeated(head, unit), size)


@pytest.mark.parametrize("head", GCG_HEADS)
def test_a_megabyte_of_gcg(head: str) -> None:
    for unit in GCG_UNITS:
        with not_stuck():
            take_gcg(repeated(head, unit)(MAX_GCG))


def many_keys(size: int) -> bytes:
    """An object whose last two keys are the same."""
    return b"{" + b"".join(b'"%06d":1,' % number for number in range(size // 11)) + b'"x":1,"x":1}'


JSONS: dict[str, Callable[[int], bytes]] = {
    "many keys, the last one twice": many_keys,
    "many keys of an inner object": lambda size: b'{"a":' + many_keys(size) + b"}",
    "many empty lists": lambda size: b"[" + b"[]," * (size // 3) + b"[]]",
    "many objects": lambda size: b"[" + b'{"a":1},' * (size // 8) + b"{}]",
    "one list of the deepest": lambda size: b"[" * 16 + b"0," * (size // 2) + b"0" + b"]" * 16,
    "deeper than allowed": lambda size: b"[" * size,
    "one number": lambda size: b"9" * size,
    "many numbers": lambda size: b"[" + b"1e9," * (size // 4) + b"1]",
    "one text of escapes": lambda size: b'"' + b"\\u0041" * (size // 6) + b'"',
    "spaces": lambda size: b" " * size,
    "backslashes": lambda size: b'"' + b"\\" * size,
}
"""Bodies by their length, each a little longer; none is a request."""


def post(client: FlaskClient, body: bytes) -> None:
    response = client.post("/analyze", data=body, content_type="application/json")
    assert response.status_code in (400, 422), response.text


@pytest.mark.parametrize("kind", JSONS)
def test_a_body(app: Flask, settings: Settings, kind: str) -> None:
    client = app.test_client()
    assert_linear(lambda body: post(client, body), JSONS[kind], settings.max_body_bytes - 256)


@pytest.mark.parametrize("kind", JSONS)
def test_a_megabyte_of_body(settings: Settings, kind: str) -> None:
    client = create_app(replace(settings, max_body_bytes=2 * MEGABYTE)).test_client()
    with not_stuck():
        post(client, JSONS[kind](MEGABYTE))
