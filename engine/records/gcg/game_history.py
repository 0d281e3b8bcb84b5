"""GameHistory: games as Woogles and Macondo store them in JSON, read and written.

A field that is absent has its default: 0, false or an empty text. Names are in snake_case or in camelCase,
enumerations are numbers or names. What GCG has no word for becomes a pragma of the heading or of the event,
so that a game that is written as GCG still has it; `words_formed`, which follows from the plays, is left out.
Source: the files of these programs.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text, message
from engine.position import format_coordinate, parse_coordinate
from engine.records.gcg.encoding import NO_TEXT
from engine.records.gcg.record import (
    EVENT,
    MAX_EVENTS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NOBODY,
    Event,
    EventKind,
    GameRecord,
    PlayerName,
)
from engine.rules import MAX_SIDE
from engine.rules.alphabet import NOTATION_TOKEN, composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.records.gcg.fault_list import FaultList

    History = Mapping[str, Any]

TYPES: Final = (
    ("TILE_PLACEMENT_MOVE", EventKind.PLAY),
    ("PHONY_TILES_RETURNED", EventKind.PHONY),
    ("PASS", EventKind.PASS),
    ("CHALLENGE_BONUS", EventKind.CHALLENGE),
    ("EXCHANGE", EventKind.EXCHANGE),
    ("END_RACK_PTS", EventKind.END_BONUS),
    ("TIME_PENALTY", EventKind.TIME),
    ("END_RACK_PENALTY", EventKind.END_PENALTY),
    ("UNSUCCESSFUL_CHALLENGE_TURN_LOSS", EventKind.PASS),
    ("CHALLENGE", None),
)
"""The types of events by number; the last one says only that a challenge was made."""

SCORES: Final = {
    EventKind.PLAY: ("score", 1),
    EventKind.CHALLENGE: ("bonus", 1),
    EventKind.END_BONUS: ("end_rack_points", 1),
    EventKind.PHONY: ("lost_score", -1),
    EventKind.TIME: ("lost_score", -1),
    EventKind.END_PENALTY: ("lost_score", -1),
}
"""The field with the points of an event, and their sign; other events have none."""

RULES: Final = ("VOID", "SINGLE", "DOUBLE", "FIVE_POINT", "TEN_POINT", "TRIPLE")
DEFAULTS: Final = {"board-layout": "CrosswordGame", "tile-distribution": "english", "game-type": "classic"}
HEADINGS: Final = {
    "title": "title",
    "description": "description",
    "lexicon": "lexicon",
    "board-layout": "board_layout",
    "tile-distribution": "letter_distribution",
    "game-type": "variant",
    "time-zone": "time_zone",
}
"""The pragmas of a heading, and the fields with their values."""

CHALLENGE_RULE: Final = "challenge-rule"
CLOCK: Final = "millis-remaining"
"""The pragma of an event with the time left on the player's clock."""

GAME_OVER: Final = 2
BINGO_TILES: Final = 7
_TOO_LARGE: Final = 10**9
_INTEGER: Final = re.compile("-?[0-9]{1,9}")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")
_NO_NICK: Final = re.compile(r"[\s:]+")
_ENDS: Final = (EventKind.END_BONUS, EventKind.END_PENALTY)


def is_history(lines: Iterable[str]) -> bool:
    """Return whether the lines of a text are JSON, not GCG."""
    return next((line.lstrip() for line in lines if line.strip()), "").startswith("{")


