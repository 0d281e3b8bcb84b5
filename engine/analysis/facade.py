"""From a request to its answer: load the board, generate, rank, report."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Final

from engine.analysis.compare import Comparer
from engine.analysis.instruments import thread_evaluator, thread_generator
from engine.analysis.moves import Describer, exchange_count
from engine.analysis.ranking import Ranking
from engine.analysis.readiness import check_tables
from engine.analysis.request import Learned, evaluator_name
from engine.analysis.result import (
    Analysis,
    Answer,
    LexiconReference,
    Phony,
    Provenance,
    Timings,
)
from engine.analysis.searched import Case, SearchedRanking
from engine.analysis.searching import check_search, chosen_search, search
from engine.analysis.setting import check_position, position_report, table_name
from engine.analysis.simulating import simulation_warnings
from engine.errors import InvalidInput
from engine.evaluation.evaluators import uses_delta
from engine.evaluation.win_pct import WinChances
from engine.loaded_board import LoadedBoard, loaded_board_key
from engine.position import format_coordinate
from engine.search.deadline import DEADLINE, Deadline
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.analysis.ranking import Ranked
    from engine.analysis.request import AnalysisRequest, Store
    from engine.analysis.searched import AnyRanking, Progress
    from engine.analysis.searching import SearchPlan
    from engine.lexicon import Lexicon
    from engine.position import Position


TELLING_MS: Final = 10.0
TELLING_SHARE: Final = 0.25
"""What of `max_ms` is kept for telling what a search found: milliseconds, or if less a share."""


def analyze(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store | None = None,
    *,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Find the best moves of a position, in the documented order; `store` caches the loaded board.

    `deadline`: one that another thread may cut, beside the request's `max_ms`; `progress`: told how a search
    goes. Raises InvalidInput with every fault of the position, or naming the option at fault, and
    TableNotReady where a table would have to be made first and the time does not suffice.
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

    One `get_many` asks for the answer, the loaded board and, if the evaluator looks at one, its delta set;
    one `put_many` stores those of them that were computed. `key` is the `answer_key` of the request, for
    callers that know it already; `deadline` and `progress` are those of `analyze`. Raises what `analyze`
    raises.
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
    if analysis.provenance.stopped_by != DEADLINE:  # another time the search might get further
        fresh[key] = body
    if fresh:
        store.put_many(fresh)
    return Answer(body, replace(timings, total=perf_counter() - started), stored=False)


def answer_key(request: AnalysisRequest, lexicon: Lexicon) -> str:
    """Return the name of the finished answer: the same name, the same bytes."""
    return request.key(lexicon, VERSION)


def check_request(request: AnalysisRequest, lexicon: Lexicon) -> None:
    """Raise what `analyze` would raise before it begins, for those who have the request wait its turn."""
    _checked(request, lexicon)


def _checked(request: AnalysisRequest, lexicon: Lexicon) -> tuple[Learned, SearchPlan | None]:
    """Return the tables and the search of a request; raises InvalidInput if anything is wrong with it."""
    position, options = request.position, request.options
    options.check()
    learned = Learned.resolve(options, lexicon)
    check_position(position, lexicon)
    if options.sort == "win_pct" and len(position.players) != 2:
        raise InvalidInput(
            "win% is known for games of two players only", code="sort_unavailable", field="sort"
        )
    plan = chosen_search(options, position)
    if plan is not None:
        check_search(plan, position)
    return learned, plan


def _board_key(position: Position, lexicon: Lexicon) -> str:
    return loaded_board_key(position.board, position.layout, position.tile_set, lexicon)


def _part_keys(request: AnalysisRequest, lexicon: Lexicon) -> list[str]:
    """Return the names under which a store holds the loaded board and, if the evaluator looks at one, its
    delta set."""
    options = request.options
    board_key = _board_key(request.position, lexicon)
    name = evaluator_name(options.evaluator, lexicon)
    return (
        [board_key, f"{board_key}-delta"]
        if uses_delta(name, expect_bingos=options.wants_bingos)
        else [board_key]
    )


def _compute(
    request: AnalysisRequest,
    lexicon: Lexicon,
    stored: dict[str, bytes | None],
    deadline: Deadline | None,
    progress: Progress | None,
) -> tuple[Analysis, Timings, dict[str, bytes]]:
    """Analyze; also return the times spent, and the parts computed here that a store should hold, by name.

    `stored`: what the store returned for the `_part_keys`; empty if there is no store.
    """
    started = perf_counter()
    position, options = request.position, request.options
    deadline = (deadline or Deadline()).within(_search_ms(options.max_ms))
    learned, plan = _checked(request, lexicon)
    check_tables(options, learned.evaluator, plan, position, lexicon, deadline)
    fresh: dict[str, bytes] = {}
    board_key, *delta_keys = stored or [""]
    board, is_new = _load(position, lexicon, stored.get(board_key))
    if is_new and board_key:
        fresh[board_key] = board.to_bytes()
    loaded = perf_counter()
    evaluator = thread_evaluator(
        learned.evaluator, lexicon, position.rules, expect_bingos=options.wants_bingos
    )
    values = None
    if evaluator is not None:
        values, delta = evaluator.leave_values(board, position, *(stored.get(key) for key in delta_keys))
        fresh.update({key: delta for key in delta_keys if delta is not None})
    valued = perf_counter()
    movegen = thread_generator(options.generator, lexicon)
    plays = movegen.generate(board, position.rack, position.rules, None if values is None else values.array)
    generated = perf_counter()
    if evaluator is not None:
        evaluator.adjust(plays, position)
    describer = Describer(position, lexicon)
    # It is learned from games of two.
    two = len(position.players) == 2
    chances = WinChances(learned.win_pct, position) if two and learned.win_pct is not None else None
    by_static = Ranking(position, plays, options, values, chances)
    finder = Comparer(position, lexicon, plays, by_static, describer)
    ranking: AnyRanking = by_static
    provenance = _provenance(
        lexicon.id,
        lexicon.sha256,
        table_name(learned.leaves),
        None if chances is None else table_name(learned.win_pct),
    )
    findings = None
    if plan is not None:
        by = "score" if values is None else "equity"

        def best(count: int) -> list[Ranked]:
            return Ranking(position, plays, replace(options, sort=by, top_n=count), values, chances).listed()

        named = [one for one in map(finder.read, options.compare) if one is not None]
        case = Case(
            position, board, lexicon, learned.evaluator, best, named, describer.score, options.seed,
            options.threads, deadline, progress,
        )  # fmt: skip
        findings = search(case, plan)
        ranking = SearchedRanking(
            by_static, finder.all_ranked, findings, options.top_n, lists_all=options.include_exchanges
        )
        provenance = findings.explained(provenance)
    moves = describer.each(ranking.listed())
    comparer = Comparer(position, lexicon, plays, ranking, describer)
    alphabet = position.tile_set.alphabet
    phonies = tuple(
        Phony(alphabet.word(codes), format_coordinate(row, column, down))
        for row, column, down, codes in board.phonies()
    )
    reported = position_report(position, lexicon, request.canonical)
    compared = tuple(comparer.compare(text) for text in options.compare)
    done = perf_counter()
    evaluating = valued - loaded + done - generated
    analysis = Analysis(
        position=reported,
        sort=findings.phase if findings is not None and findings.moves else options.sort,
        generator=options.generator,
        evaluator=learned.evaluator,
        phase=None if findings is None else findings.phase,
        play_count=len(plays),
        exchange_count=exchange_count(position),
        moves=moves,
        compare=compared,
        phonies=phonies,
        warnings=(*request.warnings, *simulation_warnings(plan, position)),
        provenance=provenance,
    )
    return analysis, Timings(loaded - started, generated - valued, evaluating, done - started), fresh


@lru_cache(maxsize=64)
def _provenance(
    lexicon_id: str, lexicon_sha256: str, leaves: str | None, win_pct_table: str | None
) -> Provenance:
    """Return what an answer without a search is made of."""
    reference = LexiconReference(lexicon_id, lexicon_sha256)
    return Provenance(VERSION, reference, leaves=leaves, win_pct_table=win_pct_table)


def _search_ms(max_ms: int | None) -> float | None:
    """Return how many milliseconds a search has of those of the answer, None if there is no deadline."""
    return None if max_ms is None else max_ms - min(TELLING_MS, TELLING_SHARE * max_ms)


def _load(position: Position, lexicon: Lexicon, stored: bytes | None) -> tuple[LoadedBoard, bool]:
    """Return the loaded board, from its stored bytes if they are sound, and whether it had to be loaded."""
    parts = (position.board, position.layout, position.tile_set, lexicon)
    board = None if stored is None else LoadedBoard.from_bytes(stored, *parts)
    return (LoadedBoard.load(*parts), True) if board is None else (board, False)
