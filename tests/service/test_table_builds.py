"""A bundled lexicon is built at its first request: 503 until its tables are there, once for all workers."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from engine import LANGUAGES, Catalogue
from engine.lexicon.build_lock import try_lock
from lexicons.dictionaries import open_list
from service.app import create_app
from service.settings import Settings
from service.state import EXTENSION
from service.table_build import BuildNote, note_path
from tests.lexicon.test_catalogue import TEXT, shelf
from tests.service.documented import DocumentedClient
from tests.service.serving import children, running, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

__all__ = ["shelf"]  # a fixture: a folder of bundled lexicons with the tiny one "tiny"

pytestmark = pytest.mark.process

POSITION = {"tiles": [], "rack": "CABSXYZ", "lexicon": "tiny"}
RECORD = "#player1 A A\n#player2 B B\n#lexicon Tiny\n>A: ABCDEFG 8H CAB +14 14\n"


@pytest.fixture
def own_data(data: Path, tmp_path: Path) -> Path:
    """A data folder with the table of `small` only."""
    tables = tmp_path / "data" / "tables"
    tables.mkdir(parents=True)
    shutil.copy(data / "tables" / "small.kibitz", tables)
    return tables.parent


def app_client(data: Path) -> FlaskClient:
    app = create_app(Settings(data=data, lexicon="small", log_level="error"))
    app.test_client_class = DocumentedClient
    return app.test_client()


@pytest.fixture
def client(shelf: Path, own_data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """The application with the bundled lexicon `tiny`, whose table is not built."""
    monkeypatch.setattr("service.app.Catalogue", partial(Catalogue, bundled=shelf))
    client = app_client(own_data)
    yield client
    client.application.extensions[EXTENSION].tables.close()


def build_lock(catalogue: Catalogue) -> int:
    """Hold the lock of a table, as a command that builds it does."""
    lock = try_lock(catalogue.tables / ".tiny.lock")
    assert lock is not None
    return lock


def events(out: str) -> list[dict[str, Any]]:
    """Return the lines that the processes of builds have logged."""
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


def listed(client: FlaskClient, lexicon: str = "tiny") -> dict[str, Any]:
    found = client.get("/lexicons").get_json()["lexicons"]
    (entry,) = [entry for entry in found if entry["id"] == lexicon]
    return dict(entry)


def problem(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.get_json().get("code", "")


def test_the_first_request_builds_and_a_later_one_is_answered(client: FlaskClient) -> None:
    assert (listed(client)["status"], listed(client)["share"]) == ("not_built", None)
    response = client.post("/analyze", json=POSITION)
    assert problem(response) == (503, "table_not_ready")
    assert response.get_json()["params"] == {"lexicon": "tiny", "share": 0.0, "seconds": 1}
    assert response.headers["Retry-After"] == "1"
    wait_until(lambda: client.post("/analyze", json=POSITION).status_code == 200)
    assert listed(client)["status"] == "ready"
    assert client.get("/lexicons/tiny/words/SCAB").get_json()["valid"] is True


def test_every_operation_waits_for_the_table(client: FlaskClient) -> None:
    catalogue = client.application.extensions[EXTENSION].catalogue
    lock = build_lock(catalogue)
    try:
        assert listed(client)["status"] == "building"
        answers = [
            client.post("/analyze", json=POSITION),
            client.post("/analyze", json={"cgp": f"{'/'.join(['15'] * 15)} A/ 0/0 0 lex Tiny;"}),
            client.post("/games/annotate", json={"gcg": RECORD}),
            client.post("/words/judge", json={"words": ["CAB"], "lexicon": "TINY"}),
            client.get("/lexicons/tiny/words/CAB"),
            client.get("/lexicons/tiny/search?pattern=C..."),
            client.get("/lexicons/small/diff?old=tiny"),
        ]
        assert [problem(answer) for answer in answers] == [(503, "table_not_ready")] * len(answers)
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in answers)
        items = client.post("/batch", json=[POSITION, {**POSITION, "lexicon": "small"}]).get_json()
        assert [item["status"] for item in items] == [503, 200]
        assert items[0]["problem"]["code"] == "table_not_ready"
        assert client.get("/readyz").status_code == 200
    finally:
        os.close(lock)
    assert listed(client)["status"] == "not_built"
    wait_until(lambda: client.post("/games/annotate", json={"gcg": RECORD}).status_code == 200)


def test_one_table_at_a_time_is_built_for_requests(own_data: Path) -> None:
    client = app_client(own_data)  # over the lists that kibitz comes with
    before = set(children(os.getpid()))
    try:
        assert problem(client.get("/lexicons/dutch/words/DE")) == (503, "table_not_ready")
        waiting = client.get("/lexicons/danish/words/DE", headers={"Accept-Language": "de"})
        assert problem(waiting) == (503, "table_not_ready")
        assert waiting.get_json()["params"]["other"] == "dutch"
        assert waiting.get_json()["detail"].startswith("die Tabellen von danish werden nach denen von dutch")
        first = client.get("/lexicons/dutch/words/DE")
        assert int(waiting.headers["Retry-After"]) > int(first.headers["Retry-After"])
        assert len(set(children(os.getpid())) - before) == 1
        assert [listed(client, name)["status"] for name in ("dutch", "danish")] == ["building", "not_built"]
    finally:
        client.application.extensions[EXTENSION].tables.close()
    wait_until(lambda: set(children(os.getpid())) <= before)
    assert problem(client.get("/lexicons/danish/words/DE")) == (503, "table_not_ready")
    assert listed(client, "danish")["status"] == "building"
    client.application.extensions[EXTENSION].tables.close()
    wait_until(lambda: set(children(os.getpid())) <= before)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_why_a_table_is_not_ready_is_translated(client: FlaskClient, language: str) -> None:
    lock = build_lock(client.application.extensions[EXTENSION].catalogue)
    try:
        english, other = [
            client.get("/lexicons/tiny/words/CAB", headers={"Accept-Language": lang}).get_json()
            for lang in ("en", language)
        ]
    finally:
        os.close(lock)
    assert english["params"] == other["params"] == {"lexicon": "tiny", "share": 0.0, "seconds": 1}
    assert english["detail"] == "the tables of tiny are being built, 0% done: ask again in 1 s"
    assert other["detail"] != english["detail"]


def test_an_outdated_table_is_built_again(client: FlaskClient, own_data: Path) -> None:
    (own_data / "tables" / "tiny.kibitz").write_bytes(b"of another version")
    assert listed(client)["status"] == "damaged"
    assert problem(client.post("/analyze", json=POSITION)) == (503, "table_not_ready")
    wait_until(lambda: client.post("/analyze", json=POSITION).status_code == 200)


def test_readyz_starts_the_repair_of_the_default_lexicon(
    shelf: Path, own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy sends no other requests to a server that is not ready."""
    Catalogue(own_data, bundled=shelf).ensure("tiny")
    monkeypatch.setattr("service.app.Catalogue", partial(Catalogue, bundled=shelf))
    client = create_app(Settings(data=own_data, lexicon="tiny", log_level="error")).test_client()
    assert client.get("/readyz").status_code == 200
    (own_data / "tables" / "tiny.kibitz").unlink()
    (own_data / "tables" / "tiny.kibitz").write_bytes(b"damaged")
    client.application.extensions[EXTENSION].catalogue.verify_open()
    assert problem(client.get("/readyz")) == (503, "table_not_ready")
    wait_until(lambda: client.get("/readyz").status_code == 200)
    client.application.extensions[EXTENSION].tables.close()


