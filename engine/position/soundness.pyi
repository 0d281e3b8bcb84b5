from engine.position.position import Position

def is_sound(position: Position) -> bool:
    """Tell whether a position has no fault; faults.py and connection.py say which it has."""
