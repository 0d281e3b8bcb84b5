"""Games of two greedy players, who take the play with the highest score; experiments use their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.selfplay.games import GameSetup, game_loop, play_game
from engine.selfplay.replaying import turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.rules import BoardLayout, RuleSet
    from engine.selfplay.replaying import Turn


def greedy_game(
    lexicon: Lexicon,
    seed: int,
    number: int,
    *,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
) -> Iterator[Turn]:
    """Yield the turns of a game of two greedy players, to its end under the rules.

    The order of the tiles depends on the seed and the game number alone; the game is one of
    `kibitz match greedy greedy`. By default it uses the standard board and the rules of the tile set.
    """
    setup = GameSetup.of(lexicon, layout, rules)
    greedy = EvaluatorKernel()
    yield from turns_of(setup, play_game(game_loop(setup, greedy, greedy), seed, number))
