"""The search that suits a position, and the budgets of all searches."""

from __future__ import annotations

from threading import Thread, Timer
from time import monotonic_ns, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.phase import PHASES, PREENDGAME_BAG, phase_of


@given(st.integers(0, 200), st.integers(0, 6))
def test_the_bag_alone_decides(bag: int, most: int) -> None:
    phase = phase_of(bag, most)
    assert phase in PHASES
    assert (phase == "endgame") == (bag == 0)
    assert (phase == "preendgame") == (1 <= bag <= most)
    if bag:  # a fuller bag never calls for a later phase
        assert PHASES.index(phase) <= PHASES.index(phase_of(bag - 1, most))
    assert phase_of(bag) == phase_of(bag, PREENDGAME_BAG)


@given(st.lists(st.one_of(st.none(), st.integers(1, 10**9)), max_size=6))
def test_a_deadline_only_moves_earlier(limits: list[int | None]) -> None:
    deadline, before = Deadline(), monotonic_ns()
    for limit in limits:
        at = deadline.at
        assert deadline.within(limit) is deadline
        assert not at or deadline.at <= at
    given_ones = [limit for limit in limits if limit is not None]
    assert bool(deadline.at) == bool(given_ones)
    if given_ones:
        nearest = 1_000_000 * min(given_ones)
        assert before + nearest <= deadline.at <= monotonic_ns() + nearest
        assert nearest < 60e9 or not deadline.passed  # on a busy machine a short one may have passed
    deadline.cut()
    assert deadline.passed


def test_cut_stops_running_searches_only() -> None:
    deadline, stopped = Deadline(), []
    with deadline.stopping(lambda: stopped.append("first")):
        deadline.cut()
    deadline.cut()
    assert stopped == ["first"]
    with pytest.raises(ValueError, match="in vain"), deadline.stopping(lambda: stopped.append("second")):
        raise ValueError("in vain")
    deadline.cut()
    assert stopped == ["first"]


def test_another_thread_may_cut_a_deadline() -> None:
    deadline = Deadline()
    timer = Timer(0.02, deadline.cut)
    waiting = Thread(target=lambda: [sleep(0.001) for _ in iter(lambda: deadline.passed, True)])
    waiting.start()
    timer.start()
    waiting.join(60)
    assert not waiting.is_alive()


def test_the_time_of_a_budget_runs_from_the_start_of_a_search() -> None:
    assert Budget(nodes=5).deadline().at == 0
    budget, before = Budget(seconds=3), monotonic_ns()
    assert before + 3e9 <= budget.deadline().at <= monotonic_ns() + 3e9
    assert budget == Budget(3)
