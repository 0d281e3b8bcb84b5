"""`kibitz play`: a game in the terminal against players of some level."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from rich.console import Console

from engine import (
    MOST_HINTS,
    MOST_LEVELS,
    GameSetup,
    PlayedTurn,
    Position,
    Rack,
    TurnRequest,
    board_layout,
    hint,
    new_game,
    parse_cgp,
    play_turn,
    rule_set,
)
from service.cli.board import board_text
from service.cli.hint import sentences
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.options import board_option, rules_option

if TYPE_CHECKING:
    from engine import Lexicon

HELP = """\
  8D WORD   a play across that begins at 8D (D8 WORD: down); lower case is a blank, a . a tile already there
  -ABC      exchange A, B and C          -       pass
  hint      a hint; again: a better one  board   show the board
  quit      leave the game               help    this\
"""


@click.command("play")
@click.option(
    "--level",
    type=click.IntRange(1, MOST_LEVELS),
    default=5,
    show_default=True,
    help=f"How strong the computer plays; {MOST_LEVELS} looks ahead, up to about a second a move.",
)
@click.option(
    "--players", type=click.IntRange(2, 4), default=2, show_default=True, help="You and the others."
)
@click.option("--second", is_flag=True, help="Let the computer begin.")
@lexicon_option
@board_option
@rules_option
@click.option("--seed", type=click.IntRange(min=0), help="Of the tiles; the same seed deals the same game.")
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

    Weaker levels do not know the rarer words and misjudge plays; none of them sees your tiles. Words that
    are not in the lexicon are not accepted.

    \b
    kibitz play --level 3
    kibitz play --players 4 --second --seed 7
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, board_layout(layout_id), rule_set(rules_id) if rules_id else None)
    seed = secrets.randbelow(2**31) if seed is None else seed
    click.echo(f"Level {level}, {lexicon.id}, seed {seed}. Type help for help.")
    game = _Game(lexicon, new_game(setup, seed, players), level, ["You"])
    others = [f"Level {level}"] if players == 2 else [f"Player {number}" for number in range(2, players + 1)]
    game.names += others
    if second:
        game.names.append(game.names.pop(0))
    game.play()


@dataclass
class _Game:
    """A game under way: its state as a caller of `play_turn` holds it, and who sits where, on turn first."""

    lexicon: Lexicon
    state: TurnRequest
    level: int
    names: list[str]
    hints: int = 0

    def play(self) -> None:
        """Play to the end, or until the user has enough."""
        shown = False
        while True:
            if self.names[0] != "You":
                turn = self._take(replace(self.state, level=self.level))
                shown = False
            else:
                if not shown:
                    self._show()
                    shown = True
                text = self._asked()
                if text is None:
                    return
                if not text:
                    continue
                turn = self._take(replace(self.state, move=text))
                shown = not turn.legal
            if turn.over is not None:
                self._end(turn)
                return

    def _asked(self) -> str | None:
        """Return the move that the user types, None to leave, nothing if it was not a move."""
        try:
            text = str(click.prompt("Your move", prompt_suffix="> ")).strip()
        except click.Abort:  # the end of the input, or Ctrl-C
            text = "quit"
        match text.lower():
            case "quit" | "exit" | "q":
                click.echo("\nThe game is left as it stands.")
                return None
            case "help" | "?":
                click.echo(HELP)
            case "board":
                self._show()
            case "hint":
                self.hints = min(self.hints + 1, MOST_HINTS)
                click.echo("\n".join(sentences(hint(self.state.position, self.lexicon, self.hints))))
            case _:
                return text
        return ""

    def _take(self, asked: TurnRequest) -> PlayedTurn:
        """Make a turn, print it, and let the next player move if it was legal."""
        turn = play_turn(asked, self.lexicon)
        if turn.fault is not None or turn.move is None or turn.next is None:
            click.echo(f"That is not possible: {turn.fault.detail if turn.fault else ''}")
            return turn
        name = self.names.pop(0)
        self.names.append(name)
        mine, done = name == "You", turn.next.players[-1].last_move
        text = turn.move.move if mine else done
        says = {"play": f"{text} for {turn.move.score}", "pass": "pass"}.get(turn.move.kind)
        if says is None:
            says = f"exchange {turn.move.tiles_used} tile{'s' if turn.move.tiles_used > 1 else ''}"
        formed = ", ".join(word.word for word in turn.move.words[1:])
        drew = f" You draw {turn.drawn}." if mine and turn.drawn else ""
        click.echo(f"{name}: {says}{f' (also {formed})' if formed else ''}.{drew}")
        setup = self.state.position
        position = parse_cgp(
            turn.next.cgp,
            tile_set=setup.tile_set,
            layout=setup.layout,
            rules=setup.rules,
            lexicon=self.lexicon.id,
        )
        bag = Rack.from_text(turn.next.bag or "", setup.tile_set.alphabet)
        self.state = TurnRequest(position, seed=self.state.seed, bag=bag, passes=turn.next.passes)
        self.hints = 0
        return turn

    def _show(self) -> None:
        """Show the board, the scores and the user's tiles, no one else's."""
        position: Position = self.state.position
        console = Console(highlight=False)
        console.print(board_text(position), soft_wrap=True)
        scores = "   ".join(
            f"{name}: {player.score}" for name, player in zip(self.names, position.players, strict=True)
        )
        mine = position.players[self.names.index("You")].held
        letters = sorted(mine.tiles, key=lambda code: (code == 0, code))
        tiles = " ".join(position.tile_set.alphabet.text([code]).strip("[]") for code in letters)
        console.print(f"\n  {scores}   ({position.bag_count()} in the bag)\n  Your tiles: [bold]{tiles}[/]")

    def _end(self, turn: PlayedTurn) -> None:
        """Print how the game ended, and who won."""
        assert turn.over is not None  # noqa: S101 - asked for only then
        reasons = {
            "went_out": f"{self.names[-1]} went out.",
            "all_passed": "Everyone passed.",
            "zero_turns": "Too many turns without points.",
        }
        self._show()
        click.echo(f"The game is over: {reasons[turn.over.reason]}")
        for name, player in zip(self.names, turn.over.players, strict=True):
            left = f", {player.left} left" if player.left else ""
            winner = "  *" if player.won else ""
            click.echo(
                f"  {name:<10}{player.score:>5}{player.adjustment:>+5} ={player.final:>5}{left}{winner}"
            )
