"""The README shows what happens: its library session runs, and its request gets the answer that it prints."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    import pytest

    from engine.lexicon.catalogue import Catalogue

README = Path(__file__).parents[2] / "README.md"


def test_the_library_session(by_default: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kibitz").symlink_to(by_default.data_directory)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (session,) = re.findall(r"^```pycon\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest(session, {}, "README", "README", 0)
    printed: list[str] = []
    results = doctest.DocTestRunner().run(examples, out=printed.append)
    assert (results.failed, results.attempted) == (0, 5), "".join(printed)


def test_the_request_gets_the_answer_that_is_printed(by_default: Catalogue) -> None:
    text = README.read_text("utf-8")
    (body,) = re.findall(r"-d '(\{.*?\})'", text, re.DOTALL)
    (printed,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    app = create_app(Settings(data=by_default.data_directory, log_level="error"))
    answer = app.test_client().post("/analyze", json=json.loads(body)).get_json()
    assert_part_of(json.loads(printed.replace(", ...", "")), answer)


def assert_part_of(printed: object, answer: object) -> None:
    """Check that an answer, or a part of one, has every value that is printed; `...` stands for others."""
    if isinstance(printed, dict) and isinstance(answer, dict):
        for name, value in printed.items():
            assert_part_of(value, answer[name])
    elif isinstance(printed, list) and isinstance(answer, list):
        assert len(printed) <= len(answer)
        for value, whole in zip(printed, answer, strict=False):
            assert_part_of(value, whole)
    else:
        assert printed == answer
