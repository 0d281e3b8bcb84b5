"""`kibitz record`: check, show and convert the records of whole games (GCG)."""

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
    board_layout,
    format_cgp,
    format_gcg,
    format_move,
    read_gcg,
    replay_game,
    rule_set,
    tile_set,
)
from service.cli import Group, Refusal
from service.cli.board import board_text, players_text
from service.cli.tables import print_table
from service.cli.terminal import echo_json, echo_record, plain, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import (
        BoardLayout,
        Event,
        GameRecord,
        GcgReading,
        LineFault,
        Replay,
        RuleSet,
        TileSet,
        Turn,
    )

    Given = tuple[TileSet | None, BoardLayout | None, RuleSet | None]

LONGEST = (1 << 20) + 1
"""How many bytes are read of a file: one more than a record may have, so that the reader can refuse it."""

WITHOUT_MOVE = {
    EventKind.PASS: "pass",
    EventKind.PHONY: "taken back",
    EventKind.CHALLENGE: "challenge",
    EventKind.TIME: "time",
}

RecordFile = click.argument("file", type=click.File("rb"))


def _setting(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how to play a record that does not say it."""
    for option in (
        click.option("--rules", "rules_id", metavar="ID", help="The rules, unless the tile set's own."),
        click.option("--board", "board_id", metavar="ID", help="The board, if the record names none."),
        click.option("--tiles", "tiles_id", metavar="ID", help="The tile set, if the record names none."),
    ):
        command = option(command)
    return command


@click.group("record", cls=Group)
def record_command() -> None:
    """Check, show and convert records of whole games in the GCG format.

    The tile set is the one that the record names, or that goes with its lexicon, else that of --tiles;
    without any it is guessed from the letters and the scores, and a warning says so. FILE may be "-" for
    standard input; UTF-8 and ISO-8859 encodings are read.
    """


@record_command.command("check")
@click.argument(
    "files",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@_setting
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a file, each on one line.")
def check_command(
    files: tuple[str, ...],
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
    as_json: bool,
) -> None:
    """Play each game through and name every fault by its line.

    Looks at the text, the players, the squares, the tiles of racks and bag, the scores, the cumulative
    scores, challenges, and the end of the game; not at the words. A warning is a thing whose meaning was
    clear all the same. The exit status is 1 if any record has a fault.

    \b
    kibitz record check game.gcg
    """
    given = _given(tiles_id, board_id, rules_id)
    bad = False
    for name in files:
        with click.open_file(name, "rb") as file:
            data = file.read(LONGEST)
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
    type=click.Choice(["gcg", "cgp"]),
    required=True,
    help="gcg: the whole record in its canonical form, UTF-8; cgp: one position.",
)
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="The position before event N. [cgp]")
@_setting
def convert_command(
    file: IO[bytes],
    form: str,
    turn: int | None,
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
) -> None:
    """Write a record in its canonical form, or the position before one of its events as CGP.

    Without --turn the position is that after the last event. What is wrong with the record is said on
    standard error.

    \b
    kibitz record convert game.gcg --to gcg
    kibitz record convert game.gcg --to cgp --turn 12
    """
    reading = _read(file)
    if form == "gcg":
        if turn is not None:
            raise click.UsageError("--turn goes with --to cgp.")
        _echo_faults(file.name, reading.faults)
        echo_record(format_gcg(reading.record))
        return
    replay = _played(reading, _given(tiles_id, board_id, rules_id))
    _echo_faults(file.name, (*reading.faults, *replay.faults))
    click.echo(shown(format_cgp(replay.position(turn or len(replay.turns) + 1))))


@record_command.command("show")
@RecordFile
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="Show the board before event N.")
@_setting
@click.option("--notes", is_flag=True, help="Show the notes of the record too.")
@click.option("--json", "as_json", is_flag=True, help="Print every event with the position before it as CGP.")
def show_command(
    file: IO[bytes],
    turn: int | None,
    tiles_id: str | None,
    board_id: str | None,
    rules_id: str | None,
    notes: bool,
    as_json: bool,
) -> None:
    """Show the events of a game and the board at its end, or before one event.

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
    if turn is not None and turn <= len(replay.turns):
        event = replay.turns[turn - 1].event
        nick = _nick(replay.record, event)
        console.print(plain(f"  before event {turn}: {nick}", "bold"))
    console.print(players_text(position))
    for fault in (*reading.faults, *replay.faults, *reading.warnings, *replay.warnings):
        console.print(plain(f"  {fault.detail}", "yellow" if fault.warning else "red"))


def event_table(replay: Replay, marked: int | None = None, notes: bool = False) -> Table:
    """Return a table of the events that could be played, a line each, one of them marked."""
    record = replay.record
    title = record.title or " - ".join(player.name or player.nick for player in record.players)
    table = Table(title=plain(title), title_justify="left", title_style="bold", box=None, pad_edge=True)
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


def _move_text(turn: Turn, replay: Replay) -> str:
    event = turn.event
    if event.kind in WITHOUT_MOVE:
        return WITHOUT_MOVE[event.kind]
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
    """Look up what the options name; NotFound ends the command."""
    return (
        tile_set(tiles_id) if tiles_id else None,
        board_layout(board_id) if board_id else None,
        rule_set(rules_id) if rules_id else None,
    )


def _played(reading: GcgReading, given: Given) -> Replay:
    return replay_game(reading.record, *given)


def _replayed(reading: GcgReading, given: Given) -> Replay | None:
    """Return the replay, None if the record is already known to lack the players for one."""
    if any(fault.code in ("empty_record", "missing_player") for fault in reading.faults):
        return None
    return _played(reading, given)


def _sorted(faults: tuple[LineFault, ...]) -> list[LineFault]:
    return sorted(faults, key=lambda fault: fault.line)


def _report(name: str, reading: GcgReading, replay: Replay | None) -> dict[str, Any]:
    """Return what there is to say of a record, for programs."""
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


def _event(turn: Turn, replay: Replay) -> dict[str, Any]:
    """Return one event of a replay, for programs."""
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
    """Return the last scores in the order of the players."""
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
        click.echo(f"  {word} {fault.code}: {shown(fault.detail)}")


def _echo_refusal(name: str, error: EngineError, as_json: bool) -> None:
    if as_json:
        fault = {"line": 0, "code": error.code, "field": error.field, "detail": str(error)}
        echo_json(orjson.dumps({"file": name, "faults": [fault], "warnings": []}))
    else:
        click.echo(shown(f"{name}: refused: {error}"))


def _read(file: IO[bytes]) -> GcgReading:
    """Read a record; one in which there is neither a player nor a turn is refused."""
    reading = read_gcg(file.read(LONGEST))
    for fault in reading.faults:
        if fault.code == "empty_record":
            raise Refusal(f"{file.name}: {fault.detail}")
    return reading


def _echo_faults(name: str, faults: tuple[LineFault, ...]) -> None:
    for fault in _sorted(faults):
        click.echo(shown(f"{name}: {fault.detail}"), err=True)
