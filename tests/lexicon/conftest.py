"""The file of a whole word list, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.large_list import SCOWL80

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def list_file(request: pytest.FixtureRequest) -> Path:
    """The file of the list that the parameter names: scowl80, or a tournament list of `shared_data`."""
    name: str = request.param
    if name == "scowl80":
        return SCOWL80
    folder: Path = request.getfixturevalue("shared_data")
    return folder / "lexica" / f"{name}.txt"
