"""A board for people: tiles, blanks, premium squares and coordinates, in colour where there is some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from engine import Play, Player, Position

BLANK_FLAG = 0x80
# (letter factor, word factor) -> mark, style, name. The marks are those that players' programs use.
PREMIUMS = {
    (1, 4): ("~", "bold white on dark_magenta", "quadruple word"),
    (1, 3): ("=", "bold white on red3", "triple word"),
    (1, 2): ("-", "bold white on hot_pink3", "double word"),
    (4, 1): ("^", "bold white on purple4", "quadruple letter"),
    (3, 1): ('"', "bold white on blue3", "triple letter"),
    (2, 1): ("'", "bold white on deep_sky_blue4", "double letter"),
}
OTHER_PREMIUM = ("+", "bold white on grey50", "other premium")
START = ("*", "bold white on dark_green", "start square")
PLAIN = ("·", "grey50")
TILE = "bold black on wheat1"
BLANK_TILE = "bold red3 on wheat1"
NEW_TILE = "bold black on gold1"
NEW_BLANK = "bold red3 on gold1"
EDGE = "dim"


def board_text(position: Position, play: Play | None = None) -> Text:
    """Return the board as lines of text: three characters a square, a legend of its marks at the end.

    The tiles of a play stand upon it in a colour of their own.
    """
    new = {(row, column): code for row, column, code in play.placements()} if play else {}
    side = position.layout.side
    text = Text(no_wrap=True)
    heading = "".join(f" {chr(65 + column)} " for column in range(side))
    text.append(f"    {heading}\n", EDGE)
    legend: dict[str, tuple[str, str]] = {}
    for row in range(side):
        text.append(f" {row + 1:>2} ", EDGE)
        for column in range(side):
            lies = position.board.squares[row * side + column]
            if code := lies or new.get((row, column), 0):
                tile = position.tile_set.alphabet.text([code]).strip("[]")
                text.append(f"{tile:^3}", _tile_style(code, bool(lies)))
            else:
                mark, style = square_mark(position, row, column, legend)
                text.append(f" {mark} ", style)
        text.append(f" {row + 1}\n", EDGE)
    text.append(f"    {heading}\n", EDGE)
    for mark, (style, name) in legend.items():
        text.append("    " if mark == next(iter(legend)) else "  ")
        text.append(f" {mark} ", style)
        text.append(f" {name}", EDGE)
    if any(code & BLANK_FLAG for code in (*position.board.squares, *new.values())):
        text.append("  " if legend else "    ")
        text.append(" a ", BLANK_TILE)
        text.append(" blank", EDGE)
    return text


def _tile_style(code: int, lies: bool) -> str:
    if lies:
        return BLANK_TILE if code & BLANK_FLAG else TILE
    return NEW_BLANK if code & BLANK_FLAG else NEW_TILE


def square_mark(
    position: Position, row: int, column: int, legend: dict[str, tuple[str, str]]
) -> tuple[str, str]:
    """Return the mark and style of a free square, and note in the legend what the mark means."""
    layout = position.layout
    factors = (int(layout.letter_factors[row, column]), int(layout.word_factors[row, column]))
    if position.board.is_empty and (row, column) in layout.starts:
        mark, style, name = START
    elif factors == (1, 1):
        return PLAIN
    else:
        mark, style, name = PREMIUMS.get(factors, OTHER_PREMIUM)
    legend.setdefault(mark, (style, name))
    return mark, style


def players_text(position: Position) -> Text:
    """Return what is known of the players, and the bag, a line each."""
    alphabet = position.tile_set.alphabet
    text = Text()
    bag = position.bag_count()
    for number, player in enumerate(position.players, 1):
        text.append("  on turn   " if number == 1 else f"  player {number}  ", EDGE)
        text.append(f"{player.score:>5}  ")
        tiles, note = _held(position, player, number == 1, bag)
        shown = sorted(tiles, key=lambda code: (code == 0, code))
        text.append(" ".join(alphabet.text([code]).strip("[]") for code in shown), "bold")
        text.append(f"  {note}\n" if tiles and note else f"{note}\n", EDGE)
    in_bag = f"{bag} tile{'' if bag == 1 else 's'} in the bag" if bag else "the bag is empty"
    text.append(f"  {in_bag}", EDGE)
    return text


def _held(position: Position, player: Player, on_turn: bool, bag: int) -> tuple[bytes, str]:
    """Return the tiles that a player holds, as far as they are known, and what to say of the others."""
    if rack := player.rack:
        partial = bag and len(rack) < position.rules.rack_size
        return rack.tiles, f"{len(rack)} of {position.rules.rack_size} tiles given" if partial else ""
    if player.rack is not None and not on_turn:
        return b"", "no tiles"
    if not (on_turn or bag) and position.rack and len(position.players) == 2:
        unseen = bytes(code for code, count in enumerate(position.unseen()) for _ in range(count))
        return unseen, "all that is unseen" if unseen else "no tiles"
    if known := player.known_tiles:
        return known.tiles, "and others, not known"
    return b"", "tiles not known"
