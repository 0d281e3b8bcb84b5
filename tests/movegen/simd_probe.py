"""Print a hash of the plays of many random positions, found with the vector path that KIBITZ_SIMD forces.

Run as `python -m tests.movegen.simd_probe FOLDER`: the path is chosen when the kernels are imported, so
each one needs a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from random import Random

from engine.movegen import PLAY_DTYPE, generator
from engine.movegen.internal_words import simd_level
from engine.rules import default_rule_set
from tests.movegen.games import play_at_random
from tests.movegen.worlds import World, all_worlds, random_layout, random_rack

GAMES = 6


def hash_of(world: World) -> str:
    """Return a hash over every play, its score and its place in the order, of random games."""
    digest = hashlib.sha256()
    search = generator("internal_words", world.lexicon)
    rules = default_rule_set("english")
    for seed in range(GAMES):
        random = Random(seed)
        side = random.randint(10, 16 if world.lexicon.geometry == "narrow" else 26)
        layout = random_layout(random, side, symmetric=False, starts=2)
        for board, _ in play_at_random(random, world, layout, rules, 12):
            plays = search.generate(board, random_rack(random, world), rules)
            ordered = plays.array[plays.best(len(plays))]
            for field in PLAY_DTYPE.names or ():
                digest.update(ordered[field].tobytes())
    return digest.hexdigest()


def main() -> None:
    """Print the path in use, then a line per world."""
    print("path", simd_level(os.environ.get("KIBITZ_SIMD")))
    for name, world in all_worlds(Path(sys.argv[1])).items():
        print(name, hash_of(world))


if __name__ == "__main__":
    main()
