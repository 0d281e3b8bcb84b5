from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables_wide cimport Tables
from engine.movegen.internal_words_wide cimport Generator
from engine.search.mover cimport (
    EXCHANGE_MOVE, LEAVE_CAPACITY, PASS_MOVE, PLAY_MOVE, Choice, GameRules, keep_unplayed, leave_sizes,
    leave_tiles,
)

include "choosing.pxi"
