"""The shapes of answers, for the documentation and the tests; the bytes are written by `dump`.

Every field is always there. Marshmallow is too slow to write ten moves, so the dataclasses of the engine are
encoded as they are, and a test holds them against these schemas.
"""

from __future__ import annotations

import marshmallow as ma
import orjson

from service.schemas.shapes import Shape
from service.schemas.shapes import flag as _flag
from service.schemas.shapes import items as _items
from service.schemas.shapes import number as _number
from service.schemas.shapes import part as _part
from service.schemas.shapes import text as _text
from service.schemas.shapes import whole as _whole

dump_analysis = orjson.dumps
"""Encode an Analysis as JSON, its fields in their order."""


class PlacedTileShape(Shape):
    """A tile that a play puts on the board."""

    at = _text("square, such as 8D")
    letter = _text("letter, upper case")
    blank = _flag("true if a blank stands for it")


class FormedWordShape(Shape):
    """A word that a play makes."""

    word = _text("the word, upper case")
    at = _text("where it begins: 8D across, D8 down")
    score = _whole("its points, premiums included, bonus apart")
    valid = _flag("true if it is in the lexicon; false only in compared phonies")


class SimulatedShape(Shape):
    """What a simulation found."""

    win_pct = _number("chance to win, 0 to 100; null without a win% table", null=True)
    win_pct_error = _number(
        "its standard error, as if one more rollout had been won and one lost; 0 only with an empty bag",
        null=True,
    )
    spread = _number("mean difference of points at the horizon, leaves included")
    spread_error = _number("its standard error")
    iterations = _whole("rollouts of this move")
    opponent_score = _number("mean points of the opponent's next move")
    own_score = _number("mean points of the own next move")
    opponent_bingos = _number("share of the opponent's next moves that are bingos, 0 to 1")
    own_bingos = _number("share of the own next moves that are bingos, 0 to 1")
    leave = _number("mean value of the own last leave less the opponent's, points")
    ended = _number("share of rollouts whose game ended, 0 to 1")
    pruned = _flag("true if it was given up as worse at the stated confidence")


class EndingShape(Shape):
    """What a search of the end of the game found."""

    spread = _number("difference of points at the end")
    line = _items("best moves for both sides", ma.fields.String())
    certainty = _text("exact, bound or estimate")


class BagDrawShape(Shape):
    """One order of the tiles in the bag, and how the game ends with it."""

    bag = _text("the tiles, the first is drawn first; ? is a blank")
    weight = _whole("ways in which it may come")
    lower = _number("1 a win for certain, 0.5 at least a tie, 0 nothing known")
    upper = _number("0 lost for certain, 0.5 at most a tie, 1 nothing known")


class PreendingShape(Shape):
    """What a search before the endgame found."""

    win_pct = _number("share of draws that win, 0 to 100, ties half")
    lower = _number("the least that it can be by the opponent's model, proven; 0 for an estimate")
    upper = _number("the most that it can be by the opponent's model, proven; 100 for an estimate")
    win_pct_error = _number(
        "standard error of an estimate from a sample of draws, as if one more had been won and one lost",
        null=True,
    )
    spread = _number("mean difference of points at the end of the game")
    spread_exact = _flag("true if that is proven")
    draws = _whole("draws looked at, by weight")
    settled = _whole("draws of which it is proven how the game ends")
    certainty = _text(
        "exact or bound by the opponent's model, or estimate: from a sample of draws, or since exchanges, "
        "which there may be after the move, were not looked at"
    )
    pruned = _flag("true if it was given up, since it cannot be best")
    opponent = _text(
        "how the opponent was taken to move: rational, pessimistic or guaranteed; static with more than two "
        "tiles in the bag, whichever was asked for"
    )
    best_proven = _flag("true if by that model no other move looked at, nor an exchange, wins more often")
    plays_left_out = _whole("legal plays that were not looked at, worse by equity")
    exchanges_left_out = _flag("true if the rules allow exchanges, which are never looked at")
    by_bag = _items("draw by draw; empty for an estimate", ma.fields.Nested(BagDrawShape))


