"""The request of /analyze: a position and the options of the analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import (
    AUTO,
    DEFAULT_LANGUAGE,
    EVALUATORS,
    LANGUAGES,
    PHASES,
    SORTS,
    AnalysisOptions,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
)
from service.schemas.fields import Boolean, Choice, Integer, List, Nested, RequestSchema, String
from service.schemas.position import MAX_MOVE, PositionQuerySchema, PositionRequestSchema
from service.schemas.searches import EndgameOptionsSchema, PreendgameOptionsSchema, SimulationOptionsSchema

if TYPE_CHECKING:
    from collections.abc import Mapping


class ListingSchema(RequestSchema):
    """Which moves to list, and in what order."""

    top_n = Integer(
        1,
        10_000,
        "number of moves listed, best first (at most 200 unless the server allows more)",
        setting="max_top_n",
        load_default=10,
        example=5,
    )
    offset = Integer(
        0,
        1_000_000,
        "number of the best moves to leave out: further requests list the next ones. Not with a search or an "
        "explanation",
        load_default=0,
    )
    sort = Choice(
        SORTS, "what moves are ranked by; moves that a search ranked come first", load_default="score"
    )
    include_exchanges = Boolean("true to list exchanges and the pass too", load_default=False)
    evaluator = Choice(
        EVALUATORS,
        "evaluator; auto is heuri6 in the simulations heuri_samp and heuri_sim, else static if the lexicon "
        "or its tile set has a leave table, otherwise heuri6. With pass=literal a pass with seven tiles is "
        "valued by Heuri's formula, with pass=never (the default) at 0",
        load_default="auto",
    )
    expect_bingos = Boolean(
        "true to give every move its bingo expectation, with any evaluator", load_default=False
    )
    compare = List(
        String(MAX_MOVE, min_length=1),
        1_000,
        "moves to rank even if they are not among the best (at most 50 unless the server allows more)",
        setting="max_compare",
        load_default=list,
    )
    explain = Boolean(
        "true to explain the best move beside those of `compare`, or else beside the second best",
        load_default=False,
    )
    lang = Choice(
        LANGUAGES,
        "language of explanations, of warnings, and of what is said about illegal moves of compare; default: "
        "the best one of Accept-Language, else English",
    )


class AnalyzeRequestSchema(PositionRequestSchema, ListingSchema):
    """The body of POST /analyze."""

    simulate = Nested(
        SimulationOptionsSchema, "compare the best moves by simulation; they come before all others"
    )
    preendgame = Nested(
        PreendgameOptionsSchema, "find the move that wins most often over all draws of the last tiles"
    )
    endgame = Nested(EndgameOptionsSchema, "solve the endgame; the bag must be empty and both racks known")
    phase = Choice(
        (AUTO, *PHASES),
        "which search to run. auto chooses by the number of tiles in the bag, with the options of "
        "`simulate`, `preendgame` and `endgame`. Without `phase`, the search whose options are given",
    )
    threads = Integer(
        1,
        256,
        "threads of a simulation; the answer does not depend on it (at most 4 unless the server allows more)",
        setting="max_search_threads",
        load_default=1,
    )
    seed = Integer(0, 2**63 - 1, "seed of the random numbers", load_default=1)
    max_ms = Integer(
        1, 60_000, "milliseconds after which a search or an explanation stops", load_default=10_000
    )


class AnalyzeQuerySchema(PositionQuerySchema, ListingSchema):
    """The query of GET /analyze: a position as CGP, and which moves to list."""


def has_sentences_of_its_own(options: AnalysisOptions) -> bool:
    """Return whether an answer may have sentences beside the warnings about the position of its request.

    It explains moves, says why a compared one is illegal, or warns that an opponent model infers nothing.
    """
    models = options.simulate is not None and options.simulate.opponent_model != "off"
    return options.explain or bool(options.compare) or models


def read_options(data: Mapping[str, Any]) -> AnalysisOptions:
    """Return the engine's options for a loaded request.

    Raises InvalidInput for options of a simulation that do not fit its method.
    """
    simulate, preendgame, endgame = data.get("simulate"), data.get("preendgame"), data.get("endgame")
    options = AnalysisOptions(
        top_n=data["top_n"],
        offset=data["offset"],
        sort=data["sort"],
        include_exchanges=data["include_exchanges"],
        evaluator=data["evaluator"],
        expect_bingos=data["expect_bingos"],
        compare=tuple(data["compare"]),
        simulate=None if simulate is None else SimulationPlan.preset(**simulate),
        preendgame=None if preendgame is None else PreendgamePlan(**preendgame),
        endgame=None if endgame is None else EndgamePlan(**endgame),
        phase=data.get("phase"),
    )
    # Only with what changes the answer, so that requests that mean the same share a cache key.
    if data["explain"]:
        options = replace(
            options, explain=True, seed=data.get("seed", options.seed), max_ms=data.get("max_ms")
        )
    if has_sentences_of_its_own(options):
        options = replace(options, lang=data.get("lang", DEFAULT_LANGUAGE))
    if not options.is_search:
        return options
    return replace(options, seed=data["seed"], max_ms=data["max_ms"], threads=data["threads"])
