"""The candidates of a simulation: the moves to compare, and all that is known of the position.

Included by search_kernel.pyx.
"""

cdef uint64_t changed_lines(const LoadedBoardStruct *before, const LoadedBoardStruct *after) noexcept nogil:
    """Return the bit set of the lines in which two boards differ."""
    cdef uint64_t lines = 0
    cdef int line
    for line in range(2 * before.side):
        if memcmp(&before.lines[line], &after.lines[line], sizeof(Line)):
            lines |= <uint64_t> 1 << line
    return lines


cdef uint8_t copy_tiles(bytes tiles, uint8_t *target) except 255:
    """Copy the tiles of a rack; return how many there are."""
    if len(tiles) > RACK_CAPACITY:
        raise ValueError("a rack holds at most 7 tiles")
    memcpy(target, <const uint8_t *> tiles, len(tiles))
    return <uint8_t> len(tiles)


cdef class Candidates:
    """The moves to compare and what is known of the position.

    All threads share one object: they read it and take the numbers of draws from it.
    """
    cdef Tables tables
    cdef BoardKernel base                   # the board before the moves
    cdef list leaves                        # of each candidate, to sort candidates by leave
    cdef Candidate *items                   # the candidates
    cdef int32_t count                      # how many there are
    cdef int32_t next_draw                  # of the current block: the first draw that no thread has taken
    cdef int32_t letter_count               # letters of the tile set
    cdef uint8_t unseen[CODE_CAPACITY]      # by code: tiles in the bag or on the opponent's rack
    cdef int32_t unseen_count               # their sum
    cdef int32_t opponent_count             # tiles on the opponent's rack
    cdef int32_t scores[SEATS]              # before the move, in points
    cdef const uint8_t[:, ::1] opponent_racks  # tiles that the opponent may hold for certain: rows of count, codes
    cdef const double[::1] shares           # cumulative probabilities of these rows
    cdef const uint16_t[:, ::1] wins        # the win% table by unseen tiles and spread, or None
    cdef int32_t win_unit                   # its value of a certain win
    cdef int32_t average_leave              # millipoints of the leave that it averages over

    def __init__(self, BoardKernel board not None, moves not None, const uint8_t[::1] unplayed not None,
                 const uint8_t[::1] unseen not None, int opponent_count, tuple scores not None,
                 const uint8_t[:, ::1] opponent_racks not None, const double[::1] shares not None,
                 const uint16_t[:, ::1] wins, int win_unit, int average_leave):
        """Take the board before the moves, and the moves.

        `moves`: the CandidateMoves (simulation.py).  `unplayed`, `unseen`: by code, tiles that are not on the
        board, and those of them that the player on turn cannot see.  `opponent_count`: tiles of the opponent's
        rack.  `scores`: own and other's, in points.  `opponent_racks`: tiles that the opponent may hold for
        certain, rows of a count and 7 codes; `shares`: the cumulative probabilities of these rows.  `wins`: the
        win% table by unseen tiles and spread, in parts of `win_unit`, or None; `average_leave`: millipoints of
        the leave of the other player that it averages over.  Raises ValueError for arguments that do not fit
        together, MemoryError.
        """
        cdef Candidate *at
        cdef BoardKernel after
        cdef Py_ssize_t i, code
        cdef int n
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        self.letter_count = board.board.letter_count
        if unplayed.shape[0] != self.letter_count + 1 or unseen.shape[0] != self.letter_count + 1:
            raise ValueError("the tiles do not belong to the tile set")
        if (not opponent_racks.shape[0] or opponent_racks.shape[0] != shares.shape[0]
                or opponent_racks.shape[1] != RACK_CAPACITY + 1):
            raise ValueError("an opponent's rack is a row of a count and 7 codes, with a share")
        if wins is not None and (not wins.shape[0] or wins.shape[1] < 3 or not wins.shape[1] & 1):
            raise ValueError("the win% table must have an odd number of columns, at least 3")
        self.tables = board.tables
        self.base = board
        self.leaves = [move.leave for move in moves]
        self.count = <int> len(moves)
        self.items = <Candidate *> calloc(max(self.count, 1), sizeof(Candidate))
        if not self.items:
            raise MemoryError
        for i, move in enumerate(moves):
            at = &self.items[i]
            after = board.after(move.placed) if move.placed else board
            memcpy(&at.board, &after.board, sizeof(LoadedBoardStruct))
            at.changed = changed_lines(&board.board, &after.board)
            at.kind, at.score, at.leave_value = move.kind, move.score, move.leave_value
            at.zero_turns, at.passes = move.zero_turns, move.passes
            at.leave_count = copy_tiles(move.leave, at.leave)
            at.returned_count = copy_tiles(move.returned, at.returned)
            for code in range(self.letter_count + 1):
                at.unplayed[code] = unplayed[code]
            n = board.read_tiles(move.placed, cells, codes)
            for code in range(n):
                at.unplayed[0 if codes[code] & 0x80 else codes[code]] -= 1
        for code in range(self.letter_count + 1):
            self.unseen[code] = unseen[code]
            self.unseen_count += unseen[code]
        if not 0 <= opponent_count <= min(RACK_CAPACITY, self.unseen_count):
            raise ValueError("the opponent's rack holds more tiles than are unseen")
        self.opponent_count = opponent_count
        self.scores[0], self.scores[1] = scores
        self.opponent_racks, self.shares, self.wins, self.win_unit = opponent_racks, shares, wins, win_unit
        self.average_leave = average_leave

    def __dealloc__(self):
        free(self.items)

    def restart(self):
        """Begin a new block of draws: `Simulator.run`, in all threads, takes them from the first on."""
        self.next_draw = 0