class MoveShape(Shape):
    """A move; what its parts do not compute yet is null."""

    rank = _whole("1 is best, counted among all legal moves; null for an illegal one", null=True)
    move = _text("8D RE.sINA (. a tile already there, lower case a blank), -ABC an exchange, - a pass")
    kind = _text("play, exchange or pass")
    at = _text("where the main word begins: 8D across, D8 down", null=True)
    direction = _text("across or down", null=True)
    word = _text("main word, upper case", null=True)
    placed = _items("the tiles put on the board, in reading order", ma.fields.Nested(PlacedTileShape))
    tiles_used = _whole("tiles played or exchanged")
    score = _whole("points")
    words = _items(
        "words made, the main word first; with `bonus` they add up to `score`",
        ma.fields.Nested(FormedWordShape),
    )
    bonus = _whole("points for a bingo")
    leave = _text("tiles that stay on the rack")
    is_bingo = _flag("true if it plays a rackful")
    leave_value = _number("value of the leave, in points", null=True)
    equity = _number("score and the value of what is left, in points", null=True)
    bingo_expectation = _number("points expected of bingos next turn", null=True)
    is_fish = _flag("true if it scores less than the bingos to expect", null=True)
    win_pct = _number("estimated chance to win after it, 0 to 100, ties half", null=True)
    sim = _part("what a simulation found", SimulatedShape, null=True)
    endgame = _part("what a search of the endgame found", EndingShape, null=True)
    preendgame = _part("what a search before the endgame found", PreendingShape, null=True)


class MoveFaultShape(Shape):
    """Why a move is not legal."""

    code = _text("stable code")
    detail = _text("names the square, tile or word")


class ComparisonShape(Shape):
    """A move that the request names. An illegal one never hides the others."""

    asked = _text("the move as the request writes it")
    legal = _flag("true if it may be played")
    move = _part("the move; null if the text names none on this board", MoveShape, null=True)
    fault = _part("why it is not legal", MoveFaultShape, null=True)


class PhonyShape(Shape):
    """A word on the board that is not in the lexicon."""

    word = _text("the word, upper case")
    at = _text("where it begins: 8D across, D8 down")


class NoticeShape(Shape):
    """Something that is not as the request assumes, yet does not keep it from being answered."""

    code = _text("stable code")
    params = ma.fields.Dict(
        required=True,
        metadata={"description": "the values in `detail`, so that it can be said in any language"},
    )
    detail = _text("one sentence")


class PositionShape(Shape):
    """The position in normal form."""

    cgp = _text("as CGP")
    id = _text("SHA-256 of the position in normal form")
    lexicon = _text("id of the lexicon")
    board = _text("id of the board, or custom")
    tile_set = _text("id of the tile set, or custom")
    rules = _text("id of the rule set, or custom")
    bag_count = _whole("tiles in the bag")
    unseen = _text("tiles in the bag and on the other racks")


class LexiconReferenceShape(Shape):
    """A lexicon and its fingerprint."""

    id = _text("id")
    sha256 = _text("SHA-256 of the word list")


class EffortShape(Shape):
    """An amount of work."""

    nodes = _whole("nodes searched", null=True)
    iterations = _whole("iterations simulated", null=True)


class ProvenanceShape(Shape):
    """What the answer was made of."""

    engine_version = _text("version of kibitz")
    lexicon = _part("the lexicon", LexiconReferenceShape)
    leaves = _text("table of leaves: the lexicon it was learned with, figures of its checksum", null=True)
    win_pct_table = _text("table of chances to win, named likewise", null=True)
    seed = _whole("seed of the random numbers", null=True)
    budget = _part("work allowed", EffortShape, null=True)
    spent = _part("work done", EffortShape, null=True)
    stopped_by = _text("complete, budget or deadline")
    deterministic = _flag("true if the same request gives the same bytes")


