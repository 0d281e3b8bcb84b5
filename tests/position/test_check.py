"""The check of a position: a possible one passes, and one change to it is found where it breaks a rule."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Board, Player, Position, Rack
from engine.rules import (
    BoardLayout,
    TileSet,
    board_layout,
    board_layout_ids,
    default_rule_set,
    tile_set,
    tile_set_ids,
)
from tests.rules.strategies import tile_sets

PLAIN = ["." * 12] * 12
layouts = st.sampled_from(
    [
        *(board_layout(name) for name in board_layout_ids()),
        BoardLayout.from_rows(PLAIN, [(0, 0)]),
        BoardLayout.from_rows(PLAIN, [(11, 11), (3, 4)]),
        BoardLayout.from_rows(["." * 26] * 26, [(25, 0)]),
    ]
)
texts = st.sampled_from(
    [
        *(None, "NWL20", "8D WORD", "é", "𐐀", "a" * 1000, "a" * 1001),
        *("", " \t", "\u2003", "a;b", "a\n", "\x7f", "\x85", "a\ud800"),
    ]
)
numbers = st.sampled_from([-(10**30), -100_000, -99_999, -1, 0, 1, 5, 7, 8, 99, 100, 99_999, 100_000, 10**30])


@st.composite
def possible_positions(draw) -> Position:
    """Draw a position without faults: tiles that hang together, out of one bag, as are the racks."""
    tiles = draw(st.sampled_from(tile_set_ids()).map(tile_set) | tile_sets)
    layout = draw(layouts)
    rng = draw(st.randoms(use_true_random=False))
    bag = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
    rng.shuffle(bag)
    side, squares = layout.side, bytearray(layout.side**2)
    number = min(draw(st.sampled_from([0, 2, 3, 8, 40, 150])), len(bag))
    row, column = rng.choice(layout.starts)
    edge = [row * side + column] if number > 1 else []
    while edge and number:
        place = edge.pop(rng.randrange(len(edge)))
        if squares[place]:
            continue
        squares[place] = bag.pop() or BLANK_FLAG | rng.randint(1, tiles.alphabet.size)
        number -= 1
        row, column = divmod(place, side)
        edge += [place - side] * (row > 0) + [place + side] * (row < side - 1)
        edge += [place - 1] * (column > 0) + [place + 1] * (column < side - 1)
    players = []
    for _ in range(draw(st.integers(2, 4))):
        count = min(draw(st.integers(0, 7)), len(bag))
        rack = Rack(bytes([bag.pop() for _ in range(count)]))
        part = Rack(rack.tiles[::2])
        known = draw(
            st.sampled_from([(rack, None), (rack, part), (None, part), (None, None), (Rack(), None)])
        )
        players.append(Player(draw(st.integers(-300, 900)), *known))
    rules = default_rule_set(tiles.id)
    return Position(Board(side, bytes(squares)), layout, tiles, rules, tuple(players), 3, "NWL20")


@st.composite
def changes(draw, position: Position) -> Position:
    """Draw one change to a position, which may break it."""
    kind = draw(st.sampled_from(["square", "square", "player", "player", "text", "layout", "rest"]))
    size = position.tile_set.alphabet.size
    codes = st.sampled_from([0, 1, size, size + 1, 63]) | st.integers(0, size)
    if kind == "square":
        squares = bytearray(position.board.squares)
        code = draw(codes | codes.map(lambda code: code | BLANK_FLAG))
        squares[draw(st.integers(0, len(squares) - 1))] = code
        return replace(position, board=Board(position.board.side, bytes(squares)))
    if kind == "player":
        racks = st.none() | st.lists(codes, max_size=9).map(lambda tiles: Rack(bytes(tiles)))
        fields = {"score": numbers, "rack": racks, "known_tiles": racks, "tile_count": st.none() | numbers}
        name = draw(st.sampled_from([*fields, "last_move"]))
        index = draw(st.integers(0, len(position.players) - 1))
        changed = replace(position.players[index], **{name: draw(fields.get(name, texts))})
        return replace(position, players=(*position.players[:index], changed, *position.players[index + 1 :]))
    if kind == "text":
        name, value = (
            draw(st.sampled_from(["gid", "", "a;"])),
            draw(texts.filter(lambda text: text is not None)),
        )
        return replace(
            position, lexicon_id=draw(texts), operations=draw(st.sampled_from([(), ((name, value),)]))
        )
    if kind == "layout":
        return replace(position, layout=draw(layouts))
    others = draw(st.sampled_from([(), (Player(),), (Player(tile_count=7),) * 3]))
    return replace(position, zero_turns=draw(numbers), players=position.players[:1] + others)


@settings(deadline=None, max_examples=150)
@given(possible_positions())
def test_a_possible_position_passes(position) -> None:
    assert not position.faults()
    position.check()


@settings(deadline=None, max_examples=300)
@given(possible_positions(), st.data())
@pytest.mark.long
def test_a_changed_position_passes_exactly_if_it_keeps_the_rules(position, data) -> None:
    for _ in range(data.draw(st.integers(1, 2))):
        position = data.draw(changes(position))
    faults = position.faults()
    if not faults:
        assert keeps_the_rules(position)
        position.check()
        return
    assert not keeps_the_rules(position)
    with pytest.raises(InvalidInput) as caught:
        position.check()
    assert list(caught.value.faults) == faults


def keeps_the_rules(position: Position) -> bool:
    """Decide square by square and tile by tile, without the code of the check."""
    board, tiles, players = position.board, position.tile_set, position.players
    if board.side != position.layout.side or not 2 <= len(players) <= 4:
        return False
    placed = {divmod(place, board.side): code for place, code in enumerate(board.squares) if code}
    starts = [start for start in position.layout.starts if start in placed]
    reached, edge = set(), starts[:1]
    while edge:
        row, column = at = edge.pop()
        if at in placed and at not in reached:
            reached.add(at)
            edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    if placed and (len(placed) == 1 or reached != set(placed)):
        return False
    used = Counter(0 if code & BLANK_FLAG else code for code in placed.values())
    letters = {code & ~BLANK_FLAG for code in placed.values()}
    elsewhere = 0
    for index, player in enumerate(players):
        rack, known = player.rack, player.known_tiles
        held = Counter(() if rack is None else rack.tiles) or Counter(() if known is None else known.tiles)
        used.update(held)
        letters |= set(held)
        size, full = held.total(), position.rules.rack_size
        if max(size, 0 if known is None else len(known)) > full or abs(player.score) > 99_999:
            return False
        if rack is not None and known is not None and Counter(known.tiles) - Counter(rack.tiles):
            return False
        count = player.tile_count
        if count is not None and not size <= count <= (size if rack is not None else full):
            return False
        if index:
            elsewhere += max(size, count or 0)
    if max(letters, default=0) > tiles.alphabet.size:
        return False
    if any(number > tiles.counts[code] for code, number in used.items()):
        return False
    mine = len(players[0].rack) if players[0].rack is not None else 0
    if elsewhere > max(0, tiles.total - len(placed) - mine) or not 0 <= position.zero_turns <= 99:
        return False
    written = [position.lexicon_id, *[player.last_move for player in players]]
    written += [f"{name} {value}" for name, value in position.operations]
    return all(text is None or is_writable(text) for text in written)


def is_writable(text: str) -> bool:
    return (
        len(text.strip()) > 0
        and len(text) <= 1000
        and not any(char == ";" or unicodedata.category(char) in ("Cc", "Cs") for char in text)
    )


def test_a_coil_through_all_rows_is_connected() -> None:
    """Every second row is full, and joined to the next at one end."""
    side, english = 26, tile_set("english")
    squares = bytearray(side * side)
    places = [
        row * side + column
        for row in range(side)
        for column in (range(side) if row % 2 == 0 else [side - 1] if row % 4 == 1 else [0])
    ]
    for number, place in enumerate(places):
        squares[place] = 1 + number % 26
    tiles = TileSet("many", english.alphabet, [0, *[14] * 26], english.values, english.is_vowel)
    layout = BoardLayout.from_rows(["." * side] * side, [(0, 0)])
    coil = Position(Board(side, bytes(squares)), layout, tiles, default_rule_set("english"))
    assert not coil.faults()
    squares[side * side - 2 * side] = 0
    cut = replace(coil, board=Board(side, bytes(squares)))
    assert [fault.code for fault in cut.faults()] == ["floating_tiles"]
