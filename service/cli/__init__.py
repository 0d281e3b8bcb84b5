"""The command line: `kibitz COMMAND`. Each command is a module, imported when it is used."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

COMMANDS = (
    "serve",
    "worker",
    "key",
    "analyze",
    "board",
    "hint",
    "play",
    "judge",
    "search",
    "record",
    "annotate",
    "batch",
    "endgame",
    "preendgame",
    "lexicon",
    "perft",
    "bench",
    "experiment",
    "match",
    "train",
    "leaves",
    "signature",
)
"""The commands, in the order of the help; `name` is `name_command` in the module `service.cli.name`."""

MEASURING = ("bench", "experiment")
"""The commands whose modules lie in `benchmarks.commands` instead."""

EXIT_REFUSED = 2
"""The exit code of a command that was given something impossible, as for a wrong option."""

EXIT_INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


class Refusal(click.ClickException):
    """End the command with one line on standard error instead of a traceback."""

    exit_code = EXIT_REFUSED

    def format_message(self) -> str:
        """Return the line; what it repeats of a file or of its name must not command the terminal."""
        from service.cli.terminal import shown  # here: only a command that fails waits for the engine

        return shown(super().format_message())


class CommandGroup(click.Group):
    """Find the commands in their modules, and turn the errors that a user can mend into one clear line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command, None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        package = "benchmarks.commands" if cmd_name in MEASURING else "service.cli"
        command: click.Command = getattr(import_module(f"{package}.{cmd_name}"), f"{cmd_name}_command")
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of the engine, the settings or the system ends it with exit code 2.

        Ctrl-C ends it with 130, and a reader of its output who has gone away with 1.
        """
        try:
            return super().invoke(ctx)
        except click.FileError as error:
            raise Refusal(error.format_message()) from None
        except (click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except Exception as error:
            if (line := _one_line(error)) is None:
                raise
            raise Refusal(line) from None


def _one_line(error: Exception) -> str | None:
    """Return the sentence for an error that its user can mend, None for any other."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
    # Here, not above: only a command that needs the engine waits for it.
    from engine import EngineError
    from service.settings import SettingsError

    return str(error) if isinstance(error, (EngineError, SettingsError)) else None


def _choose_vector_path() -> None:
    """Have the kernels take the vector path of KIBITZ_SIMD, if it is set; raise Refusal if there is none."""
    text = os.environ.get("KIBITZ_SIMD")
    if not text:
        return
    from engine import EngineError, use_simd

    if not text.isdecimal():
        raise Refusal(f"KIBITZ_SIMD={text}: must be 0 (plain C), 1 (AVX2) or 2 (AVX-512)")
    try:
        use_simd(int(text))
    except EngineError as error:
        raise Refusal(f"KIBITZ_SIMD={text}: {error}") from None


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from engine import __version__

        click.echo(f"kibitz {__version__}")
        ctx.exit()


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group("kibitz", cls=CommandGroup, context_settings=_SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def kibitz() -> None:
    """Analyse positions of Scrabble-like crossword games: every legal play, best first.

    \b
    kibitz serve                          answer POST /analyze on 127.0.0.1:8080
    kibitz analyze "CGP"                  the best plays of one position, in the terminal
    kibitz board "CGP" --svg board.svg    a picture of one
    kibitz hint "CGP" --level 2           a little help towards the best play
    kibitz play --level 4                 a game against the computer
    kibitz judge RETINAS QI               whether words are acceptable
    kibitz search "?A*E"                  words by pattern, tiles, length
    kibitz annotate game.gcg              every turn of a game with the best move
    kibitz lexicon list                   the lexicons, bundled or built
    kibitz lexicon build --words words.txt --tiles english --id mine
                                          make a word list of your own one of them

    Tables of lexicons live in the folder KIBITZ_DATA (default: kibitz in the user's cache folder).
    Every command explains itself: kibitz COMMAND --help. The exit code is 2 for what cannot be done as asked,
    130 after Ctrl-C, and 1 where a command says no (a play that is not acceptable, a record with faults).
    """
    _choose_vector_path()


def main() -> None:
    """Run the command line; this is the entry point `kibitz`."""
    kibitz(prog_name="kibitz")
