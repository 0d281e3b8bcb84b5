"""Build the Internal-Words tables of a word list.

The steps, for W words and their occurrences (a word of the list, or a letter, inside another word):

1. sort by length, then alphagram, then letters, so that the ids of an anagram class are consecutive; 2. write
the word records, and hash the anagram classes by an additive 64-bit key; 3. the graph of multisets: for each
multiset that is one letter short of a class, the letters that complete it; 4. first pass over all
occurrences: find the internal words and number them; 5. second pass: the placements (position, word length)
of each as bits; the rank of a bit numbers its list; 6. third pass: the length of each list; fourth pass: the
words of those up to `max_list`, with their scan masks.

Source: [Sanchez2025], sections 5.1 to 5.5, and its recommendations for the graph. The scan masks, and the
anagram classes instead of the thesis's low-level table, are kibitz's own (docs/internal-words.md says why).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import WordListError
from engine.lexicon import tables_narrow, tables_wide

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from engine.lexicon.word_list import Progress, WordList
    from engine.rules import TileSet

Sections = Mapping[str, "NDArray[Any]"]

KERNELS: Final[Mapping[str, ModuleType]] = {"narrow": tables_narrow, "wide": tables_wide}
TABLES_VERSION: Final = 3
"""Increase it when the meaning of a section changes; older tables are then built again."""
MAX_LIST: Final = 800
"""The most words of a list that is stored.

Longer lists hold half of all entries, but look-ups answer nearly every interval that could use one. The
others read the scan masks of all words of their length.
"""
ANAGRAM_SLOT_DTYPE: Final = np.dtype([("key", "<u8"), ("first", "<u4"), ("count", "<u4")])
"""An AnagramSlot of tables.h."""
_SLICES = 64  # progress steps of one pass over the words
_SLOT_LOAD = 0.65  # the maximum load of a hash table
_KEY_SEED = 0x6B6962697A  # an arbitrary constant, so that equal lists have equal tables
_FILTER_BITS_PER_KEY = 12
_NODE_LOAD = 0.8  # of the graph of multisets, where a small table is better than short probes
_NODE_FILTER_BITS_PER_KEY = 8


def geometry_for(tile_set: TileSet, max_length: int, *, wide: bool) -> str:
    """Return "narrow" if that geometry is large enough for alphabet and words and not `wide`, else "wide".

    Raises WordListError (code "lexicon_too_large") if neither is large enough.
    """
    for name in ("wide",) if wide else ("narrow", "wide"):
        kernel = KERNELS[name]
        if tile_set.alphabet.size <= kernel.LETTERS_CAPACITY and max_length <= kernel.SIDE_CAPACITY:
            return name
    raise WordListError(
        f"words of {max_length} letters over {tile_set.alphabet.size} letters exceed the limits of 26 and 63",
        code="lexicon_too_large",
        params={"length": max_length, "letters": tile_set.alphabet.size},
    )


def build_lexicon(
    word_list: WordList,
    tile_set: TileSet,
    *,
    id: str,  # noqa: A002 - the public name of the field
    name: str = "",
    wide: bool = False,
    max_list: int = MAX_LIST,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Build the tables of a word list; returns (meta, sections) for `store.write_table_file`.

    `wide` selects the geometry for boards of more than 16 squares a side. `max_list` is the most words of a
    list that is stored. `progress` is called with the name of a stage and its completed share, 0.0 to 1.0.
    Raises WordListError if the list has no word or is too large.
    """
    report = progress or (lambda stage, share: None)
    if not word_list.words:
        raise WordListError("the word list has no playable word", code="empty_word_list")
    longest = max(map(len, word_list.words))
    geometry = geometry_for(tile_set, longest, wide=wide)
    kernel = KERNELS[geometry]

    report("sort", 0.0)
    letters, lengths, class_starts = _sorted_words(word_list.words, kernel.WORD_LETTER_BYTES)
    doubles = _double_letters(letters, lengths, tile_set.alphabet.size, kernel.MASK_DTYPE.itemsize * 8)
    length_starts = np.searchsorted(lengths, np.arange(kernel.SIDE_CAPACITY + 2)).astype(np.uint32)
    length_starts[-1] = len(lengths)
    if (most := int(np.diff(length_starts).max())) > kernel.MAX_WORDS_OF_A_LENGTH:
        raise WordListError(
            f"{most:,} words of one length exceed the limit of {kernel.MAX_WORDS_OF_A_LENGTH:,}",
            code="lexicon_too_large",
            params={"words": most, "limit": kernel.MAX_WORDS_OF_A_LENGTH},
        )
    keys = _letter_keys(tile_set.alphabet.size)
    report("sort", 1.0)

    sections: dict[str, NDArray[Any]] = {
        "length_starts": length_starts,
        "letter_keys": keys,
        "words": kernel.word_records(letters, lengths),
    }
    class_firsts = class_starts.astype(np.uint32)
    class_keys = _multiset_keys(letters, lengths, keys)[class_starts]
    class_counts = np.diff(np.append(class_starts, len(lengths))).astype(np.uint32)
    filter_bits = max(9, int(np.ceil(np.log2(len(class_keys) * _FILTER_BITS_PER_KEY))))
    if len(np.unique(class_keys)) != len(class_keys) or not class_keys.all():
        raise WordListError("two anagram classes share a key: change _KEY_SEED", code="key_collision")
    bits = _bits_for(len(class_keys), _SLOT_LOAD)
    anagram_slots = np.zeros(1 << bits, ANAGRAM_SLOT_DTYPE)
    slots = kernel.hash_slots(class_keys, class_keys, bits)
    anagram_slots["key"][slots] = class_keys
    anagram_slots["first"][slots] = class_firsts
    anagram_slots["count"][slots] = class_counts
    sections["anagram_slots"] = anagram_slots.view(np.uint8)
    sections["anagram_filter"] = key_filter(class_keys, filter_bits)
    sections["multiset_nodes"], sections["multiset_filter"] = _multiset_graph(
        kernel, letters[class_starts], lengths[class_starts], class_keys, keys
    )

    shape = {"letter_count": tile_set.alphabet.size, "max_length": longest, "double_letters": doubles}
    _add_lists(kernel, sections, shape, max_list, report)
    meta = {
        "id": id,
        "name": name or id,
        "geometry": geometry,
        "tables_version": TABLES_VERSION,
        "word_list_sha256": word_list.sha256,
        "word_count": len(lengths),
        "tile_set": tile_set.canonical(),
        "tile_set_id": tile_set.id,
        **shape,
    }
    return meta, sections


