"""The soak: start the deployment, let the users ask, inject one fault after the other, and report."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.soak.deployment import Deployment
from benchmarks.soak.memory import MemorySamples, growth
from benchmarks.soak.objectives import (
    Window,
    endpoint_rows,
    job_figures,
    verdicts,
    wrong_answers,
)
from benchmarks.soak.plan import schedule
from benchmarks.soak.users import Users

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.compare.sides import Side
    from benchmarks.soak.expected import Expected
    from benchmarks.soak.faults import Fault
    from benchmarks.soak.plan import Plan
    from benchmarks.soak.questions import Questions

RECOVERY_LIMIT: Final = 120.0
"""How long to wait for the recovery after a fault."""


@dataclass(frozen=True, slots=True)
class Injected:
    """Hold a fault that was injected: when it began and was mended, and the seconds until all was whole."""

    name: str
    begin: float
    end: float
    recovered_seconds: float | None
    renews_memory: bool


def run_soak(
    plan: Plan,
    release: Side,
    folder: Path,
    questions: Questions,
    expected: Expected,
    faults: Sequence[Fault],
    progress: Callable[[str, float], None],
) -> dict[str, Any]:
    """Soak a release with faults and return the report; raises ServerError if the deployment fails.

    `folder`: for disks and logs; `progress` is called with what happens and the completed share.
    """
    injected: list[Injected] = []
    with ExitStack() as stack:
        deployment = Deployment(folder, release, stack)
        began = time.monotonic()
        memory = stack.enter_context(
            MemorySamples(
                {f"host {number}": host.pss_bytes for number, host in enumerate(deployment.hosts, 1)}
            )
        )
        with Users(deployment.address, questions, expected) as users:
            stage = "before the first fault"
            for due, fault in schedule(plan, faults):
                _wait(began, due, plan, partial(progress, stage))
                stage = fault.name
                progress(stage, _share(began, plan))
                injected.append(_inject(fault, deployment))
                time.sleep(plan.recovery_seconds)
            _wait(began, plan.seconds, plan, partial(progress, stage))
            progress("waiting for jobs", 1.0)
        attempts = deployment.attempts([job.id for job in users.jobs])
        restarts = {unit.name: unit.restarts for unit in deployment.units()}
    return _report(plan, began, injected, users, memory, attempts) | {"restarts": restarts}


def _wait(began: float, due: float, plan: Plan, progress: Callable[[float], None]) -> None:
    while (left := began + due - time.monotonic()) > 0:
        progress(_share(began, plan))
        time.sleep(min(left, 1.0))


def _share(began: float, plan: Plan) -> float:
    return min((time.monotonic() - began) / plan.seconds, 1.0)


def _inject(fault: Fault, deployment: Deployment) -> Injected:
    begin = time.monotonic()
    with fault.inject(deployment):
        time.sleep(fault.seconds)
    end = time.monotonic()
    recovered = deployment.wait_until_whole(RECOVERY_LIMIT)
    return Injected(fault.name, begin, end, recovered, fault.renews_memory)


def _report(
    plan: Plan,
    began: float,
    injected: Sequence[Injected],
    users: Users,
    memory: MemorySamples,
    attempts: Sequence[int],
) -> dict[str, Any]:
    windows = [Window(fault.begin, fault.end + plan.recovery_seconds) for fault in injected]
    faults = []
    for fault, window in zip(injected, windows, strict=True):
        mine = [one for one in users.outcomes if window.touches(one)]
        errors = [one.error for one in mine if one.error]
        row = asdict(fault) | {"begin": round(fault.begin - began, 1), "end": round(fault.end - began, 1)}
        faults.append(
            row | {"requests": len(mine), "errors": len(errors), "examples": sorted(set(errors))[:3]}
        )
    renewals = [window.end for fault, window in zip(injected, windows, strict=True) if fault.renews_memory]
    since = max([began + plan.seconds / 6, *renewals])
    report: dict[str, Any] = {
        "seconds": plan.seconds,
        "recovery_seconds": plan.recovery_seconds,
        "endpoints": endpoint_rows(users.outcomes, windows),
        "faults": faults,
        "jobs": job_figures(users.jobs, attempts),
        "wrong_answers": wrong_answers(users.outcomes),
        "memory": {name: growth(samples, since, windows) for name, samples in memory.samples.items()},
        "memory_samples": {
            name: [[round(moment - began, 1), size] for moment, size in samples]
            for name, samples in memory.samples.items()
        },
    }
    report["verdicts"] = verdicts(report)
    return report
