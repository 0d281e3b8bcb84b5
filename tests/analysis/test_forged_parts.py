"""Every kind of analysis returns an answer, even if the store returns a forged board or delta set."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    LoadedBoard,
    PreendgamePlan,
    SimulationPlan,
    answer,
    parse_cgp,
)
from service.documents import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine import Catalogue

EARLY = "15/15/15/15/15/15/15/7WINdOW2/7O7/7N7/15/15/15/15/15 AEGIST?/ 0/22 0"
LATE = (
    "7FOO3BE/4COVARIED1OX/7BEL1JAW1/11INS1/10UNI2/4C3YIP4/4O2RANDOMS1/3AWAVE2ADIEU/4I5T4/"
    "4E1UDOMETRY1/3ER5R4/3L2ARKOSIc2/1FLUENT8/3T1AEQ7/HAZE11 HIILSTT/ 406/333 0"
)
LAST = (
    "2U8JEST/2N10T1/2R8G1E1/2OF7E1L1/2PI7O1E1/1BEZ3CRYPTON1/QIS1N1WHO2A1EF/U2GADOID2X2O/"
    "A1V1C6I2L/IDE1KOBOLD1s2I/1UN1E9U/HEISTING6M/ART5YAmMERS/V1E12/E14 AAANRTW/AILR 426/452 0"
)
REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "default": (EARLY, {}),
    "greedy": (LAST, {"evaluator": "greedy"}),
    "heuri6": (EARLY, {"evaluator": "heuri6"}),
    "simulation": (EARLY, {"simulate": SimulationPlan.preset("monte_carlo", candidates=3, iterations=12)}),
    "preendgame": (LATE, {"preendgame": PreendgamePlan(candidates=2, nodes=200, table_mb=1)}),
    "endgame": (LAST, {"endgame": EndgamePlan(nodes=200, table_mb=1)}),
}
KEY_BYTES = 32
DELTA_HEAD, DELTA_NAMES = 40, 64


class ForgingStore:
    """A store that changes some bytes of each part, but leaves its names and checksum valid."""

    def __init__(self, parts: Mapping[str, bytes], seed: int) -> None:
        self._parts = parts
        self._random = Random(seed)

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        return [self._forged(key) if key in self._parts else None for key in keys]

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        pass

    def _forged(self, key: str) -> bytes:
        data = bytearray(self._parts[key])
        is_delta = key.endswith("-delta")
        first = DELTA_HEAD + DELTA_NAMES if is_delta else KEY_BYTES
        for _ in range(self._random.choice((1, 3, 40))):
            data[self._random.randrange(first, len(data))] = self._random.randrange(256)
        if is_delta:
            data[8:DELTA_HEAD] = hashlib.sha256(data[DELTA_HEAD:]).digest()
        return bytes(data)


class UnlimitedStore(dict[str, bytes]):
    """A store that drops nothing."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        return [self.get(key) for key in keys]

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        self.update(entries)


@pytest.mark.parametrize("name", [*list(REQUESTS)[:-1], pytest.param("endgame", marks=pytest.mark.long)])
def test_an_analysis_of_forged_parts_returns_an_answer(
    bundled: Catalogue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lexicon = bundled.open("scowl80")
    cgp, options = REQUESTS[name]
    position = parse_cgp(cgp, lexicon=lexicon.id, tile_set=lexicon.tile_set)
    request = AnalysisRequest(position, AnalysisOptions(**options))
    store = UnlimitedStore()
    answer(request, lexicon, store, dump_analysis, key="answer")
    del store["answer"]
    read: list[bool] = []
    from_bytes = LoadedBoard.from_bytes

    def watched(*arguments: Any) -> LoadedBoard | None:
        board = from_bytes(*arguments)
        read.append(board is not None)
        return board

    monkeypatch.setattr(LoadedBoard, "from_bytes", watched)
    for seed in range(40):
        found = answer(request, lexicon, ForgingStore(store, seed), dump_analysis, key="answer")
        assert orjson.loads(found.body)["position"]["lexicon"] == lexicon.id
    assert True in read, "some forged boards were used"
    assert False in read, "and some were rejected"
