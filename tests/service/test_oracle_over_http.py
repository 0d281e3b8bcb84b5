"""Positions on which two other engines agree, asked over HTTP; and what the service weighs meanwhile."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine import Catalogue, tile_set
from tests.service.serving import Server, children, running

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 200  # plays in one answer
RESIDENT_MEGABYTES = 130


@pytest.fixture(scope="module")
def server(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service over TWL06, as its owner would run it."""
    data = tmp_path_factory.mktemp("twl06")
    Catalogue(data).build_from(shared_data / "lexica" / "twl06.txt", tile_set("english"), lexicon_id="twl06")
    with running(data, KIBITZ_LEXICON="twl06", KIBITZ_DRAIN_SECONDS="0") as started:
        yield started


def moves_sha256(moves: list[dict[str, Any]]) -> str:
    """Hash the moves as the oracle does: placed tiles in reading order, lower case a blank, then score."""
    lines = []
    for move in moves:
        tiles = ""
        for tile in move["placed"]:
            row, column = int(tile["at"][:-1]) - 1, ord(tile["at"][-1]) - 65
            tiles += f"{row},{column}={tile['letter'].lower() if tile['blank'] else tile['letter']};"
        lines.append(f"{tiles}#{move['score']}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def test_every_legal_play_right_to_the_point(shared_data: Path, server: Server) -> None:
    path = shared_data / "positions" / "oracle_twl06.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    asked = [record for record in records if record["plays"] <= MOST]
    assert len(asked) > 20
    for record in asked:
        status, _, body = server.ask("POST", "/analyze", {"cgp": record["cgp"], "top_n": MOST})
        assert status == 200, body
        answer = json.loads(body)
        scores = [move["score"] for move in answer["moves"] if move["kind"] == "play"]
        assert answer["play_count"] == len(scores) == record["plays"], record["cgp"]
        assert scores == sorted(scores, reverse=True)
        assert sum(scores) == record["sum_of_scores"]
        assert answer["exchange_count"] == record["exchanges"]
        assert moves_sha256(answer["moves"][: len(scores)]) == record["moves_sha256"]


def test_the_others_are_counted_and_their_best_is_right(shared_data: Path, server: Server) -> None:
    path = shared_data / "positions" / "oracle_twl06.jsonl"
    for line in path.read_text().splitlines():
        record = json.loads(line)
        status, _, body = server.ask("POST", "/analyze", {"cgp": record["cgp"], "top_n": 1})
        assert status == 200
        answer = json.loads(body)
        assert (answer["play_count"], answer["exchange_count"]) == (record["plays"], record["exchanges"])
        assert answer["moves"][0]["score"] == record["top_score"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_the_embedded_service_stays_small(shared_data: Path, server: Server) -> None:
    """One process, after hundreds of answers, the tables counted in."""
    path = shared_data / "positions" / "greedy_twl06.tsv"
    for line in path.read_text().splitlines()[1:500]:
        server.ask("POST", "/analyze", {"cgp": line.split("\t")[0]})
    assert not children(server.process.pid)
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    assert pages * 4096 / 1e6 <= RESIDENT_MEGABYTES
