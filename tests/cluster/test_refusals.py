"""What `--cluster` refuses: one line that names the address or the worker, and says what to do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from engine import EngineError, GameSetup, Match, WinPctTraining
from engine import __version__ as version
from kibitz import cluster
from kibitz.cli import kibitz
from kibitz.cluster import ClusterGames, open_cluster
from kibitz.cluster.worker import LexiconReference
from tests.movegen.worlds import open_lexicon
from tests.selfplay.worlds import few_tiles, playable
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result

    from tests.cluster.conftest import Site

ROOT = Path(__file__).parents[2]
MATCH = ("match", "greedy", "heuri2", "--lexicon", "few8", "--games", "20")


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(data)})


def refusal(data: Path, *arguments: str) -> str:
    done = run(data, *arguments)
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    return done.stderr


def test_no_scheduler(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cluster.CONNECT_SECONDS < 10
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    for command in (
        MATCH,
        ("train", "leaves", "--lexicon", "few8"),
        ("train", "winpct", "--lexicon", "few8"),
    ):
        assert f"no Dask scheduler answers at {address}" in refusal(site.data, *command, "--cluster", address)


def test_a_server_that_is_no_scheduler(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts, and never answers
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert f"no Dask scheduler answers at {address}" in refusal(site.data, *MATCH, "--cluster", address)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("local:0", "from 1 to 256, not '0'"),
        ("local:many", "from 1 to 256, not 'many'"),
        ("local:", "from 1 to 256, not ''"),
        ("elsewhere", "'elsewhere' is no address such as tcp://host:8786"),
        ("tcp://elsewhere", "is no address such as"),
        ("ftp://elsewhere:21", "unknown address scheme 'ftp'"),
        ("tls://127.0.0.1:9", "check your TLS configuration"),
    ],
)
def test_impossible_addresses(site: Site, address: str, says: str) -> None:
    assert says in refusal(site.data, *MATCH, "--cluster", address)


def test_threads_and_a_cluster(site: Site) -> None:
    said = refusal(site.data, *MATCH, "--cluster", site.address, "--threads", "2")
    assert "give --threads or --cluster, not both" in said


def test_dask_is_not_installed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'kibitz[cluster]'" in refusal(site.data, *MATCH, "--cluster", site.address)


def worker_versions(client: Any) -> list[str]:
    """Return the kibitz of each worker that answers."""
    found = client.get_versions(packages=["kibitz"])["workers"]
    return [versions["packages"]["kibitz"] for versions in found.values()]


@contextmanager
def other_kibitz(site: Site, folder: Path) -> Iterator[None]:
    """Run a worker that believes to have kibitz 9.9.9."""
    info = folder / "kibitz-9.9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kibitz\nVersion: 9.9.9\n")
    paths = os.pathsep.join([str(folder), str(ROOT)])
    options = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(folder))
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", site.address, *options],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=folder,  # the checkout may have a kibitz.egg-info, which would be found first
        stderr=subprocess.DEVNULL,
    )
    before = len(site.local.scheduler_info["workers"])
    try:
        with site.local.get_client() as client:
            wait_until(lambda: "9.9.9" in worker_versions(client), 60)  # it registers before it can answer
        yield
    finally:
        worker.terminate()
        worker.wait()
        wait_until(lambda: len(site.local.scheduler_info["workers"]) == before, 60)


def test_a_worker_with_another_kibitz(site: Site, tmp_path: Path) -> None:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    with other_kibitz(site, tmp_path):
        said = refusal(site.data, *MATCH, "--cluster", site.address)
    assert f"has kibitz 9.9.9 and Python {python}, this command kibitz {version} and Python {python}" in said
    assert said.startswith("Error: worker tcp://")


def test_a_worker_with_another_kibitz_that_comes_later(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first part is refused; here it is the command whose version is another."""
    site.scale(2)
    reference = LexiconReference.of(site.setup.lexicon)
    monkeypatch.setattr(
        LexiconReference,
        "of",
        lambda *_, **__: LexiconReference(reference.id, reference.words, reference.learned, "9.9.9"),
    )
    with pytest.raises(EngineError) as caught, site.games() as games:
        Match(site.setup, ("greedy", "heuri2"), 20).run(games)
    assert f"has kibitz {version}, this command kibitz 9.9.9" in str(caught.value)
    assert str(caught.value).startswith("worker tcp://")
    assert caught.value.code == "other_version"


def test_a_worker_without_the_lexicon(site: Site, tmp_path: Path) -> None:
    lexicon = playable(tmp_path, few_tiles(9, 4))
    with pytest.raises(EngineError) as caught, open_cluster(site.address, print) as opened:
        Match(GameSetup.of(lexicon), ("greedy", "heuri2"), 20).run(ClusterGames(opened, lexicon))
    assert caught.value.code == "unknown_lexicon"
    assert str(caught.value).startswith("worker tcp://")
    assert "there is no lexicon 'few9'" in str(caught.value)
    assert f"to {site.data / 'tables' / 'few9.kibitz'} there" in str(caught.value)


def test_a_worker_with_other_words(site: Site, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "few8", few_tiles(8, 5), [bytes([1, 2]), bytes([2, 1, 3])])
    with pytest.raises(EngineError) as caught, open_cluster(site.address, print) as opened:
        Match(GameSetup.of(lexicon), ("greedy", "greedy"), 20).run(ClusterGames(opened, lexicon))
    assert caught.value.code == "other_words"
    assert str(caught.value).startswith("worker tcp://")
    assert lexicon.content_sha256[:12] in str(caught.value)
    assert site.setup.lexicon.content_sha256[:12] in str(caught.value)


def test_a_worker_without_the_learned_table(site: Site, tmp_path: Path) -> None:
    """What a table of its own would change must not be played without it; leaves can still be learned."""
    lexicon = playable(tmp_path, few_tiles(8, 5))
    setup = GameSetup.of(lexicon)
    training = WinPctTraining(setup, "greedy", 100)
    training.run(1).save(tmp_path / "learned" / "few8.win_pct.kibitz", lexicon)
    with pytest.raises(EngineError) as caught, open_cluster(site.address, print) as opened:
        Match(setup, ("greedy", "heuri2"), 20).run(ClusterGames(opened, lexicon))
    assert caught.value.code == "other_learned"
    assert "another table of win_pct for few8 (none, this command few8/" in str(caught.value)
    done = run(tmp_path, "train", "leaves", "--lexicon", "few8", "--games", "40", "--cluster", site.address)
    assert done.exit_code == 0, done.output
