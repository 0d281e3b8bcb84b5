"""`kibitz engine`: the answers are those of the API, each request gets one, and searches can be stopped."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO

import hypothesis
import pytest
from hypothesis import strategies as st

from engine import translated
from service import pipe as module
from service.operations import OPERATIONS, quiz
from service.pipe import Pipe
from service.resources import examples
from tests.service.long_work import GAME, RACK, endless
from tests.service.operations import operations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

PATHS = {
    "analyze": "/analyze",
    "annotate_game": "/games/annotate",
    "hint": "/hints",
    "judge": "/words/judge",
    "play": "/play",
    "value_leaves": "/leaves",
    "infer_rack": "/opponent-rack",
}


def encoded(*lines: Any) -> bytes:
    return b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )


def raw_answers(app: Flask, text: bytes, threads: int = 2) -> list[bytes]:
    """Return the lines that answer a file of requests."""
    output = BytesIO()
    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        Pipe(app, file.fileno(), output, threads, "en").run()
    return output.getvalue().splitlines()


def answers(app: Flask, *lines: Any, threads: int = 2) -> list[dict[str, Any]]:
    """Return the answers to requests, by the number of the line."""
    found = [json.loads(line) for line in raw_answers(app, encoded(*lines), threads)]
    return sorted(found, key=lambda answer: answer["line"])


class Conversation:
    """A pipe that waits for requests, and the lines that it writes."""

    def __init__(self, pipe: Pipe, requests: BinaryIO, lines: BinaryIO) -> None:
        self.pipe = pipe
        self._requests = requests
        self._lines = lines

    def ask(self, *lines: Any) -> None:
        self._requests.write(encoded(*lines))
        self._requests.flush()

    def end(self) -> None:
        self._requests.close()

    def line(self) -> dict[str, Any]:
        """Return the next line."""
        found: dict[str, Any] = json.loads(self._lines.readline())
        return found

    def rest(self) -> list[dict[str, Any]]:
        """Return the lines until the end of a pipe that was stopped."""
        return [json.loads(line) for line in self._lines]

    def answer(self) -> dict[str, Any]:
        """Return the next line that is an answer."""
        while "progress" in (found := self.line()):
            pass
        return found


@contextmanager
def conversation(app: Flask, threads: int = 2) -> Iterator[Conversation]:
    """Let a pipe answer in a thread until the block ends."""
    (asked, ask), (read, written) = os.pipe(), os.pipe()
    output = os.fdopen(written, "wb")
    pipe = Pipe(app, asked, output, threads, "en")

    def run() -> None:
        with output:
            pipe.run()

    thread = Thread(target=run)
    with os.fdopen(ask, "wb") as requests, os.fdopen(read, "rb") as lines:
        thread.start()
        try:
            yield Conversation(pipe, requests, lines)
        finally:
            pipe.stop()
            thread.join()
            os.close(asked)


def test_every_operation_that_answers_json_to_a_request_is_there(app: Flask) -> None:
    document = app.extensions["openapi"]["paths"]
    named = {
        operation["operationId"]
        for path in document.values()
        for operation in path.values()
        if next(iter(operation["responses"]["200"]["content"])) == "application/json"
    }
    of_http_alone = {"list_jobs", "job", "cancel_job", "job_result", "livez", "readyz"}
    by_query = {"analyze_cgp", "hint_cgp", "search_words_by_query"}
    assert set(OPERATIONS) == named - of_http_alone - by_query


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_answer_has_the_bytes_of_the_api(
    app: Flask, client: FlaskClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = datetime(2026, 11, 28, tzinfo=UTC)
    monkeypatch.setattr(quiz, "_now", lambda: at)  # both answers to a card are of one second
    document = app.extensions["openapi"]
    (asked,) = [
        found
        for found in operations(document)
        if document["paths"][found.path][found.method.lower()]["operationId"] == name
    ]
    more = {"lexicon": "small"} if "lexicon" in asked.in_path else {}
    for body in asked.bodies or ({},):
        if examples.LEXICON in str(body):  # its tables would be built
            continue
        request = {"id": "x", "operation": name, **asked.parameters, **more, **body}
        over_http = asked.call(client, body or None, **more)
        assert over_http.status_code == 200, over_http.text
        (found,) = raw_answers(app, encoded(request))
        if over_http.get_json().get("provenance", {}).get("deterministic", True):  # else the time was over
            assert found == b'{"id":"x","line":1,"status":200,"answer":' + over_http.data + b"}"
        else:
            assert json.loads(found)["status"] == 200


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("analyze", {}),
        ("analyze", {**RACK, "rack": "QQQQQ"}),
        ("analyze", {**RACK, "top_n": 10**30}),
        ("analyze", {**RACK, "top_n": 1.5, "tpo_n": [], "sort": None}),
        ("analyze", {**RACK, "lexicon": "klingon"}),
        ("analyze", {**RACK, "lang": "de", "seed": "1"}),
        ("analyze", {**RACK, "lang": ["de"]}),
        ("analyze", {"cgp": "x" * 70_000}),
        ("annotate_game", {"gcg": "no record"}),
        ("annotate_game", {"gcg": "", "turn": 1}),
        ("hint", {**RACK, "level": 9}),
        ("judge", {"words": ["a" * 200]}),
        ("judge", {"words": ["1"], "play": "8D A"}),
        ("play", {**RACK, "move": "8D XYZ", "level": 3}),
        ("value_leaves", {"racks": ["AEIOUUUUUU", "?"]}),
        ("infer_rack", RACK),
    ],
)
def test_a_problem_is_that_of_the_api(
    app: Flask, client: FlaskClient, name: str, members: dict[str, Any]
) -> None:
    over_http = client.post(PATHS[name], data=json.dumps(members), content_type="application/json")
    assert over_http.status_code >= 400
    expected = {**over_http.get_json(), "request_id": None}
    (found,) = answers(app, {"id": 5, "operation": name, **members})
    if found["problem"]["code"] == "body_too_large":  # it speaks of an item
        expected["detail"] = found["problem"]["detail"]
    assert found == {"id": 5, "line": 1, "status": over_http.status_code, "problem": expected}


def test_members_of_a_path_are_checked_as_those_of_a_body(app: Flask, client: FlaskClient) -> None:
    word = {"operation": "report_word", "lexicon": "small"}
    found = answers(
        app,
        {**word, "word": "1"},
        {**word, "word": "a", "lexicon": "klingon"},
        {**word, "word": 7},
        word,
        {**word, "word": ""},
        {**word, "word": "x" * 9_000},
    )
    problems = [answer["problem"] for answer in found]
    for problem, path in zip(problems, ("small/words/1", "klingon/words/a"), strict=False):
        assert problem == {**client.get(f"/lexicons/{path}").get_json(), "request_id": None}
    assert [(problem["code"], problem["errors"][0]["pointer"]) for problem in problems[2:]] == [
        ("wrong_type", "/word"),
        ("missing_field", "/word"),
        ("out_of_range", "/word"),
        ("out_of_range", "/word"),
    ]


def test_a_broken_line_has_a_problem_and_ends_nothing(app: Flask) -> None:
    lines = [
        b"nonsense",
        b"",
        b" \r",
        [],
        {"id": "a", **RACK},
        {"id": "b", "operation": "serve"},
        {"id": "c", "operation": {}},
        {"id": "d", "operation": "version", "progress": 1},
        {"id": {}, "operation": "version"},
        b'{"id": 1, "id": 2}',
        b"[" * 5_000,
        b"x" * 3_000_000,
        b"\xff\x00",
        b'{"id": "\\ud800"}',
        b'{"id": NaN}',
        b'{"id": ' + b"9" * 5_000 + b"}",
        {"id": "e", "operation": "version"},
    ]
    found = answers(app, *lines, threads=1)
    assert [
        (answer["line"], answer["id"], answer["status"], answer.get("problem", {}).get("code"))
        for answer in found
    ] == [
        (1, None, 400, "malformed_json"),
        (4, None, 422, "wrong_type"),
        (5, "a", 422, "missing_field"),
        (6, "b", 422, "unknown_choice"),
        (7, "c", 422, "wrong_type"),
        (8, "d", 422, "wrong_type"),
        (9, None, 422, "invalid_value"),
        (10, None, 400, "duplicate_key"),
        (11, None, 400, "too_deep"),
        (12, None, 413, "body_too_large"),
        (13, None, 400, "malformed_json"),
        (14, None, 400, "malformed_json"),
        (15, None, 400, "malformed_json"),
        (16, None, 400, "malformed_json"),
        (17, "e", 200, None),
    ]
    assert [found[index]["problem"]["errors"][0]["pointer"] for index in (2, 3, 4, 5, 6)] == [
        *["/operation"] * 3,
        "/progress",
        "/id",
    ]


NAMES = ["id", "operation", "progress", "stop", "lexicon", "words", "rack", "lang", "cgp"]
TEXTS = st.text(max_size=5) | st.sampled_from(["stop", *OPERATIONS, "small"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=3,
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), VALUES)


@hypothesis.given(st.lists(st.binary(max_size=40) | OBJECTS, max_size=5))
def test_whatever_a_line_holds_it_has_one_answer(app: Flask, lines: list[Any]) -> None:
    text = encoded(*lines)
    found = answers(app, *lines)
    assert [answer["line"] for answer in found] == [
        number for number, line in enumerate(text.split(b"\n"), 1) if line.strip()
    ]
    assert all(answer["status"] in (200, 400, 404, 413, 422) for answer in found)


def test_one_thread_keeps_the_order(app: Flask) -> None:
    given = [{"id": number, "operation": "analyze", **RACK} for number in range(30)]
    given[7::7] = [{"id": number, "operation": "analyze"} for number in range(7, 30, 7)]
    found = [json.loads(line) for line in raw_answers(app, encoded(*given), threads=1)]
    assert [answer["id"] for answer in found] == list(range(30))
    assert {answer["id"] for answer in found if answer["status"] != 200} == {7, 14, 21, 28}


def test_the_last_line_needs_no_end(app: Flask) -> None:
    (found,) = raw_answers(app, b'{"operation": "version"}')
    assert json.loads(found)["answer"]["name"] == "kibitz"


def test_short_work_is_answered_while_a_search_runs_and_the_search_can_be_stopped(app: Flask) -> None:
    with conversation(app) as engine:
        engine.ask({"id": "long", "operation": "analyze", "progress": True, **endless(1)})
        first = engine.line()
        assert (first["id"], first["line"], list(first)) == ("long", 1, ["id", "line", "progress"])
        assert first["progress"]["so_far"]["phase"] == "simulate"
        engine.ask({"id": 2, "operation": "judge", "words": ["cab"]})
        assert engine.answer()["id"] == 2
        engine.ask({"id": 3, "operation": "stop", "stop": "nobody"}, {"operation": "stop", "stop": "long"})
        found = {answer["line"]: answer for answer in (engine.answer() for _ in range(3))}
        assert found[3] == {"id": 3, "line": 3, "status": 200, "answer": {"stopped": 0}}
        assert found[4] == {"id": None, "line": 4, "status": 200, "answer": {"stopped": 1}}
        assert (found[1]["id"], found[1]["status"]) == ("long", 200)
        assert found[1]["answer"]["provenance"]["stopped_by"] == "deadline"
        assert found[1]["answer"]["moves"][0]["sim"]["iterations"] > 0


def test_waiting_work_can_be_stopped_too(app: Flask) -> None:
    with conversation(app, threads=1) as engine:
        engine.ask({"id": 1, "operation": "analyze", "progress": True, **endless(2)})
        engine.line()
        engine.ask(
            {"id": 2, "operation": "annotate_game", **GAME, "evaluator": "heuri1"},  # in no cache
            {"id": 3, "operation": "analyze", **RACK},
            {"operation": "stop", "stop": 2},
            {"operation": "stop", "stop": 1},
        )
        found = {answer["line"]: answer for answer in (engine.answer() for _ in range(5))}
        assert [found[line]["status"] for line in (1, 2, 3)] == [200] * 3
        assert found[2]["answer"]["turns"] == []
        assert len(found[3]["answer"]["moves"]) == RACK["top_n"]


@pytest.mark.parametrize("wanted", [{}, {"stop": None}, {"stop": [1]}, {"stop": True}, {"stop": 1, "all": 1}])
def test_a_stop_names_one_id(app: Flask, wanted: dict[str, Any]) -> None:
    (found,) = answers(app, {"id": 1, "operation": "stop", **wanted})
    assert (found["id"], found["status"]) == (1, 422)


def test_the_work_is_finished_after_the_end_of_the_input(app: Flask) -> None:
    with conversation(app) as engine:
        engine.ask({"id": "game", "operation": "annotate_game", "progress": True, **GAME})
        engine.end()
        lines = [engine.line()]
        while "progress" in lines[-1]:
            lines.append(engine.line())
    assert lines[-1]["answer"]["turns"]
    steps = [line["progress"]["done"] for line in lines[:-1]]
    assert steps == list(range(1, len(steps) + 1))
    assert {line["progress"]["total"] for line in lines[:-1]} == {6}


def test_a_pipe_that_is_stopped_answers_with_what_it_has(app: Flask) -> None:
    with conversation(app) as engine:
        engine.ask({"id": "long", "operation": "analyze", "progress": True, **endless(3)})
        engine.line()
        engine.pipe.stop()
        assert engine.answer()["answer"]["provenance"]["stopped_by"] == "deadline"


def test_the_progress_of_a_hint_shows_no_move(app: Flask) -> None:
    lines = raw_answers(app, encoded({"operation": "hint", "progress": True, **RACK, "level": 1}))
    assert len(lines) == 1


def test_no_more_is_read_than_may_wait(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    with conversation(app, threads=1) as engine:
        engine.ask({"id": "a", "operation": "analyze", "progress": True, **endless(4)})
        engine.line()
        engine.ask(*({"id": name, "operation": "version"} for name in "bcdef"))
        engine.pipe.stop()
        found = [line["id"] for line in engine.rest() if "answer" in line]
    assert found[0] == "a"
    assert set(found) <= {"a", "b", "c"}  # c was read, but waited for room
    lines = answers(app, *({"id": number, "operation": "version"} for number in range(20)))
    assert [answer["id"] for answer in lines] == list(range(20))


def test_answers_that_nobody_reads_end_it(app: Flask) -> None:
    class Closed(BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError

    asked, ask = os.pipe()
    os.write(ask, encoded({"operation": "version"}))
    with pytest.raises(BrokenPipeError):  # the input is still open
        Pipe(app, asked, Closed(), 1, "en").run()
    os.close(asked)
    os.close(ask)


def test_texts_have_the_language_of_the_command_or_of_the_request(app: Flask) -> None:
    output = BytesIO()
    with tempfile.TemporaryFile() as file:
        file.write(encoded({"operation": "analyze"}, {"operation": "analyze", "lang": "es"}, b"x"))
        file.seek(0)
        Pipe(app, file.fileno(), output, 1, "fr").run()
    titles = [json.loads(line)["problem"]["title"] for line in output.getvalue().splitlines()]
    assert titles == [translated("Unprocessable Entity", language) for language in ("fr", "es")] + [
        translated("Bad Request", "fr")
    ]
