"""Games of duplicate: draws, tops, choices, corrections, points and ranking."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.duplicate import DuplicateGame, DuplicateRules, Slip, duplicate_rules
from engine.duplicate.standings import entries, standings
from engine.errors import EngineError, IllegalMove, InvalidInput
from engine.loaded_board import LoadedBoard
from engine.movegen.reference import Reference
from engine.position import BLANK_FLAG

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Play


def slip_of(player: str, play: Play, mark: str = "") -> Slip:
    return Slip(player, *play.text.split(), mark)


def played(game: DuplicateGame) -> DuplicateGame:
    """Return a game at its end: Ann finds every top, Bob the best play below it, Cyd every second top."""
    while game.current is not None:
        one = game.current
        below = one.sub_tops[0] if one.sub_tops else one.top
        slips = [slip_of("Ann", one.top), slip_of("Bob", below)]
        slips += [slip_of("Cyd", one.tops[-1]) if one.number % 2 else Slip("Cyd", "8D", "?!")]
        game = game.closed(slips)
    return game


@pytest.fixture(scope="module")
def ended(small: Lexicon) -> DuplicateGame:
    return played(DuplicateGame.begin(small, "french", seed=2))


def test_a_game_lays_every_top_until_no_rack_or_play_is_left(ended: DuplicateGame) -> None:
    assert len(ended.rounds) > 3
    assert ended.reason in ("no_rack", "no_play")
    for one, following in zip(ended.rounds, [*ended.rounds[1:], None], strict=True):
        assert one.top == one.tops[0]
        position = one.position.after(one.top) if following is None else following.position
        laid = [code for code in position.board.squares if code]
        assert len(laid) == sum(len(each.top.used) for each in ended.rounds[: one.number])
    assert ended.number == len(ended.rounds) + 1
    assert ended.position.rack.tiles == b""


def test_the_leave_of_the_top_stays_on_the_next_rack(ended: DuplicateGame) -> None:
    kept = 0
    for one, following in zip(ended.rounds, ended.rounds[1:], strict=False):
        kept += not following.rack.missing(one.rack.without(one.top.used).tiles)
    assert kept > len(ended.rounds) // 2


@pytest.mark.long
def test_tops_are_those_of_the_slow_generator(small: Lexicon) -> None:
    game = DuplicateGame.begin(small, seed=5)
    for _ in range(3):
        one, position = game.current, game.position
        assert one is not None
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, small)
        plays = Reference(small).generate(board, position.rack, position.rules)
        scores = sorted(set(plays.array["score"].tolist()), reverse=True)
        by_score = {score: [] for score in scores}  # type: dict[int, list[Play]]
        for index, score in enumerate(plays.array["score"].tolist()):
            by_score[score].append(plays.move(index))
        assert one.top.score == scores[0]
        assert set(one.tops) <= set(by_score[scores[0]])
        assert len(one.tops) == min(20, len(by_score[scores[0]]))
        assert set(one.sub_tops) <= set(by_score[scores[1]])
        assert len(one.sub_tops) == min(20, len(by_score[scores[1]]))
        blanks = [sum(code >= BLANK_FLAG for code in play.tiles) for play in one.tops]
        assert blanks == sorted(blanks)
        game = game.closed()


def test_the_same_seed_and_tops_draw_the_same(small: Lexicon) -> None:
    first, second = (DuplicateGame.begin(small, seed=9) for _ in range(2))
    assert first == second
    assert first.closed([Slip("Ann")]).position == second.closed([Slip("Bob", "8D", "X")]).position
    racks = {str(DuplicateGame.begin(small, seed=seed).position.rack) for seed in range(10)}
    assert len(racks) > 5


def test_the_arbiter_chooses_among_tops_only(small: Lexicon) -> None:
    games = [DuplicateGame.begin(small, seed=seed) for seed in range(30)]
    game = next(game for game in games if game.current and len(game.current.tops) > 1)
    assert game.current is not None
    other = game.current.tops[1]
    assert game.play({1: []}, top=other.text).rounds[0].top == other
    for text, code in (
        (game.current.sub_tops[0].text, "not_a_top"),
        ("-", "not_a_top"),
        (other.text.replace("8", "1", 1), "start_not_covered"),
        ("nonsense", "bad_move"),
    ):
        with pytest.raises(IllegalMove) as caught:
            game.play({1: []}, top=text)
        assert (caught.value.code, caught.value.field) == (code, "top")
    with pytest.raises(InvalidInput) as refused:
        game.closed().play({1: [Slip("Ann")]}, top=other.text)
    assert refused.value.code == "round_not_closed"


def test_slips_of_several_rounds_close_them_and_correct_earlier_ones(small: Lexicon) -> None:
    game = DuplicateGame.begin(small, seed=2).play({1: [Slip("Ann")], 3: [Slip("Bob", "8D", "??")]})
    assert [len(one.slips) for one in game.rounds] == [1, 0, 1]
    top = game.rounds[0].top
    corrected = game.play({1: [slip_of("Ann", top), Slip("Cyd")]})
    assert corrected.current == game.current
    assert [one.slip.player for one in corrected.rounds[0].slips] == ["Ann", "Cyd"]
    assert [one.verdict for one in corrected.rounds[0].slips] == ["top", "pass"]
    assert game.play({}) == game.closed()
    for slips, code in (
        ({1: [Slip("Ann"), Slip(" Ann ")]}, "slip_twice"),
        ({999: [Slip("Ann")]}, "no_such_round"),
        ({0: [Slip("Ann")]}, "no_such_round"),
    ):
        with pytest.raises(InvalidInput) as caught:
            game.play(slips)
        assert caught.value.code == code
    with pytest.raises(InvalidInput, match="Ann has two slips in round 4"):
        game.closed([Slip("Ann"), Slip("Ann")])


def test_in_dutch_games_all_tiles_are_drawn_anew_and_blanks_come_back(small: Lexicon) -> None:
    back = 0
    for seed in range(4):
        game = DuplicateGame.begin(small, "dutch", seed=seed)
        while game.current is not None:
            assert len(game.position.rack) == 7
            one = game.current
            game = game.closed()
            before = sum(code >= BLANK_FLAG for code in one.position.board.squares)
            after = sum(code >= BLANK_FLAG for code in game.position.board.squares)
            blank = next((code & ~BLANK_FLAG for code in one.top.tiles if code >= BLANK_FLAG), 0)
            letters = one.position.unseen()[blank] + one.rack.without(one.top.used).tiles.count(blank)
            if blank and letters:
                back += 1
                assert after == before
                assert game.position.board.tiles().count(blank) > one.position.board.tiles().count(blank)
            elif blank:
                assert after == before + 1
        assert game.reason == "no_play" or len(game.position.unseen_tiles) < 7 or game.reason == "no_rack"
    assert back


def account(game: DuplicateGame, player: str) -> dict[str, Any]:
    """Return a player's account as a club secretary counts it, round by round."""
    points = tops = 0
    for one in game.rounds:
        for judged in one.slips:
            if judged.slip.player == player:
                points += judged.points
                tops += judged.points == one.top.score
    return {"points": points, "tops": tops}