class AnalysisShape(Shape):
    """The answer of /analyze."""

    position = _part("the position in normal form", PositionShape)
    sort = _text(
        "what the moves are sorted by; where a search ranked them its name, simulate, preendgame or endgame, "
        "and those that it did not look at follow in the order asked for; of equal ones the better by "
        "equity (by score, where that is asked for or nothing values leaves) stands first, then rows before "
        "columns, the earlier line, start and length, the letters in the tile set's order, the blanks; "
        "exchanges and the pass last"
    )
    generator = _text("move generator used")
    evaluator = _text("evaluator used")
    phase = _text("search made: simulate, preendgame or endgame; null where none was asked for", null=True)
    play_count = _whole("number of legal plays")
    exchange_count = _whole("number of different exchanges")
    moves = _items("moves, best first", ma.fields.Nested(MoveShape))
    compare = _items("the moves of `compare`, in the order asked", ma.fields.Nested(ComparisonShape))
    phonies = _items("words on the board that are not in the lexicon", ma.fields.Nested(PhonyShape))
    warnings = _items("what is not as the request assumes", ma.fields.Nested(NoticeShape))
    provenance = _part("what the answer was made of", ProvenanceShape)


class LexiconShape(Shape):
    """A lexicon."""

    id = _text("id")
    name = _text("name")
    language = _text("language code, empty if unknown")
    tile_set = _text("tile set it is spelled with")
    word_count = _whole("number of words")
    sha256 = _text("SHA-256 of the word list")
    status = _text("ready, not_built or damaged")
    bundled = _flag("true if it comes with kibitz")
    default = _flag("true if it serves requests that name none")
    source = _text("where the list is from")
    licence = _text("its licence")


class BoardShape(Shape):
    """A board layout."""

    id = _text("id")
    side = _whole("squares on a side")
    rows = _items("premium squares, a string per row", ma.fields.String())
    starts = _items("start squares", ma.fields.String())
    symmetric = _flag("true if it equals its transpose")
    sha256 = _text("SHA-256 of rows and starts")


class TileShape(Shape):
    """A letter of a tile set; ? is the blank."""

    letter = _text("letter")
    count = _whole("tiles of it")
    value = _whole("points of one tile")
    is_vowel = _flag("true for a vowel")


class TileSetShape(Shape):
    """A tile set."""

    id = _text("id")
    total = _whole("number of tiles")
    letters = _items("letters, the blank first", ma.fields.Nested(TileShape))
    sha256 = _text("SHA-256 of the contents")


class LexiconsShape(Shape):
    """The answer of /lexicons."""

    lexicons = _items("lexicons", ma.fields.Nested(LexiconShape))


class BoardsShape(Shape):
    """The answer of /boards."""

    boards = _items("boards", ma.fields.Nested(BoardShape))


class TileSetsShape(Shape):
    """The answer of /tile-sets."""

    tile_sets = _items("tile sets", ma.fields.Nested(TileSetShape))


class VersionShape(Shape):
    """The answer of /version."""

    name = _text("kibitz")
    version = _text("version of the engine and the service")


class HealthShape(Shape):
    """The answer of /livez and /readyz."""

    status = _text("ok")


class ErrorItemShape(Shape):
    """One fault of a request."""

    pointer = _text("JSON pointer into the body, or /name of a parameter; empty for the whole")
    code = _text("stable code")
    detail = _text("names the square, tile or line")


class ProblemShape(Shape):
    """An error (RFC 9457)."""

    type = _text("about:blank")
    title = _text("phrase of the status")
    status = _whole("HTTP status")
    code = _text("stable code")
    detail = _text("what is wrong, for people")
    errors = _items("the faults one by one", ma.fields.Nested(ErrorItemShape))
    request_id = _text("id of the request, as in X-Request-ID", null=True)
