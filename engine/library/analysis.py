"""What the engine thinks of a position, a play or a game: the functions of the library.

Positions know their lexicon, so that a function needs no more than the position and what differs from the
usual. All results are those of `engine.analysis`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from engine.analysis import (
    AnalysisOptions,
    AnalysisRequest,
    AnnotationOptions,
    EndgamePlan,
    PreendgamePlan,
    annotation_simulation,
    judge_play,
)
from engine.analysis import analyze as analyze_request
from engine.analysis import annotate as annotate_record
from engine.analysis import hint as hint_at
from engine.loaded_board import LoadedBoard
from engine.search import AUTO, Deadline, SimulationPlan
from engine.search.levels import LevelPlayer
from engine.search.simulation_plan import MAX_ITERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.analysis import Analysis, Annotation, Hint, Judgement
    from engine.analysis.searched import Progress
    from engine.library.lexicon import Lexicon
    from engine.library.limit import Limit
    from engine.library.moves import Move
    from engine.library.position import Position
    from engine.records import GameRecord

NO_LIMIT: Final = 2**40
"""Nodes that no search reaches; where only time limits a search, it may use as many."""

Plan = TypeVar("Plan", PreendgamePlan, EndgamePlan)


def analyze(
    position: Position,
    *,
    limit: Limit | None = None,
    top: int = 10,
    moves: Iterable[Move | str] = (),
    evaluator: str = "auto",
    seed: int = 1,
    threads: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Rank the moves of a position, the best first.

    Without a `limit` every legal move is valued by its equity: its score plus the value of the tiles left.
    With one, the best of them are searched: by simulation, or, with one tile in the bag or none, by looking
    at every draw or by solving the endgame. `top`: how many moves to list; `moves`: moves to value beside
    them, legal or not (`Analysis.compare`); `evaluator`: one of EVALUATORS; `seed`: of the random numbers;
    `threads`: of a simulation; `progress`: called now and then with what a search has found. Raises
    InvalidInput for a position without a rack, or one that the search does not allow.
    """
    options = _options(top, moves, evaluator, seed, threads)
    if limit is not None:
        options = replace(
            options,
            phase=AUTO,
            simulate=_simulation(limit, "monte_carlo", None),
            preendgame=_limited(PreendgamePlan(), limit),
            endgame=_limited(EndgamePlan(), limit),
        )
    return _analyzed(position, options, limit, progress)


def best_move(
    position: Position,
    *,
    limit: Limit | None = None,
    level: int | None = None,
    evaluator: str = "auto",
    seed: int = 1,
    threads: int = 1,
) -> Move:
    """Return the best move of a position: that of `analyze`, or with a `level` that of a weaker player.

    `level`: from 1, a beginner who knows few words, to 10, who looks ahead for about a second. Such a player
    makes the same mistakes for the same `seed`. Raises as `analyze`, and InvalidInput for another level.
    """
    if level is not None:
        loaded = LoadedBoard.load(position.board, position.layout, position.tile_set, position.lexicon)
        player = LevelPlayer(position.lexicon, position.rules)
        deadline = _deadline(limit)
        return position.parse_move(player.choose(level, loaded, position, seed, deadline).choice.move)
    found = analyze(position, limit=limit, top=1, evaluator=evaluator, seed=seed, threads=threads)
    return position.parse_move(found.best.move)


