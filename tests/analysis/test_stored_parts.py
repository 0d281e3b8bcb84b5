"""The store of an analysis: which keys it gets and puts. Stored parts do not change the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    Lexicon,
    LoadedBoard,
    analyze,
    answer,
    answer_key,
    parse_cgp,
)
from engine.analysis import Notice
from engine.evaluation.bingo_expectation import DeltaSet
from service.documents import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine import Catalogue, Position

CGP = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0"
OTHER_RACK = CGP.replace("AEGIST?", "EEFNORT")


class RecordingStore:
    """A store that drops nothing and records its calls."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        self.asked: list[list[str]] = []
        self.put: list[list[str]] = []

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        self.asked.append(list(keys))
        return [self.entries.get(key) for key in keys]

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        self.put.append(list(entries))
        self.entries.update(entries)


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def position(lexicon: Lexicon, cgp: str = CGP) -> Position:
    return parse_cgp(cgp, lexicon=lexicon.id, tile_set=lexicon.tile_set)


def request(lexicon: Lexicon, cgp: str = CGP, evaluator: str = "auto") -> AnalysisRequest:
    return AnalysisRequest(position(lexicon, cgp), AnalysisOptions(evaluator=evaluator))


def loaded_key(lexicon: Lexicon) -> str:
    one = position(lexicon)
    return LoadedBoard.load(one.board, one.layout, one.tile_set, lexicon).key


@pytest.mark.parametrize(
    ("evaluator", "with_delta"), [("auto", False), ("greedy", False), ("heuri2", False), ("heuri6", True)]
)
def test_one_get_and_one_put_for_the_answer_and_its_parts(
    lexicon: Lexicon, evaluator: str, with_delta: bool
) -> None:
    store, asked = RecordingStore(), request(lexicon, evaluator=evaluator)
    board_key, key = loaded_key(lexicon), answer_key(asked, lexicon)
    parts = [board_key, *[f"{board_key}-delta"] * with_delta]
    found = answer(asked, lexicon, store, dump_analysis)
    assert not found.stored
    assert store.asked == [[key, *parts]]
    assert len(store.put) == 1
    assert sorted(store.put[0]) == sorted([key, *parts])
    again = answer(asked, lexicon, store, dump_analysis)
    assert again.stored
    assert again.body == found.body
    assert len(store.put) == 1, "nothing was computed, so nothing was stored"


@pytest.mark.parametrize("evaluator", ["auto", "greedy", "heuri6"])
def test_another_rack_on_the_same_board_uses_the_stored_parts(
    lexicon: Lexicon, evaluator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = request(lexicon, OTHER_RACK, evaluator)
    expected = dump_analysis(analyze(other, lexicon))
    store = RecordingStore()
    answer(request(lexicon, evaluator=evaluator), lexicon, store, dump_analysis)

    def fail(*_: object) -> None:
        raise AssertionError("computed although it is stored")

    monkeypatch.setattr(LoadedBoard, "load", fail)
    monkeypatch.setattr(DeltaSet, "compute", fail)
    assert answer(other, lexicon, store, dump_analysis).body == expected
    assert store.put[1] == [answer_key(other, lexicon)]


@pytest.mark.parametrize("evaluator", ["auto", "heuri6"])
def test_damaged_parts_are_computed_and_stored_again(lexicon: Lexicon, evaluator: str) -> None:
    store, asked = RecordingStore(), request(lexicon, evaluator=evaluator)
    expected = answer(asked, lexicon, store, dump_analysis).body
    valid = dict(store.entries)
    for name in valid.keys() - {answer_key(asked, lexicon)}:
        store.entries[name] = valid[name][:-1]
    other = request(lexicon, OTHER_RACK, evaluator)
    assert answer(other, lexicon, store, dump_analysis).body == dump_analysis(analyze(other, lexicon))
    assert {name: store.entries[name] for name in valid} == valid
    assert dump_analysis(analyze(asked, lexicon, store)) == expected


def test_a_document_has_the_members_of_an_analysis(lexicon: Lexicon) -> None:
    found = analyze(request(lexicon), lexicon)
    assert isinstance(found.moves, tuple)
    assert list(orjson.loads(dump_analysis(found))) == [
        "position", "sort", "evaluator", "phase", "play_count", "exchange_count", "moves",
        "compare", "phonies", "explanation", "warnings", "provenance",
    ]  # fmt: skip


def test_the_warnings_of_a_request_are_part_of_its_answer_and_key(lexicon: Lexicon) -> None:
    plain = request(lexicon)
    notice = Notice("lexicon_not_installed", {"lexicon": "TWL06"}, "TWL06 is not installed")
    warned = replace(plain, warnings=(notice,))
    found = analyze(warned, lexicon)
    assert found.warnings == (notice,)
    assert replace(found, warnings=()) == analyze(plain, lexicon)
    assert orjson.loads(dump_analysis(found))["warnings"] == [
        {
            "code": "lexicon_not_installed",
            "params": {"lexicon": "TWL06"},
            "detail": "TWL06 is not installed",
        }
    ]
    others = (replace(notice, params={"lexicon": "TWL14"}), replace(notice, code="other"))
    requests = [plain, warned, *(replace(plain, warnings=(other,)) for other in others)]
    assert len({answer_key(one, lexicon) for one in requests}) == 4