def test_points_and_percentages_follow_from_the_slips(ended: DuplicateGame) -> None:
    total = sum(one.top.score for one in ended.rounds)
    assert ended.top_total == total
    found = {standing.player: standing for standing in ended.standings}
    assert set(found) == {"Ann", "Bob", "Cyd"}
    for player, standing in found.items():
        assert account(ended, player).items() <= vars_of(standing).items()
        assert standing.total == standing.points + standing.bonus - standing.penalty
        assert standing.percent == round(100 * standing.total / total, 2)
    assert found["Ann"].percent == 100.0
    assert found["Ann"].rank == 1
    unclear = sum(one.number % 2 == 0 for one in ended.rounds)
    assert found["Cyd"].warnings == unclear
    assert found["Cyd"].penalty == 5 * max(0, unclear - 3)


def vars_of(standing: object) -> dict[str, Any]:
    return {name: getattr(standing, name) for name in type(standing).__slots__}  # type: ignore[attr-defined]


def club(small: Lexicon, players: int) -> DuplicateGame:
    """Return a game of one round in which only P0 finds the top; the others find a play below, or pass."""
    game = DuplicateGame.begin(small, seed=4)
    assert game.current is not None
    slips = [slip_of("P0", game.current.top), slip_of("P1", game.current.sub_tops[0])]
    return game.closed([*slips, *[Slip(f"P{number}") for number in range(2, players)]])


