"""The functions of the library: what the engine thinks of a position, a play or a game.

A position knows its lexicon, so that a function needs only the position, and options that have defaults. All
results are those of `engine.analysis`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from engine.analysis import (
    KNOWN_RARITY,
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
from engine.messages import DEFAULT_LANGUAGE
from engine.search import AUTO, Deadline, SimulationPlan
from engine.search.levels import lent_level_player
from engine.search.simulation_plan import MAX_ITERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.analysis import Analysis, Annotation, Hint, Judgement, Progress
    from engine.library.lexicon import Lexicon
    from engine.library.position import Position
    from engine.position import Move
    from engine.records import GameRecord
    from engine.search.budget import Budget

NO_LIMIT: Final = 2**40
"""More nodes than any search reaches, for a search that only time limits."""

Plan = TypeVar("Plan", PreendgamePlan, EndgamePlan)


def analyze(
    position: Position,
    *,
    budget: Budget | None = None,
    top: int = 10,
    moves: Iterable[Move | str] = (),
    evaluator: str = "auto",
    explain: bool = False,
    lang: str = DEFAULT_LANGUAGE,
    seed: int = 1,
    threads: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Rank the moves of a position, the best first.

    Without a `budget` the moves are ranked by equity: the score plus the value of the leave. With one, the
    best of them are searched: with an empty bag as an endgame, with up to four tiles in it as a
    pre-endgame, else by simulation; `Budget()` allows a default amount of work. `top`: how many moves to
    list; `moves`: further moves to value, legal or not (`Analysis.compare`); `evaluator`: the name of the one
    that values leaves; `explain`: whether `Analysis.explanation` says why the best move is better than those
    of `moves`, or than the second best, in the language `lang` ("en", "es", "fr"); `seed`: of the random
    numbers; `threads`: of a simulation; `progress`: called now and then with the state of the search. Raises
    InvalidInput if the rack of the player on turn is unknown, or if the search does not apply to the
    position.
    """
    options = replace(_options(top, moves, evaluator, seed, threads), explain=explain, lang=lang)
    if budget is not None:
        options = replace(
            options,
            phase=AUTO,
            simulate=_simulation(budget, "monte_carlo", None),
            preendgame=_within(PreendgamePlan(), budget),
            endgame=_within(EndgamePlan(), budget),
        )
    return _analyzed(position, options, budget, progress)


def best_move(
    position: Position,
    *,
    budget: Budget | None = None,
    level: int | None = None,
    evaluator: str = "auto",
    seed: int = 1,
    threads: int = 1,
) -> Move:
    """Return the best move of a position: that of `analyze`, or with a `level` that of a weaker player.

    `level`: from 1, a beginner with a small vocabulary, to 10, who searches for about a second. The errors of
    such a player follow from `seed`. Raises as `analyze`, and InvalidInput for another level.
    """
    if level is not None:
        loaded = LoadedBoard.load(position.board, position.layout, position.tile_set, position.lexicon)
        with lent_level_player(position.lexicon, position.rules) as player:
            decision = player.choose(level, loaded, position, seed, _deadline(budget))
        return position.scored(decision.choice.move)
    found = analyze(position, budget=budget, top=1, evaluator=evaluator, seed=seed, threads=threads)
    return position.scored(found.best.move)


