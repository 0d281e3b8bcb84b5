"""Whole games, from the first draw to the final scores.

Included by selfplay_kernel.pyx.  Source of the rules: [Heuri], chapter 3; [Cipra2006], section 2.2.
"""

TURN_BYTES = sizeof(TurnLog)
RESULT_BYTES = sizeof(GameResult)
cdef enum:
    WORD_USES = 3  # played, bingos among these, made


cdef class GameLoop:
    """Plays games between two players; holds the scratch memory of one thread.

    LeaveSampler calls `play` and then reads `log`.
    """
    cdef Mover mover                  # chooses the moves of players without a chooser
    cdef BoardKernel board            # of the current game
    cdef LoadedBoardStruct empty      # the board on which games begin
    cdef EvaluatorKernel first        # of the first player
    cdef EvaluatorKernel second       # of the second player
    cdef uint8_t counts[LETTER_CAPACITY]    # by code: tiles of the set
    cdef uint8_t unplayed[LETTER_CAPACITY]  # by code: tiles that are not on the board
    cdef uint8_t unseen[LETTER_CAPACITY]    # by code: tiles that the player on turn cannot see
    cdef int32_t tile_count           # tiles of the set
    cdef Bag bag
    cdef Random random
    cdef uint8_t racks[2][RACK_CAPACITY]    # by seat: codes, ascending
    cdef int32_t rack_counts[2]       # by seat: tiles on the rack
    cdef int32_t scores[2]            # by seat: points
    cdef object choosers              # by player: a callable that chooses the moves, or None
    cdef object error                 # raised by a chooser, or None
    cdef bint failed                  # a chooser raised an error
    cdef int32_t chooser_bits         # bit 0: the first player has a chooser, bit 1: the second
    cdef int32_t has_chooser[2]       # by seat, in the current game
    cdef bint swapped                 # the second player began the current game
    cdef int32_t zero_turns           # turns without points in a row
    cdef int32_t laid                 # tiles that the last turn placed
    cdef int cells[SIDE]              # their squares: row * side + column
    cdef uint8_t codes[SIDE]          # their codes
    cdef GameLog log                  # of the last game

    def __init__(self, Mover mover not None, BoardKernel empty not None, const uint8_t[::1] counts not None,
                 EvaluatorKernel first not None, EvaluatorKernel second not None, choosers=(None, None)):
        """Take the mover, the empty board, the number of tiles of each code, and the evaluators of both players.

        `choosers`: for each player a Python callable that chooses the moves (see `ask_chooser`), or None.
        """
        cdef Py_ssize_t code
        self.mover = mover
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = empty.tables
        memcpy(&self.empty, &empty.board, sizeof(LoadedBoardStruct))
        self.first = first
        self.second = second
        self.choosers = choosers
        self.chooser_bits = (choosers[0] is not None) | (choosers[1] is not None) << 1
        if counts.shape[0] != empty.board.letter_count + 1 or empty.tables is not mover.tables:
            raise ValueError("the tile set, the board and the generator do not belong together")
        for code in range(counts.shape[0]):
            self.counts[code] = counts[code]
            self.tile_count += counts[code]

    cdef void play(self, uint64_t seed, uint64_t number, bint swapped) noexcept nogil:
        """Play the game of a seed and number to its end; `swapped`: the second player begins."""
        cdef Valuer *valuers[2]
        cdef GameLog *log = &self.log
        cdef int seat = 0, zero_turns = 0, passes = 0
        cdef const TurnLog *turn
        valuers[swapped] = self.first.valuer
        valuers[not swapped] = self.second.valuer
        self.has_chooser[swapped] = self.chooser_bits & 1
        self.has_chooser[not swapped] = self.chooser_bits >> 1 & 1
        self.swapped = swapped
        log.seed = seed
        log.number = number
        log.turn_count = 0
        self.random = game_random(seed, number)
        fill_bag(&self.bag, self.counts, self.empty.letter_count, &self.random)
        memcpy(&self.board.board, &self.empty, sizeof(LoadedBoardStruct))
        memcpy(self.unplayed, self.counts, sizeof(self.counts))
        self.zero_turns = self.laid = 0
        memset(self.scores, 0, sizeof(self.scores))
        memset(self.rack_counts, 0, sizeof(self.rack_counts))
        self.refill(0)
        self.refill(1)
        while True:
            self.take_turn(seat, valuers[seat])
            turn = &log.turns[log.turn_count]
            log.turn_count += 1
            zero_turns = self.zero_turns = 0 if turn.kind == PLAY_MOVE and turn.play.score else zero_turns + 1
            passes = passes + 1 if turn.kind == PASS_MOVE else 0
            if self.is_over(seat, zero_turns, passes):
                break
            seat = 1 - seat
        self.settle()

    cdef void take_turn(self, int seat, Valuer *valuer) noexcept nogil:
        """Choose a move of a seat, log it, and carry it out."""
        cdef TurnLog *turn = &self.log.turns[self.log.turn_count]
        cdef const uint8_t *rack = self.racks[seat]
        cdef int count = self.rack_counts[seat], i, laid
        cdef Choice choice
        cdef uint8_t exchanged[RACK_CAPACITY]
        memcpy(self.unseen, self.unplayed, sizeof(self.unplayed))
        for i in range(count):
            self.unseen[rack[i]] -= 1
        if self.has_chooser[seat]:
            self.ask_chooser(seat, &choice)
        else:
            self.mover.choose(&self.board.board, rack, count, self.unseen,
                              bag_count(&self.bag) + self.rack_counts[1 - seat], bag_count(&self.bag),
                              self.scores[seat] - self.scores[1 - seat], valuer, &choice)
        self.laid = 0
        turn.play = choice.play
        turn.equity = choice.equity
        turn.score_before[0] = self.scores[0]
        turn.score_before[1] = self.scores[1]
        turn.bag_before = bag_count(&self.bag)
        turn.seat = <uint8_t> seat
        turn.kind = choice.kind
        turn.rack_count = <uint8_t> count
        turn.leave_count = choice.leave_count
        memcpy(turn.rack, rack, RACK_CAPACITY)
        memcpy(turn.leave, choice.leave, RACK_CAPACITY)
        self.rack_counts[seat] = choice.leave_count
        memcpy(self.racks[seat], choice.leave, RACK_CAPACITY)
        if choice.kind == PLAY_MOVE:
            laid = self.laid = lay_play(&self.board.tables.view, &self.board.board, &choice.play, self.cells,
                                        self.codes)
            self.board.place_tiles(self.cells, self.codes, laid)
            for i in range(laid):
                self.unplayed[0 if self.codes[i] & 0x80 else self.codes[i]] -= 1
            self.scores[seat] += choice.play.score
            self.refill(seat)
        elif choice.kind == EXCHANGE_MOVE:
            laid = remove_played(turn.rack, count, turn.leave, turn.leave_count, exchanged)
            for i in range(laid):  # draw before returning, so that no exchanged tile comes back at once
                self.racks[seat][turn.leave_count + i] = draw_tile(&self.bag, seat)
            for i in range(laid):
                return_tile(&self.bag, exchanged[i], &self.random)
            self.rack_counts[seat] = count
            sort_tiles(self.racks[seat], count)

    cdef void ask_chooser(self, int seat, Choice *choice) noexcept with gil:
        """Call the chooser of a seat for its move.  An error ends the game and is raised after it.

        Arguments: squares, rack, number of tiles on the other rack, (own, other score), turns without points in a
        row, number of the game, number of the turn, and the other player's last turn: None or (kind, line, start,
        length, [(square, code)] of the tiles placed, number of tiles exchanged).  The chooser returns (kind, the
        play as a row of PLAY_DTYPE or None, equity in millipoints, leave).
        """
        cdef const TurnLog *last
        cdef const uint8_t[::1] row
        cdef int i
        memset(choice, 0, sizeof(Choice))
        choice.kind = <uint8_t> PASS_MOVE
        try:
            before = None
            if self.log.turn_count:
                last = &self.log.turns[self.log.turn_count - 1]
                placed = [(self.cells[i], self.codes[i]) for i in range(self.laid)]
                exchanged = last.rack_count - last.leave_count if last.kind == EXCHANGE_MOVE else 0
                before = (last.kind, last.play.line, last.play.start, last.play.length, placed, exchanged)
            kind, play, equity, leave = self.choosers[seat != self.swapped](
                self.board.squares, bytes(self.racks[seat][:self.rack_counts[seat]]), self.rack_counts[1 - seat],
                (self.scores[seat], self.scores[1 - seat]), self.zero_turns, self.log.number, self.log.turn_count,
                before)
            if play is not None:
                row = play
                if row.shape[0] != sizeof(Play):
                    raise ValueError("a play is a row of PLAY_DTYPE")
                memcpy(&choice.play, &row[0], sizeof(Play))
            choice.kind, choice.equity, choice.leave_count = kind, equity, len(leave)
            for i in range(choice.leave_count):
                choice.leave[i] = leave[i]
        except BaseException as error:
            self.error = error
            self.failed = True

    cdef int raise_error(self) except -1:
        """Raise the error of a chooser in the last game, if there was one."""
        error, self.error = self.error, None
        self.failed = False
        if error is not None:
            raise error
        return 0

    cdef void refill(self, int seat) noexcept nogil:
        """Draw tiles until the rack is full or the bag empty."""
        while self.rack_counts[seat] < self.mover.rules.rack_size and bag_count(&self.bag):
            self.racks[seat][self.rack_counts[seat]] = draw_tile(&self.bag, seat)
            self.rack_counts[seat] += 1
        sort_tiles(self.racks[seat], self.rack_counts[seat])

    cdef bint is_over(self, int seat, int zero_turns, int passes) noexcept nogil:
        """Return whether the last turn, of a seat, ended the game, and log how."""
        cdef int how = game_ending(&self.mover.rules, 2, self.rack_counts[seat], zero_turns, passes,
                                   not self.scores[0] and not self.scores[1])
        if how == CONTINUES and (self.failed or zero_turns >= HOPELESS_TURNS
                                 or self.log.turn_count == TURN_CAPACITY):
            how = GIVEN_UP
        self.log.ending = how
        return how != CONTINUES

    cdef void settle(self) noexcept nogil:
        """Log the final scores, adjusted by the ending."""
        cdef GameLog *log = &self.log
        cdef int32_t points[2]
        cdef int32_t added[2]
        cdef int seat, i, out = -1
        for seat in range(2):
            points[seat] = 0
            log.left_count[seat] = self.rack_counts[seat]
            memcpy(log.left[seat], self.racks[seat], RACK_CAPACITY)
            for i in range(self.rack_counts[seat]):
                if self.racks[seat][i]:
                    points[seat] += self.empty.values[self.racks[seat][i] - 1]
            if log.ending == WENT_OUT and not self.rack_counts[seat]:
                out = seat
        add_ending(&self.mover.rules, 2, out, points, added)
        for seat in range(2):
            log.final[seat] = self.scores[seat] + added[seat]

    def play_game(self, uint64_t seed, uint64_t number, bint swapped, dtype):
        """Play one game; return (turns as an array of `dtype`, final scores, tiles left by seat, ending)."""
        with nogil:
            self.play(seed, number, swapped)
        self.raise_error()
        turns = bytes(<const uint8_t[:self.log.turn_count * TURN_BYTES]> <uint8_t *> self.log.turns)
        left = tuple([bytes(self.log.left[seat][:self.log.left_count[seat]]) for seat in range(2)])
        return np.frombuffer(turns, dtype), (self.log.final[0], self.log.final[1]), left, self.log.ending

    def play_pairs(self, uint64_t seed, uint64_t first, uint8_t[::1] results not None):
        """Play pairs of games with swapped seats, from number `first` on; write two GameResults for each pair."""
        cdef Py_ssize_t pairs = results.shape[0] // (2 * RESULT_BYTES), i
        cdef GameResult *out = <GameResult *> &results[0]
        with nogil:
            for i in range(2 * pairs):
                self.play(seed, first + i // 2, i & 1)
                if self.failed:
                    break
                out[i] = game_result(&self.log, self.mover.rules.bingo_tiles)
        self.raise_error()

    def play_games(self, uint64_t seed, uint64_t first, uint8_t[::1] results not None,
                   uint32_t[:, ::1] words not None):
        """Play games from number `first` on, write a GameResult for each, and count the words.

        `words`: counts that are increased, by use (see WORD_USES) and by word id.
        """
        cdef Py_ssize_t games = results.shape[0] // RESULT_BYTES, i
        cdef GameResult *out = <GameResult *> &results[0]
        if words.shape[0] != WORD_USES or words.shape[1] != self.board.tables.view.word_count:
            raise ValueError("the array of counts does not fit the lexicon")
        with nogil:
            for i in range(games):
                self.play(seed, first + i, False)
                out[i] = game_result(&self.log, self.mover.rules.bingo_tiles)
                self.count_words(&words[0, 0], &words[1, 0], &words[2, 0])

    cdef void count_words(self, uint32_t *played, uint32_t *bingos, uint32_t *formed) noexcept nogil:
        """Count the words of the last game by id: main words of plays, of bingos, and all words that plays formed.

        Tiles never move, so the final board holds the letters of every word; the turn on which each square was
        filled shows where a word ended at the time.
        """
        cdef int side = self.empty.side, k, i, place, cell, step, first, last, line
        cdef int turns[SIDE * SIDE]
        cdef const TurnLog *turn
        cdef const Play *play
        cdef uint32_t word
        for cell in range(side * side):
            turns[cell] = TURN_CAPACITY
        for k in range(self.log.turn_count):
            turn = &self.log.turns[k]
            if turn.kind != PLAY_MOVE:
                continue
            play = &turn.play
            word = self.word_at(play.line, play.start, play.length)
            played[word] += 1
            formed[word] += 1
            if play.placed >= self.mover.rules.bingo_tiles:
                bingos[word] += 1
            line = play.line if play.line < side else play.line - side
            step = side if play.line < side else 1  # from square to square across the line
            for i in range(play.start, play.start + play.length):
                cell = line * side + i if play.line < side else i * side + line
                if turns[cell] < k:
                    continue
                turns[cell] = k
                first = last = place = line  # on the crossing line
                while first > 0 and turns[cell + (first - 1 - place) * step] < k:
                    first -= 1
                while last < side - 1 and turns[cell + (last + 1 - place) * step] < k:
                    last += 1
                if last > first:
                    formed[self.word_at(side + i if play.line < side else i, first, last - first + 1)] += 1

    cdef uint32_t word_at(self, int line, int first, int length) noexcept nogil:
        """Return the id of a word on a line of the board; every word that a play formed is in the lexicon."""
        return find_word(&self.board.tables.view, self.board.board.lines[line].tiles + first, length)

    def count_outcomes(self, uint64_t seed, uint64_t first, uint64_t games, int64_t[:, :, ::1] counts not None):
        """Play games and count their outcomes for the player on turn, at every turn: counts[unseen, spread,
        outcome].

        `unseen`: tiles that the player cannot see; `spread`: the expected spread after the move, rounded, plus
        the middle of the axis, clipped to the axis.  It is own score minus the other's, plus the equity of the
        move, or its score if the bag is empty; `outcome`: 0 lost, 1 tied, 2 won.
        """
        cdef int middle = counts.shape[1] // 2, most = counts.shape[1] - 1, k, unseen, final
        cdef int64_t spread
        cdef uint64_t i
        cdef const TurnLog *turn
        if counts.shape[0] <= self.tile_count or counts.shape[2] != 3:
            raise ValueError("the array of counts does not fit the tile set")
        with nogil:
            for i in range(games):
                self.play(seed, first + i, False)
                unseen = self.tile_count
                for k in range(self.log.turn_count):
                    turn = &self.log.turns[k]
                    final = self.log.final[turn.seat] - self.log.final[1 - turn.seat]
                    spread = turn.score_before[turn.seat] - turn.score_before[1 - turn.seat] + middle
                    spread = 1000 * spread + (turn.equity if turn.bag_before else 1000 * turn.play.score)
                    spread = min(max(spread + 500, 0) // 1000, most)
                    counts[unseen - turn.rack_count, spread, 1 + (final > 0) - (final < 0)] += 1
                    if turn.kind == PLAY_MOVE:
                        unseen -= turn.play.placed
