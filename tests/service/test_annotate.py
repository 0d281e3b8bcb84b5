"""/games/annotate: a document or lines of JSON, as documented, and problems for invalid records."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import strategies as st

from engine import AnnotationOptions, InvalidInput, annotation_notes, format_history, read_gcg
from service.app import create_app
from service.jobs import QUEUED, JobStatus, NewJob
from service.resources import examples
from service.schemas.annotation_answers import (
    LINES,
    AnnotatedGameSchema,
    AnnotatedTurnSchema,
    AnnotationSchema,
    dump_notes,
)
from service.state import EXTENSION
from service.view_rules import NDJSON
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

    from engine import AnnotationNote, Lexicon
    from service.settings import Settings

GCG = examples.GAMES["game"]["value"]["gcg"] + ">ann: (time) -10 48\n"


LINES_ONLY = {"Accept": NDJSON}


def document(client: FlaskClient, query: str = "", **asked: Any) -> dict[str, Any]:
    response = client.post(f"/games/annotate{query}", **asked)
    assert response.status_code == 200, response.text
    assert response.mimetype == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    found: dict[str, Any] = response.get_json()
    return found


def lines(client: FlaskClient, **body: Any) -> list[dict[str, Any]]:
    response = client.post("/games/annotate", json=body, headers=LINES_ONLY)
    assert response.status_code == 200, response.text
    assert response.mimetype == "application/x-ndjson"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.text.endswith("\n")
    return [json.loads(line) for line in response.text.splitlines()]


def test_every_line_has_the_documented_shape(client: FlaskClient) -> None:
    answer = lines(client, gcg=GCG)
    assert [line["type"] for line in answer] == ["game", "turn", "turn", "turn", "event", "summary", "end"]
    for line in answer:
        shape = LINES[line["type"]]()
        shape.load(line)
        assert list(line) == list(shape.fields)
    game, first, second, _, event, summary, end = answer
    assert (game["lexicon"], game["recorded_lexicon"], game["event_count"]) == ("small", None, 5)
    assert first["played"]["score"] == first["score"] == 24
    assert (second["challenge"], second["win_pct_error"]) == ("taken_back", None)
    assert [fault["code"] for fault in event["faults"]] == ["early_time_penalty"]
    assert [player["nick"] for player in summary["players"]] == ["ann", "bo"]
    assert end == {"type": "end", "lines": 6, "complete": True}


@pytest.mark.long
def test_the_server_limits_the_time_of_an_annotation(settings: Settings) -> None:
    client = create_app(replace(settings, sync_ms=1)).test_client()
    found = document(client, json={"gcg": GCG, "explain": True})
    assert not found["summary"]["complete"]
    again = document(create_app(settings).test_client(), json={"gcg": GCG, "explain": True})
    assert again["summary"]["complete"]


def test_the_document_holds_the_same_as_the_lines(client: FlaskClient) -> None:
    found = document(client, json={"gcg": GCG})
    schema = AnnotationSchema()
    schema.load(found)
    assert list(found) == list(schema.fields)
    assert [list(found["game"]), list(found["turns"][0])] == [
        list(AnnotatedGameSchema().fields),
        list(AnnotatedTurnSchema().fields),
    ]
    untyped = [
        {name: value for name, value in line.items() if name not in ("type", "warnings")}
        for line in lines(client, gcg=GCG)
    ]
    assert [found["game"], *found["turns"], *found["events"], found["summary"]] == untyped[:-1]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("text/html", "text/html"),
        ("text/plain", "text/plain"),
        ("text/html;q=0.9, */*", "application/json"),
        ("application/x-ndjson;q=0.5, application/json", "application/json"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("application/x-ndjson, */*;q=0.1", "application/x-ndjson"),
    ],
)
def test_lines_are_answered_only_if_they_are_asked_for(
    client: FlaskClient, accept: str | None, media_type: str
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    assert client.post("/games/annotate", json={"gcg": GCG}, headers=headers).mimetype == media_type


def test_a_record_with_notes_and_a_page_are_answered_if_they_are_asked_for(client: FlaskClient) -> None:
    noted = client.post("/games/annotate", json={"gcg": GCG}, headers={"Accept": "text/plain"})
    assert noted.mimetype == "text/plain"
    record = read_gcg(noted.data).record
    assert [event.note.startswith("kibitz: ") for event in record.events[:2]] == [True, True]
    assert record.without(()).players == read_gcg(GCG).record.players
    page = client.post("/games/annotate", json={"gcg": GCG}, headers={"Accept": "text/html"})
    assert page.mimetype == "text/html"
    assert page.text.startswith("<!doctype html>")
    assert "<svg" in page.text
    assert page.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    refused = client.post("/games/annotate", json={"gcg": "nothing"}, headers={"Accept": "text/html"})
    assert refused.mimetype == "application/problem+json"


UMLAUTS = "#player1 ann Jürgen Groß\n#player2 bo Bo\n>ann: AEITWXY 8D WAITE +24 24\n"


@pytest.mark.parametrize(
    ("encoding", "declaration"),
    [
        ("latin-1", ""),
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("utf-16-le", ""),
        ("latin-1", "#character-encoding ISO-8859-1\n"),
        ("utf-8", "#character-encoding UTF-8\n"),
        ("cp1250", "#character-encoding windows-1250\n"),
    ],
)
def test_a_record_may_be_sent_as_it_is_in_its_file(
    client: FlaskClient, encoding: str, declaration: str
) -> None:
    asked: dict[str, Any] = {"data": (declaration + UMLAUTS).encode(encoding), "content_type": "text/plain"}
    found = document(client, **asked)
    assert found["game"]["players"][0]["name"] == "Jürgen Groß"
    assert found["turns"] == document(client, json={"gcg": declaration + UMLAUTS})["turns"]


def test_the_options_of_a_plain_record_are_in_the_query(client: FlaskClient) -> None:
    plain: dict[str, Any] = {"data": GCG.encode(), "content_type": "text/plain; charset=iso-8859-1"}
    options = {"lexicon": "small", "evaluator": "greedy", "endgame_nodes": 7}
    simulate = {"method": "monte_carlo", "iterations": 100, "candidates": 2}
    query = "?lexicon=small&evaluator=greedy&endgame_nodes=7"
    assert document(client, query, **plain) == document(client, json={"gcg": GCG, **options})
    query += "&seed=5&simulate=monte_carlo&iterations=100&candidates=2"
    body = {"gcg": GCG, **options, "seed": 5, "simulate": simulate}
    assert document(client, query, **plain) == document(client, json=body)
    for query, fault in (
        ("?lexicon=klingon", ("/lexicon", "unknown_lexicon")),
        ("?evaluator=oracle", ("/evaluator", "unknown_choice")),
        ("?endgame_nodes=x", ("/endgame_nodes", "wrong_type")),
        ("?iterations=5", ("/iterations", "missing_field")),
        ("?top_n=5", ("/top_n", "unknown_field")),
    ):
        assert codes(client.post(f"/games/annotate{query}", **plain)) == [fault]
    refused = client.post("/games/annotate?lexicon=small", json={"gcg": GCG})
    assert codes(refused) == [("/lexicon", "unknown_field")]
    empty = client.post(
        "/games/annotate", content_type="text/plain", environ_overrides={"CONTENT_LENGTH": "0"}
    )
    assert codes(empty) == [("/gcg", "out_of_range")]


def test_a_lexicon_that_is_not_installed_is_in_the_warnings(client: FlaskClient) -> None:
    record = "#lexicon CSW21\n" + GCG
    (warning,) = document(client, json={"gcg": record})["warnings"]
    assert warning["code"] == "lexicon_not_installed"
    assert warning["params"] == {"named": "CSW21", "used": "small"}
    assert "CSW21" in warning["detail"]
    assert lines(client, gcg=record)[0]["warnings"] == [warning]
    batch = client.post("/batch", json=[{"gcg": record}]).get_json()
    assert batch[0]["answer"]["warnings"] == [warning]
    for same in ({"gcg": GCG}, {"gcg": "#lexicon Small\n" + GCG}, {"gcg": record, "lexicon": "small"}):
        assert document(client, json=same)["warnings"] == []


def test_turns_are_simulated_if_asked_for(client: FlaskClient) -> None:
    game, first, second, *_ = lines(client, gcg=GCG, simulate={"iterations": 200, "candidates": 3}, seed=5)
    assert (game["provenance"]["seed"], game["provenance"]["budget"]["iterations"]) == (5, 200)
    assert 0 < first["win_pct_error"] < 10
    assert first["rank"] >= 1
    assert (second["challenge"], second["kind"]) == ("taken_back", "play")
    refused = client.post(
        "/games/annotate", json={"gcg": GCG, "simulate": {"plies": 5, "method": "heuri_sim"}}
    )
    assert codes(refused) == [("/simulate/plies", "out_of_range")]


def test_a_game_of_three_is_annotated_but_not_simulated(client: FlaskClient) -> None:
    game = {"gcg": "#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8D WAITE +24 24\n"}
    assert lines(client, **game)[1]["equity_loss"] is not None
    for headers in ({}, {"Prefer": "respond-async"}):
        refused = client.post("/games/annotate", json={**game, "simulate": {}}, headers=headers)
        assert refused.status_code == 422
        assert codes(refused) == [("/simulate", "not_two_players")]


class Recorder:
    """A back end that records jobs and does none."""

    def __init__(self) -> None:
        self.jobs: list[NewJob] = []

    def submit(self, new: NewJob) -> JobStatus:
        self.jobs.append(new)
        return JobStatus("0" * 32, new.kind, new.media_type, QUEUED, 0, new.total, 0.0)


def recording(settings: Settings) -> tuple[FlaskClient, Recorder]:
    app = create_app(settings)
    recorder: Any = Recorder()
    app.extensions[EXTENSION] = replace(app.extensions[EXTENSION], jobs=recorder)
    return app.test_client(), recorder


@pytest.mark.parametrize(
    ("plan", "is_long"),
    [
        ({}, False),
        ({"method": "heuri_samp"}, False),
        ({"iterations": 6_000, "plies": 2}, False),
        ({"iterations": 6_001, "plies": 2}, True),
        ({"iterations": 2_000, "plies": 10}, True),
        ({"method": "heuri_sim"}, True),
        ({"method": "heuri_sim", "iterations": 60, "candidates": 3}, False),
    ],
)
def test_a_game_simulated_at_length_is_a_job(settings: Settings, plan: dict[str, Any], is_long: bool) -> None:
    """Else it would hold a search slot for minutes."""
    client, recorder = recording(settings)
    # One turn with a partly known rack, which is not simulated: quick with any options.
    body = {"gcg": "#player1 a A\n#player2 b B\n>a: FADED 8D FADED +26 26\n", "simulate": plan}
    assert client.post("/games/annotate", json=body).status_code == (202 if is_long else 200)
    assert len(recorder.jobs) == is_long
    refusing = create_app(replace(settings, jobs_queued=0)).test_client().post("/games/annotate", json=body)
    assert refusing.status_code == (503 if is_long else 200)


@pytest.mark.parametrize(("seconds", "is_long"), [(1, False), (9, False), (10, True), (600, True)])
def test_a_game_with_more_seconds_than_an_answer_has_is_a_job(
    settings: Settings, seconds: int, is_long: bool
) -> None:
    client, recorder = recording(replace(settings, sync_ms=10_000))
    body = {"gcg": "#player1 a A\n#player2 b B\n>a: FADED 8D FADED +26 26\n", "seconds": seconds}
    answer = client.post("/games/annotate", json=body)
    assert answer.status_code == (202 if is_long else 200)
    assert len(recorder.jobs) == is_long
    plain = client.post(f"/games/annotate?seconds={seconds}", data=body["gcg"], content_type="text/plain")
    assert plain.status_code == answer.status_code


def test_a_job_names_the_lexicon_that_the_server_found(settings: Settings) -> None:
    """The worker that does it may have another default."""
    client, recorder = recording(settings)
    search = {"tiles": [], "rack": "FADED", "simulate": {}, "max_ms": 60_000}
    for path, body in (("/games/annotate", {"gcg": GCG}), ("/analyze", search)):
        assert client.post(path, json=body, headers={"Prefer": "respond-async"}).status_code == 202
        assert recorder.jobs[-1].task["default"] == "small"


def test_every_example_can_be_run(bundled_client: FlaskClient) -> None:
    for example in examples.GAMES.values():
        answer = lines(bundled_client, **example["value"])
        assert answer[-1]["complete"]
        assert any(line.get("mistake") for line in answer)
        assert answer[0]["provenance"]["win_pct_table"] is not None


def test_the_lexicon_is_the_one_asked_for_else_the_record_s_else_the_default(
    client: FlaskClient,
) -> None:
    def used(gcg: str, **body: Any) -> str:
        heading = lines(client, gcg=gcg, **body)[0]
        return str(heading["lexicon"])

    assert used(GCG) == used("#lexicon NWL99\n" + GCG) == used(GCG, lexicon="small") == "small"
    assert used("#lexicon SMALL\n" + GCG, evaluator="heuri4") == "small"


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        ({}, 422, [("/gcg", "missing_field")]),
        ({"gcg": ""}, 422, [("/gcg", "out_of_range")]),
        ({"gcg": 5}, 422, [("/gcg", "wrong_type")]),
        ({"gcg": "hello"}, 422, None),
        ({"gcg": "#player1 a A\n>a: AB 8H AB +8 8\n"}, 422, [("/gcg", "missing_player")]),
        ({"gcg": GCG, "lexicon": "klingon"}, 404, [("/lexicon", "unknown_lexicon")]),
        ({"gcg": GCG, "evaluator": "oracle"}, 422, [("/evaluator", "unknown_choice")]),
        ({"gcg": GCG, "top_n": 3}, 422, [("/top_n", "unknown_field")]),
        ({"gcg": "#lexicon OSPS44\n" + GCG, "lexicon": "small"}, 422, [("/lexicon", "tile_set_mismatch")]),
    ],
)
def test_what_is_no_record_is_a_problem(
    client: FlaskClient, body: dict[str, Any], status: int, expected: list[tuple[str, str]] | None
) -> None:
    response = client.post("/games/annotate", json=body)
    assert response.status_code == status
    assert response.mimetype == "application/problem+json"
    if expected is not None:
        assert codes(response) == expected


def test_a_record_may_be_longer_than_other_bodies(client: FlaskClient) -> None:
    noted = GCG + "#note " + "x" * 100_000
    assert lines(client, gcg=noted)[-1]["complete"]
    assert client.post("/games/annotate", json={"gcg": "x" * 262_144}).status_code == 413
    assert client.post("/hints", json={"cgp": "x" * 100_000}).status_code == 413


@pytest.mark.long
def test_an_annotation_is_computed_once_for_all_formats(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    gcg = GCG.replace("ann", "once")
    query = "/games/annotate?explain=true"
    first = client.post(query, data=gcg, content_type="text/plain")

    def computed_again(*_: object) -> None:
        raise AssertionError("the annotation is computed again")

    with monkeypatch.context() as patch:
        patch.setattr("service.annotation.annotation_notes", computed_again)
        for accept in ("application/json", "text/plain", "text/html", "application/x-ndjson"):
            again = client.post(query, data=gcg, content_type="text/plain", headers={"Accept": accept})
            assert again.status_code == 200
            assert accept != "application/json" or again.get_json() == first.get_json()
    other = client.post(f"{query}&lang=de", data=gcg, content_type="text/plain")
    assert other.get_json() != first.get_json()


def test_an_error_in_a_stream_is_a_line_and_the_end_is_not_complete(lexicon: Lexicon) -> None:
    def broken() -> Iterator[AnnotationNote]:
        yield next(iter(annotation_notes(read_gcg(GCG).record, lexicon, AnnotationOptions())))
        raise InvalidInput("no more", code="broken")

    game, error, end = (json.loads(line) for line in dump_notes(broken()))
    assert game["type"] == "game"
    assert error == {"type": "error", "code": "broken", "params": {}, "detail": "no more"}
    assert end == {"type": "end", "lines": 1, "complete": False}


EVENT = st.tuples(
    st.sampled_from([">ann:", ">bo:", ">cy:", "#note", ""]),
    st.text("ABEIST?ae", max_size=8),
    st.sampled_from(["8H", "H8", "7G", "-", "--", "(challenge)", "(time)", "(AE)", "-AB", "-3", "99Z"]),
    st.text("ABEISTabe.?", max_size=8),
    st.sampled_from(["+5 5", "-5 0", "+0 0", "+x", ""]),
)


@hypothesis.given(st.lists(EVENT, max_size=12))
@hypothesis.settings(max_examples=60, deadline=None, database=None, derandomize=True)
def test_no_record_breaks_the_stream(app: Flask, events: list[tuple[str, ...]]) -> None:
    text = "#player1 ann A\n#player2 bo B\n" + "\n".join(" ".join(parts) for parts in events)
    response = app.test_client().post("/games/annotate", json={"gcg": text}, headers=LINES_ONLY)
    assert response.status_code in (200, 422)
    if response.status_code == 200:
        assert json.loads(response.text.splitlines()[-1])["complete"]


@pytest.mark.parametrize(("accept", "says"), [("text/plain", "najlepsz"), ("text/html", '<html lang="pl">')])
def test_records_and_pages_are_in_the_language_of_the_reader(
    client: FlaskClient, accept: str, says: str
) -> None:
    by_body = client.post(
        "/games/annotate",
        json={"gcg": GCG, "lang": "pl"},
        headers={"Accept": accept, "Accept-Language": "de"},
    )
    by_header = client.post(
        "/games/annotate", json={"gcg": GCG}, headers={"Accept": accept, "Accept-Language": "pl"}
    )
    assert by_body.text == by_header.text
    assert says in by_body.text
    assert by_body.headers["Content-Language"] == by_header.headers["Content-Language"] == "pl"
    assert "Accept-Language" in by_body.vary


def test_lang_in_the_body_of_a_game_names_the_language_of_answer_and_error(client: FlaskClient) -> None:
    headers = {"Accept-Language": "de"}
    explained = client.post(
        "/games/annotate", json={"gcg": GCG, "lang": "pl", "explain": True}, headers=headers
    )
    assert explained.headers["Content-Language"] == "pl"
    refused = client.post("/games/annotate", json={"gcg": "nothing", "lang": "pl"}, headers=headers)
    assert refused.headers["Content-Language"] == "pl"
    assert refused.get_json()["detail"].startswith("wiersz 1: ")


def test_a_game_of_woogles_is_annotated_like_its_gcg(client: FlaskClient) -> None:
    record = read_gcg(GCG).record
    history = json.dumps(format_history(record))
    for asked in ({"json": {"gcg": history}}, {"data": history, "content_type": "text/plain"}):
        found = document(client, **asked)  # type: ignore[arg-type]
        plain = document(client, json={"gcg": GCG})
        assert [turn["best"] for turn in found["turns"]] == [turn["best"] for turn in plain["turns"]]
        assert found["summary"] == plain["summary"]
