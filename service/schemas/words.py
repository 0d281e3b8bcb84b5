"""The requests of /words/judge and of word searches."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from engine import CHALLENGE_RULES, PENALTIES_PER, USES, WORD_SORTS, Text
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Choice, Integer, List, RequestSchema, String
from service.schemas.position import MAX_MOVE, WAYS, PositionRequestSchema
from service.settings import MAX_WORDS

MAX_WORD = 128
MAX_FOUND = 500
MAX_LEXICON = 64
MAX_MEASURE = 10_000_000


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
        "letters, ? for any one tile, * for any number of tiles, [AEIOU] for one of these, [^U] for any but "
        "these, [CH] one tile",
        min_length=1,
        example="?A*E",
    )
    tiles = String(MAX_WORD, "tiles that form the words; ? is a blank", min_length=1, example="AEINRS?")
    use = Choice(
        USES, "whether a word uses all tiles (anagrams) or some of them", load_default="all", example="some"
    )
    includes = String(MAX_WORD, "letters that a word has, at least as often as here", example="AA")
    excludes = String(MAX_WORD, "letters that a word does not have", example="U")
    takes_prefix = String(MAX_WORD, "letters before a word that make another word")
    takes_suffix = String(MAX_WORD, "letters after a word that make another word")
    in_lexicon = String(MAX_LEXICON, "id of a lexicon that has the words too", min_length=1)
    not_in_lexicon = String(MAX_LEXICON, "id of a lexicon that does not have the words", min_length=1)
    min_length = Integer(2, 26, "least length in tiles", load_default=2)
    max_length = Integer(2, 26, "greatest length in tiles", load_default=26)
    min_vowels = Integer(0, 26, "least number of vowels of the tile set")
    max_vowels = Integer(0, 26, "greatest number of vowels")
    min_points = Integer(0, MAX_MEASURE, "least points of the letters, those of blanks included")
    max_points = Integer(0, MAX_MEASURE, "greatest points of the letters")
    min_anagrams = Integer(1, MAX_MEASURE, "least number of words of the same tiles, the word included")
    max_anagrams = Integer(1, MAX_MEASURE, "greatest number of words of the same tiles")
    min_rank = Integer(
        1, MAX_MEASURE, "least place by probability among all words of the length; equal words share one"
    )
    max_rank = Integer(1, MAX_MEASURE, "greatest place by probability among all words of the length")
    min_place = Integer(1, MAX_MEASURE, "least place by probability among the words found, for each length")
    max_place = Integer(1, MAX_MEASURE, "greatest place by probability among the words found")
    sort = Choice(
        WORD_SORTS,
        "order of words of one length; probability: the most probable first",
        load_default="alphabet",
    )
    limit = Integer(1, MAX_FOUND, "most words in one answer", load_default=100, example=10)
    cursor = String(64, "cursor of the previous answer to the same search")