def test_a_build_that_fails_is_logged_and_tried_again_later(
    client: FlaskClient, shelf: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words = shelf / "tiny" / "words.txt.xz"
    words.write_bytes(lzma.compress(b"other\n"))
    assert problem(client.post("/analyze", json=POSITION)) == (503, "table_not_ready")
    wait_until(lambda: problem(client.post("/analyze", json=POSITION)) == (503, "table_build_failed"))
    response = client.get("/lexicons/tiny/words/CAB")
    assert response.get_json()["code"] == "table_build_failed"
    assert 1 < int(response.headers["Retry-After"]) <= 60
    assert str(shelf) not in response.text, "only the log has paths"
    failures: list[dict[str, Any]] = []

    def is_logged() -> bool:  # by another process, a moment after the answers say so
        logged = events(capfd.readouterr().out)
        failures.extend(line for line in logged if line["event"] == "table_build_failed")
        return bool(failures)

    wait_until(is_logged)
    (failure,) = failures
    assert "is not the list of its manifest" in failure["reason"]
    words.write_bytes(lzma.compress(TEXT))
    monkeypatch.setattr("service.table_builds.RETRY_SECONDS", 0.0)
    wait_until(lambda: client.post("/analyze", json=POSITION).status_code == 200)


def test_a_data_folder_that_cannot_be_written_is_a_failure(
    client: FlaskClient, own_data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (own_data / "tables" / ".tiny.lock").mkdir()  # root can write into a read-only folder
    wait_until(lambda: problem(client.post("/analyze", json=POSITION)) == (503, "table_build_failed"))
    assert problem(client.post("/analyze", json=POSITION)) == (503, "table_build_failed")
    assert client.post("/analyze", json={**POSITION, "lexicon": "small"}).status_code == 200
    logged = [line["event"] for line in events(capfd.readouterr().out)]
    assert logged.count("table_build_failed") == 1


def test_a_full_disk_is_named_and_leaves_no_table(shelf: Path, tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path / "data", bundled=shelf)
    build = [sys.executable, "-m", "service.table_build", str(catalogue.data_directory), str(shelf), "tiny"]
    done = subprocess.run(  # a limit of one block of a file stands for the full disk
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *build],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert events(done.stdout)[-1]["reason"] == "[Errno 27] File too large"
    left = {path.name for path in catalogue.tables.iterdir()}
    assert left == {".tiny.lock", ".tiny.build", "requested_build.lock"}


def test_a_killed_build_is_a_failure_and_leaves_no_lock(
    own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = app_client(own_data)  # over the lists that kibitz comes with
    position = {**POSITION, "lexicon": "dutch"}
    before = set(children(os.getpid()))
    with capture_logs() as logs:
        assert problem(client.post("/analyze", json=position)) == (503, "table_not_ready")
        assert listed(client, "dutch")["status"] == "building"
        (build,) = set(children(os.getpid())) - before
        wait_until(lambda: (listed(client, "dutch")["share"] or 0) > 0)
        os.kill(build, signal.SIGKILL)
        wait_until(lambda: problem(client.post("/analyze", json=position)) == (503, "table_build_failed"))
    assert listed(client, "dutch")["status"] == "not_built"
    (failure,) = [line for line in logs if line["event"] == "table_build_failed"]
    assert "ended with status -9" in failure["reason"]
    monkeypatch.setattr("service.table_builds.RETRY_SECONDS", 0.0)
    assert problem(client.post("/analyze", json=position)) == (503, "table_not_ready")
    client.application.extensions[EXTENSION].tables.close()  # as a worker does at its end
    wait_until(lambda: set(children(os.getpid())) <= before)


def test_a_build_that_was_killed_is_a_failure_for_every_worker(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for one that has not started it; otherwise each worker would start it at once."""
    BuildNote(time.time()).write(note_path(client.application.extensions[EXTENSION].catalogue, "tiny"))
    with capture_logs() as logs:
        for _ in range(2):
            assert problem(client.post("/analyze", json=POSITION)) == (503, "table_build_failed")
    assert [line["event"] for line in logs].count("table_build_failed") == 1
    monkeypatch.setattr("service.table_builds.RETRY_SECONDS", 0.0)
    wait_until(lambda: client.post("/analyze", json=POSITION).status_code == 200)


def test_workers_share_one_build(own_data: Path) -> None:
    """Over a real server with two workers; Dutch is the smallest list, and takes five to ten seconds."""
    position = {**POSITION, "rack": "AEHINRT", "lexicon": "dutch"}
    with running(own_data, KIBITZ_WORKERS="2") as server, ThreadPoolExecutor(12) as threads:
        wait_until(lambda: len(server.workers()) == 2)  # the server answers as soon as its first worker does
        asked = [threads.submit(server.ask, "POST", "/analyze", position) for _ in range(12)]
        first = [one.result() for one in asked]
        assert {status for status, _, _ in first} == {503}
        assert all(b'"table_not_ready"' in body for _, _, body in first)
        # Two workers may start it at the same time; one of the processes then ends at once.
        wait_until(lambda: sum(len(children(worker)) for worker in server.workers()) == 1)
        left = [int(first[0][1]["retry-after"])]

        def answered() -> bool:
            status, headers, _ = server.ask("POST", "/analyze", position)
            left.append(int(headers.get("retry-after", 0)))
            return status == 200

        wait_until(answered, seconds=120)
        assert min(left[:-1]) < left[0]
        again = [server.ask("POST", "/analyze", position)[0] for _ in range(20)]
        assert set(again) == {200}
        assert server.ask("GET", "/readyz")[0] == 200
        code, lines, _ = server.stop()
    assert code == 0
    logged = [line["event"] for line in lines]
    assert (logged.count("table_build_started"), logged.count("table_built")) == (1, 1)
    assert Catalogue(own_data).open("dutch").word_count == open_list("dutch").words
