"""The request of /analyze: a position and the options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma
from flask import current_app

from engine import (
    AUTO,
    ENDGAME_METHODS,
    EVALUATORS,
    GENERATOR_NAMES,
    OPPONENT_MODELS,
    PHASES,
    PREENDGAME_OPPONENTS,
    SIMULATIONS,
    SORTS,
    AnalysisOptions,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
)
from service.schemas.fields import Flag, Items, Part, Strict, Text, Whole, one_of
from service.schemas.position import LONGEST_CGP, LONGEST_ID, LONGEST_RACK, PositionFields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.settings import Settings

LONGEST_MOVE = 100

# Of the documentation of the query; the tests run it.
EXAMPLE_CGP = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0"


class Options(Strict):
    """Which moves to list, and in what order."""

    top_n = Whole(
        1,
        10_000,
        load_default=10,
        metadata={"description": "moves listed, best first (at most 200 by default)", "example": 5},
    )
    sort = Text(
        10, validate=[one_of(*SORTS)], load_default="score", metadata={"description": "what best means"}
    )
    include_exchanges = Flag(load_default=False, metadata={"description": "list exchanges and the pass too"})
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
    expect_bingos = Flag(
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
        settings: Settings = current_app.config["SETTINGS"]
        if data["top_n"] > settings.max_top_n:
            raise ma.ValidationError(f"out_of_range: must be from 1 to {settings.max_top_n}", "top_n")
        if len(data["compare"]) > settings.max_compare:
            raise ma.ValidationError(
                f"out_of_range: must have at most {settings.max_compare} items", "compare"
            )


class SimulateFields(Strict):
    """How to simulate; what is left out is as the method has it."""

    method = Text(
        16,
        validate=[one_of(*SIMULATIONS)],
        load_default="monte_carlo",
        metadata={"description": "monte_carlo drops what is worse; the others give all the same iterations"},
    )
    iterations = Whole(1, 200_000, metadata={"description": "rollouts of all candidates together"})
    plies = Whole(0, 10, metadata={"description": "turns after the candidate"})
    candidates = Whole(1, 100, metadata={"description": "how many of the best moves are compared"})
    opponent_model = Text(
        8,
        validate=[one_of(*OPPONENT_MODELS)],
        metadata={"description": "what the opponent's last move says of the rack: off, seed or bayes"},
    )


class EndgameFields(Strict):
    """How to solve an endgame."""

    method = Text(
        8,
        validate=[one_of(*ENDGAME_METHODS)],
        load_default=ENDGAME_METHODS[0],
        metadata={"description": "exact proves; bstar and plans are slow, to compare with"},
    )
    nodes = Whole(1, 1_000_000_000, metadata={"description": "positions searched at most"})
    table_mb = Whole(
        1,
        65_536,
        metadata={"description": "megabytes of the table of positions (64; at most 256 by default)"},
    )


class PreendgameFields(Strict):
    """How to search before the endgame."""

    bag = Whole(
        1,
        6,
        metadata={
            "description": "most tiles in the bag: with phase auto more of them are simulated (default 1), "
            "else they are refused (default 6)"
        },
    )
    opponent = Text(
        16,
        validate=[one_of(*PREENDGAME_OPPONENTS)],
        metadata={
            "description": "rational sees its own rack, takes what wins most often for it; pessimistic and "
            "guaranteed see everything; under guaranteed we do not see what it draws"
        },
    )
    candidates = Whole(1, 1_000, metadata={"description": "how many of the best moves are looked at (40)"})
    draws = Whole(
        2, 10_000, metadata={"description": "draws sampled with more than two tiles in the bag (200)"}
    )
    nodes = Whole(1, 1_000_000_000, metadata={"description": "positions of endgames searched at most"})
    table_mb = Whole(
        1,
        65_536,
        metadata={"description": "megabytes of the endgames' table (16; at most 256 by default)"},
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
    threads = Whole(
        1,
        256,
        load_default=1,
        metadata={"description": "of a simulation; the answer is the same (at most 4 by default)"},
    )
    seed = Whole(0, 2**63 - 1, load_default=1, metadata={"description": "of the random numbers"})
    max_ms = Whole(
        1, 60_000, load_default=10_000, metadata={"description": "milliseconds; only cuts a search short"}
    )

    @ma.validates_schema
    def _within_resources(self, data: dict[str, Any], **_: Any) -> None:
        settings: Settings = current_app.config["SETTINGS"]
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
    zero_turns = Whole(
        0, 99, metadata={"description": "consecutive turns without points, instead of the CGP's"}
    )
    lexicon = Text(LONGEST_ID, shortest=1, metadata={"description": "id of a lexicon, instead of the CGP's"})
    board = Text(LONGEST_ID, metadata={"description": "id of a board, instead of the CGP's"})
    tile_set = Text(LONGEST_ID, metadata={"description": "id of a tile set, instead of the CGP's"})
    rules = Text(LONGEST_ID, metadata={"description": "id of a rule set"})


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
    searches = any(part is not None for part in (plan, presolving, solving, phase))
    return AnalysisOptions(
        top_n=data["top_n"],
        sort=data["sort"],
        include_exchanges=data["include_exchanges"],
        generator=data["generator"],
        evaluator=data["evaluator"],
        expect_bingos=data["expect_bingos"],
        compare=tuple(data["compare"]),
        simulate=plan,
        preendgame=presolving,
        endgame=solving,
        phase=phase,
        # Without a search they change nothing, not even the name of the answer.
        seed=data["seed"] if searches else 1,
        max_ms=data["max_ms"] if searches else None,
        threads=data["threads"] if searches else 1,
    )
