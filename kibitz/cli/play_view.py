"""What a player sees of a game on the terminal: board, clocks, tiles, moves and result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from kibitz import Rack
from kibitz.cli.board import board_text
from kibitz.cli.clocks import clock_text
from kibitz.cli.language import said
from kibitz.cli.play_saving import prompt
from kibitz.cli.play_texts import ending_sentence, result_line, shown_names, turn_text
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from engine.library import SeatView
    from kibitz.cli.play_texts import Players

HIDE = "\x1b[2J\x1b[3J\x1b[H"
"""Clear the terminal and what can be scrolled back to."""


class Screen:
    """The terminal of the people at one keyboard: what it shows is hidden before another one looks.

    `people`: how many of the `players` sit at it.
    """

    def __init__(self, players: int, people: int) -> None:
        self.console: Final = Console(highlight=False)
        self._players = players
        self._is_shared = people > 1
        self._happened: list[str] = []
        self._looking: int | None = None

    def say(self, text: str) -> None:
        """Print what has happened, which is repeated for the next person if the terminal is cleared."""
        self._happened.append(text)
        click.echo(shown(text))

    def hide(self) -> None:
        """Clear a terminal that several people look at, except for what has happened since the last turn."""
        if self._is_shared and self.console.is_terminal:
            click.echo(HIDE, nl=False, color=True)
            click.echo(shown("\n".join(self._happened[-self._players :])))

    def look(self, player: int, players: Players) -> None:
        """Let a person come to the terminal, unless that person was the last one."""
        if self._is_shared and self._looking != player:
            self.hide()
            prompt(said("{name}: press Enter to see your tiles", name=shown_names(players)[player]))
            self._looking = player


def show_table(view: SeatView, console: Console) -> None:
    """Show the board, the scores, the clocks and the player's tiles."""
    position = view.position
    console.print(board_text(position), soft_wrap=True)
    pairs = zip(shown_names(view), view.scores, strict=True)
    scores = "   ".join(f"{name}: {score}" for name, score in pairs)
    in_bag = said("{count} in the bag", count=view.bag)
    click.echo(f"\n  {scores}   ({in_bag})")
    if times := _times(view):
        click.echo("  " + said("Time: {times}", times=times))
    if view.seat is not None:
        alphabet = position.tile_set.alphabet
        held = sorted(Rack.from_text(view.rack, alphabet).tiles, key=lambda code: (code == 0, code))
        tiles = " ".join(alphabet.text([code]).strip("[]") for code in held)
        console.print("  " + said("Your tiles: {tiles}", tiles=f"[bold]{tiles}[/]"))


def _times(view: SeatView) -> list[str]:
    """Return the times left: of each person for the game, and of the one on turn for the move."""
    times = []
    for name, level, left in zip(shown_names(view), view.levels, view.time_left, strict=True):
        if level is None and left is not None:
            points = view.time.penalty(left)
            lost = " " + said("(-{points} points)", points=points) if points else ""
            times.append(f"{name} {clock_text(left)}{lost}")
    if view.move_time_left is not None:
        times.append(said("{time} for this move", time=clock_text(view.move_time_left)))
    return times


def show_moves(view: SeatView, console: Console) -> None:
    """Print the moves so far; of exchanged tiles only their number."""
    if not view.turns:
        click.echo(said("Nobody has moved yet."))
        return
    names = shown_names(view)
    rows = [
        [str(number), names[turn.player], turn_text(turn), str(turn.score), str(turn.total)]
        for number, turn in enumerate(view.turns, 1)
    ]
    words = said("player"), said("move")
    headings = ("", *words, said("points"), said("total"))
    print_table(result_table(said("Moves"), headings, rows, text=words), console)


def show_result(view: SeatView, console: Console) -> None:
    """Print the board, why the game ended, and a line for each player by rank."""
    end = view.end
    assert end is not None  # noqa: S101 - the game is over
    console.print(board_text(view.position), soft_wrap=True)
    click.echo(ending_sentence(view, end))
    for player in sorted(range(len(view.names)), key=lambda player: end.ranks[player]):
        click.echo(result_line(view, end, player))
