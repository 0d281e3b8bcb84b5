"""Games replayed in plain Python: bag, racks and rules, from the seed and the number alone.

Shares no code with the kernel: it draws by its own splitmix64, and takes of the log only which move was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.loaded_board import LoadedBoard
from engine.movegen import Plays
from engine.position import BLANK_FLAG, Board, Rack
from engine.selfplay.games import EXCHANGE, PASS, PLAY, GameSetup, PlayedGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Play

MASK = 2**64 - 1


class SplitMix:
    """Steele, Lea and Flood's generator."""

    def __init__(self, state: int) -> None:
        self.state = state & MASK

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return z ^ z >> 31

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32


@dataclass
class Seen:
    """One turn as the replay saw it, before the move."""

    board: LoadedBoard
    rack: Rack
    other: Rack
    bag: int
    scores: list[int]
    seat: int
    play: Play | None
    turn: Any


def replay(setup: GameSetup, game: PlayedGame, seed: int, number: int) -> Iterator[Seen]:
    """Yield every turn of a game and check the log against the rules; ends with the final scores checked."""
    tiles, rules = setup.lexicon.tile_set, setup.rules
    first = SplitMix(seed)
    second = SplitMix(first.next() + number)
    random = SplitMix(second.next())
    bag = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
    for i in range(len(bag) - 1, 0, -1):
        j = random.below(i + 1)
        bag[i], bag[j] = bag[j], bag[i]

    def draw(seat: int) -> int:
        return bag.pop(0 if seat == 0 else -1)

    racks: list[list[int]] = [[], []]
    for seat in range(2):
        racks[seat] = [draw(seat) for _ in range(min(rules.rack_size, len(bag)))]
    scores, zeros, passes, drawn = [0, 0], 0, 0, len(racks[0])
    board = LoadedBoard.load(Board.empty(setup.layout.side), setup.layout, tiles, setup.lexicon)
    over = ""
    for at, turn in enumerate(game.turns):
        assert not over, "the game continues after its end"
        seat = at % 2
        assert turn["seat"] == seat
        rack = Rack(bytes(racks[seat]))
        assert bytes(turn["rack"][: turn["rack_count"]]) == rack.tiles
        assert turn["score_before"].tolist() == scores
        assert turn["bag_before"] == len(bag)
        play = Plays(game.turns["play"][at : at + 1], board, {}).move(0) if turn["kind"] == PLAY else None
        yield Seen(board, rack, Rack(bytes(racks[1 - seat])), len(bag), list(scores), seat, play, turn)
        leave = bytes(turn["leave"][: turn["leave_count"]])
        gone = sorted(rack.tiles)
        for code in leave:
            gone.remove(code)
        racks[seat] = list(leave)
        if play is not None:
            assert sorted(0 if code & BLANK_FLAG else code for _, _, code in play.placements()) == gone
            scores[seat] += int(turn["play"]["score"])
            board = board.after(play)
            drawn += len(gone)
            while bag and len(racks[seat]) < rules.rack_size:
                racks[seat].append(draw(seat))
        elif turn["kind"] == EXCHANGE:
            assert 1 <= len(gone) <= len(bag)
            assert len(bag) >= rules.exchange_limit
            racks[seat] += [draw(seat) for _ in gone]
            for code in gone:
                bag.insert(random.below(len(bag) + 1), code)
        else:
            assert turn["kind"] == PASS
            assert not gone
        zeros = 0 if play is not None and turn["play"]["score"] else zeros + 1
        passes = passes + 1 if turn["kind"] == PASS else 0
        if not racks[seat]:
            over = "went_out"
        elif rules.passes_each and passes >= 2 * rules.passes_each:
            over = "all_passed"
        elif zeros >= rules.zero_turn_limit and (any(scores) or not rules.zero_turns_need_points):
            over = "zero_turns"
        elif zeros >= 200 or at == 1023:
            over = "given_up"
    assert game.ending == over
    assert game.left == tuple(bytes(sorted(rack)) for rack in racks)
    left = [sum(tiles.values[code] for code in rack) for rack in racks]
    final = list(scores)
    for seat in range(2):
        if over != "went_out":
            final[seat] -= left[seat]
        elif rules.ending == "single":
            final[seat] += left[1 - seat] - left[seat]
        elif not racks[seat]:
            final[seat] += 2 * left[1 - seat]
    assert list(game.final) == final
