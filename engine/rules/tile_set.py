"""A tile set: how many tiles of each letter a game has, and what they are worth."""

from __future__ import annotations

import csv
import hashlib
import io
import unicodedata
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from engine.errors import Fault, InvalidInput, NotFound, check_known, excerpt, message_of
from engine.messages import Text, message
from engine.rules.alphabet import MAX_LETTERS, Alphabet, check_letter, letter_twice
from engine.rules.data_files import data_ids, data_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_COUNT: Final = 63
MAX_VALUE: Final = 99
MAX_TILES: Final = 400
MAX_ITEMS: Final = 2 * MAX_LETTERS + 1
"""The items that are read; so many are always too many letters, or the same letter twice."""
HUGE: Final = 10**9
"""Messages do not repeat numbers of this size."""
HEADING: Final = ["letter", "count", "value", "is_vowel"]


class TileSet:
    """Hold an alphabet with the count, value and vowel mark of each tile; immutable.

    `counts`, `values` and `is_vowel` are indexed by tile code, 0 for the blank.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the public name of the field
        alphabet: Alphabet,
        counts: Sequence[int],
        values: Sequence[int],
        is_vowel: Sequence[bool],
    ) -> None:
        faults = list(_faults(alphabet, counts, values, is_vowel))
        if faults:
            raise InvalidInput.collected(faults)
        self.id = id
        self.alphabet = alphabet
        self.counts: tuple[int, ...] = tuple(counts)
        self.values: tuple[int, ...] = tuple(values)
        self.is_vowel: tuple[bool, ...] = tuple(is_vowel)
        self.total: int = sum(counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileSet) and self.id == other.id and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((self.id, self.sha256))

    def __repr__(self) -> str:
        return f"TileSet({self.id!r}, {self.alphabet.size} letters, {self.total} tiles)"

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters in their order, without the blank; the code of letter i is i + 1."""
        return self.alphabet.letters

    @cached_property
    def _canonical(self) -> str:
        names = ("?", *self.alphabet.letters)
        rows = zip(names, self.counts, self.values, self.is_vowel, strict=True)
        return "".join(f"{name},{count},{value},{int(vowel)}\n" for name, count, value, vowel in rows)

    def canonical(self) -> str:
        """Return the contents as text, a line "letter,count,value,is_vowel" per tile, the blank first."""
        return self._canonical

    @property
    def csv(self) -> str:
        """The contents as a CSV file, which `from_csv` reads."""
        return f"{','.join(HEADING)}\n{self._canonical}"

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the canonical text as hexadecimal digits; it does not depend on the id."""
        return hashlib.sha256(self._canonical.encode()).hexdigest()

    @cached_property
    def identity(self) -> str:
        """The id and the SHA-256 of the contents."""
        return f"{self.id} {self.sha256}"

    @classmethod
    def from_csv(cls, text: str, id: str) -> TileSet:  # noqa: A002
        """Read "letter,count,value,is_vowel" lines below that; raise InvalidInput naming the lines."""
        reader = csv.reader(io.StringIO(text))
        items: list[dict[str, Any]] = []
        faults: list[Fault] = []
        try:
            if next(reader, None) != HEADING:
                raise InvalidInput.collected(
                    [_unreadable(1, Text("the first line must be {heading}", heading=",".join(HEADING)))]
                )
            for row in islice(reader, MAX_ITEMS):
                try:
                    items.append(_read_line(row))
                except ValueError as error:
                    faults.append(_unreadable(reader.line_num, message_of(error)))
        except csv.Error as error:
            faults.append(_unreadable(reader.line_num, str(error)))
        if faults:
            raise InvalidInput.collected(faults)
        return cls.from_letters(items, id)

    @classmethod
    def from_canonical(cls, text: str, id: str) -> TileSet:  # noqa: A002
        """Read what `canonical` returns; raise InvalidInput as `from_csv`."""
        return cls.from_csv(f"{','.join(HEADING)}\n{text}", id)

    @classmethod
    def from_letters(cls, items: Iterable[Mapping[str, Any]], id: str = "custom") -> TileSet:  # noqa: A002
        """Build a tile set from `{letter, count, value, is_vowel}` items; "?" is the blank.

        Without `is_vowel`, the letters A, E, I, O and U with any accent are vowels. Without an item for "?",
        the set has no blank. Limits: 1 to 63 letters of 1 to 3 characters, counts to 63, values to 99, 400
        tiles in all. Raises InvalidInput with every fault; the `field` of one of an item, counted from 0, is
        "tile_set/ITEM" or a name below it.
        """
        letters: list[str] = []
        counts, values = [0], [0]
        vowel_marks: list[Any] = [False]
        faults: list[Fault] = []
        seen: set[str] = set()
        is_counted = True
        for index, item in enumerate(items):
            if index >= MAX_ITEMS:
                break  # far over the limit, so the alphabet below raises
            try:
                letter, count, value = _item(item, index)
            except InvalidInput as error:
                faults += error.faults
                is_counted = False
                continue
            faults += _item_faults(letter, count, value, letter in seen, f"tile_set/{index}")
            seen.add(letter)
            if letter == "?":
                counts[0], values[0] = count, value
                continue
            letters.append(letter)
            counts.append(count)
            values.append(value)
            vowel_marks.append(item.get("is_vowel"))
        if faults:
            raise InvalidInput.collected([*faults, *(_total_faults(counts) if is_counted else ())])
        alphabet = Alphabet(letters)
        vowels = [
            _is_vowel(letter) if vowel is None else bool(vowel)
            for letter, vowel in zip(("?", *letters), vowel_marks, strict=True)
        ]
        return cls(id, alphabet, counts, values, vowels)


def tile_set(id: str) -> TileSet:  # noqa: A002
    """Return a tile set by its name, such as "english"; raise NotFound naming the known ones."""
    return _load(id)


@lru_cache(maxsize=1)
def tile_set_ids() -> tuple[str, ...]:
    """List the names of the tile sets that come with kibitz, sorted."""
    return data_ids("tiles", ".csv")


@lru_cache(maxsize=64)
def _load(name: str) -> TileSet:
    check_known(
        Text("tile set"), name, tile_set_ids(), code="unknown_tile_set", field="tile_set", error=NotFound
    )
    return TileSet.from_csv(data_text("tiles", f"{name}.csv"), name)


def _read_line(row: Sequence[str]) -> dict[str, Any]:
    if len(row) != len(HEADING):
        raise ValueError(Text("it has {count} of {cells} cells", count=len(row), cells=len(HEADING)))
    letter, count, value, vowel = row
    numbers = {"count": _number(count), "value": _number(value), "is_vowel": _number(vowel) == 1}
    return {"letter": letter, **numbers}


def _unreadable(line: int, reason: str) -> Fault:
    detail = Text("line {line} of the tile set is unreadable: {reason}", line=line, reason=reason)
    return Fault("bad_tile_set", detail, "tile_set")


def _number(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) < 10):
        raise ValueError(Text("'{text}' is not a number", text=excerpt(cell)))
    return int(cell)


def _item(item: Mapping[str, Any], index: int) -> tuple[str, int, int]:
    unknown = set(item) - set(HEADING)
    if unknown:
        name = str(min(unknown, key=str))
        raise InvalidInput(
            Text("'{name}' is not a field of a tile", name=excerpt(name)),
            code="bad_tile_set",
            field=f"tile_set/{index}",
        )
    letter, count, value = item.get("letter"), item.get("count"), item.get("value", 0)
    if not isinstance(letter, str):
        raise InvalidInput(
            Text("tile {tile} has no letter", tile=index + 1),
            code="bad_letter",
            field=f"tile_set/{index}/letter",
        )
    for name, number in (("count", count), ("value", value)):
        if not isinstance(number, int) or isinstance(number, bool):
            raise InvalidInput(
                Text(
                    "the {name} of the tile '{letter}' is not a whole number",
                    name=name,
                    letter=excerpt(letter),
                ),
                code="bad_tile_set",
                field=f"tile_set/{index}/{name}",
            )
    assert isinstance(count, int)  # noqa: S101 - for the type checker; checked just above
    assert isinstance(value, int)  # noqa: S101
    return letter, count, value


def _is_vowel(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0] in "AEIOU"


def _faults(
    alphabet: Alphabet, counts: Sequence[int], values: Sequence[int], is_vowel: Sequence[bool]
) -> Iterable[Fault]:
    if not len(counts) == len(values) == len(is_vowel) == alphabet.size + 1:
        yield Fault(
            "bad_tile_set",
            Text("a tile set needs one count, value and vowel mark per letter and blank"),
            "tile_set",
        )
        return
    for letter, count, value in zip(("?", *alphabet.letters), counts, values, strict=True):
        yield from _number_faults(letter, count, value, "tile_set")
    yield from _total_faults(counts)


def _item_faults(letter: str, count: int, value: int, is_known: bool, field: str) -> Iterator[Fault]:
    """Yield what is wrong with an item of a tile set by itself, or because its letter is known already."""
    if letter != "?":
        try:
            check_letter(letter, field)
        except InvalidInput as error:
            yield from error.faults
    if is_known and letter == "?":
        yield Fault("letter_twice", Text("the blank '?' occurs twice in the tile set"), field)
    elif is_known:
        yield letter_twice(letter, field)
    yield from _number_faults(letter, count, value, field)


def _number_faults(letter: str, count: int, value: int, field: str) -> Iterator[Fault]:
    name = excerpt(letter)
    if not 0 <= count <= MAX_COUNT:
        detail = Text("the count of {letter} must be 0 to {most}", letter=name, most=MAX_COUNT)
        yield Fault("bad_count", detail, field)
    if not 0 <= value <= MAX_VALUE:
        detail = Text("the value of {letter} must be 0 to {most}", letter=name, most=MAX_VALUE)
        yield Fault("bad_value", detail, field)
    elif letter == "?" and value:
        yield Fault("bad_value", Text("the value of the blank must be 0"), field)


def _total_faults(counts: Sequence[int]) -> Iterator[Fault]:
    total = sum(counts)
    if not 1 <= total <= MAX_TILES:
        count = max(-HUGE, min(total, HUGE))
        template = message("a tile set has 1 to {most} tiles, not {count}")
        if count != total:
            template = message("a tile set has 1 to {most} tiles, not so many")
        yield Fault("bad_total", Text(template, most=MAX_TILES, count=count), "tile_set")
