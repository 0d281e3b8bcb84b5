"""The life of a request as ARCHITECTURE.md describes it: each step by itself, then all over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Answer, InternalWords, LoadedBoard, analyze, answer
from engine.movegen.legal_moves import LegalMoves
from service.cache import MemoryCache
from service.documents import dump_analysis
from service.json_parser import read_json
from service.schemas.analyze import AnalyzeRequestSchema
from service.schemas.answers import AnalysisSchema
from service.schemas.reading import read_request
from service.single_flight import SingleFlight

if TYPE_CHECKING:
    from flask import Flask

BODY = b'{"tiles": [{"at": "8G", "letter": "A"}, {"at": "8H", "letter": "B"}], "rack": "ADDEFS?"}'


def test_the_life_of_a_request(app: Flask) -> None:
    # service/request_checks.py has checked its length and type; service/resources/analyze.py answers it.
    with app.test_request_context("/analyze", method="POST"):
        # service/json_parser.py: bytes to plain values, strictly.
        document = read_json(BODY, max_depth=16)
        # service/schemas/: plain values to the engine's request.
        data = AnalyzeRequestSchema().load(document)
        request, lexicon = read_request(data)
    assert request.position.board.tile_counts(26)[1:3] == (1, 1)

    # engine/loaded_board: the board for this lexicon; engine/movegen: every play of the rack on it.
    position = request.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = InternalWords(lexicon).generate(board, position.rack, position.rules)
    best = plays.move(int(plays.best(1)[0]))

    # engine/movegen/legal_moves.py: with the exchanges and the pass in one order.
    moves = LegalMoves(position, plays)
    assert moves[moves.best(1, "score")[0]] == best

    # engine/analysis: ranked and described.
    analysis = analyze(request, lexicon)
    assert (analysis.play_count, analysis.exchange_count) == (len(plays), moves.exchange_count)
    assert analysis.best.move == best

    # service/cache.py: the answer is stored under what it depends on; equal requests share one computation.
    cache = MemoryCache(1 << 20)
    flights: SingleFlight[Answer] = SingleFlight()
    first, shared = flights.do("key", lambda _: answer(request, lexicon, cache, dump_analysis))
    assert not shared
    assert answer(request, lexicon, cache, dump_analysis).stored

    # service/documents.py: to bytes, in the shape that service/schemas documents; the same by HTTP.
    body = dump_analysis(analysis)
    assert first.body == body
    response = app.test_client().post("/analyze", data=BODY, content_type="application/json")
    assert response.data == body
    AnalysisSchema().load(response.get_json())
