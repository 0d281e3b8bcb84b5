"""KWG: the word graphs of Macondo, wolges, MAGPIE and Woogles, read and written.

A graph is an array of nodes of 32 bits, little-endian: bits 24 to 31 the tile, bit 23 whether a word ends,
bit 22 whether this is the last of its siblings, bits 0 to 21 the index of the first child, 0 without one.
Siblings stand side by side, their tiles ascending. Node 0 leads to the words, node 1 to the GADDAG: for each
word and each of its tiles the tiles up to that one backwards, then the separator and the rest, if there is a
rest. The tiles are the letters of the tile set in its order, from 1; the separator is 0, and so is the blank
in graphs of leaves. Source: the files of these programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

EXTENSION: Final = ".kwg"

WORDS: Final = 0
GADDAG: Final = 1
"""The nodes that lead to the two graphs."""

ROOTS: Final = 2
NODE: Final = np.dtype("<u4")
MAX_NODES: Final = 1 << 22
MAX_ENTRIES: Final = 1 << 24
"""The most words of a graph that is read."""

MAX_DEPTH: Final = 64
_TILE_BITS: Final = 24
_ENDS: Final = np.uint32(1 << 23)
_LAST: Final = np.uint32(1 << 22)
_CHILD: Final = np.uint32(MAX_NODES - 1)
_MOST_TILES: Final = 63  # tile codes of any tile set; node24, the other layout of KWG, has flags above them


def graph_nodes(data: bytes) -> NDArray[np.uint32]:
    """Return the nodes of a graph; raise ValueError for a file that is none."""
    if len(data) < 2 * NODE.itemsize or len(data) % NODE.itemsize:
        raise ValueError(Text("the word graph is incomplete: it has {count} bytes", count=len(data)))
    return np.frombuffer(data, NODE).astype(np.uint32)


def graph_entries(nodes: NDArray[np.uint32], root: int = WORDS) -> NDArray[np.uint8]:
    """Return the entries of a graph, one a row, as tiles plus 1, with 0 behind the last; rows ascend.

    `root`: the node that leads to the graph. Raises ValueError for a graph that is damaged, endless, has more
    than MAX_ENTRIES entries, or is of the layout node24.
    """
    graph = _Graph.of(nodes)
    first = int(nodes[root] & _CHILD)
    depth = _depth(graph, first)
    found, lists = [], np.array([first] if first else [], np.int64)
    rows = np.zeros((len(lists), 0), np.uint8)
    while len(lists):
        lengths = graph.lasts[lists] - lists + 1
        at = _members(lists, lengths)
        tiles = (nodes[at] >> _TILE_BITS).astype(np.uint8) + np.uint8(1)
        rows = np.hstack([np.repeat(rows, lengths, axis=0), tiles[:, None]])
        ended = rows[(nodes[at] & _ENDS) != 0]
        found.append(np.hstack([ended, np.zeros((len(ended), depth - rows.shape[1]), np.uint8)]))
        children = graph.children[at]
        lists, rows = children[children > 0], rows[children > 0]
    entries = np.vstack(found) if found else np.zeros((0, 1), np.uint8)
    return entries[np.lexsort(entries.T[::-1])]


class _Graph(NamedTuple):
    """Hold for each node the index of its first child, and of the last sibling from it on."""

    children: NDArray[np.int64]
    lasts: NDArray[np.int64]

    @classmethod
    def of(cls, nodes: NDArray[np.uint32]) -> _Graph:
        tiles = nodes >> _TILE_BITS
        if tiles.max() > _MOST_TILES:
            raise ValueError(
                Text(
                    "tile {tile} in the word graph: it is damaged, or of the layout node24",
                    tile=int(tiles.max()),
                )
            )
        ends = np.flatnonzero(nodes & _LAST)
        children = (nodes & _CHILD).astype(np.int64)
        if not len(ends) or ends[-1] != len(nodes) - 1 or children.max() >= len(nodes):
            raise ValueError(
                Text(
                    "the word graph is incomplete: a node leads beyond the last of {count}", count=len(nodes)
                )
            )
        siblings = np.flatnonzero((nodes[ROOTS:] & _LAST) == 0) + ROOTS
        if (tiles[siblings] >= tiles[siblings + 1]).any():
            raise ValueError(Text("the word graph is damaged: its tiles do not ascend"))
        return cls(children, ends[np.searchsorted(ends, np.arange(len(nodes)))])


def _depth(graph: _Graph, first: int) -> int:
    """Return the tiles of the longest entry; raise ValueError for an endless or too large graph.

    Entries are counted by the number of ways to a list of siblings, before any of them is written out.
    """
    lists: NDArray[np.int64] = np.array([first] if first else [], np.int64)
    ways: NDArray[np.float64] = np.ones(len(lists))
    for depth in range(MAX_DEPTH + 1):
        if not len(lists):
            return max(depth, 1)
        lengths = graph.lasts[lists] - lists + 1
        if (ways * lengths).sum() > MAX_ENTRIES:
            raise ValueError(
                Text("the word graph has more than {most} entries, or goes in a circle", most=MAX_ENTRIES)
            )
        at = _members(lists, lengths)
        children = graph.children[at]
        inner = children > 0
        lists, places = np.unique(children[inner], return_inverse=True)
        ways = np.bincount(places, np.repeat(ways, lengths)[inner], len(lists)).astype(np.float64)
    raise ValueError(Text("the word graph goes in a circle"))


def word_graph(words: Iterable[bytes], *, gaddag: bool = True) -> bytes:
    """Return the graph of words, given in tile codes, and with `gaddag` their GADDAG.

    Raises ValueError if it would have more than MAX_NODES nodes.
    """
    joined = np.array(list(words), "S")
    codes = joined.view(np.uint8).reshape(len(joined), -1)
    parts = [_minimal(_sorted(codes + (codes > 0)))]
    if gaddag:
        parts.append(_minimal(_sorted(_gaddag(codes))))
    return _joined(parts)


def entry_graph(entries: NDArray[np.uint8]) -> bytes:
    """Return the graph of entries, given as `graph_entries` returns them."""
    return _joined([_minimal(_sorted(entries))])


def _gaddag(words: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the entries of the GADDAG of words, as tiles plus 1."""
    lengths = np.count_nonzero(words, axis=1)
    parts = []
    for size in np.unique(lengths).tolist():
        same = words[lengths == size, :size] + np.uint8(1)
        for turn in range(1, size + 1):
            part = np.zeros((len(same), words.shape[1] + 1), np.uint8)
            part[:, :turn] = same[:, turn - 1 :: -1] if turn < size else same[:, ::-1]
            if turn < size:
                part[:, turn] = 1  # the separator
                part[:, turn + 1 : size + 1] = same[:, turn:]
            parts.append(part)
    return np.vstack(parts)


