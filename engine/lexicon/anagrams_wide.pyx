from engine.lexicon.tables_wide cimport Tables

include "anagrams.pxi"
