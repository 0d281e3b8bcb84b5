"""The analysis of a position: load the board, generate the moves, value, search, rank and report them.

`analyze` returns an `Analysis`; `answer` returns its encoded bytes, from a store if it holds them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.explain import Explaining, explain, explained_move
from engine.analysis.findings import search
from engine.analysis.judged import Judged
from engine.analysis.legality import MoveFault, move_fault, read_move
from engine.analysis.plans import search_warnings
from engine.analysis.ranking import Ranking
from engine.analysis.report import (
    Analysis,
    Answer,
    Comparison,
    Phony,
    Provenance,
    Timings,
    lexicon_reference,
    table_name,
)
from engine.analysis.request import Case, evaluator_name, search_plan
from engine.evaluation.evaluators import evaluator_kind, legal_moves
from engine.loaded_board import LoadedBoard, loaded_board_key
from engine.messages import Text
from engine.position import format_coordinate
from engine.search.deadline import DEADLINE
from engine.search.endgame_verdicts import MAX_NODES, PLAIN_NODES, EndgameVerdicts
from engine.search.lending import lent_evaluator, lent_generator
from engine.search.phase import ENDGAME
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.analysis.explain import Explanation
    from engine.analysis.findings import Findings, Progress
    from engine.analysis.request import AnalysisRequest, LearnedTables, Store
    from engine.lexicon import Lexicon
    from engine.movegen.legal_moves import LegalMoves
    from engine.position import Move, Position
    from engine.search.deadline import Deadline

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

    `store`: caches the loaded board; `deadline`: one that another thread may cut, besides the `max_ms` of the
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
    Case.of(request, lexicon)


def _part_keys(request: AnalysisRequest, lexicon: Lexicon) -> list[str]:
    """Return the keys of the loaded board and, if the evaluator uses one, of its delta set."""
    position, options = request.position, request.options
    board_key = loaded_board_key(position.board, position.layout, position.tile_set, lexicon)
    name = evaluator_name(options.evaluator, lexicon, search_plan(request))
    has_delta = evaluator_kind(name).delta or options.wants_bingos
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
    case = Case.of(request, lexicon, deadline)
    case.prepare_tables()
    board, fresh = _load(request.position, lexicon, stored)
    loaded = perf_counter()
    moves, delta = _valued(case, board, stored)
    generated = perf_counter()
    ranked = _ranked(case, moves, progress)
    analysis = _reported(case, ranked)
    done = perf_counter()
    times = Timings(loaded - started, generated - loaded, done - generated, done - started)
    return analysis, times, {**fresh, **delta}


def _load(
    position: Position, lexicon: Lexicon, stored: Mapping[str, bytes | None]
) -> tuple[LoadedBoard, dict[str, bytes]]:
    """Return the loaded board, by its stored bytes if they are valid, and its bytes to store if it is new."""
    key, *_ = stored or [""]
    found = stored.get(key)
    parts = (position.board, position.layout, position.tile_set, lexicon)
    board = None if found is None else LoadedBoard.from_bytes(found, *parts)
    if board is not None:
        return board, {}
    board = LoadedBoard.load(*parts)
    return board, {key: board.to_bytes()} if key else {}


def _valued(
    case: Case, board: LoadedBoard, stored: Mapping[str, bytes | None]
) -> tuple[LegalMoves, dict[str, bytes]]:
    """Return the legal moves with their values, and the delta set of the board to store if it is new."""
    position, options = case.request.position, case.request.options
    name, expect_bingos = case.learned.evaluator, options.wants_bingos
    keys = list(stored)[1:]  # that of the delta set, if the evaluator uses one
    with (
        lent_evaluator(name, case.lexicon, position.rules, expect_bingos=expect_bingos) as evaluator,
        lent_generator(case.lexicon) as movegen,
    ):
        moves, delta = legal_moves(position, board, movegen, evaluator, *[stored[key] for key in keys])
    return moves, {} if delta is None else dict.fromkeys(keys, delta)


class _Ranked(NamedTuple):
    """Hold the order of the moves, the texts to compare with their moves, and what a search found.

    `verdicts`: what is proven of the moves of an endgame.
    """

    ranking: Ranking
    named: list[tuple[str, Move | MoveFault]]
    findings: Findings | None
    verdicts: EndgameVerdicts | None


def _ranked(case: Case, moves: LegalMoves, progress: Progress | None) -> _Ranked:
    """Rank the moves, by a search if the request asks for one."""
    position, options, chances = moves.position, case.request.options, case.chances
    named = [(text, read_move(text, position)) for text in options.compare]
    nodes = MAX_NODES if options.wants_proofs else PLAIN_NODES
    verdicts = EndgameVerdicts.of(position, moves.plays.board, case.lexicon, case.search_ends, nodes)
    if options.explain:
        options = replace(options, top_n=max(options.top_n, EXPLAINED))
    ranking = Ranking(moves, options, chances, verdicts)
    if case.plan is None:
        return _Ranked(ranking, named, None, verdicts)
    found = [moves.find(move) for _, move in named if not isinstance(move, MoveFault)]
    legal = [number for number in found if number is not None]
    if verdicts is not None:  # the nodes may not suffice for all moves, so those named go first
        for number in legal:
            verdicts.after(moves[number], int(moves.score[number]))
    findings = search(case, moves, legal, verdicts, progress)
    if findings.phase == ENDGAME and verdicts is not None and not verdicts.bounds.exact:
        ranking = Ranking(moves, replace(options, sort="win_pct"), chances, verdicts)
    ranking.found = findings.moves
    return _Ranked(ranking, named, findings, verdicts)


def _reported(case: Case, ranked: _Ranked) -> Analysis:
    """Return the analysis as a record."""
    request, options, findings = case.request, case.request.options, ranked.findings
    moves, listed = ranked.ranking.moves, ranked.ranking.listed()
    compared = _compared(case, ranked)
    sort = findings.phase if findings is not None and findings.moves else options.sort
    explanation = None
    if options.explain and listed:
        explanation = _explanation(case, moves, sort, _explained(listed, compared))
    asked = options.asks_simulation
    warnings = (*request.warnings, *search_warnings(case.plan, request.position, asks_simulation=asked))
    return Analysis(
        position=request.position,
        sort=sort,
        evaluator=case.learned.evaluator,
        phase=None if findings is None else findings.phase,
        play_count=moves.play_count,
        exchange_count=moves.exchange_count,
        moves=tuple(listed[: options.top_n]),
        compare=compared,
        phonies=_phonies(moves.plays.board),
        explanation=explanation,
        warnings=tuple([warning.rendered(options.lang) for warning in warnings]),
        provenance=_provenance(case, ranked, explanation),
        searched=None if findings is None else findings.result,
    )


def _explanation(case: Case, moves: LegalMoves, sort: str, explained: Sequence[Judged]) -> Explanation:
    """Return why the first of some moves is better than the others."""
    options = case.request.options
    explaining = Explaining(
        moves.position,
        moves.plays.board,
        case.lexicon,
        moves.leave_values,
        sort,
        options.lang,
        options.seed,
        moves.exchange_count,
        case.ends,
    )
    first, *others = [explained_move(one) for one in explained]
    return explain(explaining, first, others)


def _phonies(board: LoadedBoard) -> tuple[Phony, ...]:
    """Return the words on a board that the lexicon lacks."""
    word = board.tile_set.alphabet.word
    return tuple(
        [
            Phony(word(codes), format_coordinate(row, column, down))
            for row, column, down, codes in board.phonies()
        ]
    )


def _provenance(case: Case, ranked: _Ranked, explanation: Explanation | None) -> Provenance:
    """Return what the analysis depends on, and whether a deadline has cut a part of it."""
    provenance = _plain_provenance(case.lexicon, case.learned, len(case.request.position.players) == 2)
    if ranked.findings is not None:
        provenance = ranked.findings.provenance(provenance)
    cut = ranked.verdicts is not None and ranked.verdicts.cut
    if explanation is not None:
        provenance = replace(provenance, seed=case.request.options.seed)
        cut = cut or case.ends.passed
    return replace(provenance, stopped_by=DEADLINE, deterministic=False) if cut else provenance


@lru_cache(maxsize=64)
def _plain_provenance(lexicon: Lexicon, learned: LearnedTables, two_players: bool) -> Provenance:
    """Return the provenance of an analysis without a search."""
    return Provenance(
        VERSION,
        lexicon_reference(lexicon),
        leaves=table_name(learned.leaves),
        win_pct_table=table_name(learned.win_pct) if two_players else None,
    )


def _compared(case: Case, ranked: _Ranked) -> tuple[Comparison, ...]:
    """Return the rank of each move that the request names, or why it is illegal."""
    if not ranked.named:
        return ()
    position, lexicon, lang = case.request.position, case.lexicon, case.request.options.lang
    moves = [move for _, move in ranked.named if not isinstance(move, MoveFault)]
    found = iter(ranked.ranking.find(moves))
    compared = []
    for text, move in ranked.named:
        if isinstance(move, MoveFault):
            compared.append(Comparison(text, None, move.rendered(lang)))
        elif (judged := next(found)) is not None:
            compared.append(Comparison(text, judged, None))
        else:
            fault = move_fault(move, position, lexicon) or MoveFault(
                "not_the_whole_word",
                Text("a tile stands just before or after the word that the play names"),
            )
            compared.append(Comparison(text, Judged.unranked(move, position, lexicon), fault.rendered(lang)))
    return tuple(compared)


def _explained(moves: Sequence[Judged], compared: Sequence[Comparison]) -> list[Judged]:
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
