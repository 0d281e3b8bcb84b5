"""The command line: `kibitz COMMAND`.

Each command is `name_command` in the module `kibitz.cli.name`, which is imported when the command is called.
Open `analyze` first: it is the longest path from options to a printed table. Modules that commands share:
`lexicons` opens a lexicon and reads a position, `files` reads boards and tile sets, `options` holds common
options, `errors` prints errors, `tables` prints every table, `terminal` prints text from files safely,
`search_tables` shows what a search found. A game is played by `play_session`, with the times of `clocks`.
"""

from __future__ import annotations

import ast
import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli.errors import EXIT_REFUSED, Refusal, choose_form, refusal_of
from kibitz.cli.language import lang_option

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["EXIT_INTERRUPTED", "EXIT_REFUSED", "Group", "Refusal", "from_checkout", "kibitz", "main"]

COMMANDS = (
    "serve",
    "engine",
    "worker",
    "key",
    "analyze",
    "board",
    "hint",
    "play",
    "duplicate",
    "judge",
    "search",
    "quiz",
    "record",
    "annotate",
    "batch",
    "report",
    "endgame",
    "preendgame",
    "lexicon",
    "tiles",
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

FROM_CHECKOUT = {"bench": "benchmarks.commands", "experiment": "lab.commands"}
"""The packages of the commands that only a checkout has."""

EXIT_INTERRUPTED = 130
"""The exit code after Ctrl-C, the one that shells use."""

_ANY_LENGTH = 1_000


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
        """List the commands in the order of the help; some exist in a checkout only."""
        return [
            name
            for name in COMMANDS
            if name not in FROM_CHECKOUT or find_spec(FROM_CHECKOUT[name].split(".")[0])
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from their sources, because importing them all takes a second."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(name)) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command, None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = from_checkout(_module_of(cmd_name))
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; the error for an unknown one suggests similar names."""
        choose_form(ctx, args)
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
        except (click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except Exception as error:
            if (refusal := refusal_of(error, ctx)) is None:
                raise
            raise refusal from None


def _module_of(command: str) -> str:
    """Return the name of the module that defines a command."""
    return f"{FROM_CHECKOUT.get(command, 'kibitz.cli')}.{command}"


def _first_sentence(command: str) -> str:
    """Return the first sentence of a command's docstring."""
    found = find_spec(_module_of(command))
    source = Path(found.origin).read_text("utf-8") if found and found.origin else ""
    docstrings = [
        ast.get_docstring(node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == f"{command}_command"
    ]
    return click.Command(command, help="".join(filter(None, docstrings))).get_short_help_str(_ANY_LENGTH)


def from_checkout(name: str) -> ModuleType:
    """Import a module; raise Refusal if it is in a package that only a checkout has."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if error.name != package:
            raise
        raise Refusal(
            f"{package}/ is not installed with kibitz: run this in a checkout of its repository"
        ) from None


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
    "-V",
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
    kibitz search "?A*E"                  words by pattern, tiles and more
    kibitz quiz twos                      learn words with flash cards
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
