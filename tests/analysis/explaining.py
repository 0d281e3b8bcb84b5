"""Positions to explain, and their explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    PreendgamePlan,
    SimulationPlan,
    analyze,
    parse_cgp,
)

if TYPE_CHECKING:
    from engine import Analysis, Lexicon, Position
    from engine.analysis.explain import Explanation

MIDDLE = "15/15/15/15/15/4E10/1H2POZ8/1ANGINAS7/1r2N10/1O2A10/1S2O10/1E2I10/1T13/1H13/15 CEEIMUY/ 88/131 0"
PREENDGAME = (
    "7FOO3BE/4COVARIED1OX/7BEL1JAW1/11INS1/10UNI2/4C3YIP4/4O2RANDOMS1/3AWAVE2ADIEU/4I5T4/"
    "4E1UDOMETRY1/3ER5R4/3L2ARKOSIc2/1FLUENT8/3T1AEQ7/HAZE11 HIILSTT/ 406/333 0"
)
ENDGAME = (
    "2U8JEST/2N10T1/2R8G1E1/2OF7E1L1/2PI7O1E1/1BEZ3CRYPTON1/QIS1N1WHO2A1EF/U2GADOID2X2O/"
    "A1V1C6I2L/IDE1KOBOLD1s2I/1UN1E9U/HEISTING6M/ART5YAmMERS/V1E12/E14 AAANRTW/AILR 426/452 0"
)
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "equity": (MIDDLE, {"sort": "equity", "compare": ("6A ECU", "-UY", "-", "2A NONSENSE")}),
    "score": (MIDDLE, {"sort": "score"}),
    "greedy": (MIDDLE, {"evaluator": "greedy"}),
    "heuri1": (MIDDLE, {"evaluator": "heuri1", "sort": "equity", "compare": ("2A NONSENSE",)}),
    "win_pct": (MIDDLE, {"sort": "win_pct"}),
    "bingos": (MIDDLE, {"sort": "bingo_expectation"}),
    "simulate": (
        MIDDLE,
        {"simulate": SimulationPlan(candidates=4, iterations=400, confidence=None), "compare": ("-UY",)},
    ),
    "one simulated": (
        MIDDLE,
        {"simulate": SimulationPlan(candidates=1, iterations=100, confidence=None), "sort": "equity"},
    ),
    "preendgame": (PREENDGAME, {"preendgame": PreendgamePlan(candidates=3, nodes=3000, table_mb=4)}),
    "endgame": (ENDGAME, {"sort": "equity", "endgame": EndgamePlan(nodes=200_000, table_mb=4)}),
    "endgame by equity": (ENDGAME, {"sort": "equity"}),
    "endgame by win_pct": (ENDGAME, {"sort": "win_pct", "compare": ("-", "2A R.N")}),
}


def position(lexicon: Lexicon, cgp: str = MIDDLE) -> Position:
    return parse_cgp(cgp, lexicon=lexicon.id, tile_set=lexicon.tile_set)


def analysis(lexicon: Lexicon, cgp: str = MIDDLE, **options: Any) -> Analysis:
    wanted = AnalysisOptions(**{"explain": True, **options})
    return analyze(AnalysisRequest(position(lexicon, cgp), wanted), lexicon)


def explanation(lexicon: Lexicon, cgp: str = MIDDLE, **options: Any) -> Explanation:
    found = analysis(lexicon, cgp, **options).explanation
    assert found is not None
    return found
