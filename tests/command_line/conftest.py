"""Run commands in this process, with the tables of the bundled lexicon already built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue

Run = Callable[..., Result]


@pytest.fixture
def run(bundled: Catalogue) -> Run:
    """Run `kibitz` with some arguments; keyword `input` is the standard input, `env` more variables."""

    def call(*arguments: str, env: Mapping[str, str | None] | None = None, **options: str) -> Result:
        environment = {"KIBITZ_DATA": str(bundled.data_directory), "COLUMNS": "110", **(env or {})}
        return CliRunner().invoke(kibitz, arguments, env=environment, **options)  # type: ignore[arg-type]

    return call
