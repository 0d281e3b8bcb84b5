from collections.abc import Sequence

from engine.movegen.internal_words_kernel import Generator

class Mover:
    def __init__(self, generator: Generator, rules: dict[str, int]) -> None: ...

def ending_of(
    rules: dict[str, int], players: int, tiles_left: int, zeros: int, passes: int, scoreless: bool
) -> int: ...
def ending_points(rules: dict[str, int], left: Sequence[int], out: int) -> list[int]: ...
