"""The options of searches: simulation, endgame and pre-endgame."""

from __future__ import annotations

from engine import (
    ONE_TILE_NODES,
    OPPONENT_MODELS,
    PREENDGAME_NODES,
    PREENDGAME_OPPONENTS,
    PREENDGAME_SAMPLE_NODES,
    SIMULATIONS,
)
from service.schemas.fields import Boolean, Choice, Integer, RequestSchema

MAX_NODES = 1_000_000_000
MAX_TABLE_MB = 65_536


class SimulationOptionsSchema(RequestSchema):
    """How to simulate; the defaults depend on the method."""

    method = Choice(
        SIMULATIONS,
        "monte_carlo drops worse candidates early; the other methods give each the same iterations",
        load_default="monte_carlo",
    )
    iterations = Integer(1, 200_000, "rollouts, all candidates together")
    plies = Integer(0, 10, "turns after the candidate")
    candidates = Integer(1, 100, "number of moves compared, the best ones")
    opponent_model = Choice(
        OPPONENT_MODELS, "how the opponent's last move changes the guess of the rack: off, seed or bayes"
    )
    reply_squares = Boolean("true to report on which squares the opponent's next moves lay tiles")


class EndgameOptionsSchema(RequestSchema):
    """How to solve an endgame."""

    nodes = Integer(1, MAX_NODES, "most positions searched")
    table_mb = Integer(
        1,
        MAX_TABLE_MB,
        "megabytes of the table of positions (default 64; at most 256 unless the server allows more)",
        setting="max_table_mb",
    )


class PreendgameOptionsSchema(RequestSchema):
    """How to search a pre-endgame."""

    bag = Integer(
        1,
        6,
        "most tiles in the bag. With phase auto, a position with more is simulated (default 4); otherwise it "
        "is an error (default 6)",
    )
    opponent = Choice(
        PREENDGAME_OPPONENTS,
        "model of the opponent. rational sees only its own rack and plays what wins most often; pessimistic "
        "and guaranteed see all tiles; with guaranteed we do not see what we draw. With more than two tiles "
        "in the bag every model is static, and the answer says so",
    )
    candidates = Integer(
        1,
        1_000,
        "number of moves searched, the best ones (default: every play with one tile in the bag, else 40)",
    )
    draws = Integer(2, 10_000, "draws sampled with more than two tiles in the bag (default 200)")
    nodes = Integer(
        1,
        MAX_NODES,
        f"most endgame positions searched. Default: {ONE_TILE_NODES} with one tile in the bag; with two "
        f"{PREENDGAME_NODES} and with more {PREENDGAME_SAMPLE_NODES}, halved for each blank not on the "
        "board. They take one to three seconds. More nodes prove more, but need a greater max_ms or a job",
    )
    table_mb = Integer(
        1,
        MAX_TABLE_MB,
        "megabytes of the table of endgame positions (default 16; at most 256 unless the server allows more)",
        setting="max_table_mb",
    )
