"""A deadline that is cut stops the searches that have it, and no other."""

from __future__ import annotations

from threading import Event, Thread, Timer

from engine.search.deadline import Deadline


def test_a_search_that_has_ended_is_not_stopped() -> None:
    """Its solver may serve another search by then."""
    deadline, cutting, go_on = Deadline(), Event(), Event()
    stopped: list[str] = []

    def stop_slowly() -> None:
        cutting.set()
        assert go_on.wait(60)

    cutter = Thread(target=deadline.cut)
    with deadline.stopping(stop_slowly):
        with deadline.stopping(lambda: stopped.append("search")):
            cutter.start()
            assert cutting.wait(60)
            Timer(0.1, go_on.set).start()
        at_its_end = list(stopped)
    cutter.join()
    assert stopped == at_its_end == ["search"]


def test_a_deadline_before_another_passes_earlier_and_ends_with_it() -> None:
    later = Deadline.after(60_000)
    earlier = later.before(60_000)
    assert (earlier.passed, later.passed) == (True, False)
    never = Deadline()
    bound = never.before(10)
    assert not bound.passed
    never.cut()
    assert bound.passed
