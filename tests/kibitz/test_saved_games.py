"""Saved games: the record and the JSON of any game load as the same game."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kibitz
from engine.position import Play as Placement
from tests.kibitz.test_game import ENGLISH, RULES, some_move

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE_SETS = [*RULES.values(), *[ENGLISH.changed(challenge_rule=rule) for rule in ("single", "5pt", "10pt")]]


def phony(random: Random, position: kibitz.Position) -> Placement | None:
    """Return a play whose only fault is an invalid word, None if none is found."""
    plays = position.plays()
    for play in random.sample(plays, min(len(plays), 20)):
        laid = [code for code in play.tiles if code]
        mixed = iter(random.sample(laid, len(laid)))
        tiles = tuple(next(mixed) if code else 0 for code in play.tiles)
        move = Placement(play.row, play.column, play.down, tiles)
        if position.read_move(move)[1] is not None:
            return move
    return None


def random_step(random: Random, game: kibitz.Game) -> None:
    """Make a random move, challenge, undo or penalty."""
    chance = random.random()
    if chance < 0.1 and game.moves:
        game.undo()
    elif chance < 0.25 and game.allow_phonies and not game.is_over:
        move = phony(random, game.position)
        if move is not None:
            game.play(move)
            if random.random() < 0.7:
                game.challenge()
    elif chance < 0.3 and game.allow_phonies:
        with suppress(kibitz.IllegalMove):  # there may be no play that can be challenged
            game.challenge()
    elif game.is_over:
        free = [at for at, lost in enumerate(game.result.penalties) if not lost] if game.result else []
        if free:
            game.penalize(random.choice(free), 10)
    else:
        game.play(some_move(random, game))


def some_game(
    small: kibitz.Lexicon, seed: int, steps: int, players: int, rules: int, phonies: bool
) -> kibitz.Game:
    random = Random(seed)
    game = kibitz.Game(small, players, seed=seed, rules=RULE_SETS[rules], allow_phonies=phonies)
    for _ in range(steps):
        random_step(random, game)
    return game


def games(small: kibitz.Lexicon) -> st.SearchStrategy[kibitz.Game]:
    return st.builds(
        some_game,
        st.just(small),
        seed=st.integers(0, 2**32),
        steps=st.integers(0, 40),
        players=st.integers(2, 4),
        rules=st.integers(0, len(RULE_SETS) - 1),
        phonies=st.booleans(),
    )


quick = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


@quick
@given(st.data())
@pytest.mark.long
def test_a_game_loaded_from_json_is_equal(small: kibitz.Lexicon, data: st.DataObject) -> None:
    game = data.draw(games(small))
    again = kibitz.Game.from_json(game.to_json(), small)
    assert again == game
    assert (again.position, again.result, again.record) == (game.position, game.result, game.record)
    assert again.to_json() == game.to_json()
    if not game.is_over:
        move = some_move(Random(1), game)
        game.play(move)
        again.play(move)
        assert again == game


@quick
@given(st.data())
@pytest.mark.long
def test_the_record_of_a_game_replays_without_faults(small: kibitz.Lexicon, data: st.DataObject) -> None:
    """`replay_game` sees only the text, and finds the same positions and scores."""
    game = data.draw(games(small))
    record = kibitz.parse_gcg(game.to_gcg())
    assert record == game.record
    replay = kibitz.replay_game(record, small.tile_set, rules=game.rules)
    odd = {fault.code for fault in replay.warnings} - {"odd_challenge_bonus"}
    assert (replay.faults, odd) == ((), set())
    # A turn that was lost by a challenge is a pass in the record, but no move of the game.
    seen = iter([kibitz.Position.of(turn.position, small) for turn in replay.turns if turn.move is not None])
    assert all(position in seen for position in game.positions)
    if game.result is not None:
        assert replay.over
        for player, score in enumerate(game.result.scores):
            last = [event for event in record.events if event.player == player][-1:]
            if last and last[0].kind in ("end_bonus", "end_penalty", "time"):
                assert last[0].total == score
    else:
        assert not replay.over
        assert kibitz.Position.of(replay.final, small).scores == game.position.scores


@quick
@given(st.data())
@pytest.mark.long
def test_a_game_loaded_from_its_record_is_equal(small: kibitz.Lexicon, data: st.DataObject) -> None:
    game = data.draw(games(small))
    again = kibitz.Game.from_gcg(game.to_gcg(), small, rules=game.rules, seed=game.seed)
    assert again.record == game.record
    assert (again.scores, again.racks, again.board, again.bag) == (
        game.scores,
        game.racks,
        game.board,
        game.bag,
    )
    assert (again.result, again.on_turn) == (game.result, game.on_turn)
    assert again.to_gcg() == game.to_gcg()


GCG = """\
#character-encoding UTF-8
#player1 Ann Ann Smith
#player2 Bob
#lexicon scowl80
>Ann: AEINRST 8D RETAINS +66 66
>Bob: EEIOUU? -EIUU +0 0
#rack1 QZVVWWK
#rack2 EOABCD?
"""


def test_a_record_written_by_hand(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game.from_gcg(GCG, lexicon)
    assert (game.names, game.scores, game.on_turn) == (("Ann Smith", "Bob"), (66, 0), 0)
    assert [str(rack) for rack in game.racks] == ["KQVVWWZ", "ABCDEO?"]
    assert [str(move) for move in game.moves] == ["8D RETAINS", "-EIUU"]
    assert kibitz.Game.from_gcg(game.to_gcg().encode(), lexicon) == game


@pytest.mark.parametrize(
    ("old", "new", "code", "part"),
    [
        (
            "RETAINS +66 66",
            "RETAINS +67 67",
            "score_mismatch",
            "line 5: the score is +67, the rules give +66",
        ),
        ("#rack1 QZVVWWK\n", "", "rack_unknown", "add a line #rack1"),
        (">Bob: EEIOUU? ", ">Bob: ", "rack_unknown", "line 6: not all tiles of Bob are known"),
        ("-EIUU", "-4", "move_unknown", "line 6: the tiles exchanged are not known"),
        ("#rack2 EOABCD?", "#rack2 EABCDF?", "kept_tile_missing", "line 6"),
        ("RETAINS +66", "RETAINZ +66", "tile_not_in_rack", "line 5"),
        ("8D RETAINS", "8D RETAINX", "tile_not_in_rack", "line 5"),
        ("#player2 Bob\n", "", "event_before_player", "line 5"),
    ],
)
def test_faulty_records_are_rejected(
    lexicon: kibitz.Lexicon, old: str, new: str, code: str, part: str
) -> None:
    assert old in GCG
    with pytest.raises(kibitz.InvalidInput) as error:
        kibitz.Game.from_gcg(GCG.replace(old, new), lexicon)
    assert part in str(error.value)
    assert code in [fault.code for fault in error.value.faults]


def test_a_game_with_its_own_board_and_tiles(small: kibitz.Lexicon) -> None:
    rows = ["T........T"] + ["....d....."] * 8 + ["T........T"]
    layout = kibitz.BoardLayout.from_rows(rows, [(4, 4)], "tiny")
    game = kibitz.Game(small, ["Ann", "Bob"], layout=layout, seed=3)
    game.play(game.position.plays()[0])
    again = kibitz.Game.from_json(game.to_json(), small)
    assert again == game
    assert again.position.layout == layout
    assert kibitz.Game.from_gcg(game.to_gcg(), small, layout=layout).record == game.record


def changes() -> Iterator[tuple[str, Any]]:
    yield "format", "kibitz game 3"
    yield "format", "kibitz"
    yield "players", "Ann"
    yield "players", ["Ann"]
    yield "players", ["Ann", 3]
    yield "racks", None
    yield "racks", ["A", "QQQQQQQ"]
    yield "seed", "7"
    yield "seed", True
    yield "allow_phonies", "false"
    yield "tile_set", "klingon"
    yield "tile_set", {"id": "x"}
    yield "layout", {"id": "x", "rows": ["..."], "starts": []}
    yield "layout", 3
    yield "rules", {"id": "x", "speed": 3}
    yield "rules", []
    yield "actions", [{"move": "8H QQ", "drawn": ""}]
    yield "actions", [{"move": "-"}]
    yield "actions", [{"challenge": "play"}]
    yield "actions", [{"bonus": 5}]
    yield "actions", [{"time": 5, "player": 0}]
    yield "actions", [3]
    yield "lexicon", None
    yield "lexicon", {"sha256": "0"}


@pytest.mark.parametrize("change", list(changes()), ids=str)
def test_wrong_json_is_rejected(small: kibitz.Lexicon, change: tuple[str, Any]) -> None:
    data = json.loads(kibitz.Game(small).to_json())
    data[change[0]] = change[1]
    with pytest.raises((kibitz.InvalidInput, kibitz.NotFound)):
        kibitz.Game.from_json(json.dumps(data), small)
    del data[change[0]]
    with pytest.raises(kibitz.InvalidInput):
        kibitz.Game.from_json(json.dumps(data), small)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"format": 1}', "[" * 100_000, " " * 2_000_000])
def test_other_text_is_rejected(small: kibitz.Lexicon, text: str) -> None:
    with pytest.raises(kibitz.InvalidInput, match="this is not a saved game"):
        kibitz.Game.from_json(text, small)


def test_a_saved_game_may_name_only_the_rules_that_differ(lexicon: kibitz.Lexicon) -> None:
    saved = json.loads(kibitz.Game(lexicon, rules=kibitz.rule_set("english_wespa")).to_json())
    for rules, expected in (
        ({"id": "english_wespa"}, kibitz.rule_set("english_wespa")),
        ({"challenge_rule": "10pt"}, kibitz.rule_set("english").changed(challenge_rule="10pt")),
        ({"id": "french", "bingo_bonus": 40}, kibitz.rule_set("french").changed(bingo_bonus=40)),
    ):
        assert kibitz.Game.from_json(json.dumps({**saved, "rules": rules}), lexicon).rules == expected
    for wrong in ({"id": 3}, {"bingo_bonus": "many"}, {"colour": 1}, [], None):
        with pytest.raises(kibitz.InvalidInput):
            kibitz.Game.from_json(json.dumps({**saved, "rules": wrong}), lexicon)
    with pytest.raises(kibitz.NotFound):
        kibitz.Game.from_json(json.dumps({**saved, "rules": {"id": "martian"}}), lexicon)
