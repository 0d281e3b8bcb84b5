"""Alphabets: convert text to tile codes and back.

Letter i of a tile set has the code i + 1. Code 0 is the blank on a rack and the empty square on a board. A
blank that represents a letter has the code of the letter with `BLANK_FLAG` set.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, excerpt
from engine.messages import Text, message
from engine.rules.readings import readings, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

BLANK_FLAG: Final = 0x80
"""The bit that marks the code of a blank that represents a letter."""

MAX_LETTERS: Final = 63
MAX_LETTER_LENGTH: Final = 3
MAX_NOTATION: Final = 8192
"""Maximum length of a text that is read as tiles, in characters; a full board of 26 x 26 is shorter."""
MAX_WORD: Final = 128
"""Maximum length of a word of a word list, in characters."""

NOTATION_TOKEN: Final = re.compile(r"\[[^\[\]]*\]|.", re.DOTALL)

PIECE: Final = re.compile(r".{1,64}[\u0300-\u036f]{0,8}", re.DOTALL)

# Letters that are not a plain letter with an accent. Each is replaced only if the tile set lacks it.
SPELLED_OUT: Final = {"ẞ": "SS", "Œ": "OE", "Æ": "AE", "Ĳ": "IJ"}

RIGHT_TO_LEFT: Final = ("R", "AL")
"""The bidirectional classes of letters of Hebrew, Arabic and other scripts written from right to left."""

# The Catalan geminated L is typed in many ways, which all mean the tile L·L.
MIDDLE_DOTS: Final = ".-\u2022\u2027\u2219\u22c5\u30fb"
GEMINATED_L: Final = re.compile(rf"L[{re.escape(MIDDLE_DOTS)}]L|\u013F\u00B7?L")


class Alphabet:
    """Hold the letters of a tile set, in its order; convert text to tile codes and back; immutable."""

    __slots__ = (
        "_by_letter",
        "_characters",
        "_fast",
        "_hash",
        "_splitter",
        "_texts",
        "_words",
        "letters",
        "notation",
        "size",
        "spellings",
    )

    def __init__(self, letters: Sequence[str]) -> None:
        if not 1 <= len(letters) <= MAX_LETTERS:
            raise InvalidInput(
                Text(
                    "a tile set has 1 to {most} letters, this one has {count}",
                    most=MAX_LETTERS,
                    count=len(letters),
                ),
                code="too_many_letters" if letters else "no_letters",
                field="tile_set",
            )
        for letter in letters:
            check_letter(letter)
        self.letters: tuple[str, ...] = tuple(letters)
        self.size: int = len(letters)
        self._by_letter: dict[str, int] = {letter: index + 1 for index, letter in enumerate(letters)}
        if len(self._by_letter) < self.size:
            twice = next(letter for letter in letters if letters.count(letter) > 1)
            raise InvalidInput.collected([letter_twice(twice, "tile_set")])
        self._characters = frozenset("".join(letters))
        self.notation: Mapping[str, int] = _notation(self.letters)
        self.spellings: Mapping[str, int] = {**self.notation, **_other_spellings(self.notation)}
        self._texts: tuple[str, ...] = _texts(self.letters)
        self._words: tuple[str, ...] = ("?", *letters)
        self._hash: int = hash(self.letters)
        long_first = sorted((letter for letter in letters if len(letter) > 1), key=len, reverse=True)
        self._splitter: re.Pattern[str] | None = (
            re.compile("|".join([*map(re.escape, long_first), "."]), re.DOTALL) if long_first else None
        )
        self._fast: bytes | None = None if long_first else _ascii_table(self._by_letter)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alphabet) and self.letters == other.letters

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Alphabet({' '.join(self.letters)})"

    @property
    def has_long_tiles(self) -> bool:
        """Whether some tile has several letters."""
        return self._splitter is not None

    def code(self, letter: str) -> int:
        """Return the code of an upper-case letter, 1 to `size`; raise InvalidInput if the set lacks it."""
        code = self._by_letter.get(letter)
        if code is None:
            raise InvalidInput(
                Text("'{text}' is not a letter of this tile set", text=excerpt(letter)),
                code="unknown_tile",
            )
        return code

    def letter(self, code: int) -> str:
        """Return the upper-case letter of a code, with or without BLANK_FLAG; raise InvalidInput."""
        index = code & ~BLANK_FLAG
        if not 1 <= index <= self.size:
            raise InvalidInput(
                Text("{tile_code} is not a tile code of this tile set", tile_code=code), code="unknown_tile"
            )
        return self.letters[index - 1]

    def tokenize(self, text: str) -> list[int]:
        """Read tiles in the notation of boards and racks: "A" a tile, "a" a blank played as A, "?" a blank.

        Tiles of several characters are in brackets, "[CH]", "[ch]". Without brackets the single letters are
        read where they are tiles too (see `engine.rules.readings`). Raises InvalidInput naming the character.
        """
        if len(text) > MAX_NOTATION:
            raise InvalidInput(Text("'{text}' is too long for tiles", text=excerpt(text)), code="too_long")
        notation = self.notation
        tokens = NOTATION_TOKEN.findall(text) if "[" in text else text
        try:
            return [notation[token] for token in tokens]
        except KeyError:
            pass
        split = NOTATION_TOKEN.findall(composed(text))
        for codes in readings(split, self.spellings, longest=False):
            return list(codes)
        token = unreadable(split, self.spellings)
        raise InvalidInput(
            Text("'{text}' is not a tile of this tile set", text=excerpt(token)),
            code="unknown_tile",
        )

    def text(self, codes: Iterable[int]) -> str:
        """Write tile codes in the notation of boards and racks, the inverse of `tokenize`; code 0 is "?"."""
        texts = self._texts
        return "".join([texts[code] for code in codes])

    def counted_text(self, counts: Sequence[int]) -> str:
        """Write a rack with these counts of tiles by code, blanks last; negative counts are 0."""
        texts = self._texts
        letters = [texts[code] * counts[code] for code in range(1, len(counts))]
        return "".join(letters) + "?" * counts[0]

    @property
    def tables(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts that `text` and `word` write for each code: all 256, and those without BLANK_FLAG."""
        return self._texts, self._words

    def word(self, codes: Iterable[int]) -> str:
        """Write tile codes as plain spelling: upper case, no brackets, blanks as their letters."""
        words = self._words
        return "".join([words[code & ~BLANK_FLAG] for code in codes])

    def encode_word(self, text: str) -> bytes:
        """Read a word of a word list as tile codes 1 to size.

        Upper or lower case. Accents are dropped unless the set has the accented letter (Á becomes A in
        Spanish, Ñ stays). Tiles of several letters are matched first, the longest before the others. ß
        becomes SS, Œ OE and Æ AE where the set lacks them. Raises InvalidInput naming the character.
        """
        if self._fast is not None and text.isascii():
            codes = text.encode("ascii").translate(self._fast)
            if 0 not in codes:
                return codes
        return self._encode_slowly(text)

    def _encode_slowly(self, text: str) -> bytes:
        if len(text) > MAX_WORD:
            raise InvalidInput(Text("the word '{word}' is too long", word=excerpt(text)), code="too_long")
        upper = composed(text.upper())
        if "L·L" in self._by_letter:
            upper = GEMINATED_L.sub("L·L", upper)
        by_letter = self._by_letter
        try:
            return bytes([by_letter[letter] for letter in self._split(upper)])
        except KeyError:
            pass
        codes: list[int] = []
        for letter in self._split("".join(self._plain(char) for char in upper)):
            code = by_letter.get(letter)
            if code is None:
                raise InvalidInput(
                    Text(
                        "'{text}' in '{word}' is not a letter of this tile set",
                        text=excerpt(letter),
                        word=excerpt(text),
                    ),
                    code="unknown_letter",
                )
            codes.append(code)
        return bytes(codes)

    def _split(self, upper: str) -> Iterable[str]:
        return upper if self._splitter is None else self._splitter.findall(upper)

    def unaccented(self, text: str) -> str:
        """Return the text without the accents that no letter of the set has; upper and lower case stay."""
        if text.isascii():
            return text
        return "".join([self._unaccented(char) for char in composed(text)])

    def _unaccented(self, char: str) -> str:
        plain = "".join([self._plain(upper) for upper in char.upper()])
        if not self._characters.issuperset(plain):
            return char
        return plain if char.isupper() else plain.lower()

    def _plain(self, char: str) -> str:
        """Return the character if a letter of the set contains it, else without the accents that none has.

        Å with an acute accent is Å in Danish and A in French. An accent alone is the empty text.
        """
        if char in self._characters:
            return char
        if char in SPELLED_OUT:
            return SPELLED_OUT[char]
        parts = unicodedata.normalize("NFD", char)
        base = "".join(part for part in parts if not unicodedata.combining(part))
        accents = [part for part in parts if unicodedata.combining(part)]
        for count in range(len(accents) - 1, 0, -1):
            for some in combinations(accents, count):
                letter = unicodedata.normalize("NFC", base + "".join(some))
                if letter in self._characters:
                    return letter
        return base


