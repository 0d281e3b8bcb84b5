"""Games between two players: the kernel that plays them, and a game as Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.loaded_board import LoadedBoard
from engine.movegen import PLAY_DTYPE, InternalWords
from engine.position import Board
from engine.rules import board_layout, default_rule_set
from engine.rules.game_end import ENDINGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.evaluation.evaluation_kernel import EvaluatorKernel
    from engine.lexicon import Lexicon
    from engine.rules import BoardLayout, RuleSet
    from engine.selfplay.selfplay_kernel import GameLoop, MoveChooser

STANDARD_LAYOUT: Final = "standard15"

PLAY, EXCHANGE, PASS = range(3)
"""The kinds of turns."""

TURN_DTYPE: Final = np.dtype(
    [
        ("play", PLAY_DTYPE),
        ("equity", "<i4"),
        ("score_before", "<i4", 2),
        ("bag_before", "<u2"),
        ("seat", "u1"),
        ("kind", "u1"),
        ("rack_count", "u1"),
        ("leave_count", "u1"),
        ("rack", "u1", 7),
        ("leave", "u1", 7),
    ],
    align=True,
)
"""One turn; game_log.h describes the fields."""

RESULT_DTYPE: Final = np.dtype(
    [
        ("final", "<i4", 2),
        ("turns", "<u2", 2),
        ("exchanges", "<u2", 2),
        ("passes", "<u2", 2),
        ("bingos", "<u2", 2),
        ("middle", "<i4", 2),
        ("endgame", "<i4", 2),
        ("ending", "<u4"),
    ]
)
"""The summary of a game; pairs are by seat, and seat 0 began. game_log.h describes the fields."""

RESULT_FORMAT: Final = 2
"""The version of RESULT_DTYPE; a state file with results of another version holds other games."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Hold a game: its turns (TURN_DTYPE), final scores and tiles left by seat, and one of ENDINGS."""

    turns: NDArray[Any]
    final: tuple[int, int]
    left: tuple[bytes, bytes]
    ending: str


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Hold the lexicon, the layout and the rule set of games."""

    lexicon: Lexicon
    layout: BoardLayout
    rules: RuleSet

    @classmethod
    def of(
        cls, lexicon: Lexicon, layout: BoardLayout | None = None, rules: RuleSet | None = None
    ) -> GameSetup:
        """Return a setup; by default with the standard board and the rules of the tile set."""
        return cls(
            lexicon,
            layout or board_layout(STANDARD_LAYOUT),
            rules or default_rule_set(lexicon.tile_set.id),
        )


def game_loop(
    setup: GameSetup,
    first: EvaluatorKernel,
    second: EvaluatorKernel,
    choosers: tuple[MoveChooser | None, MoveChooser | None] = (None, None),
) -> GameLoop:
    """Return the kernel that plays the games of two evaluators, for one thread.

    `choosers`: for a player who does more than an evaluator, what is asked for each of its moves.
    Raises what `LoadedBoard.load` raises.
    """
    lexicon, layout, rules = setup.lexicon, setup.layout, setup.rules
    empty = LoadedBoard.load(Board.empty(layout.side), layout, lexicon.tile_set, lexicon)
    counts = np.array(lexicon.tile_set.counts, np.uint8)
    mover = lexicon.kernels.search.Mover(InternalWords(lexicon).kernel, rules.kernel)
    loop: GameLoop = lexicon.kernels.selfplay.GameLoop(mover, empty.kernel, counts, first, second, choosers)
    return loop


def play_game(loop: GameLoop, seed: int, number: int, *, swapped: bool = False) -> PlayedGame:
    """Play the game of a seed and a number, which alone determine the order of its tiles."""
    turns, final, left, ending = loop.play_game(seed, number, swapped, TURN_DTYPE)
    return PlayedGame(turns, final, left, ENDINGS[ending])
