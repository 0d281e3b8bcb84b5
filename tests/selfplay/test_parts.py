"""Games in parts: results in order whatever the executor does, errors at once, nothing left running."""

from __future__ import annotations

import pickle
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from engine.rules import board_layout, rule_set
from engine.selfplay.parts import GameControl, GameInterrupted, GameWork, PartPlayer, Played, play_parts
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.selfplay.parts import PartFunction


@dataclass(frozen=True)
class Numbers(GameWork[list[int]]):
    """Its result is the part itself; the unit `wrong` is an error, and units wait for `seconds`."""

    seconds: float = 0.0
    wrong: int = -1

    def player(self, lexicon: Lexicon) -> PartFunction[list[int]]:
        def play(part: range, control: GameControl) -> list[int]:
            for unit in part:
                if unit == self.wrong:
                    raise ValueError(f"unit {unit}")
                if control.interrupt.passed:
                    raise GameInterrupted
                time.sleep(self.seconds)
            return list(part)

        return play


class Shuffled:
    """An executor that finishes parts in any order."""

    def __init__(self, lexicon: Lexicon, width: int) -> None:
        self.width = width
        self.stopped = False
        self.control = GameControl()
        self._player = PartPlayer(lexicon)
        self._pool = ThreadPoolExecutor(width)
        self._random = Random(width)

    def submit(self, work: GameWork[Any], part: range) -> Future[Played[Any]]:
        wait = self._random.random() / 100

        def play() -> Played[Any]:
            time.sleep(wait)
            return self._player.play(work, part, self.control)

        return self._pool.submit(play)

    def stop(self) -> None:
        self.stopped = True
        self.control.interrupt.cut()
        self._pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    return playable(tmp_path_factory.mktemp("parts"), few_tiles(8, 5))


def work(**options: Any) -> Numbers:
    return Numbers(board_layout("standard15"), rule_set("english"), **options)


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("units", [range(0), range(7, 8), range(300)])
def test_results_come_in_order_and_completely(lexicon: Lexicon, width: int, units: range) -> None:
    taken: list[int] = []

    def take(part: range, result: list[int]) -> None:
        assert list(part) == result
        taken.extend(result)

    executor = Shuffled(lexicon, width)
    play_parts(executor, work(), units, take)
    assert taken == list(units)
    assert not executor.stopped
    executor.stop()


def test_parts_do_not_grow_beyond_a_fair_share(lexicon: Lexicon) -> None:
    parts: list[range] = []
    executor = Shuffled(lexicon, 2)
    play_parts(executor, work(), range(1000), lambda part, _: parts.append(part))
    executor.stop()
    assert len(parts[0]) == len(parts[-1]) == 1
    assert all(len(part) <= 1 + (1000 - part.start) // 2 for part in parts)


def test_an_error_in_a_part_is_raised_and_stops_the_rest(lexicon: Lexicon) -> None:
    """Also if the parts before it take longer."""
    executor = Shuffled(lexicon, 3)
    taken: list[range] = []
    with pytest.raises(ValueError, match="unit 5"):
        play_parts(executor, work(seconds=0.002, wrong=5), range(10_000), lambda part, _: taken.append(part))
    assert executor.stopped
    assert all(part.stop <= 5 for part in taken)


def test_an_error_of_the_caller_stops_the_parts_that_run(lexicon: Lexicon) -> None:
    executor = Shuffled(lexicon, 2)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_parts(executor, work(seconds=0.01), range(1_000_000), lambda part, _: None, tick=interrupt)
    assert executor.stopped  # its pool has ended, so no part is left running


def test_a_thread_prepares_each_work_once(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[Numbers] = []
    original = Numbers.player

    def counted(self: Numbers, lexicon: Lexicon) -> PartFunction[list[int]]:
        prepared.append(self)
        return original(self, lexicon)

    monkeypatch.setattr(Numbers, "player", counted)
    player = PartPlayer(lexicon)
    for each in (work(), work(), pickle.loads(pickle.dumps(work())), work(wrong=3)):
        assert player.play(each, range(2), GameControl()).result == [0, 1]
    assert prepared == [work(), work(wrong=3)]


def test_a_work_reaches_another_process_unchanged() -> None:
    for layout in ("standard15", "wordfeud15"):
        each = Numbers(board_layout(layout), rule_set("spanish"), wrong=2)
        again = pickle.loads(pickle.dumps(each))
        assert again == each
        assert hash(again) == hash(each)
