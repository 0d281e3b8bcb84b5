"""Judging words as a tournament's adjudicator does: the play as a whole, and never which word failed.

Every word is looked up whatever the others were, and both outcomes are drawn up before one is taken, so that
neither the work nor the size of an answer tells more than the verdict.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.compare import is_connected, loose_fault
from engine.analysis.moves import Describer, missing_tiles
from engine.analysis.result import LexiconReference
from engine.analysis.setting import check_letters
from engine.errors import InvalidInput, excerpt, quoted
from engine.position import BLANK_FLAG, Play, parse_move
from engine.records import format_cgp
from engine.rules import CHALLENGE_RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.lexicon import Lexicon
    from engine.position import Position

PENALTIES_PER: Final = ("play", "word")
"""What the points of the rules 5pt and 10pt are counted by."""

_POINTS: Final = {"5pt": 5, "10pt": 10}


@dataclass(frozen=True, slots=True)
class Consequence:
    """Say what follows from a challenge under a rule.

    `play_stands` or else its tiles come off; `play_again` tells that the player then plays anew, as if
    nothing had been (rule void). `turn_lost_by` and `game_lost_by` name "player" (who made the play),
    "challenger" or nobody; the turn of a player whose play comes off is the play itself. `bonus` is what the
    player gets for an unsuccessful challenge, in points.
    """

    rule: str
    per: str
    play_stands: bool
    play_again: bool
    turn_lost_by: str | None
    game_lost_by: str | None
    bonus: int


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """Name the position that a play was judged on."""

    cgp: str
    id: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Hold one outcome: whether all words are acceptable, how many were looked up, and what follows."""

    acceptable: bool
    word_count: int
    lexicon: LexiconReference
    position: JudgedPosition | None
    consequence: Consequence
    ruling_id: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """Hold both outcomes of a judgement, and which of them is true."""

    acceptable: bool
    if_acceptable: Judgement
    if_not: Judgement

    @property
    def judgement(self) -> Judgement:
        """Return the outcome that is true."""
        return (self.if_not, self.if_acceptable)[self.acceptable]


def judge_words(words: Sequence[bytes], lexicon: Lexicon, *, rule: str, per: str = "play") -> Ruling:
    """Judge words given as tile codes, 1..n, under one of the six challenge rules.

    Raises InvalidInput for an unknown rule or `per`, for no words, and for a word of fewer than two tiles.
    """
    if not words:
        raise InvalidInput("there is no word to judge", code="no_words", field="words")
    for index, word in enumerate(words):
        if len(word) < 2:
            raise InvalidInput("a word has two tiles or more", code="one_letter_word", field=f"words/{index}")
    return _rule(words, lexicon, None, rule, per)


def judge_play(
    text: str, position: Position, lexicon: Lexicon, *, rule: str | None = None, per: str = "play"
) -> Ruling:
    """Judge all words that a play makes on a board, by the position's challenge rule unless one is given.

    The rack may be unknown or empty. Raises InvalidInput for an impossible position, and for a move that is
    no play or could not lie so whatever the lexicon.
    """
    check_letters(position, lexicon)
    position.check()
    play = parse_move(text, position.board, position.tile_set, "play", position.rack)
    if not isinstance(play, Play):
        raise InvalidInput(
            f"{quoted(text)} lays no tiles, so makes no word",
            code="not_a_play",
            field="play",
            params={"text": excerpt(text)},
        )
    if not is_connected(play, position):
        fault = loose_fault(position)
        raise InvalidInput(fault.detail, code=fault.code, field="play", params=fault.params)
    if position.rack.tiles:
        used = [0 if code & BLANK_FLAG else code for code in play.tiles if code]
        lacking = missing_tiles(used, position.rack)
        if lacking:
            tiles = position.tile_set.alphabet.text(lacking)
            raise InvalidInput(
                f"the rack lacks {tiles}", code="tile_not_in_rack", field="play", params={"tiles": tiles}
            )
    words = [run.letters for run in Describer(position, lexicon).words(play)]
    judged = JudgedPosition(format_cgp(position), position.id)
    return _rule(words, lexicon, judged, rule or position.rules.challenge_rule, per)


def consequence(rule: str, per: str, word_count: int, *, acceptable: bool) -> Consequence:
    """Return what follows when a challenged play of some words is acceptable or not.

    void: a play that is not acceptable is taken back without loss. single: it comes off and the turn is lost;
    nothing happens to a challenger in the wrong. double: the challenger loses a turn too. 5pt, 10pt: the
    player gets that many points `per` play or word. triple: whoever is wrong loses the game.
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
    choices = (("challenge_rule", rule, CHALLENGE_RULES), ("penalty_per", per, PENALTIES_PER))
    for name, value, known in choices:
        if value not in known:
            raise InvalidInput(
                f"there is no {name} {quoted(value)}; known: {', '.join(known)}",
                code=f"unknown_{name}",
                field=name,
                params={"name": excerpt(value), "option": name, "known": list(known)},
            )
    found = [lexicon.contains(word) for word in words]  # every one, whatever the first was
    outcomes = [
        Judgement(
            acceptable=acceptable,
            word_count=len(words),
            lexicon=LexiconReference(lexicon.id, lexicon.sha256),
            position=position,
            consequence=consequence(rule, per, len(words), acceptable=acceptable),
            ruling_id=_ruling_id(words, lexicon, position, rule, per),
        )
        for acceptable in (True, False)
    ]
    return Ruling(sum(found) == len(found), *outcomes)


def _ruling_id(
    words: Sequence[bytes], lexicon: Lexicon, position: JudgedPosition | None, rule: str, per: str
) -> str:
    """Return the SHA-256 of what was judged, by which list and rule; the verdict has no part in it."""
    parts = [
        f"ruling 1 {lexicon.sha256} {rule} {per} {position.id if position else ''}",
        *sorted(word.hex() for word in words),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
