"""Word graphs (KWG) and graphs of leaves (KLV): what is written is what an independent reader finds."""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput, WordListError
from engine.evaluation import leave_graph, read_leave_graph
from engine.evaluation.leave_table import LeaveTable
from engine.lexicon import word_graph
from engine.lexicon.word_lists import read_word_list
from engine.lexicon.word_lists.word_graph import GADDAG, ROOTS, entry_graph, graph_entries, graph_nodes
from engine.rules import TileSet, tile_set

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LISTS = st.sets(st.lists(st.integers(1, 5), min_size=1, max_size=7).map(bytes), min_size=1, max_size=40)


def walked(data: bytes, root: int) -> Iterator[bytes]:
    """Yield the entries of a graph in its order, in plain Python; `root`: the node that leads to it."""
    nodes = struct.unpack(f"<{len(data) // 4}I", data)

    def below(parent: int, prefix: bytes) -> Iterator[bytes]:
        at = nodes[parent] & 0x3FFFFF
        while at:
            entry = prefix + bytes([nodes[at] >> 24])
            if nodes[at] & 0x800000:
                yield entry
            yield from below(at, entry)
            at = 0 if nodes[at] & 0x400000 else at + 1

    return below(root, b"")


def gaddag(word: bytes) -> set[bytes]:
    """Return the entries of a word: its beginnings backwards, the separator 0, and the rest."""
    return {
        word[turn - 1 :: -1] + (b"\0" + word[turn:] if turn < len(word) else b"")
        for turn in range(1, len(word) + 1)
    }


def written(tmp_path: Path, data: bytes, name: str = "words.kwg") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@given(LISTS)
def test_an_independent_reader_finds_the_words_and_the_gaddag(words: set[bytes]) -> None:
    data = word_graph(words)
    assert list(walked(data, 0)) == sorted(words)
    assert sorted(walked(data, 1)) == sorted(set().union(*map(gaddag, words)))
    alone = word_graph(words, gaddag=False)
    assert (list(walked(alone, 0)), list(walked(alone, 1))) == (sorted(words), [])


@given(LISTS)
def test_what_is_written_is_read(words: set[bytes]) -> None:
    entries = graph_entries(graph_nodes(word_graph(words)))
    assert [bytes(row[row > 0] - 1) for row in entries] == sorted(words)


def test_equal_endings_stand_once() -> None:
    """Five beginnings with the same three endings: five nodes, and two lists of two for the endings."""
    words = [bytes([first, *end]) for first in range(1, 6) for end in ((1, 2), (1, 3), (4,))]
    entries = graph_entries(graph_nodes(word_graph(words)))
    assert len(entry_graph(entries)) == 4 * (ROOTS + 5 + 2 + 2)


@pytest.mark.parametrize("tiles", ["english", "spanish", "catalan", "polish", "norwegian"])
def test_letters_are_those_of_the_tile_set_in_its_order(tiles: str, tmp_path: Path) -> None:
    alphabet = tile_set(tiles).alphabet
    words = [
        alphabet.letters[-1] + alphabet.letters[0],
        *(letter + alphabet.letters[1] for letter in alphabet.letters),
    ]
    codes = [alphabet.encode_word(word) for word in words]
    found = read_word_list(written(tmp_path, word_graph(codes)), alphabet, max_length=15)
    assert found.words.tolist() == sorted(set(codes))
    assert found.report.encoding == "KWG"
    text = "".join(f"{alphabet.word(code)}\n" for code in sorted(set(codes)))
    assert found.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_short_and_long_words_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, word_graph([b"\1", b"\1\2", b"\1" * 16]))
    found = read_word_list(path, tile_set("english").alphabet, max_length=15)
    assert found.words.tolist() == [b"\1\2"]
    assert (found.report.too_short, found.report.too_long, found.report.lines) == (1, 1, 3)


