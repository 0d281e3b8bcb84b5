"""The requests of /words/judge and of word searches."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES, PENALTIES_PER, USES, Text
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Choice, Integer, List, RequestSchema, String
from service.schemas.position import MAX_MOVE, WAYS, PositionRequestSchema
from service.settings import MAX_WORDS

MAX_WORD = 128
MAX_FOUND = 500


class JudgementRequestSchema(PositionRequestSchema):
    """The body of POST /words/judge: words, or a play and its position."""

    words = List(
        String(MAX_WORD, min_length=1),
        MAX_WORDS,
        "the challenged words, in any case (at most 20 unless the server allows more)",
        min_length=1,
        setting="max_words",
    )
    play = String(
        MAX_MOVE, "instead of words, a play such as 8D RE.sINA: all words that it forms", min_length=1
    )
    challenge_rule = Choice(CHALLENGE_RULES, "the rule in force; default: the one of `rules`")
    penalty_per = Choice(
        PENALTIES_PER,
        "what 5pt and 10pt count by: the play, or each word judged; default: that of the rules",
    )

    def check_position(self, data: dict[str, Any]) -> None:
        """Raise ValidationError unless there are words without a position, or a play with one."""
        if ("words" in data) == ("play" in data):
            raise ma.ValidationError(
                ErrorMessage("one_of_words_and_play", Text("give either words or a play on a board"))
            )
        if "play" in data:
            super().check_position(data)
            return
        beside = [name for name in _ONLY_WITH_A_PLAY if name in data]
        if beside:
            message = ErrorMessage("needs_a_play", Text("needs play: words are judged without a position"))
            raise ma.ValidationError({name: [message] for name in beside})


_ONLY_WITH_A_PLAY = (*WAYS, "turn", "rack", "players", "zero_turns", "board", "tile_set")


class WordSearchSchema(RequestSchema):
    """Which words to find: those that satisfy every field given. The body or the query of a search."""

    pattern = String(
        MAX_WORD,
        "letters, ? for any one tile, * for any number of tiles, [CH] one tile",
        min_length=1,
        example="?A*E",
    )
    tiles = String(MAX_WORD, "tiles that form the words; ? is a blank", min_length=1, example="AEINRS?")
    use = Choice(
        USES, "whether a word uses all tiles (anagrams) or some of them", load_default="all", example="some"
    )
    min_length = Integer(2, 26, "least length in tiles", load_default=2)
    max_length = Integer(2, 26, "greatest length in tiles", load_default=26)
    limit = Integer(1, MAX_FOUND, "most words in one answer", load_default=100, example=10)
    cursor = String(64, "cursor of the previous answer to the same search")
