"""What is played on the page follows the rules: the engine, given the same game, counts the same points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import kibitz
from engine import Catalogue, board_layout, tile_set
from kibitz.cli import kibitz as command
from tests.page.board_page import opened, square
from tests.page.game_records import game
from tests.page.test_play_page import LOG, OWN_TURN, lay, load, scores, stored

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.service.serving import Server


def saved(page: Page, button: str) -> str:
    """Return the text of a file that the page saves."""
    with page.expect_download() as download:
        page.click(button)
    return download.value.path().read_text()


def checked(page: Page, words: kibitz.Lexicon) -> kibitz.Game:
    """Return the game that the page shows, which the engine has replayed with the same result."""
    engine = kibitz.Game.from_json(saved(page, "#savegame"), words)
    shown = stored(page)
    stand = shown["steps"][-1]["after"] if shown["steps"] else shown["start"]
    assert (stand["scores"], sorted(stand["bag"])) == (list(engine.scores), sorted(str(engine.bag)))
    assert [sorted(rack) for rack in stand["racks"]] == [sorted(str(rack)) for rack in engine.racks]
    assert stand["timeLeft"] == (None if engine.time.per_game is None else list(engine.time_left))
    record = kibitz.parse_gcg(saved(page, "#saverecord"))
    assert record.events == engine.events
    assert record.last_racks == engine.record.last_racks
    over, result = stand["over"], engine.result
    assert (over is None) == (result is None)
    if over is None or result is None:
        assert (stand["onTurn"], scores(page)) == (engine.on_turn, list(engine.scores))
        return engine
    assert over["reason"] == result.reason
    assert scores(page) == over["final"] == list(result.scores)
    assert over["penalties"] == list(result.penalties)
    assert over["adjustments"] == list(result.adjustments)
    assert over["ranks"] == list(result.ranks)
    return engine


@pytest.mark.parametrize(
    "rule",
    ["double", "5pt", "triple", *[pytest.param(one, marks=pytest.mark.slow) for one in ("single", "10pt")]],
)
def test_challenges_cost_what_the_rule_says(
    browser: Browser, server: Server, words: kibitz.Lexicon, rule: str
) -> None:
    with opened(browser, server, None) as page:
        start = game(words, "CABBAGE", "DEEHRST", challenge=rule)
        start.play("8G BBC")
        load(page, start)
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:has-text('back after a challenge')")
        after = checked(page, words)
        assert after.scores == (0, 0)
        if rule == "triple":
            assert after.result is not None
            assert after.result.winners == (1,)
            page.click("#leavegame")
            start = game(words, "CABBAGE", "DEEHRST", challenge=rule)
            start.play("8H CAB")
            load(page, start)
            page.click("#showtiles")
            page.click("#challengeplay")
            page.wait_for_selector("#reviewgame")
            after = checked(page, words)
            assert after.result is not None
            assert after.result.winners == (0,), "the challenger loses the game"
            return
        page.click("#showtiles")
        lay(page, "8H", "he")
        page.click("#playmove")
        page.click("#showtiles")
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:has-text('the play stands')")
        after = checked(page, words)
        assert after.scores == (0, 10 + {"5pt": 5, "10pt": 10}.get(rule, 0))
        assert after.on_turn == (1 if rule == "double" else 0)


def test_a_challenge_takes_the_time_of_the_challenger(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        start = game(words, "CABBAGE", "DEEHRST", challenge="double", time=kibitz.TimeControl(600))
        start.play("8H CAB")
        load(page, start)
        page.click("#showtiles")
        page.wait_for_timeout(1_100)
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:has-text('loses the turn')")
        left = checked(page, words).time_left[1]
        assert left is not None
        assert left < 599
        page.click("#leavegame")
        start = game(words, "CABBAGE", "DEEHRST", challenge="5pt", time=kibitz.TimeControl(600))
        start.play("8H CAB")
        load(page, start)
        page.click("#showtiles")
        page.wait_for_timeout(1_100)
        page.click("#challengeplay")
        page.wait_for_selector(f"{LOG}:has-text('the play stands')")
        page.click("#exchange")
        page.click("#doexchange")
        page.wait_for_selector("#showtiles:has-text('Ann')")
        left = checked(page, words).time_left[1]
        assert left is not None
        assert left < 599, "the time before the challenge counts too"


def test_overtime_costs_points_at_the_end(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        start = game(words, "CABBAGE", "DEEHRST", challenge="single", time=kibitz.TimeControl(60))
        start.spend(130.5)
        start.play("8H CAB")
        for _ in range(5):
            start.spend(1)
            start.play("-")
        load(page, start)
        assert "−1:13" in page.inner_text(".seatcard .clock >> nth=0")
        page.click("#showtiles")
        page.click("#exchange")
        page.click("#doexchange")
        page.wait_for_selector("#reviewgame")
        result = checked(page, words).result
        assert result is not None
        assert result.penalties == (20, 0)
        assert "−20 for time" in page.inner_text(".ranks")


def test_overtime_counts_if_a_challenge_ends_the_game(
    browser: Browser, server: Server, words: kibitz.Lexicon
) -> None:
    with opened(browser, server, None) as page:
        for rule in ("triple", "single"):
            start = game(words, "CABBAGE", "DEEHRST", challenge=rule, time=kibitz.TimeControl(60))
            for _ in range(5):
                start.spend(30)
                start.play("-")
            start.spend(5)
            start.play("8H HRT")
            load(page, start)
            page.click("#challengeplay")
            page.wait_for_selector("#reviewgame")
            result = checked(page, words).result
            assert result is not None
            assert result.penalties == (10, 10)
            page.click("#leavegame")


def test_the_time_for_the_game_can_lose_it(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        limits = kibitz.TimeControl(20, overtime="loss")
        start = game(words, "CABBAGE", "DEEHRST", "AEINNOT", seats=("Ann", 3, "Cy"), time=limits)
        start.spend(19)
        load(page, start)
        page.click("#showtiles")
        page.wait_for_selector("#reviewgame")
        assert "lost on time" in page.inner_text("#turn")
        result = checked(page, words).result
        assert result is not None
        assert result.ranks == (3, 1, 1)
        assert page.locator(".ranks li").last.inner_text().startswith("Ann")


def test_four_seats_of_people_and_levels(browser: Browser, server: Server, words: kibitz.Lexicon) -> None:
    with opened(browser, server, None) as page:
        start = game(words, seats=("Ann", 2, "Cy", 9), challenge="5pt", time=kibitz.TimeControl(60))
        load(page, start)
        for name in ("Ann", "Cy", "Ann"):
            page.click(f"#showtiles:has-text('{name}')")
            page.click("#exchange")
            page.click(".exchange .tile >> nth=0")
            page.click("#doexchange")
        page.wait_for_selector("#showtiles:has-text('Cy')")
        after = checked(page, words)
        assert len(after.moves) == 6
        assert page.locator(".seatcard").count() == 4
        page.click("#leavegame")
        load(page, after)
        page.wait_for_selector("#showtiles:has-text('Cy')")
        assert checked(page, words) == after


def test_the_command_line_continues_a_game_of_the_page(
    browser: Browser, server: Server, words: kibitz.Lexicon, page_data: Path, tmp_path: Path
) -> None:
    with opened(browser, server, None) as page:
        load(page, game(words, "CABBAGE", "DEEHRST", seats=("Ann", 3)))
        page.wait_for_selector(OWN_TURN)
        lay(page, "8D", "cabbage")
        page.click("#playmove")
        page.wait_for_selector(f"{LOG}:nth-child(2)")
        page.wait_for_selector(OWN_TURN)
        file = tmp_path / "game.json"
        file.write_text(saved(page, "#savegame"))
        environment = {"KIBITZ_DATA": str(page_data)}
        typed = "moves\n-\nsave\nquit\n"
        done = CliRunner().invoke(command, ["play", "--load", str(file)], input=typed, env=environment)
        assert done.exit_code == 0, done.output
        assert "8D CABBAGE" in done.output
        continued = file.read_text()
        load(page, continued)
        page.wait_for_selector(f"{LOG}:nth-child(4)")
        assert checked(page, words) == kibitz.Game.from_json(continued, words)


@pytest.fixture(scope="module")
def for_large_boards(page_data: Path) -> kibitz.Lexicon:
    """The same words as `words`, for boards of up to 26 squares a side."""
    listed = page_data / "small.txt"
    Catalogue(page_data).build_from(listed, tile_set("english"), lexicon_id="large", name="Large", wide=True)
    return kibitz.Lexicon.open("large", data=page_data)


@pytest.mark.parametrize("board", ["standard15", "super21", "wwf15"])
def test_levels_play_out_a_game_of_four(
    browser: Browser, server: Server, for_large_boards: kibitz.Lexicon, board: str
) -> None:
    words = for_large_boards
    tiles = {"super21": "english_super", "wwf15": "english_wwf"}.get(board, "english")
    with opened(browser, server, None) as page:
        load(page, game(words, seats=(1, 4, 7, 9), layout=board_layout(board), tile_set=tile_set(tiles)))
        page.wait_for_selector("#reviewgame", timeout=120_000)  # some seventy turns, on a busy machine
        assert checked(page, words).result is not None
        page.click("#reviewgame")
        page.wait_for_selector("#turns [role=option]", timeout=120_000)
        assert page.locator(".faults").count() == 0, page.inner_text(".faults")


def test_the_large_board_is_played_with_its_own_tiles(browser: Browser, server: Server) -> None:
    with opened(browser, server, None) as page:
        page.click("#tab-play")
        page.select_option("#gameboard", "super21")
        page.select_option("#seat-1", "person")
        page.select_option("#seat-2", "person")
        page.click("#begin")
        page.wait_for_selector("#board .sq >> nth=440", state="attached")
        assert "179 tiles in the bag" in page.inner_text("#turn")
        page.click("#showtiles")
        square(page, "21U").click()
        page.wait_for_selector(OWN_TURN)
