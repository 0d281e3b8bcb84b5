"""The operations on positions and games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine import (
    HINT_MS,
    Deadline,
    Rack,
    TimeControl,
    TurnRequest,
    TurnTime,
    hint_request,
    judge_play,
    judge_words,
    leave_reports,
    opponent_rack,
    play_turn,
    read_word,
)
from service.annotation import annotation_document, read_record
from service.documents import dump_hints, dump_leaves, dump_opponent_rack, dump_turn, read_hint
from service.logs import add_log_fields
from service.operations.operation import operation
from service.schemas.analyze import AnalyzeRequestSchema
from service.schemas.annotate import AnnotateRequestSchema
from service.schemas.hint import HintRequestSchema
from service.schemas.leaves import LeavesRequestSchema
from service.schemas.play import PlayRequestSchema
from service.schemas.pointers import pointing
from service.schemas.position import PositionRequestSchema
from service.schemas.reading import open_lexicon, read_position, read_request, read_rules
from service.schemas.word_answers import dump_ruling
from service.schemas.words import JudgementRequestSchema
from service.state import state
from service.view_rules import JSON

if TYPE_CHECKING:
    from engine import AnalysisRequest, Position, Ruling
    from service.operations.operation import Call
    from service.schemas.reading import PositionReading


@operation(AnalyzeRequestSchema())
def analyze(data: dict[str, Any], call: Call) -> bytes:
    """List the moves of a position, best first."""
    data = {"lang": call.lang, **data}
    wanted, lexicon = read_request(data, call.default)
    with pointing(data):
        return call.analyze(wanted, lexicon).body


@operation(AnnotateRequestSchema(), max_bytes="max_gcg_bytes")
def annotate_game(data: dict[str, Any], call: Call) -> bytes:
    """Annotate a recorded game."""
    wanted = read_record({"lang": call.lang, **data}, call.default)
    with call.searching() as deadline:
        return annotation_document(wanted, JSON, deadline, lambda done: call.progress(done, wanted.steps))


@operation(HintRequestSchema())
def hint(data: dict[str, Any], call: Call) -> bytes:
    """Return a hint about the best move, or the move itself on request."""
    found = read_position(data, call.default)
    return orjson.dumps(hint_of(data, found, wanted_hint(data, found), call))


def wanted_hint(data: dict[str, Any], found: PositionReading) -> AnalysisRequest:
    """Return the analysis that the hint is about, with a search that is short enough to be no job."""
    max_ms = min(HINT_MS, state().settings.sync_ms)
    return hint_request(found.position, data["evaluator"], found.warnings, max_ms=max_ms)


def hint_of(
    data: dict[str, Any], found: PositionReading, wanted: AnalysisRequest, call: Call
) -> dict[str, Any]:
    """Return the hint of a level; all levels are encoded and cached together, so they agree."""
    lang = data.get("lang", call.lang)
    with pointing(data):
        answer = call.analyze(
            wanted,
            found.lexicon,
            lambda analysis: dump_hints(analysis, wanted, lang),
            f"list of hints {lang}",
        )
    add_log_fields(cache="hit" if answer.stored else "miss", lexicon=found.lexicon.id)
    all_levels = data["levels"] == "all"
    return read_hint(answer.body, data["level"], reveal=data["reveal"], all_levels=all_levels)


@operation(LeavesRequestSchema())
def value_leaves(data: dict[str, Any], call: Call) -> bytes:
    """Return the value of each leave of the racks."""
    position, lexicon, warnings = read_position(data, call.default)
    with pointing(data):
        alphabet = position.tile_set.alphabet
        racks = [Rack.from_text(text, alphabet, f"racks/{index}") for index, text in enumerate(data["racks"])]
        reports = leave_reports(racks, position, lexicon, parts=data["parts"])
    add_log_fields(lexicon=lexicon.id)
    return dump_leaves(reports, warnings, call.lang)


@operation(PositionRequestSchema())
def infer_rack(data: dict[str, Any], call: Call) -> bytes:
    """Return what the opponent may hold after the last move."""
    position, lexicon, warnings = read_position(data, call.default)
    with pointing(data), call.searching() as deadline:
        rack = opponent_rack(position, lexicon, deadline or Deadline())
    add_log_fields(lexicon=lexicon.id)
    return dump_opponent_rack(rack, warnings, call.lang)


@operation(PlayRequestSchema())
def play(data: dict[str, Any], call: Call) -> bytes:
    """Make a move, or let a computer player move, and return the next position."""
    position, lexicon, warnings = read_position(data, call.default)
    with pointing(data):
        wanted = TurnRequest(
            position,
            data.get("move"),
            data.get("level"),
            data["seed"],
            _tiles(data, "bag", position),
            data["passes"],
            data.get("max_ms"),
            _time(data),
            data["allow_phonies"],
            _tiles(data, "drawn", position),
        )
        if wanted.is_search:
            with call.searching() as deadline:
                turn = play_turn(wanted, lexicon, deadline)
        else:
            turn = play_turn(wanted, lexicon)
    add_log_fields(lexicon=lexicon.id)
    return dump_turn(turn, warnings, call.lang)


@operation(JudgementRequestSchema())
def judge(data: dict[str, Any], call: Call) -> bytes:
    """Judge words, or all words of a play, together."""
    ruling = _ruling(data, call.default)
    add_log_fields(lexicon=ruling.judgement.lexicon.id)
    return dump_ruling(ruling)


def _tiles(data: dict[str, Any], name: str, position: Position) -> Rack | None:
    return Rack.from_text(data[name], position.tile_set.alphabet, name) if name in data else None


def _time(data: dict[str, Any]) -> TurnTime | None:
    """Return the times of a turn; None for a game without a clock."""
    if "time" not in data:
        return None
    given = data["time"]
    control = TimeControl(per_move=given.get("per_move"), overtime=given["overtime"])
    return TurnTime(given["taken"], tuple(given.get("left", ())), control)


def _ruling(data: dict[str, Any], default: str) -> Ruling:
    rule, per = data.get("challenge_rule"), data.get("penalty_per")
    if "play" in data:
        position, lexicon, _ = read_position(data, default, replace_lexicon=False)
        with pointing(data):
            return judge_play(data["play"], position, lexicon, rule=rule, per=per)
    with pointing(data):
        lexicon, _ = open_lexicon(None, data.get("lexicon"), default)
        alphabet = lexicon.tile_set.alphabet
        words = [read_word(word, alphabet, f"words/{index}") for index, word in enumerate(data["words"])]
        rules = read_rules(data, lexicon)
        return judge_words(words, lexicon, rule=rule or rules.challenge_rule, per=per or rules.penalty_per)
