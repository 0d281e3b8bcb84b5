"""Build the Internal-Words tables of a word list.

The steps, for W words and their occurrences (a word of the list, or a letter, inside another word):

1. Sort by length, then alphagram, then letters, so that the ids of an anagram class are consecutive.
2. Make the table of the anagram classes by an additive 64-bit key.
3. Make the graph of multisets: for each multiset that is one letter short of a class, the letters that
   complete it.
4. First pass over all occurrences: find the internal words and number them.
5. Second pass: find the placements (position, word length) of each, which number its lists.
6. Third pass: count the words of each list. Fourth pass: write those of the lists up to `max_list`, with
   their scan masks.

Lists of three million words are built, so what a step needs is freed before the next one begins.

Source: [Sanchez2025], sections 5.1 to 5.5, and its recommendations for the graph. The scan masks, and the
anagram classes instead of the thesis's low-level table, are kibitz's own (docs/internal-words.md says why).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import WordListError
from engine.lexicon.kernels import KERNELS
from engine.lexicon.key_table import filter_bits, key_filter, key_table
from engine.lexicon.sorted_words import doubled_letters, letter_frequencies, multiset_keys, sort_words
from engine.messages import Text, message

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from engine.lexicon.sorted_words import SortedWords
    from engine.lexicon.tables_kernel import OccurrenceScan, Tables
    from engine.lexicon.word_lists.word_list import Progress, WordList
    from engine.rules import TileSet

Sections = Mapping[str, "NDArray[Any]"]

TABLES_VERSION: Final = 4
"""Increase it when the meaning of a section changes; older tables are then built again."""
MAX_LIST: Final = 800
"""The most words of a list that is stored.

Longer lists hold half of all entries, but look-ups answer nearly every interval that could use one. The
others read the scan masks of all words of their length.
"""
ANAGRAM_SLOT_DTYPE: Final = np.dtype([("key", "<u8"), ("first_and_count", "<u4")])
"""An AnagramSlot of tables.h: the number of words is in the top eight bits of the second field."""
MAX_WORDS: Final = 1 << 24
MAX_ANAGRAMS: Final = 255
"""The most words of one anagram class."""
_SLICES = 64  # progress steps of one pass over the words
_KEY_SEED = 0x6B6962697A  # an arbitrary constant, so that equal lists have equal tables
_LOAD = 0.8  # entries per home of a table by key
_FILTER_BITS_PER_KEY = 12
_NODE_FILTER_BITS_PER_KEY = 8


def geometry_for(tile_set: TileSet, max_length: int, *, wide: bool) -> str:
    """Return "narrow" if that geometry is large enough for alphabet and words and not `wide`, else "wide".

    Raises WordListError (code "lexicon_too_large") if neither is large enough.
    """
    for name in ("wide",) if wide else ("narrow", "wide"):
        kernel = KERNELS[name].tables
        if tile_set.alphabet.size <= kernel.LETTERS_CAPACITY and max_length <= kernel.SIDE_CAPACITY:
            return name
    raise WordListError(
        Text(
            "words of {length} letters over {letters} letters exceed the limits of 26 and 63",
            length=max_length,
            letters=tile_set.alphabet.size,
        ),
        code="lexicon_too_large",
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
    if not len(word_list.words):
        raise WordListError(Text("the word list has no playable word"), code="empty_word_list")
    longest = int(np.char.str_len(word_list.words).max())
    geometry = geometry_for(tile_set, longest, wide=wide)
    kernel = KERNELS[geometry].tables
    letter_count = tile_set.alphabet.size

    report("sort", 0.0)
    words = sort_words(word_list.words, kernel.SIDE_CAPACITY)
    _check_limits(words, kernel)
    report("sort", 1.0)
    keys = _letter_keys(letter_count)
    padding = np.zeros(kernel.PADDED_WORD_BYTES, np.uint8)
    sections: dict[str, NDArray[Any]] = {
        "length_starts": words.starts,
        "letter_keys": keys,
        "scan_bits": _scan_bits(words, letter_count, kernel.BITS_OF_A_SCAN_MASK),
        "letters": np.concatenate([*(letters.ravel() for letters in words.letters.values()), padding]),
    }
    doubles = _double_letters(words, letter_count, kernel.BITS_OF_A_SCAN_MASK)
    _add_anagrams(kernel, sections, words)
    _add_multiset_graph(kernel, sections, words)
    word_count = len(words)
    del words

    shape = {"letter_count": letter_count, "max_length": longest, "double_letters": doubles}
    _add_lists(kernel, sections, shape, max_list, report)
    meta = {
        "id": id,
        "name": name or id,
        "geometry": geometry,
        "tables_version": TABLES_VERSION,
        "word_list_sha256": word_list.sha256,
        "word_count": word_count,
        "tile_set": tile_set.canonical(),
        "tile_set_id": tile_set.id,
        **shape,
    }
    return meta, sections


def open_tables(sections: Sections, meta: Mapping[str, Any]) -> Tables:
    """Return the kernel's view of built sections; raise ValueError if they do not fit together."""
    return KERNELS[meta["geometry"]].tables.Tables(  # type: ignore[no-any-return]
        sections, meta["letter_count"], meta["max_length"], bytes(meta["double_letters"])
    )


