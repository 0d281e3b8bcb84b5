"""Loaded boards from invalid bytes, as a cache could return them, and every use of such a board."""

from __future__ import annotations

import struct
from random import Random
from typing import TYPE_CHECKING

from engine.evaluation.bingo_expectation import DeltaSet
from engine.evaluation.bingo_table import bingo_table
from engine.loaded_board import LoadedBoard
from engine.movegen.internal_words import InternalWords
from engine.position import BLANK_FLAG
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, garbage_board, random_layout, random_rack, random_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.position import Board
    from engine.rules import BoardLayout
    from lab.generators import MoveGenerator

KEY_BYTES = 32
NO_WORD = 2**32 - 1


class StoredBoard:
    """A board of a world and its stored form, to be changed and read again."""

    def __init__(self, world: World, board: Board, layout: BoardLayout) -> None:
        self.world = world
        self.parts = (board, layout, world.tile_set, world.lexicon)
        self.data = LoadedBoard.load(*self.parts).to_bytes()
        mask = "I" if world.lexicon.geometry == "narrow" else "Q"
        self._run = struct.Struct(f"<{mask}{mask}IBB2x")
        self.run_count = sum(self._runs_in(line) for line in self._lines())

    def _lines(self) -> Iterator[bytes]:
        board = self.parts[0]
        for i in range(board.side):
            yield board.squares[i * board.side : (i + 1) * board.side]
            yield board.squares[i :: board.side]

    @staticmethod
    def _runs_in(line: bytes) -> int:
        return sum(bool(code) and not before for before, code in zip(b"\0" + line, line, strict=False))

    def read(self, data: bytes) -> LoadedBoard | None:
        return LoadedBoard.from_bytes(data, *self.parts)

    def run(self, number: int) -> dict[str, int]:
        """Return the fields of a run."""
        names = ("front_hooks", "back_hooks", "internal", "key_offset", "key_length")
        values = self._run.unpack_from(self.data, KEY_BYTES + number * self._run.size)
        return dict(zip(names, values, strict=True))

    def with_run(self, number: int, **fields: int) -> bytes:
        """Return the data with some fields of a run changed."""
        at = KEY_BYTES + number * self._run.size
        run = self.run(number) | fields
        return self.data[:at] + self._run.pack(*run.values()) + self.data[at + self._run.size :]

    def with_every_internal_word(self) -> Iterator[bytes]:
        """Yield the data with each run's internal word replaced by others, and lengths from 0 to 255."""
        count = len(self.world.words) + 3
        for run in range(self.run_count):
            for internal in (*range(0, count, 7), NO_WORD - 1, NO_WORD, 2**31):
                yield self.with_run(run, internal=internal)
            for length in (*range(20), 127, 128, 255):
                yield self.with_run(run, key_length=length)
                yield self.with_run(run, key_offset=length)
                yield self.with_run(run, internal=NO_WORD, key_offset=0, key_length=length)
                yield self.with_run(run, internal=run % count, key_offset=1, key_length=length)

    def with_every_byte_changed(self) -> Iterator[bytes]:
        for at, byte in enumerate(self.data):
            yield self.data[:at] + bytes([byte ^ (1, 0x80, 0xFF)[at % 3]]) + self.data[at + 1 :]

    def with_random_sets(self, random: Random) -> Iterator[bytes]:
        """Yield the data with other hooks of every run, and with other cross-check sets."""
        bits = 32 if self.world.lexicon.geometry == "narrow" else 64
        hooks = self.data
        for run in range(self.run_count):
            at = KEY_BYTES + run * self._run.size
            hooks = hooks[:at] + random.randbytes(bits // 4) + hooks[at + bits // 4 :]
        yield hooks
        end = KEY_BYTES + self.run_count * self._run.size
        yield self.data[:end] + random.randbytes(len(self.data) - end)
        yield self.data[:end] + b"\xff" * (len(self.data) - end)

    def of_every_other_length(self) -> Iterator[bytes]:
        for length in range(len(self.data)):
            yield self.data[:length]
        for more in (1, 4, 16, 1000):
            yield self.data + bytes(more)
            yield self.data + b"\xff" * more


def stored_boards(worlds: dict[str, World], names: tuple[str, ...]) -> list[StoredBoard]:
    """Return boards of a game and boards of garbage."""
    found = []
    for seed, name in enumerate(names):
        random, world = Random(seed), worlds[name]
        layout = random_layout(random, 15, symmetric=False, starts=2)
        game = play_at_random(random, world, layout, random_rules(random), 8)
        found.append(StoredBoard(world, game[-1][0].board, layout))
        found.append(StoredBoard(world, garbage_board(random, world, 15, 0.15), layout))
    return found


def use_all(
    stored: StoredBoard, changed: Iterable[bytes], generators: list[MoveGenerator]
) -> tuple[int, int]:
    """Use each board that is read from changed bytes; return how many were refused, and how many used."""
    random = Random(1)
    refused = used = 0
    for data in changed:
        board = stored.read(data)
        if board is None:
            refused += 1
        else:
            use(board, stored.world, generators, random)
            used += 1
    return refused, used


def use(board: LoadedBoard, world: World, generators: list[MoveGenerator], random: Random) -> None:
    """Do with a board what an analysis may do; nothing is expected of the results."""
    rules = random_rules(random)
    for blanks in (0, 1):
        rack = random_rack(random, world, most_blanks=blanks)
        for generator in generators:
            plays = generator.generate(board, rack, rules)
            if not len(plays):
                continue
            play = plays.move(int(plays.best(1)[0]))
            after = board.after(play)
            assert after.board[play.row, play.column] & ~BLANK_FLAG
            generator.generate(after, rack, rules)
            if isinstance(generator, InternalWords):
                generator.best(board, rack, rules)
    board.phonies()
    board.to_bytes()
    DeltaSet.compute(board, bingo_table(world.lexicon))
