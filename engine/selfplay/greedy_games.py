"""Games in which both players take the play that scores most: the positions of every experiment."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from engine.loaded_board import LoadedBoard
from engine.movegen.internal_words import InternalWords
from engine.position import BLANK_FLAG, Board, Player, Position, Rack
from engine.rules import board_layout, default_rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon import Lexicon
    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet

HOPELESS: Final = 200  # turns without a point from the start on, after which a game is given up


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold one turn: its number in the game (from 1), the position before it, loaded, and the play made.

    `play` is None for an exchange or a pass; `bag_count` the tiles in the bag before the turn.
    """

    number: int
    position: Position
    board: LoadedBoard
    play: Play | None
    bag_count: int


def greedy_game(
    lexicon: Lexicon,
    seed: int,
    number: int,
    *,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
    search: InternalWords | None = None,
) -> Iterator[Turn]:
    """Yield the turns of a game of two greedy players, to its end under the rules.

    The order of the tiles in the bag follows from seed and game number alone. Of plays that score the same
    the first in the order of `Plays.best` is taken. Without a play the whole rack is exchanged if the bag
    allows it, else the player passes. Layout and rules default to the standard board and to those of the
    tile set.
    """
    tile_set = lexicon.tile_set
    layout = layout or board_layout("standard15")
    rules = rules or default_rule_set(tile_set.id)
    search = search or InternalWords(lexicon)
    random = Random(f"{seed}/{number}")  # noqa: S311 - games, not secrets
    bag = [code for code, count in enumerate(tile_set.counts) for _ in range(count)]
    random.shuffle(bag)
    racks = [[bag.pop() for _ in range(min(rules.rack_size, len(bag)))] for _ in range(2)]
    scores, zeros, passes = [0, 0], 0, 0
    board = LoadedBoard.load(Board.empty(layout.side), layout, tile_set, lexicon)
    turn = 0
    while True:
        mover = turn % 2
        rack = Rack(bytes(racks[mover]))
        found = search.best(board, rack, rules)
        play = found.move(0) if len(found) else None
        players = tuple(Player(score=scores[who], rack=Rack(bytes(racks[who]))) for who in (mover, 1 - mover))
        position = Position(board.board, layout, tile_set, rules, players, zeros, lexicon.id)
        turn += 1
        yield Turn(turn, position, board, play, len(bag))
        if play is None:
            zeros += 1
            passes += 1
            if len(bag) >= rules.exchange_limit:
                passes = 0
                bag, racks[mover] = _exchange(bag, racks[mover], random)
        else:
            score = int(found.array["score"][0])
            scores[mover] += score
            zeros = 0 if score else zeros + 1
            passes = 0
            for _, _, code in play.placements():
                racks[mover].remove(0 if code & BLANK_FLAG else code)
            while bag and len(racks[mover]) < rules.rack_size:
                racks[mover].append(bag.pop())
            if not racks[mover]:
                return
            board = board.after(play)
        scored = not rules.zero_turns_need_points or any(scores)
        if zeros >= (rules.zero_turn_limit if scored else HOPELESS):
            return
        if rules.passes_each and passes >= 2 * rules.passes_each:
            return


def _exchange(bag: list[int], rack: list[int], random: Random) -> tuple[list[int], list[int]]:
    """Return bag and rack after new tiles are drawn for all of the rack, and the old ones put back."""
    count = min(len(rack), len(bag))
    kept, drawn = bag[: len(bag) - count], bag[len(bag) - count :]
    kept += rack[:count]
    random.shuffle(kept)
    return kept, drawn + rack[count:]
