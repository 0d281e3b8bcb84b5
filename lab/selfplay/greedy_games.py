"""Games of two greedy players, who take the play with the highest score; experiments use their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.evaluators import evaluator_kernel
from engine.selfplay.games import GameSetup, game_loop, play_game
from lab.selfplay.replaying import turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.rules import BoardLayout, RuleSet
    from lab.selfplay.replaying import SelfPlayTurn


def greedy_game(
    lexicon: Lexicon,
    seed: int,
    number: int,
    *,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
) -> Iterator[SelfPlayTurn]:
    """Yield the turns of a game of two greedy players, to its end under the rules.

    The order of the tiles depends on the seed and the game number alone; the game is one of
    `kibitz match greedy greedy`. By default it uses the standard board and the rules of the tile set.
    """
    setup = GameSetup.of(lexicon, layout, rules)
    greedy = evaluator_kernel("greedy", lexicon, setup.rules)
    yield from turns_of(setup, play_game(game_loop(setup, greedy, greedy), seed, number))
