"""Play at seats of a hosted game on the terminal, that of the host or of a player who has joined."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Protocol

import click

from engine import EngineError, message
from kibitz.cli.clocks import TimeUp, alarm
from kibitz.cli.language import said
from kibitz.cli.play_saving import confirm, prompt
from kibitz.cli.play_texts import move_question, shown_names, turn_sentence
from kibitz.cli.play_view import Screen, show_moves, show_result, show_table
from kibitz.cli.terminal import shown
from service.hosted_game import CHALLENGE, RESIGN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.library import SeatView
    from kibitz.cli.play_saving import Saving
    from service.hosted_game import HostedView

HELP = message("""\
  8D WORD   play across from 8D (D8 WORD: down); lower case is a blank, a . a tile already on the board
  -ABC      exchange A, B and C          -       pass
  challenge challenge the last play      resign  give up the game
  moves     list the moves               board   show the board
  save FILE save the game, at the host   help    this
  quit      leave the game\
""")


class Connection(Protocol):
    """What connects a terminal with the game: in this process, or over HTTP.

    `seats`: those of the players at the terminal, known with the first view.
    """

    seats: Sequence[int]

    def views(self) -> Iterator[HostedView]:
        """Yield what the players at this terminal see, now and after changes."""

    def act(self, seat: int, text: str) -> HostedView:
        """Make a move for a player and return what the terminal shows then; raise EngineError."""


class SeatTerminal:
    """A terminal with the players of some seats; `saving`: how the host saves the game."""

    def __init__(self, connection: Connection, saving: Saving | None = None) -> None:
        self._connection = connection
        self._saving = saving
        self._screen = Screen(0, 0)
        self._turns_said: int | None = None
        self._said = ""

    def run(self) -> bool:
        """Follow the game and take turns; return whether it is over, else somebody has left it.

        Raises click.Abort and KeyboardInterrupt for Ctrl-C and the end of the input.
        """
        number = -1
        for hosted in self._connection.views():
            latest: HostedView | None = hosted
            while latest is not None and latest.number > number:
                number = latest.number
                self._say_news(latest)
                view, is_asked = latest.game, self._is_asked(latest)
                if view.is_over:
                    latest = self._challenge(view) if is_asked else None
                    if latest is None:
                        self._screen.hide()
                        show_result(view, self._screen.console)
                        return True
                elif is_asked:
                    try:
                        latest = self._turn(view)
                    except _Left:
                        return False
                else:
                    break
        return False

    def _is_asked(self, hosted: HostedView) -> bool:
        view = hosted.game
        may_act = view.challengeable if view.is_over else not hosted.missing
        return view.on_turn in self._connection.seats and may_act

    def _say_news(self, hosted: HostedView) -> None:
        """Say what has happened, and who is awaited or away."""
        view, names = hosted.game, shown_names(hosted.game)
        if self._turns_said is None:
            self._screen = Screen(len(names), len(self._connection.seats))
            self._turns_said = max(0, len(view.turns) - len(names) + 1)
            lexicon = shown(view.lexicon)
            click.echo(said("{players}; {lexicon}. Type help for help.", players=names, lexicon=lexicon))
        for turn in view.turns[self._turns_said :]:
            self._screen.say(turn_sentence(view, turn))
        self._turns_said = len(view.turns)
        awaited = hosted.missing or (() if self._is_asked(hosted) else (view.on_turn,))
        text = ""
        if not view.is_over and awaited:
            text = said("Waiting for {names}.", names=[names[seat] for seat in awaited])
            if away := [names[seat] for seat in hosted.away if seat not in hosted.missing]:
                text += " " + said("Not connected: {names}.", names=away)
        if text and text != self._said:
            click.echo(text)
        self._said = text

    def _challenge(self, view: SeatView) -> HostedView | None:
        """Ask whether to challenge the last play; return what is seen then, None if it stands."""
        self._screen.look(view.on_turn, view)
        show_table(view, self._screen.console)
        if not confirm(said("Challenge the last play?")):
            return None
        try:
            return self._connection.act(view.on_turn, CHALLENGE)
        except EngineError as error:
            _say_refusal(error)
            return None

    def _turn(self, view: SeatView) -> HostedView | None:
        """Let the person on turn move; return what is seen then, None if that is still to come."""
        player, until = view.on_turn, None
        self._screen.look(player, view)
        if view.turn_time_left is not None:
            until = monotonic() + view.turn_time_left
        show_table(view, self._screen.console)
        while True:
            try:
                with alarm(None if until is None else until - monotonic()):
                    text = prompt(f"{move_question(view, player)}>")
            except TimeUp:
                click.echo()
                return None
            words = text.split(None, 1)
            match [words[0].lower(), *words[1:]] if words else []:
                case []:
                    click.echo(said('Type a move, such as "8D WORD", or help; "-" passes.'))
                case ["quit" | "exit" | "q"]:
                    raise _Left
                case ["help" | "?"]:
                    click.echo(said(HELP))
                case ["board"]:
                    show_table(view, self._screen.console)
                case ["moves"]:
                    show_moves(view, self._screen.console)
                case ["save", *file] if self._saving is not None:
                    self._saving.save(file[0] if file else "")
                case [word] if word == RESIGN and not confirm(said("Give up the game?")):
                    pass
                case _:
                    try:
                        return self._connection.act(player, text)
                    except EngineError as error:
                        _say_refusal(error)
                        if error.code in ("not_your_turn", "game_over"):
                            return None


def _say_refusal(error: EngineError) -> None:
    click.echo(said("That is not possible: {fault}", fault=shown(error.message)))


class _Left(Exception):  # noqa: N818 - the name says what happened
    """A person has left the game."""