def read_history(text: str, found: FaultList) -> GameRecord:
    """Return the record of a history; faults are added to `found`, their lines are numbers of events.

    Raises InvalidInput (code "too_many_events") for more than MAX_EVENTS events.
    """
    try:
        history = _cleaned(json.loads(text))
    except json.JSONDecodeError as error:
        template = message("this is not a game record: line {line} is not JSON ({reason})")
        found.add("empty_record", Text(template, line=error.lineno, reason=error.msg), 0)
        return GameRecord(())
    except (ValueError, RecursionError):
        template = message("this is not a game record: its JSON is nested too deep, or a number is too long")
        found.add("empty_record", Text(template), 0)
        return GameRecord(())
    history = history.get("history") if isinstance(history.get("history"), dict) else history
    given = [one for one in _list(history, "players") if isinstance(one, dict)]
    if len(given) < MIN_PLAYERS:
        found.add("empty_record", Text("this is not a game record: it has no players"), 0)
        return GameRecord(())
    if len(given) > MAX_PLAYERS:
        template = message("a game has at most {most} players, this one has {count}")
        found.add("bad_player", Text(template, most=MAX_PLAYERS, count=len(given)), 0)
    players = [_player(one, number) for number, one in enumerate(given[:MAX_PLAYERS], 1)]
    if history.get("second_went_first"):
        players.reverse()
    if _text(history, "starting_cgp"):
        found.add(
            "starting_position", Text("the game begins with a position, which is not read"), 0, warning=True
        )
    given_events = _list(history, "events")
    if len(given_events) > MAX_EVENTS:
        raise InvalidInput(
            Text(
                "a record has at most {limit} events, this one has {count}",
                limit=MAX_EVENTS,
                count=len(given_events),
            ),
            code="too_many_events",
            field="gcg",
        )
    read = [_event(one, number, players, found) for number, one in enumerate(given_events, 1)]
    events = tuple([event for event in read if event is not None])
    racks: tuple[str, ...] = ()
    if not any(event.kind in _ENDS for event in events):
        racks = tuple([rack if isinstance(rack, str) else "" for rack in _list(history, "last_known_racks")])
    return GameRecord(tuple(players), tuple(_pragmas(history)), events=events, last_racks=racks, unit=EVENT)


