"""The sentences of `kibitz play`, in the language of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import message
from kibitz import Exchange, Pass, Play
from kibitz.cli.language import said, said_of
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from kibitz import Game, GameResult, Move

YOU: Final = "You"
"""The name of a single person, which is shown in the language of the command."""

HELP: Final = message("""\
  8D WORD   play across from 8D (D8 WORD: down); lower case is a blank, a . a tile already on the board
  -ABC      exchange A, B and C          -       pass
  hint      a hint; again: a better one  board   show the board
  back      take your last move back     moves   list the moves
  save FILE save the game                help    this
  quit      leave the game\
""")

_REASONS: Final = {
    "all_passed": message("The game is over: everyone passed."),
    "zero_turns": message("The game is over: too many turns without points."),
    "challenge": message("The game is over: it was lost by a challenge."),
}


def shown_names(game: Game) -> list[str]:
    """Return the names of the players for the terminal; those that kibitz chose are translated."""
    return [_shown_name(name, level) for name, level in zip(game.names, game.levels, strict=True)]


def _shown_name(name: str, level: int | None) -> str:
    if level is not None:
        own = f"Level {level}"
        return name.replace(own, said("Level {level}", level=level), 1) if name.startswith(own) else name
    return said("You") if name == YOU else shown(name)


def greeting(game: Game) -> str:
    """Return the first line of a session: players, lexicon and seed."""
    return said(
        "{players}; {lexicon}, seed {seed}. Type help for help.",
        players=shown_names(game),
        lexicon=game.lexicon.id,
        seed=game.seed,
    )


def move_sentence(game: Game, player: int, move: Move) -> str:
    """Return what a player has done; an exchange shows only how many tiles."""
    is_you, name = game.names[player] == YOU, shown_names(game)[player]
    match move:
        case Play():
            values = {"move": shown(move.text), "points": move.score}
            if is_you:
                return said("You play {move} for {points}.", **values)
            return said("{name} plays {move} for {points}.", name=name, **values)
        case Exchange():
            count = len(move.tiles)
            if is_you:
                return said_of(count, "You exchange {count} tile.", "You exchange {count} tiles.")
            return said_of(
                count, "{name} exchanges {count} tile.", "{name} exchanges {count} tiles.", name=name
            )
        case Pass():
            return said("You pass.") if is_you else said("{name} passes.", name=name)


def move_text(move: Move) -> str:
    """Return a move as the list of moves shows it."""
    match move:
        case Play():
            return shown(move.text)
        case Exchange():
            return said_of(len(move.tiles), "exchange of {count} tile", "exchange of {count} tiles")
        case Pass():
            return said("pass")


def move_question(game: Game, player: int) -> str:
    """Return the question for the move of a player."""
    if game.names[player] == YOU:
        return said("Your move")
    return said("{name}'s move", name=shown_names(game)[player])


def take_back_sentence(game: Game, player: int) -> str:
    """Return that the last move of a player no longer counts."""
    if game.names[player] == YOU:
        return said("Your last move is taken back.")
    return said("The last move of {name} is taken back.", name=shown_names(game)[player])


def late_move_sentence(game: Game, player: int) -> str:
    """Return that a player passes because the time for the move is over."""
    if game.names[player] == YOU:
        return said("The time for the move is over: you pass.")
    return said("The time for the move is over: {name} passes.", name=shown_names(game)[player])


def time_over_sentence(game: Game, player: int) -> str:
    """Return that a player has no time left for the game."""
    if game.names[player] == YOU:
        return said("Your time is over.")
    return said("The time of {name} is over.", name=shown_names(game)[player])


def ending_sentence(game: Game, result: GameResult) -> str:
    """Return why a game that is over has ended."""
    names = shown_names(game)
    if result.reason == "went_out":
        player = next(player for player, left in enumerate(result.left) if not left)
        if game.names[player] == YOU:
            return said("The game is over: you went out.")
        return said("The game is over: {name} went out.", name=names[player])
    if result.reason == "time":
        player = result.ranks.index(len(names))
        if game.names[player] == YOU:
            return said("The game is over: you lost on time.")
        return said("The game is over: {name} lost on time.", name=names[player])
    return said(_REASONS[result.reason])


def result_line(game: Game, result: GameResult, player: int) -> str:
    """Return the rank of a player, the points, what the end changes, and the final score."""
    names = shown_names(game)
    lost, left = result.penalties[player], result.left[player]
    parts = [
        f"  {result.ranks[player]}. {names[player]:<{max(10, *map(len, names))}}",
        f"{game.scores[player]:>5}{result.adjustments[player]:>+5}",
        " " + said("{points} for time", points=-lost) if lost else "",
        f" ={result.scores[player]:>5}",
        ", " + said("{tiles} left", tiles=left) if left else "",
    ]
    return "".join(parts)
