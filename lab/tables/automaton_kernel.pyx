"""Views of minimal automata (a DAWG, a GADDAG) in a table file, and the kernel that builds them.

The build compiles it for both geometries (geometry.h); automaton.h describes the form.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from lab.tables.automaton cimport (
    HAS_SEPARATOR, STRING_CAPACITY, Arc, AutomatonView, Register, SortedString, add_string, arc_of, close_register,
    count_arcs, finish_register, gather_strings, lay_out, most_strings, open_register, sort_strings, spell_string,
    string_number,
)
from engine.lexicon.tables cimport NO_WORD, LexiconTables
from engine.lexicon.tables_kernel cimport Tables

import numpy as np

ARC_BYTES = sizeof(Arc)


cdef class Automaton:
    """Pointers into the arcs and word ids of one automaton; with references to the arrays."""

    def __init__(self, arcs not None, words not None):
        """Take the bytes of the arcs and the word id of each string by its number.

        Raises ValueError if they are not those of an automaton of this geometry.
        """
        self.arcs = np.ascontiguousarray(arcs)
        self.words = np.ascontiguousarray(words)
        cdef const uint8_t[::1] raw = self.arcs
        cdef const uint32_t[::1] ids = self.words
        if not raw.shape[0] or raw.shape[0] % sizeof(Arc) or not ids.shape[0]:
            raise ValueError("the automaton belongs to the other geometry")
        self.view.arcs = <const Arc *> &raw[0]
        self.view.arc_count = <uint32_t> (raw.shape[0] // sizeof(Arc))
        self.view.words = &ids[0]
        self.view.string_count = <uint32_t> ids.shape[0]

    def find(self, bytes symbols not None):
        """Return the word id of an accepted string, or -1.

        Symbols are letter indices plus 1, and 0 for the separator.
        """
        cdef uint32_t number = string_number(&self.view, <const uint8_t *> symbols, <int> len(symbols))
        return -1 if number == NO_WORD else int(self.view.words[number])

    def strings(self):
        """Yield every accepted string (symbols), depth first."""
        stack = [(0, b"")]
        while stack:
            at, before = stack.pop()
            ends, branches = self._branches(at)
            for symbol in ends:
                yield before + bytes([symbol])
            stack += [(arc, before + bytes([symbol])) for symbol, arc in branches]

    def _branches(self, uint32_t number):
        """Return (symbols that end a string, (symbol, arc) pairs) of the state that an arc leads to."""
        cdef const Arc *arc = self.view.arcs + number
        cdef int letter
        ends = [letter + 1 for letter in range(8 * sizeof(arc.kids)) if arc.ends >> letter & 1]
        branches = [(letter + 1, arc_of(self.view.arcs, arc, letter) - self.view.arcs)
                    for letter in range(8 * sizeof(arc.kids)) if arc.kids >> letter & 1]
        if arc.skip & HAS_SEPARATOR:
            branches.append((0, arc.base - 1))
        return ends, branches


def build_automaton(Tables tables not None, bint rotated, progress):
    """Return (bytes of the arcs, word ids by string number, figures) of a lexicon's minimal automaton.

    `rotated`: of the reversed beginnings, separators and ends of all words (GADDAG), else of the words (DAWG).
    Figures: states (an accepting and a rejecting one with the same arcs are two), transitions, strings.
    `progress` is called with the share that is done.  Raises MemoryError.
    """
    cdef const LexiconTables *t = &tables.view
    cdef size_t room = most_strings(t, rotated), count, i
    cdef SortedString *strings = <SortedString *> malloc((2 * room + 1) * sizeof(SortedString))
    cdef Register *register = <Register *> malloc(sizeof(Register))
    cdef uint8_t symbols[STRING_CAPACITY]
    cdef uint8_t[::1] raw
    cdef uint32_t[::1] ids
    cdef AutomatonView view
    cdef uint32_t root, word, number
    cdef int letter, n, split, length
    cdef bint ok = strings != NULL and register != NULL
    if register != NULL:
        memset(register, 0, sizeof(Register))
    try:
        if not ok or not open_register(register):
            raise MemoryError
        for letter in range(t.letter_count):
            with nogil:
                count = gather_strings(t, letter, rotated, strings)
                sort_strings(t, strings, strings + room, count)
                for i in range(count):
                    length = spell_string(t, strings[i].word, strings[i].length, strings[i].split, symbols)
                    ok = ok and add_string(register, symbols, length)
            if not ok:
                raise MemoryError
            progress(0.9 * (letter + 1) / t.letter_count)
        root = finish_register(register)
        if not root:
            raise MemoryError
        arcs = np.zeros(count_arcs(register) * sizeof(Arc), np.uint8)
        words = np.full(register.below[root], NO_WORD, np.uint32)
        figures = np.array([register.state_count, register.arc_count, register.below[root]], np.uint32)
        raw = arcs
        ids = words
        with nogil:
            ok = lay_out(register, root, <Arc *> &raw[0])
        if not ok:
            raise MemoryError
    finally:
        free(strings)
        if register != NULL:
            close_register(register)
        free(register)
    view.arcs = <const Arc *> &raw[0]
    with nogil:
        n = 2
        for word in range(t.word_count):
            while word >= t.length_start[n + 1]:
                n += 1
            for split in range(1 if rotated else 0, n + 1 if rotated else 1):
                length = spell_string(t, word, n, split, symbols)
                number = string_number(&view, symbols, length)
                ok = ok and number < ids.shape[0] and ids[number] == NO_WORD
                if ok:
                    ids[number] = word
    if not ok:
        raise AssertionError("the automaton does not number its strings one to one")
    progress(1.0)
    return arcs, words, figures
