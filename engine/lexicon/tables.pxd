"""Declarations of geometry.h and tables.h: the fields are described there.

Array sizes below are those of the wide geometry; C uses the real ones, so no code may depend on these.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "geometry.h" nogil:
    ctypedef uint64_t letter_mask      # uint32_t in the narrow build
    const int SIDE                     # squares in the longest line, letters in the longest word
    ctypedef uint16_t placement_number  # uint8_t in the narrow build
    const int WORD_BYTES               # bytes that can be read from the first letter of a word
    const int PLACED_LIMBS             # uint64 limbs of a bit set of placements
    const int GEOMETRY_CODE            # 1 narrow, 2 wide
    const int MASK_BITS                # bits of a letter_mask
    const int LETTER_CAPACITY
    const int RACK_CAPACITY
    const int SUBSET_CAPACITY
    const int GRAPH_LETTERS
    const int LETTER_PLACEMENTS        # lists owned by each single letter


cdef extern from "tables.h" nogil:
    const uint32_t NO_WORD

    const int SPARE_SLOTS
    const int SCAN_BITS

    ctypedef struct InternalWord:
        letter_mask front_hooks
        letter_mask back_hooks
        uint32_t first

    ctypedef struct AnagramSlot:
        uint64_t key
        uint32_t first
        uint32_t count

    ctypedef struct MultisetNode:
        letter_mask letters
        uint32_t tag

    ctypedef struct LexiconTables:
        uint32_t word_count
        uint32_t internal_count
        uint32_t list_count
        int32_t letter_count
        int32_t max_length
        int32_t double_count
        uint32_t length_start[28]
        uint32_t internal_start[28]
        int64_t letters_start[27]
        uint8_t double_letters[64]
        uint8_t scan_bits[64]
        uint64_t letter_keys[64]
        letter_mask front_hooks[64]
        letter_mask back_hooks[64]
        const uint8_t *letters
        const uint32_t *word_masks
        const uint64_t *internal_bits
        const uint32_t *internal_before
        const InternalWord *internal_words
        const placement_number *list_placements
        const uint32_t *letter_lengths
        const uint32_t *list_starts
        const uint32_t *list_masks
        const uint16_t *list_words
        const uint8_t *list_blocks
        const AnagramSlot *anagram_slots
        const uint32_t *anagram_filter
        const MultisetNode *nodes
        const uint32_t *node_filter
        uint64_t anagram_homes
        uint64_t node_homes
        int32_t filter_bits
        int32_t node_filter_bits

    const uint8_t *word_letters(const LexiconTables *t, uint32_t id, int n)
    uint32_t internal_words_before(const LexiconTables *t, uint32_t id)
    uint32_t internal_index(const LexiconTables *t, uint32_t id)
    void list_placed(const LexiconTables *t, uint32_t internal, uint64_t *placed)
    int placement_index(int k, int position, int n)
    uint32_t placed_lengths(const uint64_t *placed, int k, int position)
    uint32_t placement_rank(const uint64_t *placed, int index)
    bint may_have_anagrams(const LexiconTables *t, uint64_t key)
    uint32_t find_keyed_word(const LexiconTables *t, const uint8_t *letters, int n, uint64_t key)
    uint32_t find_word(const LexiconTables *t, const uint8_t *letters, int n)
    uint32_t scan_mask(const LexiconTables *t, letter_mask once, letter_mask twice)
