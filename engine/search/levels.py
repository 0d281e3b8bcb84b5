"""Players of ten levels: level 10 searches; weaker players misjudge plays and know fewer words.

Level 10 is `search_player.BEST`. A weaker player knows only the more familiar words of the lexicon
(`word_rarity`) and makes no play that forms another word. To the equity of each remaining play a random error
is added, and the player chooses the play with the highest sum. Known words and errors depend only on the
seed and on what the player sees, so the same position is always played in the same way.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import Evaluator, best_evaluator, legal_moves
from engine.messages import Text
from engine.movegen import InternalWords
from engine.search.known_words import KnownWords
from engine.search.lending import lent
from engine.search.search_player import BEST, TABLE_MB, Decision, SearchPlayer
from engine.search.word_rarity import MAX_RARITY, normals, scrambled, word_rarity

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.rules import RuleSet
    from engine.search.deadline import Deadline
    from engine.search.search_player import PlayerPlan


@dataclass(frozen=True, slots=True)
class Level:
    """Hold the strength of a player: the share of words known, the standard deviation of errors in points."""

    share: float
    noise: float


LEVELS: Final = (
    Level(0.033, 9.0),
    Level(0.05, 8.4),
    Level(0.072, 7.8),
    Level(0.1, 7.2),
    Level(0.135, 6.7),
    Level(0.18, 6.1),
    Level(0.25, 5.4),
    Level(0.37, 4.4),
    Level(0.6, 3.1),
)
"""Levels 1 to 9."""

MAX_LEVEL: Final = len(LEVELS) + 1
"""The highest level: it knows every word and searches."""


def check_level(level: int) -> None:
    """Raise InvalidInput (code "out_of_range") if there is no such level."""
    if not 1 <= level <= MAX_LEVEL:
        raise InvalidInput(
            Text("a level is a number from 1 to {most}, not {level}", most=MAX_LEVEL, level=level),
            code="out_of_range",
            field="level",
        )


def as_seen(position: Position) -> Position:
    """Return what a player of a level considers: what the player on turn sees, without the last moves."""
    seen = position.seen()
    players = tuple([replace(player, last_move=None) for player in seen.players])
    return replace(seen, players=players, operations=())


class LevelPlayer:
    """Chooses moves at any level with one lexicon; owns its memory, so one thread may use it at a time."""

    def __init__(self, lexicon: Lexicon, rules: RuleSet, best: PlayerPlan = BEST) -> None:
        """Take the lexicon, the rules whose bingo bonus counts, and the plan of the highest level."""
        self._valuer = Evaluator(best_evaluator(lexicon), lexicon, rules)
        self._search = InternalWords(lexicon)
        self._lexicon = lexicon
        self._rules = rules
        self._best = best
        self._vocabularies: dict[float, KnownWords] = {}

    def choose(
        self,
        level: int,
        board: LoadedBoard,
        position: Position,
        seed: int = 0,
        deadline: Deadline | None = None,
    ) -> Decision:
        """Return the move of a level; `board`: the loaded board of the position.

        `deadline`: limits the search of the highest level. The racks of the other players are ignored. Raises
        InvalidInput if there is no such level.
        """
        check_level(level)
        seen = as_seen(position)
        if level == MAX_LEVEL:
            return self._search_player.choose(seen, board, seed, deadline)
        return self.weak_move(LEVELS[level - 1], board, seen, seed)

    def weak_move(self, strength: Level, board: LoadedBoard, seen: Position, seed: int = 0) -> Decision:
        """Return the move of a player of some strength in a position.

        A player who knows all words and makes no errors chooses the move with the most equity: of equal moves
        the first play by `Plays.best`, else the exchange of fewest tiles. A player who knows no play
        exchanges if the rules allow it, else passes.
        """
        moves, _ = legal_moves(seen, board, self._search, self._valuer)
        plays = moves.plays
        errors = _Errors(seen, seed)
        merit = plays.array["equity"] / 1000
        if strength.noise:
            merit = merit + strength.noise * errors.of_plays(plays.array)
            order = np.argsort(-merit, kind="stable")
        else:
            order = plays.best(len(plays), by="equity")
        found = next(self._known_words(strength.share).plays(seen, plays, order), None)
        if moves.exchange_count:
            exchange = moves.play_count + int(moves.equity[moves.play_count : -1].argmax())
            hoped = moves.equity[exchange] / 1000 + strength.noise * errors.of_exchange
            if found is None or hoped > merit[found]:
                return Decision(moves, exchange)
        return Decision(moves, moves.passing if found is None else found)

    def _known_words(self, share: float) -> KnownWords:
        """Return the words that a player knows who knows a share of them, the most familiar ones."""
        if share not in self._vocabularies:
            known = word_rarity(self._lexicon) <= share * MAX_RARITY
            self._vocabularies[share] = KnownWords(self._lexicon, known)
        return self._vocabularies[share]

    @cached_property
    def _search_player(self) -> SearchPlayer:
        return SearchPlayer(self._lexicon, self._rules, self._best)


class _Errors:
    """The errors of judgement in one turn: normal random numbers that depend on seed and position."""

    def __init__(self, seen: Position, seed: int) -> None:
        text = f"level 1 {seed}\n{seen.canonical()}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        self._key = np.frombuffer(digest[:16], np.uint64)

    def of_plays(self, plays: NDArray[Any]) -> NDArray[np.float64]:
        """Return the error of each play; it does not depend on the order of the plays."""
        words, blanks, lines, starts, lengths = (
            plays[name].astype(np.uint64) for name in ("word", "blanks", "line", "start", "length")
        )
        place = lengths | starts << np.uint64(8) | lines << np.uint64(16)
        mixed = scrambled(words | blanks << np.uint64(32))
        return normals(scrambled(scrambled((mixed ^ self._key[0]) + place)))

    @property
    def of_exchange(self) -> float:
        """The error of the best exchange."""
        return float(normals(self._key[1:])[0])


def lent_level_player(lexicon: Lexicon, rules: RuleSet) -> AbstractContextManager[LevelPlayer]:
    """Lend a computer player; of the rules only the bingo bonus matters to it."""
    key = (lexicon, "player", rules.bingo_bonus)
    return lent(key, lambda: LevelPlayer(lexicon, rules), TABLE_MB)
