"""Certificates of endgames: what a checker needs to confirm a value without a search.

A certificate has two strategies. With one the side on turn gains at least the value, whatever the other side
does; with the other one the other side prevents more. A strategy answers every move of its opponent, so that
a checker needs only the rules. `lab/proof_checker.py` is one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.movegen import InternalWords
from engine.position import Pass, Player, Rack, format_move
from engine.records import format_cgp, parse_cgp
from engine.search.deadline import Deadline
from engine.search.endgame.move_bounds import MAX_WEIGHED
from engine.search.endgame.problem import can_score_zero, counted_ending, known_racks
from engine.search.endgame.spread_search import MAX_NODES, move_of
from engine.search.endgame.states import Endgame, EndgameMove, EndgameState, moves, passed, played

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon
    from engine.position import Play, Position
    from engine.search.endgame.result import EndgameResult
    from engine.search.endgame.solver import EndgameSolver

PROOF_FORMAT: Final = "kibitz-endgame-proof 1"
MAX_ANSWERS: Final = 200_000
"""The most moves that the strategies of a certificate answer, all together."""

TELL_EVERY: Final = 500  # answers between two reports of the progress

Answers: TypeAlias = tuple[int, str | None, dict[str, str]]
"""What a strategy does in a position with its opponent on turn: the change of the spread to the end of the
game of which it is sure, its usual answer (None if every move ends the game), and its answers to those moves
that have another one.
"""


@dataclass(slots=True)
class Strategy:
    """Hold the first move of a side (None if its opponent is on turn), then its answers by `position_key`."""

    first: str | None = None
    positions: dict[str, Answers] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EndgameProof:
    """Hold a certificate; its fields are those of the file, in their order.

    `value`: the change of the spread to the end of the game, for the side on turn. `at_least`: the strategy
    of that side; `at_most`: that of the other side.
    """

    format: str
    cgp: str
    lexicon: str
    lexicon_sha256: str
    value: int
    at_least: Strategy
    at_most: Strategy

    def to_json(self) -> bytes:
        """Return the file, as `proof_json` does."""
        return proof_json(asdict(self))


def proof_json(fields: dict[str, Any]) -> bytes:
    """Return the file of a certificate: its fields, then `sha256`, the checksum of the JSON text of these."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    return text[:-1] + b',"sha256":"' + sha256(text).hexdigest().encode() + b'"}'


def prove_endgame(
    solver: EndgameSolver,
    position: Position,
    result: EndgameResult,
    *,
    deadline: Deadline | None = None,
    progress: Callable[[int, int], None] = lambda answers, most: None,
    most: int = MAX_ANSWERS,
) -> EndgameProof | None:
    """Return the certificate of an endgame that a search has solved, None if the deadline passes.

    `progress`: called with the number of moves answered so far, and `most`. Raises InvalidInput if the value
    is not proven ("not_proven"), if there would be more than `most` answers ("proof_too_large"), and if a CGP
    cannot express the board or the tiles ("own_board").
    """
    if result.certainty != "exact":
        raise InvalidInput(Text("there is no certificate of a value that is not proven"), code="not_proven")
    lexicon, racks = solver.lexicon, known_racks(position)
    players = tuple([Player(one.score, rack) for one, rack in zip(position.players, racks, strict=True)])
    bare, cgp = certified(replace(position, players=players), lexicon)
    writer = StrategyWriter(solver, bare, deadline or Deadline(), progress, most)
    found = writer.strategies((0, result.value), (1, -result.value))
    if found is None:
        return None
    return EndgameProof(PROOF_FORMAT, cgp, lexicon.id, lexicon.content_sha256, result.value, *found)


def certified(position: Position, lexicon: Lexicon) -> tuple[Position, str]:
    """Return a position as a certificate has it, and its CGP.

    Raises InvalidInput if a CGP cannot express the board or the tiles ("own_board").
    """
    players = tuple([Player(one.score, one.rack) for one in position.players])
    bare = replace(position, players=players, lexicon_id=lexicon.id, operations=())
    cgp = format_cgp(bare)
    if not _can_be_read(cgp, bare, lexicon):
        detail = Text("a certificate names its board and tiles; those of a file have no name")
        raise InvalidInput(detail, code="own_board", field="board")
    return bare, cgp


def _can_be_read(cgp: str, position: Position, lexicon: Lexicon) -> bool:
    """Return whether a CGP can be read as a position."""
    try:
        return parse_cgp(cgp, tile_set=lexicon.tile_set) == position
    except InvalidInput:
        return False


def position_key(state: EndgameState) -> str:
    """Return the name of a position in a certificate: from its squares, racks, zero turns and passes."""
    codes = [part.hex() for part in (state.board.kernel.squares, *state.racks)]
    return sha256(f"{' '.join(codes)} {state.zeros} {state.passes}".encode()).hexdigest()[:16]


def _too_large(most: int) -> InvalidInput:
    detail = Text("the certificate would answer more than {most} moves", most=most)
    return InvalidInput(detail, code="proof_too_large", field="cgp")


class _StoppedError(Exception):
    """The deadline has passed."""


class _RaisedError(Exception):
    """A position that has been answered must yield more: begin again with the higher target."""


