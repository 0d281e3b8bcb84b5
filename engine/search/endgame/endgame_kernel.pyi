from typing import TypeAlias

from engine.lexicon.tables_kernel import Tables
from engine.loaded_board.board_kernel import BoardKernel
from engine.movegen.internal_words_kernel import Generator

MoveRecord: TypeAlias = tuple[int, int, int, dict[int, int], int]

class EndgameKernel:
    def __init__(self, tables: Tables, generator: Generator, table_megabytes: int) -> None: ...
    def start(
        self,
        board: BoardKernel,
        racks0: bytes,
        racks1: bytes,
        bingo_bonus: int,
        bingo_tiles: int,
        pass_limit: int,
        zero_limit: int,
        passes: int,
        zeros: int,
        deadline: int = 0,
        most_nodes: int = 0,
        most_weighed: int = 0,
    ) -> None: ...
    def limit(self, nodes: int, deadline: int) -> None: ...
    def deepen(self, depth: int) -> tuple[bool, bool]: ...
    def bound(self, granted: int, depth: int, goal: int) -> bool: ...
    def probe(self, value: int) -> bool: ...
    def settle(self, value: int) -> None: ...
    def line(self, complete: bool) -> list[MoveRecord | None]: ...
    @property
    def best(self) -> MoveRecord | None: ...
    @property
    def state(self) -> tuple[int, int, int, int, int, int, int, int]: ...
