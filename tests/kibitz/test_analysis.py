"""The functions of the library: results of the engine for a position."""

from __future__ import annotations

import pytest

import kibitz
from engine.analysis import AnalysisOptions, AnalysisRequest, EndgameReport
from engine.analysis import analyze as analyze_request
from engine.search import PreendgameMove
from engine.search.levels import MAX_LEVEL

CABLE = "15/15/15/15/15/15/15/7CABLE3/15/15/15/15/15/15/15"


def late_position(lexicon: kibitz.Lexicon, most_in_bag: int) -> kibitz.Position:
    """Return the first position of a game with at most so many tiles in the bag."""
    game = kibitz.Game(lexicon, seed=7)
    while len(game.bag) > most_in_bag:
        game.play(kibitz.best_move(game.position))
    return game.position


def test_without_a_limit_moves_are_ranked_by_equity(window: kibitz.Position) -> None:
    found = kibitz.analyze(window, top=3)
    assert [judged.text for judged in found.moves] == ["N2 TrIAGES", "N8 SIGmATE", "N8 SAGIEsT"]
    assert found.best is found.moves[0]
    assert repr(found) == f"Analysis(best={found.best!r}, play_count=10029, phase=None)"
    assert repr(found.best) == "Judged('N2 TrIAGES', score=84, equity=84.0, win_pct=65.5)"
    assert str(found).splitlines()[0].split() == ["1", "N2", "TrIAGES", "84", "84.0", "65.5", "%"]
    options = AnalysisOptions(top_n=3, sort="equity", include_exchanges=True)
    assert found == analyze_request(AnalysisRequest(window, options), window.lexicon)


def test_moves_to_compare(window: kibitz.Position) -> None:
    found = kibitz.analyze(window, moves=["8H WINDOWS", window.parse_move("-AG"), "8H WINDOWT"])
    assert [(one.asked, one.legal) for one in found.compare] == [
        ("8H WINDOWS", True),
        ("-AG", True),
        ("8H WINDOWT", False),
    ]


def test_a_search_limited_by_work_is_repeatable(window: kibitz.Position) -> None:
    budget = kibitz.Budget(iterations=300)
    first, second = (kibitz.analyze(window, budget=budget) for _ in range(2))
    assert first == second
    assert (first.phase, first.provenance.deterministic) == ("simulate", True)
    assert first.best.found is not None
    assert kibitz.simulate(window, budget=budget, candidates=3).best.found is not None


def test_time_limits_a_search(window: kibitz.Position) -> None:
    found = kibitz.analyze(window, budget=kibitz.Budget(seconds=0.2))
    assert found.provenance.spent is not None
    assert found.provenance.stopped_by in ("deadline", "complete")


@pytest.mark.parametrize("name", ["seconds", "iterations", "nodes"])
def test_a_limit_is_positive(name: str) -> None:
    with pytest.raises(kibitz.InvalidInput, match=f"a limit of {name} must be greater than 0"):
        kibitz.Budget(**{name: 0})


def test_the_best_move_is_one_of_the_position(window: kibitz.Position) -> None:
    assert repr(kibitz.best_move(window)) == "Play('N2 TrIAGES', 84)"
    searched = kibitz.best_move(window, budget=kibitz.Budget(iterations=200))
    assert window.parse_move(str(searched)) == searched
    stuck = kibitz.Position.opening(window.lexicon, "VVWWCC")
    assert isinstance(kibitz.best_move(stuck), kibitz.Exchange)


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_weaker_player_makes_the_same_mistake_again(window: kibitz.Position, level: int) -> None:
    moves = {kibitz.best_move(window, level=level, seed=3) for _ in range(3)}
    assert len(moves) == 1
    with pytest.raises(kibitz.InvalidInput):
        kibitz.best_move(window, level=MAX_LEVEL + 1)


def test_a_player_does_not_see_the_other_rack(small: kibitz.Lexicon) -> None:
    """A position is the same whatever the opponent holds."""
    game = kibitz.Game(small, seed=3, racks=["ABCDEFG", "ABCDEFG"])
    other = kibitz.Game(small, seed=3, racks=["ABCDEFG", "AABBCCD"])
    assert game.position == other.position


