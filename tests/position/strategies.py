"""Hypothesis strategies for boards and positions of every size and alphabet."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.position import BLANK_FLAG, Board, Player, Position, Rack
from engine.rules import BoardLayout, board_layout, default_rule_set
from tests.rules.strategies import tile_sets


@st.composite
def boards(draw, size: int) -> Board:
    """Draw a board with tiles anywhere, for an alphabet of `size` letters."""
    side = draw(st.integers(10, 26))
    code = st.builds(
        lambda letter, flag: letter | flag, st.integers(1, size), st.sampled_from([0, 0, BLANK_FLAG])
    )
    tiles = draw(st.dictionaries(st.integers(0, side * side - 1), code, max_size=60))
    squares = bytearray(side * side)
    for place, tile in tiles.items():
        squares[place] = tile
    return Board(side, bytes(squares))


def racks(size: int, most: int = 7):
    """Draw racks of up to `most` tiles."""
    return st.lists(st.integers(0, size), max_size=most).map(lambda tiles: Rack(bytes(tiles)))


@st.composite
def positions(draw) -> Position:
    """Draw a position of any size, alphabet and rules; it need not be possible."""
    tiles = draw(tile_sets)
    size = tiles.alphabet.size
    board = draw(boards(size))
    if board.side == 15:
        layout = board_layout(draw(st.sampled_from(["standard15", "wwf15"])))
    elif board.side == 21:
        layout = board_layout("super21")
    else:
        layout = BoardLayout.from_rows(["." * board.side] * board.side, [(1, 1)])
    score = st.integers(-500, 900)
    players = [Player(draw(score), draw(racks(size)))]
    for _ in range(draw(st.integers(1, 3))):
        players.append(Player(draw(score), draw(st.none() | racks(size))))
    changes = st.fixed_dictionaries(
        {}, optional={"bingo_bonus": st.integers(0, 99), "ending": st.sampled_from(["single", "double"])}
    )
    return Position(
        board=board,
        layout=layout,
        tile_set=tiles,
        rules=default_rule_set(tiles.id).changed(**draw(changes)),
        players=tuple(players),
        zero_turns=draw(st.integers(0, 12)),
        lexicon_id=draw(st.none() | st.sampled_from(["NWL20", "FILE2017"])),
        operations=draw(st.sampled_from([(), (("gid", "x1"), ("var", "classic"), ("new", ""))])),
    )
