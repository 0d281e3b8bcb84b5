"""The JSON documents of answers: what the HTTP API and `--json` write of the engine's records.

A function here returns the members of an object in their documented order. orjson writes what it knows: plain
values, and records that hold nothing else.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from engine import (
    BLANK_FLAG,
    MAX_HINT_LEVEL,
    EndgameProgress,
    EndgameReport,
    Hint,
    Play,
    PreendgameMove,
    PreendgameResult,
    Simulated,
    SimulationProgress,
    as_proven,
    format_cgp,
    format_coordinate,
    format_move,
    format_square,
    hint_sentences,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import (
        Alphabet,
        Analysis,
        AnalysisRequest,
        Contrast,
        ExplainedMove,
        Explanation,
        Judged,
        LeaveReports,
        Move,
        Notice,
        OpponentRack,
        PlayedTurn,
        Position,
        Provenance,
        SearchProgress,
        TileSet,
        Verdict,
    )

STATE_MOVES: Final = 20
"""The most moves of the state of a search, which is small enough to be sent several times a second."""


_OF_LEVEL: Final = ("level", "sentences", "region", "score_band", "tiles", "at", "direction")
"""The members of a hint that depend on its level."""


def fields_of(record: Any) -> dict[str, Any]:
    """Return the fields of a record that orjson can write."""
    return {item.name: getattr(record, item.name) for item in fields(record)}


def dump_analysis(analysis: Analysis) -> bytes:
    """Write the answer of /analyze."""
    return orjson.dumps(
        {
            "position": position_members(analysis.position, analysis.provenance.lexicon.id),
            "sort": analysis.sort,
            "evaluator": analysis.evaluator,
            "phase": analysis.phase,
            "play_count": analysis.play_count,
            "exchange_count": analysis.exchange_count,
            "moves": [move_members(one, analysis.searched) for one in analysis.moves],
            "compare": [
                {
                    "asked": one.asked,
                    "legal": one.legal,
                    "move": None if one.move is None else move_members(one.move, analysis.searched),
                    "fault": one.fault,
                }
                for one in analysis.compare
            ],
            "phonies": analysis.phonies,
            "explanation": explanation_members(analysis.explanation),
            "warnings": analysis.warnings,
            "provenance": provenance_members(analysis.provenance),
        }
    )


def dump_hints(analysis: Analysis, request: AnalysisRequest, lang: str) -> bytes:
    """Write the hints of every level in a language, each without and with the move, as a list."""
    return orjson.dumps(
        [
            hint_members(Hint(analysis, level, reveal), lang, request.warnings)
            for level in range(1, MAX_HINT_LEVEL + 1)
            for reveal in (False, True)
        ]
    )


def read_hint(hints: bytes, level: int, *, reveal: bool, all_levels: bool = False) -> dict[str, Any]:
    """Return one of the hints that `dump_hints` has written; `all_levels`: with those of every level."""
    written: list[dict[str, Any]] = orjson.loads(hints)
    levels = [{name: hint[name] for name in _OF_LEVEL} for hint in written[::2]] if all_levels else None
    return {**written[2 * (level - 1) + reveal], "levels": levels}


def hint_members(hint: Hint, lang: str, warnings: Iterable[Notice] = ()) -> dict[str, Any]:
    """Return the members of a hint with its sentences in a language."""
    analysis, position, band, start = hint.analysis, hint.analysis.position, hint.score_band, hint.start
    cgp = format_cgp(position) if hint.reveal else None  # a rack may happen to spell the word
    return {
        "lang": lang,
        "sentences": hint_sentences(hint, lang),
        "level": hint.level,
        "reveal": hint.reveal,
        "position": {"cgp": cgp, "id": position.id},
        "evaluator": analysis.evaluator,
        "kind": hint.kind,
        "region": hint.region,
        "score_band": None if band is None else {"low": band[0], "high": band[1]},
        "tiles": None if hint.tiles is None else list(hint.tiles),
        "at": None if start is None else format_coordinate(*start),
        "direction": None if start is None else "down" if start[2] else "across",
        "move": None if hint.move is None else move_members(hint.move, analysis.searched),
        "lexicon": analysis.provenance.lexicon,
        "warnings": _rendered(warnings, lang),
        "provenance": provenance_members(analysis.provenance),
    }


def dump_turn(turn: PlayedTurn, warnings: Iterable[Notice], lang: str) -> bytes:
    """Write the answer of /play, its sentences in a language."""
    members = {
        **fields_of(turn),
        "position": position_members(turn.position, turn.provenance.lexicon.id),
        "move": None if turn.move is None else move_members(turn.move),
        "fault": None if turn.fault is None else turn.fault.rendered(lang),
    }
    del members["provenance"]
    provenance = provenance_members(turn.provenance)
    return orjson.dumps({**members, "warnings": _rendered(warnings, lang), "provenance": provenance})


def dump_leaves(reports: LeaveReports, warnings: Iterable[Notice], lang: str) -> bytes:
    """Write the answer of /leaves, its warnings in a language."""
    racks = [
        {
            "rack": str(one.rack),
            "leaves": [
                {
                    "leave": str(report.leave),
                    "tile_count": len(report.leave),
                    "value": report.value,
                    "bingo_expectation": report.bingo_expectation,
                }
                for report in one.leaves
            ],
        }
        for one in reports.racks
    ]
    return orjson.dumps(
        {
            "position": position_members(reports.position, reports.provenance.lexicon.id),
            "racks": racks,
            "warnings": _rendered(warnings, lang),
            "provenance": provenance_members(reports.provenance),
        }
    )


def dump_opponent_rack(rack: OpponentRack, warnings: Iterable[Notice], lang: str) -> bytes:
    """Write the answer of /opponent-rack, its warnings in a language."""
    return orjson.dumps(
        {
            **fields_of(rack),
            "position": position_members(rack.position, rack.provenance.lexicon.id),
            "provenance": provenance_members(rack.provenance),
            "warnings": _rendered(warnings, lang),
        }
    )


def search_state(progress: SearchProgress, position: Position) -> dict[str, Any]:
    """Return what a running search has found: its best moves, without the results by draw."""
    tiles = position.tile_set
    found: list[tuple[Move, Verdict | None, dict[str, Any]]]
    if isinstance(progress, SimulationProgress):
        phase, nodes, iterations = "simulate", None, progress.spent
        found = [(move, one.verdict, {"sim": fields_of(one)}) for move, one in progress.found[:STATE_MOVES]]
    elif isinstance(progress, EndgameProgress):
        phase, nodes, iterations = "endgame", progress.nodes, None
        own, other = [player.score for player in position.players[:2]]
        report = EndgameReport(own - other + progress.value, (progress.best,), "estimate")
        found = [(progress.best, None, {"endgame": _endgame_members(report, tiles)})]
    else:
        phase, nodes, iterations = "preendgame", progress.nodes, None
        result = as_proven(progress, position)
        found = [
            (one.move, one.verdict, {"preendgame": {**_preendgame_members(one, result, tiles), "by_bag": []}})
            for one in result.moves[:STATE_MOVES]
        ]
    nothing = dict.fromkeys(("sim", "endgame", "preendgame"))
    return {
        "phase": phase,
        "spent": _work(nodes, iterations),
        "moves": [
            {"move": format_move(move, tiles), **verdict_members(win), **nothing, **members}
            for move, win, members in found
        ],
    }


def provenance_members(provenance: Provenance) -> dict[str, Any]:
    """Return what a result depends on; the work is in nodes or iterations, as the budget of its search."""
    budget, spent = provenance.budget, provenance.spent
    work = done = None
    if budget is not None:
        work = _work(budget.nodes, budget.iterations)
        done = _work(spent, None) if budget.iterations is None else _work(None, spent)
    return {**fields_of(provenance), "budget": work, "spent": None if spent is None else done}


def _work(nodes: int | None, iterations: int | None) -> dict[str, int | None]:
    return {"nodes": nodes, "iterations": iterations}


def position_members(position: Position, lexicon: str) -> dict[str, Any]:
    """Return the position in normal form; `lexicon`: the id of the one used."""
    return {
        "cgp": format_cgp(position),
        "id": position.id,
        "lexicon": lexicon,
        "board": position.layout.id,
        "tile_set": position.tile_set.id,
        "rules": position.rules.id,
        "bag_count": position.bag_count(),
        "unseen": position.tile_set.alphabet.counted_text(position.unseen()),
    }


def move_members(one: Judged, searched: object = None) -> dict[str, Any]:
    """Return a move with its values; `searched`: the result of the search that found some of them."""
    found, tiles, laid, sim, endgame, preendgame = one.found, one.position.tile_set, NOTHING, None, None, None
    if isinstance(one.move, Play):
        laid = _laid(one, one.move)
    if isinstance(found, Simulated):
        sim = found
    elif isinstance(found, EndgameReport):
        endgame = _endgame_members(found, tiles)
    elif isinstance(found, PreendgameMove) and isinstance(searched, PreendgameResult):
        preendgame = _preendgame_members(found, searched, tiles)
    return {
        "rank": one.rank,
        "move": laid.text or one.text,
        "kind": one.move.kind,
        "at": laid.at,
        "direction": laid.direction,
        "word": laid.word,
        "placed": laid.placed,
        "tiles_used": len(laid.placed) or one.tiles_used,
        "score": one.score,
        "words": laid.words,
        "bonus": laid.bonus,
        "leave": str(one.leave) if laid.leave is None else laid.leave,
        "is_bingo": laid.is_bingo,
        "leave_value": one.leave_value,
        "equity": one.equity,
        "bingo_expectation": one.bingo_expectation,
        "is_fish": one.is_fish,
        **verdict_members(one.win),
        "sim": sim,
        "endgame": endgame,
        "preendgame": preendgame,
    }


def verdict_members(win: Verdict | None) -> dict[str, float | str | None]:
    """Return the win% of a move, its range, and what found it."""
    return {**win_members("win_pct", win), "win_pct_by": None if win is None else win.by}


def win_members(name: str, win: Verdict | None) -> dict[str, float | None]:
    """Return a win% under a name, and its range under two more."""
    if win is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: win.win_pct, f"{name}_low": win.low, f"{name}_high": win.high}


class _Laid(NamedTuple):
    """Hold the members of a play that other moves do not have, and its text and leave."""

    text: str = ""
    at: str | None = None
    direction: str | None = None
    word: str | None = None
    placed: Sequence[dict[str, Any]] = ()
    words: Sequence[dict[str, Any]] = ()
    bonus: int = 0
    leave: str | None = None
    is_bingo: bool = False


NOTHING: Final = _Laid()


def _laid(one: Judged, play: Play) -> _Laid:
    """Return what a play lays: its squares, words and points; every answer writes many of them."""
    position, wrong = one.position, one.phonies
    side, rules, alphabet = position.board.side, position.rules, position.tile_set.alphabet
    letters, names, texts = _letters(alphabet), _square_names(side), alphabet.tables[0]
    words: list[dict[str, Any]] = [
        {
            "word": "".join([letters[code] for code in formed.tiles]),
            "at": formed.at,
            "score": formed.score,
            "valid": not wrong or formed not in wrong,
        }
        for formed in position.words(play)
    ]
    square, step = play.row * side + play.column, side if play.down else 1
    placed, left = [], position.rack.tiles
    for code in play.tiles:
        if code:
            blank = code >= BLANK_FLAG
            placed.append({"at": names[square], "letter": letters[code], "blank": blank})
            left = left.replace(b"\0" if blank else bytes((code,)), b"", 1)
        square += step
    count, main = len(placed), words[0]
    if alphabet.has_long_tiles:  # a word is then not only the texts of its tiles
        text = format_move(play, position.tile_set)
    else:
        text = f"{main['at']} {''.join([texts[code] if code else '.' for code in play.tiles])}"
    leave = "".join([texts[code] for code in left.lstrip(b"\0")]) + "?" * left.count(0)
    direction = "down" if play.down else "across"
    return _Laid(
        text, main["at"], direction, main["word"], placed, words, rules.bonus(count), leave,
        count == rules.bingo_tiles,
    )  # fmt: skip


def explanation_members(explanation: Explanation | None) -> dict[str, Any] | None:
    """Return an explanation, None for none."""
    if explanation is None:
        return None
    return {
        **fields_of(explanation),
        "best": _explained_members(explanation.best),
        "contrasts": [_contrast_members(one) for one in explanation.contrasts],
    }


def _contrast_members(contrast: Contrast) -> dict[str, Any]:
    return {**fields_of(contrast), "other": _explained_members(contrast.other)}


def _explained_members(one: ExplainedMove) -> dict[str, Any]:
    judged = one.judged
    return {
        "move": judged.text,
        "tiles_used": judged.tiles_used,
        "score": judged.score,
        "leave": str(judged.leave),
        "leave_value": judged.leave_value,
        "leave_tiles": one.leave_tiles,
        "equity": judged.equity,
        **verdict_members(judged.win),
        "spread": one.spread,
        "line": [format_move(move, judged.position.tile_set) for move in one.line],
        "certainty": one.certainty,
        "phonies": one.phonies,
        "reply": one.reply,
        "opened": one.opened,
        "closed": one.closed,
    }


def _endgame_members(report: EndgameReport, tiles: TileSet) -> dict[str, Any]:
    line = [format_move(move, tiles) for move in report.line]
    return {"spread": report.spread, "line": line, "certainty": report.certainty}


def _preendgame_members(one: PreendgameMove, result: PreendgameResult, tiles: TileSet) -> dict[str, Any]:
    error, alphabet = one.standard_error, tiles.alphabet
    return {
        "win_pct": one.verdict.win_pct,
        "lower": round(one.lower, 3),
        "upper": round(one.upper, 3),
        "win_pct_error": None if error is None else round(error, 3),
        "spread": round(one.spread, 3),
        "spread_exact": one.spread_exact,
        "draws": one.draws,
        "settled": one.draws_settled,
        "certainty": "bound" if one.certainty == "bounds" else one.certainty,
        "pruned": one.stopped,
        "opponent": result.opponent,
        "best_proven": result.best_proven and one is result.best,
        "plays_left_out": len(result.pruned),
        "exchanges_left_out": result.exchanges,
        "by_bag": [{**fields_of(draw), "bag": alphabet.text(draw.bag)} for draw in one.by_draw],
    }


def _rendered(warnings: Iterable[Notice], lang: str) -> list[Notice]:
    return [warning.rendered(lang) for warning in warnings]


@lru_cache(maxsize=32)
def _square_names(side: int) -> tuple[str, ...]:
    """Return the name of every square, row by row."""
    return tuple([format_square(row, column) for row in range(side) for column in range(side)])


@lru_cache(maxsize=32)
def _letters(alphabet: Alphabet) -> tuple[str, ...]:
    """Return the letter that each tile code stands for."""
    return tuple(
        [alphabet.word([code]) if code & ~BLANK_FLAG <= alphabet.size else "" for code in range(256)]
    )