def _check_limits(words: SortedWords, kernel: ModuleType) -> None:
    """Raise WordListError if there are too many words or anagrams for the fields of the tables."""
    anagrams = np.diff(words.class_firsts, append=np.uint32(len(words)))
    same_length = message("{words} words of one length exceed the limit of {limit}")
    all_words = message("{words} words exceed the limit of {limit}")
    same_letters = message("{words} anagrams of one another exceed the limit of {limit}")
    for most, limit, template in (
        (int(np.diff(words.starts).max()), kernel.MAX_WORDS_OF_A_LENGTH, same_length),
        (len(words), MAX_WORDS, all_words),
        (int(anagrams.max()), MAX_ANAGRAMS, same_letters),
    ):
        if most > limit:
            raise WordListError(Text(template, words=most, limit=limit), code="lexicon_too_large")


def _add_anagrams(kernel: ModuleType, sections: dict[str, NDArray[Any]], words: SortedWords) -> None:
    """Add the table of the anagram classes by key, and its filter."""
    keys = np.concatenate([multiset_keys(letters, sections["letter_keys"]) for _, letters in words.classes()])
    counts = np.diff(words.class_firsts, append=np.uint32(len(words)))
    order = np.argsort(keys)
    slots = np.empty(len(keys), ANAGRAM_SLOT_DTYPE)
    slots["key"] = keys = keys[order]
    slots["first_and_count"] = (words.class_firsts | counts << np.uint32(24))[order]
    if not keys[0] or not np.diff(keys).all():
        raise WordListError("two anagram classes share a key: change _KEY_SEED", code="key_collision")
    sections["anagram_slots"] = key_table(slots, keys, _LOAD, kernel.SLOTS_AFTER_HOMES).view(np.uint8)
    sections["anagram_filter"] = key_filter(keys, filter_bits(len(keys), _FILTER_BITS_PER_KEY))


def _add_multiset_graph(kernel: ModuleType, sections: dict[str, NDArray[Any]], words: SortedWords) -> None:
    """Add the nodes of the graph of multisets (each class without one of its letters) and their filter."""
    letter_keys = sections["letter_keys"]
    keys, edges = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint8)]
    for length, letters in words.classes():
        if length <= kernel.LETTERS_OF_GRAPH:
            keys.append((multiset_keys(letters, letter_keys)[:, None] - letter_keys[letters]).ravel())
            edges.append(letters.ravel())
    all_keys = np.concatenate(keys)
    node_keys, number = np.unique(all_keys >> np.uint64(32), return_inverse=True)
    nodes = np.zeros(len(node_keys), [("letters", kernel.MASK_DTYPE), ("tag", np.uint32)])
    one = kernel.MASK_DTYPE.type(1)
    np.bitwise_or.at(nodes["letters"], number, one << np.concatenate(edges).astype(kernel.MASK_DTYPE))
    nodes["tag"] = node_keys
    table = key_table(nodes, node_keys << np.uint64(32), _LOAD, kernel.SLOTS_AFTER_HOMES)
    sections["multiset_nodes"] = table.view(np.uint8)
    bits = filter_bits(len(node_keys), _NODE_FILTER_BITS_PER_KEY)
    sections["multiset_filter"] = key_filter(all_keys, bits)


def _double_letters(words: SortedWords, letter_count: int, bits: int) -> list[int]:
    """Choose the letters whose second copy gets a spare bit of the scan masks: the most often doubled."""
    if letter_count >= bits:
        return []
    doubled = doubled_letters(words, letter_count)
    ranked = np.argsort(-doubled, kind="stable")
    return [int(letter) for letter in ranked if doubled[letter]][: bits - letter_count]


def _scan_bits(words: SortedWords, letter_count: int, bits: int) -> NDArray[np.uint8]:
    """Return the bit of each letter in a scan mask; if there are too few, the rarest letters share bits."""
    if letter_count <= bits:
        return np.arange(letter_count, dtype=np.uint8)
    rank = np.empty(letter_count, np.int64)
    rank[np.argsort(-letter_frequencies(words, letter_count), kind="stable")] = np.arange(letter_count)
    # The rarest of the letters with a bit of their own shares it with the most frequent of the others.
    return np.where(rank < bits, rank, 2 * bits - 1 - rank).astype(np.uint8)