def composed(text: str) -> str:
    """Return the text with letters and their combining accents joined (Unicode NFC).

    The time is proportional to the length: Unicode normalization takes n squared steps for n accents in a
    row, so long texts are normalized in pieces, each with few accents at its end.
    """
    if text.isascii():
        return text
    return "".join([unicodedata.normalize("NFC", piece) for piece in PIECE.findall(text)])


def letter_twice(letter: str, field: str) -> Fault:
    """Return the fault of a tile set that has a letter again, at `field`."""
    return Fault(
        "letter_twice",
        Text("the letter {letter} occurs twice in the tile set", letter=excerpt(letter)),
        field,
    )


def check_letter(letter: str, field: str = "tile_set") -> None:
    """Raise InvalidInput unless a text can be a tile: 1 to 3 upper-case letters that have a lower case."""
    lower = letter.lower()
    if not 1 <= len(letter) <= MAX_LETTER_LENGTH:
        name = "length"
        template = message("'{text}' has {count} characters; a letter has 1 to {most}")
    elif not letter[0].isalpha() or not all(char.isalpha() or char in "·'" for char in letter):
        name, template = "no_letter", message("'{text}' is not a letter")
    elif any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in letter):
        name = "right_to_left"
        template = message("'{text}' is of a script written from right to left, which is not supported")
    elif letter != composed(letter):
        name = "not_composed"
        template = message("'{text}' is not in composed form (Unicode NFC)")
    elif letter != letter.upper() or len(lower) != len(letter) or lower.upper() != letter or lower == letter:
        name = "no_lower_case"
        template = message("'{text}' is not an upper-case letter with a lower case, which blanks need")
    else:
        return
    raise InvalidInput(
        Text(template, text=excerpt(letter), reason=name, count=len(letter), most=MAX_LETTER_LENGTH),
        code="bad_letter",
        field=field,
    )