def simulate(
    position: Position,
    moves: Iterable[Move | str] = (),
    *,
    limit: Limit | None = None,
    method: str = "monte_carlo",
    candidates: int | None = None,
    top: int = 10,
    seed: int = 1,
    threads: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Compare moves by playing on from them, many times, against racks that the opponent may hold.

    `moves`: moves to compare beside the best `candidates` by equity; `method`: one of SIMULATIONS. What the
    rollouts of a move came to is `MoveReport.sim`. Raises InvalidInput for other than two players.
    """
    plan = _simulation(limit, method, candidates)
    options = replace(_options(top, moves, "auto", seed, threads), simulate=plan)
    return _analyzed(position, options, limit, progress)


def solve_preendgame(
    position: Position,
    moves: Iterable[Move | str] = (),
    *,
    limit: Limit | None = None,
    opponent: str = "rational",
    top: int = 10,
    seed: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Find the move that wins most often with few tiles in the bag, by looking at every draw.

    From three tiles on it looks at a sample of the draws. `moves`: moves to look at beside the best by
    equity; `opponent`: one of PREENDGAME_OPPONENTS. What was found of a move is `MoveReport.preendgame`.
    Raises InvalidInput for an empty bag, one of more than six tiles, or other than two players.
    """
    plan = replace(_limited(PreendgamePlan(), limit), opponent=opponent)
    options = replace(_options(top, moves, "auto", seed, 1), preendgame=plan)
    return _analyzed(position, options, limit, progress)


def solve_endgame(
    position: Position,
    *,
    limit: Limit | None = None,
    method: str = "exact",
    progress: Progress | None = None,
) -> Analysis:
    """Solve a position with an empty bag, where both racks are known.

    `method`: one of ENDGAME_METHODS. The best line and the final spread are `MoveReport.endgame` of the best
    move, which says too whether they are proven. Raises InvalidInput for a bag that is not empty, or other
    than two players.
    """
    plan = replace(_limited(EndgamePlan(), limit), method=method)
    options = replace(_options(1, (), "auto", 1, 1), endgame=plan)
    return _analyzed(position, options, limit, progress)


def hint(position: Position, level: int = 1, *, reveal: bool = False) -> Hint:
    """Give a hint towards the best play, from level 1 (what kind of play it is) to 5 (where it begins).

    With `reveal` the hint holds the play itself. Raises InvalidInput for another level.
    """
    return hint_at(position, position.lexicon, level, reveal=reveal)


def judge(position: Position, play: Move | str, *, rule: str | None = None, per: str = "play") -> Judgement:
    """Judge a play as a tournament's adjudicator does: by all its words, and without naming the wrong one.

    `rule`: one of CHALLENGE_RULES, by default that of the position; `per`: whether the points of the rules
    5pt and 10pt count for the "play" or for each "word". Raises InvalidInput for what is not a play or cannot
    be placed there at all.
    """
    return judge_play(str(play), position, position.lexicon, rule=rule, per=per).judgement


def annotate(
    record: GameRecord,
    lexicon: Lexicon,
    *,
    simulated: bool = False,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Annotation:
    """Compare every turn of a recorded game with the best move; endgames are searched.

    `simulated`: whether other turns are compared by simulation rather than by equity, with the random numbers
    of `seed`; `progress` is called with the number of events that are done, and of all. Raises InvalidInput
    for a record without two players or of other letters than the lexicon's.
    """
    plan = annotation_simulation() if simulated else None
    return annotate_record(record, lexicon, AnnotationOptions(simulate=plan, seed=seed), progress=progress)


def _options(
    top: int, moves: Iterable[Move | str], evaluator: str, seed: int, threads: int
) -> AnalysisOptions:
    return AnalysisOptions(
        top_n=top,
        sort="equity",
        include_exchanges=True,
        evaluator=evaluator,
        compare=tuple([str(move) for move in moves]),
        seed=seed,
        threads=threads,
    )


def _analyzed(
    position: Position, options: AnalysisOptions, limit: Limit | None, progress: Progress | None
) -> Analysis:
    request = AnalysisRequest(position, options)
    return analyze_request(request, position.lexicon, deadline=_deadline(limit), progress=progress)


def _deadline(limit: Limit | None) -> Deadline:
    seconds = None if limit is None else limit.seconds
    return Deadline.after(None if seconds is None else 1000 * seconds)


def _simulation(limit: Limit | None, method: str, candidates: int | None) -> SimulationPlan:
    """Return the plan of a simulation; where only time limits it, it runs until the best move is clear."""
    iterations = None if limit is None else limit.iterations
    if iterations is None and limit is not None and limit.seconds is not None:
        iterations = MAX_ITERATIONS
    return SimulationPlan.preset(method, iterations=iterations, candidates=candidates)


def _limited(plan: Plan, limit: Limit | None) -> Plan:
    """Return a plan of a search of the end of the game with the nodes that a limit allows."""
    if limit is None or (limit.nodes is None and limit.seconds is None):
        return plan
    return replace(plan, nodes=NO_LIMIT if limit.nodes is None else limit.nodes)
