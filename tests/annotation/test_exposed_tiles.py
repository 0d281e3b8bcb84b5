"""A play that was taken back has shown its tiles: they are known in the next turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import AnnotationOptions, annotate, annotation_simulation, read_gcg, simulate
from engine.analysis.annotate import judgement

if TYPE_CHECKING:
    from engine import Position, Simulation
    from engine.lexicon import Lexicon


@pytest.mark.parametrize(
    ("rack", "laid", "exposed"), [("DEEFINO", "D.FO", "DFO"), ("DEEFIN?", "D.Fo", "DF?")]
)
def test_a_simulation_gives_them_to_the_opponent(
    scowl: Lexicon, monkeypatch: pytest.MonkeyPatch, rack: str, laid: str, exposed: str
) -> None:
    known: list[str] = []

    def noting(position: Position, *arguments: Any, **options: Any) -> Simulation:
        known.append(position.players[1].held.text(position.tile_set.alphabet))
        return simulate(position, *arguments, **options)

    monkeypatch.setattr(judgement, "simulate", noting)
    record = read_gcg(
        "#player1 ann Ann\n#player2 bo Bo\n>ann: AEITWXY 8E WAXY +34 34\n"
        f">bo: {rack} G7 {laid} +11 11\n>bo: {rack} -- -11 0\n"
        f">ann: AEITTSU - +0 34\n>bo: {rack} - +0 0\n"
    ).record
    plan = annotation_simulation(iterations=20, candidates=2)
    annotate(record, scowl, AnnotationOptions(simulate=plan))
    assert [sorted(text) for text in known] == [[], [], sorted(exposed), []]
