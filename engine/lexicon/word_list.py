"""Read a word list, one word a line: decompress and decode it, and convert its words to tile codes.

Nothing is dropped silently: the report counts duplicates and every line that is not a playable word, by
reason, and lists the first hundred of these lines with their number.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import lzma
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, WordListError, excerpt, quoted

if TYPE_CHECKING:
    from pathlib import Path

    from engine.rules import Alphabet

Progress = Callable[[str, float], None]
"""Called with the name of a stage and the share of it done, 0.0 to 1.0."""

MIN_WORD: Final = 2
MAX_NAMED_LINES: Final = 100  # unplayable lines that the report contains; all are counted

_BOMS: Final = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ONE_BYTE: Final = ("cp1252", "cp1250", "iso-8859-2", "iso-8859-1")  # of equally good ones the first
_MAX_LINE_SHOWN: Final = 40

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
    """Describe a word list: `unplayable` counts lines by reason, `unplayable_lines` the first ones."""

    encoding: str
    lines: int
    words: int
    duplicates: int
    too_short: int
    too_long: int
    unplayable: dict[str, int] = field(default_factory=dict)
    unplayable_lines: tuple[UnplayableLine, ...] = ()

    @property
    def dropped(self) -> int:
        """The number of lines with text that are not playable words."""
        return self.too_short + self.too_long + sum(self.unplayable.values())


@dataclass(frozen=True, slots=True)
class WordList:
    """A word list in tile codes: distinct words, sorted by code, and the SHA-256 of their text."""

    words: list[bytes]
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
    """Read a word list from a `.txt`, `.gz` or `.xz` file, or from its bytes.

    Words are in upper or lower case and have 2 to `max_length` tiles; `alphabet.encode_word` defines accents
    and digraphs. Lines end in any way; blank lines are skipped. Without `encoding` it is detected: byte-order
    mark, valid UTF-8, UTF-16 by its zero bytes, else the one-byte encoding whose characters fit the tile set
    best. `sha256` is that of the decompressed bytes.

    Raises WordListError if the file cannot be read, decompressed or decoded (naming the line), or has no
    playable word.
    """
    raw = _decompressed(source if isinstance(source, bytes) else file_bytes(source))
    if progress is not None:
        progress("decode", 0.0)
    text, used = _decoded(raw, alphabet, encoding)
    lines = [line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if lines and not lines[-1]:
        lines.pop()  # the end of the last line does not begin another one
    if progress is not None:
        progress("spell", 0.2)
    encoded, refused = _encode_lines(lines, alphabet)
    if progress is not None:
        progress("sort", 0.8)
    result = _word_list(lines, encoded, refused, raw, used, max_length)
    if progress is not None:
        progress("sort", 1.0)
    return result


def _word_list(
    lines: list[str],
    encoded: list[bytes],
    refused: dict[int, str],
    raw: bytes,
    encoding: str,
    max_length: int,
) -> WordList:
    """Drop and count unplayable lines and duplicates; `refused` has reasons by index of the line."""
    reasons = dict(refused)
    short = long = blank = 0
    fitting: list[bytes] = []
    for index, word in enumerate(encoded):
        if MIN_WORD <= len(word) <= max_length:
            fitting.append(word)
        elif word and len(word) < MIN_WORD:
            short += 1
            reasons[index] = "too short"
        elif word:
            long += 1
            reasons[index] = f"longer than {max_length} tiles"
        elif index not in refused:
            blank += 1
    words = sorted(set(fitting))
    if not words:
        raise _no_words(lines, reasons, code="no_words" if len(lines) == blank else "no_playable_words")
    report = WordListReport(
        encoding=encoding,
        lines=len(lines),
        words=len(words),
        duplicates=len(fitting) - len(words),
        too_short=short,
        too_long=long,
        unplayable=dict(Counter(refused.values()).most_common()),
        unplayable_lines=tuple(
            UnplayableLine(index + 1, _shown(lines[index]), reasons[index])
            for index in sorted(reasons)[:MAX_NAMED_LINES]
        ),
    )
    return WordList(words=words, sha256=hashlib.sha256(raw).hexdigest(), report=report)


def _no_words(lines: list[str], reasons: dict[int, str], code: str) -> WordListError:
    if not reasons:
        return WordListError("the word list is empty", code=code)
    first = min(reasons)
    text, reason = lines[first], reasons[first]
    return WordListError(
        f"no line of the word list is a playable word; line {first + 1}, {_shown(text)!r}: "
        f"{reason} (is the tile set right?)",
        code=code,
        params={"line": first + 1, "text": excerpt(text), "reason": reason},
    )


def _shown(text: str) -> str:
    return text if len(text) <= _MAX_LINE_SHOWN else text[: _MAX_LINE_SHOWN - 1] + "…"


# -- bytes to text ---------------------------------------------------------------------------------------


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise WordListError naming the reason if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise WordListError(
            f"cannot read the word list {path}: {error.strerror}",
            code="unreadable_word_list",
            params={"path": str(path), "reason": str(error.strerror)},
        ) from None


def _decompressed(data: bytes) -> bytes:
    """Decompress gzip or xz data, which are recognized by their first bytes."""
    if data.startswith(b"\x1f\x8b"):
        name, decompress = "gzip", gzip.decompress
    elif data.startswith(b"\xfd7zXZ\0"):
        name, decompress = "xz", lzma.decompress
    else:
        return data
    try:
        return decompress(data)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise WordListError(
            f"the word list cannot be decompressed: its {name} data are damaged or incomplete",
            code="unreadable_word_list",
            params={"format": name},
        ) from None


def _decoded(raw: bytes, alphabet: Alphabet, encoding: str | None) -> tuple[str, str]:
    """Return the text in composed form (Unicode NFC) and its encoding."""
    if encoding is not None:
        try:
            used = codecs.lookup(encoding).name
        except LookupError:
            raise WordListError(
                f"there is no text encoding {encoding!r}",
                code="unknown_encoding",
                params={"encoding": excerpt(encoding)},
            ) from None
        if used == "utf-8" and raw.startswith(codecs.BOM_UTF8):
            used = "utf-8-sig"  # the mark is not part of the first word
        text = _strictly(raw, used)
    else:
        text, used = _detected(raw, alphabet)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise WordListError(
            f"line {line} contains a zero byte: the file is not text, or not in {used}",
            code="unreadable_word_list",
            params={"line": line, "encoding": used},
        )
    return unicodedata.normalize("NFC", text), used


def _strictly(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        # Count in decoded text, because a byte 0x0A of UTF-16 need not be a line end.
        line = error.object[: error.start].decode(encoding, "ignore").count("\n") + 1
        raise WordListError(
            f"line {line} is not text in {_shown_encoding(encoding)}: see byte {error.start} of the file",
            code="undecodable_line",
            params={"line": line, "encoding": encoding, "byte": error.start},
        ) from None
    except (UnicodeError, ValueError, LookupError, TypeError, AttributeError):
        # UTF-16 without its mark, or a codec that does not decode bytes to text (rot13, hex).
        raise WordListError(
            f"the word list is not text in {_shown_encoding(encoding)}",
            code="undecodable_line",
            params={"encoding": encoding},
        ) from None


def _shown_encoding(encoding: str) -> str:
    return encoding.upper().removesuffix("-SIG")


def _detected(raw: bytes, alphabet: Alphabet) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return _strictly(raw, encoding), encoding
    sample = raw[:4096]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        # In Latin text in UTF-16 nearly every second byte is zero; other text has no zero bytes.
        if len(sample) >= 4 and 2 * sample[offset::2].count(0) > len(sample[offset::2]):
            return _strictly(raw, encoding), encoding
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        loose = raw.decode("utf-8", "replace")
        bad = loose.count("�")
        good = sum(count for character, count in Counter(loose).items() if character > "\x7f") - bad
        if good > bad:  # text in a one-byte encoding rarely contains valid UTF-8 sequences
            line = raw.count(b"\n", 0, error.start) + 1
            raise WordListError(
                f"line {line} is not text in UTF-8, though most of the list is: mend byte {error.start} of "
                "the file, or name the encoding",
                code="undecodable_line",
                params={"line": line, "encoding": "utf-8", "byte": error.start},
            ) from None
    encoding = _best_one_byte(raw, alphabet)
    return raw.decode(encoding), encoding


def _best_one_byte(raw: bytes, alphabet: Alphabet) -> str:
    """Return the one-byte encoding in which the tile set can spell the most non-ASCII characters.

    A character that is on a tile counts double, one that loses its accent once: otherwise Windows-1252 would
    fit Czech, too, where it reads ě as ì and hence as I.
    """
    counts = Counter(byte for byte in raw if byte > 0x7F)
    letters = set(alphabet.letters)

    def weight(byte: int, encoding: str) -> int:
        try:
            character = bytes([byte]).decode(encoding)
            if character.upper() in letters:
                return 2
            alphabet.encode_word(character)
        except (UnicodeDecodeError, InvalidInput):
            return 0
        return 1

    def decodes(encoding: str) -> bool:
        try:
            bytes(counts).decode(encoding)
        except UnicodeDecodeError:
            return False
        return True

    return max(
        (encoding for encoding in _ONE_BYTE if decodes(encoding)),
        key=lambda encoding: sum(count * weight(byte, encoding) for byte, count in counts.items()),
    )


# -- text to tile codes ----------------------------------------------------------------------------------


def _encode_lines(lines: list[str], alphabet: Alphabet) -> tuple[list[bytes], dict[int, str]]:
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
                refused[index] = f"no tile for {quoted(_stranger(lines[index], folds, alphabet))}"
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
