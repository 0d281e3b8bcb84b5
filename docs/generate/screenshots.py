"""`python -m docs.generate.screenshots`: pictures of the page, reports and an embedded board, in Chromium.

STATES lists them; a line is a picture. The service answers on a free port of this machine, with the bundled
English lexicon.
"""

from __future__ import annotations

import logging
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import quote

import click
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from engine import AnnotationOptions, annotate, read_gcg
from kibitz import Game, Lexicon, TimeControl, best_move
from kibitz.archives.report_page import archive_page
from kibitz.cli.lexicons import open_lexicon
from lab.drawings import CGP
from lab.experiments.levels import run_levels
from service.annotation_report import annotation_page
from service.app import create_app
from service.game_host import Host
from service.hosted_game import HostedGame
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

DOCS: Final = Path(__file__).parents[1]
GAME: Final = DOCS / "examples" / "game.gcg"

DESKTOP: Final = (1280, 800)
TABLET: Final = (820, 1180)
PHONE: Final = (390, 844)

ARCHIVE_GAMES: Final = 144
"""Played and annotated in a minute."""

REVIEW_SECONDS: Final = 60
"""For the review of the game of the report."""

HOSTED_MOVES: Final = 6
HOSTED_LEVEL: Final = 4
"""Of the game between machines."""

