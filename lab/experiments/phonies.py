"""Compare a lexicon with the word list of a club: words by length, and plays of games that the other refuses.

The games are those of the static player against itself. A play is a phony if it forms a word that the list of
the club lacks; in games with the list of the club, the lexicon refuses a play with a word that it lacks.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from engine import Estimate, GameSetup
from lab.experiments.journal import write_file
from lab.experiments.spanish import Agreement
from lab.selfplay.empty_bag import played_games
from lab.selfplay.replaying import turns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from engine import Lexicon

LENGTHS: Final = (range(2, 3), range(3, 4), range(4, 7), range(7, 9), range(2, 9), range(9, 16))
UNSEEN_LETTERS: Final = frozenset("BDFHJLNPRTVXZ")
"""The first letters of the words that `lexicons/build_club.py --weigh` does not read."""


def agreements(ours: Collection[str], theirs: Collection[str]) -> dict[str, Agreement]:
    """Return the agreement of two word lists in capitals, by length; the last is that of UNSEEN_LETTERS."""

    def agreement(wanted: Callable[[str], bool]) -> Agreement:
        own, other = set(filter(wanted, ours)), set(filter(wanted, theirs))
        return Agreement(len(own), len(other), len(own & other))

    result = {}
    for lengths in LENGTHS:
        first, last = lengths[0], lengths[-1]
        name = str(first) if first == last else f"{first} to {last}"
        result[name] = agreement(lambda word, lengths=lengths: len(word) in lengths)  # type: ignore[misc]
    result["2 to 8, unseen"] = agreement(lambda word: len(word) <= 8 and word[0] in UNSEEN_LETTERS)
    return result


def refused_plays(
    lexicon: Lexicon, other: Lexicon, games: int, progress: Callable[[int], None] = lambda done: None
) -> Estimate:
    """Return the share of the plays of games with a lexicon that form a word which the other one lacks."""
    setup = GameSetup.of(lexicon)
    shares, plays = [], 0
    for done, game in enumerate(played_games(setup, "static", games), 1):
        refused = [
            not all(other.contains(word.letters) for word in turn.position.words(turn.play))
            for turn in turns_of(setup, game)
            if turn.play is not None
        ]
        plays += len(refused)
        shares.append(float(np.mean(refused)) if refused else 0.0)
        progress(done)
    return Estimate.of_share(np.array(shares), plays)


def run_phonies(
    lexicon: Lexicon,
    club: Lexicon,
    games: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Compare, write phonies-LEXICON-CLUB.json into the folder `output`, and return its content."""
    phonies = refused_plays(lexicon, club, games, lambda done: progress(done, 2 * games))
    refused = refused_plays(club, lexicon, games, lambda done: progress(games + done, 2 * games))
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256},
        "club": {"id": club.id, "sha256": club.sha256},
        "games": games,
        "lengths": {
            name: {**asdict(one), "precision": one.precision, "recall": one.recall}
            for name, one in agreements(list(lexicon), list(club)).items()
        },
        "phonies": asdict(phonies),
        "refused": asdict(refused),
    }
    name = f"phonies-{lexicon.id}-{club.id}.json"
    write_file(output / name, orjson.dumps(report, option=orjson.OPT_INDENT_2))
    return report
