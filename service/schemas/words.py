"""The requests of /words/judge and of the search of a lexicon."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES, PENALTIES_PER, USES
from service.schemas.analyze import LONGEST_MOVE
from service.schemas.fields import Integer, Items, Strict, Text, one_of
from service.schemas.position import WAYS, PositionFields
from service.state import state

LONGEST_WORD = 128
MOST_FOUND = 500


class JudgeBody(PositionFields):
    """The body of POST /words/judge: words, or a play with the position that it is made in."""

    words = Items(
        Text(LONGEST_WORD, shortest=1),
        400,
        shortest=1,
        metadata={"description": "the words challenged, in any case (at most 20 by default)"},
    )
    play = Text(
        LONGEST_MOVE,
        shortest=1,
        metadata={"description": "instead of words, a play such as 8D RE.sINA: all words that it makes"},
    )
    challenge_rule = Text(
        10,
        validate=[one_of(*CHALLENGE_RULES)],
        metadata={"description": "the rule in force; by default that of rules"},
    )
    penalty_per = Text(
        10,
        validate=[one_of(*PENALTIES_PER)],
        load_default="play",
        metadata={"description": "what 5pt and 10pt count by: the play, or each word judged"},
    )

    def _check_way(self, data: dict[str, Any]) -> None:
        if ("words" in data) == ("play" in data):
            raise ma.ValidationError("one_of_words_and_play: give either words or a play on a board")
        if "play" in data:
            super()._check_way(data)
            return
        settings = state().settings
        if len(data["words"]) > settings.max_words:
            raise ma.ValidationError(f"out_of_range: must have at most {settings.max_words} items", "words")
        beside = [name for name in _ONLY_WITH_A_PLAY if name in data]
        if beside:
            raise ma.ValidationError(
                {name: ["needs_a_play: words are judged without a position"] for name in beside}
            )


_ONLY_WITH_A_PLAY = (*WAYS, "turn", "rack", "players", "zero_turns", "board", "tile_set")


class SearchFields(Strict):
    """Which words are wanted: those that fit all that is given. The body, or the query, of a search."""

    pattern = Text(
        LONGEST_WORD,
        shortest=1,
        metadata={
            "description": "letters, ? for any one tile, * for any number of them, [CH] one tile",
            "example": "?A*E",
        },
    )
    tiles = Text(
        LONGEST_WORD,
        shortest=1,
        metadata={"description": "tiles that make the words; ? is a blank", "example": "AEINRS?"},
    )
    use = Text(
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
        1, MOST_FOUND, load_default=100, metadata={"description": "words in one answer", "example": 10}
    )
    cursor = Text(
        64, metadata={"description": "where to go on: the cursor of the answer before, to the same search"}
    )
