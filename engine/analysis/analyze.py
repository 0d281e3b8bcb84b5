"""The analysis of a position: load the board, generate the moves, value, search, rank and report them.

`analyze` returns an `Analysis`; `answer` returns its encoded bytes, from a store if it holds them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final

from engine.analysis.explain import Explaining, explain, reported_contender
from engine.analysis.findings import SearchCase, search
from engine.analysis.lending import lent_evaluator, lent_generator
from engine.analysis.move_report import Describer, move_fault, read_move
from engine.analysis.outcomes import Outcomes
from engine.analysis.plans import check_search, chosen_plan, search_warnings
from engine.analysis.ranking import Ranking, SearchedRanking, exchange_count
from engine.analysis.report import (
    Analysis,
    Answer,
    Comparison,
    LexiconReference,
    MoveFault,
    Phony,
    Provenance,
    Timings,
    position_report,
    table_name,
)
from engine.analysis.request import LearnedTables, check_position, evaluator_name
from engine.analysis.unsolved_endgame import best_by_proof
from engine.errors import InvalidInput, TableNotReady
from engine.evaluation.bingo_leaves import bingo_tables_within
from engine.evaluation.evaluators import uses_bingos, uses_delta
from engine.evaluation.win_pct import WinChances
from engine.loaded_board import LoadedBoard, loaded_board_key
from engine.messages import Text
from engine.position import format_coordinate
from engine.search import SimulationPlan
from engine.search.deadline import DEADLINE, Deadline
from engine.search.opponent import reads_good_leaves
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.findings import Progress
    from engine.analysis.move_report import RankedMove
    from engine.analysis.plans import SearchPlan
    from engine.analysis.report import MoveReport
    from engine.analysis.request import AnalysisOptions, AnalysisRequest, Store
    from engine.lexicon import Lexicon
    from engine.position import Move, Position

REPORT_MS: Final = 10.0
"""Milliseconds of `max_ms` reserved for the report after a search."""

EXPLAIN_MS: Final = 60.0
"""Milliseconds reserved for an explanation beside one move, twice what it usually takes."""

REPORT_SHARE: Final = 0.25
"""The most of `max_ms` that is reserved for both."""

EXPLAINED: Final = 2
"""Moves of an explanation without moves to compare: the best and the second best."""


def analyze(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store | None = None,
    *,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Return the best moves of a position and what is known of them.

    `store`: caches the loaded board; `deadline`: one that another thread may cut, beside the `max_ms` of the
    request; `progress`: called now and then with the state of a search. Raises InvalidInput with every fault
    of the position, or naming the option at fault, and TableNotReady (code "table_not_ready") if the bingo
    tables, which some evaluators and simulations read, are not built and `max_ms` does not suffice for
    building them.
    """
    if store is None:
        return _compute(request, lexicon, {}, deadline, progress)[0]
    keys = _part_keys(request, lexicon)
    stored = dict(zip(keys, store.get_many(keys), strict=True))
    analysis, _, fresh = _compute(request, lexicon, stored, deadline, progress)
    if fresh:
        store.put_many(fresh)
    return analysis