def simulate(
    position: Position,
    moves: Iterable[Move | str] = (),
    *,
    budget: Budget | None = None,
    method: str = "monte_carlo",
    candidates: int | None = None,
    top: int = 10,
    seed: int = 1,
    threads: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Rank moves by simulation: by playing on from each of them many times, with random racks and draws.

    `moves`: moves to simulate in addition to the best `candidates` by equity; `method`: the name of a
    simulation method. `Judged.found` holds the result for a move. With an empty bag nothing is random: the
    endgame is solved instead, as by `solve_endgame`. Raises InvalidInput for other than two players.
    """
    plan = _simulation(budget, method, candidates)
    options = replace(_options(top, moves, "auto", seed, threads), simulate=plan)
    return _analyzed(position, options, budget, progress)


def solve_preendgame(
    position: Position,
    moves: Iterable[Move | str] = (),
    *,
    budget: Budget | None = None,
    opponent: str = "rational",
    top: int = 10,
    seed: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Rank moves by how often they win, with 1 to 6 tiles in the bag.

    With one or two tiles the search considers every draw, else a sample. `moves`: moves to search in addition
    to the best by equity; `opponent`: how the opponent plays, "rational", "pessimistic" or "guaranteed".
    `Judged.found` holds the result for a move. Raises InvalidInput for another number of tiles in the bag, or
    other than two players.
    """
    plan = replace(_within(PreendgamePlan(), budget), opponent=opponent)
    options = replace(_options(top, moves, "auto", seed, 1), preendgame=plan)
    return _analyzed(position, options, budget, progress)


def solve_endgame(
    position: Position,
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Find the best move with an empty bag.

    `Judged.found` of the best move holds the best line and the final spread, and says whether they are
    proven. Raises InvalidInput if the bag is not empty, or for other than two players.
    """
    options = replace(_options(1, (), "auto", 1, 1), endgame=_within(EndgamePlan(), budget))
    return _analyzed(position, options, budget, progress)


def hint(position: Position, level: int = 1, *, reveal: bool = False) -> Hint:
    """Return a hint towards the best move, from level 1 (its kind) to 5 (the square where it begins).

    The move is the first of `analyze` with a search, which stops after ten seconds. `reveal`: whether the
    hint contains the move itself. Raises InvalidInput for another level, and TableNotReady if the bingo
    tables that an evaluator needs cannot be built in that time.
    """
    return hint_at(position, position.lexicon, level, reveal=reveal)


def judge(
    position: Position, play: Move | str, *, rule: str | None = None, per: str | None = None
) -> Judgement:
    """Judge whether all words of a play are valid, without naming one that is not, as an adjudicator does.

    `rule`: the challenge rule ("void", "single", "double", "5pt", "10pt", "triple"), by default that of the
    position; `per`: whether the points of the rules 5pt and 10pt count for the "play" or for each "word", by
    default as the rules of the position say. Raises InvalidInput for a text that is not a play, or a play
    that breaks another rule.
    """
    return judge_play(str(play), position, position.lexicon, rule=rule, per=per).judgement


def annotate(
    record: GameRecord,
    lexicon: Lexicon,
    *,
    simulated: bool = False,
    explain: bool = False,
    lang: str = DEFAULT_LANGUAGE,
    seed: int = 1,
    seconds: float | None = None,
    rarity: int = KNOWN_RARITY,
    progress: Callable[[int, int], None] | None = None,
) -> Annotation:
    """Compare every turn of a recorded game with the best move.

    Endgames are searched; other turns are compared by equity, or with `simulated` by simulation. `seconds`:
    the time for the whole game, in which each turn is simulated or searched as far as its share allows.
    `explain`: whether each turn has an `explanation` of what it lost, in the language `lang`, and the luck of
    its draw; `seed`: of the random numbers; `rarity`: losses are split by the words that are formed at least
    once in so many games of the engine with itself; `progress`: called with the number of events that are
    done, and of all. Raises InvalidInput for a record with fewer than two players, or with other letters than
    the lexicon's.
    """
    plan = annotation_simulation() if simulated else None
    options = AnnotationOptions(simulate=plan, seed=seed, explain=explain, lang=lang, rarity=rarity).within(
        seconds
    )
    return annotate_record(record, lexicon, options, progress=progress)


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
    position: Position, options: AnalysisOptions, budget: Budget | None, progress: Progress | None
) -> Analysis:
    request = AnalysisRequest(position, options)
    return analyze_request(request, position.lexicon, deadline=_deadline(budget), progress=progress)


def _deadline(budget: Budget | None) -> Deadline:
    return Deadline() if budget is None else budget.deadline()


def _simulation(budget: Budget | None, method: str, candidates: int | None) -> SimulationPlan:
    """Return the plan of a simulation; if only time limits it, it gets the most iterations."""
    iterations = None if budget is None else budget.iterations
    if iterations is None and budget is not None and budget.seconds is not None:
        iterations = MAX_ITERATIONS
    return SimulationPlan.preset(method, iterations=iterations, candidates=candidates)


def _within(plan: Plan, budget: Budget | None) -> Plan:
    """Return a plan with the nodes that a budget allows."""
    if budget is None or (budget.nodes is None and budget.seconds is None):
        return plan
    return replace(plan, nodes=NO_LIMIT if budget.nodes is None else budget.nodes)
