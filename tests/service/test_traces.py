"""Traces: spans of requests, cache, analyses and jobs reach a collector; none without KIBITZ_TRACES."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from engine.extras import install_command
from service.settings import Settings
from tests.service.serving import ROOT, Server, Worker, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service.redis_server import RedisServer

BODY = {"tiles": [], "rack": "CABDEFE", "top_n": 1}
SEARCH = {**BODY, "simulate": {"method": "monte_carlo", "iterations": 10, "candidates": 2}, "seed": 1}
JOB = {"Prefer": "respond-async"}


class Collector:
    """A collector of OTLP over HTTP that stores the spans it gets."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.services: set[str] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                sent = ExportTraceServiceRequest()
                sent.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
                for resource in sent.resource_spans:
                    named = {one.key: one.value.string_value for one in resource.resource.attributes}
                    collector.services.add(named["service.name"])
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.settings = {
            "KIBITZ_TRACES": "1",
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self._server.server_port}",
            "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
            "OTEL_BSP_SCHEDULE_DELAY": "50",
        }
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans if span.name == name]

    def wait(self, *names: str) -> list[Any]:
        """Return the first span of each name, when all have come."""
        wait_until(lambda: all(self.named(name) for name in names))
        return [self.named(name)[0] for name in names]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()
    yield found
    found.close()


def attributes(span: Any) -> dict[str, Any]:
    kinds = ("string_value", "int_value", "bool_value", "double_value")
    return {
        one.key: next(getattr(one.value, kind) for kind in kinds if one.value.HasField(kind))
        for one in span.attributes
    }


def submit(server: Server) -> str:
    status, headers, body = server.ask("POST", "/analyze", SEARCH, JOB)
    assert status == 202, body
    address = headers["location"]

    def has_ended() -> bool:
        return json.loads(server.ask("GET", address)[2])["state"] not in ("queued", "running")

    wait_until(has_ended, 60)
    assert json.loads(server.ask("GET", address)[2])["state"] == "done"
    return address.rpartition("/")[2]


@pytest.mark.process
def test_a_request_has_spans_of_the_cache_and_of_the_analysis(data: Path, collector: Collector) -> None:
    with running(data, KIBITZ_WORKERS="2", **collector.settings) as server:
        assert server.ask("POST", "/analyze", BODY)[0] == 200
        request, lookup, generated, stored = collector.wait(
            "POST /analyze", "cache lookup", "generate", "cache store"
        )
        server.ask("POST", "/analyze", SEARCH)
        (searched,) = collector.wait("search")
    assert {span.trace_id for span in (request, lookup, generated, stored)} == {request.trace_id}
    assert generated.parent_span_id == request.span_id
    assert lookup.parent_span_id == stored.parent_span_id == generated.span_id
    assert attributes(generated)["kibitz.cached"] is False
    assert attributes(generated)["kibitz.lexicon"] == "small"
    assert attributes(generated)["kibitz.seconds.gen"] > 0
    assert attributes(lookup)["kibitz.hits"] == 0
    assert searched.trace_id != request.trace_id
    assert collector.services == {"kibitz"}


@pytest.mark.process
def test_spans_hold_no_positions_and_probes_have_none(data: Path, collector: Collector) -> None:
    with running(data, **collector.settings) as server:
        assert server.ask("GET", "/analyze?cgp=15/15/15/15/15/15/15/15/15/15/15/15/15/15/15%20CABDEFE/")[0]
        server.ask("GET", "/readyz")
        (request,) = collector.wait("GET /analyze")
        assert server.stop()[0] == 0, "the last spans are exported at its end"
    assert "CABDEFE" not in str(collector.spans)
    assert attributes(request)["http.target"] == "/analyze"
    assert not [span for span in collector.spans if "readyz" in span.name or "livez" in span.name]


def test_a_job_of_a_worker_is_part_of_the_trace_of_its_request(
    data: Path, own_redis: RedisServer, collector: Collector
) -> None:
    with running(data, KIBITZ_REDIS_URL=own_redis.url, **collector.settings) as server:
        worker = Worker(data, own_redis.url, **collector.settings)
        try:
            job_id = submit(server)
            request, job, searched = collector.wait("POST /analyze", "job analyze", "search")
        finally:
            worker.kill()
    assert job.trace_id == searched.trace_id == request.trace_id
    assert job.parent_span_id == request.span_id
    assert searched.parent_span_id == job.span_id
    assert attributes(job)["kibitz.job"] == job_id


@pytest.mark.process
def test_a_job_of_a_thread_is_part_of_the_trace_of_its_request(data: Path, collector: Collector) -> None:
    with running(data, **collector.settings) as server:
        submit(server)
        request, job = collector.wait("POST /analyze", "job analyze")
    assert (job.trace_id, job.parent_span_id) == (request.trace_id, request.span_id)


@pytest.mark.process
def test_a_trace_continues_that_of_the_client(data: Path, collector: Collector) -> None:
    given = "0af7651916cd43dd8448eb211c80319c"
    with running(data, **collector.settings) as server:
        server.ask("GET", "/version", headers={"traceparent": f"00-{given}-b7ad6b7169203331-01"})
        (request,) = collector.wait("GET /version")
    assert request.trace_id.hex() == given


def test_without_a_collector_answers_and_jobs_are_the_same(data: Path, own_redis: RedisServer) -> None:
    nowhere = {"KIBITZ_TRACES": "1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with running(data, KIBITZ_REDIS_URL=own_redis.url, **nowhere) as server:
        worker = Worker(data, own_redis.url, **nowhere)
        try:
            assert server.ask("POST", "/analyze", BODY)[0] == 200
            submit(server)
        finally:
            worker.kill()
        assert server.stop()[0] == 0


def python(code: str, data: Path) -> subprocess.CompletedProcess[str]:
    environment = {"KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small", "PATH": ""}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.mark.process
def test_without_the_setting_nothing_is_imported(data: Path) -> None:
    assert Settings().traces is False
    code = """
import sys
from service.app import create_app
client = create_app().test_client()
assert client.post("/analyze", json={"tiles": [], "rack": "CABDEFE"}).status_code == 200
assert not [name for name in sys.modules if name.startswith("opentelemetry")]
"""
    done = python(code, data)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("command", "code"), [("serve", 1), ("worker", 2)])
def test_without_the_extra_the_setting_is_an_error_of_one_line(
    data: Path, own_redis: RedisServer, command: str, code: int
) -> None:
    script = f"""
import os, sys
sys.modules["opentelemetry"] = None
os.environ["KIBITZ_TRACES"] = "1"
os.environ["KIBITZ_PORT"] = "0"
os.environ["KIBITZ_REDIS_URL"] = {own_redis.url!r}
sys.argv = ["kibitz", {command!r}]
if {command!r} == "serve":
    from service.gunicorn_conf import application
    application()
from kibitz.cli import main
main()
"""
    done = python(script, data)
    assert done.returncode == code
    assert done.stderr == f"Error: KIBITZ_TRACES needs OpenTelemetry: {install_command('telemetry')}\n"
