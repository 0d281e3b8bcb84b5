"""The contract and the page of the sources name only tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_contract_names_only_tests_that_exist() -> None:
    named = 0
    for line in (ROOT / "docs" / "contract.md").read_text("utf-8").splitlines():
        file = None
        for path, name in re.findall(r"`(?:(tests/[\w/]+\.py)::)?(test_\w+)`", line):
            file = path or file
            assert file is not None, line
            text = (ROOT / file).read_text("utf-8")
            assert re.search(rf"^\s*def {name}\(", text, re.MULTILINE), f"{file}::{name}"
            named += 1
    assert named > 50


def test_the_sources_name_only_tests_that_exist() -> None:
    text = (ROOT / "docs" / "sources.md").read_text("utf-8")
    named = set(re.findall(r"\btests/[\w/]+(?:\.py)?", text))
    assert len(named) > 5
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
