"""Analyze a position with a client of openapi-python-client; print the best move and its score."""

import sys

from kibitz_client import Client
from kibitz_client.api.analyze import analyze, analyze_cgp
from kibitz_client.api.annotate import annotate_game
from kibitz_client.models import Analysis, AnalyzeRequest, AnnotateRequest, Annotation, Problem

address, cgp, gcg = sys.argv[1:]
client = Client(base_url=address)

found = analyze.sync(client=client, body=AnalyzeRequest(cgp=cgp, top_n=3))
assert isinstance(found, Analysis), found
score: int = found.moves[0].score
assert found == analyze_cgp.sync(client=client, cgp=cgp, top_n=3)

wrong = analyze.sync(client=client, body=AnalyzeRequest(cgp=cgp, top_n=0))
assert isinstance(wrong, Problem), wrong
limit = wrong.errors[0].params["max"]
assert limit == 200, limit

game = annotate_game.sync(client=client, body=AnnotateRequest(gcg=gcg, endgame_nodes=0))
assert isinstance(game, Annotation), game
assert game.turns[0].number == 1

print(found.moves[0].move, score)
