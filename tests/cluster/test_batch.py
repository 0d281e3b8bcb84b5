"""`kibitz batch` on a cluster: the files of one machine, even if a worker is killed."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from engine import AnnotationOptions, annotation_simulation
from kibitz.archives.record_annotator import FolderWork
from kibitz.cli import kibitz
from kibitz.cli.record_folder import RecordFolder
from kibitz.cli.workers import cluster_workers, record_workers
from tests.command_line.test_annotate import GAME, SHORT
from tests.command_line.test_batch import contents

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue
    from tests.cluster.conftest import Site


@pytest.fixture
def english(site: Site, bundled: Catalogue) -> Site:
    """The cluster, whose workers have the bundled English tables."""
    table = bundled.table_path("scowl80")
    if not (copy := site.data / "tables" / table.name).exists():
        os.link(table, copy)
    return site


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Twenty short games, and files that are refused."""
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(20):
        (folder / f"game{number:02}.gcg").write_text(SHORT)
    (folder / "empty.gcg").write_bytes(b"")
    (folder / "long.gcg").write_bytes(GAME.read_bytes())
    (folder / "norwegian.gcg").write_text("#tile-distribution norwegian\n" + SHORT)  # has no bundled list
    return folder


def test_a_batch_is_the_same_and_continues(english: Site, records: Path, tmp_path: Path) -> None:
    def batch(name: str, *options: str) -> str:
        arguments = ["batch", str(records), "--output", str(tmp_path / name), *options]
        done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(english.data)})
        assert done.exit_code == 1, done.output  # there are faulty records
        return done.stdout

    said = batch("here")
    assert batch("there", "--cluster", english.address) == said.replace("here", "there")
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    (tmp_path / "there" / "game03.gcg.ndjson").unlink()
    assert "1 written now" in batch("there", "--cluster", english.address)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_a_worker_that_is_killed_in_the_middle_does_not_change_a_byte(
    english: Site, records: Path, tmp_path: Path
) -> None:
    english.scale(2)
    options = AnnotationOptions(simulate=annotation_simulation(iterations=40, candidates=2))

    def work(name: str) -> FolderWork:
        return FolderWork(records, tmp_path / name, (), options, english.data, "scowl80")

    with record_workers(work("here"), 1) as here:
        expected = [outcome.lines for outcome in RecordFolder(work("here")).annotate(here)]
    with english.opened() as cluster:
        process, _ = cluster.run_everywhere(os.getpid)
        found = []
        for outcome in RecordFolder(work("there")).annotate(cluster_workers(cluster, work("there"))):
            found.append(outcome.lines)
            if len(found) == 3:
                os.kill(process, signal.SIGKILL)
    assert found == expected
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.parametrize("options", [(), ("--workers", "2")])
def test_an_impossible_cluster_is_refused(english: Site, records: Path, options: tuple[str, ...]) -> None:
    address = english.address if options else "elsewhere"
    arguments = ["batch", str(records), "--output", "unused", "--cluster", address, *options]
    done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(english.data)})
    assert done.exit_code == 2
    says = "give --workers or --cluster, not both" if options else "'elsewhere' is no address"
    assert says in done.stderr


@pytest.mark.slow
def test_a_worker_builds_the_tables_of_a_bundled_lexicon(
    english: Site, records: Path, bundled: Catalogue, tmp_path: Path
) -> None:
    table = english.data / "tables" / "scowl80.kibitz"
    english.scale(0)
    table.unlink()
    english.scale(1)
    work = FolderWork(records, tmp_path / "out", (), AnnotationOptions(), bundled.data_directory, "scowl80")
    with english.opened() as cluster:
        outcomes = list(RecordFolder(work).annotate(cluster_workers(cluster, work)))
    assert sum(outcome.error is None for outcome in outcomes) == 21
    assert table.exists()
    english.scale(2)
