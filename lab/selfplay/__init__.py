"""Measurements by self-play: choices of players, guesses of opponent models, positions with an empty bag."""
