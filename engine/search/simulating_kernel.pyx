"""Rolls candidates out without the GIL: replies, draws, and what the end of the horizon is worth.

Rollouts of one draw are played side by side and share what they have in common (`sharing`); what they find is the
same as without:

- the opponent's rack is the same for every candidate, and the own rack for every candidate that keeps the same
  tiles: it is taken apart, its leaves valued and its words looked up once (`Mover.choose_beside`);
- a candidate changes some lines of the board: in the others the opponent finds the plays that there were before.
  Their best is found once a draw, and only the changed lines are looked at for a better one (`Standing`);
- the board after a candidate is loaded once for all draws, and a move's tiles go on a board only when somebody
  needs to see them.

The build compiles it for both geometries (geometry.h).  Source: systems.md S; thesis 003, chapter 8.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.choosing_kernel cimport Mover
from engine.search.mover cimport Standing
from engine.search.simulation cimport Candidate, Rollout
from engine.search.tile_order cimport Random

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport SIDE
from engine.loaded_board.loaded_board cimport Line
from engine.movegen.plays cimport lay_play
from engine.search.mover cimport (
    EXCHANGE_MOVE, PASS_MOVE, PLAY_MOVE, Choice, keep_unplayed, sort_tiles,
)
from engine.search.simulation cimport (
    FOUND_COLUMNS, FOUND_ENDED, FOUND_LEAVE, FOUND_OPPONENT_BINGO, FOUND_OPPONENT_SCORE, FOUND_OWN_BINGO,
    FOUND_OWN_SCORE, FOUND_SPREAD, FOUND_WIN, PLAY_OUT_TURNS, WIN_SCALE, final_spread,
    rollout_end, win_chance,
)
from engine.search.tile_order cimport (
    bag_count, draw_tile, fill_bag, game_random, next_random, random_below, return_tile,
)

cdef enum:
    LEAST_SHARING = 3  # boards from which on the best plays of a rack on their common base are worth finding

cdef extern from *:
    """
    #define take_next(counter) __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)
    """
    int32_t take_next(int32_t *counter) nogil

COLUMNS = FOUND_COLUMNS
WIN_UNITS = WIN_SCALE


cdef inline int64_t now() noexcept nogil:
    """Return nanoseconds of the clock that only goes forward."""
    cdef timespec at
    clock_gettime(CLOCK_MONOTONIC, &at)
    return <int64_t> at.tv_sec * 1000000000 + at.tv_nsec


cdef uint64_t changed_lines(const LoadedBoardStruct *before, const LoadedBoardStruct *after) noexcept nogil:
    """Return the lines (bit set) in which a board differs from another."""
    cdef uint64_t lines = 0
    cdef int line
    for line in range(2 * before.side):
        if memcmp(&before.lines[line], &after.lines[line], sizeof(Line)):
            lines |= <uint64_t> 1 << line
    return lines


cdef class Candidates:
    """The moves to compare and what is known of the position; shared by all threads, which only read it and take
    draws from it."""

    def __init__(self, BoardKernel board not None, moves not None, const uint8_t[::1] unplayed not None,
                 const uint8_t[::1] unseen not None, int opponent_count, tuple scores not None,
                 const uint8_t[:, ::1] held not None, const double[::1] shares not None,
                 const uint16_t[:, ::1] wins, int win_unit):
        """Take the board before the moves, and the moves.

        `moves`: (kind, score, leave value, [(square, code)], kept, returned, zeros, passes) each, tiles as
        sorted codes; `unplayed`, `unseen`: by code, tiles not on the board, and those of them that the mover
        cannot see; `opponent_count`: tiles of the opponent's rack; `scores`: own and other's; `held`: what the
        opponent may hold, a row of a count and 7 codes each, and `shares`, their probabilities summed up;
        `wins`: chances by unseen tiles and spread, in parts of `win_unit`, or None.  Raises ValueError for
        what does not fit, MemoryError.
        """
        cdef Candidate *at
        cdef BoardKernel after
        cdef Py_ssize_t i, code
        cdef int n
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        self.letter_count = board.board.letter_count
        if unplayed.shape[0] != self.letter_count + 1 or unseen.shape[0] != self.letter_count + 1:
            raise ValueError("the tiles do not fit the tile set")
        if not held.shape[0] or held.shape[0] != shares.shape[0] or held.shape[1] != 8:
            raise ValueError("the opponent's tiles are a row of a count and 7 codes, each with its share")
        if wins is not None and (not wins.shape[0] or wins.shape[1] < 3 or not wins.shape[1] & 1):
            raise ValueError("the table of chances has no middle")
        self.tables = board.tables
        self.base = board
        self.kept = [bytes(move[4]) for move in moves]
        self.count = <int> len(moves)
        self.items = <Candidate *> calloc(max(self.count, 1), sizeof(Candidate))
        if not self.items:
            raise MemoryError
        for i, (kind, score, leave_value, placed, kept, returned, zeros, passes) in enumerate(moves):
            at = &self.items[i]
            after = board
            if placed:
                after = board.after(placed)
            memcpy(&at.board, &after.board, sizeof(LoadedBoardStruct))
            at.changed = changed_lines(&board.board, &after.board)
            at.kind, at.score, at.leave_value, at.zeros, at.passes = kind, score, leave_value, zeros, passes
            if len(kept) > 7 or len(returned) > 7:
                raise ValueError("a rack holds at most 7 tiles")
            at.kept_count, at.returned_count = len(kept), len(returned)
            for n in range(at.kept_count):
                at.kept[n] = kept[n]
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
        if not 0 <= opponent_count <= min(7, self.unseen_count):
            raise ValueError("the opponent cannot hold so many tiles")
        self.opponent_count = opponent_count
        self.scores[0], self.scores[1] = scores
        self.held, self.shares, self.wins, self.win_unit = held, shares, wins, win_unit

    def __dealloc__(self):
        free(self.items)

    def restart(self):
        """Begin a step: `Simulator.run` takes its draws from the first on, in whatever thread."""
        self.next_draw = 0


cdef class Simulator:
    """Rolls candidates out; holds the scratch memory of one thread."""

    def __init__(self, Mover mover not None, EvaluatorKernel replies not None, int plies, int refills,
                 bint play_out, bint sharing):
        """Take what chooses the replies, and how far to look.

        `plies`: turns after the candidate; `refills`: own racks drawn for each reply (more than one only with
        2 plies); `play_out`: go on to the end of the game once the bag is empty; `sharing`: see the module; the
        replies then value leaves by the rack alone while tiles are in the bag.
        """
        if plies < 0 or refills < 1 or (refills > 1 and (plies != 2 or play_out)):
            raise ValueError("own racks are drawn anew with a horizon of 2 plies alone")
        self.mover = mover
        self.replies = replies
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = mover.tables
        self.plies = plies
        self.refills = refills
        self.play_out = play_out
        self.sharing = sharing and plies > 0 and refills == 1

    def __dealloc__(self):
        free(self.together)
        free(self.order)

    cdef int reserve(self, int count) except -1:
        """Make room for so many rollouts side by side."""
        if count <= self.room:
            return 0
        free(self.together)
        free(self.order)
        self.room = 0
        self.together = <Rollout *> malloc(count * sizeof(Rollout))
        self.order = <int32_t *> malloc(count * sizeof(int32_t))
        if not self.together or not self.order:
            raise MemoryError
        self.room = count
        return 0

    def run(self, Candidates candidates not None, const int32_t[::1] chosen not None, uint64_t seed,
            uint64_t first, int64_t deadline, int32_t[:, :, ::1] found not None):
        """Roll the chosen candidates out, each once a draw, with draws that no thread has taken in this step.

        `found`: (draws, chosen, COLUMNS), written here; its row i is draw first + i of the seed, which is the
        same for every candidate, whoever else is chosen.  Returns the row of the draw at which `deadline`
        (nanoseconds of the monotonic clock, 0: none) or `stop` cut this thread short, else the number of rows.
        """
        cdef int i, k, count = <int> found.shape[0]
        cdef bint whole = True
        if found.shape[1] != chosen.shape[0] or found.shape[2] != FOUND_COLUMNS:
            raise ValueError("the findings do not fit the candidates")
        if candidates.tables is not self.mover.tables:
            raise ValueError("the candidates were made with another lexicon")
        for k in range(chosen.shape[0]):
            if not 0 <= chosen[k] < candidates.count:
                raise ValueError("there is no such candidate")
        self.reserve(<int> chosen.shape[0])
        kept = [candidates.kept[k] for k in chosen]
        for i, k in enumerate(sorted(range(len(kept)), key=kept.__getitem__)):
            self.order[i] = k
        self.deadline = deadline
        with nogil:
            while True:
                i = take_next(&candidates.next_draw)
                if i >= count:
                    break
                self.deal(candidates, seed, first + i)
                if self.sharing:
                    whole = self.roll_out_together(candidates, chosen, found[i])
                else:
                    for k in range(chosen.shape[0]):
                        whole = self.roll_out(candidates, &candidates.items[chosen[k]], &found[i, k, 0])
                        if not whole:
                            break
                if not whole:
                    break
        return count if whole else i

    def stop(self):
        """Cut this thread short, now and for good; any thread may ask."""
        self.stopped = True

    cdef bint late(self) noexcept nogil:
        return self.stopped or (self.deadline and now() > self.deadline)

    cdef void deal(self, Candidates c, uint64_t seed, uint64_t number) noexcept nogil:
        """Draw the opponent's rack and the order of the bag."""
        cdef Rollout *r = &self.dealt
        cdef Py_ssize_t low = 0, high = c.shares.shape[0] - 1, middle
        cdef uint8_t counts[65]
        cdef double share
        cdef int i
        r.random = game_random(seed, number)
        share = (next_random(&r.random) >> 11) / 9007199254740992.0 * c.shares[high]
        while low < high:
            middle = (low + high) // 2
            if share < c.shares[middle]:
                high = middle
            else:
                low = middle + 1
        memcpy(counts, c.unseen, sizeof(counts))
        r.rack_counts[1] = c.held[low, 0]
        for i in range(r.rack_counts[1]):
            r.racks[1][i] = c.held[low, i + 1]
            counts[r.racks[1][i]] -= 1
        fill_bag(&r.bag, counts, c.letter_count, &r.random)
        while r.rack_counts[1] < c.opponent_count:
            r.racks[1][r.rack_counts[1]] = draw_tile(&r.bag, 1)
            r.rack_counts[1] += 1
        sort_tiles(r.racks[1], r.rack_counts[1])

    cdef bint roll_out_together(self, Candidates c, const int32_t[::1] chosen,
                                int32_t[:, ::1] found) noexcept nogil:
        """Play one rollout of each chosen candidate; false if the deadline came before.

        First the opponent replies to all, with one rack; then they go on, those together whose own rack is the
        same.
        """
        cdef int count = <int> chosen.shape[0], at, k, held = 0
        cdef Rollout *r
        cdef uint8_t rack[7]
        self.mover.begin(&self.replying, count >= LEAST_SHARING)
        for k in range(count):
            if self.late():
                return False
            r = &self.together[k]
            memset(&found[k, 0], 0, FOUND_COLUMNS * sizeof(int32_t))
            self.begin(c, &c.items[chosen[k]], r)
            if not r.over:
                self.take_turn(c, r, &found[k, 0], &self.replying)
        for at in range(count):
            if self.late():
                return False
            k = self.order[at]
            r = &self.together[k]
            if not at or held != r.rack_counts[0] or memcmp(rack, r.racks[0], held):
                held = r.rack_counts[0]
                memcpy(rack, r.racks[0], held)
                self.mover.begin(&self.going_on, False)  # two moves leave too few lines as they were
            self.play_on(c, r, &found[k, 0])
            self.judge(c, r, &found[k, 0])
        return True

    cdef bint roll_out(self, Candidates c, const Candidate *candidate, int32_t *found) noexcept nogil:
        """Play one rollout, or one for each refill; false if the deadline came before."""
        cdef Rollout *r = &self.rollout
        cdef int64_t sums[8]
        cdef int i
        if self.late():
            return False
        memset(found, 0, FOUND_COLUMNS * sizeof(int32_t))
        self.begin(c, candidate, r)
        if self.refills == 1 or r.over:
            self.play_on(c, r, found)
            self.judge(c, r, found)
            return True
        self.take_turn(c, r, found, NULL)
        if r.over:
            self.judge(c, r, found)
            return True
        self.lay_pending(r)
        memset(sums, 0, sizeof(sums))
        for _ in range(self.refills):
            if self.late():
                return False
            self.again = r[0]
            self.draw_anew(candidate, &self.again, &r.random)
            self.take_turn(c, &self.again, found, NULL)
            self.judge(c, &self.again, found)
            for i in range(FOUND_COLUMNS):
                sums[i] += found[i]
        for i in range(FOUND_COLUMNS):
            if i != FOUND_OPPONENT_SCORE and i != FOUND_OPPONENT_BINGO:
                found[i] = <int32_t> (sums[i] // self.refills)
        return True

    cdef void begin(self, Candidates c, const Candidate *candidate, Rollout *r) noexcept nogil:
        """Make the candidate's move, and draw for it."""
        cdef int i
        memcpy(r, &self.dealt, sizeof(Rollout))
        r.board = &candidate.board
        r.changed = candidate.changed
        r.pending = 0
        memcpy(r.unplayed, candidate.unplayed, sizeof(r.unplayed))
        memcpy(r.racks[0], candidate.kept, 7)
        r.rack_counts[0] = candidate.kept_count
        r.scores[0] = c.scores[0] + candidate.score
        r.scores[1] = c.scores[1]
        r.leave_values[0] = candidate.leave_value
        r.leave_values[1] = 0
        r.zeros = candidate.zeros
        r.passes = candidate.passes
        r.turns = 0
        if candidate.kind != PASS_MOVE:
            self.refill(r, 0, candidate.returned_count)
        for i in range(candidate.returned_count):
            return_tile(&r.bag, candidate.returned[i], &r.random)
        self.end_turn(r, 0)

    cdef void refill(self, Rollout *r, int seat, int exchanged) noexcept nogil:
        """Draw as many tiles as were exchanged, or else until the rack is full or the bag empty."""
        cdef int wanted = r.rack_counts[seat] + exchanged if exchanged else self.mover.rules.rack_size
        while r.rack_counts[seat] < wanted and bag_count(&r.bag):
            r.racks[seat][r.rack_counts[seat]] = draw_tile(&r.bag, seat)
            r.rack_counts[seat] += 1
        sort_tiles(r.racks[seat], r.rack_counts[seat])

    cdef void end_turn(self, Rollout *r, int seat) noexcept nogil:
        """Tell whether the turn ended the game."""
        r.over = rollout_end(&self.mover.rules, r.rack_counts[seat], r.zeros, r.passes,
                             not r.scores[0] and not r.scores[1])

    cdef void play_on(self, Candidates c, Rollout *r, int32_t *found) noexcept nogil:
        """Take turns up to the horizon, or to the end of the game once the bag is empty."""
        while not r.over and (r.turns < self.plies or (self.play_out and not bag_count(&r.bag)
                                                       and r.turns < PLAY_OUT_TURNS)):
            self.take_turn(c, r, found, &self.going_on if self.sharing and r.turns == 1 else NULL)

    cdef void lay_pending(self, Rollout *r) noexcept nogil:
        """Put the tiles of the last move on the scratch board."""
        if not r.pending:
            return
        if r.board != &self.board.board:
            memcpy(&self.board.board, r.board, sizeof(LoadedBoardStruct))
            r.board = &self.board.board
        r.changed |= self.board.place_tiles(r.cells, r.codes, r.pending)
        r.pending = 0

    cdef void take_turn(self, Candidates c, Rollout *r, int32_t *found, Standing *standing) noexcept nogil:
        """Choose a move and carry it out; its tiles go on the board when somebody needs to see them.

        `standing`: what rollouts with the same rack share, NULL: nothing.
        """
        cdef int seat = 1 - (r.turns & 1), i, laid, unseen_count = bag_count(&r.bag) + r.rack_counts[1 - seat]
        cdef int spread = r.scores[seat] - r.scores[1 - seat]
        cdef Choice choice
        cdef uint8_t unseen[65]
        cdef uint8_t rack[7]
        cdef uint8_t exchanged[7]
        cdef int count = r.rack_counts[seat]
        self.lay_pending(r)
        memcpy(unseen, r.unplayed, sizeof(unseen))
        memcpy(rack, r.racks[seat], 7)
        for i in range(count):
            unseen[rack[i]] -= 1
        if standing == NULL:
            self.mover.choose(r.board, rack, count, unseen, unseen_count, bag_count(&r.bag), spread,
                              self.replies.valuer, &choice)
        else:
            self.mover.choose_beside(&c.base.board, r.changed, standing, r.board, rack, count, unseen,
                                     unseen_count, bag_count(&r.bag), spread, self.replies.valuer, &choice)
        if r.turns < 2:
            found[FOUND_OWN_SCORE if r.turns else FOUND_OPPONENT_SCORE] = 1000 * choice.play.score
            found[FOUND_OWN_BINGO if r.turns else FOUND_OPPONENT_BINGO] = \
                1000 * (choice.play.placed >= self.mover.rules.bingo_tiles)
        r.leave_values[seat] = 0 if self.replies.valuer == NULL else choice.equity - 1000 * choice.play.score
        r.rack_counts[seat] = choice.kept_count
        memcpy(r.racks[seat], choice.kept, 7)
        r.zeros = 0 if choice.kind == PLAY_MOVE and choice.play.score else r.zeros + 1
        r.passes = r.passes + 1 if choice.kind == PASS_MOVE else 0
        if choice.kind == PLAY_MOVE:
            r.pending = lay_play(&self.mover.tables.view, r.board, &choice.play, r.cells, r.codes)
            for i in range(r.pending):
                r.unplayed[0 if r.codes[i] & 0x80 else r.codes[i]] -= 1
            r.scores[seat] += choice.play.score
            self.refill(r, seat, 0)
        elif choice.kind == EXCHANGE_MOVE:
            laid = keep_unplayed(rack, count, choice.kept, choice.kept_count, exchanged)
            self.refill(r, seat, laid)
            for i in range(laid):
                return_tile(&r.bag, exchanged[i], &r.random)
        r.turns += 1
        self.end_turn(r, seat)

    cdef void draw_anew(self, const Candidate *candidate, Rollout *r, Random *random) noexcept nogil:
        """Draw the own rack again, from the bag and what was drawn before, but not what was exchanged."""
        cdef uint8_t tiles[7]
        cdef uint8_t back[65]
        cdef uint8_t pool[400]
        cdef uint8_t kept_back[7]
        cdef int drawn, size, i, j, asides = 0
        cdef uint8_t tile
        drawn = keep_unplayed(r.racks[0], r.rack_counts[0], candidate.kept, candidate.kept_count, tiles)
        memset(back, 0, sizeof(back))
        for i in range(candidate.returned_count):
            back[candidate.returned[i]] += 1
        memcpy(pool, tiles, drawn)
        size = drawn
        for i in range(r.bag.first, r.bag.end):
            tile = r.bag.tiles[i]
            if back[tile]:
                back[tile] -= 1
                kept_back[asides] = tile
                asides += 1
            else:
                pool[size] = tile
                size += 1
        memcpy(r.racks[0], candidate.kept, 7)
        for i in range(drawn):
            j = i + random_below(random, size - i)
            tile = pool[i]
            pool[i] = pool[j]
            pool[j] = tile
            r.racks[0][candidate.kept_count + i] = pool[i]
        sort_tiles(r.racks[0], r.rack_counts[0])
        memcpy(pool + size, kept_back, asides)
        r.bag.first = 0
        r.bag.end = size - drawn + asides
        memcpy(r.bag.tiles, pool + drawn, r.bag.end)

    cdef void judge(self, Candidates c, const Rollout *r, int32_t *found) noexcept nogil:
        """Write what the end of the rollout is worth.

        A game that has ended is worth its final spread; else the leaves of both sides' last moves are added,
        and the chance to win is that of whoever is on turn (with an empty bag by the spread alone).
        """
        cdef int64_t spread = 1000 * <int64_t> (r.scores[0] - r.scores[1])
        cdef int seat = 1 - (r.turns & 1), unseen = bag_count(&r.bag) + r.rack_counts[1 - seat]
        cdef int32_t chance
        if r.over:
            spread = final_spread(&self.mover.rules, r.board, r)
            found[FOUND_SPREAD] = <int32_t> (1000 * spread)
            found[FOUND_WIN] = WIN_SCALE // 2 * (1 + (spread > 0) - (spread < 0))
            found[FOUND_LEAVE] = 0
            found[FOUND_ENDED] = 1000
            return
        found[FOUND_ENDED] = 0
        found[FOUND_LEAVE] = r.leave_values[0] - r.leave_values[1]
        found[FOUND_SPREAD] = <int32_t> (spread + found[FOUND_LEAVE])
        found[FOUND_WIN] = 0
        if c.wins is None:
            return
        if bag_count(&r.bag):
            spread += found[FOUND_LEAVE]
        chance = win_chance(&c.wins[0, 0], <int> c.wins.shape[0], <int> c.wins.shape[1] // 2, c.win_unit,
                            -spread if seat else spread, unseen)
        found[FOUND_WIN] = WIN_SCALE - chance if seat else chance
