"""Positions whose plays other programs have counted, over HTTP; and the memory that it takes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine import Catalogue, tile_set
from tests.large_list import published
from tests.service.serving import Server, children, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.large_list import LargeList

MOST = 200  # plays in one answer
PSS_MEGABYTES = 150  # proportional set size of the master and its worker


@pytest.fixture(scope="module")
def server(large_list: LargeList, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service over the largest list available, as its owner would run it."""
    data = tmp_path_factory.mktemp("large")
    Catalogue(data).build_from(large_list.words, tile_set("english"), lexicon_id="large")
    with running(data, KIBITZ_LEXICON="large") as started:
        yield started


def with_rack(large_list: LargeList) -> list[dict[str, Any]]:
    """Return the counted positions whose player on turn has a rack; the service refuses the others."""
    return [record for record in large_list.counted if not record["cgp"].split()[1].startswith("/")]


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


def test_every_legal_play_right_to_the_point(large_list: LargeList, server: Server) -> None:
    asked = [record for record in with_rack(large_list) if record["plays"] <= MOST]
    assert len(asked) > 10
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


def test_the_others_are_counted_and_their_best_is_right(large_list: LargeList, server: Server) -> None:
    for record in with_rack(large_list):
        status, _, body = server.ask("POST", "/analyze", {"cgp": record["cgp"], "top_n": 1})
        assert status == 200, body
        answer = json.loads(body)
        found = {
            "plays": answer["play_count"],
            "exchanges": answer["exchange_count"],
            "top_score": answer["moves"][0]["score"],
        }
        known = published(record)
        assert found == {name: known[name] for name in found}, record["cgp"]


def pss_megabytes(process: int) -> float:
    """Return the proportional set size of a process: a page that n processes share counts 1/n."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc")
def test_the_embedded_service_stays_small(shared_data: Path, large_list: LargeList, server: Server) -> None:
    """After hundreds of answers, the tables counted in; the bound holds for a list of TWL06's size."""
    for row in large_list.greedy[:500]:
        server.ask("POST", "/analyze", {"cgp": row["cgp"]})
    processes = [server.process.pid, *children(server.process.pid)]
    assert len(processes) == 2
    assert sum(map(pss_megabytes, processes)) <= PSS_MEGABYTES
