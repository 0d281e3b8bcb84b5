"""Fixtures that many tests share: the folder of copyrighted lists, and small lexicons built once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.lexicon.catalogue import Catalogue
from tests.large_list import LargeList, scowl80, twl06
from tests.records.whole_games import WHOLE_GAMES

ROOT = Path(__file__).parents[1]

# A busy machine may stop a test for seconds between two examples.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

os.environ["LC_ALL"] = "C.UTF-8"  # commands print English, whatever the language of the machine is


def shared_folder() -> Path | None:
    """Return the folder of `shared_data`, None if it is absent."""
    path = Path(os.environ.get("KIBITZ_SHARED_DATA", ROOT.parent / "shared" / "data"))
    return path if (path / "lexica").is_dir() else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with tournament word lists and oracle positions, which cannot be in the repository.

    It is ``../shared/data`` beside the checkout, or the folder of KIBITZ_SHARED_DATA; without it the tests
    that need it are skipped.
    """
    if (folder := shared_folder()) is None:
        pytest.skip("needs the copyrighted word lists and records of ../shared/data")
    return folder


@pytest.fixture(scope="session")
def large_list() -> LargeList:
    """TWL06 if the folder of `shared_data` exists, else the bundled list."""
    folder = shared_folder()
    return scowl80() if folder is None else twl06(folder)


@pytest.fixture(scope="session")
def game_records() -> dict[str, bytes]:
    """Records of complete games by name: our own, and the recorded ones of `shared_data` if it exists."""
    folder = shared_folder()
    wild = [] if folder is None else sorted((folder / "gcg").glob("*.gcg"))
    return WHOLE_GAMES | {path.stem: path.read_bytes() for path in wild}


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A catalogue whose data directory holds the tables of the bundled lexicon, built once per session."""
    catalogue = Catalogue(tmp_path_factory.mktemp("bundled"))
    catalogue.ensure("scowl80")
    return catalogue
