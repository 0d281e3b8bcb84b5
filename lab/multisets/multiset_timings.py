"""Measure the time of sum and inclusion of letter multisets in four representations.

The forms: the Parity-Exceedance Representation (parity_exceedance.py); the *additive key* that anagrams are
looked up by (a random number a letter, summed: it has no inclusion); *packed counters*, four bits a letter;
and the *planes* that the kernels test inclusion with (plane k: the letters with more than k copies, 32 bits
each, 64 where the alphabet has more letters). The operands are what generation meets: for a sum two disjoint
parts of a word, for an inclusion a word in another of the same length, or, as often, in one that holds it.
"""

from __future__ import annotations

import statistics
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.kernels import compiled_kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon
    from lab.multisets.parity_exceedance import ParityExceedance

_MAX_COPIES: Final = 4  # planes hold no more; the kernels count the few words with five exactly
_LETTERS_A_LIMB: Final = 16
_LIMBS: Final = 4

Pairs = list[tuple[bytes, bytes]]


def multiset_timings(
    lexicon: Lexicon, *, pairs: int = 65_536, passes: int = 15, seed: int = 1
) -> dict[str, Any]:
    """Measure all forms on pairs of multisets made of a lexicon's words; returns plain data, times in ns.

    `ns` is the time of one operation in a loop whose turns may overlap, `chained_ns` in one whose turns wait
    for each other, both minus the empty loop with its loads, whose time is `loop`. Medians over the passes,
    in which the forms take turns. `included` counts the pairs that all forms agree are inclusions. Raises
    ValueError if the forms disagree or no word qualifies.
    """
    with compiled_kernels():
        from lab.multisets.parity_exceedance import ParityExceedance

    random = Random(seed)  # noqa: S311
    letters = lexicon.tile_set.alphabet.size
    parity = ParityExceedance.of(lexicon)
    words = [word for word in lexicon.words() if max(Counter(word).values()) <= _MAX_COPIES]
    if not words:
        raise ValueError(f"{lexicon.id} has no word with at most {_MAX_COPIES} copies of each letter")
    width = 32 if letters <= 32 else 64
    sums = _time(parity, letters, _sum_pairs(random, words, pairs), passes)
    inclusions = _time(parity, letters, _inclusion_pairs(random, words, pairs), passes)
    loops = {
        "parity_exceedance": ("parity_sums", "parity_inclusions"),
        "additive_key": ("key_sums", None),
        "packed_counters": ("counter_sums", "counter_inclusions"),
        "planes": (f"planes{width}_sums", f"planes{width}_inclusions"),
    }
    found = {inclusions[inclusion][0] for _, inclusion in loops.values() if inclusion}
    if len(found) != 1:
        raise ValueError(f"the forms disagree on the inclusions of {lexicon.id}: {sorted(found)}")
    return {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "letters": letters,
        "pairs": pairs,
        "passes": passes,
        "included": found.pop(),
        "parity_exceedance": parity.figures(),
        "bytes": {
            "parity_exceedance": 8,
            "additive_key": 8,
            "packed_counters": 8 * _limbs(letters),
            "planes": 4 * width // 8,
        },
        "sum": {name: _medians(sums[loop]) for name, (loop, _) in loops.items()},
        "inclusion": {name: _medians(inclusions[loop]) for name, (_, loop) in loops.items() if loop},
        "loop": _medians(sums["nothing"]),
    }


def _medians(timed: tuple[int, list[float], list[float]]) -> dict[str, float]:
    _, overlapped, chained = timed
    return {
        "ns": round(statistics.median(overlapped), 3),
        "chained_ns": round(statistics.median(chained), 3),
    }


def _sum_pairs(random: Random, words: list[bytes], count: int) -> Pairs:
    """Return pairs of disjoint parts of a word, so that every sum is feasible."""
    found = []
    for _ in range(count):
        tiles = list(random.choice(words))
        random.shuffle(tiles)
        cut, end = sorted(random.randrange(len(tiles) + 1) for _ in range(2))
        found.append((bytes(tiles[:cut]), bytes(tiles[cut:end])))
    return found


def _inclusion_pairs(random: Random, words: list[bytes], count: int) -> Pairs:
    """Return (part, whole): half of them parts of the whole, half parts of another word of its length."""
    by_length: dict[int, list[bytes]] = {}
    for word in words:
        by_length.setdefault(len(word), []).append(word)
    found = []
    for number in range(count):
        whole = random.choice(words)
        other = whole if number % 2 else random.choice(by_length[len(whole)])
        found.append((bytes(random.sample(other, random.randint(1, len(other)))), whole))
    return found


def _limbs(letters: int) -> int:
    return -(-letters // _LETTERS_A_LIMB)


def _time(
    parity: ParityExceedance, letters: int, pairs: Pairs, passes: int
) -> dict[str, tuple[int, list[float], list[float]]]:
    """Write pairs in every form and time all loops on them."""
    random = Random(2)  # noqa: S311
    letter_keys = np.array([0] + [random.getrandbits(64) for _ in range(letters)], np.uint64)
    codes = np.zeros((2, len(pairs)), np.uint64)
    keys = np.zeros((2, len(pairs)), np.uint64)
    counters = np.zeros((2, len(pairs), _LIMBS), np.uint64)
    planes = np.zeros((2, len(pairs), _MAX_COPIES), np.uint64)
    for number, pair in enumerate(pairs):
        for side, multiset in enumerate(pair):
            codes[side, number] = parity.encode(multiset)
            keys[side, number] = letter_keys[list(multiset)].sum(dtype=np.uint64)
            counters[side, number], planes[side, number] = _counted(multiset)
    return parity.kernel.time_forms(codes, keys, counters, planes, _limbs(letters), passes)


def _counted(multiset: bytes) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return a multiset as packed counters and as planes."""
    limbs, planes = [0] * _LIMBS, [0] * _MAX_COPIES
    for code, count in Counter(multiset).items():
        limb, place = divmod(code - 1, _LETTERS_A_LIMB)
        limbs[limb] |= count << 4 * place
        for plane in range(count):
            planes[plane] |= 1 << code - 1
    return np.array(limbs, np.uint64), np.array(planes, np.uint64)
