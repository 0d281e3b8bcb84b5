"""Read the bytes of a word list as text: decompress them, and decode them in an encoding that is detected."""

from __future__ import annotations

import codecs
import gzip
import lzma
import unicodedata
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, WordListError, excerpt, message_of
from engine.lexicon.word_lists.front_coding import HEADER, front_decoded
from engine.messages import Text
from engine.utf_16 import unmarked_utf_16

if TYPE_CHECKING:
    from pathlib import Path

    from engine.rules import Alphabet

_BOMS: Final = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ONE_BYTE: Final = ("cp1252", "cp1250", "iso-8859-2", "iso-8859-1")  # of equally good ones the first


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise WordListError naming the reason if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise WordListError(
            Text("cannot read the word list {path}: {reason}", path=str(path), reason=str(error.strerror)),
            code="unreadable_word_list",
        ) from None


def decompressed(data: bytes) -> bytes:
    """Decompress gzip or xz data, which are recognized by their first bytes; return other data as they are.

    Raises WordListError if they are damaged.
    """
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
            Text(
                "the word list cannot be decompressed: its {format} data are damaged or incomplete",
                format=name,
            ),
            code="unreadable_word_list",
        ) from None


def written_out(data: bytes) -> bytes:
    """Return a word list with its words written out; data that are not front-coded are returned as they are.

    Raises WordListError if they are damaged.
    """
    try:
        return front_decoded(data) if data.startswith(HEADER) else data
    except ValueError as error:
        raise WordListError(
            Text("the word list cannot be read: {reason}", reason=message_of(error)),
            code="unreadable_word_list",
            params={"format": "front coding"},
        ) from None


def decoded(raw: bytes, alphabet: Alphabet, encoding: str | None) -> tuple[str, str]:
    """Return the text in composed form (Unicode NFC) and its encoding, which is detected if it is None.

    Raises WordListError naming the line that cannot be decoded.
    """
    if encoding is not None:
        try:
            used = codecs.lookup(encoding).name
        except LookupError:
            raise WordListError(
                Text("there is no text encoding '{encoding}'", encoding=excerpt(encoding)),
                code="unknown_encoding",
            ) from None
        if used == "utf-8" and raw.startswith(codecs.BOM_UTF8):
            used = "utf-8-sig"  # the mark is not part of the first word
        text = _strictly(raw, used)
    else:
        text, used = _detected(raw, alphabet)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise WordListError(
            Text(
                "line {line} contains a zero byte: the file is not text, or not in {encoding}",
                line=line,
                encoding=used,
            ),
            code="unreadable_word_list",
        )
    return unicodedata.normalize("NFC", text), used


def _strictly(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        # Count in decoded text, because a byte 0x0A of UTF-16 need not be a line end.
        line = error.object[: error.start].decode(encoding, "ignore").count("\n") + 1
        raise WordListError(
            Text(
                "line {line} is not text in {encoding}: see byte {byte} of the file",
                line=line,
                encoding=_shown_encoding(encoding),
                byte=error.start,
            ),
            code="undecodable_line",
            params={"line": line, "encoding": encoding, "byte": error.start},
        ) from None
    except (UnicodeError, ValueError, LookupError, TypeError, AttributeError):
        # UTF-16 without its mark, or a codec that does not decode bytes to text (rot13, hex).
        raise WordListError(
            Text("the word list is not text in {encoding}", encoding=_shown_encoding(encoding)),
            code="undecodable_line",
            params={"encoding": encoding},
        ) from None


def _shown_encoding(encoding: str) -> str:
    return encoding.upper().removesuffix("-SIG")


def _detected(raw: bytes, alphabet: Alphabet) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return _strictly(raw, encoding), encoding
    if (unmarked := unmarked_utf_16(raw)) is not None:
        return _strictly(raw, unmarked), unmarked
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        loose = raw.decode("utf-8", "replace")
        bad = loose.count("�")
        good = sum(count for character, count in Counter(loose).items() if character > "\x7f") - bad
        if good > bad:  # text in a one-byte encoding rarely contains valid UTF-8 sequences
            line = raw.count(b"\n", 0, error.start) + 1
            raise WordListError(
                Text(
                    "line {line} is not text in UTF-8, though most of the list is: mend byte {byte} of the "
                    "file, or name the encoding",
                    line=line,
                    byte=error.start,
                ),
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