@pytest.mark.long
def test_an_exchange_of_more_tiles_than_the_bag_holds_is_never_listed(small: kibitz.Lexicon) -> None:
    rules = kibitz.rule_set("english").changed(exchange_limit=1)
    game = kibitz.Game(small, seed=1, rules=rules)
    listed = []
    while not game.is_over:
        found = kibitz.analyze(game.position, top=100_000)
        sizes = [move.tiles_used for move in found.moves if move.kind == "exchange"]
        assert found.exchange_count == len(sizes) == len(game.position.exchanges())
        assert max(sizes, default=0) <= len(game.bag)
        listed.append(len(game.bag) if sizes else 0)
        game.play(kibitz.best_move(game.position))
    assert any(0 < bag < 7 for bag in listed)


@pytest.mark.long
def test_an_endgame_is_solved(lexicon: kibitz.Lexicon) -> None:
    position = late_position(lexicon, 0)
    found = kibitz.solve_endgame(position, budget=kibitz.Budget(nodes=3_000))
    assert found.phase == "endgame"
    assert isinstance(found.best.found, EndgameReport)
    assert found.best.found.line[0] == found.best.move
    assert kibitz.analyze(position, budget=kibitz.Budget(nodes=3_000)).phase == "endgame"
    with pytest.raises(kibitz.InvalidInput):
        kibitz.solve_endgame(kibitz.Position.from_cgp(f"{CABLE} AEIRST?/ 0/20 0", lexicon))


def test_a_preendgame_is_solved(lexicon: kibitz.Lexicon) -> None:
    position = late_position(lexicon, 6)
    assert 0 < position.bag_count() <= 6
    found = kibitz.solve_preendgame(position, budget=kibitz.Budget(nodes=2_000))
    assert found.phase == "preendgame"
    assert isinstance(found.best.found, PreendgameMove)
    with pytest.raises(kibitz.InvalidInput):
        kibitz.solve_preendgame(late_position(lexicon, 0))


@pytest.mark.long
def test_hints_and_judgements(window: kibitz.Position) -> None:
    assert (kibitz.hint(window).kind, kibitz.hint(window, 2).region) == ("bingo", "top right")
    revealed = kibitz.hint(window, 1, reveal=True).move
    assert revealed is not None
    assert revealed.text == "N2 TrIAGES"
    assert kibitz.judge(window, "8H WINDOWS").acceptable
    wrong = kibitz.judge(window, "8H WINDOWT", rule="5pt")
    assert (wrong.acceptable, wrong.consequence.turn_lost_by) == (False, "player")


@pytest.mark.long
def test_a_game_annotated(lexicon: kibitz.Lexicon) -> None:
    game = kibitz.Game(lexicon, ["Ann", "Bob"], seed=7)
    for _ in range(4):
        game.play(kibitz.best_move(game.position, level=1))
    done: list[int] = []
    notes = kibitz.annotate(game.record, lexicon, progress=lambda number, _: done.append(number))
    assert len(notes.turns) == 4
    assert [turn.position for turn in notes.turns] == list(game.positions)
    assert max(done) == 4
    assert repr(notes) == "Annotation(('Ann', 'Bob'), turns=4, judged=4)"
    assert str(notes).split("\n")[0] == "  1  Ann          8G OLPE                12   -11.3  8G QI"
    assert notes._repr_html_() == f"<pre>{notes}</pre>"
    again = kibitz.annotate(game.record, lexicon, simulated=True)
    assert again.heading.simulation == "monte_carlo"


@pytest.mark.parametrize(("rules", "bonus"), [("german", 20), ("french", 10), ("norwegian", 10)])
def test_the_rules_say_what_an_unsuccessful_challenge_is_counted_for(
    lexicon: kibitz.Lexicon, rules: str, bonus: int
) -> None:
    rows = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15"
    position = kibitz.Position.from_cgp(f"{rows} SOAEINR/ 0/0 0 rules {rules};", lexicon)
    judgement = kibitz.judge(position, "J8 SO")
    assert (judgement.word_count, judgement.consequence.bonus) == (2, bonus)
    single = {"german": 10, "french": 5, "norwegian": 10}[rules]
    assert kibitz.judge(position, "J8 SO", per="play").consequence.bonus == single
    game = kibitz.Game(lexicon, racks=["CABEINR", "SOAEINR"], rules=kibitz.rule_set(rules), seed=1)
    game.play("8G CAB")
    score = game.play("J8 SO").score
    game.challenge()
    assert game.scores[1] == score + bonus
