"""From a request to its answer: load the board, generate, rank, report."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from threading import local
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from engine.analysis.compare import Comparer
from engine.analysis.moves import Describer, exchange_count, other_moves
from engine.analysis.request import AVAILABLE_EVALUATORS
from engine.analysis.result import (
    Analysis,
    Answer,
    LexiconReference,
    Phony,
    PositionReport,
    Provenance,
    Timings,
)
from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard, loaded_board_key
from engine.movegen import generator
from engine.position import format_coordinate
from engine.records import format_cgp
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.analysis.request import AnalysisRequest, Store
    from engine.analysis.result import Comparison, MoveReport
    from engine.lexicon import Lexicon
    from engine.movegen import MoveGenerator, Plays
    from engine.position import Position


class _Own(local):
    """The generators of this thread: each owns its scratch memory, and goes when its lexicon goes."""

    def __init__(self) -> None:
        self.generators: WeakKeyDictionary[Lexicon, dict[str, MoveGenerator]] = WeakKeyDictionary()


_own = _Own()


def analyze(request: AnalysisRequest, lexicon: Lexicon, store: Store | None = None) -> Analysis:
    """Find the best moves of a position, in the documented order; loaded boards are kept in `store`.

    Raises InvalidInput with every fault of the position, or naming the option at fault.
    """
    found = None
    if store is not None:
        found = store.get_many([_board_key(request.position, lexicon)])[0]
    analysis, fresh = _compute(request, lexicon, found, keep=store is not None)
    if store is not None and fresh is not None:
        store.put_many({_board_key(request.position, lexicon): fresh})
    return analysis


def answer(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store,
    encode: Callable[[Analysis], bytes],
    *,
    key: str | None = None,
) -> Answer:
    """Return the encoded analysis, from the store if it holds it (one `get_many` asks for answer and board).

    `key` is the `answer_key` of the request, for callers that know it already. Raises what `analyze` raises.
    """
    started = perf_counter()
    key = key or answer_key(request, lexicon)
    board_key = _board_key(request.position, lexicon)
    body, board = store.get_many([key, board_key])
    if body is not None:
        return Answer(body, Timings(total=perf_counter() - started), stored=True)
    analysis, fresh = _compute(request, lexicon, board, keep=True)
    body = encode(analysis)
    store.put_many({key: body} if fresh is None else {key: body, board_key: fresh})
    return Answer(body, replace(analysis.timings, total=perf_counter() - started), stored=False)


def answer_key(request: AnalysisRequest, lexicon: Lexicon) -> str:
    """Return the name of the finished answer: the same name, the same bytes."""
    return request.key(lexicon, VERSION)


def _board_key(position: Position, lexicon: Lexicon) -> str:
    return loaded_board_key(position.board, position.layout, position.tile_set, lexicon)


def _compute(
    request: AnalysisRequest, lexicon: Lexicon, kept: bytes | None, *, keep: bool
) -> tuple[Analysis, bytes | None]:
    """Analyze; also return the loaded board's bytes if it was made here and is to be kept."""
    started = perf_counter()
    position, options = request.position, request.options
    options.check()
    _check_position(position, lexicon)
    board, fresh = _load(position, lexicon, kept)
    loaded = perf_counter()
    plays = _generator(options.generator, lexicon).generate(board, position.rack, position.rules)
    generated = perf_counter()
    describer = Describer(position, lexicon)
    moves, comparisons = _ranked(request, lexicon, plays, describer)
    alphabet = position.tile_set.alphabet
    phonies = tuple(
        Phony(alphabet.word(codes), format_coordinate(row, column, down))
        for row, column, down, codes in board.phonies()
    )
    echo = _report(request, lexicon)
    done = perf_counter()
    analysis = Analysis(
        position=echo,
        sort=options.sort,
        generator=options.generator,
        evaluator=AVAILABLE_EVALUATORS[options.evaluator],
        play_count=len(plays),
        exchange_count=exchange_count(position),
        moves=moves,
        compare=comparisons,
        phonies=phonies,
        provenance=Provenance(VERSION, LexiconReference(lexicon.id, lexicon.sha256)),
        timings=Timings(loaded - started, generated - loaded, done - generated, done - started),
    )
    return analysis, board.to_bytes() if fresh and keep else None


def _check_position(position: Position, lexicon: Lexicon) -> None:
    if position.tile_set.alphabet != lexicon.tile_set.alphabet:
        raise InvalidInput(
            f"the lexicon {lexicon.id} is spelled with the letters of {lexicon.tile_set.id}, "
            f"not with those of {position.tile_set.id}",
            code="tile_set_mismatch",
            field="tile_set",
        )
    position.check()
    if not position.rack.tiles:
        raise InvalidInput(
            "the player on turn has no rack, so there is nothing to analyze", code="no_rack", field="rack"
        )


def _load(position: Position, lexicon: Lexicon, kept: bytes | None) -> tuple[LoadedBoard, bool]:
    parts = (position.board, position.layout, position.tile_set, lexicon)
    board = None if kept is None else LoadedBoard.from_bytes(kept, *parts)
    return (LoadedBoard.load(*parts), True) if board is None else (board, False)


def _generator(name: str, lexicon: Lexicon) -> MoveGenerator:
    known = _own.generators.setdefault(lexicon, {})
    if name not in known:
        known[name] = generator(name, lexicon)
    return known[name]


def _ranked(
    request: AnalysisRequest, lexicon: Lexicon, plays: Plays, describer: Describer
) -> tuple[tuple[MoveReport, ...], tuple[Comparison, ...]]:
    """Describe the best moves and the compared ones.

    Plays come first, by score and the order of ties; then, all without points, the exchanges and the pass.
    They are listed if asked for; the pass also where it is the only move.
    """
    position, options = request.position, request.options
    order = plays.best(len(plays) if options.compare else options.top_n, by="score")
    moves = [
        describer.describe(plays.move(int(index)), rank)
        for rank, index in enumerate(order[: options.top_n], start=1)
    ]
    if options.include_exchanges or not len(plays):
        others = list(other_moves(position))
        wanted = others if options.include_exchanges else others[-1:]
        first = len(plays) + 1 + len(others) - len(wanted)
        room = options.top_n - len(moves)
        moves += [describer.describe(move, first + i) for i, move in enumerate(wanted[:room])]
    if not options.compare:
        return tuple(moves), ()
    comparer = Comparer(position, lexicon, plays, order, describer)
    return tuple(moves), tuple(comparer.compare(text) for text in options.compare)


def _report(request: AnalysisRequest, lexicon: Lexicon) -> PositionReport:
    position = request.position
    unseen = position.unseen()
    tiles = [code for code in [*range(1, len(unseen)), 0] for _ in range(unseen[code])]
    return PositionReport(
        cgp=format_cgp(position),
        id=sha256(request.canonical.encode("utf-8", "surrogatepass")).hexdigest(),
        lexicon=lexicon.id,
        board=position.layout.id,
        tile_set=position.tile_set.id,
        rules=position.rules.id,
        bag_count=position.bag_count(),
        unseen=position.tile_set.alphabet.text(tiles),
    )