class StrategyWriter:
    """Find strategies of both sides of an endgame, of at most `most` answers together."""

    def __init__(
        self,
        solver: EndgameSolver,
        position: Position,
        deadline: Deadline,
        progress: Callable[[int, int], None],
        most: int,
        answered: int = 0,
    ) -> None:
        """Take the position of an endgame; `answered`: answers of strategies that were found before."""
        self.kernel, self.deadline, self.progress, self.most = solver.kernel, deadline, progress, most
        racks, tiles = known_racks(position), position.tile_set
        self.endgame = Endgame(position, counted_ending(position), InternalWords(solver.lexicon))
        self.simple = not can_score_zero(position, racks)
        end = self.endgame.end
        board = LoadedBoard.load(position.board, position.layout, tiles, solver.lexicon)
        self.root = EndgameState(board, (racks[0].tiles, racks[1].tiles), end.zeros, end.passes)
        self.found: dict[str, Answers] = {}
        self.targets: dict[str, int] = {}  # by position: the highest that its answers must reach
        self.count = self.before = answered

    def strategies(self, *wanted: tuple[int, int]) -> list[Strategy] | None:
        """Return a strategy for each side and target (see `strategy`), None if the deadline passes.

        Raises InvalidInput for too many answers ("proof_too_large").
        """
        try:
            with self.deadline.stopping(lambda: self.kernel.limit(0, 1)):
                return [self.strategy(side, target) for side, target in wanted]
        except _StoppedError:
            return None
        except RecursionError:  # by odd rules hundreds of passes may come one after the other
            raise _too_large(self.most) from None

    def strategy(self, side: int, target: int) -> Strategy:
        """Return a strategy by which a side (0: on turn) gains at least `target`."""
        self.targets.clear()
        while True:
            self.found, self.count = {}, self.before
            try:
                first = self.answer(self.root, target, None)[0] if side == 0 else self.sure(self.root, target)
            except _RaisedError:
                continue
            self.before = self.count
            return Strategy(None if isinstance(first, int) else self.text(first), self.found)

    def sure(self, state: EndgameState, target: int) -> int:
        """Answer every move of a position; return what the answers are sure to gain, at least `target`."""
        key = position_key(state)
        if key in self.found:
            if self.found[key][0] >= target:
                return self.found[key][0]
            self.targets[key] = target
            raise _RaisedError
        target = max(target, self.targets.get(key, target))
        usual: Play | Pass | None = None
        worst, others = MAX_NODES, dict[str, str]()
        *plays, passing = moves(self.endgame, state)
        for made in (passing, *plays):
            if made.state is None:
                worst = min(worst, -made.value)
                continue
            self.note_answer()
            move, points = self.answer(made.state, target + made.score, usual)
            worst = min(worst, points - made.score)
            usual = usual or move
            if move != usual:
                others[self.text(made.move)] = self.text(move)
        self.found[key] = worst, None if usual is None else self.text(usual), others
        return worst

    def answer(self, state: EndgameState, target: int, usual: Play | Pass | None) -> tuple[Play | Pass, int]:
        """Return a move that gains at least `target`, and what it is sure to gain; `usual` if it goes out."""
        made = self.going_out(state, target, usual) or self.reaching(state, target)
        if made.state is None:
            return made.move, made.value
        return made.move, made.score + self.sure(made.state, target - made.score)

    def going_out(self, state: EndgameState, target: int, usual: Play | Pass | None) -> EndgameMove | None:
        """Return a play that goes out and gains at least `target`: `usual`, else the one with most points."""
        own, other = state.racks
        plays = self.endgame.search.generate(state.board, Rack(own), self.endgame.position.rules)
        scores, least = plays.array["score"], target - 2 * self.endgame.points(other)
        out = np.flatnonzero((plays.array["placed"] == len(own)) & (scores >= least))
        if not len(out):
            return None
        ranked = out[np.argsort(-scores[out], kind="stable")].tolist()
        at = next((at for at in ranked if plays.move(at) == usual), ranked[0])
        return played(self.endgame, state, plays.move(at), int(scores[at]))

    def reaching(self, state: EndgameState, target: int) -> EndgameMove:
        """Return a move that the solver has proven to gain at least `target`."""
        end = replace(self.endgame.end, zeros=state.zeros, passes=state.passes)
        kernel, rules, at = self.kernel, self.endgame.position.rules.kernel, self.deadline.at
        end = end.simplified() if self.simple else end
        kernel.start(state.board.kernel, *state.racks, rules, end, at, 0, MAX_WEIGHED)
        kernel.limit(MAX_NODES, at)
        if self.deadline.passed or not kernel.probe(target):
            raise _StoppedError
        move = move_of(kernel.best, self.root.board.kernel.side)
        if kernel.best is None or isinstance(move, Pass):
            return passed(self.endgame, state)
        return played(self.endgame, state, move, kernel.best[4])

    def note_answer(self) -> None:
        """Count an answer; raise InvalidInput beyond `most`."""
        self.count += 1
        if self.count > self.most:
            raise _too_large(self.most)
        if self.count % TELL_EVERY == 0:
            self.progress(self.count, self.most)

    def text(self, move: Play | Pass) -> str:
        """Write a move."""
        return format_move(move, self.endgame.position.tile_set)
