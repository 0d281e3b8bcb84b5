"""Certificates of pre-endgames: what the engine writes is accepted, and every change of it refused."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from click.testing import CliRunner

from engine import (
    Budget,
    Catalogue,
    Deadline,
    EndgameSolver,
    GameSetup,
    InvalidInput,
    Lexicon,
    Pass,
    Play,
    PreendgameOptions,
    PreendgameSolver,
    prove_draws,
)
from engine.records import format_cgp
from kibitz.cli import kibitz
from lab.certificate import read_proof
from lab.draw_checker import check_draws
from lab.selfplay.empty_bag import game_positions, played_games
from tests.lab.endgame.test_proof import lexicon, refusal

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from engine import PreendgameMove
    from engine.position import Position

__all__ = ["lexicon"]

Certificate = dict[str, Any]
FEW = PreendgameOptions("pessimistic", candidates=8, evaluator="greedy", spreads=False)


def preendgames(lexicon: Lexicon, games: int) -> list[Position]:
    """Return the positions of some games with one or two tiles in the bag."""
    setup = GameSetup.of(lexicon)
    played = [game_positions(setup, game) for game in played_games(setup, "greedy", games)]
    return [position for game in played for bag, position in game if 1 <= bag <= 2]


def counted(position: Position, lexicon: Lexicon) -> list[PreendgameMove]:
    """Return the moves that score and empty the bag, whose wins are known."""
    moves = PreendgameSolver(lexicon, table_mb=1).solve(position, Budget(nodes=20_000), FEW).moves
    return [
        one
        for one in moves
        if one.certainty == "exact" and one.score and len(one.move.used) >= position.bag_count()
    ]


def certificate(position: Position, move: Play | Pass, lexicon: Lexicon) -> Certificate:
    """Return the certificate of a move, as read from its file."""
    proof = prove_draws(EndgameSolver(lexicon, table_mb=1), position, move, most=2_000)
    assert proof is not None
    return read_proof(proof.to_json())


@pytest.fixture(scope="module")
def proofs(lexicon: Lexicon) -> list[tuple[Certificate, PreendgameMove]]:
    """Certificates of the best and the worst move of some positions, and what the solver says of them."""
    found = []
    for position in preendgames(lexicon, 20):
        moves = counted(position, lexicon)
        for one in {moves[0].move: moves[0], moves[-1].move: moves[-1]}.values() if moves else ():
            with suppress(InvalidInput):  # proof_too_large
                found.append((certificate(position, one.move, lexicon), one))
    return sorted(found, key=lambda pair: len(str(pair[0])))[:5]


@pytest.fixture(scope="module")
def mixed(proofs: list[tuple[Certificate, PreendgameMove]]) -> Certificate:
    """The shortest certificate of a move that wins some draws and loses some."""
    won = (proof for proof, _ in proofs if len({draw["win"] for draw in proof["draws"]} & {0, 1}) == 2)
    return next(won)


@pytest.mark.long
def test_what_the_engine_writes_is_confirmed_and_is_the_win_pct_of_the_solver(
    lexicon: Lexicon, proofs: list[tuple[Certificate, PreendgameMove]]
) -> None:
    for proof, move in proofs:
        positions, answers = check_draws(proof, lexicon)
        assert proof["win_pct"] == pytest.approx(move.win_pct)
        assert sum(draw["weight"] for draw in proof["draws"]) > 0
        assert answers <= 200_000
        assert positions >= 0
    worths = {draw["win"] for proof, _ in proofs for draw in proof["draws"]}
    assert worths >= {0.0, 1.0}
    assert len(proofs) > 3


@pytest.mark.long
def test_a_changed_outcome_or_share_is_refused(lexicon: Lexicon, mixed: Certificate) -> None:
    wins: list[object] = [1.0, 0.5, 0.0, None, "1", [], 2, float("inf")]
    for at, draw in enumerate(mixed["draws"]):
        for win in [win for win in wins if win != draw["win"]]:
            edited = deepcopy(mixed)
            edited["draws"][at]["win"] = win
            assert draws_refusal(edited, lexicon).startswith("proof_fails: ")
        edited = deepcopy(mixed)
        edited["draws"][at]["weight"] += 1
        assert "no draw" in draws_refusal(edited, lexicon)
    assert "do not come to" in draws_refusal(mixed | {"win_pct": mixed["win_pct"] + 1.0}, lexicon)
    edited = deepcopy(mixed)
    (first, *_), draws = edited["draws"], edited["draws"]
    first["win"] = 1.0 - first["win"]
    weights = [draw["weight"] for draw in draws]
    edited["win_pct"] = 100 * sum([draw["weight"] * draw["win"] for draw in draws]) / sum(weights)
    expected = f"draw '{first['bag']}': the answers prove {1 - first['win']}, not {first['win']}"
    assert expected in draws_refusal(edited, lexicon)


def test_a_draw_too_few_or_too_many_is_refused(lexicon: Lexicon, mixed: Certificate) -> None:
    first, *rest = mixed["draws"]
    assert f"no draw '{first['bag']}'" in draws_refusal(mixed | {"draws": rest}, lexicon)
    others: list[object] = [first, {**first, "bag": "QQ"}, None, 7, {"bag": []}]
    for more in others:
        edited = mixed | {"draws": [*mixed["draws"], more]}
        assert "a draw that cannot be" in draws_refusal(edited, lexicon)


@pytest.mark.long
def test_a_strategy_that_does_not_win_is_refused(lexicon: Lexicon, mixed: Certificate) -> None:
    """Without one nothing is proven, with other points it fails, and a form that cannot be read is named."""
    unread: list[object] = [None, 7, [], "x", {}, {"positions": 5}, {"first": 5, "positions": {"a": None}}]
    for at, draw in list(enumerate(mixed["draws"]))[:1]:
        (name,) = [name for name in ("at_least", "at_most") if draw[name]]
        for strategy in unread:
            edited = deepcopy(mixed)
            edited["draws"][at][name] = strategy
            assert draws_refusal(edited, lexicon).startswith(f"proof_fails: draw '{draw['bag']}': ")
        for key in list(draw[name]["positions"])[:3]:
            edited = deepcopy(mixed)
            edited["draws"][at][name]["positions"][key][0] += 1
            assert "are sure to gain" in draws_refusal(edited, lexicon)


@pytest.mark.long
def test_another_move_or_position_is_refused(lexicon: Lexicon, mixed: Certificate) -> None:
    for move in ("-", "-A", "1A QQQ", "", "nonsense", "\x1b[2J" * 200):
        text = draws_refusal(mixed | {"move": move}, lexicon)
        assert text.isprintable()
        assert len(text) < 700
    assert draws_refusal(mixed | {"lexicon": "scowl80"}, lexicon).startswith("other_lexicon: ")
    assert draws_refusal(mixed | {"cgp": "nonsense"}, lexicon).startswith("bad_cgp: ")
    assert draws_refusal(mixed | {"sha256": 7}, lexicon).startswith("proof_edited: ")
    assert draws_refusal(mixed | {"author": "nobody"}, lexicon).startswith("proof_edited: ")


def test_an_endgame_is_no_certificate_of_a_preendgame(lexicon: Lexicon, mixed: Certificate) -> None:
    board = mixed["cgp"].split(" ")[0]
    one = mixed | {"cgp": f"{board} A/ 1/2 0 lex few; ld few;"}
    assert draws_refusal(one, lexicon)
    with pytest.raises(InvalidInput, match="this is no certificate"):
        read_proof(orjson.dumps(mixed | {"draws": {}}))


def draws_refusal(proof: Certificate, lexicon: Lexicon) -> str:
    """Return the code and the message with which a certificate of draws is refused."""
    return refusal(proof, lexicon, check_draws)


def test_only_a_move_that_scores_and_empties_the_bag_has_a_certificate(lexicon: Lexicon) -> None:
    solver = EndgameSolver(lexicon, table_mb=1)
    position = next(one for one in preendgames(lexicon, 5) if counted(one, lexicon))
    move = counted(position, lexicon)[0].move
    with pytest.raises(InvalidInput, match="empties the bag") as caught:
        prove_draws(solver, position, Pass())
    assert caught.value.code == "no_endgame_after"
    with pytest.raises(InvalidInput) as caught:
        prove_draws(solver, position, move, most=0)
    assert caught.value.code == "proof_too_large"
    stopped = Deadline()
    stopped.cut()
    assert prove_draws(solver, position, move, deadline=stopped) is None


@pytest.mark.long
def test_the_commands_write_and_check_a_certificate(lexicon: Lexicon, tmp_path: Path) -> None:
    words = tmp_path / "few.txt"
    words.write_text("\n".join(map(lexicon.tile_set.alphabet.word, lexicon.words())))
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(words, lexicon.tile_set, lexicon_id="few")
    few = catalogue.open("few")
    file = tmp_path / "draws.json"

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(tmp_path)})

    position = next(one for one in preendgames(few, 5) if counted(one, few))
    options = "--nodes", "20000", "--candidates", "8", "--proof", str(file), "--json"
    written = run("preendgame", format_cgp(position), *options)
    assert written.exit_code == 0, written.output
    assert str(file) in written.stderr
    best = json.loads(written.stdout)["moves"][0]
    done = run("experiment", "check-proof", str(file))
    assert done.exit_code == 0, done.output
    assert f"confirmed: {best['move']} wins {best['win_pct']:.2f} %" in done.stdout
    report = json.loads(run("experiment", "check-proof", str(file), "--json").stdout)
    assert list(report) == ["cgp", "move", "win_pct", "positions", "answers", "seconds"]
    assert report["move"] == best["move"]
