"""Small worlds to test generators on: tile sets, lexicons, layouts, boards and racks of every kind.

A *world* is a tile set with a lexicon of random words over a few of its letters. Few letters make words
overlap, so that random boards have many plays; letters from the end of the alphabet exercise the high
bits of every letter mask.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.lexicon.build import MAX_LIST, build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.store import write_table_file
from engine.lexicon.word_lists.word_list import WordList, WordListReport
from engine.movegen.reference import Reference, WordSet
from engine.position import BLANK_FLAG, EMPTY, Board, Rack
from engine.rules import BoardLayout, RuleSet, TileSet, tile_set

if TYPE_CHECKING:
    from pathlib import Path


NARROW = ("english", "one-word", "two-letters", "sixteen-long", "few-lists", "spanish", "letters-32")
WIDE = ("czech", "letters-33", "letters-63", "wide-english", "wide-few-lists")
"""The names of the worlds whose tables are narrow and wide (geometry.h)."""


@dataclass(frozen=True)
class World:
    """A lexicon in every form the tests need, and the letters that random boards and racks are made of."""

    name: str
    tile_set: TileSet
    words: tuple[bytes, ...]
    letters: tuple[int, ...]
    lexicon: Lexicon
    max_list: int = MAX_LIST

    @cached_property
    def word_set(self) -> WordSet:
        return WordSet(self.words, self.tile_set.alphabet.size)

    @cached_property
    def reference(self) -> Reference:
        return Reference(self.lexicon)


def many_letters(size: int) -> TileSet:
    """Return a tile set of `size` letters, Latin, then Greek, then Cyrillic, with two blanks."""
    names = [chr(65 + i) for i in range(26)]
    names += [letter for letter in map(chr, range(0x391, 0x3AA)) if letter.isalpha()]
    names += [chr(0x410 + i) for i in range(32)]
    items = [{"letter": "?", "count": 2, "value": 0}]
    items += [{"letter": name, "count": 3 + i % 4, "value": i % 10} for i, name in enumerate(names[:size])]
    return TileSet.from_letters(items, id=f"synthetic-{size}")


def word_list(words: list[bytes] | tuple[bytes, ...]) -> WordList:
    """Return words (tile codes) as the builder takes them."""
    distinct = sorted(set(words))
    report = WordListReport("utf-8", len(words), len(distinct), len(words) - len(distinct), 0, 0)
    return WordList(np.array(distinct, bytes), hashlib.sha256(b"\0".join(distinct)).hexdigest(), report)


def open_lexicon(
    folder: Path,
    name: str,
    tiles: TileSet,
    words: list[bytes] | tuple[bytes, ...],
    *,
    wide: bool = False,
    max_list: int = MAX_LIST,
) -> Lexicon:
    """Build the tables of some words into a file and open it."""
    meta, sections = build_lexicon(word_list(words), tiles, id=name, wide=wide, max_list=max_list)
    path = folder / f"{name}{'-wide' if wide else ''}.kibitz"
    write_table_file(path, meta, sections)
    return Lexicon.open(path)


def random_words(random: Random, letters: tuple[int, ...], count: int, longest: int) -> set[bytes]:
    """Return words that contain one another: random ones, and earlier ones extended on either side."""
    words: set[bytes] = set()
    for _ in range(count):
        if words and random.random() < 0.5:
            core = random.choice(sorted(words))
            before = random.choices(letters, k=random.choice((0, 0, 1, 1, 2, 4)))
            after = random.choices(letters, k=random.choice((0, 1, 1, 2, 3, 7)))
            word = bytes(before) + core + bytes(after)
        else:
            word = bytes(random.choices(letters, k=random.choice((2, 2, 2, 3, 3, 4, 5, 7, 8, 11))))
        if 2 <= len(word) <= longest:
            words.add(word)
    return words


def make_world(
    folder: Path,
    name: str,
    tiles: TileSet,
    letters: tuple[int, ...],
    *,
    count: int,
    longest: int,
    seed: int = 1,
    wide: bool = False,
    max_list: int = MAX_LIST,
) -> World:
    """Make a world with a random lexicon of about `count` words over some letters (tile codes)."""
    found = random_words(Random(seed), letters, count, longest) or {bytes(letters[:1] * 2)}
    words = tuple(sorted(found))
    lexicon = open_lexicon(folder, name, tiles, words, wide=wide, max_list=max_list)
    return World(name, tiles, words, letters, lexicon, max_list)


def all_worlds(folder: Path) -> dict[str, World]:
    """Make the worlds of the property tests: both kernels, 3 to 63 letters, digraph tiles, tiny lexicons."""
    english, spanish, czech = tile_set("english"), tile_set("spanish"), tile_set("czech")
    digraphs = tuple(map(spanish.alphabet.code, ("A", "CH", "LL", "RR", "Ñ", "E", "S", "Z")))
    accents = tuple(map(czech.alphabet.code, ("A", "Í", "Ž", "Ů", "Ř", "V", "T")))
    worlds = [
        make_world(folder, "english", english, (1, 5, 19, 20, 26), count=700, longest=15),
        make_world(folder, "one-word", english, (3, 1, 20), count=1, longest=15),
        make_world(folder, "two-letters", english, (1, 2), count=60, longest=15),
        make_world(folder, "sixteen-long", english, (1, 9, 14), count=500, longest=16),
        make_world(folder, "few-lists", english, (1, 5, 19, 20, 26), count=700, longest=15, max_list=3),
        make_world(folder, "spanish", spanish, digraphs, count=700, longest=15),
        make_world(folder, "czech", czech, accents, count=700, longest=15),
        make_world(folder, "letters-32", many_letters(32), (1, 2, 30, 31, 32), count=500, longest=15),
        make_world(folder, "letters-33", many_letters(33), (1, 2, 31, 32, 33), count=500, longest=15),
        make_world(folder, "letters-63", many_letters(63), (1, 32, 33, 62, 63), count=500, longest=26),
        make_world(folder, "wide-english", english, (1, 5, 19, 26), count=700, longest=26, wide=True),
        make_world(
            folder, "wide-few-lists", english, (1, 5, 19, 26), count=700, longest=26, wide=True, max_list=3
        ),
    ]
    return {world.name: world for world in worlds}


def random_layout(random: Random, side: int, *, symmetric: bool, starts: int) -> BoardLayout:
    """Return a layout with random premium and start squares."""
    marks = np.array(list(".....ddtqDTQ"))
    grid = marks[[[random.randrange(len(marks)) for _ in range(side)] for _ in range(side)]]
    chosen = {(random.randrange(side), random.randrange(side)) for _ in range(starts)}
    if symmetric:
        grid = np.where(np.tri(side, dtype=bool), grid, grid.T)
        chosen |= {(column, row) for row, column in chosen}
    return BoardLayout.from_rows(["".join(row) for row in grid], sorted(chosen))


def random_rack(random: Random, world: World, *, most_blanks: int = 2, size: int | None = None) -> Rack:
    """Return a rack over the world's letters."""
    size = random.choice((1, 2, 3, 4, 5, 6, 7, 7, 7, 7)) if size is None else size
    blanks = min(size, random.choice((0, 0, 0, 0, 1, 1, 2, 3, 4)), most_blanks)
    return Rack(bytes(sorted([0] * blanks + random.choices(world.letters, k=size - blanks))))


def random_rules(random: Random) -> RuleSet:
    """Return rules with the numbers that scores depend on at random."""
    return RuleSet(
        bingo_bonus=random.choice((50, 50, 35, 0, 1000)), bingo_tiles=random.choice((7, 7, 7, 4, 1))
    )


def garbage_board(random: Random, world: World, side: int, share: float) -> Board:
    """Return a board with random tiles and blanks anywhere: mostly phonies, floating or not."""
    squares = bytearray(side * side)
    for square in range(side * side):
        if random.random() < share:
            squares[square] = random.choice(world.letters) | (BLANK_FLAG if random.random() < 0.15 else 0)
    return Board(side, bytes(squares))


def with_garbage(random: Random, world: World, board: Board, tiles: int) -> Board:
    """Return the board with some tiles put on random free squares, as a phony that stayed would lie there."""
    free = [square for square, code in enumerate(board.squares) if code == EMPTY]
    chosen = random.sample(free, min(tiles, len(free)))
    placed = [(*divmod(square, board.side), random.choice(world.letters)) for square in chosen]
    return board.with_tiles(placed)
