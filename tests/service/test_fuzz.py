"""1,000 malformed requests through gunicorn are 4xx problems, never a 5xx."""

from __future__ import annotations

import json
import random
import string
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.service.serving import Server, running

if TYPE_CHECKING:
    import http.client
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

SEED = 20_251_121
VALID: dict[str, Any] = {
    "rows": ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7,
    "rack": "ADDEFS?",
    "players": [{"score": 3}, {"score": 14, "known_tiles": "E", "tile_count": 7, "last_move": "8G CAB"}],
    "zero_turns": 0,
    "lexicon": "small",
    "board": "standard15",
    "tile_set": "english",
    "rules": {"bingo_bonus": 35, "ending": "double"},
    "top_n": 5,
    "sort": "score",
    "include_exchanges": True,
    "evaluator": "auto",
    "compare": ["8G ...S", "-D"],
}
CGP = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 3/14 0 lex small;"
STRANGE = [
    "\u0000",
    "\ud800",
    "\udfff",
    "é",
    "ß",
    "\u202e",
    "🂡",
    "٣",
    "ǆ",
    "[",
    "]",
    "[]",
    "[[",
    "?",
    "/",
    "'",
    "%",
    "\u2028",
]
WRONG: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e300,
    2**63,
    10**40,
    "",
    "x",
    "\u0000",
    [],
    [[]],
    {},
    {"": 0},
    [None],
]

Request = tuple[str, str, Any, dict[str, str]]
JSON = {"Content-Type": "application/json"}


def body(content: Any) -> Request:
    return "POST", "/analyze", json.dumps(content).encode(), JSON


def wrong_type(rng: random.Random) -> Request:
    """A field that is of another type than it may be."""
    name = rng.choice(sorted(VALID))
    right = type(VALID[name])
    allowed = {"board": (str, dict), "rules": (str, dict), "tile_set": (str, list)}.get(name, (right,))
    value = rng.choice([value for value in WRONG if type(value) not in allowed])
    return body({**VALID, name: value})


def unknown_field(rng: random.Random) -> Request:
    name = "".join(rng.choices(string.ascii_lowercase + "_~/", k=rng.randint(0, 12))) + rng.choice("xyz")
    place = rng.choice(["top", "player", "rules"])
    if place == "player":
        return body({**VALID, "players": [{}, {name: 1}]})
    if place == "rules":
        return body({**VALID, "rules": {name: 1}})
    return body({**VALID, name: 1})


def out_of_range(rng: random.Random) -> Request:
    name, value = rng.choice(
        [
            ("top_n", rng.choice([0, -5, 201, 10**30])),
            ("zero_turns", rng.choice([-1, 100])),
            ("compare", ["-"] * rng.randint(51, 2000)),
            ("compare", ["x" * rng.randint(101, 5000)]),
            ("players", [{}] * rng.choice([0, 1, 5, 100])),
            ("rows", ["." * 15] * rng.choice([0, 1, 9, 27, 1000])),
            ("rack", "A" * rng.randint(8, 5000)),
            ("lexicon", "x" * rng.randint(65, 5000)),
            ("rules", {"bingo_tiles": rng.choice([0, 8])}),
            ("sort", "beauty"),
        ]
    )
    return body({**VALID, name: value})


def nonsense_board(rng: random.Random) -> Request:
    """Rows of anything, with at least one square that is no tile."""
    side = rng.choice([15, 15, 15, 10, 21, 26])
    alphabet = rng.choice([string.printable, string.ascii_letters + ".", "".join(STRANGE), ".?[]"])
    rows = [
        "".join(rng.choices(alphabet, k=rng.choice([side, side, rng.randint(0, 60)]))) for _ in range(side)
    ]
    rows[rng.randrange(side)] = "!" * side
    return body({**VALID, "board": "standard15", "rows": rows})


def impossible_board(rng: random.Random) -> Request:
    """Known tiles that cannot lie so: too many of them, or far from the start and from each other."""
    rows = [["."] * 15 for _ in range(15)]
    if rng.random() < 0.5:
        for row in rows:
            row[:] = rng.choices(string.ascii_letters, k=15)
    else:
        for _ in range(rng.randint(1, 5)):
            rows[rng.randrange(7)][rng.randrange(0, 15, 2)] = rng.choice(string.ascii_letters)
    return body({**VALID, "rows": ["".join(row) for row in rows], "compare": []})


