"""The requests of /words/judge and of the search of a lexicon."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES, PENALTIES_PER, USES
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Integer, List, RequestSchema, String, one_of
from service.schemas.position import MAX_MOVE, WAYS, PositionRequestSchema
from service.settings import MAX_WORDS

MAX_WORD = 128
MAX_FOUND = 500


class JudgementRequestSchema(PositionRequestSchema):
    """The body of POST /words/judge: words, or a play with the position that it is made in."""

    words = List(
        String(MAX_WORD, min_length=1),
        MAX_WORDS,
        min_length=1,
        setting="max_words",
        metadata={"description": "the words challenged, in any case (at most 20 by default)"},
    )
    play = String(
        MAX_MOVE,
        min_length=1,
        metadata={"description": "instead of words, a play such as 8D RE.sINA: all words that it makes"},
    )
    challenge_rule = String(
        10,
        validate=[one_of(*CHALLENGE_RULES)],
        metadata={"description": "the rule in force; by default that of rules"},
    )
    penalty_per = String(
        10,
        validate=[one_of(*PENALTIES_PER)],
        load_default="play",
        metadata={"description": "what 5pt and 10pt count by: the play, or each word judged"},
    )

    def check_position(self, data: dict[str, Any]) -> None:
        """Raise ValidationError unless there are words without a position, or a play with one."""
        if ("words" in data) == ("play" in data):
            raise ma.ValidationError(
                ErrorMessage("one_of_words_and_play", "give either words or a play on a board")
            )
        if "play" in data:
            super().check_position(data)
            return
        beside = [name for name in _ONLY_WITH_A_PLAY if name in data]
        if beside:
            message = ErrorMessage("needs_a_play", "words are judged without a position")
            raise ma.ValidationError({name: [message] for name in beside})


_ONLY_WITH_A_PLAY = (*WAYS, "turn", "rack", "players", "zero_turns", "board", "tile_set")


class WordSearchSchema(RequestSchema):
    """Which words are wanted: those that fit all that is given. The body, or the query, of a search."""

    pattern = String(
        MAX_WORD,
        min_length=1,
        metadata={
            "description": "letters, ? for any one tile, * for any number of them, [CH] one tile",
            "example": "?A*E",
        },
    )
    tiles = String(
        MAX_WORD,
        min_length=1,
        metadata={"description": "tiles that make the words; ? is a blank", "example": "AEINRS?"},
    )
    use = String(
        10,
        validate=[one_of(*USES)],
        load_default="all",
        metadata={
            "description": "whether a word takes all tiles (anagrams) or some of them",
            "example": "some",
        },
    )
    min_length = Integer(2, 26, load_default=2, metadata={"description": "least length in tiles"})
    max_length = Integer(2, 26, load_default=26, metadata={"description": "greatest length in tiles"})
    limit = Integer(
        1, MAX_FOUND, load_default=100, metadata={"description": "words in one answer", "example": 10}
    )
    cursor = String(64, metadata={"description": "cursor of the previous answer to the same search"})