def open_tables(sections: Sections, meta: Mapping[str, Any]) -> tables_narrow.Tables:
    """Return the kernel's view of built sections; raise ValueError if they do not fit together."""
    return KERNELS[meta["geometry"]].Tables(  # type: ignore[no-any-return]
        sections, meta["letter_count"], meta["max_length"], bytes(meta["double_letters"])
    )


def _multiset_graph(
    kernel: ModuleType,
    letters: NDArray[np.uint8],
    lengths: NDArray[Any],
    class_keys: NDArray[np.uint64],
    letter_keys: NDArray[np.uint64],
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Return the nodes and the filter of the graph of multisets: each class less one of its letters.

    `letters`, (classes, letters), and `lengths`, (classes,), describe one word of each class; `class_keys`
    and `letter_keys` are the keys of classes and letters.
    """
    short = lengths <= kernel.LETTERS_OF_GRAPH
    chosen = letters[short, : kernel.LETTERS_OF_GRAPH]
    held = np.arange(chosen.shape[1]) < lengths[short][:, None]
    edges = np.where(held, chosen, 0)
    nodes = class_keys[short][:, None] - letter_keys[edges]
    node_keys, number = np.unique(nodes[held], return_inverse=True)
    node_letters = np.zeros(len(node_keys), np.uint64)
    np.bitwise_or.at(node_letters, number, np.uint64(1) << edges[held].astype(np.uint64))
    filter_bits = _bits_for(max(64, len(node_keys) * _NODE_FILTER_BITS_PER_KEY), 1.0)
    bits = _bits_for(max(1, len(node_keys)), _NODE_LOAD)
    tags = node_keys.astype(kernel.MASK_DTYPE)
    slots = kernel.hash_slots(node_keys, tags.astype(np.uint64), bits)
    table = np.zeros(1 << bits, [("letters", kernel.MASK_DTYPE), ("tag", kernel.MASK_DTYPE)])
    table["tag"][slots] = tags
    np.bitwise_or.at(table["letters"], slots, node_letters.astype(kernel.MASK_DTYPE))
    return table.view(np.uint8), key_filter(node_keys, filter_bits)


def key_filter(keys: NDArray[np.uint64], bits: int) -> NDArray[np.uint32]:
    """Return a bit set of 1 << bits bits, of which those are set that some key has as its top bits."""
    present = np.zeros(1 << bits, np.uint8)
    present[keys >> np.uint64(64 - bits)] = 1
    return np.packbits(present, bitorder="little").view(np.uint32)


def _bits_for(entries: int, load: float) -> int:
    return max(4, int(np.ceil(np.log2(entries / load))))


def _sorted_words(
    words: list[bytes], width: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
    """Return letter indices (W, width), zero-padded, lengths (W,), first words of anagram classes."""
    codes = np.frombuffer(b"".join(word.ljust(width, b"\0") for word in words), np.uint8).reshape(-1, width)
    lengths = np.count_nonzero(codes, axis=1).astype(np.uint8)
    alphagrams = np.sort(np.where(codes == 0, 255, codes), axis=1).astype(np.uint8)
    sort_keys = np.concatenate([lengths[:, None], alphagrams, codes], axis=1)
    order = np.argsort(np.ascontiguousarray(sort_keys).view(f"S{sort_keys.shape[1]}").ravel(), kind="stable")
    codes, lengths, alphagrams = codes[order], lengths[order], alphagrams[order]
    new_class = np.ones(len(lengths), bool)
    new_class[1:] = (alphagrams[1:] != alphagrams[:-1]).any(axis=1)
    return np.where(codes == 0, 0, codes - 1).astype(np.uint8), lengths, np.flatnonzero(new_class)


def _double_letters(
    letters: NDArray[np.uint8], lengths: NDArray[np.uint8], letter_count: int, mask_bits: int
) -> list[int]:
    """Choose the letters whose second copy gets a spare bit of the scan masks: the most often doubled."""
    filled = np.arange(letters.shape[1]) < lengths[:, None]
    doubled = [
        int(np.count_nonzero(((letters == letter) & filled).sum(axis=1) > 1))
        for letter in range(letter_count)
    ]
    ranked = sorted(range(letter_count), key=lambda letter: (-doubled[letter], letter))
    return [letter for letter in ranked if doubled[letter]][: mask_bits - letter_count]


def _letter_keys(letter_count: int) -> NDArray[np.uint64]:
    """Return a random 64-bit number for each letter (splitmix64); the key of a multiset is their sum."""
    with np.errstate(over="ignore"):
        z = np.arange(1, letter_count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(_KEY_SEED)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def _multiset_keys(
    letters: NDArray[np.uint8], lengths: NDArray[np.uint8], keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    filled = np.arange(letters.shape[1]) < lengths[:, None]
    sums: NDArray[np.uint64] = np.where(filled, keys[letters], np.uint64(0)).sum(axis=1, dtype=np.uint64)
    return sums


def _add_lists(
    kernel: ModuleType,
    sections: dict[str, NDArray[Any]],
    shape: Mapping[str, Any],
    max_list: int,
    report: Progress,
) -> None:
    """Add the sections that passes over all occurrences build: internal words, placements, lists."""
    words = len(sections["words"]) // kernel.RECORD_BYTES
    letter_count = shape["letter_count"]
    empty = np.zeros(0, np.uint32)
    unfinished = {  # the passes need only records and hash; the other sections have the right size
        **sections,
        "word_masks": np.zeros(words + kernel.SCAN_PADDING, kernel.MASK_DTYPE),
        "word_internal": np.zeros(words, np.uint32),
        "internal_words": empty,
        "letter_lengths": np.zeros(letter_count * kernel.SIDE_CAPACITY, np.uint32),
        "list_starts": np.zeros(1, np.uint32),
        "list_masks": np.zeros(kernel.SCAN_PADDING, kernel.MASK_DTYPE),
        "list_words": np.zeros(0, np.uint16),
        "list_blocks": np.zeros(0, np.uint8),
    }
    view = kernel.Tables(unfinished, letter_count, shape["max_length"], bytes(shape["double_letters"]))
    scan = kernel.OccurrenceScan(view)
    cuts = np.linspace(0, words, _SLICES + 1).astype(int)

    def each_slice(stage: str, step: Callable[[int, int], None]) -> None:
        for i in range(_SLICES):
            step(int(cuts[i]), int(cuts[i + 1]))
            report(stage, (i + 1) / _SLICES)

    is_internal = np.zeros(words, np.uint8)
    each_slice("internal words", lambda a, z: scan.mark_internal(is_internal, a, z))
    ids = np.flatnonzero(is_internal)
    word_internal = np.full(words, 0xFFFFFFFF, np.uint32)
    word_internal[ids] = np.arange(len(ids))
    internal_raw = np.zeros(len(ids) * kernel.INTERNAL_BYTES, np.uint8)
    letter_lengths = np.zeros((letter_count, kernel.SIDE_CAPACITY), np.uint32)
    scan.number(word_internal, internal_raw)
    each_slice("placements", lambda a, z: scan.mark_placements(letter_lengths, a, z))
    list_count = scan.assign_lists()

    counts = np.zeros(list_count, np.uint32)
    each_slice("frequencies", lambda a, z: scan.count_lists(counts, a, z))
    stored = counts <= max_list
    starts = np.zeros(list_count + 1, np.uint32)
    np.cumsum(np.where(stored, counts, 0), out=starts[1:])
    entries = int(starts[-1])
    masks = np.zeros(entries + kernel.SCAN_PADDING, kernel.MASK_DTYPE)
    list_words = np.zeros(entries, np.uint16)
    in_blocks = np.diff(sections["length_starts"]).max() > kernel.WORDS_OF_A_BLOCK
    list_blocks = np.zeros((entries + 1) // 2 if in_blocks else 0, np.uint8)
    cursors = np.where(stored, starts[:-1], np.uint32(kernel.NOT_STORED))
    each_slice("lists", lambda a, z: scan.fill_lists(cursors, masks, list_words, list_blocks, a, z))
    sections |= {
        "word_masks": kernel.word_scan_masks(view),
        "word_internal": word_internal,
        "internal_words": internal_raw,
        "letter_lengths": letter_lengths.ravel(),
        "list_starts": starts,
        "list_masks": masks,
        "list_words": list_words,
        "list_blocks": list_blocks,
    }
