"""A rack: the tiles in a player's hand, in no order."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt, quoted
from engine.position.board_text import tile_texts
from engine.position.filling import filled
from engine.position.squares import ordered
from engine.rules import BLANK_FLAG, MAX_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.rules import Alphabet

MAX_RACK_TEXT: Final = 2000
"""The longest text that is read as a rack, in characters: 400 tiles of five, as many as a set can have."""


@dataclass(frozen=True, slots=True)
class Rack:
    """Hold a multiset of tiles; immutable.

    `tiles` holds the tile codes in ascending order, so blanks (code 0) come first. `alphabet` names them when
    the rack is printed; it has no part in comparisons.
    """

    tiles: bytes = b""
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        tiles = ordered(self.tiles)
        if tiles and tiles[-1] > MAX_LETTERS:
            raise InvalidInput(
                "a rack holds tiles and undesignated blanks only", code="bad_rack", field="rack"
            )
        object.__setattr__(self, "tiles", tiles)

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, field: str = "rack") -> Rack:
        """Read tiles in any order, "?" a blank, "[CH]" a tile of two characters; the inverse of `text`.

        "CH" is two tiles where C and H are tiles, else one (see `engine.rules.readings`). Raises InvalidInput
        naming what is no tile; a lower-case letter is none, for a blank in a rack has no letter yet.
        """
        tiles = tile_texts(alphabet).read_rack(text)
        if tiles is None:
            tiles = ordered(_read_carefully(text, alphabet, field))
        return filled(cls, tiles, alphabet)

    def __len__(self) -> int:
        return len(self.tiles)

    def __iter__(self) -> Iterator[str]:
        """Yield the letter of each tile, blanks ("?") last; raise ValueError without an alphabet."""
        if self.alphabet is None:
            raise ValueError("this rack has no alphabet, so its tiles have no letters")
        blanks = self.tiles.count(0)
        names = [self.alphabet.letter(code) for code in self.tiles[blanks:]]
        return iter(names + ["?"] * blanks)

    def __str__(self) -> str:
        return self.tiles.hex() if self.alphabet is None else self.text(self.alphabet)

    def __repr__(self) -> str:
        return f"Rack({self.tiles if self.alphabet is None else str(self)!r})"

    def counts(self, size: int) -> tuple[int, ...]:
        """Count the tiles by code for an alphabet of `size` letters; index 0 counts the blanks."""
        count = self.tiles.count
        return tuple([count(code) for code in range(size + 1)])

    def text(self, alphabet: Alphabet) -> str:
        """Write the tiles in the order of the tile set, blanks last: "AEIRST?"."""
        return tile_texts(alphabet).write_rack(self.tiles)


def _read_carefully(text: str, alphabet: Alphabet, field: str) -> bytes:
    """Read the codes of what the kernel could not read, or say why."""
    if len(text) > MAX_RACK_TEXT:
        raise InvalidInput(
            f"{quoted(text)} is too long for a rack",
            code="rack_too_long",
            field=field,
            params={"text": excerpt(text)},
        )
    try:
        codes = alphabet.tokenize(text)
    except InvalidInput as error:
        raise InvalidInput(
            f"in the rack, {error}", code="unknown_tile", field=field, params=error.params
        ) from None
    for code in codes:
        if code & BLANK_FLAG:
            tile = alphabet.text([code])
            raise InvalidInput(
                f"in the rack, {quoted(tile)} is no tile; a blank is written '?'",
                code="unknown_tile",
                field=field,
                params={"text": tile},
            )
    return bytes(codes)
