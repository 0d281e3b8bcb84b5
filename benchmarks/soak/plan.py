"""When which fault is injected."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from benchmarks.namespaces import lacking
from benchmarks.soak.clock import COMPILER
from benchmarks.soak.deployment import SITE
from benchmarks.soak.disk import TOOLS, can_be_slow
from benchmarks.soak.faults import FAULTS, KILL_JOB, SLOW_DISK
from benchmarks.soak.questions import ALL, QUICK, Amounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.soak.faults import Fault

RECOVERY_SECONDS: Final = 10.0
"""The time after a fault that counts as injected."""
ROUND_SECONDS: Final = 900.0
"""The time of a round of the faults that are repeated."""


@dataclass(frozen=True)
class Plan:
    """Hold seconds of the run, of the recovery after a fault, and of the calm before each; the questions."""

    seconds: float
    recovery_seconds: float = RECOVERY_SECONDS
    least_calm: float = 15.0
    fault_seconds: float | None = None
    amounts: Amounts = ALL

    def timed(self, fault: Fault) -> Fault:
        """Return a fault with the duration that it has in this plan."""
        if self.fault_seconds is None:
            return fault
        return replace(fault, seconds=min(fault.seconds, self.fault_seconds))


QUICK_PLAN: Final = Plan(25.0, 1.5, 0.3, 1.0, QUICK)
"""Run everything once, to test it; the results mean nothing."""


def schedule(plan: Plan, faults: Sequence[Fault]) -> list[tuple[float, Fault]]:
    """Return each fault with the second of the run at which it begins at the earliest.

    Those after which memory is measured anew come first, with the least calm between them; the others are
    spread evenly over the rest, again and again in a long run.
    """
    first = [plan.timed(fault) for fault in faults if fault.renews_memory]
    others = [plan.timed(fault) for fault in faults if not fault.renews_memory]
    found: list[tuple[float, Fault]] = []
    begin = plan.least_calm
    for fault in first:
        found.append((begin, fault))
        begin += fault.seconds + plan.recovery_seconds + plan.least_calm
    begin = max(begin, plan.seconds / 6)
    rest = plan.seconds - begin
    others *= max(int(rest / ROUND_SECONDS), 1)
    for number, fault in enumerate(others):
        found.append((begin + number * rest / len(others), fault))
    return found


def missing_tools() -> list[str]:
    """Return what this machine lacks for a soak."""
    files = [] if SITE.exists() else ["deploy/nginx.conf: run it in a checkout"]
    return lacking() or [tool for tool in (*TOOLS, COMPILER) if shutil.which(tool) is None] + files


def possible_faults(plan: Plan, upgrade: Fault | None, no_upgrade: str) -> tuple[list[Fault], dict[str, str]]:
    """Return the faults that this machine can inject, and for the others the reason why not."""
    left_out = {}
    if upgrade is None:
        left_out["rolling upgrade"] = no_upgrade
    if not can_be_slow():
        left_out[SLOW_DISK.name] = "needs control groups of version 1 with blkio and memory"
    if plan is QUICK_PLAN:
        left_out[KILL_JOB.name] = "its job would start again after more than a minute"
    before = [] if upgrade is None else [upgrade]
    return [*before, *(fault for fault in FAULTS if fault.name not in left_out)], left_out
