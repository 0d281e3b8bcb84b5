"""What answers hold, documented for clients.

The dataclasses of the engine are written by orjson as they are; a test loads answers by these schemas.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import orjson

from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema

if TYPE_CHECKING:
    from engine import Notice

dump_analysis = orjson.dumps
"""Encode an Analysis as JSON, its fields in their order."""


def dump_with_warnings(answer: Any, warnings: tuple[Notice, ...]) -> bytes:
    """Encode an answer of the engine as JSON, with the warnings of its request before the provenance."""
    values = {item.name: getattr(answer, item.name) for item in fields(answer)}
    provenance = values.pop("provenance")
    return orjson.dumps({**values, "warnings": warnings, "provenance": provenance})


class PlacedTileSchema(AnswerSchema):
    """A tile that a play puts on the board."""

    at = field.string("square, such as 8D")
    letter = field.string("letter, upper case")
    blank = field.boolean("true if a blank stands for it")


class FormedWordSchema(AnswerSchema):
    """A word that a play makes."""

    word = field.string("the word, upper case")
    at = field.string("where it begins: 8D across, D8 down")
    score = field.integer("its points, premiums included, bonus apart")
    valid = field.boolean("true if it is in the lexicon; false only in compared phonies")


class SimulationReportSchema(AnswerSchema):
    """What a simulation found."""

    win_pct = field.number("chance to win, 0 to 100; null without a win% table", null=True)
    win_pct_error = field.number(
        "its standard error, as if one more rollout had been won and one lost; 0 only with an empty bag",
        null=True,
    )
    spread = field.number("mean difference of points at the horizon, leaves included")
    spread_error = field.number("its standard error")
    iterations = field.integer("rollouts of this move")
    opponent_score = field.number("mean points of the opponent's next move")
    own_score = field.number("mean points of the own next move")
    opponent_bingos = field.number("share of the opponent's next moves that are bingos, 0 to 1")
    own_bingos = field.number("share of the own next moves that are bingos, 0 to 1")
    leave = field.number("mean value of the own last leave less the opponent's, points")
    ended = field.number("share of rollouts whose game ended, 0 to 1")
    pruned = field.boolean("true if it was dropped early as worse")


class EndgameReportSchema(AnswerSchema):
    """What a search of the end of the game found."""

    spread = field.number("difference of points at the end")
    line = field.strings("best moves for both sides")
    certainty = field.string("exact, bound or estimate")


class BagDrawSchema(AnswerSchema):
    """One order of the tiles in the bag, and how the game ends with it."""

    bag = field.string("the tiles, the first is drawn first; ? is a blank")
    weight = field.integer("number of ways to draw it")
    lower = field.number("1 a win for certain, 0.5 at least a tie, 0 nothing known")
    upper = field.number("0 lost for certain, 0.5 at most a tie, 1 nothing known")


class PreendgameReportSchema(AnswerSchema):
    """What a search before the endgame found."""

    win_pct = field.number("share of draws that win, 0 to 100, ties half")
    lower = field.number("the least that it can be by the opponent's model, proven; 0 for an estimate")
    upper = field.number("the most that it can be by the opponent's model, proven; 100 for an estimate")
    win_pct_error = field.number(
        "standard error of an estimate from a sample of draws, as if one more had been won and one lost",
        null=True,
    )
    spread = field.number("mean difference of points at the end of the game")
    spread_exact = field.boolean("true if that is proven")
    draws = field.integer("draws looked at, by weight")
    settled = field.integer("draws of which it is proven how the game ends")
    certainty = field.string(
        "exact or bound by the opponent's model, or estimate: from a sample of draws, or since exchanges, "
        "which there may be after the move, were not looked at"
    )
    pruned = field.boolean("true if it was dropped, since it cannot be best")
    opponent = field.string(
        "the model of the opponent: rational, pessimistic or guaranteed; static with more than two "
        "tiles in the bag, whatever the request says"
    )
    best_proven = field.boolean(
        "true if by that model no other move looked at, nor an exchange, wins more often"
    )
    plays_left_out = field.integer("legal plays that were not looked at, worse by equity")
    exchanges_left_out = field.boolean("true if the rules allow exchanges, which are never looked at")
    by_bag = field.list_of("draw by draw; empty for an estimate", BagDrawSchema)


class MoveSchema(AnswerSchema):
    """A move; what its parts do not compute yet is null."""

    rank = field.integer("1 is best, counted among all legal moves; null for an illegal one", null=True)
    move = field.string("8D RE.sINA (. a tile already there, lower case a blank), -ABC an exchange, - a pass")
    kind = field.string("play, exchange or pass")
    at = field.string("where the main word begins: 8D across, D8 down", null=True)
    direction = field.string("across or down", null=True)
    word = field.string("main word, upper case", null=True)
    placed = field.list_of("the tiles put on the board, in reading order", PlacedTileSchema)
    tiles_used = field.integer("tiles played or exchanged")
    score = field.integer("points")
    words = field.list_of(
        "words made, the main word first; with `bonus` they add up to `score`", FormedWordSchema
    )
    bonus = field.integer("points for a bingo")
    leave = field.string("tiles that stay on the rack")
    is_bingo = field.boolean("true if it plays a rackful")
    leave_value = field.number("value of the leave, in points", null=True)
    equity = field.number("score and the value of what is left, in points", null=True)
    bingo_expectation = field.number("points expected of bingos next turn", null=True)
    is_fish = field.boolean("true if it scores less than the bingos to expect", null=True)
    win_pct = field.number("estimated chance to win after it, 0 to 100, ties half", null=True)
    sim = field.nested("what a simulation found", SimulationReportSchema, null=True)
    endgame = field.nested("what a search of the endgame found", EndgameReportSchema, null=True)
    preendgame = field.nested("what a search before the endgame found", PreendgameReportSchema, null=True)


class MoveFaultSchema(AnswerSchema):
    """Why a move is not legal."""

    code = field.string("stable code")
    detail = field.string("names the square, tile or word")
    params = field.params("the values in `detail`")


class ComparisonSchema(AnswerSchema):
    """A move that the request names. An illegal one never hides the others."""

    asked = field.string("the move as the request writes it")
    legal = field.boolean("true if it may be played")
    move = field.nested("the move; null if the text names none on this board", MoveSchema, null=True)
    fault = field.nested("why it is not legal", MoveFaultSchema, null=True)


class PhonySchema(AnswerSchema):
    """A word on the board that is not in the lexicon."""

    word = field.string("the word, upper case")
    at = field.string("where it begins: 8D across, D8 down")


class NoticeSchema(AnswerSchema):
    """Something that is not as the request assumes, yet does not keep it from being answered."""

    code = field.string("stable code")
    params = field.params("the values in `detail`, so that a program can say it in another language")
    detail = field.string("one sentence, for people")


class PositionSchema(AnswerSchema):
    """The position in normal form."""

    cgp = field.string("as CGP")
    id = field.string("SHA-256 of the position in normal form")
    lexicon = field.string("id of the lexicon")
    board = field.string("id of the board, or custom")
    tile_set = field.string("id of the tile set, or custom")
    rules = field.string("id of the rule set, or custom")
    bag_count = field.integer("tiles in the bag")
    unseen = field.string("tiles in the bag and on the other racks")


class LexiconReferenceSchema(AnswerSchema):
    """A lexicon and its fingerprint."""

    id = field.string("id")
    sha256 = field.string("SHA-256 of the word list")


class EffortSchema(AnswerSchema):
    """An amount of work."""

    nodes = field.integer("nodes searched", null=True)
    iterations = field.integer("iterations simulated", null=True)


class ProvenanceSchema(AnswerSchema):
    """What the answer was made of."""

    engine_version = field.string("version of kibitz")
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    leaves = field.string(
        "table of leaves: the lexicon it was learned with, figures of its checksum", null=True
    )
    win_pct_table = field.string("table of chances to win, named likewise", null=True)
    seed = field.integer("seed of the random numbers", null=True)
    budget = field.nested("work allowed", EffortSchema, null=True)
    spent = field.nested("work done", EffortSchema, null=True)
    stopped_by = field.string("complete, budget or deadline")
    deterministic = field.boolean("true if the same request gives the same bytes")


WARNINGS: Final = "what is not as the request assumes"


class AnalysisSchema(AnswerSchema):
    """The answer of /analyze."""

    position = field.nested("the position in normal form", PositionSchema)
    sort = field.string(
        "what the moves are sorted by; where a search ranked them its name, simulate, preendgame or endgame, "
        "and those that it did not look at follow in the order asked for; of equal ones the better by "
        "equity (by score, where that is asked for or nothing values leaves) stands first, then rows before "
        "columns, the earlier line, start and length, the letters in the tile set's order, the blanks; "
        "exchanges and the pass last"
    )
    generator = field.string("move generator used")
    evaluator = field.string("evaluator used")
    phase = field.string(
        "search made: simulate, preendgame or endgame; null where none was asked for", null=True
    )
    play_count = field.integer("number of legal plays")
    exchange_count = field.integer("number of different exchanges")
    moves = field.list_of("moves, best first", MoveSchema)
    compare = field.list_of("the moves of `compare`, in the order asked", ComparisonSchema)
    phonies = field.list_of("words on the board that are not in the lexicon", PhonySchema)
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested("what the answer was made of", ProvenanceSchema)


class LexiconSchema(AnswerSchema):
    """A lexicon."""

    id = field.string("id")
    name = field.string("name")
    language = field.string("language code, empty if unknown")
    tile_set = field.string("tile set it is spelled with")
    word_count = field.integer("number of words")
    sha256 = field.string("SHA-256 of the word list")
    status = field.string("ready, not_built or damaged")
    bundled = field.boolean("true if it comes with kibitz")
    default = field.boolean("true if it serves requests that name none")
    source = field.string("where the list is from")
    licence = field.string("its licence")


class BoardSchema(AnswerSchema):
    """A board layout."""

    id = field.string("id")
    side = field.integer("squares on a side")
    rows = field.strings("premium squares, a string per row")
    starts = field.strings("start squares")
    symmetric = field.boolean("true if it equals its transpose")
    sha256 = field.string("SHA-256 of rows and starts")


class TileSchema(AnswerSchema):
    """A letter of a tile set; ? is the blank."""

    letter = field.string("letter")
    count = field.integer("tiles of it")
    value = field.integer("points of one tile")
    is_vowel = field.boolean("true for a vowel")


class TileSetSchema(AnswerSchema):
    """A tile set."""

    id = field.string("id")
    total = field.integer("number of tiles")
    letters = field.list_of("letters, the blank first", TileSchema)
    sha256 = field.string("SHA-256 of the contents")


class LexiconListSchema(AnswerSchema):
    """The answer of /lexicons."""

    lexicons = field.list_of("lexicons", LexiconSchema)


class BoardListSchema(AnswerSchema):
    """The answer of /boards."""

    boards = field.list_of("boards", BoardSchema)


class TileSetListSchema(AnswerSchema):
    """The answer of /tile-sets."""

    tile_sets = field.list_of("tile sets", TileSetSchema)


class VersionSchema(AnswerSchema):
    """The answer of /version."""

    name = field.string("kibitz")
    version = field.string("version of the engine and the service")


class HealthSchema(AnswerSchema):
    """The answer of /livez and /readyz."""

    status = field.string("ok")


class ErrorItemSchema(AnswerSchema):
    """One fault of a request."""

    pointer = field.string("JSON pointer into the body, or /name of a parameter; empty for the whole")
    code = field.string("stable code")
    params = field.params("the values in `detail`, so that a program can say it in another language")
    detail = field.string("names the square, tile or line, for people")


class ProblemSchema(AnswerSchema):
    """An error (RFC 9457)."""

    type = field.string("about:blank")
    title = field.string("phrase of the status")
    status = field.integer("HTTP status")
    code = field.string("stable code")
    params = field.params("the values in `detail`")
    detail = field.string("what is wrong, for people")
    errors = field.list_of("the faults one by one", ErrorItemSchema)
    request_id = field.string("id of the request, as in X-Request-ID", null=True)
