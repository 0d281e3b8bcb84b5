"""A game of duplicate: one immutable state, from which board, points and ranking follow.

The arbiter opens a round by drawing its rack and finding the tops, and closes it by judging the slips and
laying a top on the board for everybody. Slips never change what is drawn, so they can be corrected later.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

from engine.analysis.legality import MoveFault, move_fault, read_move
from engine.analysis.report import Provenance, lexicon_reference, table_name
from engine.duplicate.draw import can_draw, draw_rack, is_allowed
from engine.duplicate.round import Round, open_round, without_blanks
from engine.duplicate.rules import default_duplicate_rules, duplicate_rules
from engine.duplicate.saved import SavedDuplicate, SavedRound, in_game, in_round, parsed
from engine.duplicate.slips import check_players, judge_slip
from engine.duplicate.standings import Entry, Standing, entries, standings
from engine.errors import EngineError, IllegalMove, InvalidInput, NotFound
from engine.evaluation.leave_table import find_leave_table
from engine.messages import Text
from engine.position import Board, Play, Player, Position, Rack
from engine.position.player import NO_TILES
from engine.records.cgp import DEFAULT_LAYOUT
from engine.rules import board_layout, default_rule_set
from engine.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.duplicate.rules import DuplicateRules
    from engine.duplicate.slips import JudgedSlip, Slip
    from engine.lexicon import Lexicon

MAX_SEED: Final = 2**53 - 1
"""The greatest seed, which every reader of JSON reads exactly."""

NO_RACK: Final = "no_rack"
NO_PLAY: Final = "no_play"

_ALONE: Final = (Player(), Player(tile_count=0))
"""The players of a position: all have the same rack, and nobody else holds tiles."""


@dataclass(frozen=True)
class DuplicateGame:
    """A game of duplicate; immutable: `play` and the like return the next state.

    `rounds`: those closed; `current`: the open one, None once the game is over; `reason`: why it is over,
    NO_RACK (no rack is allowed any more) or NO_PLAY (the rack has no play), else None. Begin one by `begin`.
    """

    lexicon: Lexicon
    rules: DuplicateRules
    seed: int
    rounds: tuple[Round, ...] = ()
    current: Round | None = None
    reason: str | None = None

    @classmethod
    def begin(
        cls, lexicon: Lexicon, rules: str | None = None, *, seed: int = 0, rack: str | None = None
    ) -> Self:
        """Return a game before its first round.

        `rules`: a name such as "french", by default the rules for the tiles of the lexicon; `seed`:
        determines the tiles drawn; `rack`: those of the first round, by default as the seed determines.
        Raises NotFound for unknown rules, and InvalidInput for a wrong seed or rack.
        """
        found = default_duplicate_rules(lexicon.tile_set.id) if rules is None else duplicate_rules(rules)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise InvalidInput(
                Text("the seed must be a whole number from 0 to {most}", most=MAX_SEED),
                code="bad_seed",
                field="seed",
            )
        return cls(lexicon, found, seed)._opened(NO_TILES, rack)

    @property
    def number(self) -> int:
        """The number of the open round, or of the one that would follow the last."""
        return len(self.rounds) + 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.current is None

    @property
    def position(self) -> Position:
        """The board with the rack of the open round, or without a rack at the end."""
        return self._laid() if self.current is None else self.current.position

    @property
    def entries(self) -> tuple[tuple[Entry, ...], ...]:
        """The points of the slips of each closed round."""
        return entries(self.rounds, self.rules)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The players by their rank."""
        return standings(self.rounds, self.rules)

    @property
    def top_total(self) -> int:
        """The points of all tops laid so far."""
        return sum([one.top.score for one in self.rounds])

    @property
    def document(self) -> dict[str, Any]:
        """The game as values of JSON: what was drawn, laid and written, from which the rest follows."""
        rounds = [
            SavedRound(str(one.rack), one.top.text, tuple([judged.slip for judged in one.slips]))
            for one in self.rounds
        ]
        rack = None if self.current is None else str(self.current.rack)
        return SavedDuplicate(
            self.lexicon.id, self.lexicon.sha256, self.rules.id, self.seed, tuple(rounds), rack
        ).document()

    def to_json(self) -> str:
        """Return the game as JSON, with everything but the words of its lexicon."""
        return json.dumps(self.document, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str, lexicon: Lexicon | Callable[[str], Lexicon]) -> Self:
        """Return the game that `to_json` wrote; raises as `from_document`."""
        return cls.from_document(parsed(text), lexicon)

    @classmethod
    def from_document(cls, document: Any, lexicon: Lexicon | Callable[[str], Lexicon]) -> Self:
        """Return the game of a `document`; every slip is judged again, and every top must be one.

        `lexicon`: that of the game, or a function that opens it by its id. Raises InvalidInput for other
        values, naming the round of a wrong one, for another version of the format (code "other_version") and
        for another word list ("other_word_list"); and what opening the lexicon raises.
        """
        saved = SavedDuplicate.of(document)
        try:
            opened = lexicon(saved.lexicon_id) if callable(lexicon) else lexicon
            saved.check_words(opened)
            game = cls.begin(opened, saved.rules, seed=saved.seed, rack=saved.racks[0])
        except (InvalidInput, NotFound) as error:
            raise in_game(error) from error
        for index, (one, following) in enumerate(zip(saved.rounds, saved.racks[1:], strict=True)):
            try:
                game = game.closed(one.slips, one.top, following)
            except EngineError as error:
                raise in_round(index, error) from error
        return game

    @property
    def provenance(self) -> Provenance:
        """What the game depends on besides its slips."""
        leaves = table_name(find_leave_table(self.lexicon))
        return Provenance(VERSION, lexicon_reference(self.lexicon), leaves=leaves, seed=self.seed)

    def play(self, slips: Mapping[int, Sequence[Slip]], *, top: str | None = None) -> Self:
        """Return the game after the slips of some rounds, given by the number of the round.

        Every round from the open one to the last of these is closed, without slips if it has none here; no
        rounds at all close the open one. Slips of an earlier round replace those of the same players.

        `top`: the top that the arbiter lays in the open round. Raises InvalidInput for a player with two
        slips in a round and a round after the end of the game, IllegalMove for a play that is no top, and
        after the end (code "game_over").
        """
        check_players(slips)
        game, first = self, self.number
        last = max(slips, default=first)
        if top is not None and last < first:
            raise InvalidInput(
                Text("a top is chosen for the open round, which these slips do not close"),
                code="round_not_closed",
                field="top",
            )
        if self.is_over and last >= first:
            raise _over()
        for number in sorted(slips):
            if number < first:
                game = game.corrected(number, slips[number])
        for number in range(first, last + 1):
            if game.is_over:
                raise InvalidInput(
                    Text("the game ends before round {number}", number=last),
                    code="no_such_round",
                    field="slips",
                )
            game = game.closed(slips.get(number, ()), top if number == first else None)
        return game

    def closed(self, slips: Sequence[Slip] = (), top: str | None = None, rack: str | None = None) -> Self:
        """Return the game after the open round, with the next one open.

        `top`: the top that is laid, by default the first of the round's `tops`; `rack`: that of the next
        round, by default as the seed determines. Raises as `play`, and InvalidInput for a rack that cannot be
        drawn.
        """
        check_players({self.number: slips})
        if self.current is None:
            raise _over()
        chosen = self.current.top if top is None else self._chosen(top, self.current)
        done = replace(self.current, top=chosen, slips=self._judged(slips, self.current))
        return replace(self, rounds=(*self.rounds, done))._opened(done.rack.without(chosen.used), rack)

    def corrected(self, number: int, slips: Sequence[Slip]) -> Self:
        """Return the game with other slips of some players in a closed round; new players are added."""
        if not 1 <= number <= len(self.rounds):
            raise InvalidInput(
                Text("round {number} has not been played", number=number), code="no_such_round", field="slips"
            )
        changed = self.rounds[number - 1]
        by_player = {one.slip.player: one for one in changed.slips}
        by_player |= {one.slip.player: one for one in self._judged(slips, changed)}
        changed = replace(changed, slips=tuple(by_player.values()))
        return replace(self, rounds=(*self.rounds[: number - 1], changed, *self.rounds[number:]))

    def judge(self, slip: Slip) -> JudgedSlip:
        """Return the verdict on a slip of the open round; raise IllegalMove if there is none."""
        if self.current is None:
            raise _over()
        return self._judged([slip], self.current)[0]

    def _judged(self, slips: Sequence[Slip], one: Round) -> tuple[JudgedSlip, ...]:
        return tuple([judge_slip(slip, one.position, self.lexicon, one.top.score) for slip in slips])

    def _chosen(self, text: str, current: Round) -> Play:
        """Return the top that a text names; raise IllegalMove for anything else."""
        move = read_move(text, current.position)
        fault = move if isinstance(move, MoveFault) else move_fault(move, current.position, self.lexicon)
        if fault is not None:
            raise IllegalMove(fault.detail, code=fault.code, field="top", params=fault.params)
        assert not isinstance(move, MoveFault)  # noqa: S101 - for the type checker
        played = current.position.scored(move)
        if not isinstance(played, Play) or played.score != current.top.score:
            raise IllegalMove(
                Text("{move} is no top: a top scores {points}", move=str(played), points=current.top.score),
                code="not_a_top",
                field="top",
            )
        return played

    def _laid(self) -> Position:
        """Return the position after the closed rounds, without a rack."""
        tiles = self.lexicon.tile_set
        if not self.rounds:
            layout, rules = board_layout(DEFAULT_LAYOUT), default_rule_set(tiles.id)
            empty = Board.empty(layout.side)
            return Position(empty, layout, tiles, rules, _ALONE, lexicon_id=self.lexicon.id)
        last = self.rounds[-1]
        bare = replace(last.position, board=last.position.after(last.top).board, players=_ALONE)
        return without_blanks(bare, last.top) if self.rules.blanks_return else bare

    def _opened(self, leave: Rack, given: str | None) -> Self:
        """Return the game with the next round open, or over."""
        bare, tiles = self._laid(), self.lexicon.tile_set
        left, size = bare.unseen_tiles, bare.rules.rack_size
        if not can_draw(left, size, self.number, tiles, self.rules):
            return replace(self, current=None, reason=NO_RACK)
        if given is None:
            rack = draw_rack(left, leave, size, self.number, self.seed, tiles, self.rules)
        else:
            rack = Rack.from_text(given, tiles.alphabet)
            fills = len(rack) == min(size, len(left)) and not left.missing(rack.tiles)
            if not fills or not is_allowed(rack, left, self.number, tiles, self.rules):
                raise InvalidInput(
                    Text(
                        "the rack {rack} cannot be drawn in round {number}",
                        rack=str(rack),
                        number=self.number,
                    ),
                    code="bad_draw",
                    field="rack",
                )
        position = replace(bare, players=(Player(rack=rack), _ALONE[1]))
        current = open_round(self.number, position, self.lexicon)
        return replace(self, current=current, reason=None if current else NO_PLAY)


def _over() -> IllegalMove:
    return IllegalMove(Text("the game is over"), code="game_over")
