"""Settings: typed and validated, and unknown variables are errors."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from service.settings import FOREIGN, Settings, SettingsError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the settings of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith("KIBITZ_"):
            monkeypatch.delenv(name)


def read(monkeypatch: pytest.MonkeyPatch, **given: str) -> Settings:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return Settings.from_environment()


def test_defaults_need_no_environment() -> None:
    settings = Settings.from_environment()
    assert (settings.host, settings.port, settings.workers, settings.threads) == ("127.0.0.1", 8080, 1, 80)
    assert settings.redis_url == ""


def test_values_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(
        monkeypatch,
        KIBITZ_PORT="9000",
        KIBITZ_DATA="~/k",
        KIBITZ_REQUIRE_KEY="yes",
        KIBITZ_API_KEYS="/srv/keys",
        KIBITZ_DRAIN_SECONDS="0.5",
        KIBITZ_CORS_ORIGINS="https://a.example, http://localhost:3000",
    )
    assert settings.port == 9000
    assert settings.data == Path.home() / "k"
    assert settings.require_key is True
    assert settings.api_keys == Path("/srv/keys")
    assert settings.drain_seconds == 0.5
    assert settings.cors_origins == ("https://a.example", "http://localhost:3000")


def test_an_unknown_variable_is_an_error_that_names_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        SettingsError, match=r"KIBITZ_REDISURL is not a setting.*did you mean KIBITZ_REDIS_URL\?"
    ):
        read(monkeypatch, KIBITZ_REDISURL="redis://x")


def test_the_variables_of_build_and_tests_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"KIBITZ_DEBUG", "KIBITZ_IN_PLACE", "KIBITZ_LAB", "KIBITZ_SHARED_DATA"} == FOREIGN
    read(monkeypatch, **dict.fromkeys(FOREIGN, "1"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KIBITZ_PORT", "http"),
        ("KIBITZ_PORT", ""),
        ("KIBITZ_PORT", "65536"),
        ("KIBITZ_PORT", "-1"),
        ("KIBITZ_PORT", "9" * 5000),
        ("KIBITZ_THREADS", "7"),
        ("KIBITZ_REQUIRE_KEY", "maybe"),
        ("KIBITZ_LOG_LEVEL", "loud"),
        ("KIBITZ_DRAIN_SECONDS", "nan"),
        ("KIBITZ_DRAIN_SECONDS", "inf"),
        ("KIBITZ_LEXICON", " "),
        ("KIBITZ_DATA", ""),
        ("KIBITZ_API_KEYS", ""),
        *(("KIBITZ_REDIS_URL", url) for url in ("localhost:6379", "http://x", "redis://x:port", "redis://x:65536")),
        *(("KIBITZ_CORS_ORIGINS", origin) for origin in ("a.example", "https://a.example/", "ftp://a")),
        *(("KIBITZ_CORS_ORIGINS", origin) for origin in ("https://a b", "https://*.a", "https://[::1]:3000")),
    ],
)  # fmt: skip
def test_a_bad_value_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=f"^{name}: "):
        read(monkeypatch, **{name: value})


def test_all_faults_are_listed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        read(monkeypatch, KIBITZ_PORT="x", KIBITZ_THREADS="0", KIBITZ_BORT="1")
    assert len(str(caught.value).splitlines()) == 3


def test_a_required_key_needs_a_file_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="KIBITZ_REQUIRE_KEY needs"):
        read(monkeypatch, KIBITZ_REQUIRE_KEY="1")


def test_options_of_the_command_line_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_PORT", "no number")
    assert Settings.from_environment(port=7000, host=None).port == 7000


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "secret" not in repr(Settings(redis_url="redis://:secret@host", cache_key="secret"))
    with pytest.raises(SettingsError) as caught:
        read(monkeypatch, KIBITZ_REDIS_URL="redis://:secret@host:port")
    assert "secret" not in str(caught.value)


def test_every_setting_has_a_meaning() -> None:
    for name, _default, meaning in Settings.table():
        assert re.fullmatch(r"KIBITZ_[A-Z_]+", name)
        assert meaning
