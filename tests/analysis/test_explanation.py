"""Explanations: figures that agree with the analysis."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    Catalogue,
    EndgameReport,
    Explanation,
    analyze,
    board_layout,
    parse_cgp,
    tile_set,
)
from service.documents import explanation_members
from tests.analysis.explaining import CASES, MIDDLE, analysis, explanation

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def test_the_best_move_is_that_of_the_analysis_and_the_figures_agree(lexicon: Lexicon) -> None:
    found = analysis(lexicon, sort="equity", compare=("6A ECU", "-UY"))
    best, why = found.best, found.explanation
    assert why is not None
    for report, figures in [
        (best, why.best),
        *zip([one.move for one in found.compare], [one.other for one in why.contrasts], strict=True),
    ]:
        assert report is not None
        assert figures.judged == report
    for contrast in why.contrasts:
        other = contrast.other
        assert best.equity is not None
        assert other.judged.equity is not None
        assert contrast.equity == pytest.approx(best.equity - other.judged.equity, abs=1e-6)
        assert contrast.leave is not None
        assert contrast.score + contrast.leave == pytest.approx(contrast.equity)


def test_what_a_play_opens_is_no_value_of_its_leave(lexicon: Lexicon) -> None:
    """Heuri 1 subtracts points for the premium squares that a play opens."""
    found = analysis(lexicon, sort="equity", evaluator="heuri1", top_n=200, include_exchanges=True)
    opens = next(one for one in found.moves if one.equity != one.score + (one.leave_value or 0))
    why = analysis(lexicon, sort="equity", evaluator="heuri1", compare=(opens.text,)).explanation
    assert why is not None
    contrast = next(one for one in why.contrasts if one.other.judged.move == opens.move)
    best = why.best.judged
    assert best.leave_value is not None
    assert opens.leave_value is not None
    assert contrast.leave == pytest.approx(best.leave_value - opens.leave_value, abs=1e-3)
    assert contrast.sentences[0].code == "equity_on_board"
    params = contrast.sentences[0].params
    parts = [float(params[name]) for name in ("score", "leave", "board")]
    assert sum(parts) == pytest.approx(float(params["equity"]), abs=0.2)


def test_without_moves_to_compare_it_is_the_second_best(lexicon: Lexicon) -> None:
    found = analysis(lexicon, sort="equity", top_n=1)
    second = analysis(lexicon, sort="equity", top_n=2, explain=False).moves[1]
    assert len(found.moves) == 1
    assert found.explanation is not None
    assert [one.other.judged.move for one in found.explanation.contrasts] == [second.move]


def test_it_is_none_unless_asked_for_and_changes_nothing_else(lexicon: Lexicon) -> None:
    plain = analysis(lexicon, sort="equity", explain=False)
    assert plain.explanation is None
    explained = analysis(lexicon, sort="equity")
    assert replace(explained, explanation=None, provenance=plain.provenance) == plain
    assert explained.provenance.seed == 1


def test_the_shares_of_the_tiles_add_up_to_the_value_of_the_leave(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("-UY", "6A ECU", "-CEEIMUY"))
    for one in (found.best, *(contrast.other for contrast in found.contrasts)):
        assert one.judged.leave_value is not None
        shares = [share.value for share in one.leave_tiles]
        assert sum(shares) == pytest.approx(one.judged.leave_value, abs=0.01)
        assert "".join(share.tile for share in one.leave_tiles) == str(one.judged.leave)
    twice = next(one.other for one in found.contrasts if str(one.other.judged.leave) == "CEEIM")
    assert len({share.value for share in twice.leave_tiles if share.tile == "E"}) == 1


def test_the_share_of_a_single_tile_is_its_value_as_a_leave(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("-CEEIMU",)).contrasts[0].other
    assert [(share.tile, share.value) for share in found.leave_tiles] == [("Y", found.judged.leave_value)]


def test_an_endgame_is_explained_by_its_line(lexicon: Lexicon) -> None:
    cgp, options = CASES["endgame"]
    found = analysis(lexicon, cgp, **options)
    report, why = found.best.found, found.explanation
    assert isinstance(report, EndgameReport)
    assert why is not None
    assert (why.best.spread, why.best.line, why.best.certainty) == (
        report.spread,
        report.line,
        report.certainty,
    )
    assert why.contrasts[0].sentences[0].code == (
        "endgame" if report.certainty == "exact" else "endgame_found"
    )
    assert (why.best.judged.win_pct, why.best.judged.win.by) == (found.best.win_pct, "endgame")
    assert why.reply_to_pass is not None
    assert why.reply_to_pass.racks == 1  # the bag is empty: the opponent holds all that is unseen


def test_games_of_four_are_explained(lexicon: Lexicon) -> None:
    found = explanation(lexicon, MIDDLE.replace("CEEIMUY/ 88/131", "CEEIMUY/// 88/131/90/95"))
    assert found.best.reply is not None
    assert found.best.judged.win_pct is None


@pytest.mark.parametrize("wide", [False, True])
def test_a_lexicon_without_learned_tables_and_tiles_of_two_letters(tmp_path: Path, wide: bool) -> None:
    tiles = tile_set("spanish")
    words = ["casa", "casas", "perro", "calle", "calles", "llama", "cosa", "cosas", "sol", "oro", "la", "lo"]
    (tmp_path / "words.txt").write_text("\n".join(words))
    catalogue = Catalogue(tmp_path, bundled=tmp_path)
    catalogue.build_from(tmp_path / "words.txt", tiles, lexicon_id="mini", wide=wide)
    side, layout = (21, board_layout("super21")) if wide else (15, board_layout("standard15"))
    rows = [str(side)] * side
    rows[side // 2] = f"{side // 2}CASA{side - side // 2 - 4}"
    start = parse_cgp("/".join(rows) + " [LL]A?EORS/ 0/12 0", tile_set=tiles, lexicon="mini", layout=layout)
    options = AnalysisOptions(sort="equity", explain=True, lang="es", compare=("-[LL]A?", "-"))
    found = analyze(AnalysisRequest(start, options), catalogue.open("mini"))
    assert found.evaluator == "heuri6"
    why = found.explanation
    assert why is not None
    exchange, passing = (contrast.other for contrast in why.contrasts)
    assert "un cambio de A[LL]?" in why.text
    assert [share.tile for share in passing.leave_tiles] == ["A", "E", "[LL]", "O", "R", "S", "?"]
    assert exchange.reply is not None
    assert exchange.reply.source == "sample"


def test_every_field_has_a_schema(lexicon: Lexicon) -> None:
    from service.schemas.answers import ExplainedMoveSchema, ExplanationSchema

    assert [item.name for item in fields(Explanation)] == list(ExplanationSchema().fields)
    written = explanation_members(explanation(lexicon))
    assert written is not None
    assert list(written["best"]) == list(ExplainedMoveSchema().fields)


def test_a_better_move_that_is_compared_but_not_listed_is_the_one_explained(lexicon: Lexicon) -> None:
    rack = "/".join(["15"] * 7 + ["7CARE4"] + ["15"] * 7) + " IIUUUVV/ 0/0 0"
    found = analysis(lexicon, rack, sort="equity", top_n=1000)
    better = analysis(lexicon, rack, sort="equity", include_exchanges=True, explain=False).best
    listed = {one.move for one in found.moves}
    wanted = found.best.move if better.move in listed else better.move
    why = explanation(lexicon, rack, sort="equity", compare=(better.text, "-IIUUUVV"))
    assert why.best.judged.move == wanted
    for contrast in why.contrasts:
        assert contrast.equity is not None
        assert contrast.equity >= 0
