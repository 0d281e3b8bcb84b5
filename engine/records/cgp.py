"""CGP, a position in one line: board, racks, scores, scoreless turns, operations ([CGP]).

`parse_cgp` reads it, `format_cgp` writes the canonical text: runs of empty squares as decimal numbers, racks
in the order of the tile set with "?" last, then the operations that differ from the default: `lex`, `ld`
unless english, `bdn` unless the standard board, rules that differ from those of the tile set, `lm`, and the
operations that kibitz does not use, in their order.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from engine.errors import EngineError, Fault, InvalidInput, excerpt
from engine.messages import Text, message
from engine.position import Board, Player, Position, Rack
from engine.records.operations import FIELDS, MAX_CGP, split_operations
from engine.rules import (
    BoardLayout,
    RuleSet,
    TileSet,
    board_layout,
    default_rule_set,
    rule_set,
    tile_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


DEFAULT_TILE_SET: Final = "english"
DEFAULT_LAYOUT: Final = "standard15"
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

# Names of other programs, and the names that kibitz uses.
TILE_SET_NAMES: Final = {"super_english": "english_super", "wwf": "english_wwf"}
LAYOUT_NAMES: Final = {
    "crosswordgame": "standard15",
    "supercrosswordgame": "super21",
    "standard21": "super21",
    "wordswithfriends": "wwf15",
}
WRITTEN_LAYOUT_NAMES: Final = {"super21": "SuperCrosswordGame"}
SUPER_VARIANT: Final = "classic_super"
VARIANTS: Final = ("classic", SUPER_VARIANT)

# The operation for each rule. CGP defines the first four; the others are extensions of kibitz.
RULE_OPERATIONS: Final = {
    "bb": "bingo_bonus",
    "etl": "exchange_limit",
    "mcnz": "zero_turn_limit",
    "cr": "challenge_rule",
    "ending": "ending",
    "passes_each": "passes_each",
    "zero_turns_need_points": "zero_turns_need_points",
    "bingo_tiles": "bingo_tiles",
    "rack_size": "rack_size",
}
USED: Final = frozenset(("lex", "ld", "bdn", "rules", "lm", *RULE_OPERATIONS))
SETTING: Final = frozenset(("var", "ld", "bdn", "rules", *RULE_OPERATIONS))
"""The operations that determine tile set, board and rules."""

WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,6}\Z")
EXAMPLE: Final = f"{'/'.join(['15'] * 15)} AEINRST/ 0/0 0"

Kind = TypeVar("Kind")


def parse_cgp(
    text: str,
    *,
    tile_set: TileSet | None = None,
    layout: BoardLayout | None = None,
    rules: RuleSet | None = None,
    lexicon: str | None = None,
) -> Position:
    """Read a CGP; the keywords are used where the text does not name tile set, board, rules or lexicon.

    By default the tile set is english, the board the standard one, and the rules are those of the tile set.
    The rack of another player becomes `known_tiles` if it is not full, unless it contains all unseen tiles.
    `Position.check` finds out whether the position is possible. Raises InvalidInput with every fault, naming
    row, square or operation.
    """
    if len(text) > MAX_CGP:
        raise InvalidInput(
            Text("a CGP has at most {most} characters", most=MAX_CGP),
            code="cgp_too_long",
            field="cgp",
        )
    fields = text.split(None, FIELDS)
    if len(fields) < FIELDS:
        raise InvalidInput(
            Text(
                "a CGP has four fields, board, racks, scores and scoreless turns; this one has "
                "{count}; an example: {example}",
                count=len(fields),
                example=EXAMPLE,
            ),
            code="bad_cgp",
            field="cgp",
        )
    operations = split_operations(fields[FIELDS]) if len(fields) > FIELDS else ()
    said = dict(operations)
    game = _game(said, tile_set, layout, rules)
    board, racks, scores, zero_turns = _read_fields(fields, game)
    return Position(
        board,
        game.layout,
        game.tile_set,
        game.rules,
        _players(board, racks, scores, said.get("lm"), game),
        zero_turns,
        said.get("lex", lexicon),
        tuple([pair for pair in operations if pair[0] not in USED]),
    )


def format_cgp(position: Position) -> str:
    """Write the canonical CGP of a position.

    Reading it gives the same position, except for what CGP cannot express: tile counts, the known tiles of a
    complete rack, last moves of any player but the second, and the contents of a custom board or tile set,
    for which only the id "custom" is written.
    """
    alphabet, players = position.tile_set.alphabet, position.players
    fields = [
        position.board.text(alphabet),
        "/".join([player.held.text(alphabet) for player in players]),
        "/".join([str(player.score) for player in players]),
        str(position.zero_turns),
    ]
    for name, value in (*_written_operations(position), *position.operations):
        fields.append(f"{name} {value};" if value else f"{name};")
    return " ".join(fields)


class _Game(NamedTuple):
    """Hold the tile set, board and rules of a CGP."""

    tile_set: TileSet
    layout: BoardLayout
    rules: RuleSet


def _game(
    said: Mapping[str, str], tiles: TileSet | None, layout: BoardLayout | None, rules: RuleSet | None
) -> _Game:
    """Return tile set, board and rules: from the operations, else from the caller, else the defaults."""
    if SETTING.isdisjoint(said):
        tiles = tiles or tile_set(DEFAULT_TILE_SET)
        usual_layout, usual_rules = _usual(tiles.id)
        return _Game(tiles, layout or usual_layout, rules or usual_rules)
    faults: list[Fault] = []
    variant = said.get("var", "classic")
    if variant not in VARIANTS:
        detail = Text(
            "the variant '{name}' is not supported; known: {known}",
            name=excerpt(variant),
            known=list(VARIANTS),
        )
        faults.append(Fault("unknown_variant", detail, "cgp"))
    large = variant == SUPER_VARIANT
    tiles = tiles or tile_set("english_super" if large else DEFAULT_TILE_SET)
    layout = layout or board_layout("super21" if large else DEFAULT_LAYOUT)
    if "ld" in said and said["ld"] != tiles.id:
        tiles = _named(tile_set, TILE_SET_NAMES.get(said["ld"].lower(), said["ld"].lower()), faults) or tiles
    if "bdn" in said and said["bdn"] != layout.id:
        layout = _named(board_layout, LAYOUT_NAMES.get(said["bdn"].lower(), said["bdn"]), faults) or layout
    rules = rules or default_rule_set(tiles.id)
    if "rules" in said and said["rules"] != rules.id:
        rules = _named(rule_set, said["rules"], faults) or rules
    try:
        changes = _rule_changes(said)
        rules = rules.changed(**changes) if changes else rules
    except InvalidInput as error:
        faults += [Fault(fault.code, fault.detail, "cgp", params=fault.params) for fault in error.faults]
    if faults:
        raise InvalidInput.collected(faults)
    return _Game(tiles, layout, rules)


@lru_cache(maxsize=64)
def _usual(tile_set_id: str) -> tuple[BoardLayout, RuleSet]:
    """Return the default board and rules of a tile set."""
    return board_layout(DEFAULT_LAYOUT), default_rule_set(tile_set_id)


def _named(find: Callable[[str], Kind], name: str, faults: list[Fault]) -> Kind | None:
    try:
        return find(name)
    except EngineError as error:
        faults.append(Fault(error.code, error.message, "cgp", params=error.params))
        return None


def _rule_changes(said: Mapping[str, str]) -> dict[str, Any]:
    """Return the rules in the operations by their names in a rule set; unreadable values stay text."""
    changes: dict[str, Any] = {}
    for name, rule in RULE_OPERATIONS.items():
        if name in said:
            value = said[name]
            if rule == "zero_turns_need_points":
                changes[rule] = {"true": True, "false": False}.get(value, value)
            else:
                changes[rule] = int(value) if WHOLE_NUMBER.match(value) else value
    return changes


def _read_fields(fields: list[str], game: _Game) -> tuple[Board, list[Rack], list[int], int]:
    """Read board, racks, scores and zero turns; raise InvalidInput with every fault."""
    alphabet = game.tile_set.alphabet
    faults: list[Fault] = []
    board = _collect(lambda: Board.from_text(fields[0], alphabet, game.layout.side, "cgp"), faults)
    racks = _collect(
        lambda: [Rack.from_text(text, alphabet, "cgp") for text in _per_player(fields[1], message("racks"))],
        faults,
    )
    scores = _collect(
        lambda: [_number(text, message("score")) for text in _per_player(fields[2], message("scores"))],
        faults,
    )
    zero_turns = _collect(lambda: _number(fields[3], message("number of scoreless turns")), faults)
    if scores is not None and len(scores) != (players := len(racks or ()) or MIN_PLAYERS):
        detail = Text("the CGP has {racks} racks, but {scores} scores", racks=players, scores=len(scores))
        faults.append(Fault("bad_scores", detail, "cgp"))
    if faults or board is None or racks is None or scores is None or zero_turns is None:
        raise InvalidInput.collected(faults)
    return board, racks, scores, zero_turns


def _collect(read: Callable[[], Kind], faults: list[Fault]) -> Kind | None:
    """Return what `read` returns, None if it raises InvalidInput, whose faults are appended to `faults`."""
    try:
        return read()
    except InvalidInput as error:
        faults += error.faults
        return None


def _players(
    board: Board, racks: list[Rack], scores: list[int], last_move: str | None, game: _Game
) -> tuple[Player, ...]:
    """Return the players, of whom the second made the last move.

    The rack of another player is complete if it is full, or if the others hold all unseen tiles; else its
    tiles are known tiles.
    """
    unseen = game.tile_set.total - board.tile_count - len(racks[0])
    all_known = sum([len(rack) for rack in racks[1:]]) == unseen
    players = [Player(scores[0], racks[0])]
    for rack, score in zip(racks[1:], scores[1:], strict=True):
        move = last_move if len(players) == 1 else None
        if all_known or len(rack) >= game.rules.rack_size:
            players.append(Player(score, rack, last_move=move))
        else:
            players.append(Player(score, known_tiles=rack if rack.tiles else None, last_move=move))
    return tuple(players)


def _per_player(field: str, what: str) -> list[str]:
    parts = field.split("/", MAX_PLAYERS)
    if not MIN_PLAYERS <= len(parts) <= MAX_PLAYERS:
        raise InvalidInput(
            Text(
                "the {what} '{text}' must be those of {least} to {most} players between '/'",
                what=Text(what),
                text=excerpt(field),
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
            ),
            code=f"bad_{what}",
            field="cgp",
        )
    return parts


def _number(text: str, what: str) -> int:
    if not WHOLE_NUMBER.match(text):
        raise InvalidInput(
            Text("the {what} '{text}' is not a whole number", what=Text(what), text=excerpt(text)),
            code="bad_number",
            field="cgp",
        )
    return int(text)


def _written_operations(position: Position) -> list[tuple[str, str]]:
    """List the operations that describe the position, in canonical order."""
    pairs: list[tuple[str, str]] = []
    tiles, layout, rules = position.tile_set.id, position.layout.id, position.rules
    if position.lexicon_id is not None:
        pairs.append(("lex", position.lexicon_id))
    if tiles != DEFAULT_TILE_SET:
        pairs.append(("ld", tiles))
    if layout != DEFAULT_LAYOUT:
        pairs.append(("bdn", WRITTEN_LAYOUT_NAMES.get(layout, layout)))
    _, base = _usual(tiles)
    if rules is not base and rules != base:
        if rules.id != base.id and rules.id != "custom":
            base = rule_set(rules.id)
            pairs.append(("rules", rules.id))
        for name, rule in RULE_OPERATIONS.items():
            value = getattr(rules, rule)
            if value != getattr(base, rule):
                pairs.append((name, str(value).lower()))
    if position.players[1].last_move is not None:
        pairs.append(("lm", position.players[1].last_move))
    return pairs
