"""Judgements of challenged plays: acceptable or not as a whole, as a tournament's adjudicator rules.

A judgement never reveals which word is not valid. Therefore all words are looked up, and both judgements are
built before one is chosen: neither the time nor the size of an answer depends on more than the verdict.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from engine.analysis.legality import is_connected, loose_fault, rack_fault
from engine.analysis.report import LexiconReference, lexicon_reference
from engine.analysis.request import check_letters
from engine.errors import InvalidInput, check_known, excerpt
from engine.messages import Text
from engine.position import Play, parse_move
from engine.records import format_cgp
from engine.rules import CHALLENGE_RULES, PENALTIES_PER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.lexicon import Lexicon
    from engine.position import Position

_POINTS: Final = {"5pt": 5, "10pt": 10}
"""The points of each rule that awards some for an unsuccessful challenge."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """Say what follows from a challenge under a rule.

    A player whose play is taken back loses the turn of that play.
    """

    rule: Annotated[str, "challenge rule: void, single, double, triple, 5pt or 10pt"]
    per: Annotated[str, "what the points of 5pt and 10pt count by: play or word"]
    play_stands: Annotated[bool, "true if the tiles stay on the board"]
    play_again: Annotated[bool, "true if the player plays again without penalty (rule void)"]
    turn_lost_by: Annotated[str | None, "player (the one whose play was challenged), challenger, or null"]
    game_lost_by: Annotated[str | None, "player, challenger, or null (rule triple only)"]
    bonus: Annotated[int, "points that the player gets for an unsuccessful challenge"]


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """Name the position that a play was judged on."""

    cgp: Annotated[str, "as CGP"]
    id: Annotated[str, "SHA-256 of the position in normal form"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Hold one verdict on all words, and what follows."""

    acceptable: Annotated[
        bool, "true if every word is in the lexicon; the answer never says which word is not"
    ]
    word_count: Annotated[int, "number of words judged"]
    lexicon: Annotated[LexiconReference, "the lexicon"]
    position: Annotated[JudgedPosition | None, "the position of the play; null for words without a position"]
    consequence: Annotated[Consequence, "the consequence of the challenge"]
    ruling_id: Annotated[
        str, "SHA-256 of the words or the play, the word list and the rule; independent of the verdict"
    ]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Hold the judgements for both verdicts, and which verdict is true."""

    acceptable: bool
    if_acceptable: Judgement
    if_not: Judgement

    @property
    def judgement(self) -> Judgement:
        """The judgement that is true."""
        return (self.if_not, self.if_acceptable)[self.acceptable]


def judge_words(words: Sequence[bytes], lexicon: Lexicon, *, rule: str, per: str = "play") -> Ruling:
    """Judge words, given as tile codes from 1, under one of CHALLENGE_RULES.

    Raises InvalidInput for an unknown rule or `per`, for no words, and for a word of fewer than two tiles.
    """
    if not words:
        raise InvalidInput(Text("there is no word to judge"), code="no_words", field="words")
    for index, word in enumerate(words):
        if len(word) < 2:
            raise InvalidInput(
                Text("a word has two tiles or more"), code="one_letter_word", field=f"words/{index}"
            )
    return _rule(words, lexicon, None, rule, per)


def judge_play(
    text: str, position: Position, lexicon: Lexicon, *, rule: str | None = None, per: str | None = None
) -> Ruling:
    """Judge all words that a play forms, under one of CHALLENGE_RULES, by default that of the position.

    `per`: one of PENALTIES_PER, by default that of the position's rules.

    The rack may be unknown or empty. Raises InvalidInput for an impossible position, and for a move that is
    not a play or breaks another rule than that its words must be valid.
    """
    check_letters(position, lexicon)
    position.check()
    play = parse_move(text, position.board, position.tile_set, "play", position.rack)
    if not isinstance(play, Play):
        raise InvalidInput(
            Text("'{text}' lays no tiles, so makes no word", text=excerpt(text)),
            code="not_a_play",
            field="play",
        )
    fault = None if is_connected(play, position) else loose_fault(position)
    if fault is None and position.rack.tiles:
        fault = rack_fault(play, position)
    if fault is not None:
        raise InvalidInput(fault.detail, code=fault.code, field="play", params=fault.params)
    words = [word.letters for word in position.words(play)]
    judged = JudgedPosition(format_cgp(position), position.id)
    rules = position.rules
    return _rule(words, lexicon, judged, rule or rules.challenge_rule, per or rules.penalty_per)


def consequence(rule: str, per: str, word_count: int, *, acceptable: bool) -> Consequence:
    """Return what follows from the challenge of a play that forms `word_count` words.

    void: a play that is not acceptable is taken back, and the player moves again. single: it is taken back,
    and the turn is lost; an unsuccessful challenge has no consequence. double: the unsuccessful challenger
    loses a turn. 5pt, 10pt: the player gets that many points `per` play or word. triple: whoever is wrong
    loses the game.
    """
    loser = "challenger" if acceptable else "player"
    loses_turn = rule == "double" if acceptable else rule in ("single", "double", *_POINTS)
    points = _POINTS.get(rule, 0) * (word_count if per == "word" else 1)
    return Consequence(
        rule=rule,
        per=per,
        play_stands=acceptable,
        play_again=rule == "void" and not acceptable,
        turn_lost_by=loser if loses_turn else None,
        game_lost_by=loser if rule == "triple" else None,
        bonus=points if acceptable else 0,
    )


def _rule(
    words: Sequence[bytes], lexicon: Lexicon, position: JudgedPosition | None, rule: str, per: str
) -> Ruling:
    check_known("challenge_rule", rule, CHALLENGE_RULES)
    check_known("penalty_per", per, PENALTIES_PER)
    found = [lexicon.contains(word) for word in words]  # all of them, even if the first is not valid
    judgements = [
        Judgement(
            acceptable=acceptable,
            word_count=len(words),
            lexicon=lexicon_reference(lexicon),
            position=position,
            consequence=consequence(rule, per, len(words), acceptable=acceptable),
            ruling_id=_ruling_id(words, lexicon, position, rule, per),
        )
        for acceptable in (True, False)
    ]
    return Ruling(sum(found) == len(found), *judgements)


def _ruling_id(
    words: Sequence[bytes], lexicon: Lexicon, position: JudgedPosition | None, rule: str, per: str
) -> str:
    """Return the SHA-256 (hexadecimal) of words, word list, rule and position, but not of the verdict."""
    parts = [
        f"ruling 1 {lexicon.sha256} {rule} {per} {position.id if position else ''}",
        *sorted(word.hex() for word in words),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
