"""Declarations of automaton.h and automaton_build.h: the fields are described there.

Sizes are those of the wide build; C knows the true ones.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LexiconTables, letter_mask


cdef extern from "automaton.h" nogil:
    const uint32_t HAS_SEPARATOR

    ctypedef struct Arc:
        letter_mask kids
        letter_mask ends
        uint32_t base
        uint32_t skip

    ctypedef struct AutomatonView "Automaton":
        const Arc *arcs
        const uint32_t *words
        uint32_t arc_count
        uint32_t string_count

    const Arc *arc_of(const Arc *arcs, const Arc *source, int letter)
    uint32_t end_rank(const Arc *source, int letter)


cdef extern from "automaton_build.h" nogil:
    const int STRING_CAPACITY

    ctypedef struct Register:
        uint32_t *below
        uint32_t arc_count
        uint32_t row_count
        uint32_t state_count

    ctypedef struct SortedString:
        uint64_t key
        uint32_t word
        uint8_t length
        uint8_t split

    int open_register(Register *r)
    void close_register(Register *r)
    int add_string(Register *r, const uint8_t *symbols, int n)
    uint32_t finish_register(Register *r)
    uint32_t count_arcs(const Register *r)
    int lay_out(const Register *r, uint32_t root, Arc *arcs)
    int spell_string(const LexiconTables *t, uint32_t word, int n, int split, uint8_t *symbols)
    void sort_strings(const LexiconTables *t, SortedString *strings, SortedString *spare, size_t count)
    size_t gather_strings(const LexiconTables *t, int letter, int rotated, SortedString *strings)
    size_t most_strings(const LexiconTables *t, int rotated)
    uint32_t string_number(const AutomatonView *a, const uint8_t *symbols, int n)
