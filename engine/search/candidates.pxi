"""The candidates of a simulation: the moves to compare, and all that is known of the position.

Included by rollout_kernel.pyx.
"""

cdef uint64_t changed_lines(const LoadedBoardStruct *before, const LoadedBoardStruct *after) noexcept nogil:
    """Return the bit set of the lines in which two boards differ."""
    cdef uint64_t lines = 0
    cdef int line
    for line in range(2 * before.side):
        if memcmp(&before.lines[line], &after.lines[line], sizeof(Line)):
            lines |= <uint64_t> 1 << line
    return lines


cdef class Candidates:
    """The moves to compare and what is known of the position.

    All threads share one object: they read it and take the numbers of draws from it.
    """

    def __init__(self, BoardKernel board not None, moves not None, const uint8_t[::1] unplayed not None,
                 const uint8_t[::1] unseen not None, int opponent_count, tuple scores not None,
                 const uint8_t[:, ::1] opponent_racks not None, const double[::1] shares not None,
                 const uint16_t[:, ::1] wins, int win_unit):
        """Take the board before the moves, and the moves.

        `moves`: (kind, score, leave value, [(square, code)], leave, returned, zero turns, passes) of each move;
        tiles are sorted codes.  `unplayed`, `unseen`: by code, tiles that are not on the board, and those of them
        that the player on turn cannot see.  `opponent_count`: tiles of the opponent's rack.  `scores`: own and
        other's, in points.  `opponent_racks`: tiles that the opponent may hold for certain, rows of a count and 7
        codes; `shares`: the cumulative probabilities of these rows.  `wins`: the win% table by unseen tiles and
        spread, in parts of `win_unit`, or None.  Raises ValueError for arguments that do not fit together,
        MemoryError.
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
        self.leaves = [bytes(move[4]) for move in moves]
        self.count = <int> len(moves)
        self.items = <Candidate *> calloc(max(self.count, 1), sizeof(Candidate))
        if not self.items:
            raise MemoryError
        for i, (kind, score, leave_value, placed, leave, returned, zero_turns, passes) in enumerate(moves):
            at = &self.items[i]
            after = board
            if placed:
                after = board.after(placed)
            memcpy(&at.board, &after.board, sizeof(LoadedBoardStruct))
            at.changed = changed_lines(&board.board, &after.board)
            at.kind, at.score, at.leave_value = kind, score, leave_value
            at.zero_turns, at.passes = zero_turns, passes
            if len(leave) > RACK_CAPACITY or len(returned) > RACK_CAPACITY:
                raise ValueError("a rack holds at most 7 tiles")
            at.leave_count, at.returned_count = len(leave), len(returned)
            for n in range(at.leave_count):
                at.leave[n] = leave[n]
            for n in range(at.returned_count):
                at.returned[n] = returned[n]
            for code in range(self.letter_count + 1):
                at.unplayed[code] = unplayed[code]
            n = board.read_tiles(placed, cells, codes)
            for code in range(n):
                at.unplayed[0 if codes[code] & 0x80 else codes[code]] -= 1
        for code in range(self.letter_count + 1):
            self.unseen[code] = unseen[code]
            self.unseen_count += unseen[code]
        if not 0 <= opponent_count <= min(RACK_CAPACITY, self.unseen_count):
            raise ValueError("the opponent cannot hold so many tiles")
        self.opponent_count = opponent_count
        self.scores[0], self.scores[1] = scores
        self.opponent_racks, self.shares, self.wins, self.win_unit = opponent_racks, shares, wins, win_unit

    def __dealloc__(self):
        free(self.items)

    def restart(self):
        """Begin a new block of draws: `Simulator.run`, in all threads, takes them from the first on."""
        self.next_draw = 0