def _notation(letters: Sequence[str]) -> dict[str, int]:
    """Map every token of the notation to its tile code."""
    tokens = {"?": 0}
    for code, letter in enumerate(letters, start=1):
        if len(letter) == 1:
            tokens[letter] = code
            tokens[letter.lower()] = BLANK_FLAG | code
        tokens[f"[{letter}]"] = code
        tokens[f"[{letter.lower()}]"] = BLANK_FLAG | code
    return tokens


def _other_spellings(notation: Mapping[str, int]) -> dict[str, int]:
    """Map other spellings of the Catalan geminated L, if the set has it, to its codes."""
    others: dict[str, int] = {}
    for letters, dotted in (("L·L", "\u013f"), ("l·l", "\u0140")):
        code = notation.get(f"[{letters}]")
        if code is not None:
            others |= {f"[{letters.replace('·', dot)}]": code for dot in MIDDLE_DOTS}
            others |= {f"[{dotted}{rest}]": code for rest in (letters[1:], letters[2])}
    return others


def _texts(letters: Sequence[str]) -> tuple[str, ...]:
    """List the notation of every byte as a tile code."""
    texts = ["\ufffd"] * 256
    texts[0] = "?"
    for code, letter in enumerate(letters, start=1):
        shown = letter if len(letter) == 1 else f"[{letter}]"
        texts[code] = shown
        texts[BLANK_FLAG | code] = shown.lower()
    return tuple(texts)


def _ascii_table(by_letter: Mapping[str, int]) -> bytes:
    """Map ASCII bytes of either case to tile codes, and every other byte to 0."""
    table = bytearray(256)
    for letter, code in by_letter.items():
        if letter.isascii():
            table[ord(letter)] = table[ord(letter.lower())] = code
    return bytes(table)