@pytest.mark.parametrize(
    ("rules", "players", "bonus"),
    [("french", 15, 0), ("french", 16, 10), ("spanish", 3, 10), ("romanian", 20, 0), ("dutch", 20, 0)],
)
def test_who_alone_finds_the_top_gets_the_bonus_of_the_rules(
    small: Lexicon, rules: str, players: int, bonus: int
) -> None:
    first, second = standings(club(small, players).rounds, duplicate_rules(rules))[:2]
    assert (first.player, first.bonus, first.solos) == ("P0", bonus, 1)
    assert (second.player, second.bonus, second.solos) == ("P1", 0, 0)


def test_who_alone_has_the_best_play_below_the_top_gets_the_smaller_one(small: Lexicon) -> None:
    below = club(small, 4).corrected(1, [Slip("P0")])
    assert {one.player: one.bonus for one in standings(below.rounds, duplicate_rules("spanish"))} == {
        "P0": 0, "P1": 5, "P2": 0, "P3": 0,
    }  # fmt: skip
    top = below.rounds[0].top
    shared = below.corrected(1, [slip_of("P0", top), slip_of("P2", top)])
    assert [one.bonus for one in standings(shared.rounds, duplicate_rules("spanish"))] == [0] * 4
    assert [one.solos for one in standings(shared.rounds, duplicate_rules("spanish"))] == [0] * 4


def test_a_bonus_has_a_limit(small: Lexicon) -> None:
    rounds = played(DuplicateGame.begin(small, seed=2)).rounds
    assert len(rounds) >= 6
    only = [
        replace(one, slips=(*one.slips[:1], *[slip for slip in one.slips[2:] if slip.points == 0]))
        for one in rounds
    ]
    alone = sum(len(one.slips) == 2 for one in only)
    found = standings(only, duplicate_rules("spanish"))
    assert alone >= 3
    assert found[0].bonus == 25


def test_the_fourth_warning_costs_points_and_a_penalty_at_once(small: Lexicon) -> None:
    game = DuplicateGame.begin(small, "french", seed=2)
    for mark in ("warning", "", "warning", "warning", "warning", "penalty"):
        assert game.current is not None
        game = game.closed([slip_of("Ann", game.current.top, mark), Slip("Bob", "?", "?")])
    ann = [next(entry for entry in group if entry.player == "Ann") for group in game.entries]
    assert [entry.penalty for entry in ann] == [0, 0, 0, 0, 5, 5]
    assert [entry.is_warned for entry in ann] == [True, False, True, True, True, False]
    bob = [next(entry for entry in group if entry.player == "Bob") for group in game.entries]
    assert [entry.penalty for entry in bob] == [0, 0, 0, 5, 5, 5]
    spanish = entries(game.rounds, duplicate_rules("spanish"))
    assert not any(entry.penalty or entry.is_warned for group in spanish for entry in group)


def test_the_spanish_ranking_is_by_the_mean_of_the_rounds(ended: DuplicateGame) -> None:
    for rules in (duplicate_rules("spanish"), DuplicateRules("plain", ranking="percent")):
        groups = entries(ended.rounds, rules)
        for standing in standings(ended.rounds, rules):
            shares = [
                100 * entry.total / one.top.score
                for one, group in zip(ended.rounds, groups, strict=True)
                for entry in group
                if entry.player == standing.player
            ]
            assert standing.percent == round(sum(shares) / len(ended.rounds), 2)


def test_equal_results_share_a_rank(small: Lexicon) -> None:
    found = club(small, 5).standings
    assert [(one.rank, one.player) for one in found] == [
        (1, "P0"),
        (2, "P1"),
        (3, "P2"),
        (3, "P3"),
        (3, "P4"),
    ]
    assert DuplicateGame.begin(small).standings == ()


