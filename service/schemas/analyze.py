"""The request of /analyze: a position and the options."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import marshmallow as ma

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
from service.schemas.fields import Boolean, Integer, Items, Part, Strict, Text, one_of
from service.schemas.position import LONGEST_CGP, LONGEST_ID, LONGEST_RACK, PositionFields
from service.schemas.searches import EndgameFields, PreendgameFields, SimulateFields
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Mapping


LONGEST_MOVE = 100

# Of the documentation of the query; the tests run it.
EXAMPLE_CGP = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0"


class Options(Strict):
    """Which moves to list, and in what order."""

    top_n = Integer(
        1,
        10_000,
        load_default=10,
        metadata={"description": "moves listed, best first (at most 200 by default)", "example": 5},
    )
    sort = Text(
        10,
        validate=[one_of(*SORTS)],
        load_default="score",
        metadata={"description": "what best means; the moves that a search ranks stand before the others"},
    )
    include_exchanges = Boolean(load_default=False, metadata={"description": "list exchanges and the pass too"})
    generator = Text(
        32,
        validate=[one_of(*GENERATOR_NAMES)],
        load_default="internal_words",
        metadata={"description": "move generator"},
    )
    evaluator = Text(
        16,
        validate=[one_of(*EVALUATORS)],
        load_default="auto",
        metadata={
            "description": "evaluator; auto is static if a leave table serves the lexicon, else heuri6"
        },
    )
    expect_bingos = Boolean(
        load_default=False,
        metadata={"description": "give every move its bingo expectation, whatever the evaluator"},
    )
    compare = Items(
        Text(LONGEST_MOVE, shortest=1),
        1_000,
        load_default=list,
        metadata={"description": "moves to rank even if they are not among the best (at most 50 by default)"},
    )

    @ma.validates_schema
    def _within_limits(self, data: dict[str, Any], **_: Any) -> None:
        settings = state().settings
        if data["top_n"] > settings.max_top_n:
            raise ma.ValidationError(f"out_of_range: must be from 1 to {settings.max_top_n}", "top_n")
        if len(data["compare"]) > settings.max_compare:
            raise ma.ValidationError(
                f"out_of_range: must have at most {settings.max_compare} items", "compare"
            )


class AnalyzeBody(PositionFields, Options):
    """The body of POST /analyze."""

    simulate = Part(
        SimulateFields,
        metadata={"description": "compare the best moves by simulation; they stand before all others"},
    )
    preendgame = Part(
        PreendgameFields,
        metadata={"description": "which move wins most often, over every draw of the last tiles"},
    )
    endgame = Part(EndgameFields, metadata={"description": "solve the endgame: bag empty, both racks known"})
    phase = Text(
        16,
        validate=[one_of(AUTO, *PHASES)],
        metadata={
            "description": "which search: auto takes the one that the tiles in the bag call for, and "
            "`simulate`, `preendgame`, `endgame` beside it say how; without it the one that is given"
        },
    )
    threads = Integer(
        1,
        256,
        load_default=1,
        metadata={"description": "of a simulation; the answer is the same (at most 4 by default)"},
    )
    seed = Integer(0, 2**63 - 1, load_default=1, metadata={"description": "of the random numbers"})
    max_ms = Integer(
        1, 60_000, load_default=10_000, metadata={"description": "milliseconds; only cuts a search short"}
    )

    @ma.validates_schema
    def _within_resources(self, data: dict[str, Any], **_: Any) -> None:
        settings = state().settings
        if data["threads"] > settings.max_search_threads:
            raise ma.ValidationError(
                f"out_of_range: must be from 1 to {settings.max_search_threads}", "threads"
            )
        for name in ("endgame", "preendgame"):
            if data.get(name, {}).get("table_mb", 1) > settings.max_table_mb:
                raise ma.ValidationError(
                    {name: {"table_mb": [f"out_of_range: must be from 1 to {settings.max_table_mb}"]}}
                )


class AnalyzeQuery(Options):
    """The query of GET /analyze: the same options, with a position as CGP."""

    cgp = Text(
        LONGEST_CGP,
        shortest=1,
        required=True,
        metadata={"description": "the position as a CGP string", "example": EXAMPLE_CGP},
    )
    rack = Text(LONGEST_RACK, metadata={"description": "rack of the player on turn, instead of the CGP's"})
    zero_turns = Integer(
        0, 99, metadata={"description": "consecutive turns without points, instead of the CGP's"}
    )
    lexicon = Text(LONGEST_ID, shortest=1, metadata={"description": "id of a lexicon, instead of the CGP's"})
    board = Text(LONGEST_ID, metadata={"description": "id of a board, instead of the CGP's"})
    tile_set = Text(LONGEST_ID, metadata={"description": "id of a tile set, instead of the CGP's"})
    rules = Text(LONGEST_ID, metadata={"description": "id of a rule set"})


@lru_cache(maxsize=64)
def _plain_options(
    top_n: int,
    sort: str,
    include_exchanges: bool,
    generator: str,
    evaluator: str,
    expect_bingos: bool,
) -> AnalysisOptions:
    """Return options without a search; most requests are of very few kinds."""
    return AnalysisOptions(top_n, sort, include_exchanges, generator, evaluator, expect_bingos)


def read_options(data: Mapping[str, Any]) -> AnalysisOptions:
    """Make the engine's options out of a loaded request.

    Raises InvalidInput for a plan of simulation that does not fit its method.
    """
    simulate = data.get("simulate")
    plan = None if simulate is None else SimulationPlan.preset(**simulate)
    endgame = data.get("endgame")
    solving = None if endgame is None else EndgamePlan(**endgame)
    preendgame = data.get("preendgame")
    presolving = None if preendgame is None else PreendgamePlan(**preendgame)
    phase = data.get("phase")
    plain = _plain_options(
        data["top_n"], data["sort"], data["include_exchanges"], data["generator"], data["evaluator"],
        data["expect_bingos"],
    )  # fmt: skip
    compare = tuple(data["compare"])
    if (plan, presolving, solving, phase) == (None, None, None, None):
        # What is said of searches changes nothing then, not even the name of the answer.
        return replace(plain, compare=compare) if compare else plain
    return replace(
        plain,
        compare=compare,
        simulate=plan,
        preendgame=presolving,
        endgame=solving,
        phase=phase,
        seed=data["seed"],
        max_ms=data["max_ms"],
        threads=data["threads"],
    )
