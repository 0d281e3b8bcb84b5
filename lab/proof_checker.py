"""Check a certificate of an endgame by the rules alone: without a search, by the slow reference generator.

`check_proof(read_proof(data), lexicon)` returns what a certificate proves, or raises InvalidInput. It holds a
strategy for each side. For every position that a strategy can lead to, this module lists the moves of the
opponent, plays the answer of the strategy to each, and counts what the strategy is sure to gain. The side on
turn can gain the value if its strategy is sure of it, and no more if the other one is sure of its negative.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from engine.errors import InvalidInput, excerpt, quoted
from engine.movegen.reference import RuleChecker, Slot, WordSet, letter_of, step
from engine.position import Board, Pass, Play, Position, Rack, format_move, parse_move
from engine.records import parse_cgp
from engine.rules.game_end import adjustments
from lab.certificate import check_lexicon, check_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.position import Move

NOT_COUNTED: Final = 200  # in place of the turns without points while they do not count: nobody has scored
MAX_MOVES: Final = 400  # in a line; only one with hundreds of passes is longer


class State(NamedTuple):
    """Hold a position, racks[0] on turn, after turns without points of which the last ones were passes."""

    squares: bytes
    racks: tuple[bytes, bytes]
    zeros: int
    passes: int

    def key(self) -> str:
        """Return the name of the position in a certificate."""
        codes = " ".join([part.hex() for part in (self.squares, *self.racks)])
        return sha256(f"{codes} {self.zeros} {self.passes}".encode()).hexdigest()[:16]


def check_proof(proof: dict[str, Any], lexicon: Lexicon) -> tuple[int, int]:
    """Return how many positions a certificate covers and how many moves it answers, if it proves its value.

    Raises InvalidInput: "other_lexicon", "proof_fails" with position and move, "proof_edited", a bad CGP.
    """
    position, value = parse_cgp(proof["cgp"], tile_set=lexicon.tile_set), proof["value"]
    position.check()
    check_lexicon(proof, position, lexicon)
    racks = [player.rack.tiles for player in position.players if player.rack]
    if len(racks) != 2 or len(position.players) != 2 or position.bag_count() or position.board.is_empty:
        raise InvalidInput("its position is no endgame of two known racks", code="proof_fails")
    every = WordSet(lexicon.words(), lexicon.tile_set.alphabet.size)
    words = every.possible(position.board, Rack(racks[0] + racks[1]))
    checkers = [StrategyChecker(position, words, name, proof[name]) for name in ("at_least", "at_most")]
    for checker in checkers:
        if (bound := checker.bound()) != value:
            checker.fail([], f"the answers prove a bound of {bound}, not {value}")
    check_sum(proof)
    return sum([len(one.known) for one in checkers]), sum([one.answers for one in checkers])


class StrategyChecker:
    """Count what one strategy is sure to gain, whatever its opponent does."""

    def __init__(self, position: Position, words: WordSet, name: str, strategy: dict[str, Any]) -> None:
        self.position, self.words, self.name, self.strategy = position, words, name, strategy
        self.positions = found if isinstance(found := strategy.get("positions"), dict) else {}
        self.opponent = position.players[1 if name == "at_least" else 0].held
        self.known: dict[State, int] = {}
        self.listed: dict[tuple[object, ...], list[tuple[Play, int]]] = {}
        self.answers = 0

    def bound(self) -> int:
        """Return the bound on the value that it proves: the lower one, or of the other side the upper one."""
        start = self.start()
        if self.name == "at_least":
            return self.answer(start, self.strategy.get("first"), [])
        return -self.sure(start, [])

    def start(self) -> State:
        """Return the position of the certificate; before it, turns without points were passes."""
        own, other = self.position.players
        rules, zeros = self.position.rules, self.position.zero_turns
        counted = not rules.zero_turns_need_points or any(player.score for player in self.position.players)
        passes = min(zeros, 2 * rules.passes_each)
        if self.is_over(zeros if counted else 0, passes) or not (counted or rules.passes_each):
            self.fail([], "the game has ended, or may never end")
        return State(
            self.position.board.squares,
            (own.held.tiles, other.held.tiles),
            zeros if counted else NOT_COUNTED,
            passes,
        )

    def is_over(self, zeros: int, passes: int) -> bool:
        """Return whether turns without points in a row, or passes in a row, have ended the game."""
        rules = self.position.rules
        return rules.zero_turn_limit <= zeros != NOT_COUNTED or 0 < 2 * rules.passes_each <= passes

    def sure(self, state: State, path: list[str]) -> int:
        """Return what the answers to all moves are sure to gain; it must be what the file says."""
        if state in self.known:
            return self.known[state]
        match self.positions.get(state.key()):
            case [int(stated), str() | None as usual, dict(others)] if len(path) < MAX_MOVES:
                gains = list[int]()
            case _:
                self.fail(path, "the file has no answers for this position, or they cannot be read")
        for move, score in self.moves(state):
            lost, reached = self.after(state, move, score)
            text = format_move(move, self.position.tile_set)
            gained = self.answer(reached, others.get(text, usual), [*path, text]) if reached else 0
            gains.append(gained - lost)
        if min(gains) != stated:
            self.fail(path, f"the answers are sure to gain {min(gains)}, not {stated}")
        return self.known.setdefault(state, stated)

    def answer(self, state: State, answer: object, path: list[str]) -> int:
        """Return what an answer is sure to gain; it must be legal."""
        self.answers += 1
        text, board, rack = str(answer), self.checker(state).board, Rack(state.racks[0])
        try:
            move = parse_move(text, board, self.position.tile_set, rack=rack)
        except InvalidInput as error:
            self.fail(path, f"the answer {quoted(text)} cannot be played: {error}")
        if (score := self.score(state, move)) is None:
            self.fail(path, f"the answer {quoted(text)} is not legal")
        gained, reached = self.after(state, move, score)
        return gained + self.sure(reached, [*path, text]) if reached else gained

    def checker(self, state: State) -> RuleChecker:
        """Return the reference on the board of a position."""
        place, board = self.position, Board(self.position.board.side, state.squares)
        return RuleChecker(board, place.layout, place.tile_set, self.words, place.rules)

    def moves(self, state: State) -> Iterator[tuple[Move, int]]:
        """Yield the legal plays of the opponent, who is on turn, and the pass.

        The plays in a row or column depend on its tiles and on those that touch its free squares. So they are
        listed once for each of these, with all tiles of the opponent, and those left out that the rack lacks.
        """
        checker, rack = self.checker(state), state.racks[0]
        for line in range(2 * checker.board.side):
            down, at = line % 2 > 0, line // 2
            squares = [(by, at) if down else (at, by) for by in range(checker.board.side)]
            runs = [[it] if checker.tile(it) else checker.perpendicular_run(it, not down) for it in squares]
            seen = (line, *[bytes([checker.tile(it) for it in run]) for run in runs])
            if seen not in self.listed:
                slots = checker.slots_of(at, down, self.opponent)
                self.listed[seen] = [one for slot in slots for one in checker.plays_in(slot, self.opponent)]
            for play, score in self.listed[seen]:
                if all(play.used.count(code) <= rack.count(code) for code in play.used):
                    yield play, score
        yield Pass(), 0

    def score(self, state: State, move: Move) -> int | None:
        """Return the points of a move, None if it is not legal."""
        if not isinstance(move, Play):
            return 0 if isinstance(move, Pass) else None
        first, checker, rack = (move.row, move.column), self.checker(state), Rack(state.racks[0])
        slot = Slot(tuple([step(first, move.down, at) for at in range(len(move.tiles))]), move.down)
        tiles = [code or checker.tile(at) for code, at in zip(move.tiles, slot.squares, strict=True)]
        word = bytes([letter_of(code) for code in tiles])
        legal = word in self.words and checker.is_slot(slot, rack) and checker.is_connected(slot)
        return dict(checker.plays_of(word, slot, rack)).get(move) if legal else None

    def after(self, state: State, move: Move, score: int) -> tuple[int, State | None]:
        """Return what a move gains, and the position after it, None if it ends the game."""
        own, other = state.racks
        left, squares = Rack(own).without(move.used).tiles, bytearray(state.squares)
        for row, column, code in move.placements():
            squares[row * self.position.board.side + column] = code
        zeros = 0 if score else state.zeros + (state.zeros != NOT_COUNTED)
        passes = state.passes + 1 if isinstance(move, Pass) else 0
        if left and not self.is_over(zeros, passes):
            return score, State(bytes(squares), (other, left), zeros, passes)
        points = [sum([self.position.tile_set.values[code] for code in rack]) for rack in (left, other)]
        gained, lost = adjustments(self.position.rules, points, None if left else 0)
        return score + gained - lost, None

    def fail(self, path: list[str], fault: str) -> NoReturn:
        """Raise InvalidInput that names the strategy, the position by the moves to it, and the fault."""
        where = f", after {excerpt(', '.join(path), 300)}" if path else ""
        raise InvalidInput(f"{self.name}{where}: {fault}", code="proof_fails")
