from engine.position.rack import Rack

# The arguments are a Position or a Player. Their modules import this one, so it does not name their types.

def is_sound(position: object) -> bool:
    """Tell whether a position has no fault; faults.py and connection.py say which it has."""

def held(player: object) -> Rack | None:
    """Return the tiles a player is known to hold: the rack, else the known tiles; None without any."""

def bag_count(position: object) -> int:
    """Count the tiles in the bag, as `Position.bag_count` says."""

def canonical(position: object) -> str:
    """Return all of a position as text, tiles in hexadecimal codes."""
