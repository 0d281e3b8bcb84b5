"""Explanations: figures that agree with the analysis, and sentences that agree with the figures."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from babel.numbers import parse_decimal

from engine import (
    LANGUAGES,
    AnalysisOptions,
    AnalysisRequest,
    Catalogue,
    EndgamePlan,
    InvalidInput,
    LoadedBoard,
    PreendgamePlan,
    SimulationPlan,
    analyze,
    board_layout,
    generator,
    parse_cgp,
    parse_move,
    tile_set,
)
from engine.analysis.explain import sentences as templates
from engine.analysis.explain.replies import RACKS, ReplySample, opponent_racks
from engine.analysis.explain.sentences import Template
from engine.position import Pass, Play, Player, Rack

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Analysis, Lexicon, Position
    from engine.analysis.explain import Contrast, ExplainedMove, Explanation, Sentence

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


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


def position(lexicon: Lexicon, cgp: str = MIDDLE) -> Position:
    return parse_cgp(cgp, lexicon=lexicon.id, tile_set=lexicon.tile_set)


def analysis(lexicon: Lexicon, cgp: str = MIDDLE, **options: Any) -> Analysis:
    wanted = AnalysisOptions(**{"explain": True, **options})
    return analyze(AnalysisRequest(position(lexicon, cgp), wanted), lexicon)


def explanation(lexicon: Lexicon, cgp: str = MIDDLE, **options: Any) -> Explanation:
    found = analysis(lexicon, cgp, **options).explanation
    assert found is not None
    return found


def numbers(sentence: Sentence, lang: str) -> list[float]:
    """Return the numbers in the text of a sentence, without those of moves, leaves and squares."""
    text = sentence.text
    for value in sentence.params.values():
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and any(map(str.isdecimal, name)):
                assert name in sentence.text
                text = text.replace(name, "")
    return sorted(
        float(parse_decimal(found, locale=lang)) for found in re.findall(r"[+-]?\d+(?:[.,]\d+)?", text)
    )


def shown(sentence: Sentence) -> list[float]:
    return sorted(float(value) for value in sentence.params.values() if isinstance(value, int | float))


def known(best: ExplainedMove, contrast: Contrast | None) -> dict[str, list[Any]]:
    """Return the values that a sentence may show under each name, from the data."""
    other = contrast.other if contrast else None
    moves = [one for one in (best, other) if one is not None]
    squares = contrast.squares if contrast else ()
    tiles = [share for one in moves for share in one.leave_tiles]
    return {
        "best": [best.move],
        "other": [other and other.move],
        "score": [best.score, contrast and contrast.score],
        "other_score": [other and other.score],
        "equity": [contrast and contrast.equity],
        "points": [contrast and contrast.equity],
        "leave": [contrast and contrast.leave, *(one.leave for one in moves)],
        "win_pct": [best.win_pct],
        "other_win_pct": [other and other.win_pct],
        "spread": [best.spread],
        "other_spread": [other and other.spread],
        "line": [list(best.line)],
        "reply": [best.reply and best.reply.score],
        "other_reply": [other and other.reply and other.reply.score],
        "bingos": [best.reply and round(100 * best.reply.bingos)],
        "other_bingos": [other and other.reply and round(100 * other.reply.bingos)],
        "square": [square.at for square in squares],
        "share": [round(100 * square.best) for square in squares],
        "other_share": [round(100 * square.other) for square in squares],
        "tile": [share.tile for share in tiles],
        "value": [share.value for share in tiles],
        "tiles": [best.tiles_used],
        "other_tiles": [other and other.tiles_used],
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_every_figure_of_a_sentence_is_one_of_the_data(lexicon: Lexicon, name: str, lang: str) -> None:
    cgp, options = CASES[name]
    found = explanation(lexicon, cgp, lang=lang, **options)
    assert found.lang == lang
    for contrast in found.contrasts:
        assert 1 <= len(contrast.sentences) <= 2
        for sentence in contrast.sentences:
            values = known(found.best, contrast)
            for key, value in sentence.params.items():
                rounded = [round(one, 1) if isinstance(one, float) else one for one in values[key]]
                assert value in rounded, (sentence, key)
            assert numbers(sentence, lang) == shown(sentence), sentence
    assert found.text == " ".join(one.text for one in found.contrasts[0].sentences)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_template_shows_its_values_in_every_language(lang: str) -> None:
    given: dict[str, Any] = {
        "line": ["8A AXE", "-"],
        "score": 1,
        "other_score": 13,
        "tiles": 1,
        "other_tiles": 7,
        "square": "8O",
        "leave": "EST?",
        "best": "F6 M..EY",
        "other": "6A ECU",
        "tile": "?",
    }
    all_templates = [value for value in vars(templates).values() if isinstance(value, Template)]
    assert len(all_templates) > 15
    for template in all_templates:
        needed = set(re.findall(r"{(\w+)}", template.text))
        values = {key: given.get(key, 1.04 + 3 * at) for at, key in enumerate(sorted(needed))}
        if template.code == "equity":
            values |= {"score": -16, "leave": 12.34}
        sentence = template.render(lang, **values)
        assert numbers(sentence, lang) == shown(sentence)
        assert not re.search(r"[{}]", sentence.text)


def test_the_best_move_is_that_of_the_analysis_and_the_figures_agree(lexicon: Lexicon) -> None:
    found = analysis(lexicon, sort="equity", compare=("6A ECU", "-UY"))
    best, why = found.best, found.explanation
    assert why is not None
    for report, figures in [
        (best, why.best),
        *zip([one.move for one in found.compare], [one.other for one in why.contrasts], strict=True),
    ]:
        assert report is not None
        for name in ("move", "tiles_used", "score", "leave", "leave_value", "equity", "win_pct"):
            assert getattr(figures, name) == getattr(report, name)
    for contrast in why.contrasts:
        other = contrast.other
        assert best.equity is not None
        assert other.equity is not None
        assert contrast.equity == pytest.approx(best.equity - other.equity, abs=1e-6)
        assert contrast.leave is not None
        assert contrast.score + contrast.leave == pytest.approx(contrast.equity)


def test_without_moves_to_compare_it_is_the_second_best(lexicon: Lexicon) -> None:
    found = analysis(lexicon, sort="equity", top_n=1)
    second = analysis(lexicon, sort="equity", top_n=2, explain=False).moves[1]
    assert len(found.moves) == 1
    assert found.explanation is not None
    assert [one.other.move for one in found.explanation.contrasts] == [second.move]


def test_it_is_none_unless_asked_for_and_changes_nothing_else(lexicon: Lexicon) -> None:
    plain = analysis(lexicon, sort="equity", explain=False)
    assert plain.explanation is None
    explained = analysis(lexicon, sort="equity")
    assert replace(explained, explanation=None, provenance=plain.provenance) == plain
    assert explained.provenance.seed == 1


def test_the_language_changes_the_texts_alone(lexicon: Lexicon) -> None:
    english, spanish = (explanation(lexicon, sort="equity", lang=lang) for lang in ("en", "es"))
    assert english.best == spanish.best
    assert english.text != spanish.text
    for one, other in zip(english.contrasts, spanish.contrasts, strict=True):
        assert replace(one, sentences=()) == replace(other, sentences=())
        assert [(s.code, s.params) for s in one.sentences] == [(s.code, s.params) for s in other.sentences]


def test_the_seed_chooses_the_racks(lexicon: Lexicon) -> None:
    first, again, other = (explanation(lexicon, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.without != other.without


def test_the_shares_of_the_tiles_add_up_to_the_value_of_the_leave(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("-UY", "6A ECU", "-CEEIMUY"))
    for one in (found.best, *(contrast.other for contrast in found.contrasts)):
        assert one.leave_value is not None
        assert sum(share.value for share in one.leave_tiles) == pytest.approx(one.leave_value, abs=0.01)
        assert "".join(share.tile for share in one.leave_tiles) == one.leave
    twice = next(one.other for one in found.contrasts if one.other.leave == "CEEIM")
    assert len({share.value for share in twice.leave_tiles if share.tile == "E"}) == 1


def test_the_share_of_a_single_tile_is_its_value_as_a_leave(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("-CEEIMU",)).contrasts[0].other
    assert [(share.tile, share.value) for share in found.leave_tiles] == [("Y", found.leave_value)]


def after(start: Position, text: str, score: int, rack: Rack) -> Position:
    """Return the position after a move, with the opponent on turn and holding a rack."""
    move = parse_move(text, start.board, start.tile_set)
    board = start.board.with_tiles(move.placements()) if isinstance(move, Play) else start.board
    mover, other = start.players
    players = (Player(other.score, rack), Player(mover.score + score))
    return replace(start, board=board, players=players)


def test_the_replies_are_the_best_moves_of_the_racks(lexicon: Lexicon) -> None:
    start = position(lexicon)
    found = explanation(lexicon, sort="equity")
    racks = opponent_racks(start, 1)
    assert len(racks) == RACKS
    best = found.best
    one_move = AnalysisOptions(sort="equity", include_exchanges=True, top_n=1)
    replies = [
        analyze(AnalysisRequest(after(start, best.move, best.score, rack), one_move), lexicon).best
        for rack in racks
    ]
    assert best.reply is not None
    assert best.reply.score == pytest.approx(mean(reply.score for reply in replies), abs=1e-3)
    assert best.reply.bingos == pytest.approx(mean(reply.is_bingo for reply in replies), abs=1e-4)


@pytest.mark.parametrize("cgp", [MIDDLE, "/".join(["15"] * 15) + " CEEIMUY/ 0/0 0"])
def test_the_squares_are_those_that_plays_cover(lexicon: Lexicon, cgp: str) -> None:
    start = position(lexicon, cgp)
    board = LoadedBoard.load(start.board, start.layout, start.tile_set, lexicon)
    replies = ReplySample(start, board, lexicon, 1).after(Pass(), 0)
    assert replies is not None
    moves = generator("internal_words", lexicon)
    counts = np.zeros((15, 15))
    racks = opponent_racks(start, 1)
    for rack in racks:
        plays = moves.generate(board, rack, start.rules)
        covered = {
            (row, column)
            for play in plays.moves(list(range(len(plays))))
            for row, column, _ in play.placements()
        }
        if start.board.is_empty:
            covered |= {(column, row) for row, column in covered}
        for square in covered:
            counts[square] += 1
    assert counts.any()
    assert np.allclose(replies.reach.reshape(15, 15), counts / len(racks))


def test_opened_and_closed_squares_are_premium_squares_that_change(lexicon: Lexicon) -> None:
    found = explanation(lexicon, compare=("6A ECU",), sort="equity")
    other = found.contrasts[0].other
    assert next((one.at, one.word_factor, one.before) for one in other.opened) == ("1A", 3, 0.0)
    for move in (found.best, other):
        for square in (*move.opened, *move.closed):
            assert square.letter_factor > 1 or square.word_factor > 1
            assert abs(square.after - square.before) >= 0.1
            assert (square.after > square.before) == (square in move.opened)


def test_a_simulation_gives_the_replies(lexicon: Lexicon) -> None:
    cgp, options = CASES["simulate"]
    found = analysis(lexicon, cgp, **options)
    assert found.explanation is not None
    best = found.explanation.best
    assert best.reply is not None
    assert found.best.sim is not None
    assert (best.reply.source, best.reply.score) == ("simulation", found.best.sim.opponent_score)
    assert best.reply.racks == found.best.sim.iterations
    assert (best.win_pct, best.win_pct_by) == (found.best.sim.win_pct, "simulate")
    assert found.explanation.ranked_by == "simulate"
    assert found.explanation.without is not None
    assert found.explanation.without.source == "sample"


def test_an_endgame_is_explained_by_its_line(lexicon: Lexicon) -> None:
    cgp, options = CASES["endgame"]
    found = analysis(lexicon, cgp, **options)
    report, why = found.best.endgame, found.explanation
    assert report is not None
    assert why is not None
    assert (why.best.spread, why.best.line, why.best.certainty) == (
        report.spread,
        report.line,
        report.certainty,
    )
    assert why.contrasts[0].sentences[0].code == (
        "endgame" if report.certainty == "exact" else "endgame_found"
    )
    assert (why.best.win_pct, why.best.win_pct_by) == (found.best.win_pct, "endgame")
    assert why.without is not None
    assert why.without.racks == 1  # the bag is empty: the opponent holds all that is unseen


def test_a_move_that_ends_the_game_has_no_reply(lexicon: Lexicon) -> None:
    out = ENDGAME.replace("AAANRTW/AILR 426/452", "A/AANRTW/AILR 426/452/400")
    found = explanation(lexicon, out, sort="equity", compare=("-",))
    assert found.best.leave == ""
    assert found.best.reply is None
    assert found.contrasts[0].other.reply is not None
    assert found.contrasts[0].reply is None


def test_an_only_move_is_called_so(lexicon: Lexicon) -> None:
    stuck = "/".join(["15"] * 7 + ["6CAB6"] + ["15"] * 7) + " V/ 0/0 0"
    found = explanation(lexicon, stuck)
    assert found.contrasts == ()
    assert found.text == "A pass is the only legal move."
    assert explanation(lexicon, stuck, lang="fr").text == "Une passe est le seul coup possible."


def test_known_tiles_are_in_every_rack_of_the_opponent(lexicon: Lexicon) -> None:
    start = position(lexicon)
    known_tiles = Rack.from_text("QZ", start.tile_set.alphabet)
    seen = replace(start, players=(start.players[0], Player(131, known_tiles=known_tiles)))
    for rack in opponent_racks(seen, 1):
        assert len(rack) == 7
        assert set(known_tiles.tiles) <= set(rack.tiles)
    full = Rack.from_text("AEINRST", start.tile_set.alphabet)
    known_rack = replace(start, players=(start.players[0], Player(131, full)))
    assert opponent_racks(known_rack, 1) == [full]


def test_an_unknown_language_is_refused_with_the_known_ones(lexicon: Lexicon) -> None:
    with pytest.raises(InvalidInput, match="there is no lang 'xx'; known: en, es, fr") as caught:
        analysis(lexicon, lang="xx")
    assert caught.value.code == "unknown_lang"


def test_games_of_four_are_explained(lexicon: Lexicon) -> None:
    found = explanation(lexicon, MIDDLE.replace("CEEIMUY/ 88/131", "CEEIMUY/// 88/131/90/95"))
    assert found.best.reply is not None
    assert found.best.win_pct is None


@pytest.mark.parametrize("wide", [False, True])
def test_a_lexicon_without_learned_tables_and_tiles_of_two_letters(tmp_path: Path, wide: bool) -> None:
    tiles = tile_set("spanish")
    words = ["casa", "casas", "perro", "calle", "calles", "llama", "cosa", "cosas", "sol", "oro", "la", "lo"]
    (tmp_path / "words.txt").write_text("\n".join(words))
    catalogue = Catalogue(tmp_path)
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


def test_every_field_has_a_schema() -> None:
    from engine.analysis import explain
    from service.schemas import explanation as schemas

    for name in (
        "Explanation",
        "Contrast",
        "ExplainedMove",
        "Reply",
        "PremiumSquare",
        "Sentence",
        "TileShare",
    ):
        data, schema = getattr(explain, name), getattr(schemas, f"{name}Schema")()
        assert [item.name for item in fields(data)] == list(schema.fields)
