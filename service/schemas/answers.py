"""The answers of most operations, documented for clients.

`service.documents` writes them; the tests load every answer by these schemas.
"""

from __future__ import annotations

from typing import Final

from engine import (
    Analysis,
    Contrast,
    Draw,
    EndgameReport,
    Explanation,
    LexiconReference,
    MoveFault,
    Notice,
    PremiumSquare,
    Provenance,
    Reply,
    RuleSet,
    Simulated,
    TileShare,
)
from service.schemas import answer_fields as field
from service.schemas.answer_fields import WIN_PCT_BY, WIN_PCT_LOW, AnswerSchema, answer


class PlacedTileSchema(AnswerSchema):
    """A tile that a play puts on the board."""

    at = field.string("square, such as 8D")
    letter = field.string("letter, upper case")
    blank = field.boolean("true if a blank represents it")


class FormedWordSchema(AnswerSchema):
    """A word that a play forms."""

    word = field.string("the word, upper case")
    at = field.string("start: 8D across, D8 down")
    score = field.integer("points with premiums, without the bingo bonus")
    valid = field.boolean("true if it is in the lexicon; false only in a compared play that is not legal")


SimulationReportSchema = answer(Simulated, "SimulationReport")
EndgameReportSchema = answer(EndgameReport, line=field.strings("best moves for both sides"))
BagDrawSchema = answer(
    Draw, "BagDraw", bag=field.string("the tiles in the order in which they are drawn; ? is a blank")
)


class PreendgameReportSchema(AnswerSchema):
    """The result of a pre-endgame search for one move."""

    win_pct = field.number(
        "share of draws that win, 0 to 100; a tie counts half; null while lower and upper differ, unless it "
        "is an estimate",
        null=True,
    )
    lower = field.number("proven lower bound of win_pct for the model of the opponent; 0 for an estimate")
    upper = field.number("proven upper bound of win_pct for the model of the opponent; 100 for an estimate")
    win_pct_error = field.number(
        "standard error of an estimate from a sample of draws, counting one more win and one more loss",
        null=True,
    )
    spread = field.number("mean difference of points at the end of the game")
    spread_exact = field.boolean("true if spread is proven")
    draws = field.integer("number of draws examined, by weight")
    settled = field.integer("number of draws whose result is proven, by weight")
    certainty = field.string(
        "exact or bound for the model of the opponent; estimate if the draws are a sample, unless the move "
        "empties the bag and all draws were examined, or if an exchange is possible after the move, since "
        "exchanges are not searched"
    )
    pruned = field.boolean("true if the move was dropped because it cannot be best")
    opponent = field.string(
        "model of the opponent: rational, pessimistic or guaranteed; always static with more than two tiles "
        "in the bag"
    )
    best_proven = field.boolean(
        "true if it is proven that no other legal move wins more often for that model"
    )
    plays_left_out = field.integer("number of legal plays that were not searched, all of lower equity")
    exchanges_left_out = field.boolean("true if exchanges are legal; they are never searched")
    by_bag = field.list_of(
        "the draws one by one; empty for an estimate, and with more than two tiles in the bag", BagDrawSchema
    )


class MoveSchema(AnswerSchema):
    """A move; a value that the request did not ask for, or that does not exist for the move, is null."""

    rank = field.integer("rank among all legal moves, 1 is best; null for an illegal move", null=True)
    move = field.string(
        "8D RE.sINA a play (. a tile on the board, lower case a blank), -ABC an exchange, - a pass"
    )
    kind = field.string("play, exchange or pass")
    at = field.string("start of the main word: 8D across, D8 down", null=True)
    direction = field.string("across or down", null=True)
    word = field.string("main word, upper case", null=True)
    placed = field.list_of("the tiles put on the board, in reading order", PlacedTileSchema)
    tiles_used = field.integer("tiles played or exchanged")
    score = field.integer("points")
    words = field.list_of(
        "words formed, the main word first; their scores and `bonus` add up to `score`", FormedWordSchema
    )
    bonus = field.integer("points for a bingo")
    leave = field.string("tiles that stay on the rack")
    is_bingo = field.boolean("true if it is a bingo: all tiles of a full rack")
    leave_value = field.number("value of the leave, in points", null=True)
    equity = field.number(
        "score plus the value of the leave, in points; heuri1 subtracts what the play opens", null=True
    )
    bingo_expectation = field.number("points expected from bingos next turn", null=True)
    is_fish = field.boolean("true if the play scores less than its bingo expectation", null=True)
    win_pct = field.number(
        "chance to win after the move, 0 to 100; a tie counts half. After a search it is what that found, "
        "null for other moves. With an empty bag it is proven, 0, 50 or 100, and null if the proof takes too "
        "long; in a pre-endgame it is null while draws are unsettled",
        null=True,
    )
    win_pct_low = field.number(WIN_PCT_LOW, null=True)
    win_pct_high = field.number("the most, in the same way", null=True)
    win_pct_by = field.string(WIN_PCT_BY, null=True)
    sim = field.nested("result of the simulation", SimulationReportSchema, null=True)
    endgame = field.nested("result of the endgame search", EndgameReportSchema, null=True)
    preendgame = field.nested("result of the pre-endgame search", PreendgameReportSchema, null=True)


_PREMIUM_SQUARE = answer(PremiumSquare)


