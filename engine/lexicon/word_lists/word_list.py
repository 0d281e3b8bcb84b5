"""Read a word list, one word a line: decompress and decode it, and convert its words to tile codes.

A word graph (`word_graph`) has tile codes already; it is known by the ending of its name.

The lines are converted some at a time, because those of a list of millions of words would take a gigabyte as
Python strings.

Nothing is dropped silently: the report counts duplicates and every line that is not a playable word, by
reason, and lists the first hundred of these lines with their number.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidInput, WordListError, excerpt, message_of
from engine.lexicon.word_lists.word_graph import EXTENSION, graph_entries, graph_nodes
from engine.lexicon.word_lists.word_list_text import decoded, decompressed, file_bytes, written_out
from engine.messages import Text, message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.rules import Alphabet

Progress = Callable[[str, float], None]
"""Called with the name of a stage and the share of it done, 0.0 to 1.0."""

MIN_WORD: Final = 2
MAX_NAMED_LINES: Final = 100  # unplayable lines that the report contains; all are counted

_SAMPLE: Final = 1 << 16  # characters that show whether a list carries definitions
_MAX_LINE_SHOWN: Final = 40
_CHARACTERS_AT_A_TIME: Final = 1 << 20

# Marks in the encoded text; tile codes are 1 to 63.
_LINE_END: Final = 255
_UNKNOWN: Final = 254
_NO_TILE: Final = "\0"  # cannot occur in decoded text
_TILE_AT: Final = 0xF0000  # a private-use plane: multi-character tile with code c is chr(_TILE_AT + c)


@dataclass(frozen=True, slots=True)
class UnplayableLine:
    """Describe a line that is not a playable word: its number from 1, its text and the reason."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WordListReport:
    """Describe a word list: `unplayable` counts lines by reason, `unplayable_lines` the first ones.

    `definitions`: whether text after the first blank of a line was skipped.
    """

    encoding: str
    lines: int
    words: int
    duplicates: int
    too_short: int
    too_long: int
    unplayable: dict[str, int] = field(default_factory=dict)
    unplayable_lines: tuple[UnplayableLine, ...] = ()
    definitions: bool = False

    @property
    def dropped(self) -> int:
        """The number of lines with text that are not playable words."""
        return self.too_short + self.too_long + sum(self.unplayable.values())


@dataclass(frozen=True, slots=True)
class WordList:
    """A word list in tile codes: distinct words, sorted by code, and the SHA-256 of their text."""

    words: NDArray[np.bytes_]
    sha256: str
    report: WordListReport


def read_word_list(
    source: Path | bytes,
    alphabet: Alphabet,
    *,
    encoding: str | None = None,
    max_length: int,
    progress: Progress | None = None,
) -> WordList:
    """Read a word list from a `.txt`, `.gz`, `.xz` or `.kwg` file, or from its bytes; it may be front-coded.

    Words are in upper or lower case and have 2 to `max_length` tiles; `alphabet.encode_word` defines accents
    and digraphs. Lines end in any way; blank lines are skipped. If most lines contain a blank, they carry
    definitions, and only the text before the first blank is read. Without `encoding` it is detected:
    byte-order mark, valid UTF-8, UTF-16 by its zero bytes, else the one-byte encoding whose characters fit
    the tile set best. `sha256` is that of the decompressed and decoded bytes.

    Raises WordListError if the file cannot be read, decompressed or decoded (naming the line), or has no
    playable word.
    """
    if not isinstance(source, bytes) and source.suffix.lower() == EXTENSION:
        return _from_graph(source, alphabet, max_length)
    raw = written_out(decompressed(source if isinstance(source, bytes) else file_bytes(source)))
    if progress is not None:
        progress("decode", 0.0)
    text, used = decoded(raw, alphabet, encoding)
    sha256 = hashlib.sha256(raw).hexdigest()
    del raw
    collector = WordCollector(alphabet, max_length)
    if progress is not None:
        progress("spell", 0.2)
    definitions = _carry_definitions(text)
    for lines in _stripped_lines(text):
        collector.add([line.split(None, 1)[0] if line else line for line in lines] if definitions else lines)
    if progress is not None:
        progress("sort", 0.8)
    result = collector.word_list(sha256, used, definitions=definitions)
    if progress is not None:
        progress("sort", 1.0)
    return result


