from engine.lexicon.tables_narrow cimport Tables

include "automaton.pxi"
