"""Keys, rates, heavy work, browsers: who is let in, how often, and what strangers are told."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from engine import Answer, Timings, __version__
from service import analyst
from service.app import create_app
from service.cli import kibitz
from service.observability.counts import Counts
from service.problems import Problem
from service.protection.heavy import HeavyWork
from service.protection.keys import KeyFile, new_key, read_keys
from service.protection.limiting import RateStorage, allowance
from service.protection.rates import CLIENTS, RateTable
from service.settings import Settings, SettingsError
from tests.service.serving import Server, running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from tests.service.redis_server import RedisServer

BODY = {"tiles": [], "rack": "CABDEFE"}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


class TestKeys:
    @pytest.fixture
    def keys(self, tmp_path: Path) -> tuple[Path, str]:
        key, line = new_key("ann")
        path = tmp_path / "keys"
        path.write_text(f"# callers\n\n{new_key('bob')[1]}\n{line}\n")
        return path, key

    @pytest.fixture
    def client(self, settings: Settings, keys: tuple[Path, str]) -> FlaskClient:
        return create_app(
            replace(settings, api_keys=keys[0], require_key=True, log_level="info")
        ).test_client()

    def test_only_the_hash_is_kept(self, keys: tuple[Path, str]) -> None:
        path, key = keys
        assert key.startswith("kbz_")
        assert len(key) == 4 + 43
        assert key not in path.read_text()
        assert key[4:] not in path.read_text()

    def test_a_good_key_is_let_in_and_others_are_not(
        self, client: FlaskClient, keys: tuple[Path, str]
    ) -> None:
        with capture_logs() as logs:
            good = client.post("/analyze", json=BODY, headers=bearer(keys[1]))
        assert good.status_code == 200
        assert [line["key"] for line in logs] == ["ann"]
        assert keys[1] not in repr(logs)
        wrong = [bearer(keys[1] + "x"), bearer(""), bearer("\xff"), {"Authorization": f"Basic {keys[1]}"}]
        for headers in wrong:
            response = client.post("/analyze", json=BODY, headers=headers)
            assert (response.status_code, response.get_json()["code"]) == (401, "unknown_key")
            assert response.headers["WWW-Authenticate"] == 'Bearer realm="kibitz"'
        none = client.post("/analyze", json=BODY)
        assert (none.status_code, none.get_json()["code"]) == (401, "key_required")
        assert 'kibitz_refused_total{reason="key"} 5.0' in client.get("/metrics").text

    @pytest.mark.parametrize(
        "path",
        ["/livez", "/readyz", "/metrics", "/openapi.json", "/docs", f"/static/{__version__}/docs/docs.js"],
    )
    def test_what_needs_no_key(self, client: FlaskClient, path: str) -> None:
        with client.get(path) as response:
            assert response.status_code == 200

    @pytest.mark.parametrize("path", ["/version", "/nowhere", "/docsx", "/livez/"])
    def test_all_else_needs_one(self, client: FlaskClient, path: str) -> None:
        assert client.get(path).status_code == 401

    def test_without_need_a_stranger_is_let_in_but_not_a_wrong_key(
        self, settings: Settings, keys: tuple[Path, str]
    ) -> None:
        client = create_app(replace(settings, api_keys=keys[0])).test_client()
        assert client.get("/version").status_code == 200
        assert client.get("/version", headers=bearer("kbz_wrong")).status_code == 401

    def test_without_keys_the_header_says_nothing(self, client: FlaskClient, settings: Settings) -> None:
        plain = create_app(settings).test_client()
        assert plain.get("/version", headers=bearer("whatever")).status_code == 200

    def test_a_key_is_taken_back_and_a_damaged_file_changes_nothing(self, keys: tuple[Path, str]) -> None:
        path, key = keys
        now = [0.0]
        known = KeyFile(path, clock=lambda: now[0])
        assert known.owner(key) == "ann"
        path.write_text("half a li")
        now[0] = 10
        assert known.owner(key) == "ann"
        path.write_text("# nobody\n")
        assert known.owner(key) == "ann", "the file is not looked at with every request"
        now[0] = 20
        assert known.owner(key) is None

    @pytest.mark.parametrize("line", ["ann", "ann:abc", "ann:" + "g" * 64, ":" + "0" * 64, "a b:" + "0" * 64])
    def test_a_bad_line_is_named(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "keys").write_text(f"# first\n{line}\n")
        with pytest.raises(SettingsError, match="keys:2: is not name:hash"):
            read_keys(tmp_path / "keys")

    def test_the_command_makes_keys_that_work(self, tmp_path: Path, settings: Settings) -> None:
        path = tmp_path / "keys"
        made = CliRunner().invoke(kibitz, ["key", "ann", "--file", str(path)])
        assert made.exit_code == 0, made.output
        key = made.stdout.split()[-1]
        client = create_app(replace(settings, api_keys=path, require_key=True)).test_client()
        assert client.get("/version", headers=bearer(key)).status_code == 200
        again = CliRunner().invoke(kibitz, ["key", "ann", "--file", str(path)])
        assert again.exit_code == 2
        assert "already" in again.output
        assert CliRunner().invoke(kibitz, ["key", "a:b"]).exit_code == 2
        printed = CliRunner().invoke(kibitz, ["key", "eve"])
        assert printed.stdout.startswith("eve:")
        assert "kbz_" in printed.stderr

    def test_a_missing_file_stops_the_start(self, data: Path, tmp_path: Path) -> None:
        code, lines, err = Server(data, KIBITZ_API_KEYS=str(tmp_path / "none")).result()
        assert code != 0
        assert "KIBITZ_API_KEYS: " in err
        assert "Traceback" not in f"{lines}{err}"


class TestRates:
    def test_an_allowance_is_spent_and_comes_back(self) -> None:
        now = [100.0]
        table = RateTable(clock=lambda: now[0])
        assert [table.take("a", 3, 60) for _ in range(4)] == [True, True, True, False]
        assert table.take("b", 3, 60), "another client has its own"
        now[0] += 60
        assert not table.take("a", 3, 60), "the minute before still counts in full"
        now[0] += 0.1
        assert [table.take("a", 3, 60) for _ in range(2)] == [True, False]
        now[0] += 120
        assert [table.take("a", 3, 60) for _ in range(4)] == [True, True, True, False]
        table.forget("a", 60)
        assert table.windows("a", 60)[:2] == (0, 0)
        assert table.windows("b", 60).left == 60
        assert table.add("b", 60, 7) == 7
        table.forget_all()
        assert table.windows("b", 60).current == 0

    @hypothesis.settings(deadline=None)
    @given(st.integers(1, 300), st.lists(st.floats(0, 90, allow_nan=False), max_size=20))
    def test_never_more_than_the_limit_in_a_window_and_waiting_helps(
        self, limit: int, gaps: list[float]
    ) -> None:
        now = [50.0]
        table = RateTable(clock=lambda: now[0])
        storage = RateStorage("kibitz://", table=table, redis_url=None, timeout=0.1)
        taken: list[float] = []
        for gap in gaps:
            now[0] += gap
            for _ in range(limit // 3 + 1):
                before = allowance(storage, "a", limit)
                allowed = storage.acquire_sliding_window_entry("a", limit, 60)
                assert allowed == (before.remaining > 0) == (before.wait == 0)
                if allowed:
                    taken.append(now[0])
                    assert allowance(storage, "a", limit).remaining == before.remaining - 1
            # All at the end of the window before, then all in this one: the worst that the rule lets through.
            assert sum(when > now[0] - 60 for when in taken) <= 2 * limit
            assert 0 < before.left <= 60
        now[0] += allowance(storage, "a", limit).wait + 1e-6
        assert storage.acquire_sliding_window_entry("a", limit, 60)

    def test_many_clients_take_no_more_memory_and_a_busy_one_is_remembered(self) -> None:
        table = RateTable(clock=lambda: 100.0)
        for _ in range(1000):
            table.take("busy", 1000, 60)
        for number in range(2 * CLIENTS):
            table.take(f"stranger {number}", 1000, 60)
        assert not table.take("busy", 1000, 60)

    def test_the_limit_holds_over_two_workers(self, data: Path) -> None:
        with running(
            data,
            KIBITZ_WORKERS="2",
            KIBITZ_RATE_PER_MINUTE="7",
            KIBITZ_PROXIES="1",
            KIBITZ_DRAIN_SECONDS="0",
        ) as server:

            def ask(address: str) -> tuple[int, dict[str, str], bytes]:
                # A client may put what it likes into the header: only what the proxy appended is believed.
                return server.ask("GET", "/version", headers={"X-Forwarded-For": f"6.6.6.6, {address}"})

            statuses = [ask("192.0.2.1")[0] for _ in range(12)]
            assert statuses == [200] * 7 + [429] * 5
            status, headers, body = ask("192.0.2.1")
            assert (status, json.loads(body)["code"]) == (429, "rate_limited")
            assert 1 <= int(headers["retry-after"]) <= 60
            assert headers["ratelimit"].startswith('"minute";r=0;t=')
            assert headers["ratelimit-policy"] == '"minute";q=7;w=60'
            status, headers, _ = ask("192.0.2.2")
            assert (status, headers["ratelimit"]) == (200, '"minute";r=6;t=60')
            assert ask("2001:db8::1")[0] == 200
            assert "r=5" in ask("2001:db8::ffff:2")[1]["ratelimit"], "one network, one client"
            assert "r=6" in ask("2001:db8:0:1::1")[1]["ratelimit"]
            assert server.ask("GET", "/livez")[0] == 200

    def test_the_limit_holds_over_machines_that_share_a_redis_and_without_it(
        self, settings: Settings, own_redis: RedisServer
    ) -> None:
        """Each application stands for a machine: it has a table of its own."""
        limited = replace(settings, redis_url=own_redis.url, rate_per_minute=5, redis_timeout_ms=1000)
        machines = [create_app(limited).test_client() for _ in range(2)]

        def statuses(count: int) -> list[int]:
            return [machines[number % 2].get("/version").status_code for number in range(count)]

        first = machines[0].get("/version")
        assert (first.status_code, first.headers["RateLimit"]) == (200, '"minute";r=4;t=60')
        assert statuses(6) == [200] * 4 + [429] * 2
        own_redis.kill()
        assert statuses(12) == [200] * 10 + [429] * 2, "each machine goes on by itself"
        own_redis.start()
        for machine in machines:  # the breaker asks again after two seconds: not in this test
            storage = next(iter(machine.application.extensions["limiter"])).storage
            storage.breaker.succeeded()
        assert statuses(6) == [200] * 5 + [429]

    def test_a_refused_body_is_read_so_that_its_answer_arrives(self, data: Path) -> None:
        with running(data, KIBITZ_RATE_PER_MINUTE="1", KIBITZ_DRAIN_SECONDS="0") as server:
            connection = server.connect()
            for expected in (413, 429, 429):
                connection.request("POST", "/analyze", b" " * 900_000, {"Content-Type": "application/json"})
                response = connection.getresponse()
                assert response.status == expected
                assert json.loads(response.read())["status"] == expected
            connection.close()

    def test_routes_that_do_not_exist_count_and_open_ones_do_not(self, settings: Settings) -> None:
        client = create_app(replace(settings, rate_per_minute=2)).test_client()
        assert "RateLimit" not in client.get("/livez").headers
        assert [client.get("/nowhere").status_code for _ in range(3)] == [404, 404, 429]
        assert client.get("/docs").status_code == 200
        refused = client.get("/version")
        assert refused.get_json()["detail"] == "more than 2 requests a minute"
        assert refused.content_type == "application/problem+json"
        assert 'kibitz_refused_total{reason="rate"} 2.0' in client.get("/metrics").text

    @pytest.mark.parametrize(
        ("host", "limit"),
        [("127.0.0.1", 0), ("::1", 0), ("localhost", 0), ("unix:/run/k", 0), ("0.0.0.0", 60), ("::", 60)],
    )
    def test_strangers_are_limited_unless_on_loopback(self, host: str, limit: int) -> None:
        assert Settings(host=host).strangers_per_minute == limit
        assert Settings(host=host, rate_per_minute=7).strangers_per_minute == 7

    def test_a_key_has_an_allowance_of_its_own(self, settings: Settings, tmp_path: Path) -> None:
        key, line = new_key("ann")
        (tmp_path / "keys").write_text(line)
        client = create_app(
            replace(settings, api_keys=tmp_path / "keys", rate_per_minute=1, key_per_minute=3)
        ).test_client()
        assert [client.get("/version").status_code for _ in range(2)] == [200, 429]
        assert [client.get("/version", headers=bearer(key)).status_code for _ in range(4)] == [200] * 3 + [
            429
        ]


class TestHeavyWork:
    def test_the_excess_is_refused_at_once_and_a_slot_comes_back(self) -> None:
        counts = Counts("1")
        counts.begin(["/"])
        work = HeavyWork(2, counts)
        inside, go = threading.Barrier(3), threading.Event()

        def run() -> None:
            with work.slot():
                inside.wait(5)
                go.wait(5)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        inside.wait(5)
        with pytest.raises(Problem) as caught, work.slot():
            pass
        assert (caught.value.code, caught.value.problem_code) == (503, "busy")
        assert caught.value.extra_headers == {"Retry-After": "2"}
        assert b"kibitz_heavy_running 2.0" in counts.told()[0]
        go.set()
        for thread in threads:
            thread.join()
        with pytest.raises(ZeroDivisionError), work.slot():
            raise ZeroDivisionError
        for _ in range(3):
            with work.slot():
                pass
        assert b"kibitz_heavy_running 0.0" in counts.told()[0]
        assert b'kibitz_refused_total{reason="busy"} 1.0' in counts.told()[0]

    def test_heavy_requests_beyond_the_slots_are_refused_unless_the_answer_is_kept(self, data: Path) -> None:
        app = create_app(Settings(data=data, lexicon="small", log_level="error", heavy_at_once=1, threads=2))
        client = app.test_client()
        asked = {"tiles": [], "rack": "FADEDCB", "simulate": {"method": "monte_carlo", "iterations": 30}}
        game = {"gcg": "#player1 a A\n#player2 b B\n>a: FADEDCB 8D FADED +26 26\n", "lexicon": "small"}
        kept = client.post("/analyze", json=asked)
        assert kept.status_code == 200, kept.text
        assert kept.get_json()["moves"][0]["sim"]["iterations"] > 0
        assert client.post("/games/annotate", json=game).status_code == 200
        with app.config["ANALYST"].heavy.slot():
            assert client.post("/analyze", json=asked).data == kept.data
            for path, body in (("/analyze", {**asked, "seed": 7}), ("/games/annotate", game)):
                busy = client.post(path, json=body)
                assert (busy.status_code, busy.get_json()["code"]) == (503, "busy")
                assert int(busy.headers["Retry-After"]) > 0
            assert client.post("/analyze", json={"tiles": [], "rack": "FADEDCB"}).status_code == 200
        assert client.post("/analyze", json={**asked, "seed": 7}).status_code == 200

    def test_equal_heavy_requests_hold_no_more_threads_than_others(
        self, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever waits for a search that another has asked for holds a thread for as long."""
        app = create_app(Settings(data=data, lexicon="small", log_level="error", heavy_at_once=2, threads=4))
        asked = {"tiles": [], "rack": "FADEDCB", "simulate": {"iterations": 30}}
        begun, go = threading.Event(), threading.Event()

        def search(*_: Any, **__: Any) -> Answer:
            begun.set()
            go.wait(10)
            return Answer(b"{}", Timings(), stored=False)

        monkeypatch.setattr(analyst, "answer", search)
        statuses: list[int] = []

        def ask() -> None:
            statuses.append(app.test_client().post("/analyze", json=asked).status_code)

        waiting = [threading.Thread(target=ask) for _ in range(2)]
        for thread in waiting:
            thread.start()
        assert begun.wait(5)
        wait_until(lambda: b"kibitz_heavy_running 2.0" in app.test_client().get("/metrics").data)
        assert app.test_client().post("/analyze", json=asked).get_json()["code"] == "busy"
        go.set()
        for thread in waiting:
            thread.join()
        assert statuses == [200, 200]

    def test_whoever_waits_for_a_search_takes_a_seat_and_no_slot(
        self, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two slots, one stream, two seats and one thread for the rest."""
        given = Settings(data=data, lexicon="small", log_level="error", threads=6, streams_at_once=1)
        assert (given.heavy_slots, given.waiting_seats) == (2, 2)
        app = create_app(given)
        asked = {"tiles": [], "rack": "FADEDCB", "simulate": {"iterations": 30}}
        begun, go, computed = threading.Event(), threading.Event(), []

        def search(*_: Any, **__: Any) -> Answer:
            computed.append(1)
            begun.set()
            go.wait(10)
            return Answer(b"{}", Timings(), stored=False)

        monkeypatch.setattr(analyst, "answer", search)
        statuses: list[int] = []

        def ask(body: dict[str, Any]) -> None:
            statuses.append(app.test_client().post("/analyze", json=body).status_code)

        def running() -> bytes:
            return app.test_client().get("/metrics").data

        equal = [threading.Thread(target=ask, args=(asked,)) for _ in range(3)]
        for thread in equal:
            thread.start()
            assert begun.wait(5)
        wait_until(lambda: app.config["ANALYST"].heavy.seats_taken == 2)
        assert b"kibitz_heavy_running 1.0" in running(), "who waits has left the other slot free"
        other = threading.Thread(target=ask, args=({**asked, "seed": 7},))
        other.start()
        wait_until(lambda: b"kibitz_heavy_running 2.0" in running())
        assert app.test_client().post("/analyze", json=asked).get_json()["code"] == "busy"
        go.set()
        for thread in (*equal, other):
            thread.join()
        assert statuses == [200] * 4
        assert len(computed) == 2
        assert app.config["ANALYST"].heavy.seats_taken == 0

    def test_a_thread_is_left_to_say_no(self) -> None:
        assert Settings(threads=4, heavy_at_once=2).heavy_slots == 2
        assert Settings(threads=2, heavy_at_once=2).heavy_slots == 1
        for threads, heavy, streams in product(range(1, 9), range(1, 9), range(1, 9)):
            given = Settings(threads=threads, heavy_at_once=heavy, streams_at_once=streams)
            assert given.heavy_slots >= 1
            assert given.stream_slots >= 1
            assert given.waiting_seats >= 0
            assert given.heavy_slots + given.stream_slots + given.waiting_seats < given.server_threads
        assert Settings().server_threads >= 3


class TestBrowsers:
    def ask(self, settings: Settings, origins: tuple[str, ...], **headers: str) -> Any:
        client = create_app(replace(settings, cors_origins=origins)).test_client()
        return client.get("/version", headers=headers).headers

    def test_every_answer_has_the_security_headers(self, client: FlaskClient) -> None:
        for response in (
            client.get("/version"),
            client.get("/nowhere"),
            client.post("/analyze", data="x"),
            client.get("/docs"),
        ):
            assert response.headers.getlist("X-Content-Type-Options") == ["nosniff"]
            assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert len(response.headers.getlist("Content-Security-Policy")) == 1
            assert "Access-Control-Allow-Origin" not in response.headers

    def test_a_picture_may_stand_in_any_page(self, client: FlaskClient) -> None:
        headers = client.get("/board.svg?cgp=" + "/".join(["15"] * 15) + " / 0/0 0").headers
        assert headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"]
        assert headers.getlist("Content-Security-Policy") == ["default-src 'none'"]
        assert headers["X-Content-Type-Options"] == "nosniff"

    def test_listed_origins_may_read(self, settings: Settings) -> None:
        listed = ("https://a.example", "http://localhost:3000")
        headers = self.ask(settings, listed, Origin="https://a.example")
        assert headers["Access-Control-Allow-Origin"] == "https://a.example"
        assert "Origin" in headers["Vary"]
        assert "Access-Control-Allow-Credentials" not in headers
        for other in ("https://b.example", "null", "https://a.example.evil", "http://a.example"):
            headers = self.ask(settings, listed, Origin=other)
            assert "Access-Control-Allow-Origin" not in headers
            assert "Origin" in headers["Vary"]
        assert self.ask(settings, ("*",), Origin="null")["Access-Control-Allow-Origin"] == "*"

    def test_a_preflight_is_answered_before_keys_and_rates(self, settings: Settings, tmp_path: Path) -> None:
        (tmp_path / "keys").write_text(new_key("ann")[1])
        client = create_app(
            replace(
                settings,
                cors_origins=("https://a.example",),
                api_keys=tmp_path / "keys",
                require_key=True,
                rate_per_minute=1,
            )
        ).test_client()
        asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
        for _ in range(3):
            response = client.options("/analyze", headers=asked)
            assert response.status_code == 200
            assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
            assert "POST" in response.headers["Access-Control-Allow-Methods"]
        refused = client.post("/analyze", json=BODY, headers={"Origin": "https://a.example"})
        assert refused.status_code == 401
        assert refused.headers["Access-Control-Allow-Origin"] == "https://a.example", (
            "or no page could tell why"
        )

    @pytest.mark.parametrize("value", ["a.example", "https://a.example/", "ftp://a", "https://a b"])
    def test_what_is_no_origin_is_refused(self, value: str) -> None:
        with pytest.raises(SettingsError, match="KIBITZ_CORS_ORIGINS must be origins"):
            Settings.from_environment({"KIBITZ_CORS_ORIGINS": value})


def test_the_need_of_a_key_needs_a_file() -> None:
    with pytest.raises(SettingsError, match="KIBITZ_REQUIRE_KEY needs"):
        Settings.from_environment({"KIBITZ_REQUIRE_KEY": "1"})
