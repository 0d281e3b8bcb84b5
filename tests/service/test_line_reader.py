"""Lines from a pipe: whole ones however they arrive, and the beginning of those that are too long."""

from __future__ import annotations

import os
from itertools import pairwise
from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from service.line_reader import LineReader


@given(st.lists(st.sampled_from([b"a", b"\n", b"bc", b"\r", b"x" * 7]), max_size=30), st.integers(1, 9))
def test_lines_are_those_of_the_bytes_however_they_arrive(parts: list[bytes], limit: int) -> None:
    read, written = os.pipe()
    for part in parts:
        os.write(written, part)
    os.close(written)
    *ended, rest = b"".join(parts).split(b"\n")
    expected = [*ended, rest] if rest else ended
    assert list(LineReader(read, limit)) == [line[: limit + 1] for line in expected]
    os.close(read)


def test_each_line_is_there_when_it_ends() -> None:
    read, written = os.pipe()
    lines = iter(LineReader(read, 100))
    for before, after in pairwise([b"", b"one\ntw", b"o\n"]):
        os.write(written, after)
        assert next(lines) == (before + after).split(b"\n")[-2].removeprefix(b"one\n").rpartition(b"\n")[2]
    os.close(written)
    assert list(lines) == []
    os.close(read)


def test_it_can_be_stopped_while_it_waits() -> None:
    read, written = os.pipe()
    reader = LineReader(read, 100)
    found: list[bytes] = []
    thread = Thread(target=lambda: found.extend(reader))
    thread.start()
    reader.stop()
    thread.join()
    assert reader.stopped
    assert found == []
    os.close(read)
    os.close(written)