def _sorted(entries: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the distinct rows of entries, ascending."""
    keys = np.unique(np.ascontiguousarray(entries).view(f"V{entries.shape[1]}").ravel())
    return keys.view(np.uint8).reshape(len(keys), -1)


class _Part(NamedTuple):
    """Hold a graph whose indices of children count from its own first node."""

    nodes: NDArray[np.uint32]
    root: int


class _Level(NamedTuple):
    """Hold the nodes of a tree at one depth: their tiles, whether an entry ends, hashes of their children.

    `first`, `sizes`, `lists`: of each list of siblings the first node, the number of nodes and the hash.
    """

    tiles: NDArray[np.uint32]
    ends: NDArray[np.bool_]
    below: NDArray[np.uint64]
    first: NDArray[np.int64]
    sizes: NDArray[np.int64]
    lists: NDArray[np.uint64]


def _minimal(entries: NDArray[np.uint8]) -> _Part:
    """Return the graph of sorted entries in which equal lists of siblings stand once.

    From the deepest tiles up, a list of siblings gets a hash of 64 bits of its tiles, ends and children;
    lists with equal hashes are one.
    """
    count, longest = entries.shape
    lengths = np.count_nonzero(entries, axis=1)
    shared = np.zeros(count, np.int64)  # tiles that an entry shares with the one before it
    alike = np.ones(count - 1, bool)
    for place in range(longest):
        alike &= (entries[1:, place] == entries[:-1, place]) & (entries[1:, place] > 0)
        shared[1:] += alike
    levels: list[_Level] = []
    deeper, hashes = np.zeros(0, np.int64), np.zeros(0, np.uint64)  # of the nodes one tile deeper
    for depth in range(longest, 0, -1):
        nodes, parents = (
            np.flatnonzero((lengths >= at) & (shared < max(at, 1))) for at in (depth, depth - 1)
        )
        parents = parents if depth > 1 else parents[:1]
        tiles, ends = entries[nodes, depth - 1].astype(np.uint32) - 1, lengths[nodes] == depth
        below = _summed(hashes, *_stretches(deeper, nodes, count))
        hashes = _mixed(below ^ _mixed((2 * tiles + ends + 1).astype(np.uint64)))
        first, end = _stretches(nodes, parents, count)
        filled = end > first
        lists = _summed(hashes, first, end)
        levels.append(_Level(tiles, ends, below, first[filled], (end - first)[filled], lists[filled]))
        deeper = nodes
    return _laid_out(levels)


def _laid_out(levels: list[_Level]) -> _Part:
    """Return the graph with one list of siblings for each hash; the last of the lists is that of the root."""
    offsets = np.cumsum([0, *(len(level.tiles) for level in levels)])
    first = np.concatenate([level.first + at for level, at in zip(levels, offsets, strict=False)])
    tiles, ends = (
        np.concatenate([level.tiles for level in levels]),
        np.concatenate([level.ends for level in levels]),
    )
    below, sizes = (
        np.concatenate([level.below for level in levels]),
        np.concatenate([level.sizes for level in levels]),
    )
    lists = np.concatenate([level.lists for level in levels])
    distinct, chosen = np.unique(lists, return_index=True)
    first, sizes = first[chosen], sizes[chosen]
    positions = np.cumsum(sizes) - sizes
    at = _members(first, sizes)
    _check_size(len(at))
    nodes = tiles[at] << np.uint32(_TILE_BITS)
    nodes[ends[at]] |= _ENDS
    nodes[positions + sizes - 1] |= _LAST
    inner = below[at] != 0
    nodes[inner] |= (positions[np.searchsorted(distinct, below[at][inner])] + ROOTS).astype(np.uint32)
    return _Part(nodes, int(positions[np.searchsorted(distinct, lists[-1])]))


def _joined(parts: list[_Part]) -> bytes:
    """Return one or two graphs behind their two roots."""
    roots, nodes, offset = np.full(ROOTS, _LAST, np.uint32), [], 0
    for number, part in enumerate(parts):
        moved = part.nodes.copy()
        moved[(moved & _CHILD) > 0] += np.uint32(offset)
        roots[number] |= np.uint32(part.root + ROOTS + offset)
        nodes.append(moved)
        offset += len(moved)
    _check_size(offset)
    return np.concatenate([roots, *nodes]).astype(NODE).tobytes()


def _check_size(count: int) -> None:
    if count + ROOTS > MAX_NODES:
        raise ValueError(
            Text("the word graph would have more than {most} nodes, the most of this layout", most=MAX_NODES)
        )


def _members(first: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices in stretches, given by their first ones and their sizes."""
    return np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


def _stretches(
    inner: NDArray[np.int64], outer: NDArray[np.int64], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the inner numbers from each outer one to the next begin and end; both ascend."""
    return np.searchsorted(inner, outer), np.searchsorted(inner, np.append(outer[1:], count))


def _summed(
    values: NDArray[np.uint64], first: NDArray[np.int64], end: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the sums, modulo 2^64, of stretches of values."""
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    found: NDArray[np.uint64] = sums[end] - sums[first]
    return found


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return hashes of 64-bit numbers (the finalizer of SplitMix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
