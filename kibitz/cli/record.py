"""`kibitz record`: check, show and convert game records in the GCG format."""

from __future__ import annotations

from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from engine import (
    EngineError,
    EventKind,
    InvalidInput,
    format_cgp,
    format_gcg,
    format_history,
    format_move,
    read_gcg,
    replay_game,
    rule_set,
)
from kibitz.archives.bounded_file import RECORD_BYTES_READ
from kibitz.cli import Group
from kibitz.cli.board import board_text, players_text
from kibitz.cli.files import faults_of, read_layout, read_tile_set
from kibitz.cli.language import localized
from kibitz.cli.options import json_option
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import echo_json, echo_record, plain, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import (
        BoardLayout,
        Event,
        GameRecord,
        GcgReading,
        LineFault,
        Replay,
        ReplayedEvent,
        RuleSet,
        TileSet,
    )

    Given = tuple[TileSet | None, BoardLayout | None, RuleSet | None]

KIND_NAMES = {
    EventKind.PASS: "pass",
    EventKind.PHONY: "taken back",
    EventKind.CHALLENGE: "challenge",
    EventKind.TIME: "time",
}

RecordFile = click.argument("file", type=click.File("rb"))


def _game_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for rules, board and tile set, which a record may lack."""
    for option in (
        click.option(
            "--rules", "rules_id", metavar="ID", help="The rule set. [default: that of the tile set]"
        ),
        click.option(
            "--board",
            "board_id",
            metavar="BOARD",
            help="The board of a record that names none: an id, or a file such as board.txt.",
        ),
        click.option(
            "--tiles",
            "tiles_id",
            metavar="TILES",
            help="The tile set of a record that names none: an id, or a file such as tiles.csv.",
        ),
    ):
        command = option(command)
    return command


@click.group("record", cls=Group)
def record_command() -> None:
    """Check, show and convert game records.

    A record is a file in the GCG format, in UTF-8, UTF-16 or an ISO-8859 encoding; "-" is standard input. The
    tile set is the one that the record or its lexicon names, else that of --tiles; otherwise it is guessed
    from the letters and scores, with a warning unless it is english.
    """


@record_command.command("check")
@click.argument(
    "files",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@_game_options
@json_option
def check_command(
    files: tuple[str, ...],
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
    as_json: bool,
) -> None:
    """Replay each game and list every fault with its line.

    Checks the text, players, squares, tiles of racks and bag, scores and totals, challenges and the end of
    the game, but not the words. A warning is an irregularity whose meaning is clear. The exit code is 1 if a
    record has a fault.

    \b
    kibitz record check game.gcg
    """
    given = _given(tiles_id, board_id, rules_id)
    bad = False
    for name in files:
        with click.open_file(name, "rb") as file:
            data = file.read(RECORD_BYTES_READ)
        try:
            reading = read_gcg(data)
            replay = _replayed(reading, given)
        except EngineError as error:
            _echo_refusal(name, error, as_json)
            bad = True
            continue
        bad = bad or bool(reading.faults or (replay and replay.faults))
        if as_json:
            echo_json(orjson.dumps(_report(name, reading, replay)))
        else:
            _echo_report(name, reading, replay)
    if bad:
        raise SystemExit(1)


@record_command.command("convert")
@RecordFile
@click.option(
    "--to",
    "form",
    type=click.Choice(["gcg", "woogles", "cgp"]),
    required=True,
    help="gcg: the whole record in canonical form, in UTF-8; woogles: the same as JSON of Woogles and "
    "Macondo; cgp: one position.",
)
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="The position before turn N. [cgp]")
@_game_options
def convert_command(
    file: IO[bytes],
    form: str,
    turn: int | None,
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
) -> None:
    """Print a record in canonical form, as GCG or as JSON, or one of its positions as CGP.

    Without --turn the position is that after the last turn. Faults of the record are printed on standard
    error.

    \b
    kibitz record convert game.gcg --to gcg
    kibitz record convert game.gcg --to woogles
    kibitz record convert game.gcg --to cgp --turn 12
    """
    reading = _read(file)
    if form != "cgp":
        if turn is not None:
            raise click.UsageError("--turn needs --to cgp.")
        _echo_faults(file.name, reading.faults)
        if form == "woogles":
            echo_json(orjson.dumps(format_history(reading.record), option=orjson.OPT_INDENT_2))
        else:
            echo_record(format_gcg(reading.record))
        return
    replay = _played(reading, _given(tiles_id, board_id, rules_id))
    _echo_faults(file.name, (*reading.faults, *replay.faults))
    click.echo(shown(format_cgp(replay.position(turn or len(replay.turns) + 1))))


@record_command.command("show")
@RecordFile
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="Show the board before turn N.")
@_game_options
@click.option("--notes", is_flag=True, help="Show the notes of the record as well.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the turns as JSON, each with the position before it as CGP.",
)
def show_command(
    file: IO[bytes],
    turn: int | None,
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
    notes: bool,
    as_json: bool,
) -> None:
    """Show the turns of a game, and the board after the last or before one of them.

    Each event of the record counts as a turn: a challenge, a bonus or a time penalty too.

    \b
    kibitz record show game.gcg --turn 12
    """
    reading = _read(file)
    replay = _played(reading, _given(tiles_id, board_id, rules_id))
    if as_json:
        events = [_event(item, replay) for item in replay.turns]
        final = format_cgp(replay.final)
        echo_json(orjson.dumps({**_report(file.name, reading, replay), "turns": events, "final": final}))
        return
    position = replay.position(turn or len(replay.turns) + 1)
    console = Console()
    print_table(event_table(replay, turn, notes), console)
    console.print()
    console.print(board_text(position), soft_wrap=True)
    console.print()
    first = replay.on_turn
    if turn is not None and turn <= len(replay.turns):
        event = replay.turns[turn - 1].event
        first = max(event.player, 0)
        console.print(plain(f"  before turn {turn}: {_nick(replay.record, event)}", "bold"))
    nicks = [player.nick for player in replay.record.players]
    console.print(players_text(position, [*nicks[first:], *nicks[:first]]))
    for fault in (*reading.faults, *replay.faults, *reading.warnings, *replay.warnings):
        console.print(plain(f"  {localized(fault.detail)}", "yellow" if fault.warning else "red"))


def event_table(replay: Replay, marked: int | None = None, notes: bool = False) -> Table:
    """Return a table with a row for each event that could be replayed; `marked`: the event to highlight."""
    record = replay.record
    title = record.title or " - ".join(player.name or player.nick for player in record.players)
    table = Table(title=plain(title))
    table.add_column("", justify="right", style="dim")
    table.add_column("player")
    table.add_column("rack")
    table.add_column("move", style="bold")
    table.add_column("points", justify="right")
    table.add_column("total", justify="right")
    if notes:
        table.add_column("note", style="dim")
    for turn in replay.turns:
        event = turn.event
        cells = [str(turn.number), _nick(record, event), event.rack, _move_text(turn, replay)]
        cells += [f"{event.score:+}", str(turn.total)]
        style = "reverse" if turn.number == marked else ""
        table.add_row(*map(plain, cells + [event.note] * notes), style=style)
    return table


def _move_text(turn: ReplayedEvent, replay: Replay) -> str:
    event = turn.event
    if event.kind in KIND_NAMES:
        return KIND_NAMES[event.kind]
    if turn.move is not None and event.kind is EventKind.PLAY:
        return format_move(turn.move, replay.tile_set)
    return {
        EventKind.PLAY: f"{event.at} {event.text}",
        EventKind.EXCHANGE: f"-{event.text}",
        EventKind.UNREADABLE: event.text,
    }.get(event.kind, f"({event.text})")


def _nick(record: GameRecord, event: Event) -> str:
    return record.players[event.player].nick if event.player >= 0 else "?"


def _given(tiles_id: str | None, board_id: str | None, rules_id: str | None) -> Given:
    """Look up the tile set, board and rules of the options; raise NotFound for an unknown one."""
    return (
        read_tile_set(tiles_id) if tiles_id else None,
        read_layout(board_id) if board_id else None,
        rule_set(rules_id) if rules_id else None,
    )


def _played(reading: GcgReading, given: Given) -> Replay:
    return replay_game(reading.record, *given)


def _replayed(reading: GcgReading, given: Given) -> Replay | None:
    """Return the replay, None if the record has no players."""
    if any(fault.code in ("empty_record", "missing_player") for fault in reading.faults):
        return None
    return _played(reading, given)


def _sorted(faults: tuple[LineFault, ...]) -> list[LineFault]:
    return sorted(faults, key=lambda fault: fault.line)


def _report(name: str, reading: GcgReading, replay: Replay | None) -> dict[str, Any]:
    """Return the check of a record as JSON values."""
    faults, warnings = reading.faults, reading.warnings
    report: dict[str, Any] = {
        "file": name,
        "encoding": reading.encoding,
        "players": [asdict(player) for player in reading.record.players],
        "lexicon": reading.record.lexicon,
        "events": len(reading.record.events),
        "replayed": 0,
    }
    if replay is not None:
        faults, warnings = faults + replay.faults, warnings + replay.warnings
        report |= {
            "replayed": len(replay.turns),
            "tile_set": replay.tile_set.id,
            "board": replay.layout.id,
            "rules": replay.rules.id,
            "over": replay.over,
            "scores": _scores(replay),
        }
    report["faults"] = [_fault(fault) for fault in _sorted(faults)]
    report["warnings"] = [_fault(fault) for fault in _sorted(warnings)]
    return report


def _event(turn: ReplayedEvent, replay: Replay) -> dict[str, Any]:
    """Return one event of a replay as JSON values."""
    event = turn.event
    return {
        "turn": turn.number,
        "line": event.line,
        "player": event.player,
        "kind": event.kind,
        "rack": event.rack,
        "move": _move_text(turn, replay),
        "score": event.score,
        "points": turn.points,
        "total": turn.total,
        "note": event.note,
        "cgp": format_cgp(turn.position),
    }


def _fault(fault: LineFault) -> dict[str, Any]:
    return {"line": fault.line, "code": fault.code, "field": fault.field, "detail": fault.detail}


def _scores(replay: Replay) -> list[int]:
    """Return the final scores in the order of the players."""
    totals = [0] * len(replay.record.players)
    for turn in replay.turns:
        if turn.event.player >= 0:
            totals[turn.event.player] = turn.total
    return totals


def _echo_report(name: str, reading: GcgReading, replay: Replay | None) -> None:
    found = (*reading.faults, *reading.warnings)
    summary = "no game"
    if replay is not None:
        found += (*replay.faults, *replay.warnings)
        scores = " - ".join(map(str, _scores(replay)))
        state = "over" if replay.over else "not over"
        summary = f"{len(replay.turns)} of {len(reading.record.events)} events, {scores}, {state}"
    bad = sum(not fault.warning for fault in found)
    verdict = f"{bad} fault{'s' if bad > 1 else ''}" if bad else "ok"
    click.echo(f"{shown(name)}: {verdict}: {summary}")
    for fault in _sorted(found):
        word = click.style("warning", "yellow") if fault.warning else click.style("fault", "red")
        click.echo(f"  {word} {fault.code}: {shown(localized(fault.detail))}")


def _echo_refusal(name: str, error: EngineError, as_json: bool) -> None:
    if as_json:
        fault = {"line": 0, "code": error.code, "field": error.field, "detail": str(error)}
        echo_json(orjson.dumps({"file": name, "faults": [fault], "warnings": []}))
    else:
        click.echo(shown(f"{name}: refused: {localized(error.message)}"))


def _read(file: IO[bytes]) -> GcgReading:
    """Read a record; raise InvalidInput if it has neither a player nor a turn."""
    reading = read_gcg(file.read(RECORD_BYTES_READ))
    for fault in reading.faults:
        if fault.code == "empty_record":
            with faults_of(file.name):
                raise InvalidInput.collected([fault])
    return reading


def _echo_faults(name: str, faults: tuple[LineFault, ...]) -> None:
    for fault in _sorted(faults):
        click.echo(shown(f"{name}: {localized(fault.detail)}"), err=True)