def _cleaned(value: Any) -> Any:
    """Return JSON values with the names of members in snake_case, and without characters that are no text."""
    if isinstance(value, dict):
        return {_CAPITAL.sub(r"_\1", name).lower(): _cleaned(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(inner) for inner in value]
    return NO_TEXT.sub("\ufffd", value) if isinstance(value, str) else value


def _text(given: History, name: str) -> str:
    value = given.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(given: History, name: str) -> int:
    """Return a number of a member; those of 64 bits are texts in JSON."""
    value = given.get(name)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and abs(value) < _TOO_LARGE else 0


def _list(given: History, name: str) -> list[Any]:
    value = given.get(name)
    return value if isinstance(value, list) else []


def _player(given: History, number: int) -> PlayerName:
    nick, name = _text(given, "nickname"), _text(given, "real_name")
    return PlayerName(_NO_NICK.sub("_", nick or name) or f"player{number}", name)


def _pragmas(history: History) -> list[tuple[str, str]]:
    found = [(pragma, " ".join(_text(history, name).split())) for pragma, name in HEADINGS.items()]
    if uid := _text(history, "uid"):
        found.append(("id", f"{_text(history, 'id_auth') or 'woogles'} {uid}"))
    rule = history.get("challenge_rule", 0)
    if isinstance(rule, int) and 0 < rule < len(RULES):
        rule = RULES[rule]
    found.append((CHALLENGE_RULE, rule if rule in RULES[1:] else ""))
    return [(name, value) for name, value in found if value and value != DEFAULTS.get(name)]


def _event(given: Any, number: int, players: list[PlayerName], found: FaultList) -> Event | None:
    """Return an event, None for one that changes nothing."""
    if not isinstance(given, dict):
        found.add("unreadable_event", Text("the event is not a JSON object"), number)
        return _unreadable(given, number)
    kind = given.get("type", 0)
    if isinstance(kind, str):
        kind = next((at for at, (name, _) in enumerate(TYPES) if name == kind), kind)
    player = _number(given, "player_index")
    if nick := _text(given, "nickname"):  # of histories before players had numbers
        player = next((at for at, one in enumerate(players) if one.nick == _NO_NICK.sub("_", nick)), player)
    if not isinstance(kind, int) or not 0 <= kind < len(TYPES) or not 0 <= player < len(players):
        sentence = Text("the event has an unknown type or player: {text}", text=excerpt(f"{kind}, {player}"))
        found.add("unreadable_event", sentence, number)
        return _unreadable(given, number)
    what = TYPES[kind][1]
    if what is None:
        return None
    field, sign = SCORES.get(what, ("", 0))
    rack, clock = _text(given, "rack"), _number(given, "millis_remaining")
    at, text = "", ""
    if what is EventKind.PLAY:
        at, text = _square(given), _text(given, "played_tiles")
    elif what is EventKind.EXCHANGE:
        text = _text(given, "exchanged")
    elif what in _ENDS:
        text, rack = rack, rack if what is EventKind.END_PENALTY else ""
    return Event(
        what,
        player,
        rack,
        at,
        text,
        sign * _number(given, field),
        _number(given, "cumulative"),
        _text(given, "note"),
        ((CLOCK, str(clock)),) if clock else (),
        number,
    )


def _unreadable(given: Any, number: int) -> Event:
    """Return an event with its JSON as a line that GCG can hold."""
    return Event(EventKind.UNREADABLE, NOBODY, text=f">? {excerpt(json.dumps(given))}", line=number)


def _square(given: History) -> str:
    if position := _text(given, "position"):
        return position
    down = given.get("direction", 0) in (1, "VERTICAL")
    return format_coordinate(_number(given, "row"), _number(given, "column") % MAX_SIDE, down)


def format_history(record: GameRecord) -> dict[str, Any]:
    """Return a record as a history, in snake_case and with numbers for types, as Macondo writes it."""
    over = any(event.kind in _ENDS for event in record.events)
    totals = [0] * len(record.players)
    events, played = [], ""
    for event in record.events:
        if event.kind is EventKind.UNREADABLE:
            continue
        played = event.text if event.kind is EventKind.PLAY else played
        events.append(_written(event, played))
        if event.total is not None:
            totals[event.player] = event.total
    authority, _, uid = (record.pragma("id") or "").rpartition(" ")
    rule = record.pragma(CHALLENGE_RULE)
    history: dict[str, Any] = {
        "events": events,
        "players": [_given_fields({"nickname": one.nick, "real_name": one.name}) for one in record.players],
        "version": 2,
        **{field: record.pragma(name) for name, field in HEADINGS.items()},
        "id_auth": authority,
        "uid": uid,
        "challenge_rule": RULES.index(rule) if rule in RULES else 0,
        "last_known_racks": list(record.last_racks) if any(record.last_racks) else [],
        "play_state": GAME_OVER if over else 0,
        "final_scores": totals if over else [],
    }
    return _given_fields(history)


def _written(event: Event, played: str) -> dict[str, Any]:
    """Return an event; `played`: the tiles of the last play, which a withdrawn one names again."""
    kind = next(number for number, (_, kind) in enumerate(TYPES) if kind is event.kind)
    field, sign = SCORES.get(event.kind, ("score", 0))
    clock = next((value for name, value in event.pragmas if name == CLOCK), "0")
    found: dict[str, Any] = {
        "note": event.note,
        "rack": event.text if event.kind in _ENDS else event.rack,
        "type": kind,
        "cumulative": event.total or 0,
        "played_tiles": played if event.kind in (EventKind.PLAY, EventKind.PHONY) else "",
        "exchanged": event.text if event.kind is EventKind.EXCHANGE else "",
        field: sign * event.score,
        "player_index": event.player,
        "millis_remaining": int(clock) if _INTEGER.fullmatch(clock) else 0,
    }
    if event.kind is EventKind.PLAY:
        tiles = NOTATION_TOKEN.findall(composed(played))
        found |= {"position": event.at, "is_bingo": len(tiles) - tiles.count(".") >= BINGO_TILES}
        try:
            row, column, down = parse_coordinate(event.at, MAX_SIDE)
        except InvalidInput:
            return _given_fields(found)
        found |= {"row": row, "column": column, "direction": int(down)}
    return _given_fields(found)


def _given_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that do not have their default."""
    return {name: value for name, value in fields.items() if value}
