"""Players of matches by name: an evaluator's, or a simulation's with its plan.

"static" takes the move with the most equity. "monte_carlo,iterations=4000,max_ms=1000" looks ahead: a method
of simulation and, after commas, what differs from it: candidates, iterations, plies, refills, opponent_model,
confidence (0: give all the same), max_ms (a deadline for each move), evaluator (what chooses the candidates).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from engine.errors import InvalidInput, quoted
from engine.evaluation.evaluators import Evaluator, best_evaluator, evaluator_kernel
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords, leaves
from engine.position import Board, Player, Position, Rack, format_coordinate
from engine.position import Exchange as ExchangeMove
from engine.position import Pass as PassMove
from engine.search import SIMULATIONS, Candidate, SimulationPlan, simulate
from engine.search.budget import Budget

if TYPE_CHECKING:
    from engine.evaluation.evaluator_kernel import EvaluatorKernel
    from engine.movegen import Plays
    from engine.selfplay.games import GameSetup

PLAY, EXCHANGE, PASS = range(3)
_NUMBERS: Final = ("candidates", "iterations", "plies", "refills", "max_ms")


@dataclass(frozen=True, slots=True)
class SimulatingPlan:
    """Hold how a simulating player plays: the plan, what chooses the candidates, milliseconds for a move."""

    plan: SimulationPlan
    evaluator: str | None = None
    max_ms: int | None = None

    @classmethod
    def parse(cls, name: str) -> SimulatingPlan | None:
        """Read a player's name; None if it names no simulation.

        Raises InvalidInput (code "unknown_player", or as `SimulationPlan.preset`) for one that says what
        cannot be.
        """
        method, *rest = name.split(",")
        if method not in SIMULATIONS:
            return None
        given: dict[str, Any] = {}
        for item in rest:
            key, _, value = item.partition("=")
            if key in _NUMBERS and value.isascii() and value.isdecimal():
                given[key] = int(value)
            elif key in ("opponent_model", "replies", "evaluator") and value:
                given[key] = value
            elif key == "confidence" and value.replace(".", "", 1).isdecimal():
                given[key] = float(value)
            else:
                known = ", ".join([*_NUMBERS, "opponent_model", "replies", "evaluator", "confidence"])
                raise InvalidInput(
                    f"the player {quoted(name)} cannot have {quoted(item)}; known: {known}",
                    code="unknown_player",
                    field="player",
                )
        evaluator, max_ms = given.pop("evaluator", None), given.pop("max_ms", None)
        dropping = given.pop("confidence", None)
        plan = SimulationPlan.preset(method, **given)
        if dropping is not None:
            plan = replace(plan, confidence=dropping or None)
            plan.check()
        return cls(plan, evaluator, max_ms)


def player(name: str, setup: GameSetup, seed: int) -> tuple[EvaluatorKernel, SimulatingPlayer | None]:
    """Return a player's evaluator, and what is asked for its moves if it does more; for one thread.

    Raises InvalidInput for an unknown name, MissingTable as `evaluator_kernel`.
    """
    plan = SimulatingPlan.parse(name)
    if plan is None:
        return evaluator_kernel(name, setup.lexicon, setup.rules), None
    return evaluator_kernel("greedy", setup.lexicon, setup.rules), SimulatingPlayer(setup, plan, seed)


class SimulatingPlayer:
    """Choose the best of the likeliest moves, plays and exchanges, by simulation; serves one thread."""

    def __init__(self, setup: GameSetup, plan: SimulatingPlan, seed: int) -> None:
        self._setup = setup
        self._plan = plan
        self._seed = seed
        heuri = plan.plan.method.startswith("heuri")
        name = plan.evaluator or ("heuri6" if heuri else best_evaluator(setup.lexicon))
        self._evaluator = Evaluator(name, setup.lexicon, setup.rules)
        self._search = InternalWords(setup.lexicon)

    def __call__(
        self,
        squares: bytes,
        rack: bytes,
        other_count: int,
        scores: tuple[int, int],
        zeros: int,
        game: int,
        turn: int,
        last: tuple[int, int, int, int, list[tuple[int, int]], int] | None,
    ) -> tuple[int, bytes | None, int, bytes]:
        """Return the move as GameLoop.ask takes it."""
        budget = Budget(seconds=None if self._plan.max_ms is None else self._plan.max_ms / 1000)
        setup = self._setup
        board = LoadedBoard.load(
            Board(setup.layout.side, squares), setup.layout, setup.lexicon.tile_set, setup.lexicon
        )
        players = (
            Player(scores[0], Rack(rack)),
            Player(scores[1], tile_count=other_count, last_move=self._told(board.board, last)),
        )
        position = Position(
            board.board, setup.layout, setup.lexicon.tile_set, setup.rules, players, zero_turns=zeros
        )
        values = self._evaluator.leave_values(board, position)[0].array
        plays = self._search.generate(board, position.rack, setup.rules, values)
        self._evaluator.adjust(plays, position)
        moves = self._moves(position, plays, values.tolist())
        chosen = moves[: self._plan.plan.candidates]
        best = 0
        if len(chosen) > 1:
            seed = (self._seed * 0x9E3779B97F4A7C15 + game * 1024 + turn) % 2**63
            found = simulate(
                position, board, [one for one, _, _ in chosen], self._plan.plan, seed=seed, budget=budget
            )
            best = found.order[0]
        one, at, kept = chosen[best]
        equity = 1000 * one.score + one.leave_value
        if at is not None:
            return PLAY, plays.array[at : at + 1].tobytes(), equity, kept
        return (EXCHANGE if len(kept) < len(rack) else PASS), None, equity, kept

    def _moves(
        self, position: Position, plays: Plays, values: list[int]
    ) -> list[tuple[Candidate, int | None, bytes]]:
        """Return the best moves: candidate, index of a play, tiles kept; of equals plays come first."""
        count, rack = self._plan.plan.candidates, position.rack
        found: list[tuple[Candidate, int | None, bytes]] = []
        numbered = leaves(rack)
        for at in plays.best(count, by="equity").tolist():
            score, equity = int(plays.array["score"][at]), int(plays.array["equity"][at])
            kept = numbered[int(plays.array["leave"][at])]
            found.append((Candidate(plays.move(at), score, equity - 1000 * score), at, kept))
        bag = position.bag_count()
        if bag and bag >= position.rules.exchange_limit:
            for value, kept in zip(values, numbered, strict=True):
                if 0 < len(rack) - len(kept) <= bag:
                    returned = bytearray(rack.tiles)
                    for code in kept:
                        returned.remove(code)
                    found.append((Candidate(ExchangeMove(bytes(returned)), 0, value), None, kept))
        if not found or not bag:
            found.append((Candidate(PassMove(), 0, values[-1]), None, rack.tiles))
        found.sort(key=lambda one: -(1000 * one[0].score + one[0].leave_value))
        return found

    def _told(
        self, board: Board, last: tuple[int, int, int, int, list[tuple[int, int]], int] | None
    ) -> str | None:
        """Return the other's last turn as the text of a move."""
        if last is None:
            return None
        kind, line, start, length, placed, exchanged = last
        if kind == PASS:
            return "-"
        if kind == EXCHANGE:
            return f"-{exchanged}"
        side, alphabet = board.side, self._setup.lexicon.tile_set.alphabet
        down = line >= side
        row, column = (start, line - side) if down else (line, start)
        laid = dict(placed)
        codes = [laid.get((row + i * down) * side + column + i * (not down), 0) for i in range(length)]
        word = "".join(alphabet.text([code]) if code else "." for code in codes)
        return f"{format_coordinate(row, column, down)} {word}"
