"""The lexicon of a recorded game: named, asked for, or chosen by its tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import Catalogue, read_gcg, record_lexicon, tile_set
from service.app import create_app
from service.settings import Settings
from tests.service.test_annotate import GCG

if TYPE_CHECKING:
    from pathlib import Path

PLAYERS = "#player1 ann Ann\n#player2 bo Bo\n"
GERMAN = PLAYERS + ">ann: EGNRSÜX 8D GRÜNES +28 28\n>bo: AEIKLNÖ 7C ÖL +22 22\n"


@pytest.fixture
def catalogue(data: Path, tmp_path: Path) -> Catalogue:
    """A catalogue with the English lexicon `small` and the German one `duden`."""
    found = Catalogue(tmp_path)
    found.tables.mkdir()
    for path in (data / "tables").glob("small.*"):
        (found.tables / path.name).symlink_to(path)
    listed = tmp_path / "german.txt"
    listed.write_text("grünes\nöl\n")
    found.build_from(listed, tile_set("german"), lexicon_id="duden")
    return found


def test_a_request_without_a_lexicon_gets_one_with_the_tiles_of_its_record(catalogue: Catalogue) -> None:
    settings = Settings(data=catalogue.data_directory, lexicon="small", log_level="error")
    client = create_app(settings).test_client()

    def answer(path: str, gcg: str, **body: Any) -> Any:
        return client.post(path, json={"gcg": gcg, **body}).get_json()

    found = answer("/games/annotate", GERMAN)
    assert found["game"]["lexicon"] == "duden"
    (warning,) = found["warnings"]
    assert (warning["code"], warning["params"]["used"]) == ("lexicon_chosen", "duden")
    named = answer("/games/annotate", "#lexicon RD28\n" + GERMAN)
    assert [one["params"] for one in named["warnings"]] == [{"named": "RD28", "used": "duden"}]
    analyzed = answer("/analyze", GERMAN, turn=2)
    assert analyzed["position"]["lexicon"] == "duden"
    assert [one["code"] for one in analyzed["warnings"]] == ["lexicon_chosen"]
    assert answer("/games/annotate", GCG)["warnings"] == []


@pytest.mark.parametrize(
    ("heading", "asked", "used", "warnings"),
    [
        ("", (), "small", []),
        ("#lexicon DUDEN\n", (), "duden", []),
        ("#lexicon Gone\n", (), "small", ["lexicon_not_installed"]),
        ("#tile-distribution german\n", (), "duden", ["lexicon_chosen"]),
        ("#tile-distribution czech\n", (), "small", []),
        ("#tile-distribution german\n", ("small",), "small", []),
        ("#tile-distribution german\n", ("small", "duden"), "duden", []),
        ("#tile-distribution english_wwf\n", ("duden", "small"), "small", []),
        ("#tile-distribution german\n#lexicon small\n", ("duden", "SMALL"), "small", []),
        ("", ("duden", "small"), "small", []),
    ],
)
def test_the_lexicon_of_a_record(
    catalogue: Catalogue, heading: str, asked: tuple[str, ...], used: str, warnings: list[str]
) -> None:
    record = read_gcg(heading + GCG).record
    lexicon, notices = record_lexicon(record, asked, "small", catalogue, catalogue.open)
    assert (lexicon.id, [notice.code for notice in notices]) == (used, warnings)
