"""The page at /join: players at seats of a hosted game, in browsers and at a terminal."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

import kibitz
from service.game_host import Host
from service.hosted_game import HostedGame
from tests.page.accessibility import violations
from tests.page.board_page import DESKTOP, PHONE, square, squares, watched
from tests.service.serving import KIBITZ, ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NARROW = {**PHONE, "viewport": {"width": 360, "height": 740}}
LOSS = 1
LETTERS = "?AAAEEEEIIIOOURRSSTTNNDDLGHMPBC"


@contextmanager
def hosting(game: kibitz.Game) -> Iterator[tuple[HostedGame, Host]]:
    hosted = HostedGame(game, range(len(game.names)))
    host = Host(hosted, ("127.0.0.1", 0))
    host.start()
    hosted.start()
    try:
        yield hosted, host
    finally:
        hosted.close()
        host.stop()


def link(hosted: HostedGame, host: Host, seat: int) -> str:
    return f"http://127.0.0.1:{host.port}/join#{hosted.secrets[seat]}"


@contextmanager
def joined(link: str, data: Path) -> Iterator[subprocess.Popen[str]]:
    """Take a seat at a terminal."""
    command = [sys.executable, "-c", KIBITZ, "play", "--join", link, "--name", "Cy"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment(data), **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def sit_down(page: Page, name: str) -> None:
    page.fill("#name", name)
    page.click("#sit button")
    expect(page.locator("#sit")).to_be_hidden()


def play(page: Page, move: kibitz.Move) -> None:
    """Make a move on the page: type a play on the board, or pass."""
    if not isinstance(move, kibitz.Play):
        page.click("#exchange")
        page.click("#doexchange")
        return
    for _ in range(1 if move.across else 2):  # the second click turns the direction
        square(page, move.placed[0].square).click()
    for placed in move.placed:
        page.keyboard.type(f"?{placed.letter}" if placed.blank else placed.letter.lower())
    page.click("#playmove")


def few_tiles() -> kibitz.TileSet:
    """A tile set of English with few tiles, so that a game of three is short."""
    english = kibitz.tile_set("english")
    items = zip(("?", *english.letters), english.values, strict=True)
    return kibitz.TileSet.from_letters(
        [{"letter": letter, "count": LETTERS.count(letter), "value": value} for letter, value in items]
    )


def test_two_browsers_and_a_terminal_play_a_whole_game(
    browser: Browser, words: kibitz.Lexicon, page_data: Path
) -> None:
    names = [f"Guest {seat}" for seat in (1, 2, 3)]
    game = kibitz.Game(words, names, seed=2, tile_set=few_tiles(), time=kibitz.TimeControl(1500))
    with (
        hosting(game) as (hosted, host),
        watched(browser, host, device=DESKTOP, faults=True) as ann,  # type: ignore[arg-type]
        watched(browser, host, device=NARROW) as bob,  # type: ignore[arg-type]
        joined(link(hosted, host, 2), page_data) as terminal,
    ):
        ann.goto(link(hosted, host, 0))
        sit_down(ann, "Ann")
        expect(ann.locator("#news")).to_contain_text("Guest 2")
        bob.goto(link(hosted, host, 1))
        sit_down(bob, "Bob")
        expect(ann.locator("#news")).to_have_text("")
        pages = [ann, bob]
        while not game.is_over:
            mover, count = game.on_turn, len(game.moves)
            move = next(iter(game.position.plays()), kibitz.Pass())
            if mover < len(pages):
                expect(pages[mover].locator("#turn")).to_contain_text("to move")
                expect(pages[mover].locator("#playmove")).to_be_visible()
                play(pages[mover], move)
            else:
                assert terminal.stdin is not None
                terminal.stdin.write(f"{move}\n")
                terminal.stdin.flush()
            expect(ann.locator(".log li")).to_have_count(count + 1)
            assert str(game.moves[-1]) == str(move)
            if count == LOSS:
                lose_the_connection(hosted, ann)
                bob.reload()
        expect(bob.locator("#turn")).to_contain_text("The game is over")
        shown = bob.locator(".ranks strong").all_inner_texts()
        result = game.result
        assert result is not None
        assert [result.names.index(name) for name in shown] == sorted(
            range(3), key=lambda seat: result.ranks[seat]
        )
        assert len(squares(bob, "tile")) == game.board.tile_count
        out = terminal.communicate(timeout=60)[0]
        assert terminal.returncode == 0
        assert "The game is over: " in out
    assert result.names == ("Ann", "Bob", "Cy")
    assert {*game.movers[LOSS + 2 :]} == {0, 1, 2}


def lose_the_connection(hosted: HostedGame, page: Page) -> None:
    """End all connections; the page says so, and connects again when the host can be reached."""
    page.context.set_offline(True)
    for connection in range(20):
        hosted.disconnect(connection)
    expect(page.locator("#news")).to_contain_text("The connection is lost.")
    page.context.set_offline(False)
    expect(page.locator("#news")).not_to_contain_text("The connection is lost.")


def test_a_phone_exchanges_challenges_and_resigns(browser: Browser, words: kibitz.Lexicon) -> None:
    game = kibitz.Game(words, ["Ann", "Guest 2"], racks=["AEINRST", "BCDEFGH"], allow_phonies=True)
    with hosting(game) as (hosted, host), watched(browser, host, device=NARROW, faults=True) as page:  # type: ignore[arg-type]
        page.goto(link(hosted, host, 1) + "x")
        expect(page.locator("#news")).to_contain_text("No seat of this game has this link.")
        page.goto("about:blank")
        page.goto(link(hosted, host, 1))
        expect(page.locator("#news")).to_have_text("Waiting for Ann.")
        hosted.connect(0)
        sit_down(page, "Bob")
        hosted.act(0, "8H TSR")
        expect(page.locator("#challengeplay")).to_be_visible()
        assert violations(page) == []
        page.click("#challengeplay")
        expect(page.locator(".log li.struck")).to_have_count(2)
        page.click("#exchange")
        page.locator(".exchange .tile").nth(1).click()
        page.click("#doexchange")
        expect(page.locator("#turn")).to_contain_text("Ann to move")
        assert str(game.moves[-1]) == "-C"
        assert len(page.locator(".rackbox .tile").all()) == 7
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("#resign")
        expect(page.locator("#news")).to_have_text("Bob has resigned.")
        assert violations(page) == []
    assert game.result is not None
    assert game.result.ranks == (1, 2)
