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
from engine.evaluation.evaluators import Evaluator, best_evaluator
from engine.messages import Text
from engine.movegen import InternalWords
from engine.movegen.plays import ONE_TILE
from engine.position import BLANK_FLAG, Player
from engine.search.choices import Choices
from engine.search.search_player import BEST, Decision, SearchPlayer
from engine.search.word_rarity import MAX_RARITY, normals, scrambled, word_rarity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Board, Play, Position
    from engine.rules import RuleSet
    from engine.search.choices import Choice
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
    """Return the position as the player on turn sees it: of the other racks only the number of tiles."""
    first, *others = position.players
    hidden, left = [], position.unseen_count()
    for other in others:  # as in Position.bag_count
        known = other.tile_count if other.rack is None else len(other.rack)
        count = min(position.rules.rack_size if known is None else known, left)
        left -= count
        hidden.append(Player(other.score, tile_count=count))
    return replace(position, players=(replace(first, last_move=None), *hidden), operations=())


class LevelPlayer:
    """Chooses moves at any level with one lexicon; owns its memory, so one thread may use it at a time."""

    def __init__(self, lexicon: Lexicon, rules: RuleSet, best: PlayerPlan = BEST) -> None:
        """Take the lexicon, the rules whose bingo bonus counts, and the plan of the highest level."""
        self._valuer = Evaluator(best_evaluator(lexicon), lexicon, rules)
        self._search = InternalWords(lexicon)
        self._lexicon = lexicon
        self._rules = rules
        self._best = best

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
        choices = Choices(seen, board, self._search, self._valuer)
        plays = choices.plays
        errors = _Errors(seen, seed)
        merit = plays.array["equity"] / 1000
        if strength.noise:
            merit = merit + strength.noise * errors.of_plays(plays.array)
            order = np.argsort(-merit, kind="stable")
        else:
            order = plays.best(len(plays), by="equity")
        found = self._first_known(plays, order, strength.share)
        exchange = max(choices.exchanges(), key=_leave_value, default=None)
        if exchange is not None and (
            found is None or exchange.leave_value / 1000 + strength.noise * errors.of_exchange > merit[found]
        ):
            return Decision(exchange)
        return Decision(choices.passing() if found is None else choices.play(found))

    def _first_known(self, plays: Plays, order: NDArray[np.intp], share: float) -> int | None:
        """Return the first play in an order that forms known words only; None if there is none."""
        if share >= 1:
            return int(order[0]) if len(order) else None
        most, rarity = share * MAX_RARITY, self._rarity
        words = plays.array["word"]
        one_tile = words >= ONE_TILE
        likely = one_tile | (rarity[np.where(one_tile, 0, words)] <= most)
        side = plays.board.board
        for index in order[likely[order]].tolist():
            play = plays.move(index)
            crossing = [self._rare(word) for word in crossing_words(play, side)]
            if one_tile[index]:
                crossing.append(self._rare(_main_word(play, side)))
            if all(rare <= most for rare in crossing):
                return int(index)
        return None

    def _rare(self, word: bytes) -> int:
        """Return the rarity of a word, given by its tile codes; MAX_RARITY if the lexicon lacks it."""
        found = self._lexicon.tables.find(bytes([code - 1 for code in word]))
        return MAX_RARITY if found < 0 else int(self._rarity[found])

    @cached_property
    def _search_player(self) -> SearchPlayer:
        return SearchPlayer(self._lexicon, self._rules, self._best)

    @cached_property
    def _rarity(self) -> NDArray[np.uint16]:
        return word_rarity(self._lexicon)


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


def _leave_value(choice: Choice) -> int:
    return choice.leave_value


def crossing_words(play: Play, board: Board) -> Iterator[bytes]:
    """Yield the words that a play forms across its line, as tile codes without blank flags."""
    side, squares = board.side, board.squares
    for row, column, code in play.placements():
        start, stop, step = (row * side, (row + 1) * side, 1) if play.down else (column, len(squares), side)
        line = squares[start:stop:step]
        word = _run(line, column if play.down else row, bytes([code]))
        if len(word) > 1:
            yield word


def _main_word(play: Play, board: Board) -> bytes:
    start, step = play.row * board.side + play.column, board.side if play.down else 1
    there = board.squares[start::step]
    return bytes([(code or there[place]) & ~BLANK_FLAG for place, code in enumerate(play.tiles)])


def _run(line: bytes, place: int, tiles: bytes) -> bytes:
    """Return the word that tiles form with those before and after them on a line."""
    before, behind = line[:place], line[place + len(tiles) :]
    word = before[before.rfind(0) + 1 :] + tiles + behind.partition(b"\0")[0]
    return bytes([code & ~BLANK_FLAG for code in word])