EMBED: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A game</title>
<meta name="viewport" content="width=device-width"><style>:root {{ color-scheme: light dark }}</style>
<script type="module" src="{service}/kibitz-board.js"></script>
<kibitz-board turn="9"><script type="text/x-gcg">{gcg}</script></kibitz-board></html>"""


class State(NamedTuple):
    """One picture: its name, the address of the page, the window, the colors, and what to do first.

    `address`: {service} is the address of the service, {folder} that of the written pages, {ann} and {bob}
    are seats of a game between machines.
    """

    name: str
    address: str
    window: tuple[int, int]
    colors: Literal["light", "dark"]
    steps: Callable[[Page], object] | None = None


def choose_move(page: Page) -> None:
    """Wait for the moves of the position, and choose the first."""
    page.locator("#moves tbody tr").first.click()
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")


def explore(page: Page) -> None:
    """Look ahead, show where the replies to the best move fall, and compare it with the second best."""
    page.wait_for_selector("#moves tbody tr")
    page.click("#ahead")
    page.wait_for_selector(".search + progress", state="hidden")
    page.locator("#moves tbody tr").first.click()
    page.click(".chosen summary")
    page.click("#compare")
    page.click("#heat")
    page.mouse.move(0, 0)


def count_tiles(page: Page) -> None:
    """Play a move, and show what the opponent may hold, and which leaves of a rack are best."""
    page.locator("#moves tbody tr").nth(1).click()
    page.click("#play")
    page.wait_for_selector("#chosentext", state="hidden")
    page.fill("#rack", "AEINRST")
    page.get_by_role("tab", name="Words").click()
    page.wait_for_selector('[aria-label="The opponent\'s rack"]:visible')
    page.locator("[aria-label='Unseen tiles']").scroll_into_view_if_needed()


def show_keys(page: Page) -> None:
    """Show the keys."""
    page.click("#showkeys")


def open_mistake(page: Page) -> None:
    """Go to the first mistake of a report."""
    page.get_by_role("button", name="Next mistake").click()
    page.locator("details[open]").evaluate("open => open.closest('.review').scrollIntoView()")


def walk_to_mistake(page: Page) -> None:
    """Annotate the game of the examples, and walk to its first large mistake."""
    page.get_by_role("tab", name="Games").click()
    page.set_input_files("#gcgfile", GAME)
    page.wait_for_selector("#turns [role=option]")
    page.locator("#turns .medium, #turns .large").first.click()
    page.mouse.move(0, 0)


def open_puzzle(page: Page) -> None:
    """Show the first mistake of the game as a puzzle, with two hints."""
    walk_to_mistake(page)
    page.click("#puzzles")
    for count in (1, 2):
        page.click(".puzzle .hints button")
        page.wait_for_selector(f".puzzle .hintlist li:nth-child({count})")


def begin_game(page: Page) -> None:
    """Begin a game against the computer, which makes the first move."""
    page.get_by_role("tab", name="Play").click()
    page.select_option("#seat-0", "8")
    page.select_option("#seat-1", "person")
    page.click("#begin")
    page.wait_for_selector(".seatcard[aria-current]:has-text('You')")
    page.mouse.move(0, 0)


def judge_words(page: Page) -> None:
    """Judge three words."""
    page.get_by_role("tab", name="Words").click()
    page.fill("#judged", "qi za crwth")
    page.click("#judge")
    page.wait_for_selector(".ruled")


def judge_play(page: Page) -> None:
    """Judge a play at a tournament."""
    page.wait_for_selector("#desk")
    page.fill("#words", "qi za crwth")
    page.press("#words", "Enter")
    page.wait_for_selector(".ruling")


def hand_in(page: Page) -> None:
    """Let a round of topping end with no play."""
    page.select_option("#seconds", "")
    page.click("#begin")
    page.click("#hand")
    page.wait_for_selector("#next")


def see_game(page: Page) -> None:
    """Wait for a game between machines."""
    page.wait_for_selector(".log li")
    page.mouse.move(0, 0)


def answer_card(page: Page) -> None:
    """Begin a quiz, and give a wrong answer to its first card."""
    page.click("#begin")
    page.wait_for_selector(".question")
    page.keyboard.type("zz ")
    page.wait_for_selector(".said")


def show_theme(page: Page) -> None:
    """Make puzzles of the game of the examples, and show the move of the first one."""
    page.set_input_files("#files", GAME)
    page.wait_for_selector("#begin:visible")
    page.select_option("#theme", "other")
    page.click("#begin")
    page.click("#reveal")
    page.wait_for_selector(".theme")


POSITION: Final = "{service}/#" + quote(CGP)
STATES: Final = (
    State("first-light", "{service}/", DESKTOP, "light"),
    State("page-light", POSITION, DESKTOP, "light", choose_move),
    State("page-dark", POSITION, DESKTOP, "dark", choose_move),
    State("page-tablet", POSITION, TABLET, "light", choose_move),
    State("page-phone", POSITION, PHONE, "light", choose_move),
    State("explore-light", POSITION, DESKTOP, "light", explore),
    State("explore-phone", POSITION, PHONE, "dark", explore),
    State("tiles-light", POSITION, DESKTOP, "light", count_tiles),
    State("keys-light", "{service}/", DESKTOP, "light", show_keys),
    State("games-light", "{service}/", DESKTOP, "light", walk_to_mistake),
    State("games-phone", "{service}/", PHONE, "light", walk_to_mistake),
    State("puzzle-light", "{service}/", DESKTOP, "light", open_puzzle),
    State("play-light", "{service}/", DESKTOP, "light", begin_game),
    State("play-phone", "{service}/", PHONE, "dark", begin_game),
    State("words-light", POSITION, DESKTOP, "light", judge_words),
    State("judge-tablet", "{service}/judge#lexicon=club", TABLET, "light", judge_play),
    State("topping-light", "{service}/topping#lexicon=club", DESKTOP, "light", hand_in),
    State("join-light", "{ann}", DESKTOP, "light", see_game),
    State("join-phone", "{bob}", PHONE, "light", see_game),
    State("quiz-phone", "{service}/quiz#lexicon=club", PHONE, "light", answer_card),
    State("puzzles-light", "{service}/puzzles", DESKTOP, "light", show_theme),
    State("report-light", "{folder}/report.html", DESKTOP, "light", open_mistake),
    State("report-dark", "{folder}/report.html", DESKTOP, "dark", open_mistake),
    State("archive-light", "{folder}/archive.html", DESKTOP, "light"),
    State("archive-dark", "{folder}/archive.html", DESKTOP, "dark"),
    State("embed-light", "{folder}/embed.html", (1000, 680), "light"),
    State("embed-dark", "{folder}/embed.html", (1000, 680), "dark"),
    State("embed-phone", "{folder}/embed.html", PHONE, "light"),
)


def take_pictures(output: Path, names: tuple[str, ...]) -> Iterator[Path]:
    """Write the pictures of these names, of all by default, and yield their paths."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("the pictures need Chromium: apt-get install chromium")
    output.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        served() as service,
        hosted() as links,
        sync_playwright() as playwright,
    ):
        addresses = {"service": service, "folder": f"file://{folder}", **links}
        write_pages(Path(folder), service)
        if not names or any(name.startswith("archive") for name in names):
            write_archive(Path(folder))
        # Chromium's sandbox cannot be used by root, as in containers; the pages are our own.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for state in STATES:
            if state.name in names or not names:
                path = output / f"{state.name}.png"
                take_picture(browser, state, state.address.format(**addresses), path)
                yield path
        browser.close()