def nonsense_tiles(rng: random.Random) -> Request:
    squares = ["8Z", "0A", "99A", "A", "", "8", "HH8", "16A", "P1", "8H ", "\ud800", "٣A", "-1A"]
    tiles = [
        {"at": "8H", "letter": "A"},
        {"at": rng.choice(squares), "letter": rng.choice(["A", "", "??", "\u0000"])},
    ]
    rng.shuffle(tiles)
    return body({"tiles": tiles, "rack": "ABC"})


def nonsense_rack(rng: random.Random) -> Request:
    rack = "".join(rng.choices(string.ascii_uppercase + "?", k=rng.randint(0, 6))) + rng.choice(
        ["a", "1", "É", "[CH]", *STRANGE[:6]]
    )
    return body({**VALID, "rack": rack})


def nonsense_cgp(rng: random.Random) -> Request:
    """A CGP with a board that is none."""
    text = list(CGP)
    for _ in range(rng.randint(0, 10)):
        text[rng.randrange(30)] = rng.choice([*string.printable, *STRANGE])
    text[rng.randrange(20)] = rng.choice(["!", "999999999", "//", "[CH", "\ud800"])
    if rng.random() < 0.5:
        return "GET", "/analyze?cgp=" + quote("".join(text), errors="replace"), None, {}
    return body({"cgp": "".join(text)})


def nonsense_grid(rng: random.Random) -> Request:
    side = rng.choice([10, 15, 26])
    rows = ["".join(rng.choices(".TDtdQq*", k=side)) for _ in range(side)]
    rows[rng.randrange(side)] = rng.choice(["x" * side, "." * (side - 1), "." * (side + 1), ""])
    return body({"rows": ["." * side] * side, "rack": "A", "board": {"rows": rows}})


def nonsense_tile_set(rng: random.Random) -> Request:
    letters = [{"letter": letter, "count": 2, "value": 1} for letter in string.ascii_uppercase]
    letters[rng.randrange(26)] = rng.choice(
        [
            {"letter": "a", "count": 1},
            {"letter": "", "count": 1},
            {"letter": "1", "count": 1},
            {"letter": "A", "count": 64},
            {"letter": "\ud800", "count": 1},
            {"letter": "ǅ", "count": 1},
            {"letter": "É", "count": 1},
            {"count": 1},
            {"letter": "Q", "count": 1, "value": -1},
        ]
    )  # fmt: skip
    return body({"tiles": [], "rack": "A", "tile_set": letters})


def deep(rng: random.Random) -> Request:
    depth = rng.randint(17, 6000)
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}"), ('{"rows":[', "]}")])
    inner = opening * depth + "1" + (closing * depth if rng.random() < 0.7 else "")
    return "POST", "/analyze", inner.encode(), JSON


def lone_surrogate(rng: random.Random) -> Request:
    """A lone surrogate as an escape, or as the bytes that would encode it."""
    text = json.dumps({**VALID, rng.choice(["rack", "lexicon", "sort"]): "MARK"})
    mark = rng.choice([b"\\ud800", b"\\udc00x", b"\\udbff\\u0041", b"\xed\xa0\x80", b"\xff", b"\xc3("])
    return "POST", "/analyze", text.encode().replace(b"MARK", mark), JSON


def broken_json(rng: random.Random) -> Request:
    text = json.dumps(VALID).encode()
    cut = rng.randrange(1, len(text) - 1)
    damaged = rng.choice(
        [text[:cut], text[:cut] + b"\xff" + text[cut:], text + b"}", b"," + text, text.replace(b":", b"=", 1)]
    )
    return "POST", "/analyze", damaged, JSON


def duplicate_key(rng: random.Random) -> Request:
    name = rng.choice(sorted(VALID))
    text = json.dumps(VALID)
    return "POST", "/analyze", (text[:-1] + f', "{name}": 1}}').encode(), JSON


def bytes_of_nothing(rng: random.Random) -> Request:
    return "POST", "/analyze", rng.randbytes(rng.randint(0, 2000)), JSON


def large(rng: random.Random) -> Request:
    return "POST", "/analyze", b'{"cgp": "' + b"1" * 300_000 + b'"}', JSON


