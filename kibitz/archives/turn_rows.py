"""The rows of an archive: one for each turn, from the lines of an annotation.

`COLUMNS` says what a row holds; docs/archives.md has the same list. Increase TURNS_VERSION when a column is
removed or means something else; a new column at the end needs no new version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from engine import MISTAKE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TURNS_VERSION: Final = 1

MIDGAME: Final = "midgame"
PREENDGAME: Final = "preendgame"
ENDGAME: Final = "endgame"
PHASES: Final = (MIDGAME, PREENDGAME, ENDGAME)
"""The phases of a game, in its order."""

PREENDGAME_TILES: Final = 7
"""The most tiles in the bag of a pre-endgame."""

TEXT, WHOLE, NUMBER, FLAG, TEXTS, WHOLES = "string", "int32", "double", "bool", "list<string>", "list<int32>"
"""The types of columns, as Arrow names them."""


class Column(NamedTuple):
    """A column of the rows: its name, its type, and what it means."""

    name: str
    type: str
    meaning: str


COLUMNS: Final = (
    Column("game", TEXT, "name of the record: its path in the folder or archive"),
    Column("game_sha256", TEXT, "SHA-256 of the record, hexadecimal"),
    Column("turn", WHOLE, "number of the event in the record, from 1; with game it identifies the row"),
    Column("line", WHOLE, "line of the record"),
    Column("title", TEXT, "title of the game"),
    Column("players", TEXTS, "full names of the players, else their nicknames, in the order of the record"),
    Column("player", TEXT, "name of the player on turn"),
    Column("player_number", WHOLE, "number of the player on turn, from 0"),
    Column("recorded_lexicon", TEXT, "lexicon that the record names"),
    Column("lexicon", TEXT, "lexicon by which the turn was judged"),
    Column("tile_set", TEXT, "tile set"),
    Column("board", TEXT, "board"),
    Column("rules", TEXT, "rule set"),
    Column("cgp", TEXT, "position before the turn"),
    Column("phase", TEXT, "midgame, preendgame (1 to 7 tiles in the bag) or endgame (empty bag)"),
    Column("bag_count", WHOLE, "tiles in the bag before the turn"),
    Column("rack", TEXT, "known tiles of the rack"),
    Column("rack_known", TEXT, "known, inferred (from the move), partial or unknown"),
    Column("scores", WHOLES, "scores before the turn, by player"),
    Column("kind", TEXT, "play, exchange or pass"),
    Column("move", TEXT, "the move as the record writes it"),
    Column("score", WHOLE, "points of the move as recorded"),
    Column("points", WHOLE, "points by the rules"),
    Column("total", WHOLE, "score of the player after the turn"),
    Column("challenge", TEXT, "taken_back, stood, or null without a challenge"),
    Column("phonies", TEXTS, "words of the play that are not in the lexicon"),
    Column("bingo", FLAG, "whether a bingo was played and not taken back"),
    Column("not_judged", TEXT, "why the turn was not judged; null if it was"),
    Column("evaluator", TEXT, "evaluator of the turn; endgame if an endgame search ranked the moves"),
    Column("equity", NUMBER, "equity of the move played, in points"),
    Column("best_move", TEXT, "the best move"),
    Column("best_score", WHOLE, "its points"),
    Column("best_equity", NUMBER, "its equity"),
    Column("best_is_bingo", FLAG, "whether it is a bingo"),
    Column("missed_bingo", TEXT, "the best bingo, if none was played and it is better than the move played"),
    Column("rank", WHOLE, "rank of the move played, 1 is best; null if an endgame search left it open"),
    Column("equity_lost", NUMBER, "equity of the best move less that of the move played, at least 0"),
    Column(
        "win_pct_before",
        NUMBER,
        "win% before the turn, from spread and unseen tiles alone while the bag has tiles",
    ),
    Column("win_pct_after", NUMBER, "win% of the move played, 0 to 100"),
    Column("win_pct_error", NUMBER, "its standard error; null unless it comes from a sample"),
    Column("best_win_pct", NUMBER, "win% of the best move"),
    Column("win_pct_lost", NUMBER, "best_win_pct less win_pct_after, at least 0"),
    Column("certainty", TEXT, "exact, bound (at least so much was lost) or estimate"),
    Column("mistake", TEXT, "none, small, medium or large; null while an endgame search left it open"),
    Column("luck", NUMBER, "luck of the draw in points; null without --explain, and where it is unknown"),
    Column("luck_error", NUMBER, "its standard error"),
    Column("seconds", NUMBER, "seconds that the turn took, if the record says so (#seconds)"),
    Column("mistake_points", NUMBER, "what the turn adds to the Mistake Index; null if mistake is"),
    Column(
        "words_lost", NUMBER, "part of equity_lost due to words that few players know; null if not counted"
    ),
    Column("choice_lost", NUMBER, "the rest of equity_lost: by the choice among moves of known words"),
)
"""The columns, in their order. Every value may be null except game, turn, line, player and phase."""

_SAME: Final = (
    "line", "bag_count", "rack", "rack_known", "scores", "kind", "score", "points", "total", "challenge",
    "phonies", "bingo", "not_judged", "evaluator", "missed_bingo", "rank", "win_pct_before",
    "win_pct_after", "win_pct_error", "certainty", "mistake", "luck", "luck_error", "seconds", "cgp",
)  # fmt: skip
"""The columns with the name of a field of a turn."""

_OF_THE_GAME: Final = ("title", "recorded_lexicon", "lexicon", "tile_set", "board", "rules")
"""The columns with the name of a field of the heading."""

_NOTHING: Final[Mapping[str, Any]] = {}


def turn_rows(lines: Sequence[bytes]) -> Iterator[dict[str, Any]]:
    """Yield a row for each turn of an annotation, whose values are in the order of COLUMNS.

    `lines`: those of a file of `kibitz batch`.
    """
    record: dict[str, Any] = {}
    game: dict[str, Any] = {}
    for text in lines:
        line = orjson.loads(text)
        match line["type"]:
            case "record":
                record = line
            case "game":
                game = line
            case "turn":
                row = _row(record, game, line)
                yield {column.name: row[column.name] for column in COLUMNS}


def phase_of_turn(bag_count: int) -> str:
    """Return which of PHASES a turn belongs to, by the tiles in the bag before it."""
    if not bag_count:
        return ENDGAME
    return PREENDGAME if bag_count <= PREENDGAME_TILES else MIDGAME


def _row(record: dict[str, Any], game: dict[str, Any], turn: dict[str, Any]) -> dict[str, Any]:
    played, best = turn["played"] or _NOTHING, turn["best"] or _NOTHING
    names = [player["name"] or player["nick"] for player in game["players"]]
    return {
        **{name: turn[name] for name in _SAME},
        **{name: game[name] for name in _OF_THE_GAME},
        "game": record["file"],
        "game_sha256": record["sha256"],
        "turn": turn["number"],
        "players": names,
        "player": names[turn["player"]],
        "player_number": turn["player"],
        "phase": phase_of_turn(turn["bag_count"]),
        "move": turn["recorded"],
        "equity": played.get("equity"),
        "best_move": best.get("move"),
        "best_score": best.get("score"),
        "best_equity": best.get("equity"),
        "best_is_bingo": best.get("is_bingo"),
        "equity_lost": turn["equity_loss"],
        "best_win_pct": best.get("win_pct"),
        "win_pct_lost": turn["win_pct_loss"],
        "words_lost": turn["words_loss"],
        "choice_lost": turn["choice_loss"],
        "mistake_points": MISTAKE_POINTS.get(turn["mistake"]),
    }