def test_a_game_is_the_same_after_it_was_saved(small: Lexicon, ended: DuplicateGame) -> None:
    for game in (ended, DuplicateGame.begin(small, seed=4), club(small, 5)):
        assert DuplicateGame.from_json(game.to_json(), small) == game
        assert DuplicateGame.from_document(game.document, lambda _: small) == game
        assert json.loads(game.to_json()) == game.document


def test_racks_drawn_by_hand_are_those_of_the_file(small: Lexicon) -> None:
    document = DuplicateGame.begin(small, seed=1).document
    game = DuplicateGame.from_document({**document, "rack": "ABCDEFG"}, small)
    assert str(game.position.rack) == "ABCDEFG"
    assert game.current is not None
    assert str(DuplicateGame.begin(small, rack="ABCDEFG").position.rack) == "ABCDEFG"


ROUND = {"rack": "ABCDEFG", "top": "8H AB", "slips": []}


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"format": "kibitz game 2"}, "bad_game", "its format is not 'kibitz duplicate 1'"),
        ({"format": "kibitz duplicate 7"}, "other_version", "'kibitz duplicate 7'"),
        ({"format": None}, "bad_game", "its format"),
        ({"lexicon": {"id": "few7", "sha256": "0"}}, "other_word_list", "another word list"),
        ({"lexicon": []}, "bad_game", "lexicon is missing"),
        ({"rules": "klingon"}, "unknown_rule_set", "klingon"),
        ({"seed": -1}, "bad_seed", "the seed"),
        ({"seed": 2**53}, "bad_seed", "the seed"),
        ({"seed": True}, "bad_game", "seed is missing"),
        ({"seed": 1.0}, "bad_game", "seed is missing"),
        ({"rack": 7}, "bad_game", "rack is missing"),
        ({"rack": "AAAAAAA"}, "bad_draw", "AAAAAAA cannot be drawn in round 1"),
        ({"rack": "ABC"}, "bad_draw", "ABC cannot be drawn"),
        ({"rack": "\ud800"}, "unknown_tile", "in the rack"),
        ({"rounds": {}}, "bad_game", "rounds is missing"),
        ({"rounds": [7]}, "bad_game", "rounds is missing"),
        ({"rounds": [{**ROUND, "slips": [{}]}]}, "bad_game", "player is missing"),
        ({"rounds": [{**ROUND, "slips": [7]}]}, "bad_game", "slips is missing"),
        (
            {"rounds": [{**ROUND, "slips": [{"player": "\ud800", "at": "", "word": "", "mark": ""}]}]},
            "bad_player_name",
            "round 1: ",
        ),
        ({"rounds": [{**ROUND, "top": "8H ZZ"}]}, "unknown_tile", "round 1: "),
        ({"rounds": [{**ROUND, "top": "-"}]}, "not_a_top", "round 1: - is no top"),
        ({"rounds": [{**ROUND, "rack": "AAAAAAA"}]}, "bad_draw", "in round 1"),
    ],
)
def test_a_wrong_game_is_refused(small: Lexicon, change: dict[str, Any], code: str, message: str) -> None:
    document = DuplicateGame.begin(small, seed=1).document
    with pytest.raises(EngineError, match=message) as caught:
        DuplicateGame.from_json(json.dumps({**document, **change}), small)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text", ["", "[", "7", "[]", "null", "[" * 100_000, "9" * 5_000, "x" * ((1 << 22) + 1)]
)
def test_a_text_that_is_no_game_is_refused(small: Lexicon, text: str) -> None:
    with pytest.raises(InvalidInput, match="this is not a saved game") as caught:
        DuplicateGame.from_json(text, small)
    assert caught.value.code == "bad_game"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=60)
@given(
    st.sampled_from(["format", "lexicon", "rules", "seed", "rounds", "rack"]),
    st.sampled_from(["rack", "top", "slips", ""]),
    json_values,
)
def test_any_value_in_a_game_is_read_or_refused(small: Lexicon, name: str, inner: str, value: object) -> None:
    document = DuplicateGame.begin(small, seed=1).closed([Slip("Ann")]).document
    changed = {**document, name: value}
    if name == "rounds" and inner:
        changed = {**document, "rounds": [{**document["rounds"][0], inner: value}]}
    with suppress(EngineError):
        assert DuplicateGame.from_document(changed, small).document["seed"] == changed["seed"]
