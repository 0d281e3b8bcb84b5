"""Levels: the highest searches; weaker ones know fewer words and misjudge plays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.position import Board, Exchange, Pass, Play, Player, Position, Rack
from engine.search.levels import LEVELS, MAX_LEVEL, Level, LevelPlayer, as_seen
from engine.search.search_player import BEST, SearchPlayer
from engine.search.word_rarity import MAX_RARITY, normals, scrambled, word_rarity
from engine.selfplay import LEVEL_PLAYERS, GameSetup, Match, game_loop, play_game
from engine.selfplay.players import player as kernel_of
from lab.selfplay.replaying import turns_of
from tests.selfplay.worlds import few_tiles, playable

QUICK = replace(BEST, simulation=replace(BEST.simulation, iterations=120, candidates=4), endgame_nodes=2_000)
"""A short search for level 10, for tests that only check that it searches."""

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> GameSetup:
    return GameSetup.of(playable(tmp_path_factory.mktemp("levels"), few_tiles(8, 5)))


@pytest.fixture(scope="module")
def english(bundled: Catalogue) -> GameSetup:
    return GameSetup.of(bundled.open("scowl80"))


def test_a_level_without_errors_plays_the_moves_of_the_kernel(english: GameSetup, small: GameSetup) -> None:
    for setup, best, games in ((english, "static", 4), (small, "heuri6", 20)):
        strong = LevelPlayer(setup.lexicon, setup.rules, QUICK)
        kernel = kernel_of(best, setup, 1)[0]
        loop = game_loop(setup, kernel, kernel)
        for number in range(games):
            turns = list(turns_of(setup, play_game(loop, 6, number)))
            for turn, after in pairwise(turns):
                choice = strong.weak_move(Level(1.0, 0.0), turn.board, as_seen(turn.position), 6).choice
                before, made = turn.position.players[0], after.position.players[1]
                assert choice.score == made.score - before.score
                assert (choice.move if isinstance(choice.move, Play) else None) == turn.play


def test_the_best_level_is_the_best_player(english: GameSetup) -> None:
    level = LevelPlayer(english.lexicon, english.rules, QUICK)
    thinker = SearchPlayer(english.lexicon, english.rules, QUICK)
    kernel = kernel_of("static", english, 1)[0]
    game = play_game(game_loop(english, kernel, kernel), 3, 1)
    searches = set()
    for turn in list(turns_of(english, game))[::3] + list(turns_of(english, game))[-4:]:
        decision = level.choose(MAX_LEVEL, turn.board, turn.position, 5)
        same = thinker.choose(as_seen(turn.position), turn.board, 5)
        assert decision == replace(same, moves=decision.moves)
        searches.add(decision.search)
    assert searches >= {"simulate", "endgame"}


@pytest.mark.long
def test_a_match_of_levels_does_not_depend_on_threads(small: GameSetup) -> None:
    every = []
    for threads in (1, 3):
        match = Match(small, ("level5", "level2"), 16, seed=9)
        match.run(threads)
        every.append(match.results.tobytes())
    assert every[0] == every[1]


@pytest.mark.long
def test_a_better_level_wins_more(english: GameSetup) -> None:
    score = Match(english, ("level9", "level1"), 14, seed=1).run(1)
    assert score.share.value > 0.7
    assert score.spread.value > 50
    assert score.games == 14


def test_levels_meet_evaluators(small: GameSetup) -> None:
    assert len(LEVEL_PLAYERS) == len(LEVELS) + 1 == MAX_LEVEL == 10
    score = Match(small, ("level1", "greedy"), 16).run(1)
    assert score.games == 16
    assert score.share.value < 0.5


def test_levels_grow_in_words_and_judgement() -> None:
    shares, noises = [level.share for level in LEVELS], [level.noise for level in LEVELS]
    assert shares == sorted(set(shares))
    assert noises == sorted(set(noises), reverse=True)
    assert (shares[-1] < 1, noises[-1] > 0) == (True, True)


def test_rarity_is_spread_evenly_and_goes_with_length_and_spelling(english: GameSetup) -> None:
    lexicon = english.lexicon
    rarity = word_rarity(lexicon)
    assert len(rarity) == lexicon.word_count
    assert (int(rarity.min()), int(rarity.max())) == (0, MAX_RARITY)
    for share in (0.1, 0.5, 0.9):
        assert (rarity <= share * MAX_RARITY).mean() == pytest.approx(share, abs=0.001)
    starts = lexicon.section("length_starts")
    medians = [np.median(rarity[int(starts[n]) : int(starts[n + 1])]) for n in range(2, 13)]
    assert medians == sorted(medians)
    sevens = slice(int(starts[7]), int(starts[8]))
    odd = np.array([0x11 in lexicon.word(i) for i in range(sevens.start, sevens.stop)])  # a Q
    assert np.median(rarity[sevens][odd]) > 1.2 * np.median(rarity[sevens][~odd])


def test_a_word_has_the_same_chance_in_every_lexicon() -> None:
    """The hash is of the letters, not of the place in the list."""
    from engine.search.word_rarity import _chance

    rows = np.array([[0, 3, 1, 20, 0], [0, 4, 15, 7, 0]], np.uint8)
    wider = np.pad(rows, ((0, 0), (0, 4)))
    assert (_chance(rows) == _chance(wider)).all()
    assert _chance(rows)[0] != _chance(rows)[1]


def test_normals_have_a_normal_distribution() -> None:
    drawn = normals(scrambled(np.arange(200_000, dtype=np.uint64)))
    assert drawn.mean() == pytest.approx(0, abs=0.01)
    assert drawn.std() == pytest.approx(1, abs=0.01)
    assert (np.abs(drawn) < 1.959964).mean() == pytest.approx(0.95, abs=0.005)


def positions(setup: GameSetup, seed: int) -> tuple[LoadedBoard, Position]:
    """Return an opening with a random rack, or a board with one play upon it."""
    rng = np.random.default_rng(seed)
    tile_set = setup.lexicon.tile_set
    bag = np.repeat(np.arange(len(tile_set.counts)), tile_set.counts)
    rng.shuffle(bag)
    board = LoadedBoard.load(Board.empty(15), setup.layout, tile_set, setup.lexicon)
    position = Position(
        board.board,
        setup.layout,
        tile_set,
        setup.rules,
        (Player(0, Rack(bytes(bag[:7].tolist()))), Player(tile_count=7)),
        lexicon_id=setup.lexicon.id,
    )
    move = LevelPlayer(setup.lexicon, setup.rules).choose(9, board, position).choice.move
    if seed % 3 == 0 or not isinstance(move, Play):
        return board, position
    board = board.after(move)
    after = replace(
        position, board=board.board, players=(Player(0, Rack(bytes(bag[7:14].tolist()))), Player(9))
    )
    return board, after


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), level=st.integers(1, 9))
def test_a_level_plays_only_words_it_knows(english: GameSetup, seed: int, level: int) -> None:
    board, position = positions(english, seed)
    player = LevelPlayer(english.lexicon, english.rules)
    chosen = player.choose(level, board, position, seed).choice
    assert player.choose(level, board, position, seed).choice == chosen
    again = LevelPlayer(english.lexicon, english.rules).choose(level, board, position, seed)
    assert again.choice == chosen
    if not isinstance(chosen.move, Play):
        assert chosen.score == 0
        return
    rarity, lexicon = word_rarity(english.lexicon), english.lexicon
    for word in position.words(chosen.move):
        found = lexicon.tables.find(bytes(code - 1 for code in word.letters))
        assert found >= 0
        assert rarity[found] <= LEVELS[level - 1].share * MAX_RARITY


def test_seeds_change_the_errors_of_a_weak_player(english: GameSetup) -> None:
    board, position = positions(english, 4)
    player = LevelPlayer(english.lexicon, english.rules)
    weak = {player.choose(2, board, position, seed).choice for seed in range(12)}
    assert len(weak) > 3


def test_a_player_who_knows_no_play_exchanges_or_passes(english: GameSetup) -> None:
    board, position = positions(english, 0)
    stuck = replace(position, players=(Player(0, Rack(b"\x16\x16\x17\x17")), Player(tile_count=7)))  # VVWW
    player = LevelPlayer(english.lexicon, english.rules, QUICK)
    for level in (1, 10):
        chosen = player.choose(level, board, stuck, 3).choice
        assert isinstance(chosen.move, Exchange)
        assert chosen.score == 0
    late = replace(stuck, rules=english.rules.changed(exchange_limit=400))
    assert isinstance(player.choose(1, board, late, 3).choice.move, Pass)
    with pytest.raises(InvalidInput):
        player.choose(11, board, stuck)
