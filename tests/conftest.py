"""Fixtures that many tests share: the folder of copyrighted lists, and small lexicons built once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.lexicon.catalogue import Catalogue
from service.settings import Settings
from tests.large_list import SCOWL80, LargeList, scowl80, twl06
from tests.records.whole_games import WHOLE_GAMES

ROOT = Path(__file__).parents[1]

# A busy machine may stop a test for seconds between two examples. `make check` tries fewer of them.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("check", settings.get_profile("busy"), max_examples=20)
settings.load_profile("busy")

os.environ["LC_ALL"] = "C.UTF-8"  # commands print English, whatever the language of the machine is
os.environ["KIBITZ_LEXICON"] = "scowl80"  # the figures in the tests are those of its words


MARKS = {"browser": "browser", "large_list": "long", "shared_data": "long"} | dict.fromkeys(
    ["own_redis", "redis_server", "redis_url", "server"], "process"
)
"""The marks that tests have by their fixtures."""

FOLDERS = {"cluster": "process", "documentation": "docs", "experiments": "long", "faults": "process"}
"""The marks that tests have by their folders."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their fixtures and folders."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        marks = {mark for fixture, mark in MARKS.items() if fixture in fixtures}
        for mark in marks | {FOLDERS[name] for name in item.path.parts if name in FOLDERS}:
            item.add_marker(mark)


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


@pytest.fixture
def list_file(request: pytest.FixtureRequest) -> Path:
    """The file of the list that the parameter names: scowl80, or a tournament list of `shared_data`."""
    name: str = request.param
    if name == "scowl80":
        return SCOWL80
    folder: Path = request.getfixturevalue("shared_data")
    return folder / "lexica" / f"{name}.txt"


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
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all worker processes of a run of pytest share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def bundled(run_folder: Path) -> Catalogue:
    """A catalogue whose data directory holds the table of scowl80, built once in a run."""
    catalogue = Catalogue(run_folder / "bundled")
    catalogue.ensure("scowl80")
    return catalogue


@pytest.fixture
def by_default(bundled: Catalogue, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """The catalogue `bundled` with the table of the default lexicon, which no variable names."""
    monkeypatch.delenv("KIBITZ_LEXICON")
    bundled.ensure(Settings.from_environment().lexicon)
    return bundled