class ExplainedMoveSchema(AnswerSchema):
    """The figures of a move in an explanation."""

    move = field.string("the move")
    tiles_used = field.integer("tiles played or exchanged")
    score = field.integer("points")
    leave = field.string("tiles that stay on the rack")
    leave_value = field.number("value of the leave, in points", null=True)
    leave_tiles = field.list_of(
        "shares of the tiles in leave_value, which add up to it less the value of an empty leave; empty if "
        "the bag is",
        answer(TileShare),
    )
    equity = field.number(
        "score plus the value of the leave, in points; heuri1 subtracts what the play opens", null=True
    )
    win_pct = field.number(
        "chance to win after the move, 0 to 100; null if only a range is proven", null=True
    )
    win_pct_low = field.number(WIN_PCT_LOW, null=True)
    win_pct_high = field.number("the most, in the same way", null=True)
    win_pct_by = field.string(WIN_PCT_BY, null=True)
    spread = field.number(
        "mean spread when the rollouts stop, or after an endgame search at the end of the game", null=True
    )
    line = field.strings("best moves for both sides that an endgame search found")
    certainty = field.string("exact, bound or estimate, after an endgame search", null=True)
    phonies = field.strings("invalid words that it forms")
    reply = field.nested("the opponent's next move; null if the game ends before", answer(Reply), null=True)
    opened = field.list_of("premium squares that it opens, the most valuable first", _PREMIUM_SQUARE)
    closed = field.list_of("premium squares that it closes or covers", _PREMIUM_SQUARE)


_CONTRAST = answer(Contrast, other=field.nested("the other move", ExplainedMoveSchema))
ExplanationSchema = answer(
    Explanation,
    best=field.nested("the best move", ExplainedMoveSchema),
    contrasts=field.list_of("the moves that it is explained beside", _CONTRAST),
)
MoveFaultSchema = answer(MoveFault)


class ComparisonSchema(AnswerSchema):
    """A move of `compare`; an illegal move does not affect the others."""

    asked = field.string("the text of the request")
    legal = field.boolean("true if the move is legal")
    move = field.nested("the move; null if the text is no move on this board", MoveSchema, null=True)
    fault = field.nested("why the move is not legal", MoveFaultSchema, null=True)


NoticeSchema = answer(Notice)


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


LexiconReferenceSchema = answer(LexiconReference)


class EffortSchema(AnswerSchema):
    """An amount of work."""

    nodes = field.integer("nodes searched", null=True)
    iterations = field.integer("iterations simulated", null=True)


ProvenanceSchema = answer(
    Provenance,
    budget=field.nested("work allowed", EffortSchema, null=True),
    spent=field.nested("work done", EffortSchema, null=True),
)
WARNINGS: Final = "what differs from what the request assumes"
PROVENANCE: Final = "versions, tables and limits behind the answer"


AnalysisSchema = answer(
    Analysis,
    compare=field.list_of("the moves of `compare`, in the order of the request", ComparisonSchema),
    position=field.nested("the position in normal form", PositionSchema),
    moves=field.list_of("moves, best first", MoveSchema),
    searched=None,
)


class LexiconSchema(AnswerSchema):
    """A lexicon."""

    id = field.string("id")
    name = field.string("name")
    about = field.string("for which games the list is good; empty if unknown")
    language = field.string("language code, empty if unknown")
    tile_set = field.string("id of its tile set")
    word_count = field.integer("number of words")
    sha256 = field.string("SHA-256 of the word list")
    status = field.string(
        "ready, not_built, building or damaged; the first request for a bundled lexicon that is not ready "
        "builds its tables"
    )
    share = field.number("completed share of building, 0 to 1; null if nothing is known", null=True)
    bundled = field.boolean("true if kibitz includes it")
    default = field.boolean("true if it is used for requests without a lexicon")
    source = field.string("origin of the word list")
    licence = field.string("its licence")


class BoardSchema(AnswerSchema):
    """A board layout."""

    id = field.string("id")
    side = field.integer("squares on a side")
    rows = field.strings("premium squares, one string per row")
    starts = field.strings("start squares")
    symmetric = field.boolean("true if it equals its transpose")
    sha256 = field.string("SHA-256 of rows and starts")


class TileSchema(AnswerSchema):
    """A letter of a tile set; ? is the blank."""

    letter = field.string("letter")
    count = field.integer("number of tiles")
    value = field.integer("points of one tile")
    is_vowel = field.boolean("true for a vowel")


class TileSetSchema(AnswerSchema):
    """A tile set."""

    id = field.string("id")
    total = field.integer("number of tiles")
    letters = field.list_of("letters, the blank first", TileSchema)
    sha256 = field.string("SHA-256 of the contents")


_RULE_SET = answer(
    RuleSet,
    default_for=field.strings("ids of the tile sets that have these rules unless a request names others"),
)


class RuleSetListSchema(AnswerSchema):
    """The answer of /rule-sets."""

    rule_sets = field.list_of("rule sets", _RULE_SET)


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

    pointer = field.string("JSON pointer into the body, or /name of a parameter; empty for the whole request")
    code = field.string("stable code")
    params = field.params("the values in `detail`, so that a program can say it in another language")
    detail = field.string("the fault in words, with the square, tile or line")


class ProblemSchema(AnswerSchema):
    """An error (RFC 9457)."""

    type = field.string("about:blank")
    title = field.string("phrase of the status")
    status = field.integer("HTTP status")
    code = field.string("stable code")
    params = field.params("the values in `detail`")
    detail = field.string("what is wrong, in words")
    errors = field.list_of("the single faults", ErrorItemSchema)
    request_id = field.string("id of the request, as in X-Request-ID", null=True)