def take_picture(browser: Browser, state: State, address: str, path: Path) -> None:
    """Open a page, bring it into its state, and write a PNG."""
    width, height = state.window
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=state.colors,
        reduced_motion="reduce",
        has_touch=state.window != DESKTOP,
        is_mobile=state.window == PHONE,
    )
    page.goto(address)
    if state.steps is not see_game:  # whose events never end
        page.wait_for_load_state("networkidle")
    if state.steps is not None:
        state.steps(page)
    page.screenshot(path=path)
    page.close()


def write_pages(folder: Path, service: str) -> None:
    """Write the report of a reviewed game, and a page with the game embedded."""
    gcg = GAME.read_text("utf-8")
    annotation = annotate(
        read_gcg(gcg).record, open_lexicon("club"), AnnotationOptions().within(REVIEW_SECONDS)
    )
    (folder / "report.html").write_text(annotation_page(annotation), "utf-8")
    (folder / "embed.html").write_text(EMBED.format(service=service, gcg=gcg), "utf-8")


def write_archive(folder: Path) -> None:
    """Write the report of an archive: of games between players of nine levels."""
    report = run_levels("club", range(1, 10), ARCHIVE_GAMES, 1, 1, folder)
    (folder / "archive.html").write_text(archive_page(report), "utf-8")


@contextmanager
def served() -> Iterator[str]:
    """Serve kibitz on a free port of this machine, and yield its address."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = make_server("127.0.0.1", 0, create_app(Settings(log_level="error")), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


@contextmanager
def hosted() -> Iterator[dict[str, str]]:
    """Host a game that has begun, and yield the links of its two people by their names."""
    people = ("ann", "bob")
    game = Game(Lexicon.open("club"), ["Ann", "Bob", HOSTED_LEVEL], seed=5, time=TimeControl(1500))
    for _ in range(HOSTED_MOVES):
        game.play(best_move(game.position, level=HOSTED_LEVEL))
    table = HostedGame(game, range(len(people)))
    host = Host(table, ("127.0.0.1", 0))
    host.start()
    try:
        links = [f"http://127.0.0.1:{host.port}/join#{secret}" for secret in table.secrets.values()]
        yield dict(zip(people, links, strict=True))
    finally:
        table.close()
        host.stop()


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([state.name for state in STATES]))
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=DOCS / "screenshots",
    help="The folder of the PNG files.  [default: docs/screenshots]",
)
def screenshots_command(names: tuple[str, ...], output: Path) -> None:
    """Take pictures of the page, the reports and an embedded board, or only those of these names.

    \b
    python -m docs.generate.screenshots
    python -m docs.generate.screenshots page-dark --output /tmp
    """
    for path in take_pictures(output, names):
        click.echo(path)


if __name__ == "__main__":
    screenshots_command()
