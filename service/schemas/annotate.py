"""The request of /games/annotate: a game record, and how to annotate it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma

from engine import (
    DEFAULT_LANGUAGE,
    ENDGAME_NODES,
    EVALUATORS,
    KNOWN_RARITY,
    LANGUAGES,
    MAX_KNOWN_RARITY,
    SIMULATIONS,
    AnnotationOptions,
    Text,
    annotation_simulation,
)
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Boolean, Choice, Integer, MultilineString, Nested, RequestSchema, String
from service.schemas.position import MAX_ID
from service.schemas.searches import SimulationOptionsSchema

if TYPE_CHECKING:
    from collections.abc import Mapping


MAX_RECORD: Final = 250_000
"""Characters of a record: with its line breaks escaped it fits a body of 256 KiB."""


class Record(MultilineString):
    """Take a game record as a text, or as the bytes of a file, which declares its encoding."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return value if isinstance(value, bytes) else super()._deserialize(value, attr, data, **kwargs)


class _OptionsSchema(RequestSchema):
    """How to annotate a record."""

    lexicon = String(
        MAX_ID,
        "id of a lexicon; default: the one that the record names, if it is installed, else that of the "
        "server or another one with the tiles of the record",
        min_length=1,
    )
    evaluator = Choice(EVALUATORS, "evaluator that decides which move is best", load_default="auto")
    endgame_nodes = Integer(
        0,
        20_000,
        "most positions searched for each turn with an empty bag; 0: estimate without a search",
        load_default=ENDGAME_NODES,
    )
    seconds = Integer(
        1,
        600,
        "time limit for the whole game. Every turn gets a share: it is simulated, or near the end of the "
        "game searched, until it is decided or its share has passed. An annotation that takes longer than "
        "the server lets a request take is a job. Default: no limit, but that of iterations and nodes",
    )
    rarity = Integer(
        1,
        MAX_KNOWN_RARITY,
        "players are taken to know the words that are formed at least once in so many games of the computer "
        "with itself; losses are split by them into `words_loss` and `choice_loss`",
        load_default=KNOWN_RARITY,
    )
    seed = Integer(0, 2**63 - 1, "seed of the random numbers", load_default=1)
    explain = Boolean(
        "true to explain every turn whose move is not the best, and to add the luck of every draw",
        load_default=False,
    )
    lang = Choice(
        LANGUAGES,
        "language of explanations, warnings and faults, of the notes in a record and of the page; default: "
        "the best one of Accept-Language, else English",
    )


class AnnotateRequestSchema(_OptionsSchema):
    """The body of POST /games/annotate."""

    gcg = Record(MAX_RECORD, "a game record as GCG", min_length=1, required=True)
    simulate = Nested(
        SimulationOptionsSchema,
        "compare the move played and the best moves by simulation while the bag has tiles. Default: 10 "
        "candidates and 2,000 iterations a turn; a much longer simulation becomes a job",
    )


class AnnotateQuerySchema(_OptionsSchema):
    """The query of POST /games/annotate with a record as text/plain: the options of the body, flat."""

    simulate = Choice(SIMULATIONS, "compare moves by simulation with this method")
    iterations = Integer(1, 200_000, "rollouts of the simulation of a turn")
    candidates = Integer(1, 100, "number of moves of a turn that are simulated")

    @ma.validates_schema
    def _simulated(self, data: dict[str, Any], **_: Any) -> None:
        for name in ("iterations", "candidates"):
            if name in data and "simulate" not in data:
                raise ma.ValidationError(ErrorMessage("missing_field", Text("needs simulate")), name)


def options_of_query(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a loaded query as the body has them."""
    options = dict(query)
    plan = {name: options.pop(name) for name in ("iterations", "candidates") if name in options}
    if "simulate" in options:
        options["simulate"] = {"method": options["simulate"], **plan}
    return options


def read_annotation_options(data: Mapping[str, Any]) -> AnnotationOptions:
    """Make the engine's options out of a loaded request.

    Raises InvalidInput for a plan of simulation that does not fit its method.
    """
    simulate = data.get("simulate")
    plan, seconds = None if simulate is None else annotation_simulation(**simulate), data.get("seconds")
    # Only with what changes the result, so that requests that mean the same share it.
    options = AnnotationOptions(
        data["evaluator"],
        data["endgame_nodes"],
        plan,
        seed=data["seed"] if plan or seconds or data["explain"] else 1,
        explain=data["explain"],
        lang=data.get("lang", DEFAULT_LANGUAGE),
        rarity=data["rarity"],
    )
    return options.within(seconds)
