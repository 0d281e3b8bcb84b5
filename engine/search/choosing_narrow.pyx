from engine.evaluation.valuation cimport Situation, Valuer
from engine.movegen.internal_words_narrow cimport Generator
from engine.search.mover cimport (
    EXCHANGE_MOVE, PASS_MOVE, PLAY_MOVE, STANDING_PLAYS, Choice, Standing, keep_unplayed, leave_sizes,
    leave_tiles,
)

include "choosing.pxi"
