"""deploy/: its settings, metrics and commands exist, and its time-outs agree with those of the service."""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kibitz.cli import COMMANDS
from service.metrics import Metrics
from service.settings import Settings
from tests.service.nginx import nginx_binary, write_configuration

if TYPE_CHECKING:
    from types import ModuleType

DEPLOY = Path(__file__).parents[2] / "deploy"


def environment(*, commented: bool = False) -> dict[str, str]:
    """Read kibitz.env; `commented`: the settings that are commented out as well."""
    pattern = r"^#?(KIBITZ_[A-Z_]+)=(.*)$" if commented else r"^(KIBITZ_[A-Z_]+)=(.*)$"
    return dict(re.findall(pattern, (DEPLOY / "kibitz.env").read_text(), re.MULTILINE))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """compose.yaml, with the name of each variable that it requires as its value."""
    text = re.sub(r"\$\{(\w+):\?\}", r"\1", (DEPLOY / "compose.yaml").read_text())
    document: dict[str, Any] = yaml.safe_load(text)
    return document


@pytest.fixture(scope="module")
def settings(compose: dict[str, Any]) -> Settings:
    """The settings of the service in compose.yaml; the host is that of the Dockerfile."""
    given = {**environment(), **compose["services"]["kibitz"]["environment"], "KIBITZ_HOST": "0.0.0.0"}
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("KIBITZ_")]:
            patch.delenv(name)
        for name, value in given.items():
            patch.setenv(name, value)
        return Settings.from_environment()


def test_the_settings_are_settings_and_the_defaults_are_the_defaults(settings: Settings) -> None:
    assert settings.workers == 2
    assert settings.anonymous_per_minute == 60
    assert settings.redis_url == "redis://:REDIS_PASSWORD@redis:6379/0"
    assert settings.cache_key == "KIBITZ_CACHE_KEY"
    defaults = {name: default for name, default, _ in Settings.table()}
    shown = environment(commented=True)
    assert shown.keys() <= defaults.keys()
    for name, value in shown.items():
        if name not in environment() and value.isdigit():
            assert value in (defaults[name], {"False": "0"}.get(defaults[name])), name


def test_only_the_proxy_is_reached_from_outside(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"kibitz", "worker", "redis", "nginx"}
    assert [name for name, service in services.items() if "ports" in service] == ["nginx"]
    assert all(port.startswith("127.0.0.1:") for port in services["nginx"]["ports"])
    assert compose["networks"]["inside"] == {"internal": True}
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_redis_is_bounded_and_evicts_cached_values_but_no_waiting_job(compose: dict[str, Any]) -> None:
    command = compose["services"]["redis"]["command"]
    assert command[command.index("--maxmemory") + 1] == "256mb"
    assert command[command.index("--maxmemory-policy") + 1] == "volatile-lru"


def test_redis_needs_a_password_and_no_file_holds_it(compose: dict[str, Any]) -> None:
    redis = compose["services"]["redis"]
    command = redis["command"]
    assert (
        command[command.index("--requirepass") + 1]
        == redis["environment"]["REDISCLI_AUTH"]
        == "REDIS_PASSWORD"
    )
    assert "--protected-mode" not in command
    text = (DEPLOY / "compose.yaml").read_text()
    assert "deploy/.env" in text, "how to make it"
    assert "/deploy/.env" in (DEPLOY.parent / ".gitignore").read_text().splitlines()


def test_the_metrics_files_have_a_bounded_volume_of_their_own(compose: dict[str, Any]) -> None:
    service = compose["services"]["kibitz"]
    folder = service["environment"]["PROMETHEUS_MULTIPROC_DIR"]
    (volume,) = [one for one in service["tmpfs"] if one.startswith(folder)]
    assert "size=32m" in volume
    assert "uid=10001" in volume, "the user of the Dockerfile"
    text = (DEPLOY / "kibitz.service").read_text()
    (folder,) = re.findall(r"^Environment=PROMETHEUS_MULTIPROC_DIR=(\S+)$", text, re.MULTILINE)
    assert re.search(rf"^TemporaryFileSystem={folder}:size=32M", text, re.MULTILINE)


def test_the_worker_reads_what_the_service_reads_and_may_finish_its_job(compose: dict[str, Any]) -> None:
    service, worker = compose["services"]["kibitz"], compose["services"]["worker"]
    assert worker["command"] == ["worker"]
    for name in ("image", "env_file"):
        assert worker[name] == service[name]
    assert worker["environment"].items() <= service["environment"].items()
    assert float(worker["stop_grace_period"].removesuffix("s")) > 60


def unit() -> configparser.RawConfigParser:
    read = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    read.optionxform = str  # type: ignore[method-assign,assignment]
    read.read(DEPLOY / "kibitz.service")
    return read


def test_stop_timeouts_are_longer_than_draining_takes(compose: dict[str, Any], settings: Settings) -> None:
    needed = settings.drain_seconds + settings.graceful_seconds
    assert float(compose["services"]["kibitz"]["stop_grace_period"].removesuffix("s")) > needed
    assert float(unit()["Service"]["TimeoutStopSec"]) > needed


