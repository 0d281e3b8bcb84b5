"""A rack: the tiles that a player holds, without an order."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from engine.rules import BLANK_FLAG, MAX_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.rules import Alphabet

MAX_RACK_TEXT: Final = 2000
"""Maximum length of the text of a rack in characters: the 400 tiles of the largest tile set, five each."""


_TILES: Final = [bytes([code]) for code in range(256)]


@dataclass(frozen=True, slots=True)
class Rack:
    """Hold a multiset of tiles; immutable.

    `tiles` holds the tile codes in ascending order, so blanks (code 0) come first. `alphabet` gives the
    letters when the rack is printed; comparisons ignore it.
    """

    tiles: bytes = b""
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        tiles = bytes(sorted(self.tiles))
        if tiles and tiles[-1] > MAX_LETTERS:
            raise InvalidInput(
                Text("a rack holds only letters and blanks without a letter"), code="bad_rack", field="rack"
            )
        object.__setattr__(self, "tiles", tiles)

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, field: str = "rack") -> Rack:
        """Read tiles in any order, "?" a blank, "[CH]" a tile of two characters; the inverse of `text`.

        An upper-case letter is one tile, as in a CGP: "CH" is C and H where both are tiles, else the tile CH
        ([CGP], see `engine.rules.readings`). Raises InvalidInput naming the first text that is not a tile; a
        lower-case letter is not, because a blank on a rack has no letter yet.
        """
        if len(text) > MAX_RACK_TEXT:
            detail = Text("'{text}' is too long for a rack", text=excerpt(text))
            raise InvalidInput(detail, code="rack_too_long", field=field)
        try:
            codes = alphabet.tokenize(text)
        except InvalidInput as error:
            detail = Text("in the rack, {fault}", fault=error.message)
            raise InvalidInput(detail, code="unknown_tile", field=field, params=error.params) from None
        if codes and max(codes) & BLANK_FLAG:
            tile = alphabet.text([next(code for code in codes if code & BLANK_FLAG)])
            detail = Text("in the rack, '{text}' is not a tile; a blank is written '?'", text=excerpt(tile))
            raise InvalidInput(detail, code="unknown_tile", field=field)
        return cls(bytes(codes), alphabet)

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

    @property
    def multiplicities(self) -> dict[int, int]:
        """How often the rack holds each of its tiles, by code, the lowest first."""
        return {code: self.tiles.count(code) for code in sorted(set(self.tiles))}

    def subset_count(self) -> int:
        """Return how many different multisets of its tiles a rack contains, from none to all of them."""
        return prod([count + 1 for count in self.multiplicities.values()])

    def leave_number(self, used: bytes) -> int:
        """Return the number of the leave after some tiles are used, in the order of `movegen.leaves`.

        Raises KeyError for a tile that the rack lacks.
        """
        weights, weight = {}, 1
        for code, count in self.multiplicities.items():
            weights[code] = weight
            weight *= count + 1
        return weight - 1 - sum([weights[code] for code in used])

    def without(self, used: bytes) -> Rack:
        """Return the rack without some tiles; tiles that it lacks, as after an illegal move, are ignored."""
        left = self.tiles
        for code in used:
            left = left.replace(_TILES[code], b"", 1)
        return Rack(left, self.alphabet)

    def missing(self, tiles: bytes) -> list[int]:
        """List those of some tiles that the rack lacks, by code, the lowest first."""
        return list((Counter(sorted(tiles)) - Counter(self.tiles)).elements())

    def text(self, alphabet: Alphabet) -> str:
        """Write the tiles in the order of the tile set, blanks last: "AEIRST?"."""
        blanks = self.tiles.count(0)
        return alphabet.text(self.tiles[blanks:]) + "?" * blanks
