"""A game at one keyboard: turns of people and computer players, clocks, hidden tiles, saving."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from engine import MAX_HINT_LEVEL, MAX_SECONDS, EngineError, hint_sentences
from kibitz import best_move, hint
from kibitz.cli.clocks import TimeUp, alarm
from kibitz.cli.language import reader_language, said
from kibitz.cli.play_saving import Saving, prompt
from kibitz.cli.play_texts import HELP, greeting, move_question, take_back_sentence, turn_sentence
from kibitz.cli.play_view import Screen, show_moves, show_result, show_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kibitz import Game


class Session:
    """A game at one keyboard.

    `clock`: returns the seconds since some moment; `file`: where the game was saved, None if it was not;
    `rescue`: the folder of a game that cannot ask where to be saved.
    """

    def __init__(self, game: Game, clock: Callable[[], float], *, file: Path | None, rescue: Path) -> None:
        self._game = game
        self._clock = clock
        self._saving = Saving(game, game.to_json, file=file, rescue=rescue)
        self._screen = Screen(len(game.names), game.levels.count(None))

    def run(self) -> None:
        """Take turns until the game is over or somebody leaves it."""
        game = self._game
        click.echo(greeting(game))
        try:
            while not game.is_over:
                level = game.levels[game.on_turn]
                if level is not None:
                    game.play(best_move(game.position, level=level, seed=game.seed))
                    self._say_turn()
                elif not self._turn():
                    self._saving.leave()
                    return
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or the end of the input
            click.echo()
            self._saving.leave()
            return
        self._screen.hide()
        show_result(game.seen_by(None), self._screen.console)

    def _say_turn(self) -> None:
        game = self._game
        self._screen.say(turn_sentence(game, game.seen_by(None).turns[-1]))

    def _turn(self) -> bool:
        """Let the person on turn move; return whether the game continues."""
        game, player = self._game, self._game.on_turn
        self._screen.look(player, game)
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
                    show_moves(game.seen_by(None), self._screen.console)
                case ["save", *file]:
                    self._saving.save(file[0] if file else "")
                case ["hint"]:
                    hints = min(hints + 1, MAX_HINT_LEVEL)
                    click.echo("\n".join(hint_sentences(hint(game.position, hints), reader_language())))
                case ["back"]:
                    if self._attempt(game.take_back):
                        self._screen.say(take_back_sentence(game, game.on_turn))
                        return True
                case _:
                    if self._attempt(partial(game.play, text)):
                        self._say_turn()
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
        game, began = self._game, self._clock()
        player = game.on_turn
        try:
            with alarm(game.seen_by(player).turn_time_left):
                return prompt(f"{move_question(game, player)}>")
        except TimeUp:
            click.echo()
            return ""
        finally:  # also if the game is left and saved now
            passed = game.spend(min(max(0.0, self._clock() - began), MAX_SECONDS))
            if passed is not None or game.is_over:
                self._say_turn()

    def _show(self) -> None:
        game = self._game
        show_table(game.seen_by(game.on_turn), self._screen.console)
