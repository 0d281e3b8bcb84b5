"""Run commands in this process, with the tables of the bundled lexicon already built."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from service.cli import kibitz

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue

Run = Callable[..., Result]


@pytest.fixture
def run(bundled: Catalogue) -> Run:
    """Run `kibitz` with some arguments; keyword `input` is the standard input."""

    def call(*arguments: str, **options: str) -> Result:
        environment = {"KIBITZ_DATA": str(bundled.data_directory), "COLUMNS": "110"}
        return CliRunner().invoke(kibitz, arguments, env=environment, **options)  # type: ignore[arg-type]

    return call
