"""A game at one keyboard: turns of people and computer players, clocks, hidden tiles, saving."""

from __future__ import annotations

import shlex
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from engine import MAX_HINT_LEVEL, MAX_SECONDS, OVERTIMES, EngineError, hint_sentences
from kibitz import Play, best_move, hint
from kibitz.cli.board import board_text
from kibitz.cli.clocks import TimeUp, alarm, clock_text
from kibitz.cli.files import write_atomically
from kibitz.cli.language import reader_language, said
from kibitz.cli.play_texts import (
    HELP,
    ending_sentence,
    greeting,
    late_move_sentence,
    move_question,
    move_sentence,
    move_text,
    result_line,
    shown_names,
    take_back_sentence,
    time_over_sentence,
)
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz import Game

LOSS = OVERTIMES[1]
OVER = 0.02
"""Seconds after the end of a limit at which it has surely been overstepped."""

HIDE = "\x1b[2J\x1b[3J\x1b[H"
"""Clear the terminal and what can be scrolled back to."""


class Session:
    """A game at one keyboard.

    `clock`: returns the seconds since some moment; `file`: where the game was saved, None if it was not;
    `rescue`: the folder of a game that cannot ask where to be saved.
    """

    def __init__(self, game: Game, clock: Callable[[], float], *, file: Path | None, rescue: Path) -> None:
        self._game = game
        self._clock = clock
        self._file = file
        self._rescue = rescue
        self._saved_text = game.to_json()
        self._people = [number for number, level in enumerate(game.levels) if level is None]
        self._happened: list[str] = []
        self._looking: int | None = None
        self._console = Console(highlight=False)

    def run(self) -> None:
        """Take turns until the game is over or somebody leaves it."""
        game = self._game
        click.echo(greeting(game))
        try:
            while not game.is_over:
                level = game.levels[game.on_turn]
                if level is not None:
                    player = game.on_turn
                    move = game.play(best_move(game.position, level=level, seed=game.seed))
                    self._say(move_sentence(game, player, move))
                elif not self._turn():
                    self._leave()
                    return
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or the end of the input
            click.echo()
            self._leave()
            return
        self._hide()
        self._show_board()
        self._show_result()

    def _say(self, text: str) -> None:
        """Print what has happened, which is repeated for the next person if the terminal is cleared."""
        self._happened.append(text)
        click.echo(shown(text))

    def _hide(self) -> None:
        if len(self._people) > 1 and self._console.is_terminal:
            click.echo(HIDE, nl=False, color=True)
            click.echo(shown("\n".join(self._happened[-len(self._game.names) :])))

    def _turn(self) -> bool:
        """Let the person on turn move; return whether the game continues."""
        game, player = self._game, self._game.on_turn
        if len(self._people) > 1 and self._looking != player:
            self._hide()
            _prompt(said("{name}: press Enter to see your tiles", name=shown_names(game)[player]))
            self._looking = player
        self._show()
        hints = 0
        while True:
            before = game.on_turn, game.is_over
            text = self._ask()
            if (game.on_turn, game.is_over) != before:
                return True
            words = text.split(None, 1)
            match [words[0].lower(), *words[1:]] if words else []:
                case []:
                    click.echo(said('Type a move, such as "8D WORD", or help; "-" passes.'))
                case ["quit" | "exit" | "q"]:
                    return False
                case ["help" | "?"]:
                    click.echo(said(HELP))
                case ["board"]:
                    self._show()
                case ["moves"]:
                    self._show_moves()
                case ["save", *file]:
                    self._save(file[0] if file else "")
                case ["hint"]:
                    hints = min(hints + 1, MAX_HINT_LEVEL)
                    click.echo("\n".join(hint_sentences(hint(game.position, hints), reader_language())))
                case ["back"]:
                    if self._attempt(game.take_back):
                        self._say(take_back_sentence(game, game.on_turn))
                        return True
                case _:
                    if self._attempt(partial(game.play, text)):
                        self._say(move_sentence(game, player, game.moves[-1]))
                        return True

    def _attempt(self, change: Callable[[], object]) -> bool:
        """Change the game; return whether the rules allow it, and say why if they do not."""
        try:
            change()
        except EngineError as error:
            click.echo(said("That is not possible: {fault}", fault=error.message))
            return False
        return True

    def _ask(self) -> str:
        """Return what the person on turn types, and count the time that it took."""
        game, began, passed = self._game, self._clock(), None
        player = game.on_turn
        try:
            with alarm(self._seconds_left()):
                return _prompt(f"{move_question(game, player)}>")
        except TimeUp:
            click.echo()
            return ""
        finally:  # also if the game is left and saved now
            passed = game.spend(min(max(0.0, self._clock() - began), MAX_SECONDS))
            if passed is not None:
                self._say(late_move_sentence(game, player))
            elif game.is_over:
                self._say(time_over_sentence(game, player))

    def _seconds_left(self) -> float | None:
        """Return how long the person on turn may type; None for no limit that ends the turn or the game."""
        game = self._game
        left = [game.move_time_left]
        if game.time.overtime == LOSS:
            left.append(game.time_left[game.on_turn])
        limits = [seconds for seconds in left if seconds is not None]
        return min(limits) + OVER if limits else None

    def _show(self) -> None:
        """Show the board, the scores, the clocks and the tiles of the person on turn."""
        game = self._game
        self._show_board()
        pairs = zip(shown_names(game), game.scores, strict=True)
        scores = "   ".join(f"{name}: {score}" for name, score in pairs)
        alphabet = game.position.tile_set.alphabet
        held = sorted(game.racks[game.on_turn].tiles, key=lambda code: (code == 0, code))
        tiles = " ".join(alphabet.text([code]).strip("[]") for code in held)
        in_bag = said("{count} in the bag", count=len(game.bag))
        click.echo(f"\n  {scores}   ({in_bag})")
        if times := self._times():
            click.echo("  " + said("Time: {times}", times=times))
        self._console.print("  " + said("Your tiles: {tiles}", tiles=f"[bold]{tiles}[/]"))

    def _show_board(self) -> None:
        self._console.print(board_text(self._game.position), soft_wrap=True)

    def _times(self) -> list[str]:
        """Return the times left: of each person for the game, and of the one on turn for the move."""
        game = self._game
        times = []
        for number in self._people:
            left = game.time_left[number]
            if left is not None:
                points = game.time.penalty(left)
                lost = " " + said("(-{points} points)", points=points) if points else ""
                times.append(f"{shown_names(game)[number]} {clock_text(left)}{lost}")
        if game.move_time_left is not None:
            times.append(said("{time} for this move", time=clock_text(game.move_time_left)))
        return times

    def _show_moves(self) -> None:
        """Print the moves so far; of exchanged tiles only their number."""
        game, rows = self._game, []
        names = shown_names(game)
        turns = zip(game.movers, game.moves, game.positions, game.move_seconds, strict=True)
        for number, (player, move, position, seconds) in enumerate(turns, 1):
            points = move.score if isinstance(move, Play) else 0
            late = game.time.move_is_over(seconds)
            text = said("pass (time over)") if late else move_text(move)
            total = position.scores[0] + points
            rows.append([str(number), names[player], text, str(points), str(total)])
        if not rows:
            click.echo(said("Nobody has moved yet."))
            return
        words = said("player"), said("move")
        headings = ("", *words, said("points"), said("total"))
        print_table(result_table(said("Moves"), headings, rows, text=words), self._console)

    def _save(self, name: str) -> bool:
        """Save the game, by default where it was saved before; return whether it has been."""
        path = Path(name) if name else self._file
        if path is None:
            click.echo(said("Type a name too, such as: save game.json"))
            return False
        try:
            path = path.expanduser() if name else path
            is_other = path != self._file and path.exists()
            if is_other and not _confirm(said("{path} exists. Replace it?", path=shown(str(path)))):
                return False
            self._write(path)
        except (OSError, RuntimeError, ValueError) as error:  # also "~nobody", and a null character
            reason = error.strerror if isinstance(error, OSError) else error
            where = shown(str(path))
            click.echo(said("It cannot be saved: {path}: {reason}", path=where, reason=reason))
            return False
        self._file = path
        return True

    def _write(self, path: Path) -> None:
        text = self._game.to_json()
        write_atomically(path, text.encode())
        self._saved_text = text
        command = f"kibitz play --load {shown(shlex.quote(str(path)))}"
        click.echo(said("Saved. Continue it with: {command}", command=command))

    def _leave(self) -> None:
        """Leave the game, and save it if that is wanted, or if nobody can be asked."""
        game = self._game
        if game.moves and not game.is_over and game.to_json() != self._saved_text:
            try:
                while True:
                    question = said("Save the game? Type the name of a file, or Enter to leave without it")
                    name = _prompt(f"{question}>")
                    if not name or self._save(name):
                        break
            except click.Abort:
                click.echo()
                self._rescue.mkdir(parents=True, exist_ok=True)
                names = (f"unfinished-{game.seed}-{number}.json" for number in count(1))
                self._write(next(path for name in names if not (path := self._rescue / name).exists()))
        click.echo(said("You have left the game."))

    def _show_result(self) -> None:
        """Print why the game ended, and a line for each player by rank."""
        game, result = self._game, self._game.result
        assert result is not None  # noqa: S101 - the game is over
        click.echo(ending_sentence(game, result))
        for player in sorted(range(len(game.names)), key=lambda player: result.ranks[player]):
            click.echo(result_line(game, result, player))


def _prompt(question: str) -> str:
    """Return what is typed; raise click.Abort for Ctrl-C and the end of the input."""
    return str(click.prompt(shown(question), default="", show_default=False, prompt_suffix=" ")).strip()


def _confirm(question: str) -> bool:
    """Return whether the answer begins as "yes" does, in English or in the language of the command."""
    yes, no = said("yes"), said("no")
    answer = _prompt(f"{question} [{yes}/{no}]")
    return answer[:1].casefold() in ("y", yes[0])
