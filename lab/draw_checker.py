"""Check a certificate of a pre-endgame: that a move wins these draws, ties those, and loses the others.

`check_draws(proof, lexicon)` lists the draws by itself. In each of them it checks the strategies of the file
by `proof_checker.py`: of the side that has moved if it wins, of the other side if it loses, of both in a tie.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NoReturn

from engine.errors import InvalidInput, excerpt, quoted
from engine.movegen.reference import RuleChecker, WordSet
from engine.position import Play, Player, Rack, parse_move
from engine.records import parse_cgp
from lab.certificate import check_lexicon, check_sum
from lab.proof_checker import StrategyChecker

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Position


def check_draws(proof: dict[str, Any], lexicon: Lexicon) -> tuple[int, int]:
    """Return how many positions a certificate covers and how many moves it answers, if it proves its win%.

    Raises InvalidInput: "other_lexicon", "proof_fails" with draw, position and move, "proof_edited", a bad
    CGP or move.
    """
    position = parse_cgp(proof["cgp"], tile_set=lexicon.tile_set)
    position.check()
    check_lexicon(proof, position, lexicon)
    if len(position.players) != 2 or not position.players[0].held:
        _fail("its position is no pre-endgame of two players with a known rack")
    every = WordSet(lexicon.words(), lexicon.tile_set.alphabet.size)
    words = every.possible(position.board, Rack(position.rack.tiles + position.unseen_tiles.tiles))
    move, points = _play(position, words, proof["move"])
    draws = _draws(position, proof["draws"])
    wins = sum([weight * draw["win"] for weight, draw in draws.values()])
    if proof["win_pct"] != 100 * wins / sum([weight for weight, _ in draws.values()]):
        _fail(f"its draws do not come to {proof['win_pct']} %")
    positions = answers = 0
    for bag, (_, draw) in draws.items():
        checkers, outcome = _outcome(_after(position, move, points, bag), words, draw)
        if outcome != draw["win"]:
            _fail(f"draw {quoted(draw['bag'])}: the answers prove {outcome}, not {draw['win']}")
        positions += sum([len(one.known) for one in checkers])
        answers += sum([one.answers for one in checkers])
    check_sum(proof)
    return positions, answers


def _play(position: Position, words: WordSet, text: str) -> tuple[Play, int]:
    """Return the move of a certificate and its points; it must be legal, score, and empty the bag."""
    place = position
    checker = RuleChecker(place.board, place.layout, place.tile_set, words, place.rules)
    move = parse_move(text, place.board, place.tile_set, rack=place.rack)
    points = dict(checker.plays(place.rack)).get(move) if isinstance(move, Play) else None
    if not isinstance(move, Play) or not points or not 0 < place.bag_count() <= len(move.used):
        _fail(f"the move {quoted(text)} is not legal, scores nothing, or does not empty the bag")
    return move, points


def _draws(position: Position, stated: list[Any]) -> dict[bytes, tuple[int, dict[str, Any]]]:
    """Return all draws, by the tiles of the bag: in how many ways they are drawn, and what the file says."""
    free = list(position.unseen_tiles.tiles)
    for code in position.players[1].held.tiles:
        free.remove(code)
    found, alphabet = {}, position.tile_set.alphabet
    read = {str(draw.get("bag")): draw for draw in stated if isinstance(draw, dict)}
    for bag, weight in Counter(map(bytes, combinations(free, position.bag_count()))).items():
        draw = read.get(text := Rack(bag).text(alphabet))
        if draw is None or draw.get("weight") != weight or draw.get("win") not in (0, 0.5, 1):
            _fail(f"the file has no draw {quoted(text)} of weight {weight} with its outcome")
        found[bag] = weight, draw
    if len(found) != len(stated):
        _fail("the file has a draw that cannot be, or one of them twice")
    return found


def _after(position: Position, move: Play, points: int, bag: bytes) -> Position:
    """Return the endgame after a move that draws a bag; the other side is on turn."""
    own, other = position.players
    left = Rack(position.rack.without(move.used).tiles + bag)
    players = Player(other.score, position.unseen_tiles.without(bag)), Player(own.score + points, left)
    board = position.board.with_tiles(move.placements())
    return replace(position, board=board, players=players, zero_turns=0)


def _outcome(endgame: Position, words: WordSet, draw: dict[str, Any]) -> tuple[list[StrategyChecker], float]:
    """Return the checkers of the strategies of a draw, and the outcome that they prove."""
    text = draw["bag"]
    checkers, low, high = list[StrategyChecker](), 0.0, 1.0
    for name in ("at_least", "at_most"):
        if draw.get(name) is None:
            continue
        checkers.append(checker := StrategyChecker(endgame, words, name, _strategy(draw[name], text)))
        try:
            outcome = _win(-endgame.spread - checker.bound())
        except InvalidInput as error:
            _fail(f"draw {quoted(text)}: {error}")
        low, high = (low, outcome) if name == "at_least" else (outcome, high)
    if low != high:
        _fail(f"draw {quoted(text)}: the answers prove only {low} to {high}")
    return checkers, low


def _strategy(found: object, text: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        _fail(f"draw {quoted(text)}: a strategy cannot be read")
    return found


def _win(spread: int) -> float:
    return (spread > 0) + 0.5 * (spread == 0)


def _fail(fault: str) -> NoReturn:
    raise InvalidInput(excerpt(fault, 600), code="proof_fails")
