from engine.movegen.internal_words_narrow import Generator

class Mover:
    def __init__(self, generator: Generator, rules: dict[str, int]) -> None: ...
