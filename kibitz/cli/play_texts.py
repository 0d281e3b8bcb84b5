"""The sentences of `kibitz play`, in the language of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from engine import message
from engine.library import YOU
from kibitz.cli.language import said, said_of
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from engine.library import SeatView, SeenEnd, SeenTurn
    from kibitz import Game

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


class Players(Protocol):
    """A game or a view of one, as far as these sentences need it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    def levels(self) -> tuple[int | None, ...]:
        """The levels of the computer players, None for people."""


def shown_names(game: Players) -> list[str]:
    """Return the names of the players for the terminal; those that kibitz chose are translated."""
    return [_shown_name(name, level) for name, level in zip(game.names, game.levels, strict=True)]


def _shown_name(name: str, level: int | None) -> str:
    if level is not None:
        own = f"Level {level}"
        name = name.replace(own, said("Level {level}", level=level), 1) if name.startswith(own) else name
        return shown(name)
    return said("You") if name == YOU else shown(name)


def greeting(game: Game) -> str:
    """Return the first line of a session: players, lexicon and seed."""
    return said(
        "{players}; {lexicon}, seed {seed}. Type help for help.",
        players=shown_names(game),
        lexicon=game.lexicon.id,
        seed=game.seed,
    )


def turn_sentence(game: Players, turn: SeenTurn) -> str:
    """Return what a player has done; an exchange shows only how many tiles."""
    is_you, name = game.names[turn.player] == YOU, shown_names(game)[turn.player]
    count = turn.tiles
    match turn.kind:
        case "play":
            values = {"move": shown(turn.move), "points": turn.score}
            if is_you:
                return said("You play {move} for {points}.", **values)
            return said("{name} plays {move} for {points}.", name=name, **values)
        case "exchange":
            if is_you:
                return said_of(count, "You exchange {count} tile.", "You exchange {count} tiles.")
            return said_of(
                count, "{name} exchanges {count} tile.", "{name} exchanges {count} tiles.", name=name
            )
        case "late":
            if is_you:
                return said("The time for the move is over: you pass.")
            return said("The time for the move is over: {name} passes.", name=name)
        case "time":
            return said("Your time is over.") if is_you else said("The time of {name} is over.", name=name)
        case "phony":
            return said("The last play was challenged, and {name} takes it back.", name=name)
        case "challenge":
            return said("The last play was challenged, and it stands.")
        case "resigned":
            return said("{name} resigns.", name=name)
        case _:
            return said("You pass.") if is_you else said("{name} passes.", name=name)


def turn_text(turn: SeenTurn) -> str:
    """Return what a player has done as the list of moves shows it."""
    match turn.kind:
        case "play":
            return shown(turn.move)
        case "exchange":
            return said_of(turn.tiles, "exchange of {count} tile", "exchange of {count} tiles")
        case "late":
            return said("pass (time over)")
        case "phony":
            return said("taken back")
        case "challenge":
            return said("challenged, stands")
        case "time":
            return said("time over")
        case "resigned":
            return said("resigns")
        case _:
            return said("pass")


def move_question(game: Players, player: int) -> str:
    """Return the question for the move of a player."""
    if game.names[player] == YOU:
        return said("Your move")
    return said("{name}'s move", name=shown_names(game)[player])


def take_back_sentence(game: Players, player: int) -> str:
    """Return that the last move of a player no longer counts."""
    if game.names[player] == YOU:
        return said("Your last move is taken back.")
    return said("The last move of {name} is taken back.", name=shown_names(game)[player])


def ending_sentence(view: SeatView, end: SeenEnd) -> str:
    """Return why a game that is over has ended."""
    names = shown_names(view)
    if end.reason == "went_out":
        player = view.held.index(0)
        if view.names[player] == YOU:
            return said("The game is over: you went out.")
        return said("The game is over: {name} went out.", name=names[player])
    if end.reason in ("time", "resigned"):
        player = end.ranks.index(len(names))
        if end.reason == "resigned":
            return said("The game is over: {name} has resigned.", name=names[player])
        if view.names[player] == YOU:
            return said("The game is over: you lost on time.")
        return said("The game is over: {name} lost on time.", name=names[player])
    return said(_REASONS[end.reason])


def result_line(view: SeatView, end: SeenEnd, player: int) -> str:
    """Return the rank of a player, the points, what the end changes, and the final score."""
    names = shown_names(view)
    lost, left = end.penalties[player], end.left[player]
    parts = [
        f"  {end.ranks[player]}. {names[player]:<{max(10, *map(len, names))}}",
        f"{view.scores[player]:>5}{end.adjustments[player]:>+5}",
        " " + said("{points} for time", points=-lost) if lost else "",
        f" ={end.scores[player]:>5}",
        ", " + said("{tiles} left", tiles=shown(left)) if left else "",
    ]
    return "".join(parts)
