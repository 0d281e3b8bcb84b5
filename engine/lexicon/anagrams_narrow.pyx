from engine.lexicon.tables_narrow cimport Tables

include "anagrams.pxi"