@pytest.mark.process
def test_systemd_reads_the_unit() -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("needs systemd-analyze")
    done = subprocess.run([tool, "verify", str(DEPLOY / "kibitz.service")], capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert not [line for line in complaints if "kibitz.service" in line]


def test_the_proxy_names_the_client_and_denies_the_operators_pages() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in text
    assert environment()["KIBITZ_PROXIES"] == "1"
    assert "location = /metrics { deny all; }" in text
    assert "location ~ ^/(v1/)?readyz$ { deny all; }" in text
    size = re.search(r"client_max_body_size (\d+)m;", text)
    assert size
    bodies = Settings().max_body_bytes, Settings().max_gcg_bytes, Settings().max_batch_bytes
    assert int(size[1]) << 20 > max(bodies)


@pytest.mark.process
def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    path = write_configuration(tmp_path, 8081, 8080)
    done = subprocess.run(
        [nginx_binary(), "-t", "-p", str(tmp_path), "-c", str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_runbook_names_only_what_exists() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    known = {name for name, _, _ in Settings.table()}
    assert set(re.findall(r"KIBITZ_[A-Z_]+", text)) <= known
    text_of_metrics = Metrics("1").render("")[0].decode()
    metrics = set(re.findall(r"^# TYPE (\S+)", text_of_metrics, re.MULTILINE))
    assert set(re.findall(r"\bkibitz_[a-z_]+", text)) <= metrics
    assert set(re.findall(r"`kibitz ([a-z]+)", text)) <= set(COMMANDS)
    for name in re.findall(r"`([a-zA-Z][a-zA-Z./-]*\.(?:env|conf|service|yaml|json))`", text):
        assert (DEPLOY / name).is_file(), name


def test_the_image_runs_as_an_unprivileged_user_with_a_health_check() -> None:
    text = (DEPLOY.parent / "Dockerfile").read_text()
    final = text[text.rindex("FROM ") :]
    assert re.search(r"^USER 10001$", final, re.MULTILINE)
    assert "/livez" in final[final.index("HEALTHCHECK") :]
    assert re.search(r"^STOPSIGNAL SIGTERM$", final, re.MULTILINE)


@pytest.fixture(scope="module")
def replay() -> ModuleType:
    found = importlib.util.spec_from_file_location("try_dockerfile", DEPLOY / "try_dockerfile.py")
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # where its dataclass looks for itself
    found.loader.exec_module(module)
    return module


def test_the_replay_knows_every_step_of_the_dockerfile(replay: ModuleType) -> None:
    steps = replay.instructions((DEPLOY.parent / "Dockerfile").read_text())
    assert [name for name, _ in steps].count("FROM") == 2
    for name, rest in steps:
        assert callable(getattr(replay.Replay, f"run_{name.lower()}")), name
        if name == "FROM":
            assert rest.partition(" AS ")[0] == replay.BASE
        if name in ("ENTRYPOINT", "CMD", "HEALTHCHECK"):
            assert replay.json_words(rest)
    assert ("ARG", "LEXICONS=club") in steps
    (tables,) = [rest for name, rest in steps if name == "RUN" and 'lexicon build "$id"' in rest]
    assert "$LEXICONS" in tables


@pytest.mark.process
def test_the_image_has_the_lists_of_its_lexicons_only(replay: ModuleType, tmp_path: Path) -> None:
    """The command of the Dockerfile, in a folder that stands for the image."""
    steps = replay.instructions((DEPLOY.parent / "Dockerfile").read_text())
    (command,) = [rest for name, rest in steps if name == "RUN" and "$LEXICONS" in rest]
    lists = tmp_path / "opt/kibitz/lib/python3.11/site-packages/lexicons"
    for name in ("club", "french", "spanish", "licences"):
        (lists / name).mkdir(parents=True)
        if name != "licences":
            (lists / name / "manifest.json").touch()
    program = tmp_path / "opt/kibitz/bin/kibitz"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\n')
    program.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "LEXICONS": "club french"}
    command = command.replace("/opt/kibitz", f"{tmp_path}/opt/kibitz")
    subprocess.run(["sh", "-c", command], env=environment, check=True)
    assert (tmp_path / "called").read_text() == "lexicon build club\nlexicon build french\n"
    assert sorted(path.name for path in lists.iterdir()) == ["club", "french", "licences"]


def test_the_context_of_the_replay_is_what_dockerignore_lets_through(
    replay: ModuleType, tmp_path: Path
) -> None:
    replay.copy_context(tmp_path)
    assert (tmp_path / "pyproject.toml").is_file()
    assert (tmp_path / "lexicons" / "scowl80" / "words.txt.xz").is_file()
    assert not (tmp_path / "tests").exists()
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".so", ".pyc")]


@pytest.mark.process
def test_the_replay_says_what_it_lacks() -> None:
    done = subprocess.run(
        [sys.executable, str(DEPLOY / "try_dockerfile.py")],
        env={"PATH": "/nonexistent"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "not tried: needs " in done.stderr