def large_without_length(rng: random.Random) -> Request:
    size = rng.choice([0, 10, 65_537, 300_000])
    return "POST", "/analyze", iter([b"x" * 10_000] * (size // 10_000) + [b"y" * (size % 10_000)]), JSON


def another_type(rng: random.Random) -> Request:
    kind = rng.choice(
        [
            "",
            "text/plain",
            "application/xml",
            "application/jsonp",
            "json",
            "\x7f",
            "application/json;charset=utf-7",
        ]
    )
    return "POST", "/analyze", json.dumps(VALID).encode(), {"Content-Type": kind} if kind else {}


def another_method(rng: random.Random) -> Request:
    return (
        rng.choice(["PUT", "DELETE", "PATCH", "TRACE", "BREW"]),
        rng.choice(["/analyze", "/lexicons", "/docs"]),
        None,
        {},
    )


def another_path(rng: random.Random) -> Request:
    path = "/x" + "".join(rng.choices(string.ascii_letters + "/%.;?=&~", k=rng.randint(0, 200)))
    return rng.choice(["GET", "HEAD"]), path, None, {}


def nonsense_query(rng: random.Random) -> Request:
    good = "cgp=" + quote(CGP)
    bad = rng.choice(
        ["top_n=0", "top_n=x", "top_n=+5", "top_n=5.0", "top_n=", "top_n=5&top_n=5", "include_exchanges=yes",
         "sort=", "cgp=1", "rows=[]", "x", "lexicon=%ff", "compare=" + "x" * 101, "evaluator=oracle",
         "zero_turns=-1", "players=[]"]
    )  # fmt: skip
    return "GET", f"/analyze?{good}&{bad}", None, {}


KINDS: list[Callable[[random.Random], Request]] = [
    wrong_type, unknown_field, out_of_range, nonsense_board, impossible_board, nonsense_tiles, nonsense_rack,
    nonsense_cgp, nonsense_grid, nonsense_tile_set, deep, lone_surrogate, broken_json, duplicate_key,
    bytes_of_nothing, large, large_without_length, another_type, another_method, another_path, nonsense_query,
]  # fmt: skip


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data, KIBITZ_LOG_LEVEL="error") as started:
        yield started


def test_a_thousand_malformed_requests(server: Server) -> None:
    rng = random.Random(SEED)
    connection = server.connect()
    wrong: list[tuple[str, int, bytes]] = []
    statuses: set[int] = set()
    for number in range(1_050):
        kind = KINDS[number % len(KINDS)]
        method, path, content, headers = kind(rng)
        chunked = content is not None and not isinstance(content, bytes)
        connection.request(method, path, content, headers, encode_chunked=chunked)
        response = connection.getresponse()
        answer = response.read()
        statuses.add(response.status)
        if "\x7f" in headers.get("Content-Type", ""):
            refused = response.status == 400  # by gunicorn itself, as it is no HTTP, in a page of its own
        else:
            refused = 400 <= response.status < 500 and is_problem(response, answer, method)
        if not refused:
            wrong.append((f"{kind.__name__} {number}", response.status, answer[:300]))
    connection.close()
    assert wrong == []
    assert {400, 404, 405, 411, 413, 415, 422} <= statuses
    status, _, _ = server.ask("POST", "/analyze", VALID)
    assert status == 200, "the server is as well as before"
    code, lines, _ = server.stop()
    assert code == 0
    assert [line for line in lines if line["level"] == "error"] == []


def is_problem(response: http.client.HTTPResponse, answer: bytes, method: str) -> bool:
    if response.getheader("Content-Type") != "application/problem+json":
        return False
    if method == "HEAD":
        return answer == b""
    problem = json.loads(answer)
    return problem["status"] == response.status and bool(problem["code"]) and bool(problem["request_id"])


@pytest.mark.long
def test_changes_at_random_never_break_it(client: FlaskClient) -> None:
    """Valid requests with some values exchanged: any answer but a 5xx."""
    rng = random.Random(SEED)
    for _ in range(1_500):
        content = json.loads(json.dumps(VALID))
        for _ in range(rng.randint(1, 3)):
            mutate(rng, content)
        response = client.post("/analyze", data=json.dumps(content), content_type="application/json")
        assert response.status_code in (200, 400, 404, 422), (content, response.text)


def mutate(rng: random.Random, content: Any) -> None:
    """Exchange one value somewhere in a document."""
    places = [(content, key) for key in content]
    for parent, key in list(places):
        inner = parent[key]
        if isinstance(inner, list):
            places += [(inner, index) for index in range(len(inner))]
        elif isinstance(inner, dict):
            places += [(inner, name) for name in inner]
    parent, key = rng.choice(places)
    old = parent[key]
    if isinstance(old, str) and rng.random() < 0.7:
        letters = list(old) or ["A"]
        letters[rng.randrange(len(letters))] = rng.choice(
            [*string.ascii_letters, ".", "?", "1", " ", *STRANGE]
        )
        parent[key] = "".join(letters).encode("utf-8", "replace").decode()
    else:
        parent[key] = rng.choice([*WRONG, "A", "8H", 7, ["A"], {"letter": "A", "count": 1}])
