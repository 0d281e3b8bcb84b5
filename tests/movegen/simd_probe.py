"""Print a hash of the plays of many random positions, with one vector path.

Run as `python -m tests.movegen.simd_probe FOLDER [LEVEL]`, so that each path has a process of its own, in
which every kernel takes it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from random import Random

from engine.movegen import PLAY_DTYPE, InternalWords, simd_level, use_simd
from engine.rules import default_rule_set
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, all_worlds, random_layout, random_rack

GAMES = 6


def hash_of(world: World) -> str:
    """Return a hash over the plays of random games: all of them in order, and the best found alone."""
    digest = hashlib.sha256()
    search = InternalWords(world.lexicon)
    rules = default_rule_set("english")
    for seed in range(GAMES):
        random = Random(seed)
        side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
        layout = random_layout(random, side, symmetric=False, starts=2)
        for board, _ in play_at_random(random, world, layout, rules, 12):
            rack = random_rack(random, world)
            plays = search.generate(board, rack, rules)
            best = search.best(board, rack, rules).array
            for found in (plays.array[plays.best(len(plays))], best):
                for field in PLAY_DTYPE.names or ():
                    digest.update(found[field].tobytes())
    return digest.hexdigest()


def main() -> None:
    """Print the path in use, then a line per world."""
    use_simd(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    print("path", simd_level())
    for name, world in all_worlds(Path(sys.argv[1])).items():
        print(name, hash_of(world))


if __name__ == "__main__":
    main()
