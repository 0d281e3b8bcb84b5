"""The capacity model: queues whose waiting times are known, caches, repetition, and hand-counted needs."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import combinations, count, repeat
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

import kibitz
from benchmarks.capacity.check import POINTS, Compared
from benchmarks.capacity.hit_rates import Caching, Load, hit_shares
from benchmarks.capacity.inputs import AnswerTime, Inputs, RedisUse
from benchmarks.capacity.measured_services import Measured
from benchmarks.capacity.model import REFUSED, Model, Plan, Shares, Stores, Work, random_gaps
from benchmarks.capacity.needs import Machines, Prices, drawn_work, need, simulated_hosts
from benchmarks.capacity.repetition import (
    Repetition,
    measure_repetition,
    other_games,
    rack_chance,
    seen_before,
)
from benchmarks.load.client import Reply
from benchmarks.load.servers import has_redis
from kibitz.cli import kibitz as kibitz_command

if TYPE_CHECKING:
    from collections.abc import Callable

MEAN = 0.001
ALL_COMPUTED = Shares({"computed": 1.0})
MANY = Plan(threads=10**6)


def exponential(seed: int) -> Callable[[str], Work]:
    random = Random(seed)

    def work(kind: str) -> Work:
        seconds = random.expovariate(1 / MEAN)
        return Work(seconds, seconds)

    return work


def constant(seconds: float, **rest: float) -> Callable[[str], Work]:
    return lambda kind: Work(seconds, seconds, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize("load", [0.3, 0.7])
@pytest.mark.long
def test_random_times_wait_as_in_an_m_m_1_queue(load: float) -> None:
    found = Model(MANY, ALL_COMPUTED, exponential(5)).open_loop(repeat(0), random_gaps(load / MEAN), 60.0)
    assert found.mean == pytest.approx(MEAN / (1 - load), rel=0.05)
    assert found.quantile(0.5) == pytest.approx(0.6931 * MEAN / (1 - load), rel=0.05)
    assert found.worked / found.seconds == pytest.approx(load, rel=0.03)


@pytest.mark.parametrize("load", [0.3, 0.7])
@pytest.mark.long
def test_constant_times_wait_as_in_an_m_d_1_queue(load: float) -> None:
    found = Model(MANY, ALL_COMPUTED, constant(MEAN)).open_loop(repeat(0), random_gaps(load / MEAN), 60.0)
    assert found.mean - MEAN == pytest.approx(load * MEAN / (2 * (1 - load)), rel=0.05)


@pytest.mark.long
def test_connections_that_wait_for_their_answers_keep_a_core_busy() -> None:
    found = Model(Plan(outside=0.0005), ALL_COMPUTED, constant(MEAN)).closed_loop(count(), 8, 10.0)
    assert found.per_second == pytest.approx(1 / MEAN, rel=0.01)
    assert found.mean == pytest.approx(8 * MEAN, rel=0.01), "Little's law"


def test_an_idle_worker_has_to_wake() -> None:
    model = Model(Plan(outside=0.0005), ALL_COMPUTED, lambda kind: Work(MEAN, 2 * MEAN))
    assert model.closed_loop(count(), 1, 10.0).mean == pytest.approx(2 * MEAN + 0.0005)


@pytest.mark.long
def test_hosts_of_their_own_cores_answer_twice_as_much_as_two_on_one_core() -> None:
    own, shared = (
        Model(Plan(hosts=2, shared_cores=shared), ALL_COMPUTED, constant(MEAN)).closed_loop(count(), 8, 5.0)
        for shared in (False, True)
    )
    assert own.per_second == pytest.approx(2 * shared.per_second, rel=0.01)


def test_hosts_that_slow_each_other_down_answer_less() -> None:
    plan = Plan(hosts=2, shared_cores=True, slowing=1.25)
    found = Model(plan, ALL_COMPUTED, constant(MEAN)).closed_loop(count(), 8, 10.0)
    assert found.per_second == pytest.approx(1 / (1.25 * MEAN), rel=0.01)
    assert found.worked / len(found.times) == pytest.approx(1.25 * MEAN, rel=0.01)


def test_a_call_of_redis_leaves_the_core_to_others_and_redis_serves_one_at_a_time() -> None:
    work = constant(MEAN, calls=1, redis=3 * MEAN)
    found = Model(Plan(round_trip=MEAN), ALL_COMPUTED, work).closed_loop(count(), 1, 10.0)
    assert found.mean == pytest.approx(5 * MEAN)
    found = Model(Plan(round_trip=MEAN), ALL_COMPUTED, work).closed_loop(count(), 10, 10.0)
    assert found.per_second == pytest.approx(1 / (3 * MEAN), rel=0.01)
    assert found.redis_worked == pytest.approx(found.seconds, rel=0.01)


@pytest.mark.long
def test_searches_need_a_slot_and_leave_the_interpreter_lock_to_others() -> None:
    search = constant(1.0, is_search=True)
    found = Model(Plan(searches=2), ALL_COMPUTED, search).open_loop(repeat(0), repeat(0.1), 60.0)
    assert found.per_second == pytest.approx(1.0, rel=0.1)
    assert found.kinds[REFUSED] > 400

    mixed = Shares({"search": 0.001, "computed": 0.999})
    model = Model(
        MANY, mixed, lambda kind: Work(0.5, 0.5, is_search=True) if kind == "search" else Work(MEAN, MEAN)
    )
    found = model.open_loop(repeat(0), random_gaps(200.0), 60.0)
    assert found.quantile(0.99) < 0.05, "no answer waits for a whole search"


def test_caches_forget_the_least_recently_used() -> None:
    stores = Stores(2, capacity=2)
    asked = [(0, 1), (0, 1), (1, 1), (0, 2), (0, 3), (0, 1), (0, 4), (0, 2)]
    kinds = [stores.kind(worker, key) for worker, key in asked]
    assert kinds == ["computed", "memory", *["computed"] * 6]
    assert [stores.kind(worker, key) for worker, key in [(0, 4), (0, 2), (1, 1)]] == ["memory"] * 3


def test_equally_likely_keys_are_found_as_often_as_they_fit() -> None:
    random = Random(3)
    stores = Stores(1, capacity=250)
    kinds = [stores.kind(0, random.randrange(1000)) for _ in range(40_000)][2000:]
    assert kinds.count("memory") / len(kinds) == pytest.approx(0.25, abs=0.01)


def test_the_chances_of_all_racks_add_up_to_one() -> None:
    pool = (3, 2, 1)
    tiles = [code for code, number in enumerate(pool) for _ in range(number)]
    racks = {tuple(drawn.count(code) for code in range(3)) for drawn in combinations(tiles, 3)}
    assert sum(rack_chance(rack, pool) for rack in racks) == pytest.approx(1)
    assert rack_chance((3, 0, 0), pool) == pytest.approx(1 / 20)


def test_chances_of_boards_and_of_having_been_seen() -> None:
    assert other_games(["a", "b", "a", "a"]).tolist() == pytest.approx([2 / 3, 0, 2 / 3, 2 / 3])
    assert seen_before([0.0, 1.0], 100) == pytest.approx(0.5)
    assert seen_before([1e-6], 1e6) == pytest.approx(0.632, abs=0.001)


def test_the_chances_predict_how_many_positions_of_games_repeat(made_up_data: Path) -> None:
    found = measure_repetition(kibitz.Lexicon.open("made-up", data=made_up_data), 60, lambda *_: None)
    assert found.games == 60
    assert found.turns > 4
    assert [len(chances) for chances in found.chances] == [200, 200, 200]
    assert [len(chances) == len(set(chances)) for chances in found.chances[1:]] != [True, True]
    counted, predicted = found.repeated[0]
    assert abs(counted - predicted) < 5
    assert found.found(4, 1e9) == 0
    assert found.found(1, 1e5) > found.found(1, 1e3)


def flat(milliseconds: float) -> AnswerTime:
    return AnswerTime(milliseconds / 1000, milliseconds / 1000, [1.0])


INPUTS = Inputs(
    machine="",
    command="",
    lexicon="",
    others=0.0,
    computed={"none": flat(1.0), "memory": flat(1.0), "redis": flat(1.5)},
    found={"memory": flat(0.25), "redis": flat(0.5)},
    simulation=0.2,
    stored=RedisUse(1, 2, 0.0001, 10, 20_000),
    fetched=RedisUse(1, 1, 0.00005, 10_000, 100),
    outside=0.0,
    round_trip=0.0,
    reply_bytes=10_000,
    memory_bytes=10_000,
    board_bytes=5_000,
    search_bytes=20_000,
    repetition=Repetition(10.0, [[1e-6], [0.0], [0.0]], [], 100),
)
HOSTS = Machines(cores=4, utilization=0.5, spare=1)


def test_shares_follow_from_repetition_readers_and_life() -> None:
    def shares(caching: Caching, *load: float, workers: int = 100) -> dict[str, float]:
        found = hit_shares(INPUTS, Load(*load), caching, workers)
        assert sum(found.values()) == pytest.approx(1)
        return found

    assert shares(Caching("none"), 1e6, 5)["computed"] == 1
    assert shares(Caching("none"), 1e6, 5, 3600, 0.2)["search"] == pytest.approx(0.2)
    # 1e6 analyses a minute are 1e5 games. A memory of 1e6 answers is full after a minute, in which another
    # game has had the first of ten positions with a chance of 1 - exp(-0.1).
    assert shares(Caching("memory", memory=1e10), 1e6, workers=1)["memory"] == pytest.approx(0.0095, abs=1e-4)
    assert shares(Caching("memory", memory=1e6), 1e6)["memory"] < 1e-4
    # With 50 a minute it holds 100 answers for two minutes; three of four readers come within an hour.
    assert shares(Caching("memory", memory=1e6), 50, 4, workers=1)["memory"] == pytest.approx(
        0.75 / 30, rel=1e-4
    )


def test_redis_finds_searches_within_their_life_and_no_plain_answers() -> None:
    def shares(life: float) -> dict[str, float]:
        return hit_shares(INPUTS, Load(100, 4, 3600, 0.2), Caching("redis", 1.0, life), workers=100)

    assert shares(86_400)["redis"] == pytest.approx(0.2 * 0.75, abs=1e-4)
    assert shares(900)["redis"] == pytest.approx(0.2 * 0.75 * 0.25, abs=1e-4)
    assert shares(900)["search"] == pytest.approx(0.2 * (1 - 0.75 * 0.25), abs=1e-4)
    assert shares(900)["computed"] == pytest.approx(0.8, abs=1e-4)


def test_needs_are_those_counted_by_hand() -> None:
    load, prices = Load(240_000), Prices(core_hour=1.0, gb_month=2.0, sent_gb=0.01)
    found = need(INPUTS, load, Caching("none"), HOSTS, prices)
    assert found.busy_cores == pytest.approx(4)
    assert (found.hosts, found.cores, found.nodes, found.redis_gb) == (3, 12, 0, 0)
    assert found.cores_cost == pytest.approx(12 * 730)
    assert found.gbit == pytest.approx(0.32)
    assert found.network_cost == pytest.approx(0.01 * 4000 * 1e-5 * 730 * 3600)

    rare = replace(INPUTS, repetition=replace(INPUTS.repetition, chances=[[0.0]] * 3))
    found = need(rare, load, Caching(life=3600), HOSTS, prices)
    assert found.hit_rate == 0
    assert found.busy_cores == pytest.approx(6)
    assert found.redis_gb == pytest.approx(72)
    assert found.redis_cost == pytest.approx(144)
    assert found.redis_operations == pytest.approx(8_000)
    assert (found.nodes, found.limit) == (2, "memory")
    assert need(rare, load, Caching(life=1), HOSTS, prices).limit == "processor"


def test_a_load_of_searches_needs_their_processor_time() -> None:
    found = need(INPUTS, Load(60_000, searches=0.01), Caching("none"), HOSTS, Prices())
    assert found.busy_cores == pytest.approx(0.99 + 2.0)


def test_times_that_other_programs_disturbed_are_no_error() -> None:
    """A busy service that was measured as slower than an idle one, by more than its fastest answer takes."""
    disturbed = AnswerTime(busy=0.001, idle=0.0005, spread=[0.2, 1.8])
    inputs = replace(INPUTS, computed=INPUTS.computed | {"memory": disturbed})
    found = Model(Plan(), ALL_COMPUTED, drawn_work(inputs, "memory")).closed_loop(count(), 1, 1.0)
    assert found.mean == pytest.approx(0.001, rel=0.1)


def test_the_time_outside_of_a_service_is_not_negative() -> None:
    """The processor time of a service on a loaded machine may exceed the time that its client waited."""
    assert Measured([Reply(200, 0.001, "")], 1.0, 0.0012, 0.0, 0.0).outside == 0


@pytest.mark.long
def test_simulated_hosts_work_as_much_as_the_need_says() -> None:
    load, caching = Load(240_000, readers=4, revisit=10), Caching("memory", memory=1e8)
    found = need(INPUTS, load, caching, HOSTS, Prices())
    run = simulated_hosts(INPUTS, load, caching, HOSTS, found)
    simulated = len(run.times) / run.seconds / load.per_second
    assert run.worked / run.seconds == pytest.approx(simulated * found.busy_cores, rel=0.03)
    assert 0.03 < run.share("memory") == pytest.approx(found.shares["memory"], abs=0.02)
    assert 0.0009 < run.quantile(0.5) < run.quantile(0.99)


def run(*options: str, data: Path | None = None) -> Result:
    environment = {"COLUMNS": "300"}  # a row of a table is a line
    if data is not None:
        environment["KIBITZ_DATA"] = str(data)
    return CliRunner().invoke(kibitz_command, ["bench", "capacity", *options], env=environment)


def test_a_share_that_was_never_measured_does_not_hold() -> None:
    assert not Compared("one host", "share found in memory", 0.0, 0.2).holds


@pytest.mark.long
def test_the_command_shows_tables_and_their_inputs() -> None:
    done = run()
    assert done.exit_code == 0, done.output
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    for row in ("analyses a minute 1,000 100,000 10,000,000", "What the cache saves"):
        assert row in rows
    assert sum(row.startswith("10,000,000 ") for row in rows) == 4, "readers and searches"


@pytest.mark.long
def test_own_loads_prices_and_inputs(tmp_path: Path) -> None:
    (tmp_path / "measured.json").write_bytes(INPUTS.to_json())
    options = ["--measured", str(tmp_path / "measured.json"), "--cache", "none", "--utilization", "0.5"]
    done = run(*options, "--loads", "240000", "--prices", "1", "2", "0", "--json", "--plots", str(tmp_path))
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)["needs"]
    assert (found["hosts"], found["cores_cost"], found["network_cost"]) == (3, 8760, 0)
    assert {path.name for path in tmp_path.glob("*.svg")} == {"capacity-found.svg", "capacity-cost.svg"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--loads", "many"], "numbers from 1 to 1e9"),
        (["--save", "x"], "belong to --check"),
        (["--measured", str(Path(__file__))], "holds no measured inputs"),
    ],
)
def test_what_cannot_be_used_is_said(options: list[str], complaint: str) -> None:
    done = run(*options)
    assert done.exit_code == 2
    assert complaint in done.output


def test_without_simpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simpy", None)
    done = run()
    assert done.exit_code == 2
    assert "kibitz[capacity]" in done.output


@pytest.mark.skipif(not has_redis(), reason="needs redis-server; `make test` installs it")
@pytest.mark.process
def test_a_check_measures_services_and_compares_them(made_up_data: Path, tmp_path: Path) -> None:
    saved = tmp_path / "measured.json"
    options = ["--check", "--quick", "--openings", "10", "--save", str(saved), "--lexicon", "made-up"]
    done = run(*options, "--json", data=made_up_data)
    assert isinstance(done.exception, SystemExit | None), repr(done.exception)
    assert done.exit_code in (0, 1), done.output  # so little work measures nothing well
    report = json.loads(done.stdout)
    assert {row["point"] for row in report["check"]} == {point.name for point in POINTS}
    assert all(row["holds"] for row in report["check"]) == (done.exit_code == 0)
    inputs = Inputs.from_json(saved.read_bytes(), "saved")
    assert inputs.repetition.games == 10
    assert inputs.lexicon == "made-up"
    assert 0 < inputs.board_bytes < inputs.search_bytes
    assert min(time.busy for time in (*inputs.computed.values(), *inputs.found.values())) > 0