def _from_graph(path: Path, alphabet: Alphabet, max_length: int) -> WordList:
    """Return the words of a word graph; their SHA-256 is that of their text, a line each in their order."""
    try:
        entries = graph_entries(graph_nodes(file_bytes(path)))
        strange = entries[(entries == 1) | (entries > alphabet.size + 1)]
        if len(strange):
            template = message("it has tile {tile} of {count} letters (is the tile set right?)")
            raise ValueError(Text(template, tile=int(strange[0]) - 1, count=alphabet.size))
    except ValueError as error:
        raise WordListError(
            Text("{path} cannot be read: {reason}", path=str(path), reason=message_of(error)),
            code="unreadable_word_list",
        ) from None
    if not len(entries):
        raise WordListError(Text("the word list is empty"), code="no_words")
    tiles = entries - (entries > 0)
    lengths = np.count_nonzero(tiles, axis=1)
    words = np.ascontiguousarray(tiles[(lengths >= MIN_WORD) & (lengths <= max_length)])
    words = words.view(f"S{words.shape[1]}").ravel().astype(f"S{max_length}")
    text = "".join([f"{alphabet.word(word)}\n" for word in words.tolist()])
    report = WordListReport(
        encoding="KWG",
        lines=len(entries),
        words=len(words),
        duplicates=0,
        too_short=int((lengths < MIN_WORD).sum()),
        too_long=int((lengths > max_length).sum()),
    )
    return WordList(words, hashlib.sha256(text.encode()).hexdigest(), report)


