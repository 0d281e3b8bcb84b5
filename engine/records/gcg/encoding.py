"""Decode the bytes of a record: UTF-16, its declared encoding, UTF-8 or ISO-8859-1."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from engine.records.gcg.lexicon_names import tiles_of_lexicon
from engine.records.gcg.record import LineFault
from engine.utf_16 import unmarked_utf_16

if TYPE_CHECKING:
    from collections.abc import Sequence


MAX_GCG: Final = 1 << 20
"""Maximum length of a record in bytes or characters; a long game with many notes has 20 KiB."""

DEFAULT_ENCODING: Final = "iso-8859-1"
UTF_8: Final = "utf-8"
LATIN_2: Final = "iso-8859-2"
LATIN_2_TILES: Final = frozenset(("czech", "polish", "romanian", "slovene"))
"""Tile sets of the languages that ISO-8859-1 cannot write."""

# Names of encodings in records, in lower case and without separators, and Python's names. ASCII is missing
# on purpose: a record that declares ASCII but contains other letters has another encoding.
ENCODINGS: Final = {
    "utf8": UTF_8,
    "iso88591": DEFAULT_ENCODING,
    "latin1": DEFAULT_ENCODING,
    "iso88592": LATIN_2,
    "latin2": LATIN_2,
    "iso885915": "iso-8859-15",
    "latin9": "iso-8859-15",
    "windows1250": "cp1250",
    "cp1250": "cp1250",
    "windows1252": "cp1252",
    "cp1252": "cp1252",
}
KNOWN: Final = ("UTF-8", "ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "windows-1250", "windows-1252")
MARKS: Final = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""The byte order marks, and the encodings that they announce."""
DECLARATION: Final = re.compile(rb"[ \t]*#character-encoding[ \t]+([^\r\n]*)", re.IGNORECASE)
NAMES_TILES: Final = re.compile(
    rb"(?:^|[\r\n])[ \t]*#(lexicon|tile-distribution)[ \t]+([^\r\n]*)", re.IGNORECASE
)
SEPARATORS: Final = re.compile(r"[\s_-]")
NO_TEXT: Final = re.compile(r"[\ud800-\udfff\x00]")
LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")


class Decoded(NamedTuple):
    """Hold the lines of a record, its encoding, and the faults and warnings about it."""

    lines: Sequence[str]
    encoding: str
    faults: list[LineFault]


def decode(data: bytes | str) -> Decoded:
    """Decode a record and split it into lines.

    The encoding is that of the byte order mark, UTF-16 if the zero bytes show it, else the one that
    `#character-encoding` names. Without that line it is UTF-8 if the bytes are valid UTF-8 beyond ASCII,
    ISO-8859-2 if lexicon or tiles are of a language that needs it, else ISO-8859-1 ([GCG]). Raises
    InvalidInput if the record is too long.
    """
    if len(data) > MAX_GCG:
        raise InvalidInput(
            Text(
                "a game record has at most {most} bytes, this one has {count}", most=MAX_GCG, count=len(data)
            ),
            code="gcg_too_long",
            field="gcg",
        )
    faults: list[LineFault] = []
    encoding = UTF_8
    if isinstance(data, bytes):
        encoding, data = _decoded(data, faults)
    elif data.startswith("\ufeff"):
        data = data[1:]
    text = NO_TEXT.sub("\ufffd", data)
    return Decoded(LINE_ENDS.split(text), encoding, faults)


def _decoded(data: bytes, faults: list[LineFault]) -> tuple[str, str]:
    mark, encoding = next((pair for pair in MARKS.items() if data.startswith(pair[0])), (b"", ""))
    if mark:
        data = data[len(mark) :]
        _warn(faults, "byte_order_mark", Text("the record begins with a byte order mark, which was skipped"))
    elif (unmarked := unmarked_utf_16(data)) is not None:
        encoding = unmarked
        _warn_of_guess(faults, encoding)
    declared = DECLARATION.match(data)
    if declared is not None:
        name = declared[1].decode("latin-1").strip()
        found = ENCODINGS.get(SEPARATORS.sub("", name.lower()))
        if found is None:
            detail = Text(
                "line {line}: the encoding '{name}' is not supported; known: {known}",
                line=1,
                name=excerpt(name),
                known=list(KNOWN),
            )
            faults.append(LineFault("unsupported_encoding", detail, "gcg/1/character-encoding", 1))
        encoding = encoding or found or ""
    if not encoding:
        encoding = DEFAULT_ENCODING
        if not data.isascii() and _is_utf_8(data):
            encoding = UTF_8
        elif not data.isascii() and _tiles_named(data) in LATIN_2_TILES:
            encoding = LATIN_2
        if declared is None and encoding != DEFAULT_ENCODING:
            _warn_of_guess(faults, encoding)
    try:
        return encoding, data.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(LINE_ENDS.findall(data[: error.start].decode(encoding))) + 1
        detail = Text(
            "line {line}: byte {byte} is not valid {encoding}, the encoding of the record",
            line=line,
            byte=error.start,
            encoding=encoding.upper(),
        )
        faults.append(LineFault("bad_encoding", detail, f"gcg/{line}", line))
        return encoding, data.decode(encoding, errors="replace")


def _tiles_named(data: bytes) -> str | None:
    """Return the tile set that the pragmas of a record name, None if they name none."""
    for pragma, value in NAMES_TILES.findall(data):
        name = value.decode("latin-1").strip()
        tiles = tiles_of_lexicon(name) if pragma.lower() == b"lexicon" else name.lower()
        if tiles is not None:
            return tiles
    return None


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode(UTF_8)
    except UnicodeDecodeError:
        return False
    return True


def _warn_of_guess(faults: list[LineFault], encoding: str) -> None:
    sentence = Text("the record names no encoding; it was read as {encoding}", encoding=encoding.upper())
    _warn(faults, "encoding_guessed", sentence)


def _warn(faults: list[LineFault], code: str, detail: str) -> None:
    faults.append(
        LineFault(
            code,
            Text("line {line}: {fault}", line=1, fault=detail),
            "gcg/1",
            1,
            warning=True,
            params={"line": 1},
        )
    )
