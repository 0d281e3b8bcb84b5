"""The options of searches: simulation, endgame and pre-endgame."""

from __future__ import annotations

from engine import (
    ENDGAME_METHODS,
    OPPONENT_MODELS,
    PREENDGAME_NODES,
    PREENDGAME_OPPONENTS,
    PREENDGAME_SAMPLE_NODES,
    SIMULATIONS,
)
from service.schemas.fields import Integer, RequestSchema, String, one_of


class SimulationOptionsSchema(RequestSchema):
    """How to simulate; the defaults depend on the method."""

    method = String(
        16,
        validate=[one_of(*SIMULATIONS)],
        load_default="monte_carlo",
        metadata={
            "description": "monte_carlo drops worse candidates early; the others give all the same number of "
            "iterations"
        },
    )
    iterations = Integer(1, 200_000, metadata={"description": "rollouts of all candidates together"})
    plies = Integer(0, 10, metadata={"description": "turns after the candidate"})
    candidates = Integer(1, 100, metadata={"description": "how many of the best moves are compared"})
    opponent_model = String(
        8,
        validate=[one_of(*OPPONENT_MODELS)],
        metadata={"description": "what the opponent's last move says of the rack: off, seed or bayes"},
    )


class EndgameOptionsSchema(RequestSchema):
    """How to solve an endgame."""

    method = String(
        8,
        validate=[one_of(*ENDGAME_METHODS)],
        load_default=ENDGAME_METHODS[0],
        metadata={"description": "exact proves; bstar and plans are slow, to compare with"},
    )
    nodes = Integer(1, 1_000_000_000, metadata={"description": "positions searched at most"})
    table_mb = Integer(
        1,
        65_536,
        setting="max_table_mb",
        metadata={"description": "megabytes of the table of positions (64; at most 256 by default)"},
    )


class PreendgameOptionsSchema(RequestSchema):
    """How to search before the endgame."""

    bag = Integer(
        1,
        6,
        metadata={
            "description": "most tiles in the bag: with phase auto more of them are simulated (default 1), "
            "else they are refused (default 6)"
        },
    )
    opponent = String(
        16,
        validate=[one_of(*PREENDGAME_OPPONENTS)],
        metadata={
            "description": "rational sees its own rack, takes what wins most often for it; pessimistic and "
            "guaranteed see everything; under guaranteed we do not see what it draws; with more than two "
            "tiles in the bag all are static, and the answer says so"
        },
    )
    candidates = Integer(1, 1_000, metadata={"description": "how many of the best moves are searched (40)"})
    draws = Integer(
        2, 10_000, metadata={"description": "draws sampled with more than two tiles in the bag (200)"}
    )
    nodes = Integer(
        1,
        1_000_000_000,
        metadata={
            "description": "positions of endgames searched at most; by default what takes about a second: "
            f"{PREENDGAME_NODES}, with more than two tiles in the bag {PREENDGAME_SAMPLE_NODES}, half of it "
            "for each blank that is not on the board. More prove more, but need a greater "
            "max_ms or a job"
        },
    )
    table_mb = Integer(
        1,
        65_536,
        setting="max_table_mb",
        metadata={"description": "megabytes of the endgames' table (16; at most 256 by default)"},
    )
