"""Games of duplicate: `Game.duplicate` begins a `DuplicateGame`, which takes a `Slip` of each player.

`read_slips` reads slips in CSV.
"""

from engine.duplicate import DuplicateGame, Slip, read_slips

__all__ = ["DuplicateGame", "Slip", "read_slips"]
