"""Measurements of move generation: positions of games, and generators timed on them in turns."""