def node(tile: int, child: int = 0, *, ends: bool = False, last: bool = True) -> int:
    return tile << 24 | ends << 23 | last << 22 | child


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([node(0, 2), node(0), node(1, 3, ends=True)], "incomplete"),
        ([node(0, 2), node(0), node(1, 0, ends=True, last=False)], "incomplete"),
        ([node(0, 2), node(0), node(1, 3), node(2, 2, ends=True)], "in a circle"),
        ([node(0, 2), node(0), node(1, 2, ends=True, last=False), node(2, 2)], "in a circle"),
        ([node(0, 2), node(0), node(65, ends=True)], "node24"),
        ([node(0, 2), node(0), node(2, last=False), node(1, ends=True)], "ascend"),
        ([node(0, 2), node(0), node(27, ends=True)], "tile 27 of 26 letters"),
        ([node(0), node(0)], "empty"),
    ],
)
def test_a_damaged_graph_is_refused_in_one_line(nodes: list[int], reason: str, tmp_path: Path) -> None:
    path = written(tmp_path, struct.pack(f"<{len(nodes)}I", *nodes))
    with pytest.raises(WordListError, match=reason) as caught:
        read_word_list(path, tile_set("english").alphabet, max_length=15)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        entries = graph_entries(graph_nodes(data))
    except ValueError:
        return
    assert [bytes(row[row > 0] - 1) for row in entries] == sorted(walked(data, 0))


def test_the_graph_of_another_engine_has_the_words_of_the_list(shared_data: Path) -> None:
    path = shared_data / "word_graphs" / "TWL06.kwg"
    alphabet = tile_set("english").alphabet
    found = read_word_list(path, alphabet, max_length=15)
    listed = read_word_list(shared_data / "lexica" / "twl06.txt", alphabet, max_length=15)
    assert np.array_equal(found.words, listed.words)
    assert found.sha256 == listed.sha256
    nodes = graph_nodes(path.read_bytes())
    ours = graph_nodes(word_graph(found.words.tolist()))
    assert np.array_equal(graph_entries(ours, GADDAG), graph_entries(nodes, GADDAG))


def two_letters(count: int) -> TileSet:
    letters = {"A": (count, 1), "B": (1, 2), "?": (2, 0)}
    return TileSet.from_letters(
        [{"letter": letter, "count": copies, "value": value} for letter, (copies, value) in letters.items()]
    )


SMALL = two_letters(2)


def test_leaves_are_read_as_written() -> None:
    random = np.random.default_rng(5)
    table = LeaveTable.of_named(SMALL, [])
    values = random.integers(-3000, 3000, len(table.values)).astype(np.int16)
    values[0] = 0
    data = leave_graph(LeaveTable(SMALL, values, meta={}))
    found, named = read_leave_graph(data, SMALL)
    assert named == len(values) - 1
    assert np.array_equal(found.values, values)
    count = struct.unpack_from("<I", data)[0]
    graph, floats = data[4 : 4 + 4 * count], np.frombuffer(data[8 + 4 * count :], "<f4")
    by_leave = {tuple(leave): value for leave, value in zip(walked(graph, 0), floats, strict=True)}
    assert by_leave == {leave: np.float32(found.value(bytes(leave))) for leave in by_leave}


def test_the_older_format_has_256ths() -> None:
    data = leave_graph(LeaveTable.of_named(SMALL, []))
    count = struct.unpack_from("<I", data)[0]
    leaves = struct.unpack_from("<I", data, 4 + 4 * count)[0]
    older = data[: 8 + 4 * count] + np.full(leaves, 640, "<i2").tobytes()
    assert set(read_leave_graph(older, SMALL)[0].values[1:].tolist()) == {250}


@pytest.mark.parametrize("cut", [0, 3, 10, -1, -5])
def test_incomplete_leaves_are_refused(cut: int) -> None:
    data = leave_graph(LeaveTable.of_named(SMALL, []))[:cut]
    with pytest.raises(InvalidInput, match="the leaves cannot be read"):
        read_leave_graph(data, SMALL)


def test_leaves_of_other_tiles_are_refused() -> None:
    data = leave_graph(LeaveTable.of_named(SMALL, []))
    with pytest.raises(InvalidInput, match="more of A than the 1 of the set"):
        read_leave_graph(data, two_letters(1))


def test_the_leaves_of_another_engine_come_back(shared_data: Path) -> None:
    data = (shared_data / "word_graphs" / "NWL23.klv2").read_bytes()
    table, named = read_leave_graph(data, tile_set("english"))
    assert named == len(table.values) - 1 == 914_624
    count = struct.unpack_from("<I", data)[0]
    theirs = np.frombuffer(data[8 + 4 * count :], "<f4")
    written = leave_graph(table)
    count = struct.unpack_from("<I", written)[0]
    ours = np.frombuffer(written[8 + 4 * count :], "<f4")
    assert np.abs(ours - theirs).max() <= 0.0051
    again, _ = read_leave_graph(written, tile_set("english"))
    assert np.array_equal(again.values, table.values)
