"""Points, bonuses and penalties of the slips, and the ranking of the players."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from engine.duplicate.rules import BY_PERCENT
from engine.duplicate.slips import PENALTY, TOP
from engine.rules.game_end import ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.duplicate.round import Round
    from engine.duplicate.rules import DuplicateRules
    from engine.duplicate.slips import JudgedSlip


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold the points, the bonus and the penalty of a slip; `is_solo`: whether it alone is a top."""

    judged: JudgedSlip
    bonus: int
    is_warned: bool
    penalty: int
    is_solo: bool

    @property
    def player(self) -> str:
        """The player of the slip."""
        return self.judged.slip.player

    @property
    def total(self) -> int:
        """The points with bonus and penalty."""
        return self.judged.points + self.bonus - self.penalty


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold the account of a player."""

    rank: Annotated[int, "1 for the best; equal results share a rank"]
    player: Annotated[str, "name"]
    points: Annotated[int, "points of the plays"]
    bonus: Annotated[int, "points for plays that nobody else found"]
    warnings: Annotated[int, "number of warnings"]
    penalty: Annotated[int, "points lost by warnings and penalties"]
    total: Annotated[int, "points with bonus and penalty"]
    percent: Annotated[
        float, "the total in percent of all tops, or the mean of the rounds, as the rules rank"
    ]
    tops: Annotated[int, "number of tops found"]
    solos: Annotated[int, "number of tops that nobody else found"]


def entries(rounds: Sequence[Round], rules: DuplicateRules) -> tuple[tuple[Entry, ...], ...]:
    """Return the points of the slips of each round.

    For the bonuses, the players of a round are those who have handed in a slip so far.
    """
    warned: Counter[str] = Counter()
    bonuses: Counter[str] = Counter()
    found = []
    for one in rounds:
        for judged in one.slips:
            bonuses[judged.slip.player] += 0  # the player counts from now on
        alone = _alone(one.slips)
        group = []
        for judged in one.slips:
            player, is_solo = judged.slip.player, judged is alone and judged.verdict == TOP
            bonus = 0
            if judged is alone and len(bonuses) >= rules.solo_players:
                bonus = rules.solo_bonus if is_solo else rules.best_bonus
                bonus = min(bonus, rules.most_bonus - bonuses[player])
            bonuses[player] += bonus
            is_warned = bool(rules.penalty) and judged.is_warned
            warned[player] += is_warned
            is_fined = judged.slip.mark == PENALTY or (is_warned and warned[player] > rules.free_warnings)
            group.append(Entry(judged, bonus, is_warned, rules.penalty * is_fined, is_solo))
        found.append(tuple(group))
    return tuple(found)


def _alone(slips: Sequence[JudgedSlip]) -> JudgedSlip | None:
    """Return the slip that scores more than all others, None if there is none."""
    most = max([judged.points for judged in slips], default=0)
    best = [judged for judged in slips if judged.points == most and (most or judged.verdict == TOP)]
    return best[0] if len(best) == 1 else None


def standings(rounds: Sequence[Round], rules: DuplicateRules) -> tuple[Standing, ...]:
    """Return the accounts of the players by their rank; equal ones in the order of their first slips."""
    accounts: dict[str, list[tuple[Entry, int]]] = {}
    for one, group in zip(rounds, entries(rounds, rules), strict=True):
        for entry in group:
            accounts.setdefault(entry.player, []).append((entry, one.top.score))
    tops = [one.top.score for one in rounds if one.top.score]
    percents = [_percent(account, tops, rules) for account in accounts.values()]
    totals = [sum([entry.total for entry, _ in account]) for account in accounts.values()]
    ranks = ranking(percents if rules.ranking == BY_PERCENT else totals)
    rows = zip(ranks, accounts.items(), totals, percents, strict=True)
    unsorted = [_standing(rank, *account, total, percent) for rank, account, total, percent in rows]
    return tuple(sorted(unsorted, key=lambda standing: standing.rank))


def _percent(account: Sequence[tuple[Entry, int]], tops: Sequence[int], rules: DuplicateRules) -> float:
    if not tops:
        return 0.0
    if rules.ranking == BY_PERCENT:
        return round(100 * sum([entry.total / top for entry, top in account if top]) / len(tops), 2)
    return round(100 * sum([entry.total for entry, _ in account]) / sum(tops), 2)


def _standing(
    rank: int, player: str, account: Sequence[tuple[Entry, int]], total: int, percent: float
) -> Standing:
    group = [entry for entry, _ in account]
    return Standing(
        rank=rank,
        player=player,
        points=sum([entry.judged.points for entry in group]),
        bonus=sum([entry.bonus for entry in group]),
        warnings=sum([entry.is_warned for entry in group]),
        penalty=sum([entry.penalty for entry in group]),
        total=total,
        percent=percent,
        tops=sum([entry.judged.verdict == TOP for entry in group]),
        solos=sum([entry.is_solo for entry in group]),
    )
