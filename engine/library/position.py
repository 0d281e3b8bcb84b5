"""A position with its lexicon: legal moves, moves as text, and the position after a move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from engine.analysis.after_move import position_after
from engine.analysis.lending import lent_generator
from engine.analysis.move_report import NOT_IN_LEXICON, Describer, move_fault
from engine.analysis.ranking import exchanges
from engine.analysis.request import check_letters
from engine.errors import AmbiguousMove, IllegalMove, InvalidInput, excerpt
from engine.library.lexicon import Lexicon
from engine.library.moves import Move, Play
from engine.loaded_board import LoadedBoard
from engine.messages import Text, message
from engine.position import (
    BLANK_FLAG,
    Board,
    Exchange,
    Pass,
    Player,
    Rack,
    board_svg,
    format_move,
    parse_move,
)
from engine.position import Play as Placement
from engine.position import Position as PlainPosition
from engine.records import format_cgp, parse_cgp
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis import MoveFault
    from engine.rules import BoardLayout, RuleSet

WORD: Final = re.compile(r"[^\W\d_\[]\S*\Z|\[\S*\Z")
"""A text that is a single word: it begins with a letter or "[" and contains no space."""

LEXICON: Final = re.compile(r"\blex\s+([^\s;]+)\s*;")
"""The operation of a CGP that names the lexicon."""

MAX_LISTED: Final = 5
"""The most plays that the message of an AmbiguousMove lists."""


@dataclass(frozen=True, repr=False)
class Position(PlainPosition):
    """A position before a move: board, racks, scores, rules and lexicon; immutable.

    `players[0]` is on turn, and `rack` is that player's rack. Positions are equal if all these are equal,
    with lexicons compared by id.
    """

    lexicon: Lexicon = field(kw_only=True, compare=False)

    def __post_init__(self) -> None:
        alphabet = self.tile_set.alphabet
        object.__setattr__(self, "board", replace(self.board, alphabet=alphabet))
        object.__setattr__(self, "lexicon_id", self.lexicon.id)
        players = tuple([self._seated(player) for player in self.players])
        object.__setattr__(self, "players", players)

    def _seated(self, player: Player) -> Player:
        """Return a player whose racks know the alphabet, so that they print as letters."""
        rack, known = (
            None if tiles is None else replace(tiles, alphabet=self.tile_set.alphabet)
            for tiles in (player.rack, player.known_tiles)
        )
        return replace(player, rack=rack, known_tiles=known)

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

    @property
    def unseen_tiles(self) -> Rack:
        """The tiles that the player on turn cannot see: those in the bag and on the other racks."""
        codes = [code for code, count in enumerate(self.unseen()) for _ in range(count)]
        return Rack(bytes(codes), self.tile_set.alphabet)

    def with_rack(self, rack: str) -> Position:
        """Return the position with another rack of the player on turn; raise InvalidInput for a wrong one."""
        tiles = Rack.from_text(rack, self.tile_set.alphabet)
        changed = replace(self, players=(replace(self.players[0], rack=tiles), *self.players[1:]))
        changed.check()
        return changed

    def plays(self) -> list[Play]:
        """Return every legal play, the highest score first.

        On an empty board with a symmetric layout only the plays across are listed; each is legal downwards
        too.
        """
        board = LoadedBoard.load(self.board, self.layout, self.tile_set, self.lexicon)
        with lent_generator("internal_words", self.lexicon) as movegen:
            found = movegen.generate(board, self.rack, self.rules)
        order = found.best(len(found)).tolist()
        scores = [score for score, *_ in found.figures(order)]
        return [self._play(one, score) for one, score in zip(found.moves(order), scores, strict=True)]

    def exchanges(self) -> list[Exchange]:
        """Return every legal exchange, fewest tiles first."""
        return [Exchange(one.tiles, self.tile_set.alphabet) for one in exchanges(self)]

    def parse_move(self, move: Placement | Exchange | Pass | str) -> Move:
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

    def read_move(self, given: Placement | Exchange | Pass | str) -> tuple[Move, IllegalMove | None]:
        """Return a move as `parse_move` does, also if its words are not all valid; then with the error.

        The error is None for a legal move.
        """
        if not isinstance(given, str):
            move = given
        elif WORD.match(word := given.strip()) and word.lower() != "pass":
            return self._only(word, self._plays_of(word)), None
        else:
            move = parse_move(given, self.board, self.tile_set, "move", self.rack)
        fault = self._fault(move)
        if fault is not None and fault.code == "tile_not_in_rack" and isinstance(move, Placement):
            with_blanks = self._with_blanks(move)
            if with_blanks:
                return self._only(format_move(move, self.tile_set), with_blanks), None
        if fault is None:
            return self._completed(move), None
        error = IllegalMove(fault.detail, code=fault.code, field="move", params=fault.params)
        if error.code != NOT_IN_LEXICON:
            raise error
        return self._completed(move), error

    def after(self, move: Placement | Exchange | Pass | str, drawn: Rack | None = None) -> Position:
        """Return the position after a legal move, with the next player on turn.

        `drawn`: the tiles that the player draws, None if they are unknown. Raises as `parse_move`.
        """
        found = self.parse_move(move)
        score = found.score if isinstance(found, Play) else 0
        return position_after(self, found, score, None if drawn is None else drawn.tiles)

    def _fault(self, move: Placement | Exchange | Pass) -> MoveFault | None:
        return move_fault(move, self, self.lexicon, Describer(self, self.lexicon))

    def _completed(self, move: Placement | Exchange | Pass) -> Move:
        if isinstance(move, Placement):
            return self._play(move, Describer(self, self.lexicon).score(move))
        return Exchange(move.tiles, self.tile_set.alphabet) if isinstance(move, Exchange) else move

    def _play(self, move: Placement, score: int) -> Play:
        text = format_move(move, self.tile_set)
        return Play(move.row, move.column, move.down, move.tiles, text, score)

    def _all_plays(self) -> list[Play]:
        """Return the legal plays, including those downwards on an empty board."""
        plays = self.plays()
        if not (self.board.is_empty and self.layout.symmetric):
            return plays
        mirrored = [Placement(play.column, play.row, True, play.tiles) for play in plays]
        return plays + [self._play(one, play.score) for one, play in zip(mirrored, plays, strict=True)]

    def _with_blanks(self, move: Placement) -> list[Play]:
        """Return the legal plays that differ from a play only by blanks in place of letters."""
        where = (move.row, move.column, move.down)
        return [
            play
            for play in self._all_plays()
            if (play.row, play.column, play.down) == where and _spells(play.tiles, move.tiles)
        ]

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
        plays = self._all_plays()
        exact = [play for play in plays if self._main_word(play, wanted) == wanted]
        return exact or [play for play in plays if _spells(self._main_word(play, wanted), wanted)]

    def _main_word(self, play: Play, wanted: list[int]) -> list[int]:
        """Return the main word of a play if it is as long as `wanted`, else nothing.

        A blank on the board counts as its letter, unless a blank is wanted there.
        """
        step = self.board.side if play.down else 1
        start = play.row * self.board.side + play.column
        word = [code or self.board.squares[start + index * step] for index, code in enumerate(play.tiles)]
        pairs = zip(word, play.tiles, wanted, strict=False)
        plain = [code if placed or code == want else code & ~BLANK_FLAG for code, placed, want in pairs]
        return plain if len(word) == len(wanted) else []

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
            Text(
                "the CGP names no lexicon: end it with one, such as 'lex scowl80;', or pass an open lexicon"
            ),
            code="no_lexicon",
            field="lexicon",
        )
    return named[1].lower()


def _spells(tiles: Sequence[int], wanted: Sequence[int]) -> bool:
    """Return whether tiles spell the wanted letters; a wanted blank needs a blank."""
    return len(tiles) == len(wanted) and all(
        tile == code or (tile & BLANK_FLAG and tile & ~BLANK_FLAG == code)
        for tile, code in zip(tiles, wanted, strict=True)
    )