def _stripped_lines(text: str) -> Iterator[list[str]]:
    """Yield the lines of a text in pieces, without the blanks around them."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    end = len(text) - text.endswith("\n")  # the end of the last line does not begin another one
    start = 0
    while start <= end:
        stop = text.find("\n", min(end, start + _CHARACTERS_AT_A_TIME), end)
        stop = end if stop < 0 else stop
        yield [line.strip() for line in text[start:stop].split("\n")]
        start = stop + 1


def _carry_definitions(text: str) -> bool:
    """Return whether most lines have text after a blank; in a list of plain words only some phrases do."""
    counted = Counter(len(line.split(None, 1)) for line in text[:_SAMPLE].splitlines())
    return counted[2] > counted[1]


class WordCollector:
    """Collect the words of lines of text in tile codes, and count the lines that are not playable words."""

    def __init__(self, alphabet: Alphabet, max_length: int) -> None:
        """Begin with no words; they may have MIN_WORD to `max_length` tiles."""
        self._alphabet = alphabet
        self._max_length = max_length
        self._words = [np.zeros(0, f"S{max_length}")]
        self._lines = self._short = self._long = self._blank = 0
        self._refused: Counter[str] = Counter()
        self._unplayable: list[UnplayableLine] = []

    def add(self, lines: Sequence[str]) -> None:
        """Add some lines, which have no blanks around them."""
        encoded, refused = _encode_lines(lines, self._alphabet)
        reasons = dict(refused)
        fitting: list[bytes] = []
        for index, word in enumerate(encoded):
            if MIN_WORD <= len(word) <= self._max_length:
                fitting.append(word)
            elif word and len(word) < MIN_WORD:
                self._short += 1
                reasons[index] = Text("too short")
            elif word:
                self._long += 1
                reasons[index] = Text("longer than {most} tiles", most=self._max_length)
            elif index not in refused:
                self._blank += 1
        self._words.append(np.array(fitting, f"S{self._max_length}"))
        self._refused.update(refused.values())
        for index in sorted(reasons)[: MAX_NAMED_LINES - len(self._unplayable)]:
            number = self._lines + index + 1
            self._unplayable.append(UnplayableLine(number, _shown(lines[index]), reasons[index]))
        self._lines += len(lines)

    def word_list(self, sha256: str, encoding: str, *, definitions: bool = False) -> WordList:
        """Return the distinct words and the report; raise WordListError if there is no playable word."""
        found = np.concatenate(self._words)
        self._words.clear()
        count = len(found)
        if not count:
            raise self._no_words()
        words = np.unique(found)
        report = WordListReport(
            encoding=encoding,
            lines=self._lines,
            words=len(words),
            duplicates=count - len(words),
            too_short=self._short,
            too_long=self._long,
            unplayable=dict(self._refused.most_common()),
            unplayable_lines=tuple(self._unplayable),
            definitions=definitions,
        )
        return WordList(words=words, sha256=sha256, report=report)

    def _no_words(self) -> WordListError:
        code = "no_words" if self._lines == self._blank else "no_playable_words"
        if not self._unplayable:
            return WordListError(Text("the word list is empty"), code=code)
        first = self._unplayable[0]
        return WordListError(
            Text(
                "no line of the word list is a playable word; line {line}, '{text}': {reason} (is the tile "
                "set right?)",
                line=first.line,
                text=excerpt(first.text),
                reason=first.reason,
            ),
            code=code,
        )


def _shown(text: str) -> str:
    return text if len(text) <= _MAX_LINE_SHOWN else text[: _MAX_LINE_SHOWN - 1] + "…"


# -- text to tile codes ----------------------------------------------------------------------------------


def _encode_lines(lines: Sequence[str], alphabet: Alphabet) -> tuple[list[bytes], dict[int, str]]:
    """Return the tile codes of each line (empty if blank or refused), and reasons by index of line.

    `encode_word` defines the result, and a test compares both. For speed, string methods convert the text as
    a whole, and only words with unusual characters are passed to `encode_word`.
    """
    text = "\n".join(lines)
    folds = _folds(set(text), alphabet)
    text = text.translate(folds)
    digraphs = {letter: code for code, letter in enumerate(alphabet.letters, 1) if len(letter) > 1}
    if digraphs:
        longest_first = sorted(digraphs, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)))
        tiles = {letter: chr(_TILE_AT + code) for letter, code in digraphs.items()}
        text = pattern.sub(lambda match: tiles[match[0]], text)
    to_byte = dict.fromkeys(map(ord, set(text)), _UNKNOWN)
    to_byte.update({ord(letter): code for code, letter in enumerate(alphabet.letters, 1) if len(letter) == 1})
    to_byte.update({_TILE_AT + code: code for code in digraphs.values()})
    to_byte[ord("\n")] = _LINE_END
    encoded = text.translate(to_byte).encode("latin-1").split(bytes([_LINE_END]))
    refused: dict[int, str] = {}
    for index, word in enumerate(encoded):
        if _UNKNOWN in word:
            encoded[index] = b""
            try:
                encoded[index] = alphabet.encode_word(lines[index])
            except InvalidInput:
                stranger = excerpt(_stranger(lines[index], folds, alphabet))
                refused[index] = Text("no tile for '{text}'", text=stranger)
    return encoded, refused


def _stranger(line: str, folds: dict[int, str], alphabet: Alphabet) -> str:
    """Return the first character of a refused line that no tile has, in upper case."""
    suspects = [character for character in line if folds[ord(character)] == _NO_TILE]
    # Else it is a part of a tile without the rest, such as the Catalan Q without U.
    suspects += [character for character in line if folds[ord(character)] not in alphabet.letters]
    return suspects[0].upper() if suspects else line


def _folds(characters: set[str], alphabet: Alphabet) -> dict[int, str]:
    """Map every character of the text to its upper-case spelling by `encode_word`.

    Characters that are only a part of a tile (Catalan has QU, but no Q) become upper case. Other characters
    that the tile set cannot spell become a mark.
    """
    single = {letter for letter in alphabet.letters if len(letter) == 1}
    parts = set("".join(letter for letter in alphabet.letters if len(letter) > 1))
    folds: dict[int, str] = {}
    for character in characters - {"\n"}:
        upper = character.upper()
        if unicodedata.combining(character):
            folds[ord(character)] = (
                _NO_TILE  # its effect depends on the letter before it; encode_word handles that
            )
        elif upper in single:
            folds[ord(character)] = upper
        elif upper in parts:
            # The accent of a part of a tile may have to be dropped; encode_word handles that.
            folds[ord(character)] = upper if unicodedata.is_normalized("NFD", upper) else _NO_TILE
        else:
            try:
                folds[ord(character)] = alphabet.word(alphabet.encode_word(character))
            except InvalidInput:
                folds[ord(character)] = _NO_TILE
    return folds
