"""Sentences of explanations: they agree with the figures, in every language."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from babel.numbers import parse_decimal

from engine import (
    LANGUAGES,
    Catalogue,
    InvalidInput,
    Pass,
    format_move,
)
from engine.analysis.explain import Reply, TileShare
from engine.analysis.explain import sentences as templates
from engine.analysis.explain.sentences import Setting, Template, sentences
from engine.search import Verdict
from engine.search.endgame.bounds import Bounds
from tests.analysis.explaining import CASES, ENDGAME, analysis, explanation

if TYPE_CHECKING:
    from engine import Lexicon
    from engine.analysis.explain import Contrast, ExplainedMove, Explanation, Sentence


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


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
        "best": [best.judged.text],
        "other": [other and other.judged.text],
        "score": [best.judged.score, contrast and contrast.score],
        "other_score": [other and other.judged.score],
        "equity": [contrast and contrast.equity],
        "points": [contrast and contrast.endgame_loss],
        "most_points": [contrast and contrast.endgame_loss_high],
        "leave": [contrast and contrast.leave, *(str(one.judged.leave) for one in moves)],
        "win_pct": [best.judged.win_pct],
        "win_pct_low": [best.judged.win and best.judged.win.low],
        "win_pct_high": [best.judged.win and best.judged.win.high],
        "other_win_pct_low": [other and other.judged.win and other.judged.win.low],
        "other_win_pct_high": [other and other.judged.win and other.judged.win.high],
        "other_win_pct": [other and other.judged.win_pct],
        "spread": [best.spread],
        "other_spread": [other and other.spread],
        "line": [[format_move(move, best.judged.position.tile_set) for move in best.line]],
        "reply": [best.reply and best.reply.score],
        "other_reply": [other and other.reply and other.reply.score],
        "bingos": [best.reply and round(100 * best.reply.bingos)],
        "other_bingos": [other and other.reply and round(100 * other.reply.bingos)],
        "square": [square.at for square in squares],
        "share": [round(100 * square.share_after_best) for square in squares],
        "other_share": [round(100 * square.share_after_other) for square in squares],
        "tile": [share.tile for share in tiles],
        "value": [share.value for share in tiles],
        "tiles": [best.judged.tiles_used],
        "other_tiles": [other and other.judged.tiles_used],
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.long
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


def test_the_language_changes_the_texts_alone(lexicon: Lexicon) -> None:
    english, spanish = (explanation(lexicon, sort="equity", lang=lang) for lang in ("en", "es"))
    assert english.best == spanish.best
    assert english.text != spanish.text
    for one, other in zip(english.contrasts, spanish.contrasts, strict=True):
        assert replace(one, sentences=()) == replace(other, sentences=())
        assert [(s.code, s.params) for s in one.sentences] == [(s.code, s.params) for s in other.sentences]


def beside_word(word: str, rack: str) -> str:
    """Return a position with one word on the board and tiles in the bag."""
    return "/".join(["15"] * 7 + [f"6{word}{9 - len(word)}"] + ["15"] * 7) + f" {rack}/ 0/0 0"


def test_without_a_play_there_is_none(lexicon: Lexicon) -> None:
    stuck = beside_word("CAB", "V")
    found = explanation(lexicon, stuck)
    assert found.contrasts == ()
    assert found.text == "There is no play."
    assert explanation(lexicon, stuck, lang="fr").text == "Aucun mot n'est jouable."


def test_an_only_play_is_called_so_where_exchanges_are_legal(lexicon: Lexicon) -> None:
    found = analysis(lexicon, beside_word("CAB", "Z"), evaluator="greedy")
    assert (found.play_count, found.exchange_count) == (1, 1)
    assert found.explanation is not None
    assert found.explanation.text == f"{found.best.text} is the only legal play."


def rendered(why: Explanation, best: dict[str, Any], other: dict[str, Any], **changes: Any) -> list[Sentence]:
    """Return the sentences about a best move and another one with some figures changed."""
    empty_bag = changes.pop("empty_bag", False)
    setting = Setting(changes.pop("ranked_by", "equity"), "en", empty_bag, has_exchanges=False)
    contrast = why.contrasts[0]
    changed = replace(contrast, other=replace(contrast.other, **other), **changes)
    return list(sentences(setting, replace(why.best, **best), changed))


def test_a_pass_is_the_only_move_without_plays_and_exchanges(lexicon: Lexicon) -> None:
    best = explanation(lexicon).best
    best = replace(best, judged=replace(best.judged, move=Pass()))
    (only,) = sentences(Setting("equity", "en", empty_bag=True, has_exchanges=False), best)
    assert only.text == "A pass is the only legal move."


def test_a_tile_is_named_only_if_the_other_leave_lacks_it(lexicon: Lexicon) -> None:
    why = explanation(lexicon, sort="equity")
    blank, seven, six = TileShare("?", 25.0), TileShare("S", 7.0), TileShare("S", 6.0)
    bad, less_bad = TileShare("Q", -9.0), TileShare("V", -4.0)
    quiet: dict[str, Any] = {"squares": (), "reply": None, "leave": 20.0, "tiles_used": 0}

    def named(best: tuple[TileShare, ...], other: tuple[TileShare, ...]) -> list[tuple[str, Any]]:
        found = rendered(why, {"leave_tiles": best}, {"leave_tiles": other}, **quiet)
        return [(one.code, one.params["tile"]) for one in found if "tile" in one.params]

    assert named((seven, blank), (blank,)) == [("good_tile", "S")]
    assert named((seven, six), (six,)) == [("good_tile", "S")]
    assert named((blank,), (blank,)) == []
    assert named((bad,), (bad, less_bad)) == [("bad_tile", "V")]


def test_an_undecided_win_pct_is_given_as_its_range(lexicon: Lexicon) -> None:
    why = explanation(lexicon, ENDGAME, sort="win_pct")
    best, other = why.best.judged, why.contrasts[0].other.judged
    open_range, won, tied = (
        {"judged": replace(one, win=Verdict.of_bounds(Bounds(*bounds)))}
        for one, bounds in ((other, (-9, 9)), (best, (1, 9)), (best, (0, 0)))
    )
    ranked: dict[str, Any] = {"ranked_by": "win_pct", "empty_bag": True, "win_pct": None}
    first, *_ = rendered(why, won, open_range, **ranked)
    assert first.code == "proven_win"
    assert first.text == f"{best.text} is proven to win; {other.text} is not."
    first, *_ = rendered(why, tied, open_range, **ranked)
    assert first.text.startswith("Proven of the win%: from 50.0% to 50.0% for ")
    assert "from 0.0% to 100.0% for" in first.text


def test_no_averages_over_racks_are_named_with_an_empty_bag(lexicon: Lexicon) -> None:
    why = explanation(lexicon, sort="equity", compare=("6A ECU",))
    reply, other_reply = Reply(10.0, 0.0, 1, "sample"), Reply(40.0, 0.0, 1, "sample")
    changes: dict[str, Any] = {"reply": -30.0, "reply_error": 0.0, "leave": -1.0}
    sides = {"reply": reply}, {"reply": other_reply}
    assert rendered(why, *sides, **changes)[1].code == "reply"
    assert [one.code for one in rendered(why, *sides, empty_bag=True, **changes)][1:] in ([], ["turnover"])


def test_bounds_on_a_loss_are_named(lexicon: Lexicon) -> None:
    why = explanation(lexicon, ENDGAME, sort="equity")
    best, other = why.best.judged.text, why.contrasts[0].other.judged.text
    for least, most, text in (
        (6, 6, f"{best} ends the game 6.0 points better than {other}, which is proven."),
        (0, 49, f"{other} is proven to lose from 0.0 to 49.0 points; the best move found is {best}."),
        (6, None, f"{other} is proven to lose at least 6.0 points; the best move found is {best}."),
        (0, None, f"The best move found is {best}; what {other} loses is not known."),
    ):
        (found,) = rendered(why, {}, {}, empty_bag=True, endgame_loss=least, endgame_loss_high=most)
        assert found.text == text


def test_an_unknown_language_is_refused_with_the_known_ones(lexicon: Lexicon) -> None:
    with pytest.raises(InvalidInput, match="there is no lang 'xx'; known: en, es, fr") as caught:
        analysis(lexicon, lang="xx")
    assert caught.value.code == "unknown_lang"
