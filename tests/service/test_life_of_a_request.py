"""The life of a request as ARCHITECTURE.md tells it: each step by hand, then all of it by HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import LoadedBoard, analyze, answer, generator
from service.cache import MemoryStore, SingleFlight
from service.parsing import read_json
from service.schemas.analyze import AnalyzeBody
from service.schemas.answers import AnalysisShape, dump_analysis
from service.schemas.reading import read_request

if TYPE_CHECKING:
    from flask import Flask

BODY = b'{"tiles": [{"at": "8G", "letter": "A"}, {"at": "8H", "letter": "B"}], "rack": "ADDEFS?"}'


def test_the_life_of_a_request(app: Flask) -> None:
    # service/resources/analyze.py takes it in; service/guards.py has seen to its length and its type.
    with app.test_request_context("/analyze", method="POST"):
        # service/parsing.py: bytes to plain values, once and strictly.
        document = read_json(BODY, deepest=16)
        # service/schemas/: plain values to the engine's request.
        data = AnalyzeBody().load(document)
        analyst = app.config["ANALYST"]
        request, lexicon = read_request(data, analyst.catalogue, analyst.settings.lexicon)
    assert request.position.board.tile_counts(26)[1:3] == (1, 1)

    # engine/loaded_board: the board for this lexicon; engine/movegen: every play of the rack on it.
    position = request.position
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    plays = generator("internal_words", lexicon).generate(board, position.rack, position.rules)
    best = plays.move(int(plays.best(1)[0]))

    # engine/analysis: ranked and described.
    analysis = analyze(request, lexicon)
    assert analysis.play_count == len(plays)
    assert len(analysis.moves[0].placed) == len(best.placements())

    # service/cache: the answer is kept under what it depends on; one flight per answer.
    store = MemoryStore(1 << 20)
    fly = SingleFlight[object]()
    first, shared = fly.do("key", lambda: answer(request, lexicon, store, dump_analysis))
    assert not shared
    assert len(store) == 2, "the answer and the loaded board"
    assert answer(request, lexicon, store, dump_analysis).stored

    # service/schemas/answers.py: back to bytes, in the documented shape, the same as by HTTP.
    body = dump_analysis(analysis)
    assert first.body == body  # type: ignore[attr-defined]
    response = app.test_client().post("/analyze", data=BODY, content_type="application/json")
    assert response.data == body
    AnalysisShape().load(response.get_json())
