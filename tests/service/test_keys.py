"""API keys: who may send requests, the format of the file, and what callers without a key see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from kibitz.cli import kibitz
from service.app import create_app
from service.keys import KeyFile, new_key, read_keys
from service.rates import WRONG_KEYS_PER_MINUTE
from service.settings import SettingsError
from tests.service.serving import Server

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from service.settings import Settings

BODY = {"tiles": [], "rack": "CABDEFE"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def write_keys(path: Path, text: str) -> Path:
    path.touch(0o600)
    path.write_text(text)
    return path


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, str]:
    key, line = new_key("ann")
    return write_keys(tmp_path / "keys", f"# callers\n\n{new_key('bob')[1]}\n{line}\n"), key


@pytest.fixture
def guarded(settings: Settings, keys: tuple[Path, str]) -> FlaskClient:
    """A service that answers only requests with a key."""
    return create_app(replace(settings, api_keys=keys[0], require_key=True)).test_client()


class TestRequests:
    def test_a_known_key_is_accepted_and_others_are_not(
        self, guarded: FlaskClient, keys: tuple[Path, str]
    ) -> None:
        with capture_logs() as logs:
            assert guarded.post("/analyze", json=BODY, headers=bearer(keys[1])).status_code == 200
        assert keys[1] not in repr(logs)
        wrong = [bearer(keys[1] + "x"), bearer(""), bearer("\xff"), {"Authorization": f"Basic {keys[1]}"}]
        for headers in wrong:
            response = guarded.post("/analyze", json=BODY, headers=headers)
            assert (response.status_code, response.get_json()["code"]) == (401, "unknown_key")
            assert response.headers["WWW-Authenticate"] == 'Bearer realm="kibitz"'
        none = guarded.post("/analyze", json=BODY)
        assert (none.status_code, none.get_json()["code"]) == (401, "key_required")
        assert 'kibitz_refused_total{reason="key"} 5.0' in guarded.get("/metrics").text

    @pytest.mark.parametrize("path", ["/livez", "/readyz", "/v1/livez"])
    def test_probes_need_no_key(self, guarded: FlaskClient, path: str) -> None:
        assert guarded.get(path).status_code == 200

    @pytest.mark.parametrize("path", ["/version", "/nowhere", "/livez/", "/v1/version"])
    def test_all_else_needs_one(self, guarded: FlaskClient, path: str) -> None:
        assert guarded.get(path).status_code == 401

    def test_where_no_key_is_required_a_wrong_one_is_refused(
        self, settings: Settings, keys: tuple[Path, str]
    ) -> None:
        client = create_app(replace(settings, api_keys=keys[0])).test_client()
        assert client.get("/version").status_code == 200
        assert client.get("/version", headers=bearer("kbz_wrong")).status_code == 401

    def test_without_a_file_of_keys_the_header_is_ignored(self, client: FlaskClient) -> None:
        assert client.get("/version", headers=bearer("whatever")).status_code == 200

    @pytest.mark.parametrize("path", ["/version", "/metrics", "/nowhere"])
    def test_wrong_keys_count_against_the_address(
        self, settings: Settings, keys: tuple[Path, str], path: str
    ) -> None:
        """On loopback too, where nothing else limits requests; right keys and others are not affected."""
        app = create_app(replace(settings, api_keys=keys[0], key_per_minute=0))
        client = app.test_client()
        statuses = [
            client.get(path, headers=bearer(f"kbz_{number}")).status_code
            for number in range(WRONG_KEYS_PER_MINUTE + 3)
        ]
        assert statuses == [401] * WRONG_KEYS_PER_MINUTE + [429] * 3
        refused = client.get(path, headers=bearer("kbz_wrong"))
        assert int(refused.headers["Retry-After"]) > 0
        assert client.get("/version", headers=bearer(keys[1])).status_code == 200
        assert client.get("/version").status_code == 200
        other = client.get(path, headers=bearer("kbz_wrong"), environ_base=ELSEWHERE)
        assert other.status_code == 401


class TestMetrics:
    @pytest.mark.parametrize(
        ("address", "status"),
        [
            *(("127.0.0.1", 200), ("127.8.9.1", 200), ("::1", 200), ("::ffff:127.0.0.1", 200), ("", 200)),
            *(("192.0.2.7", 401), ("::ffff:192.0.2.7", 401), ("2001:db8::1", 401), ("127.x.example", 401)),
        ],
    )
    def test_they_are_for_this_machine(self, client: FlaskClient, address: str, status: int) -> None:
        """An empty address is that of a unix socket."""
        response = client.get("/metrics", environ_base={"REMOTE_ADDR": address})
        assert response.status_code == status
        if status == 401:
            assert response.get_json()["code"] == "key_required"
            assert "kibitz_" not in response.text

    def test_and_for_owners_of_keys(self, guarded: FlaskClient, keys: tuple[Path, str]) -> None:
        assert guarded.get("/metrics").status_code == 200, "this machine needs no key"
        assert guarded.get("/metrics", environ_base=ELSEWHERE).status_code == 401
        known = guarded.get("/metrics", environ_base=ELSEWHERE, headers=bearer(keys[1]))
        assert known.status_code == 200
        assert guarded.get("/metrics", headers=bearer("kbz_wrong")).status_code == 401

    def test_behind_a_proxy_the_client_counts(self, settings: Settings) -> None:
        client = create_app(replace(settings, proxies=1)).test_client()
        for forwarded, status in (("192.0.2.7", 401), ("127.0.0.1, 192.0.2.7", 401), ("127.0.0.1", 200)):
            headers = {"X-Forwarded-For": forwarded}
            assert client.get("/metrics", headers=headers).status_code == status
        assert client.get("/metrics").status_code == 200, "asked directly, not through the proxy"

    def test_a_proxy_that_the_settings_do_not_know_opens_nothing(self, client: FlaskClient) -> None:
        assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 401


class TestFile:
    def test_only_the_hash_is_stored(self, keys: tuple[Path, str]) -> None:
        path, key = keys
        assert key.startswith("kbz_")
        assert len(key) == 4 + 43
        assert key[4:] not in path.read_text()

    def test_a_removed_key_is_refused_and_a_damaged_file_changes_nothing(
        self, keys: tuple[Path, str]
    ) -> None:
        path, key = keys
        now = [0.0]
        known = KeyFile(path, clock=lambda: now[0])
        assert known.owner(key) == "ann"
        path.write_text("half a li")
        now[0] = 10
        assert known.owner(key) == "ann"
        path.write_text("# nobody\n")
        assert known.owner(key) == "ann", "the file is looked at once a second"
        now[0] = 20
        assert known.owner(key) is None

    @pytest.mark.parametrize("line", ["ann", "ann:abc", "ann:" + "g" * 64, ":" + "0" * 64, "a b:" + "0" * 64])
    def test_an_error_names_the_line(self, tmp_path: Path, line: str) -> None:
        path = write_keys(tmp_path / "keys", f"# first\n{line}\n")
        with pytest.raises(SettingsError, match="keys:2: must be name:hash"):
            read_keys(path)

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o666])
    def test_only_its_owner_may_read_or_write_it(self, keys: tuple[Path, str], mode: int) -> None:
        keys[0].chmod(mode)
        with pytest.raises(SettingsError, match=r"other users may read .* run: chmod 600 "):
            read_keys(keys[0])

    def test_the_command_makes_keys_that_work(self, tmp_path: Path, settings: Settings) -> None:
        path = tmp_path / "keys"
        done = CliRunner().invoke(kibitz, ["key", "ann", "--file", str(path)])
        assert done.exit_code == 0, done.output
        assert path.stat().st_mode & 0o777 == 0o600
        key = done.stdout.split()[-1]
        client = create_app(replace(settings, api_keys=path, require_key=True)).test_client()
        assert client.get("/version", headers=bearer(key)).status_code == 200
        again = CliRunner().invoke(kibitz, ["key", "ann", "--file", str(path)])
        assert again.exit_code == 2
        assert "already" in again.output
        assert CliRunner().invoke(kibitz, ["key", "bob", "--file", str(path)]).exit_code == 0
        assert [name for name, _ in read_keys(path)] == ["ann", "bob"]
        assert CliRunner().invoke(kibitz, ["key", "a:b"]).exit_code == 2
        printed = CliRunner().invoke(kibitz, ["key", "eve"])
        assert printed.stdout.startswith("eve:")
        assert "kbz_" in printed.stderr

    @pytest.mark.process
    @pytest.mark.parametrize("fault", ["missing", "open to others"])
    def test_a_file_that_cannot_be_used_ends_the_start(self, data: Path, tmp_path: Path, fault: str) -> None:
        path = tmp_path / "keys"
        if fault == "open to others":
            write_keys(path, new_key("ann")[1]).chmod(0o644)
        code, lines, err = Server(data, KIBITZ_API_KEYS=str(path)).result()
        assert code != 0
        assert "KIBITZ_API_KEYS: " in err
        assert "Traceback" not in f"{lines}{err}"
