"""Certificates of endgames: the checker accepts what the engine writes, and refuses every change of it."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from engine import Deadline, EndgameSolver, GameSetup, InvalidInput, Lexicon, TileSet, prove_endgame
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.movegen.reference import RuleChecker, WordSet
from engine.position import Rack
from engine.records import format_cgp, parse_cgp
from lab import proof_checker
from lab.certificate import read_proof
from lab.proof_checker import check_proof
from lab.selfplay.empty_bag import game_positions, played_games
from tests.command_line.conftest import run
from tests.movegen.worlds import open_lexicon, random_layout, random_words
from tests.search.brute_force import endgame_rules, has_value
from tests.search.test_endgame import PUBLISHED, UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon.catalogue import Catalogue
    from engine.position import Position
    from tests.command_line.conftest import Run

__all__ = ["run"]

Certificate = dict[str, Any]
EXAMPLE = "15/15/15/15/15/15/15/5CAT7/15/15/15/15/15/15/15 S/Q 10/20 0"


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    """A lexicon of few words and 21 tiles, so that its games soon come to an endgame."""
    counts = {"?": 1, "A": 5, "E": 4, "R": 3, "S": 4, "T": 3, "Q": 1}
    values = {"A": 1, "E": 1, "R": 2, "S": 3, "T": 0, "Q": 10}
    letters = [{"letter": x, "count": n, "value": values.get(x, 0)} for x, n in counts.items()]
    tiles = TileSet.from_letters(letters, id="few")
    words = random_words(Random(5), tuple(range(1, 7)), 40, 7)
    return open_lexicon(tmp_path_factory.mktemp("few"), "few", tiles, list(words))


def endgames(lexicon: Lexicon, games: int, most: int = 7) -> list[Position]:
    """Return the positions of some games with an empty bag and at most `most` tiles on the racks."""
    setup = GameSetup.of(lexicon)
    late = [
        [position for bag, position in game_positions(setup, game) if not bag]
        for game in played_games(setup, "greedy", games)
    ]
    every = [position for game in late for position in game]
    return [one for one in every if sum(len(player.held) for player in one.players) <= most]


def certificate(position: Position, lexicon: Lexicon) -> Certificate:
    """Solve an endgame and return its certificate, as read from its file."""
    solver = EndgameSolver(lexicon, table_mb=1)
    proof = prove_endgame(solver, position, solver.solve(position, UNLIMITED))
    assert proof is not None
    return read_proof(proof.to_json())


def refusal(
    proof: Certificate,
    lexicon: Lexicon,
    check: Callable[[Certificate, Lexicon], tuple[int, int]] = check_proof,
) -> str:
    """Return the code and the message with which a certificate is refused."""
    with pytest.raises(InvalidInput) as caught:
        check(read_proof(orjson.dumps(proof)), lexicon)
    assert "\n" not in str(caught.value)
    return f"{caught.value.code}: {caught.value}"


@pytest.fixture(scope="module")
def large(lexicon: Lexicon) -> Certificate:
    """The certificate of these games, of those with few positions, with the most answers of their own."""
    proofs = [certificate(position, lexicon) for position in endgames(lexicon, 12)]
    small = [proof for proof in proofs if len(entries(proof)) <= 14]
    found = max(small, key=exceptions)
    assert exceptions(found) > 3
    return found


def exceptions(proof: Certificate) -> int:
    """Return to how many moves a certificate has an answer that is not the usual one."""
    return sum(len(proof[name]["positions"][key][2]) for name, key in entries(proof))


def test_the_checker_has_at_most_200_lines() -> None:
    assert len(Path(proof_checker.__file__).read_text().splitlines()) <= 200


@pytest.mark.long
def test_what_the_engine_writes_is_confirmed_and_is_the_value_of_brute_force(lexicon: Lexicon) -> None:
    """Under many rules: passes that end the game, odd limits, zero turns that do not count at first."""
    random, search, confirmed = Random(3), InternalWords(lexicon), 0
    for position in endgames(lexicon, 12, most=4):
        rules = endgame_rules(random)
        position = replace(position, rules=rules, zero_turns=random.choice((0, 0, 1)))
        if random.random() < 0.3 and rules.passes_each:
            players = tuple(replace(player, score=0) for player in position.players)
            position = replace(position, players=players)
        if position.zero_turns >= min(rules.zero_turn_limit, 2 * rules.passes_each or 99):
            position = replace(position, zero_turns=0)
        proof = certificate(position, lexicon)
        positions, answers = check_proof(proof, lexicon)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        assert has_value(position, board, search, 20_000, proof["value"])
        assert positions <= answers
        confirmed += 1
    assert confirmed >= 10


def test_an_edited_value_is_refused(lexicon: Lexicon, large: Certificate) -> None:
    for by in (-1, 1):
        edited = large | {"value": large["value"] + by}
        text = refusal(edited, lexicon)
        assert (
            text
            == f"proof_fails: at_least: the answers prove a bound of {large['value']}, not {edited['value']}"
        )


def entries(proof: Certificate) -> list[tuple[str, str]]:
    return [(name, key) for name in ("at_least", "at_most") for key in proof[name]["positions"]]


def test_edited_points_are_refused_where_they_stand(lexicon: Lexicon, large: Certificate) -> None:
    for name, key in entries(large):
        edited = deepcopy(large)
        entry = edited[name]["positions"][key]
        entry[0] += 1
        text = refusal(edited, lexicon)
        assert text.startswith(f"proof_fails: {name}")
        assert f"the answers are sure to gain {entry[0] - 1}, not {entry[0]}" in text


def test_a_removed_position_or_answer_is_refused(lexicon: Lexicon, large: Certificate) -> None:
    """Without its own answer to a move a strategy plays the usual one, which rarely does as well."""
    removed = broken = 0
    for name, key in entries(large):
        edited = deepcopy(large)
        del edited[name]["positions"][key]
        assert f"{name}" in refusal(edited, lexicon)
        for reply in large[name]["positions"][key][2]:
            edited = deepcopy(large)
            del edited[name]["positions"][key][2][reply]
            broken += refusal(edited, lexicon).startswith(f"proof_fails: {name}")
            removed += 1
    assert broken > 0.7 * removed > 2


@pytest.mark.long
def test_a_changed_move_is_refused(lexicon: Lexicon, large: Certificate) -> None:
    """Each answer becomes a pass, or a play that nobody can make.

    Nearly all break the proof; a pass may be as good as the answer.
    """
    broken = edits = 0
    for name, key in entries(large):
        usual, others = large[name]["positions"][key][1:]
        for reply in [*([] if usual is None else [None]), *others]:
            for move in ("-", "1A QQQ", "-A", "A1 TEA", ""):
                edited = deepcopy(large)
                entry = edited[name]["positions"][key]
                if move == (usual if reply is None else others[reply]):
                    continue
                if reply is None:
                    entry[1] = move
                else:
                    entry[2][reply] = move
                text = refusal(edited, lexicon)
                edits += 1
                broken += text.startswith(f"proof_fails: {name}")
                assert move == "-" or text.startswith(f"proof_fails: {name}")
    assert broken > 0.9 * edits > 20
    assert "1A QQQ" in refusal(large | {"at_least": large["at_least"] | {"first": "1A QQQ"}}, lexicon)


def test_whatever_else_is_edited_is_refused(lexicon: Lexicon, large: Certificate) -> None:
    """What proves the value all the same: positions that no move leads to, another answer as good."""
    edited = deepcopy(large)
    edited["at_most"]["positions"]["0123456789abcdef"] = [0, "-", {}]
    assert refusal(edited, lexicon).startswith("proof_edited: ")
    edited = deepcopy(large)
    next(iter(edited["at_least"]["positions"].values()))[2]["15A NO"] = "-"
    assert refusal(edited, lexicon).startswith("proof_edited: ")
    assert refusal(large | {"sha256": 7}, lexicon).startswith("proof_edited: ")
    assert refusal(large | {"author": "nobody"}, lexicon).startswith("proof_edited: ")
    reordered = orjson.dumps(large, option=orjson.OPT_INDENT_2)
    assert check_proof(read_proof(reordered), lexicon) == check_proof(large, lexicon)


def test_another_lexicon_and_another_position_are_refused(
    lexicon: Lexicon, large: Certificate, tmp_path: Path
) -> None:
    words = [*lexicon.words()][:-1]
    other = open_lexicon(tmp_path, "few", lexicon.tile_set, words)
    assert refusal(large, other).startswith("other_lexicon: ")
    assert refusal(large | {"lexicon": "scowl80"}, lexicon).startswith("other_lexicon: ")
    assert refusal(large | {"cgp": large["cgp"].replace("lex few", "lex twl06")}, lexicon)[:5] == "other"
    assert refusal(large | {"cgp": large["cgp"].replace("ld few", "ld french")}, lexicon)
    assert refusal(large | {"cgp": large["cgp"].replace(" 0 lex", " 3 lex")}, lexicon)
    assert refusal(large | {"cgp": large["cgp"].replace(" 0 lex", " 6 lex")}, lexicon)
    assert refusal(large | {"cgp": "nonsense"}, lexicon).startswith("bad_cgp: ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": "kibitz-endgame-proof 1"}',
        b'{"format": "kibitz-endgame-proof 2"}',
        b'{"format": NaN}',
        b'{"format": "\\ud800"}',
    ],
)
def test_a_file_that_is_no_certificate_gives_one_line(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="this is no certificate") as caught:
        read_proof(data)
    assert caught.value.code == "bad_proof"
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [None, "5", True, 1e300, 5.0, [], {}])
def test_a_value_that_is_no_whole_number_is_refused(large: Certificate, value: object) -> None:
    with pytest.raises(InvalidInput, match="this is no certificate"):
        read_proof(orjson.dumps(large | {"value": value}))
    huge = orjson.dumps(large | {"value": "HUGE"}).replace(b'"HUGE"', b"9" * 5000)
    with pytest.raises(InvalidInput, match="this is no certificate"):
        read_proof(huge)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        7,
        [],
        [1],
        [1, "-"],
        [1, "-", []],
        ["1", "-", {}],
        [1, 7, {}],
        [1e300, "-", {}],
        [2**63, "-", {}],
    ],
)
def test_an_entry_of_another_form_is_refused(lexicon: Lexicon, large: Certificate, entry: object) -> None:
    edited = deepcopy(large)
    name, key = entries(edited)[0]
    edited[name]["positions"][key] = entry
    assert refusal(edited, lexicon).startswith("proof_fails: at_least")
    edited[name]["positions"][key] = [1, "\x1b[2J" * 1000, {"-": None}]
    text = refusal(edited, lexicon)
    assert text.isprintable()
    assert len(text) < 700


def test_both_sides_that_only_pass_come_to_an_end(lexicon: Lexicon) -> None:
    """A certificate cannot go round in circles: a position counts the turns without points before it."""
    position = endgames(lexicon, 12, most=2)[0]
    patient = replace(position, rules=position.rules.changed(zero_turn_limit=40))
    positions, _ = check_proof(certificate(patient, lexicon), lexicon)
    assert positions > 20


def test_the_plays_of_the_checker_are_those_of_the_reference(lexicon: Lexicon, large: Certificate) -> None:
    """They are listed by row and column, for all tiles of a side; a part of them is left out later."""
    position = parse_cgp(large["cgp"], tile_set=lexicon.tile_set)
    words = WordSet(lexicon.words(), lexicon.tile_set.alphabet.size)
    checker = proof_checker.StrategyChecker(position, words, "at_least", large["at_least"])
    checker.bound()
    assert checker.known
    for state in checker.known:
        rules = checker.checker(state)
        board = RuleChecker(rules.board, rules.layout, rules.tile_set, words, rules.rules)
        *plays, _ = checker.moves(state)
        assert sorted(map(repr, plays)) == sorted(map(repr, board.plays(Rack(state.racks[0]))))


def test_a_certificate_that_would_be_too_large_is_not_written(lexicon: Lexicon, large: Certificate) -> None:
    position = parse_cgp(large["cgp"], tile_set=lexicon.tile_set)
    solver = EndgameSolver(lexicon, table_mb=1)
    solved = solver.solve(position, UNLIMITED)
    with pytest.raises(InvalidInput, match="more than 3 moves") as caught:
        prove_endgame(solver, position, solved, most=3)
    assert caught.value.code == "proof_too_large"
    with pytest.raises(InvalidInput) as caught:
        prove_endgame(solver, position, replace(solved, certainty="bounds"))
    assert caught.value.code == "not_proven"
    own = replace(position, layout=random_layout(Random(1), 15, symmetric=True, starts=1))
    with pytest.raises(InvalidInput) as caught:
        prove_endgame(solver, own, solved)
    assert caught.value.code == "own_board"
    stopped = Deadline()
    stopped.cut()
    assert prove_endgame(solver, position, solved, deadline=stopped) is None


@pytest.mark.long
def test_the_commands_write_and_check_a_certificate(run: Run, bundled: Catalogue, tmp_path: Path) -> None:
    lexicon, file = bundled.open("scowl80"), tmp_path / "game.json"
    position = endgames(lexicon, 4)[0]
    written = run("endgame", format_cgp(position), "--proof", str(file), "--json")
    assert written.exit_code == 0, written.output
    assert str(file) in written.stderr
    value = json.loads(written.stdout)["value"]
    done = run("experiment", "check-proof", str(file))
    assert done.exit_code == 0, done.output
    assert f"confirmed: the value is {value:+d}" in done.stdout
    report = json.loads(run("experiment", "check-proof", str(file), "--json").stdout)
    assert list(report) == ["cgp", "value", "positions", "answers", "seconds"]
    assert report["value"] == value
    file.write_bytes(orjson.dumps(json.loads(file.read_bytes()) | {"value": value + 1}))
    refused = run("experiment", "check-proof", str(file))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "game.json: at_least: the answers prove a bound" in refused.stderr
    file.write_bytes(b"[")
    problem = json.loads(run("experiment", "check-proof", str(file), "--json").stderr)
    assert problem["code"] == "bad_proof"


@pytest.mark.long
def test_a_published_endgame_is_confirmed(bundled: Catalogue) -> None:
    """Its value differs from the published one, which is of other words."""
    lexicon = bundled.open("scowl80")
    lines = map(json.loads, PUBLISHED.read_text().splitlines())
    position = parse_cgp(next(line["cgp"] for line in lines if line["name"] == "VsCanik"))
    positions, answers = check_proof(certificate(position, lexicon), lexicon)
    assert answers > positions > 500


def test_a_certificate_takes_one_position(run: Run, tmp_path: Path) -> None:
    done = run("endgame", "-", "--proof", str(tmp_path / "game.json"), input=f"{EXAMPLE}\n")
    assert done.exit_code == 2
    assert "--proof takes one position" in done.output
