"""A small lexicon, the application over it, and servers to break."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine import Catalogue, tile_set
from service.app import create_app
from service.settings import Settings
from tests.service.documented import DocumentedClient
from tests.service.redis_server import RedisServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

    from engine import Lexicon

SCOWL = Path(__file__).parents[2] / "lexicons" / "scowl80" / "words.txt.xz"


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the table of one small English lexicon, `small`.

    It has all words of 2 or 3 letters, and those of up to 7 that begin with a to h.
    """
    folder = tmp_path_factory.mktemp("data")
    text = lzma.decompress(SCOWL.read_bytes()).decode()
    words = [word for word in text.split() if len(word) <= 3 or (len(word) <= 7 and word[0].lower() < "i")]
    listed = folder / "small.txt"
    listed.write_text("\n".join(words))
    Catalogue(folder).build_from(listed, tile_set("english"), lexicon_id="small", name="Small")
    return folder


@pytest.fixture(scope="session")
def settings(data: Path) -> Settings:
    # What is refused as busy, and whether Redis is in time, must not depend on the machine.
    return Settings(data=data, lexicon="small", log_level="error", searches=4, redis_timeout_ms=1000)


@pytest.fixture(scope="session")
def app(settings: Settings) -> Flask:
    """The application; the tests share it and its cache, which changes no answer."""
    app = create_app(settings)
    app.test_client_class = DocumentedClient
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def lexicon(app: Flask) -> Lexicon:
    opened: Lexicon = app.extensions["kibitz"].catalogue.open("small")
    return opened


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests that leave it alive."""
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that a test may kill or freeze."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def bundled_client() -> FlaskClient:
    """The application as `kibitz serve` runs it, over the bundled lexicon."""
    settings = Settings(data=Settings.from_environment().data, log_level="error", searches=4)
    app = create_app(settings)
    app.test_client_class = DocumentedClient
    return app.test_client()
