"""Greedy games: the tiles add up, the plays are the best ones, the rules end the game."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.rules import default_rule_set, tile_set
from lab.selfplay.greedy_games import greedy_game
from tests.movegen.worlds import open_lexicon

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.catalogue import Catalogue
    from lab.selfplay.replaying import SelfPlayTurn


@pytest.fixture(scope="module")
def games(bundled: Catalogue) -> list[list[SelfPlayTurn]]:
    lexicon = bundled.open("scowl80")
    return [list(greedy_game(lexicon, 7, number)) for number in range(12)]


def test_no_tile_is_lost_or_added(games: list[list[SelfPlayTurn]]) -> None:
    full = Counter(dict(enumerate(tile_set("english").counts)))
    for game in games:
        for turn in game:
            position = turn.position
            position.check()
            assert position.bag_count() == turn.bag_count
            assert position.unseen_count() == turn.bag_count + len(position.players[1].held)
            board = Counter(dict(enumerate(position.board.tile_counts(26))))
            for player in position.players:
                board.update(player.held.tiles)
            assert all(board[code] <= count for code, count in full.items())
            assert full.total() - board.total() == turn.bag_count


def test_each_play_is_the_best_and_leads_to_the_next_board(games: list[list[SelfPlayTurn]]) -> None:
    for game in games[:4]:
        search = InternalWords(game[0].board.lexicon)
        for turn, after in zip(game, [*game[1:], None], strict=True):
            plays = search.generate(turn.board, turn.position.rack, turn.position.rules)
            if turn.play is None:
                assert len(plays) == 0
                continue
            best = plays.best(1)[0]
            assert plays.move(int(best)) == turn.play
            if after is None:
                continue
            assert after.position.board == turn.board.after(turn.play).board
            assert (
                after.position.players[1].score - turn.position.players[0].score == plays.array["score"][best]
            )
            fresh = LoadedBoard.load(
                after.position.board, after.board.layout, after.board.tile_set, after.board.lexicon
            )
            assert fresh == after.board


def test_games_end_by_the_rules(games: list[list[SelfPlayTurn]]) -> None:
    ends = Counter()
    for game in games:
        last = game[-1]
        rack = last.position.rack
        used = len(last.play.placements()) if last.play else 0
        if last.bag_count == 0 and used == len(rack):
            ends["out"] += 1
        else:
            assert last.play is None
            ends["passes"] += 1
            assert [turn.play for turn in game[-4:]] == [None] * 4
        numbers = [turn.number for turn in game]
        assert numbers == list(range(1, len(game) + 1))
    assert ends["out"] > 6


def test_a_game_depends_on_seed_and_number_alone(bundled: Catalogue, games: list[list[SelfPlayTurn]]) -> None:
    lexicon = bundled.open("scowl80")

    def text(game: list[SelfPlayTurn]) -> list[str]:
        return [turn.position.canonical() for turn in game]

    assert text(list(greedy_game(lexicon, 7, 3))) == text(games[3])
    assert text(list(islice(greedy_game(lexicon, 8, 3), 1))) != text(games[3][:1])
    assert len({text(game)[0] for game in games}) == len(games)


@pytest.mark.parametrize("language", ["english", "spanish"])
def test_a_game_without_any_play_ends_too(tmp_path: Path, language: str) -> None:
    tiles = tile_set(language)
    rare = tiles.alphabet.size
    lexicon = open_lexicon(tmp_path, "hopeless", tiles, [bytes([rare]) * 5])  # more than bag and blanks hold
    rules = default_rule_set(language)
    game = list(greedy_game(lexicon, 1, 1, rules=rules))
    assert all(turn.play is None for turn in game)
    assert len(game) == (200 if rules.zero_turns_need_points else rules.zero_turn_limit)
