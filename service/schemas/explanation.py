"""The explanation of a best move in the answers of /analyze and /games/annotate."""

from __future__ import annotations

from service.schemas import answer_fields as field
from service.schemas.answer_fields import WIN_PCT_BY, WIN_PCT_LOW, AnswerSchema


class SentenceSchema(AnswerSchema):
    """A sentence of an explanation."""

    code = field.string("stable code of the message")
    params = field.params("the values in `text`, rounded as it shows them; percentages from 0 to 100")
    text = field.string("the sentence, in the language of the explanation")


class TileShareSchema(AnswerSchema):
    """The share of one tile in the value of a leave."""

    tile = field.string("the tile; ? is a blank")
    value = field.number(
        "Shapley value in points: what the tile adds to a part of the leave, as a mean over all orders"
    )


class ReplySchema(AnswerSchema):
    """The opponent's next move."""

    score = field.number("mean points")
    bingos = field.number("share of bingos, 0 to 1")
    racks = field.integer("number of the opponent's racks: rollouts of a simulation, or racks of a sample")
    source = field.string("simulation, or sample: the moves with the most equity of random racks")


class PremiumSquareSchema(AnswerSchema):
    """A premium square that a move opens or closes for the opponent."""

    at = field.string("square, such as 8A")
    letter_factor = field.integer("factor of the letter, 1 to 4")
    word_factor = field.integer("factor of the word, 1 to 4")
    before = field.number("share of the opponent's racks with a play on it if the player passed, 0 to 1")
    after = field.number("the same after the move")


class SquareContrastSchema(AnswerSchema):
    """A premium square that is open after one move rather than after the other."""

    at = field.string("square, such as 8A")
    letter_factor = field.integer("factor of the letter, 1 to 4")
    word_factor = field.integer("factor of the word, 1 to 4")
    share_after_best = field.number(
        "share of the opponent's racks with a play on it after the best move, 0 to 1"
    )
    share_after_other = field.number("the same after the other move")


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
        TileShareSchema,
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
    reply = field.nested("the opponent's next move; null if the game ends before", ReplySchema, null=True)
    opened = field.list_of("premium squares that it opens, the most valuable first", PremiumSquareSchema)
    closed = field.list_of("premium squares that it closes or covers", PremiumSquareSchema)


class ContrastSchema(AnswerSchema):
    """Another move, and what the best move has more than it."""

    other = field.nested("the other move", ExplainedMoveSchema)
    score = field.integer("points of the best move minus those of the other")
    tiles_used = field.integer("tiles used by the best move minus those of the other")
    leave = field.number("difference of leave_value, in points", null=True)
    equity = field.number("difference of equity, in points", null=True)
    win_pct = field.number("difference of win_pct; null unless both were estimated in one way", null=True)
    endgame_loss = field.integer(
        "points that the other move is proven to lose at least; null unless a turn was judged by an endgame "
        "search",
        null=True,
    )
    endgame_loss_high = field.integer("points that it is proven to lose at most; null if unknown", null=True)
    reply = field.number("difference of the opponent's mean points next turn", null=True)
    reply_error = field.number("its standard error; null unless both come from one sample", null=True)
    squares = field.list_of("premium squares that differ, the most valuable first", SquareContrastSchema)
    sentences = field.list_of("one or two sentences about both moves", SentenceSchema)


class ExplanationSchema(AnswerSchema):
    """Why the best move is best."""

    lang = field.string("language of the sentences")
    ranked_by = field.string("the order in which the move is best, as `sort`")
    text = field.string("the sentences about the best move and the first of the others")
    best = field.nested("the best move", ExplainedMoveSchema)
    reply_to_pass = field.nested("the opponent's next move if the player passed", ReplySchema, null=True)
    contrasts = field.list_of("the moves that it is explained beside", ContrastSchema)
