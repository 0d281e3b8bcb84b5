"""Statistics of self-play: results, points, lengths of games, and words. Source: [Heuri], section 9.1."""

from __future__ import annotations

from dataclasses import asdict
from math import ceil, isnan, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from engine import NORMAL_95, Estimate
from engine.selfplay.self_play import WORD_USES, SelfPlay
from lab.experiments.journal import write_file
from lab.experiments.published_statistics import HANDICAPS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from engine import GameSetup, Lexicon

LISTED_BINGOS: Final = 200
LISTED_WORDS: Final = 50  # of each length
LENGTHS: Final = range(2, 9)  # of the listed words
BIN: Final = 20  # points
MIDDLE_TURN: Final = 12  # of both players together; game_log.h: MIDDLE_TURN
WIDE_LEAD: Final = 60  # points


class _InFolder(SelfPlay):
    """Games whose state file lies in the folder of the report."""

    place = "folder"


def statistics_name(lexicon_id: str, player: str) -> str:
    """Return the beginning of the names of an experiment's files."""
    return f"statistics-{lexicon_id}-{player}"


def run_statistics(
    setup: GameSetup,
    player: str,
    games: int,
    seed: int,
    threads: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Let a player play itself, write statistics-LEXICON-PLAYER.json, and return the report.

    The games are saved in a file ending in .state, from which the next run continues. Raises what `SelfPlay`
    raises.
    """
    name = statistics_name(setup.lexicon.id, player)
    play = _InFolder(setup, player, games, seed=seed, state=output / f"{name}.state")
    progress(play.games_done, games)
    play.run(threads, lambda done: progress(done, games))
    report = {
        "experiment": "statistics",
        "format": 1,
        "lexicon": {
            "id": setup.lexicon.id,
            "sha256": setup.lexicon.sha256,
            "words": setup.lexicon.word_count,
        },
        "tile_set": setup.lexicon.tile_set.id,
        "board": setup.layout.id,
        "rules": setup.rules.id,
        "player": player,
        "leaves": play.leaves,
        "seed": seed,
        "games": games,
        **game_statistics(play.results),
        "words": word_statistics(setup.lexicon, play.words),
    }
    write_file(output / f"{name}.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
    return report


def game_statistics(results: NDArray[Any]) -> dict[str, Any]:
    """Return the statistics of results of games (RESULT_DTYPE), every mean and share with its 95 %
    interval, that of a share by Wilson.

    `first_player`: shares of games won, tied and lost; `points` of the first, the second, both, the
    difference, and of winner and loser; `handicap`: see `even_handicap`; `a_game`: means of both players
    together; `last_turn`: by the player who had it, its share of games and the results; `leads`: see
    `lead_statistics`; `distributions`: games by value, points in bins of BIN from the value named.
    """
    final = results["final"].astype(np.int64)
    ahead = final[:, 0] - final[:, 1]
    both = {
        name: results[name].astype(np.int64).sum(axis=1)
        for name in ("turns", "exchanges", "passes", "bingos")
    }
    both["plays"] = both["turns"] - both["exchanges"] - both["passes"]
    points = {
        "first": final[:, 0],
        "second": final[:, 1],
        "both": final.sum(axis=1),
        "difference": ahead,
        "winner": final.max(axis=1),
        "loser": final.min(axis=1),
    }
    last_turn = results["turns"][:, 0] > results["turns"][:, 1]
    even, low, high = even_handicap(ahead)
    last = max(even + 1, len(HANDICAPS) - 1)
    return {
        "first_player": {
            "wins": int((ahead > 0).sum()),
            "ties": int((ahead == 0).sum()),
            "losses": int((ahead < 0).sum()),
            "win_share": _share(ahead > 0),
            "tie_share": _share(ahead == 0),
            "loss_share": _share(ahead < 0),
        },
        "handicap": {
            "even": even,
            "low": low,
            "high": high,
            "table": [
                {"points": given, "wins": int((ahead > given).sum()), "ties": int((ahead == given).sum()),
                 "losses": int((ahead < given).sum())}
                for given in range(min(0, even - 1), last + 1)
            ],
        },
        "points": {
            name: {**_mean(values), "deviation": round(float(values.std()), 2), "least": int(values.min()),
                   "most": int(values.max())}
            for name, values in points.items()
        },
        "a_game": {name: _mean(values) for name, values in sorted(both.items())},
        "by_seat": {
            name: [round(float(seat), 4) for seat in results[name].mean(axis=0)]
            for name in ("turns", "exchanges", "passes", "bingos")
        },
        "last_turn": {
            seat: {"share": _share(had), "win_share": _share(ahead[had] > 0), "difference": _mean(ahead[had])}
            for seat, had in (("first", last_turn), ("second", ~last_turn))
        },
        "leads": lead_statistics(results),
        "distributions": {
            **{name: _counts(values) for name, values in sorted(both.items())},
            "points_first": _counts(final[:, 0] // BIN * BIN),
            "points_second": _counts(final[:, 1] // BIN * BIN),
            "difference": _counts(ahead // BIN * BIN),
        },
    }  # fmt: skip


def lead_statistics(results: NDArray[Any]) -> dict[str, Any]:
    """Return what a lead during the game says about its end.

    `middle_leader_wins`: the share of games won by the player who led after MIDDLE_TURN turns;
    `endgame_leader_wins`: the same for the lead when the bag was empty; both among games with a leader then.
    `wide_endgame_leads`: the share of games with a lead of more than WIDE_LEAD points when the bag was empty.
    `turnovers`: the share of games won by the player who was behind then; `turnovers_by_seat`: their numbers
    by the seat of the winner. Sources: [Anagram2018], section 4; [Heuri], sections 4.5.4 and 9.2.4.
    """
    ahead = {
        name: results[name][:, 0].astype(np.int64) - results[name][:, 1]
        for name in ("middle", "endgame", "final")
    }
    won = {name: np.sign(ahead[name]) * np.sign(ahead["final"]) for name in ("middle", "endgame")}
    turned = won["endgame"] < 0
    return {
        "middle_leader_wins": _share(won["middle"][ahead["middle"] != 0] > 0),
        "endgame_leader_wins": _share(won["endgame"][ahead["endgame"] != 0] > 0),
        "wide_endgame_leads": _share(np.abs(ahead["endgame"]) > WIDE_LEAD),
        "turnovers": _share(turned),
        "turnovers_by_seat": [int((turned & (ahead["final"] * sign > 0)).sum()) for sign in (1, -1)],
    }


def even_handicap(ahead: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return the handicap, in points for the second player, that makes wins and losses most equal; and its
    interval.

    `ahead`: points by which the first player won, by game. Of several equal handicaps the smallest is
    returned. It is the median of `ahead` up to rounding, so the 95 % interval is that of a median, by order
    statistics.
    """
    ordered = np.sort(ahead)
    given = np.arange(ordered[0], ordered[-1] + 1)
    wins = len(ordered) - np.searchsorted(ordered, given, "right")
    losses = np.searchsorted(ordered, given, "left")
    below = max(ceil((len(ordered) - NORMAL_95 * sqrt(len(ordered))) / 2) - 1, 0)
    even = int(given[np.abs(wins - losses).argmin()])
    return even, int(ordered[below]), int(ordered[len(ordered) - 1 - below])


def word_statistics(lexicon: Lexicon, words: NDArray[np.uint32]) -> dict[str, Any]:
    """Return statistics of the words of `SelfPlay` by use: main word of plays, of bingos, formed at all.

    `all` and `different`: words by use; `lengths`: the same as `all` by length in tiles; `most_bingos`, and
    `most_made` by length, by falling frequency, equal ones in the lexicon's order.
    """
    starts = lexicon.section("length_starts")
    ranges = {n: slice(int(starts[n]), int(starts[n + 1])) for n in range(2, lexicon.max_length + 1)}
    spell = lexicon.tile_set.alphabet.word

    def by_use(counts: NDArray[Any]) -> dict[str, int]:
        return {use: int(count) for use, count in zip(WORD_USES, counts, strict=True)}

    def rows(use: str, part: slice, limit: int) -> list[dict[str, Any]]:
        frequency = words[WORD_USES.index(use), part].astype(np.int64)
        order = np.argsort(-frequency, kind="stable")[:limit]
        ids = [part.start + int(place) for place in order if frequency[place]]
        return [{"word": spell(lexicon.word(id)), **by_use(words[:, id])} for id in ids]  # noqa: A001

    return {
        "all": by_use(words.sum(axis=1)),
        "different": by_use((words > 0).sum(axis=1)),
        "lengths": {str(n): by_use(words[:, part].sum(axis=1)) for n, part in ranges.items()},
        "most_bingos": rows("bingos", slice(0, lexicon.word_count), LISTED_BINGOS),
        "most_made": {str(n): rows("made", part, LISTED_WORDS) for n, part in ranges.items() if n in LENGTHS},
    }


def _mean(samples: NDArray[Any]) -> dict[str, float | None]:
    return _rounded(Estimate.of(samples.astype(np.float64)))


def _share(games: NDArray[np.bool_]) -> dict[str, float | None]:
    return _rounded(Estimate.of_share(games.astype(np.float64), len(games)))


def _rounded(estimate: Estimate) -> dict[str, float | None]:
    return {name: None if isnan(value) else round(value, 6) for name, value in asdict(estimate).items()}


def _counts(values: NDArray[np.int64]) -> dict[str, int]:
    found, games = np.unique(values, return_counts=True)
    return {str(value): int(count) for value, count in zip(found, games, strict=True)}
