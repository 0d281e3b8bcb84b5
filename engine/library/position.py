"""A position with its lexicon: legal moves, moves as text, and the position after a move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from engine.analysis.legality import NOT_IN_LEXICON, move_fault
from engine.analysis.request import check_letters
from engine.errors import AmbiguousMove, IllegalMove, InvalidInput, excerpt
from engine.evaluation.evaluators import best_evaluator
from engine.library.lexicon import Lexicon
from engine.library.moves import MoveList
from engine.loaded_board import LoadedBoard
from engine.messages import Text, message
from engine.movegen.plays import ONE_TILE, Plays, blank_places
from engine.position import (
    BLANK_FLAG,
    Board,
    Exchange,
    Move,
    Play,
    Player,
    Rack,
    board_svg,
    format_move,
    parse_move,
)
from engine.position import Position as PlainPosition
from engine.records import format_cgp, parse_cgp
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set
from engine.search.lending import valued_moves

if TYPE_CHECKING:
    from engine.movegen.legal_moves import LegalMoves
    from engine.rules import BoardLayout, RuleSet

WORD: Final = re.compile(r"[^\W\d_\[]\S*\Z|\[\S*\Z")
"""A text that is a single word: it begins with a letter or "[" and contains no space."""

LEXICON: Final = re.compile(r"\blex\s+([^\s;]+)\s*;")
"""The operation of a CGP that names the lexicon."""

MAX_LISTED: Final = 5
"""The most plays that the message of an AmbiguousMove lists."""


@dataclass(frozen=True, repr=False, eq=False)
class Position(PlainPosition):
    """A position before a move: board, racks, scores, rules and lexicon; immutable.

    `players[0]` is on turn, and `rack` is that player's rack. Positions are equal if all these are equal,
    with lexicons compared by id. Create one by `from_cgp`, `opening` or `of`.
    """

    lexicon: Lexicon = field(kw_only=True, compare=False)

    @classmethod
    def of(cls, position: PlainPosition, lexicon: Lexicon) -> Position:
        """Return a position of the engine with a lexicon.

        Raises InvalidInput with every fault of an impossible position, and for a lexicon with other letters.
        """
        check_letters(position, lexicon)
        position.check()
        return cls(
            position.board,
            position.layout,
            position.tile_set,
            position.rules,
            position.players,
            position.zero_turns,
            lexicon.id,
            operations=position.operations,
            lexicon=lexicon,
        )

    @classmethod
    def from_cgp(
        cls,
        text: str,
        lexicon: Lexicon | None = None,
        *,
        layout: BoardLayout | None = None,
        rules: RuleSet | None = None,
    ) -> Position:
        """Return the position of a CGP: board, racks, scores and zero turns in one line.

        `lexicon`: by default the one that the CGP names, which is then opened at each call. `layout`,
        `rules`: for a CGP that names none, by default the standard board and the rules of the lexicon's tile
        set. Raises InvalidInput with every fault, and as `Lexicon.open`.
        """
        if lexicon is None:
            lexicon = Lexicon.open(_lexicon_name(text))
        return cls.of(parse_cgp(text, tile_set=lexicon.tile_set, layout=layout, rules=rules), lexicon)

    @classmethod
    def opening(
        cls,
        lexicon: Lexicon,
        rack: str,
        *,
        players: int = 2,
        layout: BoardLayout | None = None,
        rules: RuleSet | None = None,
    ) -> Position:
        """Return the position before the first move, with the rack of the first player.

        Raises InvalidInput for a rack with other tiles than the tile set's, and for other than 2 to 4
        players.
        """
        tiles = lexicon.tile_set
        layout = layout or board_layout(DEFAULT_LAYOUT)
        seats = (Player(rack=Rack.from_text(rack, tiles.alphabet)), *[Player()] * (players - 1))
        rules = rules or default_rule_set(tiles.id)
        return cls.of(PlainPosition(Board.empty(layout.side), layout, tiles, rules, seats), lexicon)

    def to_cgp(self) -> str:
        """Return the position as a CGP."""
        return format_cgp(self)

    @property
    def scores(self) -> tuple[int, ...]:
        """The players' scores, that of the player on turn first."""
        return tuple([player.score for player in self.players])

    def with_rack(self, rack: Rack | str) -> Position:
        """Return the position with another rack of the player on turn; raise InvalidInput for a wrong one."""
        tiles = Rack.from_text(rack, self.tile_set.alphabet) if isinstance(rack, str) else rack
        changed = super().with_rack(tiles)
        changed.check()
        return changed

    def plays(self) -> MoveList[Play]:
        """Return every legal play, the highest score first.

        On an empty board with a symmetric layout only the plays across are listed; each is legal downwards
        too.
        """
        return self._listed(only_plays=True)

    def moves(self) -> MoveList[Move]:
        """Return every legal move: the plays, then the exchanges, then the pass."""
        return self._listed(only_plays=False)

    def _listed(self, *, only_plays: bool) -> MoveList[Any]:
        moves = self._legal_moves("greedy")
        return MoveList(moves, lambda: self._legal_moves(best_evaluator(self.lexicon)), only_plays=only_plays)

    def exchanges(self) -> list[Exchange]:
        """Return every legal exchange, fewest tiles first."""
        return [move for move in self.moves() if isinstance(move, Exchange)]

    def _legal_moves(self, evaluator: str) -> LegalMoves:
        """Return the legal moves as the engine has them; the evaluator "greedy" values no leaves."""
        board = LoadedBoard.load(self.board, self.layout, self.tile_set, self.lexicon)
        return valued_moves(self, board, self.lexicon, evaluator)

    def parse_move(self, move: Move | str) -> Move:
        """Return the legal move that a text names: "8D WORD" across, "D8 WORD" down, "WORD", "-ABC", "-".

        "-ABC" exchanges these tiles, and "-" or "pass" passes. A lower-case letter is a blank; "." or the
        letter itself is a tile already on the board. A letter that the rack contains only as a blank may be
        in upper case, and a word alone names its only legal play. A move given as an object is returned with
        its text and score. Raises InvalidInput for a text that is not a move, IllegalMove for a move that the
        rules do not allow, and AmbiguousMove for a text that fits several plays.
        """
        found, error = self.read_move(move)
        if error is not None:
            raise error
        return found

    def read_move(self, given: Move | str) -> tuple[Move, IllegalMove | None]:
        """Return a move as `parse_move` does, also if its words are not all valid; then with the error.

        The error is None for a legal move.
        """
        if not isinstance(given, str):
            move = given
        elif WORD.match(word := given.strip()) and word.lower() != "pass":
            return self._only(word, self._plays_of(word)), None
        else:
            move = parse_move(given, self.board, self.tile_set, "move", self.rack)
        fault = move_fault(move, self, self.lexicon)
        if fault is not None and fault.code == "tile_not_in_rack" and isinstance(move, Play):
            with_blanks = self._with_blanks(move)
            if with_blanks:
                return self._only(format_move(move, self.tile_set), with_blanks), None
        if fault is None:
            return self.scored(move), None
        error = IllegalMove(fault.detail, code=fault.code, field="move", params=fault.params)
        if error.code != NOT_IN_LEXICON:
            raise error
        return self.scored(move), error

    def after(self, move: Move | str, drawn: Rack | None = None) -> Position:
        """Return the position after a legal move, with the next player on turn.

        `drawn`: the tiles that the player draws, None if they are unknown. Raises as `parse_move`.
        """
        return super().after(self.parse_move(move), drawn)

    def _with_blanks(self, move: Play) -> list[Play]:
        """Return the legal plays that differ from a play only by blanks in place of letters."""
        letters = [at for at, code in enumerate(move.tiles) if code and not code & BLANK_FLAG]
        found: list[Play] = []
        for count in range(1, self.rack.tiles.count(0) + 1):
            for chosen in combinations(letters, count):
                blanks = [BLANK_FLAG if at in chosen else 0 for at in range(len(move.tiles))]
                tiles = tuple([code | blank for code, blank in zip(move.tiles, blanks, strict=True)])
                play = replace(move, tiles=tiles)
                if self.rack.missing(play.used):
                    continue
                # All of them lie on the same squares and spell the same words.
                if not found and move_fault(play, self, self.lexicon) is not None:
                    return []
                found.append(self.scored(play))
        return sorted(found, key=lambda play: (-play.score, blank_places(play)))

    def _plays_of(self, word: str) -> list[Play]:
        """Return the legal plays with this main word; raise InvalidInput for a text without one."""
        try:
            wanted = self.tile_set.alphabet.tokenize(word.upper() if word.islower() else word)
        except InvalidInput as error:
            raise InvalidInput(
                Text("'{text}' is no move such as '8D WORD', 'WORD', '-ABC' or '-'", text=excerpt(word)),
                code="bad_move",
                field="move",
            ) from error
        letters = bytes([code & ~BLANK_FLAG for code in wanted])
        if not self.lexicon.contains(letters):
            return []
        usable = bytes([code for code in self.rack.tiles if code in letters])
        blanks = bytes(self.rack.tiles.count(0))
        # Blanks multiply the plays, so they are left out if the word can be played as it is written.
        for tiles in (usable, blanks + usable) if blanks and letters == bytes(wanted) else (blanks + usable,):
            plays = self._plays_with(letters, Rack(tiles))
            counts = [self._stand_ins(play, wanted) for play in plays]
            exact = [play for play, count in zip(plays, counts, strict=True) if count == 0]
            found = exact or [play for play, count in zip(plays, counts, strict=True) if count]
            if found:
                return found
        return []

    def _plays_with(self, letters: bytes, rack: Rack) -> list[Play]:
        """Return the plays of a rack whose main word may have these letters, on an empty board both ways."""
        every = super().with_rack(rack)._legal_moves("greedy").plays
        words, lengths = every.array["word"], every.array["length"]
        word = self.lexicon.tables.find(bytes([code - 1 for code in letters]))
        # A play of one tile does not say its word.
        fitting = (words == word) | ((words >= ONE_TILE) & (lengths == len(letters)))
        plays = Plays(every.array[fitting], every.board, every.statistics)
        found = plays.moves(plays.best(len(plays)).tolist(), self)
        if self.board.is_empty and self.layout.symmetric:
            found += [replace(one, row=one.column, column=one.row, down=True) for one in found]
        return found

    def _stand_ins(self, play: Play, wanted: list[int]) -> int | None:
        """Return the number of blanks that a play puts in place of letters wanted without a blank.

        None if it does not spell the wanted letters, or has a letter where a blank is wanted.
        """
        if len(play.tiles) != len(wanted):
            return None
        step = self.board.side if play.down else 1
        start, count = play.row * self.board.side + play.column, 0
        for index, (tile, want) in enumerate(zip(play.tiles, wanted, strict=True)):
            code = tile or self.board.squares[start + index * step]
            if code != want and (want & BLANK_FLAG or code & ~BLANK_FLAG != want):
                return None
            count += tile & BLANK_FLAG > want & BLANK_FLAG
        return count

    def _only(self, text: str, plays: list[Play]) -> Play:
        """Return the only play of several; raise IllegalMove for none, AmbiguousMove for more than one."""
        if not plays:
            raise IllegalMove(
                Text("there is no legal play '{text}'", text=excerpt(text)),
                code="no_such_play",
                field="move",
            )
        if len(plays) > 1:
            names = [play.text for play in plays[:MAX_LISTED]]
            rest = len(plays) - len(names)
            template = message("'{text}' may be {moves}")
            if rest:
                template = message("'{text}' may be {moves} or {more} more")
            raise AmbiguousMove(
                Text(template, text=excerpt(text), moves=names, more=rest),
                code="ambiguous_move",
                field="move",
            )
        return plays[0]

    def __str__(self) -> str:
        """Format the board, and below it scores, known tiles and the size of the bag."""
        lines = [str(self.board), ""]
        for index, player in enumerate(self.players):
            name = f"player {index + 1}" if index else "on turn"
            lines.append(f"{name}: {player.score} points, {player.held}".removesuffix(", "))
        return "\n".join([*lines, f"bag: {self.bag_count()} tiles"])

    def __repr__(self) -> str:
        return f"Position({self.to_cgp()!r})"

    def _repr_svg_(self) -> str:
        """Return the board as a picture for notebooks."""
        return board_svg(self)


def _lexicon_name(cgp: str) -> str:
    """Return the lexicon that a CGP names, in lower case; raise InvalidInput if it names none."""
    named = LEXICON.search(cgp)
    if named is None:
        raise InvalidInput(
            Text("the CGP names no lexicon: end it with one, such as 'lex club;', or pass an open lexicon"),
            code="no_lexicon",
            field="lexicon",
        )
    return named[1].lower()
