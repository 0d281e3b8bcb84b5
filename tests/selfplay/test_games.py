"""The games of the kernel agree with a replay in Python, by several rules and alphabets."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.evaluation.evaluators import Evaluator, evaluator_kernel
from engine.movegen import InternalWords, leaves
from engine.position import Player, Position
from engine.rules import RuleSet, board_layout, rule_set, tile_set
from engine.selfplay import GameSetup, game_loop, play_game
from engine.selfplay.games import ENDINGS, EXCHANGE, PASS, PLAY, RESULT_DTYPE, TURN_DTYPE
from engine.selfplay.selfplay_narrow import RESULT_BYTES, TURN_BYTES, GameLoop
from tests.movegen.worlds import open_lexicon
from tests.selfplay.replays import replay
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="module")
def lexicons(tmp_path_factory: pytest.TempPathFactory) -> list[Lexicon]:
    """Narrow with 8 letters, Spanish with its digraphs, wide with 40 letters."""
    folder = tmp_path_factory.mktemp("games")
    return [playable(folder, tiles) for tiles in (few_tiles(8, 5), tile_set("spanish"), few_tiles(40, 2))]


def test_the_dtypes_have_the_sizes_of_the_kernel_structs() -> None:
    assert TURN_DTYPE.itemsize == TURN_BYTES
    assert RESULT_DTYPE.itemsize == RESULT_BYTES


RULES = {
    "english": rule_set("english"),
    "spanish": rule_set("spanish"),
    "hasty": RuleSet(passes_each=1, zero_turn_limit=2, exchange_limit=1, ending="single", rack_size=5),
    "endless": RuleSet(passes_each=0, zero_turn_limit=9, exchange_limit=3, zero_turns_need_points=True),
}


def greedy_loop(setup: GameSetup) -> GameLoop:
    greedy = evaluator_kernel("greedy", setup.lexicon, setup.rules)
    return game_loop(setup, greedy, greedy)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("layout", ["standard15", "wordfeud15"])
def test_greedy_games_follow_the_rules(lexicons: list[Lexicon], rules: str, layout: str) -> None:
    endings: Counter[str] = Counter()
    kinds: Counter[int] = Counter()
    for lexicon in lexicons:
        setup = GameSetup(lexicon, board_layout(layout), RULES[rules])
        loop = greedy_loop(setup)
        for number in range(4):
            game = play_game(loop, 2**63 + 5, number)
            kinds.update(int(seen.turn["kind"]) for seen in replay(setup, game, 2**63 + 5, number))
            endings[game.ending] += 1
    assert endings["went_out"]
    assert set(kinds) == {PLAY, EXCHANGE, PASS} or rules == "hasty"


def test_games_in_which_nobody_can_play_are_given_up(tmp_path: Path) -> None:
    tiles = tile_set("english")
    lexicon = open_lexicon(tmp_path, "qq", tiles, [bytes([17] * 4)])
    setup = GameSetup(lexicon, board_layout("standard15"), rule_set("spanish"))
    game = play_game(greedy_loop(setup), 1, 1)
    list(replay(setup, game, 1, 1))
    assert game.ending in ("all_passed", "given_up")


NONE = -(2**31)  # less than the equity of any move


@pytest.mark.parametrize("name", ["greedy", "static", "heuri1", "heuri4", "heuri2,pass=literal", "combined"])
def test_players_make_the_move_with_the_most_equity(bundled: Catalogue, name: str) -> None:
    lexicon = bundled.open("scowl80")
    setup = GameSetup.of(lexicon)
    search = InternalWords(lexicon)
    kernel = evaluator_kernel(name, lexicon, setup.rules)
    evaluator = None if name == "greedy" else Evaluator(name, lexicon, setup.rules)
    loop = game_loop(setup, kernel, kernel)
    kinds: Counter[int] = Counter()
    for number in range(2 if name == "greedy" else 1):
        for seen in replay(setup, play_game(loop, 3, number), 3, number):
            mine, others = seen.scores[seen.seat], seen.scores[1 - seen.seat]
            players = (Player(mine, seen.rack), Player(others, tile_count=len(seen.other)))
            position = Position(seen.board.board, setup.layout, lexicon.tile_set, setup.rules, players)
            values = None
            if evaluator is not None:
                values = evaluator.leave_values(seen.board, position)[0]
            plays = search.generate(
                seen.board, seen.rack, setup.rules, None if values is None else values.array
            )
            if evaluator is not None:
                evaluator.adjust(plays, position)
            best = plays.best(1, by="equity")
            found = int(plays.array["equity"][best[0]]) if len(best) else NONE
            kind = int(seen.turn["kind"])
            kinds[kind] += 1
            if kind == PLAY:
                assert seen.play == plays.move(int(best[0]))
                assert seen.turn["equity"] == found
            exchanged = NONE
            if values is not None and seen.bag >= setup.rules.exchange_limit:
                exchanged = int(values.array[:-1].max())
            if kind == EXCHANGE and values is not None:
                leave = bytes(seen.turn["leave"][: seen.turn["leave_count"]])
                assert values.array[leaves(seen.rack).index(leave)] == exchanged == seen.turn["equity"]
                assert exchanged > found
            passed = NONE
            if values is not None and evaluator is not None and evaluator.weighs_pass:
                passed = int(values.array[-1])
            if kind == PASS:
                assert max(found, exchanged) == NONE or seen.turn["equity"] == passed > max(found, exchanged)
            elif kind == PLAY:
                assert found >= max(exchanged, passed)
            else:
                assert seen.turn["equity"] >= passed
    assert kinds[PLAY] > 15
    assert kinds[PASS] or "literal" not in name


def test_players_who_keep_septets_end_the_game_by_the_rules(bundled: Catalogue) -> None:
    """Both pass with a septet that has no place; six turns without points end an English game."""
    setup = GameSetup.of(bundled.open("scowl80"))
    parts = [evaluator_kernel("heuri2,pass=literal", setup.lexicon, setup.rules) for _ in range(2)]
    game = play_game(game_loop(setup, *parts), 1, 0)
    list(replay(setup, game, 1, 0))  # checks the ending and the final scores
    assert game.ending == "zero_turns"
    last = game.turns[-setup.rules.zero_turn_limit :]
    assert (last["kind"] == PASS).all()
    assert (last["equity"] >= 50_000).all()


def test_seats_are_swapped_and_tiles_are_the_same(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    setup = GameSetup.of(lexicon)
    players = [evaluator_kernel(name, lexicon, setup.rules) for name in ("greedy", "static")]
    loop = game_loop(setup, *players)
    for number in range(3):
        plain, swapped = play_game(loop, 9, number), play_game(loop, 9, number, swapped=True)
        racks = [[bytes(game.turns["rack"][seat]) for seat in (0, 1)] for game in (plain, swapped)]
        assert racks[0][0] == racks[1][0]
        equity = plain.turns["equity"][0], plain.turns["play"]["score"][0] * 1000
        assert equity[0] == equity[1]  # greedy began
        scores = 1000 * swapped.turns["play"]["score"]
        assert any(swapped.turns["equity"][::2] != scores[::2])
        assert all(swapped.turns["equity"][1::2] == scores[1::2])
        both = np.zeros(2 * RESULT_BYTES, np.uint8)
        loop.play_pairs(9, number, both)
        results = both.view(RESULT_DTYPE)
        assert results["final"].tolist() == [list(plain.final), list(swapped.final)]
        for game, result in zip((plain, swapped), results, strict=True):
            for seat in (0, 1):
                own = game.turns[game.turns["seat"] == seat]
                assert result["turns"][seat] == len(own)
                assert result["exchanges"][seat] == (own["kind"] == EXCHANGE).sum()
                assert result["bingos"][seat] == ((own["kind"] == PLAY) & (own["play"]["placed"] == 7)).sum()
            assert ENDINGS[result["ending"]] == game.ending


def test_the_bag_of_a_game_is_shuffled_evenly(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    loop = greedy_loop(GameSetup.of(lexicon))
    dealt: Counter[int] = Counter()
    games = 400
    for number in range(games):
        dealt.update(play_game(loop, 1, number).turns["rack"][:2].ravel().tolist())
    counts = tile_set("english").counts
    for code, count in enumerate(counts):
        expected = games * 14 * count / 100
        assert abs(dealt[code] - expected) < 5 * expected**0.5
