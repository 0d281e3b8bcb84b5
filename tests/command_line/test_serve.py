"""`kibitz serve`: the log says when the server is ready, and at which URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.serving import Server

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue


@pytest.mark.process
def test_the_ready_line_names_the_url(bundled: Catalogue) -> None:
    server = Server(bundled.data_directory, KIBITZ_LEXICON="scowl80", KIBITZ_DRAIN_SECONDS="0")
    try:
        server.wait()
        _, lines, _ = server.stop()
    finally:
        server.kill()
    (ready,) = [line for line in lines if line["event"] == "ready"]
    assert (ready["component"], ready["url"]) == ("kibitz", f"http://127.0.0.1:{server.port}")
