"""The request of /analyze: a position and the options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import (
    AUTO,
    EVALUATORS,
    GENERATOR_NAMES,
    PHASES,
    SORTS,
    AnalysisOptions,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
)
from service.schemas.fields import (
    Boolean,
    Integer,
    List,
    Nested,
    RequestSchema,
    String,
    one_of,
)
from service.schemas.position import MAX_MOVE, PositionQuerySchema, PositionRequestSchema
from service.schemas.searches import EndgameOptionsSchema, PreendgameOptionsSchema, SimulationOptionsSchema

if TYPE_CHECKING:
    from collections.abc import Mapping


class ListingSchema(RequestSchema):
    """Which moves to list, and in what order."""

    top_n = Integer(
        1,
        10_000,
        setting="max_top_n",
        load_default=10,
        metadata={"description": "moves listed, best first (at most 200 by default)", "example": 5},
    )
    sort = String(
        10,
        validate=[one_of(*SORTS)],
        load_default="score",
        metadata={"description": "by what moves are ranked; those that a search ranks come first"},
    )
    include_exchanges = Boolean(
        load_default=False, metadata={"description": "list exchanges and the pass too"}
    )
    generator = String(
        32,
        validate=[one_of(*GENERATOR_NAMES)],
        load_default="internal_words",
        metadata={"description": "move generator"},
    )
    evaluator = String(
        16,
        validate=[one_of(*EVALUATORS)],
        load_default="auto",
        metadata={
            "description": "evaluator; auto is static if a leave table serves the lexicon, else heuri6"
        },
    )
    expect_bingos = Boolean(
        load_default=False,
        metadata={"description": "give every move its bingo expectation, with any evaluator"},
    )
    compare = List(
        String(MAX_MOVE, min_length=1),
        1_000,
        setting="max_compare",
        load_default=list,
        metadata={"description": "moves to rank even if they are not among the best (at most 50 by default)"},
    )


class AnalyzeRequestSchema(PositionRequestSchema, ListingSchema):
    """The body of POST /analyze."""

    simulate = Nested(
        SimulationOptionsSchema,
        metadata={"description": "compare the best moves by simulation; they come before all others"},
    )
    preendgame = Nested(
        PreendgameOptionsSchema,
        metadata={"description": "find the move that wins most often over all draws of the last tiles"},
    )
    endgame = Nested(
        EndgameOptionsSchema, metadata={"description": "solve the endgame: bag empty, both racks known"}
    )
    phase = String(
        16,
        validate=[one_of(AUTO, *PHASES)],
        metadata={
            "description": "which search: auto chooses by the number of tiles in the bag, with the options "
            "of `simulate`, `preendgame` and `endgame`; without `phase` the search whose options are given"
        },
    )
    threads = Integer(
        1,
        256,
        setting="max_search_threads",
        load_default=1,
        metadata={
            "description": "threads of a simulation; the answer is the same with any number (at most 4 by "
            "default)"
        },
    )
    seed = Integer(0, 2**63 - 1, load_default=1, metadata={"description": "of the random numbers"})
    max_ms = Integer(
        1, 60_000, load_default=10_000, metadata={"description": "milliseconds after which a search stops"}
    )


class AnalyzeQuerySchema(PositionQuerySchema, ListingSchema):
    """The query of GET /analyze: a position as CGP, and which moves to list."""


def read_options(data: Mapping[str, Any]) -> AnalysisOptions:
    """Make the engine's options out of a loaded request.

    Raises InvalidInput for a plan of simulation that does not fit its method.
    """
    simulate, preendgame, endgame = data.get("simulate"), data.get("preendgame"), data.get("endgame")
    options = AnalysisOptions(
        top_n=data["top_n"],
        sort=data["sort"],
        include_exchanges=data["include_exchanges"],
        generator=data["generator"],
        evaluator=data["evaluator"],
        expect_bingos=data["expect_bingos"],
        compare=tuple(data["compare"]),
        simulate=None if simulate is None else SimulationPlan.preset(**simulate),
        preendgame=None if preendgame is None else PreendgamePlan(**preendgame),
        endgame=None if endgame is None else EndgamePlan(**endgame),
        phase=data.get("phase"),
    )
    if not options.is_heavy:
        return options  # nothing depends on the rest, not even the key of the answer
    return replace(options, seed=data["seed"], max_ms=data["max_ms"], threads=data["threads"])
