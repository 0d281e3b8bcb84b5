"""Matches and trainings on a cluster: the bytes of one machine, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from engine import GameSetup, LeavePlan, LeaveTraining, Match, WinPctTraining
from kibitz.cluster import ClusterGames, open_cluster
from kibitz.cluster.worker import run_task
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine import GameExecutor
    from tests.cluster.conftest import Site

SEARCHING = ("monte_carlo,iterations=60,candidates=3", "greedy")
ENDLESS = ("monte_carlo,iterations=100000000,confidence=0", "greedy")


def played_match(setup: GameSetup, workers: int | GameExecutor, folder: Path) -> bytes:
    Match(setup, ("greedy", "heuri2"), 200, seed=4, state=folder / "state").run(workers)
    return (folder / "state").read_bytes()


def learned_leaves(setup: GameSetup, workers: int | GameExecutor, folder: Path) -> bytes:
    training = LeaveTraining(setup, LeavePlan.of(200, generations=2, racks=1, seed=2))
    training.run(workers).save(folder / "leaves", setup.lexicon)
    return (folder / "leaves").read_bytes()


def learned_win_pct(setup: GameSetup, workers: int | GameExecutor, folder: Path) -> bytes:
    training = WinPctTraining(setup, "greedy", 800, seed=3)
    training.run(workers).save(folder / "win_pct", setup.lexicon)
    return (folder / "win_pct").read_bytes()


WORK: dict[str, Callable[[GameSetup, int | GameExecutor, Path], bytes]] = {
    "match": played_match,
    "leaves": learned_leaves,
    "win%": learned_win_pct,
}


@pytest.fixture(scope="module")
def in_threads(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What threads of one process make of the same work."""
    folder = tmp_path_factory.mktemp("threads")
    return {kind: work(site.setup, 2, folder) for kind, work in WORK.items()}


@pytest.mark.parametrize("count", [1, 2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_number_of_workers_does_not_change_a_byte(
    site: Site, in_threads: dict[str, bytes], tmp_path: Path, count: int
) -> None:
    site.scale(count)
    with site.games() as games:
        assert games.width == count
        assert {kind: work(site.setup, games, tmp_path) for kind, work in WORK.items()} == in_threads


def test_a_worker_that_is_killed_in_the_middle_does_not_change_a_byte(site: Site) -> None:
    site.scale(2)
    expected = Match(site.setup, SEARCHING, 24, seed=6)
    expected.run(2)
    match = Match(site.setup, SEARCHING, 24, seed=6)
    killed: list[float] = []
    with site.opened() as cluster:
        processes = cluster.run_everywhere(os.getpid)

        def kill(progress: Any) -> None:
            if progress.score.games and not killed:
                killed.append(progress.score.games)
                os.kill(processes[0], signal.SIGKILL)

        match.run(ClusterGames(cluster, site.setup.lexicon), kill)
    assert 0 < killed[0] < 24
    assert match.results.tobytes() == expected.results.tobytes()
    site.scale(2)
    with site.opened() as cluster:
        wait_until(lambda: processes[0] not in cluster.run_everywhere(os.getpid))


def test_ctrl_c_stops_the_searches_of_the_workers(site: Site) -> None:
    """They would take hours; the workers are free for the next command at once."""
    site.scale(2)

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), site.games() as games:
        Match(site.setup, ENDLESS, 20).run(games, interrupt)
    with site.games() as games:
        assert Match(site.setup, ("greedy", "heuri2"), 20).run(games).games == 20


def test_a_task_that_begins_after_the_end_of_its_command_is_stopped(site: Site) -> None:
    """Dask hands a task to a thread, and the command may end before the thread begins with it."""
    with site.local.get_client() as client:
        task = client.submit(
            run_task, "a command that has ended", lambda deadline: deadline.passed, pure=False
        )
        assert task.result(timeout=60)


def test_a_stopped_match_continues_on_a_cluster_and_back(site: Site, tmp_path: Path) -> None:
    names, state = ("level3", "greedy"), tmp_path / "match.state"
    whole = Match(site.setup, names, 40, seed=2)
    whole.run(2)

    def interrupt(progress: Any) -> None:
        if progress.score.games > before:
            raise KeyboardInterrupt

    before = 0
    with pytest.raises(KeyboardInterrupt):
        Match(site.setup, names, 40, seed=2, state=state).run(1, interrupt)
    again = Match(site.setup, names, 40, seed=2, state=state)
    before = 2 * again.pairs_done
    assert 0 < before < 40
    with pytest.raises(KeyboardInterrupt), site.games() as games:
        again.run(games, interrupt)
    last = Match(site.setup, names, 40, seed=2, state=state)
    assert before < 2 * last.pairs_done < 40
    last.run(1)
    assert last.results.tobytes() == whole.results.tobytes()


def test_work_waits_for_the_first_worker(site: Site) -> None:
    site.scale(0)
    wait_until(lambda: not site.local.scheduler_info["workers"])
    said: list[str] = []
    scores: list[int] = []

    def play() -> None:
        with open_cluster(site.address, said.append) as cluster:
            match = Match(site.setup, ("greedy", "heuri2"), 20)
            scores.append(match.run(ClusterGames(cluster, site.setup.lexicon)).games)

    thread = Thread(target=play)
    thread.start()
    wait_until(lambda: bool(said))
    site.scale(2)
    thread.join(60)
    assert scores == [20]
    where = site.address
    assert said == [f"There is no worker at {where} yet: waiting. Start some with: dask worker {where}"]


@pytest.mark.slow
def test_work_waits_for_another_worker_when_the_last_one_ends(site: Site) -> None:
    site.scale(1)
    said: list[str] = []

    def end_workers(progress: Any) -> None:
        if progress.score.games and not ended:
            ended.append(progress.score.games)
            site.scale(0)
        if said and len(ended) == 1:
            ended.append(progress.score.games)
            site.scale(1)

    ended: list[int] = []
    with open_cluster(site.address, said.append) as cluster:
        games = ClusterGames(cluster, site.setup.lexicon)
        assert Match(site.setup, SEARCHING, 24, seed=6).run(games, end_workers).games == 24
    assert said == [f"No worker is left at {site.address}: waiting for one."]
    assert 0 < ended[0] <= ended[1] < 24
    site.scale(2)