def _letter_keys(letter_count: int) -> NDArray[np.uint64]:
    """Return a random 64-bit number for each letter (splitmix64); the key of a multiset is their sum."""
    with np.errstate(over="ignore"):
        z = np.arange(1, letter_count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(_KEY_SEED)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def _add_lists(
    kernel: ModuleType,
    sections: dict[str, NDArray[Any]],
    shape: Mapping[str, Any],
    max_list: int,
    report: Progress,
) -> None:
    """Add the sections that passes over all occurrences build: internal words, placements, lists."""
    words = int(sections["length_starts"][-1])
    letter_count = shape["letter_count"]
    limbs = -(-words // 64)
    sections |= {  # the first pass needs only letters and anagrams; the other sections have the right size
        "word_masks": np.zeros(words + kernel.SCAN_PADDING, np.uint32),
        "internal_bits": np.zeros(limbs, np.uint64),
        "internal_before": np.zeros(limbs, np.uint32),
        "internal_words": np.zeros(kernel.INTERNAL_BYTES, np.uint8),
        "list_placements": np.zeros(0, kernel.PLACEMENT_DTYPE),
        "letter_lengths": np.zeros(letter_count * kernel.SIDE_CAPACITY, np.uint32),
        "list_starts": np.zeros(letter_count * kernel.PLACEMENTS_PER_LETTER + 1, np.uint32),
        "list_masks": np.zeros(kernel.SCAN_PADDING, np.uint32),
        "list_words": np.zeros(0, np.uint16),
        "list_blocks": np.zeros(0, np.uint8),
    }
    cuts = np.linspace(0, words, _SLICES + 1).astype(int)

    def opened() -> Tables:
        doubles = bytes(shape["double_letters"])
        return kernel.Tables(sections, letter_count, shape["max_length"], doubles)  # type: ignore[no-any-return]

    def scan() -> OccurrenceScan:
        return kernel.OccurrenceScan(opened())  # type: ignore[no-any-return]

    sections["word_masks"] = kernel.word_scan_masks(opened())

    def each_slice(stage: str, step: Callable[[int, int], None]) -> None:
        for i in range(_SLICES):
            step(int(cuts[i]), int(cuts[i + 1]))
            report(stage, (i + 1) / _SLICES)

    _add_internal_words(kernel, sections, letter_count, scan, each_slice)
    list_count = letter_count * kernel.PLACEMENTS_PER_LETTER + len(sections["list_placements"])
    sections["list_starts"] = np.zeros(list_count + 1, np.uint32)
    lengths = np.zeros(list_count, np.uint32)
    full = scan()
    each_slice("frequencies", lambda a, z: full.count_lists(lengths, a, z))
    stored = lengths <= max_list
    sections["list_starts"] = starts = np.zeros(list_count + 1, np.uint32)
    np.cumsum(np.where(stored, lengths, 0), out=starts[1:])
    cursors = np.where(stored, starts[:-1], np.uint32(kernel.NOT_STORED))
    entries = int(starts[-1])
    masks = np.zeros(entries + kernel.SCAN_PADDING, np.uint32)
    list_words = np.zeros(entries, np.uint16)
    in_blocks = np.diff(sections["length_starts"]).max() > kernel.WORDS_OF_A_BLOCK
    list_blocks = np.zeros((entries + 1) // 2 if in_blocks else 0, np.uint8)
    each_slice("lists", lambda a, z: full.fill_lists(cursors, masks, list_words, list_blocks, a, z))
    sections |= {"list_masks": masks, "list_words": list_words, "list_blocks": list_blocks}


def _add_internal_words(
    kernel: ModuleType,
    sections: dict[str, NDArray[Any]],
    letter_count: int,
    scan: Callable[[], OccurrenceScan],
    each_slice: Callable[[str, Callable[[int, int], None]], None],
) -> None:
    """Find and number the internal words, and their placements; `scan` opens the sections as they are."""
    limbs = len(sections["internal_bits"])
    is_internal = np.zeros(64 * limbs, np.uint8)
    bare = scan()
    each_slice("internal words", lambda a, z: bare.mark_internal(is_internal, a, z))
    in_limbs = is_internal.reshape(-1, 64).sum(axis=1, dtype=np.uint32)
    sections["internal_bits"] = np.packbits(is_internal, bitorder="little").view(np.uint64)
    sections["internal_before"] = np.cumsum(in_limbs, dtype=np.uint32) - in_limbs
    count = int(in_limbs.sum())
    sections["internal_words"] = records = np.zeros((count + 1) * kernel.INTERNAL_BYTES, np.uint8)
    placed = np.zeros((count, kernel.LIMBS_OF_PLACEMENTS), np.uint64)
    letter_lengths = np.zeros((letter_count, kernel.SIDE_CAPACITY), np.uint32)
    numbered = scan()
    each_slice("placements", lambda a, z: numbered.mark_placements(letter_lengths, placed, records, a, z))
    sections["letter_lengths"] = letter_lengths.ravel()
    sections["list_placements"] = kernel.number_lists(placed, records, letter_count)
