"""Fixtures that many tests share: the folder of copyrighted lists, and small lexicons built once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.lexicon.catalogue import Catalogue

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with tournament word lists and oracle positions, which cannot be in the repository.

    It lies beside the checkout (``../shared/data``) or where KIBITZ_SHARED_DATA says; without it the tests
    that need it are skipped.
    """
    path = Path(os.environ.get("KIBITZ_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not (path / "lexica").is_dir():
        pytest.skip(f"needs the copyrighted word lists, which are not at {path}")
    return path


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A catalogue whose data directory holds the tables of the bundled lexicon, built once per session."""
    catalogue = Catalogue(tmp_path_factory.mktemp("bundled"))
    catalogue.ensure("scowl80")
    return catalogue
