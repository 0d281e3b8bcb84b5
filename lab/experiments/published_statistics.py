"""Published statistics of 104,035 Spanish games of Heuri (its third engine) against itself.

Source: [Heuri], section 9.1.
"""

from __future__ import annotations

from typing import Final

GAMES: Final = 104_035
WINS, TIES, LOSSES = 57_221, 303, 46_511
"""Games that the first player won, tied and lost."""

POINTS: Final = (518.03, 501.73)
"""Mean points of the first and of the second player."""

TURNS: Final = 24.48
EXCHANGES: Final = 1.9
EVEN_HANDICAP: Final = 16
MOST_FREQUENT_BINGOS: Final = (7, 33_082)
"""The most frequent number of bingos of both players in a game, and the number of games that have it."""

# Percentages of games won, tied and lost by the first player, by the points given to the second: table 9.1.
HANDICAPS: Final = (
    (55.0017, 0.2912, 44.7071),
    (54.7047, 0.297, 44.9983),
    (54.3625, 0.3422, 45.2953),
    (54.0222, 0.3403, 45.6375),
    (53.7098, 0.3124, 45.9778),
    (53.3926, 0.3172, 46.2902),
    (53.0927, 0.2999, 46.6074),
    (52.7621, 0.3307, 46.9073),
    (52.4208, 0.3412, 47.2379),
    (52.0777, 0.3432, 47.5792),
    (51.7566, 0.321, 47.9223),
    (51.4529, 0.3037, 48.2434),
    (51.1462, 0.3066, 48.5471),
    (50.854, 0.2922, 48.8538),
    (50.5551, 0.2989, 49.146),
    (50.2658, 0.2893, 49.4449),
    (49.9294, 0.3364, 49.7342),
    (49.6246, 0.3047, 50.0706),
)

# Of other games than those above; they are not about Spanish alone.
MIDDLE_LEADER_WINS: Final = 0.75
"""The share of 1,000 games of Quackle against Heuri in English that the player who led at move 12 won:
[Anagram2018], section 4."""

WIDE_ENDGAME_LEADS: Final = 0.75
"""The share of games in which a player leads by more than 60 points when the endgame begins: [Heuri], section
4.5.4."""

TURNOVERS: Final = (47 + 12 + 54 + 5, 1_014)
"""Games won by the player who was behind when the endgame began, and all games: Heuri 3 against the champion
player of Quackle in Spanish, [Heuri], table 9.8."""
