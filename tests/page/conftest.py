"""Chromium, and pages in it that must fetch nothing foreign, throw nothing, and pass axe-core."""

from __future__ import annotations

import shutil
from shutil import copytree
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

import kibitz
from engine import Catalogue, tile_set
from tests.page.site import serving
from tests.service.conftest import app, client, data, settings  # noqa: F401 - fixtures
from tests.service.serving import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.page.site import Site
    from tests.service.serving import Server

expect.set_options(timeout=20_000)  # milliseconds, for a busy machine

CHROMIUM = shutil.which("chromium")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="package")
def page_data(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811 - a fixture
    """The folder of `data` with a second lexicon, `palabras`, whose tile set has tiles of two letters."""
    folder = tmp_path_factory.mktemp("page") / "data"
    copytree(data, folder)
    words = folder / "palabras.txt"
    words.write_text("CHICO\nCALLE\nPERRO\nCARRO\nAÑO\nACHE\n")
    Catalogue(folder).build_from(words, tile_set("spanish"), lexicon_id="palabras", name="Palabras")
    return folder


@pytest.fixture(scope="package")
def words(page_data: Path) -> kibitz.Lexicon:
    """The lexicon of the server."""
    return kibitz.Lexicon.open("small", data=page_data)


@pytest.fixture(scope="package")
def server(page_data: Path) -> Iterator[Server]:
    with running(page_data, KIBITZ_RATE_PER_MINUTE="0", KIBITZ_JOB_THREADS="2") as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """A web site of another origin than the server."""
    with serving() as site:
        yield site
