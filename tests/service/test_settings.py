"""Settings: typed, checked, and nothing unknown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.settings import FOREIGN, Settings, SettingsError


def test_defaults_need_no_environment() -> None:
    settings = Settings.from_environment({"PATH": "/bin", "HOME": "/nowhere"})
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8080, 1)
    assert settings.redis_url is None


def test_values_are_typed() -> None:
    settings = Settings.from_environment(
        {
            "KIBITZ_PORT": "9000",
            "KIBITZ_DATA": "/srv/k",
            "KIBITZ_VERIFY": "yes",
            "KIBITZ_DRAIN_SECONDS": "0.5",
        }
    )
    assert settings.port == 9000
    assert settings.data == Path("/srv/k")
    assert settings.verify is True
    assert settings.drain_seconds == 0.5


def test_an_unknown_variable_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(
        SettingsError, match=r"KIBITZ_REDISURL is no setting.*did you mean KIBITZ_REDIS_URL\?"
    ):
        Settings.from_environment({"KIBITZ_REDISURL": "redis://x"})


def test_the_variables_of_the_build_are_known() -> None:
    assert {"KIBITZ_DEBUG", "KIBITZ_SIMD", "KIBITZ_SHARED_DATA"} == FOREIGN
    Settings.from_environment(dict.fromkeys(FOREIGN, "1"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KIBITZ_PORT", "http"),
        ("KIBITZ_PORT", "65536"),
        ("KIBITZ_PORT", "-1"),
        ("KIBITZ_PORT", "1_000"),
        ("KIBITZ_PORT", "٣"),
        ("KIBITZ_PORT", "9" * 5000),
        ("KIBITZ_VERIFY", "maybe"),
        ("KIBITZ_REDIS_URL", "localhost:6379"),
        ("KIBITZ_LOG_LEVEL", "loud"),
        ("KIBITZ_DRAIN_SECONDS", "nan"),
        ("KIBITZ_DRAIN_SECONDS", "inf"),
        ("KIBITZ_LEXICON", " "),
        ("KIBITZ_DATA", ""),
    ],
)
def test_a_bad_value_is_an_error_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: value})


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"KIBITZ_PORT": "x", "KIBITZ_THREADS": "0", "KIBITZ_BORT": "1"})
    assert len(str(caught.value).splitlines()) == 3


def test_options_of_the_command_line_win() -> None:
    assert Settings.from_environment({"KIBITZ_PORT": "9000"}, port=7000, host=None).port == 7000


@pytest.mark.parametrize("text", ["localhost:6379", "http://x", "redis://x:port", "redis://x:65536"])
def test_the_address_of_redis_must_be_one(text: str) -> None:
    with pytest.raises(SettingsError, match=r"KIBITZ_REDIS_URL must (start with|have a port)"):
        Settings.from_environment({"KIBITZ_REDIS_URL": text})


def test_the_address_of_redis_may_hold_a_password_and_is_not_shown() -> None:
    assert "secret" not in repr(Settings(redis_url="redis://:secret@host"))


def test_every_setting_has_a_meaning() -> None:
    for name, _default, meaning in Settings.table():
        assert re.fullmatch(r"KIBITZ_[A-Z_]+", name)
        assert meaning


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"KIBITZ_VERIFY": "1", "KIBITZ_CORS_ORIGINS": "https://a.example,*", "KIBITZ_RATE_PER_MINUTE": "0"},
        {"KIBITZ_DATA": "/srv/k", "KIBITZ_API_KEYS": "/srv/keys", "KIBITZ_DRAIN_SECONDS": "0.25"},
    ],
)
def test_another_process_gets_the_same_settings(given: dict[str, str]) -> None:
    settings = Settings.from_environment(given)
    assert Settings.from_environment(settings.environment()) == settings
