"""Measure the inputs of the model and the points that it is checked with, side by side in rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchmarks.capacity.check import MeasuredPoints
from benchmarks.capacity.measured_services import Shared, services_running
from benchmarks.capacity.service_times import IN_MEMORY, ServiceTimes
from benchmarks.load.positions import asked_of_games, never_twice
from benchmarks.load.servers import Cores
from benchmarks.measurements.machine import processor_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchmarks.capacity.check import Compared
    from benchmarks.capacity.inputs import Inputs
    from benchmarks.capacity.repetition import Repetition
    from kibitz import Lexicon

    Stage = Callable[[str], Callable[[int, int], None]]


@dataclass(frozen=True, slots=True)
class Effort:
    """Hold how much is measured.

    `games`: greedy games whose positions are asked for; `rounds`, in which each kind is measured for
    `seconds`; `fill`: requests before the check, after which positions repeat as often as they ever will.
    """

    games: int = 1600
    rounds: int = 32
    seconds: float = 0.5
    fill: int = 1000


QUICK: Final = Effort(40, 1, 0.4, 50)  # processor time is counted in hundredths of a second
"""Run everything once, to test it; the results mean nothing."""


def measure(
    lexicon: Lexicon, data: Path, repetition: Repetition, effort: Effort, command: str, stage: Stage
) -> tuple[Inputs, list[Compared]]:
    """Return the measured inputs, and the measured points beside the model.

    `repetition` becomes part of the inputs; `stage` is called with the name of each stage and returns its
    progress function.

    Raises ServerError without redis-server, or if a service does not start.
    """
    asked = asked_of_games(lexicon, effort.games, stage("Playing greedy games"))
    progress = stage("Measuring the services")
    known = IN_MEMORY
    with services_running(lexicon.id, data, Cores.split()) as services:
        fresh = Shared(never_twice(asked[known:]))
        times = ServiceTimes(services, asked[:known], fresh)
        points = MeasuredPoints(services, fresh)
        times.warm_up()
        points.fill(effort.fill)
        for number in range(effort.rounds):
            times.measure_round(effort.seconds)
            points.measure_round(effort.seconds)
            progress(number + 1, effort.rounds)
        inputs = times.inputs(repetition, machine=processor_name(), command=command, lexicon=lexicon.id)
    return inputs, points.compared(inputs, times.core())
