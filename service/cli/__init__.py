"""The command line: `kibitz COMMAND`.

Each command is `name_command` in the module `service.cli.name`, which is imported when the command is called.
Open `analyze` first: it is the longest path from options to a printed table. Modules that commands share:
`lexicons` opens a lexicon and reads a position, `files` reads boards and tile sets, `options` holds common
options, `tables` prints every table, `terminal` prints text from files safely, `search_tables` shows what a
search found. A game is played by `play_session`, with the times of `clocks`.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

from service.cli.language import lang_option

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
    "report",
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
    "completion",
)
"""The names of the commands, in the order of the help."""

MEASURING = ("bench", "experiment")
"""The commands whose modules are in `benchmarks.commands` instead."""

EXIT_REFUSED = 2
"""The exit code for an impossible request: a wrong option, position, file or setting."""

EXIT_INTERRUPTED = 130
"""The exit code after Ctrl-C, the one that shells use."""

_ANY_LENGTH = 1_000


class Refusal(click.ClickException):
    """End the command with one line on standard error instead of a traceback."""

    exit_code = EXIT_REFUSED

    def format_message(self) -> str:
        """Return the line, with control characters from file names and files escaped."""
        from service.cli.terminal import shown  # imports the engine, which only a failing command needs

        return shown(super().format_message())


class Group(click.Group):
    """A group of commands whose help shows the whole first sentence of each, however long."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands with their first sentences; click would cut them at the line's end."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(_ANY_LENGTH))
                    for name, command in commands
                    if command is not None and not command.hidden
                ]
            )


class CommandGroup(Group):
    """Find the commands in their modules, and print errors that the user can fix as one clear line."""

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; the error for an unknown one suggests similar names."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=COMMANDS, ctx=ctx
            ) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and set its exit code.

        2 for an error of the engine, the settings or the operating system, 130 for Ctrl-C, 1 if the reader of
        the output has closed it.
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
    """Return the message of an error that the user can fix, None for any other error."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
    # Imported here because it takes a tenth of a second, which --help does not need.
    from engine import EngineError
    from service.cli.language import localized
    from service.settings import SettingsError

    if isinstance(error, EngineError):
        return localized(error.message)
    return str(error) if isinstance(error, SettingsError) else None


def _choose_vector_path() -> None:
    """Make the kernels use the vector path of KIBITZ_SIMD, if set; raise Refusal if there is none such."""
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
@lang_option
def kibitz() -> None:
    """Analyze positions of Scrabble-like crossword games: every legal play, best first.

    \b
    kibitz serve                          the web page and the HTTP API, on 127.0.0.1:8080
    kibitz analyze "CGP"                  the best plays of a position
    kibitz board "CGP" --svg board.svg    a picture of a position
    kibitz hint "CGP" --level 2           a hint at the best play
    kibitz play --level 4                 a game against the computer
    kibitz judge RETINAS QI               whether words are acceptable
    kibitz search "?A*E"                  words by pattern, tiles and length
    kibitz annotate game.gcg              every turn of a game beside the best move
    kibitz lexicon list                   the lexicons, bundled or built
    kibitz lexicon build --words words.txt --tiles english --id mine
                                          make a lexicon of your own word list
    kibitz completion bash                let your shell complete commands and options

    A position is written as a CGP: the rows of the board, the racks, the scores and the number of scoreless
    turns, as in "15/15/15/15/15/15/15/7CARE4/15/15/15/15/15/15/15 AEINRST/ 0/12 0". A game record is a file
    in the GCG format.

    Tables of lexicons are stored in the folder KIBITZ_DATA (default: kibitz in the user's cache folder).
    `kibitz COMMAND --help` explains a command. Exit codes: 0; 1 if the answer is no (an unacceptable play, a
    faulty record); 2 if the request was impossible; 130 after Ctrl-C.
    """
    _choose_vector_path()


def main() -> None:
    """Run the command line; this is the entry point `kibitz`."""
    kibitz(prog_name="kibitz")
