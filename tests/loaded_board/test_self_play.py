"""Complete games with the bundled list, dealt from a bag, on a board that is updated after each play."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import BLANK_FLAG, Board, Player, Position, Rack
from engine.rules import board_layout, default_rule_set, tile_set

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue

LEXICON = "scowl80"


@pytest.mark.parametrize("layout_id", ["standard15", "wwf15"])
def test_boards_scores_and_bytes_hold_through_greedy_games(bundled: Catalogue, layout_id: str) -> None:
    """After each play the updated board equals one loaded from scratch, and one read from its bytes.

    And each play's score equals that of the code which describes plays, a third way to count points.
    """
    lexicon, tiles = bundled.open(LEXICON), tile_set("english")
    layout, rules = board_layout(layout_id), default_rule_set("english")
    search = InternalWords(lexicon)
    bingos = 0
    for seed in range(3):
        bag = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
        Random(seed).shuffle(bag)
        racks = [[bag.pop() for _ in range(rules.rack_size)] for _ in range(2)]
        board = LoadedBoard.load(Board.empty(layout.side), layout, tiles, lexicon)
        for turn in range(60):
            rack = racks[turn % 2]
            plays = search.generate(board, Rack(bytes(rack)), rules)
            if not len(plays):
                break
            position = Position(board.board, layout, tiles, rules, (Player(rack=Rack(bytes(rack))), Player()))
            order = plays.best(len(plays))
            for index in [*order[:20], *order[20::37]]:
                assert position.score(plays.move(index)) == plays.array["score"][index]
            play = plays.move(order[0])
            board = board.after(play)
            assert board.phonies() == []
            assert board == LoadedBoard.load(board.board, layout, tiles, lexicon)
            again = LoadedBoard.from_bytes(board.to_bytes(), board.board, layout, tiles, lexicon)
            assert again == board
            board = again
            used = [0 if code & BLANK_FLAG else code for _, _, code in play.placements()]
            bingos += len(used) == rules.bingo_tiles
            for code in used:
                rack.remove(code)
            rack += [bag.pop() for _ in range(min(len(used), len(bag)))]
        assert turn > 15
    assert bingos > 2
