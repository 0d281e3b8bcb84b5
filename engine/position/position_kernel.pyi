from engine.position.position import Player, Position
from engine.position.rack import Rack

def is_sound(position: Position) -> bool:
    """Tell whether a position has no fault; faults.py and connection.py say which it has."""

def held(player: Player) -> Rack | None:
    """Return the tiles a player is known to hold: the rack, else the known tiles; None without any."""

def bag_count(position: Position) -> int:
    """Count the tiles in the bag, as `Position.bag_count` says."""

def canonical(position: Position) -> str:
    """Return all of a position as text, tiles in hexadecimal codes."""
