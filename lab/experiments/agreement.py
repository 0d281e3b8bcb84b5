"""Games in which every generator must list the same plays with the same scores."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import default_rule_set, format_cgp
from lab.experiments.journal import Journal, write_file
from lab.generators import generator
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine import Lexicon, Plays, TileSet

REFERENCE: Final = "reference"
SYLLABLES: Final = 220
FIELDS: Final = ("line", "start", "length", "word", "blanks", "score", "placed")


def run_agreement(
    lexicon: Lexicon,
    names: Sequence[str],
    games: int,
    seed: int,
    reference_every: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Play the games and compare the plays of every generator on every position; write agreement.json.

    The slow reference takes part at every `reference_every`-th position of a game (0: never). Games in
    `output`/agreement.games.jsonl are not played again. Returns the report; `mismatches` holds the first
    positions, as CGP, where generators differ from the first one.
    """
    heading = {
        "experiment": "agreement",
        "format": 1,
        "lexicon": lexicon.sha256,
        "seed": seed,
        "generators": list(names),
        "reference_every": reference_every,
    }
    journal = Journal(output / "agreement.games.jsonl", heading)
    searches = {name: generator(name, lexicon) for name in (*names, REFERENCE)}
    progress(len(journal.games), games)
    for number in journal.left(games):
        game: dict[str, Any] = {"game": number, "positions": 0, "referenced": 0, "plays": 0, "mismatches": []}
        for turn in greedy_game(lexicon, seed, number):
            position, rules = turn.position, turn.position.rules
            asked = list(names)
            if reference_every and (turn.number + number) % reference_every == 0:
                asked.append(REFERENCE)
                game["referenced"] += 1
            found = [listed(searches[name].generate(turn.board, position.rack, rules)) for name in asked]
            game["positions"] += 1
            game["plays"] += len(found[0]) // (4 * len(FIELDS))
            differing = [name for name, plays in zip(asked, found, strict=True) if plays != found[0]]
            if differing:
                game["mismatches"].append({"cgp": format_cgp(position), "generators": differing})
        journal.add(game)
        progress(len(journal.games), games)
    done = journal.games[:games]
    mismatches = [mismatch for game in done for mismatch in game["mismatches"]]
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "tile_set": lexicon.tile_set.id},
        "rules": default_rule_set(lexicon.tile_set.id).id,
        "geometry": lexicon.geometry,
        "generators": list(names),
        "seed": seed,
        "games": len(done),
        "positions": sum(game["positions"] for game in done),
        "plays": sum(game["plays"] for game in done),
        "positions_with_reference": sum(game["referenced"] for game in done),
        "mismatch_count": len(mismatches),
        "mismatches": mismatches[:10],
    }
    write_file(output / "agreement.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
    return report


def listed(plays: Plays) -> bytes:
    """Return every play with its score as bytes, in the same order for all generators."""
    ordered = plays.array[plays.best(len(plays))]
    return b"".join(ordered[name].astype("<u4").tobytes() for name in FIELDS)


def made_up_words(tiles: TileSet, count: int, seed: int) -> list[str]:
    """Return `count` different made-up words of 2 to 15 tiles, for a tile set without a word list.

    Words are sequences of random syllables, whose letters are as frequent as in the bag. So words share
    parts, as real words do, and boards fill up.
    """
    random = Random(f"words/{seed}")  # noqa: S311 - no secret
    letters = range(1, tiles.alphabet.size + 1)
    weights = [tiles.counts[code] for code in letters]
    syllables = [
        tuple(random.choices(letters, weights, k=random.choice((1, 2, 2, 2, 3, 3)))) for _ in range(SYLLABLES)
    ]
    words: set[tuple[int, ...]] = set()
    while len(words) < count:
        word = tuple(code for _ in range(random.randint(1, 5)) for code in random.choice(syllables))
        if 2 <= len(word) <= 15 and all(word.count(code) <= tiles.counts[code] for code in set(word)):
            words.add(word)
    return [tiles.alphabet.word(word) for word in sorted(words)]
