from typing import TypeAlias

from engine.loaded_board.board_kernel import BoardKernel
from engine.movegen.internal_words_kernel import Generator
from engine.rules.game_rules import RulesKernel
from engine.search.endgame.problem import Ending

MoveRecord: TypeAlias = tuple[int, int, int, dict[int, int], int]

class EndgameKernel:
    value: int  # of the last completed search
    depth: int  # of it, in turns
    lower: int  # proven bounds on the value
    upper: int
    node_count: int  # nodes searched since `start`
    tables_filled: int  # entries of the table that were written
    best_since: int  # monotonic clock in nanoseconds when `best` was first found

    def __init__(self, generator: Generator, table_megabytes: int) -> None: ...
    def start(
        self,
        board: BoardKernel,
        racks0: bytes,
        racks1: bytes,
        rules: RulesKernel,
        ending: Ending,
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
    def table_entries(self) -> int: ...
