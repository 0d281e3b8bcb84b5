"""`kibitz play`: a game in the terminal against computer players of one level."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import click
from rich.console import Console

from engine import MAX_HINT_LEVEL, MAX_LEVEL, EngineError, board_layout, rule_set
from kibitz import Exchange, Game, Lexicon, Pass, Play, best_move, hint
from service.cli.board import board_text
from service.cli.hint import sentences
from service.cli.lexicons import lexicon_option
from service.cli.options import board_option, rules_option
from service.cli.progress import build_progress
from service.settings import Settings

if TYPE_CHECKING:
    from kibitz import Move

YOU = "You"

HELP = """\
  8D WORD   play across from 8D (D8 WORD: down); lower case is a blank, a . a tile already on the board
  -ABC      exchange A, B and C          -       pass
  hint      a hint; again: a better one  board   show the board
  quit      leave the game               help    this\
"""

REASONS = {
    "all_passed": "Everyone passed.",
    "zero_turns": "Too many turns without points.",
}


@click.command("play")
@click.option(
    "--level",
    type=click.IntRange(1, MAX_LEVEL),
    default=5,
    show_default=True,
    help=f"How strong the computer is; {MAX_LEVEL} thinks for up to about a second a move.",
)
@click.option(
    "--players", type=click.IntRange(2, 4), default=2, show_default=True, help="Players, with you among them."
)
@click.option("--second", is_flag=True, help="Let the computer begin.")
@lexicon_option
@board_option
@rules_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Shuffle the tiles by this number; the same one deals the same.",
)
def play_command(
    level: int,
    players: int,
    second: bool,
    lexicon_id: str | None,
    layout_id: str,
    rules_id: str | None,
    seed: int | None,
) -> None:
    """Play a game against the computer.

    Weaker levels do not know the rarer words and misjudge plays; none of them sees your tiles. A play with a
    word that is not in the lexicon is refused.

    \b
    kibitz play --level 3
    kibitz play --players 4 --second --seed 7
    """
    settings = Settings.from_environment()
    name = lexicon_id or settings.lexicon
    with build_progress(f"Building the tables of {name}") as progress:
        lexicon = Lexicon.open(name, data=settings.data, progress=progress)
    others = [f"Level {level}"] if players == 2 else [f"Player {number}" for number in range(2, players + 1)]
    game = Game(
        lexicon,
        [*others, YOU] if second else [YOU, *others],
        seed=secrets.randbelow(2**31) if seed is None else seed,
        layout=board_layout(layout_id),
        rules=rule_set(rules_id) if rules_id else None,
    )
    click.echo(f"Level {level}, {lexicon.id}, seed {game.seed}. Type help for help.")
    _play(game, level)


def _play(game: Game, level: int) -> None:
    """Take turns until the game is over or the user leaves it."""
    while not game.is_over:
        name = game.names[game.on_turn]
        if name == YOU:
            _show(game)
            move = _your_move(game)
            if move is None:
                click.echo("\nYou have left the game.")
                return
        else:
            move = game.play(best_move(game.position, level=level, seed=game.seed))
        click.echo(f"{name} {_sentence(move, 's' * (name != YOU))}.")
    _show(game)
    _show_result(game)


def _your_move(game: Game) -> Move | None:
    """Ask until the user has made a move, and return it; None if the user leaves the game."""
    hints = 0
    while True:
        try:
            text = str(click.prompt("Your move", default="", show_default=False, prompt_suffix="> ")).strip()
        except click.Abort:  # the end of the input, or Ctrl-C
            return None
        match text.lower():
            case "":
                click.echo('Type a move, such as "8D WORD", or help; "-" passes.')
            case "quit" | "exit" | "q":
                return None
            case "help" | "?":
                click.echo(HELP)
            case "board":
                _show(game)
            case "hint":
                hints = min(hints + 1, MAX_HINT_LEVEL)
                click.echo("\n".join(sentences(hint(game.position, hints))))
            case _:
                try:
                    return game.play(text)
                except EngineError as error:
                    click.echo(f"That is not possible: {error}")


def _sentence(move: Move, ending: str) -> str:
    """Say what a player does; an exchange shows only how many tiles. `ending`: "s" unless it is "you"."""
    match move:
        case Play():
            return f"play{ending} {move.text} for {move.score}"
        case Exchange():
            return f"exchange{ending} {len(move.tiles)} tile{'s' if len(move.tiles) > 1 else ''}"
        case Pass():
            return f"pass{'es' if ending else ''}"


def _show(game: Game) -> None:
    """Show the board, the scores and the tiles of the user, not those of the others."""
    console = Console(highlight=False)
    console.print(board_text(game.position), soft_wrap=True)
    scores = "   ".join(f"{name}: {score}" for name, score in zip(game.names, game.scores, strict=True))
    alphabet = game.lexicon.tile_set.alphabet
    yours = sorted(game.racks[game.names.index(YOU)].tiles, key=lambda code: (code == 0, code))
    tiles = " ".join(alphabet.text([code]).strip("[]") for code in yours)
    console.print(f"\n  {scores}   ({len(game.bag)} in the bag)\n  Your tiles: [bold]{tiles}[/]")


def _show_result(game: Game) -> None:
    """Print why the game ended, and the final scores with a star for the winner."""
    result = game.result
    assert result is not None  # noqa: S101 - the game is over
    empty = [name for name, left in zip(game.names, result.left, strict=True) if not left]
    click.echo(f"The game is over: {REASONS.get(result.reason) or f'{empty[0]} went out.'}")
    rows = zip(game.names, game.scores, result.adjustments, result.scores, result.left, strict=True)
    for number, (name, score, adjustment, final, left) in enumerate(rows):
        tiles = f", {left} left" if left else ""
        star = "  *" if number in result.winners else ""
        click.echo(f"  {name:<10}{score:>5}{adjustment:>+5} ={final:>5}{tiles}{star}")
