"""Read words and patterns of words: letters, wildcards, and classes of letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from engine.errors import InvalidInput, excerpt
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.rules import Alphabet

MAX_SEARCH_TEXT: Final = 128
"""Maximum length of a pattern and of a list of tiles, in characters."""

Run: TypeAlias = tuple[bytes, ...]
"""Consecutive places of a pattern: of each the tile codes that fit, ascending; ANY fits all."""

ANY: Final = b""

_TOKEN: Final = re.compile(r"\[[^\[\]]*\]|[?*]|[^\[\]?*]+|.", re.DOTALL)
_CODES: Final = 256


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hold a pattern: runs of places, with any number of tiles between two runs."""

    runs: tuple[Run, ...]

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, field: str = "pattern") -> Pattern:
        """Read letters of any case, "?" for any one tile, "*" for any number of tiles, and classes.

        "[AEIOU]" is one of these tiles and "[^U]" any tile but these. "[CH]" is the tile CH where the tile
        set has one; "[C H]" is C or H. Consecutive letters are read as in a word list, the longest tiles
        first. Raises InvalidInput naming the first text that is not a letter.
        """
        runs: list[Run] = [()]
        for token in _TOKEN.findall(checked(text, field)):
            if token == "*":  # noqa: S105 - a wildcard, not a password
                if len(runs) == 1 or runs[-1]:
                    runs.append(())
            elif token == "?":  # noqa: S105
                runs[-1] += (ANY,)
            elif token[0] == "[":
                runs[-1] += _bracketed(token, alphabet, field)
            else:
                runs[-1] += _places(read_word(token, alphabet, field))
        return cls(tuple(_joined(runs)))

    @property
    def min_length(self) -> int:
        """The number of tiles of the shortest word that can fit."""
        return sum(map(len, self.runs))

    @property
    def is_open(self) -> bool:
        """Whether longer words can fit, too."""
        return len(self.runs) > 1

    @property
    def is_loose(self) -> bool:
        """Whether some run can be in more than one place."""
        return len(self.runs) > 2

    @property
    def letters(self) -> bytes:
        """The tile codes that every word that fits has, as often as it has them."""
        return b"".join(place for run in self.runs for place in run if len(place) == 1)

    def text(self, alphabet: Alphabet) -> str:
        """Write the pattern; the inverse of `from_text`."""
        return "*".join("".join(_place_text(place, alphabet) for place in run) for run in self.runs)

    def fits(self, columns: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which words fit, (words,), for the letter indices of words of one length, (length, words).

        Each run in the middle is matched as far left as possible, which is correct because any tiles can be
        between two runs. At most length x length / 4 columns are compared.
        """
        length, count = columns.shape
        if length < self.min_length or (length > self.min_length and not self.is_open):
            return np.zeros(count, bool)
        if not self.is_open:
            return _stands_at(columns, self.runs[0], 0)
        first, *middle, last = self.runs
        end = length - len(last)
        fitting = _stands_at(columns, first, 0)
        fitting &= _stands_at(columns, last, end)
        place = np.full(count, len(first), np.uint8)
        for run in middle:
            found = np.full(count, length, np.uint8)
            for start in range(end - len(run), len(first) - 1, -1):
                np.copyto(found, start, where=_stands_at(columns, run, start) & (place <= start))
            fitting &= found < length
            place = found + np.uint8(len(run))
        return fitting


def read_word(text: str, alphabet: Alphabet, field: str = "word") -> bytes:
    """Read a word as tile codes 1..n, as in a word list; brackets mark a tile of several letters ("[CH]ICO").

    Blanks around the word are ignored. Raises InvalidInput naming the first text that is not a letter of the
    tile set.
    """
    codes = bytearray()
    for token in _TOKEN.findall(checked(text, field).strip()):
        try:
            read = alphabet.tokenize(token.upper()) if token[0] == "[" else alphabet.encode_word(token)
        except InvalidInput as error:
            raise InvalidInput(
                error.message, code="unknown_letter", field=field, params=error.params
            ) from None
        codes += bytes(read)
    return bytes(codes)


def checked(text: str, field: str) -> str:
    """Return a text of a query; raise InvalidInput if it is longer than MAX_SEARCH_TEXT."""
    if len(text) > MAX_SEARCH_TEXT:
        raise InvalidInput(
            Text("'{text}' is longer than {most} characters", text=excerpt(text), most=MAX_SEARCH_TEXT),
            code="too_long",
            field=field,
        )
    return text


def _bracketed(token: str, alphabet: Alphabet, field: str) -> Run:
    """Read "[CH]": a tile of the tile set, else a class of tiles."""
    try:
        return _places(bytes(alphabet.tokenize(token.upper())))
    except InvalidInput:
        pass
    if len(token) == 1:  # a bracket that nothing closes
        return _places(read_word(token, alphabet, field))
    letters = token[1:-1].removeprefix("^")
    named = {code for part in letters.split() for code in read_word(part, alphabet, field)}
    every = set(range(1, alphabet.size + 1))
    fitting = every - named if token[1] == "^" else named
    if not named or not fitting:
        raise InvalidInput(
            Text("'{text}' is not a letter of this tile set", text=excerpt(token)),
            code="unknown_letter",
            field=field,
        )
    return (ANY if fitting == every else bytes(sorted(fitting)),)


def _places(codes: bytes) -> Run:
    return tuple(bytes((code,)) for code in codes)


def _place_text(place: bytes, alphabet: Alphabet) -> str:
    if len(place) <= 1:
        return alphabet.text(place or b"\0")
    every = range(1, alphabet.size + 1)
    others = [code for code in every if code not in place]
    negated = len(others) < len(place)
    letters = map(alphabet.letter, others if negated else place)
    return f"[{'^' * negated}{(' ' * alphabet.has_long_tiles).join(letters)}]"


def _joined(runs: list[Run]) -> Iterator[Run]:
    """Yield the runs; a run in the middle that consists of "?" is appended to the run before it."""
    before, *others = runs
    for run in others[:-1]:
        if any(run):
            yield before
            before = run
        else:
            before += run
    yield before
    yield from others[-1:]


def _stands_at(columns: NDArray[np.uint8], run: Run, start: int) -> NDArray[np.bool_]:
    stands = np.ones(columns.shape[1], bool)
    for column, place in enumerate(run, start):
        if len(place) == 1:
            stands &= columns[column] == place[0] - 1
        elif place:
            fitting = np.zeros(_CODES, bool)
            fitting[np.frombuffer(place, np.uint8) - 1] = True
            stands &= fitting[columns[column]]
    return stands