def answer(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store,
    encode: Callable[[Analysis], bytes],
    *,
    key: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the encoded analysis, from the store if it holds it.

    One `get_many` asks for the answer, the loaded board and, if the evaluator uses one, its delta set; one
    `put_many` stores those that were computed, but no answer that a deadline cut. `key`: the `answer_key` of
    the request, if the caller has it already; `deadline`, `progress`: as for `analyze`. Raises as `analyze`.
    """
    started = perf_counter()
    key = key or answer_key(request, lexicon)
    keys = _part_keys(request, lexicon)
    body, *parts = store.get_many([key, *keys])
    if body is not None:
        return Answer(body, Timings(total=perf_counter() - started), stored=True)
    stored = dict(zip(keys, parts, strict=True))
    analysis, timings, fresh = _compute(request, lexicon, stored, deadline, progress)
    body = encode(analysis)
    if analysis.provenance.stopped_by != DEADLINE:
        fresh[key] = body
    if fresh:
        store.put_many(fresh)
    return Answer(body, replace(timings, total=perf_counter() - started), stored=False)


def answer_key(request: AnalysisRequest, lexicon: Lexicon) -> str:
    """Return the key under which the answer to a request is stored: equal keys, equal bytes."""
    return request.key(lexicon, VERSION)


def check_request(request: AnalysisRequest, lexicon: Lexicon) -> None:
    """Raise what `analyze` would raise for a faulty request, without analyzing it."""
    _checked(request, lexicon)


def _checked(request: AnalysisRequest, lexicon: Lexicon) -> tuple[LearnedTables, SearchPlan | None]:
    """Return the tables and the search of a request; raise InvalidInput for a faulty one."""
    position, options = request.position, request.options
    options.check()
    plan = _plan(request)
    learned = LearnedTables.resolve(options, lexicon, plan)
    check_position(position, lexicon)
    if options.sort == "win_pct" and len(position.players) != 2:
        raise InvalidInput(
            Text("win% is known for games of two players only"), code="sort_unavailable", field="sort"
        )
    if plan is not None:
        check_search(plan, position)
    return learned, plan


def _plan(request: AnalysisRequest) -> SearchPlan | None:
    """Return the plan by which a request searches, None for no search."""
    options = request.options
    return chosen_plan(options.phase, options.plans, request.position) if options.is_search else None


def _part_keys(request: AnalysisRequest, lexicon: Lexicon) -> list[str]:
    """Return the keys of the loaded board and, if the evaluator uses one, of its delta set."""
    position, options = request.position, request.options
    board_key = loaded_board_key(position.board, position.layout, position.tile_set, lexicon)
    name = evaluator_name(options.evaluator, lexicon, _plan(request))
    has_delta = uses_delta(name, expect_bingos=options.wants_bingos)
    return [board_key, f"{board_key}-delta"] if has_delta else [board_key]


def _compute(
    request: AnalysisRequest,
    lexicon: Lexicon,
    stored: dict[str, bytes | None],
    deadline: Deadline | None,
    progress: Progress | None,
) -> tuple[Analysis, Timings, dict[str, bytes]]:
    """Return the analysis, the times spent, and the computed parts to store, by key.

    `stored`: what the store returned for the `_part_keys`; empty without a store.
    """
    started = perf_counter()
    position, options = request.position, request.options
    deadline = (deadline or Deadline()).within(_search_ms(options))
    learned, plan = _checked(request, lexicon)
    _check_tables(request, learned.evaluator, plan, lexicon, deadline)
    fresh: dict[str, bytes] = {}
    board_key, *delta_keys = stored or [""]
    board, is_new = _load(position, lexicon, stored.get(board_key))
    if is_new and board_key:
        fresh[board_key] = board.to_bytes()
    loaded = perf_counter()
    values, rules = None, position.rules
    with lent_evaluator(learned.evaluator, lexicon, rules, expect_bingos=options.wants_bingos) as evaluator:
        if evaluator is not None:
            values, delta = evaluator.leave_values(board, position, *(stored.get(key) for key in delta_keys))
            fresh.update({key: delta for key in delta_keys if delta is not None})
        valued = perf_counter()
        with lent_generator(options.generator, lexicon) as movegen:
            plays = movegen.generate(board, position.rack, rules, None if values is None else values.array)
        generated = perf_counter()
        if evaluator is not None:
            evaluator.adjust(plays, position)
    describer = Describer(position, lexicon)
    two_players = len(position.players) == 2  # the win% table is learned from games of two
    chances = WinChances(learned.win_pct, position) if two_players and learned.win_pct is not None else None
    outcomes = Outcomes.of(position, board, lexicon, deadline)
    top_n = max(options.top_n, EXPLAINED) if options.explain else options.top_n
    by_static = Ranking(position, plays, replace(options, top_n=top_n), values, chances, outcomes)
    ranking: Ranking | SearchedRanking = by_static
    named = [read_move(text, position) for text in options.compare]
    provenance = _provenance(
        lexicon.id,
        lexicon.sha256,
        table_name(learned.leaves),
        None if chances is None else table_name(learned.win_pct),
    )
    findings = None
    if plan is not None:
        by = "score" if values is None else "equity"

        def best(count: int) -> list[RankedMove]:
            every = replace(options, sort=by, top_n=count, include_exchanges=True)
            return Ranking(position, plays, every, values, chances).listed()

        legal = by_static.find([move for move in named if not isinstance(move, MoveFault)])
        case = SearchCase(
            position=position,
            board=board,
            lexicon=lexicon,
            evaluator=learned.evaluator,
            best=best,
            named=[one for one in legal if one is not None],
            score=describer.score,
            seed=options.seed,
            threads=options.threads,
            deadline=deadline,
            progress=progress,
        )
        findings = search(case, plan)
        if outcomes is not None and findings.bounds is not None and findings.best_bounds is not None:
            outcomes.learn(findings.bounds, findings.moves[0], findings.best_bounds)
            if not findings.bounds.exact:
                by_proof = replace(options, top_n=top_n, sort="win_pct")
                by_static = Ranking(position, plays, by_proof, values, chances, outcomes)
                findings = best_by_proof(findings, by_static, outcomes, position, describer.score)
        ranking = SearchedRanking(by_static, findings, top_n, lists_all=options.include_exchanges)
        provenance = findings.provenance(provenance)
    moves = describer.each(ranking.listed())
    alphabet = position.tile_set.alphabet
    phonies = tuple(
        Phony(alphabet.word(codes), format_coordinate(row, column, down))
        for row, column, down, codes in board.phonies()
    )
    reported = position_report(position, lexicon, request.canonical)
    compared = _compared(options.compare, named, ranking, position, lexicon, describer, options.lang)
    if outcomes is not None and outcomes.cut:
        provenance = replace(provenance, stopped_by=DEADLINE, deterministic=False)
    sort = findings.phase if findings is not None and findings.moves else options.sort
    explanation = None
    if options.explain and moves:
        provenance = replace(provenance, seed=options.seed)
        first, *others = [reported_contender(one, position) for one in _explained(moves, compared)]
        exchanges = exchange_count(position)
        explaining = Explaining(position, board, lexicon, values, sort, options.lang, options.seed, exchanges)
        explanation = explain(explaining, first, others)
    done = perf_counter()
    evaluating = valued - loaded + done - generated
    warnings = (*request.warnings, *search_warnings(plan, position))
    analysis = Analysis(
        position=reported,
        sort=sort,
        generator=options.generator,
        evaluator=learned.evaluator,
        phase=None if findings is None else findings.phase,
        play_count=len(plays),
        exchange_count=exchange_count(position),
        moves=moves[: options.top_n],
        compare=compared,
        phonies=phonies,
        explanation=explanation,
        warnings=tuple([warning.rendered(options.lang) for warning in warnings]),
        provenance=provenance,
    )
    return analysis, Timings(loaded - started, generated - valued, evaluating, done - started), fresh


def _compared(
    texts: Sequence[str],
    named: Sequence[Move | MoveFault],
    ranking: Ranking | SearchedRanking,
    position: Position,
    lexicon: Lexicon,
    describer: Describer,
    lang: str,
) -> tuple[Comparison, ...]:
    """Return the rank of each move that the request names, or why it is illegal, in a language."""
    if not texts:
        return ()
    found = iter(ranking.find([move for move in named if not isinstance(move, MoveFault)]))
    compared = []
    for text, move in zip(texts, named, strict=True):
        if isinstance(move, MoveFault):
            compared.append(Comparison(text, legal=False, move=None, fault=move.rendered(lang)))
            continue
        ranked = next(found)
        if ranked is not None:
            report = describer.describe(move, ranked.rank, ranked.values)
            compared.append(Comparison(text, legal=True, move=report, fault=None))
            continue
        fault = move_fault(move, position, lexicon, describer) or MoveFault(
            "not_the_whole_word", Text("a tile stands just before or after the word that the play names")
        )
        report = describer.describe(move, None)
        compared.append(Comparison(text, legal=False, move=report, fault=fault.rendered(lang)))
    return tuple(compared)


def _explained(moves: Sequence[MoveReport], compared: Sequence[Comparison]) -> list[MoveReport]:
    """Return the best of the moves listed and compared, and those to explain it beside.

    These are the legal moves compared, and the first listed unless it is the best; without any of them the
    second best.
    """
    first = moves[0]
    legal = {one.move.move: one.move for one in compared if one.legal and one.move is not None}
    best = min([first, *legal.values()], key=lambda one: one.rank or inf)
    beside = legal if best.move == first.move else {first.move: first, **legal}
    beside.pop(best.move, None)
    return [best, *(beside.values() or moves[1:EXPLAINED])]


@lru_cache(maxsize=64)
def _provenance(
    lexicon_id: str, lexicon_sha256: str, leaves: str | None, win_pct_table: str | None
) -> Provenance:
    """Return the provenance of an analysis without a search."""
    reference = LexiconReference(lexicon_id, lexicon_sha256)
    return Provenance(VERSION, reference, leaves=leaves, win_pct_table=win_pct_table)


def _check_tables(
    request: AnalysisRequest,
    evaluator: str,
    plan: SearchPlan | None,
    lexicon: Lexicon,
    deadline: Deadline,
) -> None:
    """Build the bingo tables that an analysis needs, if it has a deadline.

    Raises TableNotReady if they are not ready by then; another thread continues to build them. Without a
    deadline they are built at their first use.
    """
    position = request.position
    leaves = isinstance(plan, SimulationPlan) and reads_good_leaves(position, plan.opponent_model)
    if not leaves and not uses_bingos(evaluator, expect_bingos=request.options.wants_bingos):
        return
    seconds = deadline.seconds_left
    if seconds is not None and not bingo_tables_within(lexicon, seconds, leaves=leaves):
        raise TableNotReady(
            Text(
                "the bingo tables of {lexicon} are being computed: ask again in some seconds, or "
                "compute them beforehand: kibitz lexicon build {lexicon} --with bingos",
                lexicon=lexicon.id,
            ),
            code="table_not_ready",
        )


def _search_ms(options: AnalysisOptions) -> float | None:
    """Return how many of the milliseconds of a request its search may use, None without a deadline."""
    max_ms, reserved = options.max_ms, REPORT_MS + (EXPLAIN_MS if options.explain else 0)
    return None if max_ms is None else max_ms - min(reserved, REPORT_SHARE * max_ms)


def _load(position: Position, lexicon: Lexicon, stored: bytes | None) -> tuple[LoadedBoard, bool]:
    """Return the loaded board, from its stored bytes if they are valid, and whether it was loaded anew."""
    parts = (position.board, position.layout, position.tile_set, lexicon)
    board = None if stored is None else LoadedBoard.from_bytes(stored, *parts)
    return (LoadedBoard.load(*parts), True) if board is None else (board, False)
