"""Games that the engine plays by itself.

lexicon, rules, seed  ->  greedy_game  ->  the turns of a game
"""

from engine.selfplay.greedy_games import Turn, greedy_game

__all__ = ["Turn", "greedy_game"]
