"""The request and the answer of /duplicate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson

from engine import (
    DUPLICATE_FORMAT,
    MAX_NAME,
    MAX_SEED,
    MAX_WORD,
    SLIP_MARKS,
    Standing,
    Text,
    duplicate_rule_ids,
    format_cgp,
)
from service.documents import provenance_members
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema, answer
from service.schemas.answers import PROVENANCE, MoveFaultSchema, ProvenanceSchema
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import Choice, Integer, List, Nested, RequestSchema, String
from service.schemas.position import MAX_ID, MAX_MOVE, MAX_RACK

if TYPE_CHECKING:
    from engine import DuplicateGame, Entry, Round

MAX_SLIPS = 500
MAX_ROUNDS = 400

_RULES = "the rules: " + ", ".join(duplicate_rule_ids())
_SLIPS = "the slips of the players"


class DuplicateSlipSchema(RequestSchema):
    """A slip: what a player has written; without `at` and `word` the player passes."""

    player = String(MAX_NAME, "name", min_length=1, required=True)
    at = String(MAX_WORD, "start of the word: 8D across, D8 down", load_default="")
    word = String(MAX_WORD, "the word; lower case is a blank", load_default="")
    mark = Choice(SLIP_MARKS, "warning or penalty if the arbiter gives one", load_default="")


class RoundSlipSchema(DuplicateSlipSchema):
    """A slip with the number of its round."""

    round = Integer(1, 10_000, "number of the round; default: the open one")


class DuplicateRoundSchema(RequestSchema):
    """A closed round."""

    rack = String(MAX_RACK, "tiles drawn", required=True)
    top = String(MAX_MOVE, "the top laid on the board", required=True)
    slips = List(Nested(DuplicateSlipSchema), MAX_SLIPS, _SLIPS, required=True)


class DuplicateLexiconSchema(RequestSchema):
    """The lexicon of a game."""

    id = String(MAX_ID, "id", required=True)
    sha256 = String(64, "SHA-256 of its words: a game continues only with the same words", required=True)


class DuplicateGameSchema(RequestSchema):
    """The state of a game: what was drawn, laid and written, from which everything else follows."""

    format = String(MAX_ID, DUPLICATE_FORMAT, required=True)
    lexicon = Nested(DuplicateLexiconSchema, "the lexicon", required=True)
    rules = String(MAX_ID, _RULES, required=True)
    seed = Integer(0, MAX_SEED, "seed of the tiles drawn", required=True)
    rounds = List(Nested(DuplicateRoundSchema), MAX_ROUNDS, "the closed rounds", required=True)
    rack = String(
        MAX_RACK,
        "rack of the open round; null: as the seed determines, or none at the end of the game",
        allow_none=True,
        required=True,
    )


class DuplicateRequestSchema(RequestSchema):
    """The body of POST /duplicate: the state of a game, and the slips of the round that is to be closed.

    Without `game`, a game begins. Without `slips`, no round is closed. Every round up to the last that the
    slips name is closed; slips of an earlier round replace those of the same players.
    """

    game = Nested(DuplicateGameSchema, "the state: `game` of the answer before")
    lexicon = String(MAX_ID, "lexicon of a new game; default: that of the server")
    rules = String(MAX_ID, _RULES + " (of a new game; default: those of the tiles)")
    seed = Integer(0, MAX_SEED, "seed of the tiles drawn in a new game; default: 0")
    slips = List(Nested(RoundSlipSchema), MAX_SLIPS, _SLIPS)
    top = String(MAX_MOVE, "the top that the arbiter lays in the open round; default: the first of `tops`")

    @ma.validates_schema
    def _check_parts(self, data: dict[str, Any], **_: Any) -> None:
        for name in {"lexicon", "rules", "seed"} & set(data):
            if "game" in data:
                message = ErrorMessage("one_game_needed", Text("a game that has begun has its own"))
                raise ma.ValidationError(message, name)
        if "top" in data and "slips" not in data:
            raise ma.ValidationError(
                ErrorMessage("missing_field", Text("top needs slips, which close the round")), "top"
            )


class DuplicateEntrySchema(AnswerSchema):
    """A slip with its verdict."""

    player = field.string("name")
    move = field.string("the move as the slip writes it, - for a pass")
    verdict = field.string(
        "top; valid; invalid (a wrong word, or tiles that the rack lacks); misplaced; unclear; pass"
    )
    points = field.integer("points of the play")
    bonus = field.integer("points for a play that nobody else found")
    warned = field.boolean("true if the slip earned a warning")
    penalty = field.integer("points lost")
    total = field.integer("points with bonus and penalty")
    solo = field.boolean("true if no other slip is a top")
    fault = field.nested("why the play is not legal", MoveFaultSchema, null=True)


class DuplicateRoundSheetSchema(AnswerSchema):
    """A round: what was drawn, the best plays, and the slips."""

    number = field.integer("number of the round, from 1")
    rack = field.string("the rack of all players")
    cgp = field.string("the position before the round as CGP")
    points = field.integer("points of a top")
    tops = field.strings("plays with the most points, the default choice first, at most 20")
    sub_points = field.integer("points of the best plays below; null if there are none", null=True)
    sub_tops = field.strings("plays with these points, at most 20")
    top = field.string("the top laid on the board, or to be laid by default")
    slips = field.list_of("the slips; none of an open round", DuplicateEntrySchema)


class DuplicateSchema(AnswerSchema):
    """The sheet of a game of duplicate, and its state for the next request."""

    over = field.string(
        "why the game is over: no_rack (no rack is allowed any more) or no_play; else null", null=True
    )
    cgp = field.string("the board with the rack of the open round, as CGP")
    current = field.nested("the open round; null at the end", DuplicateRoundSheetSchema, null=True)
    rounds = field.list_of("the closed rounds", DuplicateRoundSheetSchema)
    top_total = field.integer("points of all tops laid")
    standings = field.list_of("the players by their rank", answer(Standing))
    game = field.nested("the state, to be sent back", DuplicateGameSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


def dump_duplicate(game: DuplicateGame, lang: str) -> bytes:
    """Write the sheet of a game with its faults in a language."""
    pairs = zip(game.rounds, game.entries, strict=True)
    return orjson.dumps(
        {
            "over": game.reason,
            "cgp": format_cgp(game.position),
            "current": None if game.current is None else _round_members(game.current, (), lang),
            "rounds": [_round_members(one, group, lang) for one, group in pairs],
            "top_total": game.top_total,
            "standings": game.standings,
            "game": game.document,
            "provenance": provenance_members(game.provenance),
        }
    )


def _round_members(one: Round, entries: tuple[Entry, ...], lang: str) -> dict[str, Any]:
    return {
        "number": one.number,
        "rack": str(one.rack),
        "cgp": format_cgp(one.position),
        "points": one.top.score,
        "tops": [play.text for play in one.tops],
        "sub_points": one.sub_tops[0].score if one.sub_tops else None,
        "sub_tops": [play.text for play in one.sub_tops],
        "top": one.top.text,
        "slips": [_entry_members(entry, lang) for entry in entries],
    }


def _entry_members(entry: Entry, lang: str) -> dict[str, Any]:
    judged = entry.judged
    return {
        "player": entry.player,
        "move": judged.slip.move,
        "verdict": judged.verdict,
        "points": judged.points,
        "bonus": entry.bonus,
        "warned": entry.is_warned,
        "penalty": entry.penalty,
        "total": entry.total,
        "solo": entry.is_solo,
        "fault": None if judged.fault is None else judged.fault.rendered(lang),
    }
