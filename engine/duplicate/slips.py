"""The slips of the players: what they say, and the verdicts on them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.legality import NOT_IN_LEXICON, MoveFault, move_fault, read_move
from engine.errors import EngineError, Fault, InvalidInput, check_known, quoted
from engine.messages import Text
from engine.position import Exchange, Pass, Play

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.lexicon import Lexicon
    from engine.position import Position

MAX_NAME: Final = 40
MAX_WORD: Final = 60
MAX_SLIPS_TEXT: Final = 1 << 20
"""The most characters of a text of slips."""

WARNING: Final = "warning"
PENALTY: Final = "penalty"
MARKS: Final = ("", WARNING, PENALTY)

TOP: Final = "top"
VALID: Final = "valid"
INVALID: Final = "invalid"
MISPLACED: Final = "misplaced"
UNCLEAR: Final = "unclear"
PASSED: Final = "pass"

COLUMNS: Final = ("round", "player", "at", "word", "mark")
_NEEDED: Final = ("player", "at", "word")
_UNCLEAR: Final = frozenset({"bad_move", "bad_coordinate", "unknown_tile"})
"""The codes of slips that cannot be read."""
_INVALID: Final = frozenset({NOT_IN_LEXICON, "tile_not_in_rack", "one_letter_word"})
"""The codes of slips that can be read, but not be played anywhere."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Hold what a player has written: a word and where it begins; without both, the player passes.

    `at`: "8D" across, "D8" down; `word`: as a record writes it, a blank in lower case; `mark`: WARNING or
    PENALTY if the arbiter gives one, else empty. Raises InvalidInput for a wrong name or mark, and for texts
    that are too long or cannot be printed.
    """

    player: str
    at: str = ""
    word: str = ""
    mark: str = ""

    def __post_init__(self) -> None:
        name = " ".join(self.player.split())
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise InvalidInput(
                Text("{name} is not a name of 1 to {most} characters", name=quoted(name), most=MAX_NAME),
                code="bad_player_name",
                field="player",
            )
        object.__setattr__(self, "player", name)
        for field in ("at", "word"):
            text = getattr(self, field).strip()
            if len(text) > MAX_WORD or not text.isprintable():
                raise InvalidInput(
                    Text("{text} is too long for a slip, or not printable", text=quoted(text)),
                    code="bad_slip",
                    field=field,
                )
            object.__setattr__(self, field, text)
        check_known("mark", self.mark, MARKS[1:] if self.mark else MARKS)

    @property
    def move(self) -> str:
        """The move as the slip writes it, "-" for a pass."""
        return f"{self.at} {self.word}".strip() or "-"


@dataclass(frozen=True, slots=True)
class JudgedSlip:
    """Hold a slip and the verdict on it.

    `verdict`: TOP, VALID, INVALID (a word that is not valid, or tiles that are not on the rack), MISPLACED
    (the play does not fit the board), UNCLEAR (it cannot be read) or PASSED; `points`: of the play, 0 unless
    it is legal; `fault`: why it is not.
    """

    slip: Slip
    verdict: str
    points: int = 0
    fault: MoveFault | None = None

    @property
    def is_warned(self) -> bool:
        """Whether the slip earns a warning, where the rules have any."""
        return self.slip.mark == WARNING or self.verdict in (MISPLACED, UNCLEAR)


def judge_slip(slip: Slip, position: Position, lexicon: Lexicon, top: int) -> JudgedSlip:
    """Return the verdict on a slip; `top`: the points of the top."""
    move = read_move(slip.move, position)
    if isinstance(move, Pass):
        return JudgedSlip(slip, PASSED)
    if isinstance(move, Exchange):
        move = MoveFault("bad_move", Text("in duplicate no tiles are exchanged"))
    fault = move if isinstance(move, MoveFault) else move_fault(move, position, lexicon)
    if fault is not None:
        verdict = UNCLEAR if fault.code in _UNCLEAR else INVALID if fault.code in _INVALID else MISPLACED
        return JudgedSlip(slip, verdict, fault=fault)
    assert isinstance(move, Play)  # noqa: S101 - for the type checker
    points = position.score(move)
    return JudgedSlip(slip, TOP if points == top else VALID, points)


def read_slips(text: str, number: int) -> dict[int, list[Slip]]:
    """Read slips in CSV and return them by round; `number`: the round of those that name none.

    The first line names the columns: player, at and word, and if needed round and mark, separated by commas
    or semicolons. Raises InvalidInput naming the line of each fault.
    """
    if len(text) > MAX_SLIPS_TEXT:
        raise InvalidInput(
            Text("slips have at most {most} characters", most=MAX_SLIPS_TEXT), code="bad_slips", field="slips"
        )
    slips: dict[int, list[Slip]] = {}
    faults: list[Fault] = []
    for line, cells in _rows(text):
        try:
            given = cells.pop("round", "").strip()
            at = _round_number(given) if given else number
            slips.setdefault(at, []).append(Slip(**cells))
        except EngineError as error:
            detail = Text("line {line}: {fault}", line=line, fault=error.message)
            faults.append(Fault(error.code, detail, "slips"))
    if faults:
        raise InvalidInput.collected(faults)
    return slips


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line that is not empty and its cells by column; raise InvalidInput."""
    heading = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in heading else ",")
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if not set(_NEEDED) <= set(names) <= set(COLUMNS) or len(set(names)) < len(names):
            raise _bad_line(
                1,
                Text(
                    "the first line names the columns {needed}, and if needed {others}",
                    needed=list(_NEEDED),
                    others=[name for name in COLUMNS if name not in _NEEDED],
                ),
            )
        for row in reader:
            if not any(map(str.strip, row)):
                continue
            if len(row) != len(names):
                raise _bad_line(
                    reader.line_num,
                    Text("it has {count} of {cells} cells", count=len(row), cells=len(names)),
                )
            cells = dict(zip(names, row, strict=True))
            yield reader.line_num, {**cells, "mark": cells.get("mark", "").strip().lower()}
    except csv.Error as error:
        raise _bad_line(reader.line_num, str(error)) from None


def _bad_line(line: int, fault: str) -> InvalidInput:
    detail = Text("line {line}: {fault}", line=line, fault=fault)
    return InvalidInput(detail, code="bad_slips", field="slips")


def _round_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) < 10**4):
        raise InvalidInput(
            Text("{text} is not the number of a round", text=quoted(text)), code="bad_round", field="round"
        )
    return int(text)


def check_players(slips: Mapping[int, Sequence[Slip]]) -> None:
    """Raise InvalidInput if a player has two slips in a round."""
    for number, group in slips.items():
        seen: set[str] = set()
        for slip in group:
            if slip.player in seen:
                raise InvalidInput(
                    Text("{player} has two slips in round {number}", player=slip.player, number=number),
                    code="slip_twice",
                    field="slips",
                )
            seen.add(slip.player)
