"""`kibitz play --host` and `--join`: options, a terminal that joins, a host that saves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import contextmanager
from email.message import Message
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

import click
import orjson
import pytest

import kibitz
from kibitz.cli.play_host import _LocalConnection, host
from kibitz.cli.play_join import RemoteSeat
from kibitz.cli.play_seat import SeatTerminal
from service.game_host import Host
from service.hosted_game import HostedGame
from tests.service.conftest import data  # noqa: F401 - a fixture
from tests.service.serving import KIBITZ, PATIENCE, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.request import Request

    from tests.command_line.conftest import Run

ROOT = Path(__file__).parents[2]
HALF = ROOT / "docs/examples/half.csv"


@pytest.fixture
def game(data: Path) -> kibitz.Game:  # noqa: F811
    lexicon = kibitz.Lexicon.open("small", data=data)
    return kibitz.Game(lexicon, ["Ann", "Guest 2"], racks=["AEINRST", "BCDEFGH"])


@contextmanager
def hosting(game: kibitz.Game) -> Iterator[tuple[HostedGame, str]]:
    """Host a game whose second player connects; gives the link too."""
    hosted = HostedGame(game, [1])
    host = Host(hosted, ("127.0.0.1", 0))
    host.start()
    try:
        yield hosted, f"http://127.0.0.1:{host.port}/join#{hosted.secrets[1]}"
    finally:
        hosted.close()
        host.stop()


def test_a_terminal_joins_and_plays(run: Run, game: kibitz.Game) -> None:
    with hosting(game) as (hosted, link):

        def ann() -> None:
            for view in hosted.views([0]):
                if view is not None and not view.missing and view.game.on_turn == 0 and not view.game.is_over:
                    hosted.act(0, "resign" if view.game.turns else "8H IN")

        thread = Thread(target=ann)
        thread.start()
        typed = "help\nboard\nmoves\n8D QI\nsave x.json\n-BC\n"
        done = run("play", "--join", link, "--name", "Bob", input=typed)
    thread.join()
    assert done.exit_code == 0, done.output
    for line in (
        "Ann, Bob; small. Type help for help.",
        "Ann plays 8H IN for 4.",
        "Your tiles: B C D E F G H",
        "challenge challenge the last play",
        "Bob exchanges 2 tiles.\nWaiting for Ann.\nAnn resigns.\n",
        "The game is over: Ann has resigned.\n  1. Bob ",
    ):
        assert line in done.output
    assert done.output.count("That is not possible:") == 2
    assert game.names == ("Ann", "Bob")
    assert [move.kind for move in game.moves] == ["play", "exchange"]


def test_the_end_is_shown_and_giving_up_is_confirmed(run: Run, game: kibitz.Game) -> None:
    with hosting(game) as (hosted, link):
        game.play("-")
        done = run("play", "--join", link, input="")
        assert "You have left the game; the same link brings you back." in done.output
        done = run("play", "--join", link, input="resign\nno\nresign\nyes\n")
        assert hosted.view([0]).game.end is not None
    assert "Guest 2 resigns." in done.output
    assert "The game is over: Guest 2 has resigned.\n  1. Ann " in done.output


def test_a_link_that_leads_nowhere_is_refused(run: Run, game: kibitz.Game) -> None:
    with hosting(game) as (_, link):
        done = run("play", "--join", link + "x")
        assert (done.exit_code, done.stderr) == (2, "Error: no seat of this game has this link\n")
        done = run("play", "--join", link, "--name", "Ann")
        assert (done.exit_code, done.stderr) == (2, "Error: every player needs a name of their own\n")
    for nowhere in (link, "http://[/join#x", "http://[::1]:x/join#x", f"http://{'a' * 99}/join#x"):
        done = run("play", "--join", nowhere)
        assert done.exit_code == 2
        assert done.stderr.startswith("Error: the host cannot be reached: ")
        assert "urlopen" not in done.stderr


@pytest.mark.parametrize(
    "link", ["", "x", "file:///etc/passwd#x", "http://127.0.0.1/join", "http:///join#x", "http://h/join#"]
)
def test_a_text_that_is_no_link_is_refused(run: Run, link: str) -> None:
    done = run("play", "--join", link)
    assert done.exit_code == 2
    assert "is not a link such as" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--name", "Bob"), "--name needs --join."),
        (("--join", "http://h/join#x", "--level", "3"), "--level cannot be given beside --join."),
        (("--host", "--seat", "Ann", "--seat", "Bob"), "--host needs a seat for a player who connects"),
        (("--host", "8090", "--seat", "remote", "--seat", "Bob"), "is not an address and a port"),
        (("--host", "localhost:99999", "--seat", "remote", "--seat", "Bob"), "is not an address and a port"),
        (("--host", "ä..b:80", "--seat", "remote", "--seat", "Bob"), "is not an address and a port"),
        (("--host", "ä" * 70 + ":80", "--seat", "remote", "--seat", "Bob"), "is not an address and a port"),
        (("--seat", "Ann", "--seat", "remote"), "--seat remote needs --host."),
        (("--host", "a@b:1", "--seat", "remote", "--seat", "Bob"), "is not an address and a port"),
    ],
)
def test_wrong_options_are_refused(run: Run, options: tuple[str, ...], message: str) -> None:
    done = run("play", *options)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_a_proxy_without_its_host_is_tried_again(game: kibitz.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    view = orjson.dumps(HostedGame(game, [1]).view([1]))
    answers = [b"data: " + view, b"<html>Bad Gateway", b"data: " + view]

    def answer(request: Request, timeout: float) -> BytesIO:
        body = BytesIO(answers.pop(0))
        if body.getvalue().startswith(b"<"):
            raise HTTPError(request.full_url, 502, "Bad Gateway", Message(), body)
        return body

    monkeypatch.setattr("kibitz.cli.play_join.urlopen", answer)
    monkeypatch.setattr("kibitz.cli.play_join.sleep", lambda _: None)
    views = RemoteSeat("http://h/join#x").views()
    assert next(views) == next(views)
    assert not answers


def test_an_address_in_use_is_refused(run: Run, game: kibitz.Game) -> None:
    with hosting(game) as (_, link):
        address = link.split("/")[2]
        done = run("play", "--host", address, "--seat", "Ann", "--seat", "remote")
    assert done.exit_code == 2
    assert done.stderr == f"Error: {address}: Address already in use; choose another address with --host\n"


class Spoken:
    """What a person types, one line at each question; a line of None is Ctrl-C."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str | None) -> None:
        self.lines = list(lines)
        self.questions: list[str] = []
        monkeypatch.setattr("click.prompt", self)

    def __call__(self, question: str, **_: object) -> str:
        self.questions.append(question)
        line = self.lines.pop(0)
        if line is None:
            raise click.Abort
        return line


def test_who_hosts_is_asked_to_save_before_connections_are_awaited(
    game: kibitz.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second Ctrl-C comes while the host waits; the game is saved then, and has not changed since."""
    saved = tmp_path / "game.json"
    hosted = HostedGame(game, [])
    plain = Host.stop

    def stop(server: Host) -> None:
        plain(server)
        assert saved.exists()
        with pytest.raises(kibitz.IllegalMove) as refused:
            hosted.act(1, "-")
        assert refused.value.code == "game_closed"
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.cli.play_host.HostedGame", lambda *_: hosted)
    monkeypatch.setattr(Host, "stop", stop)
    Spoken(monkeypatch, "", "-", None, str(saved))
    with pytest.raises(KeyboardInterrupt):
        host(game, [], ("127.0.0.1", 0), file=None, rescue=tmp_path)
    assert json.loads(saved.read_text())["players"] == ["Ann", "Guest 2"]


@pytest.mark.parametrize("answer", ["no", "yes"])
def test_the_play_that_ended_the_game_can_be_challenged(
    game: kibitz.Game,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
) -> None:
    tiles = kibitz.TileSet.from_csv(few_tiles("AEINRSTBCDFGHI"), "few")
    game = kibitz.Game(
        game.lexicon, ["Ann", "Bob"], racks=["BCDFGHI", "AEINRST"], tile_set=tiles, allow_phonies=True
    )
    game.play("8D BCDFGHI")
    assert game.is_over
    asked = Spoken(monkeypatch, "", answer, None)
    terminal = SeatTerminal(_LocalConnection(HostedGame(game, []), [0, 1]))
    if answer == "no":
        assert terminal.run()
        assert game.is_over
        assert "The game is over: Ann went out." in capsys.readouterr().out
    else:
        with pytest.raises(click.Abort):  # the next question is that for a move
            terminal.run()
        assert not game.is_over
    assert asked.questions[1].startswith("Challenge the last play?")


def few_tiles(letters: str) -> str:
    """Return the table of a tile set that has only these tiles."""
    first, *rows = HALF.read_text().splitlines()
    cells = [row.split(",") for row in rows]
    return "\n".join([first, *(f"{a},{letters.count(a)},{value},{vowel}" for a, _, value, vowel in cells)])


@pytest.mark.process
def test_a_host_plays_saves_and_continues(data: Path, tmp_path: Path) -> None:  # noqa: F811
    """One process hosts, another joins; the host leaves, saves, and continues with a new link."""
    command = [sys.executable, "-c", KIBITZ, "play"]
    saved = tmp_path / "game.json"

    def started(*options: str) -> subprocess.Popen[str]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
        process: subprocess.Popen[str] = subprocess.Popen(
            [*command, *options], env=environment(data), **pipes
        )  # type: ignore[call-overload]
        return process

    def until(process: subprocess.Popen[str], text: str) -> str:
        assert process.stdout is not None
        read = ""
        while text not in read:
            line = process.stdout.read(1)
            assert line, read
            read += line
        return read

    def type_in(process: subprocess.Popen[str], text: str) -> None:
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.flush()

    seats = ("--seat", "Ann", "--seat", "remote", "--seat", "level:2")
    host = started("--host", "127.0.0.1:0", *seats, "--tiles", str(HALF))
    link = re.search(r"Guest 2: (http\S+)", until(host, "Waiting for Guest 2."))
    assert link is not None
    guest = started("--join", link[1], "--name", "Bob")
    until(host, "Ann's move>")
    type_in(host, "-\n")
    until(guest, "Bob's move>")
    type_in(guest, "-\n")
    until(host, "Bob passes.")
    until(host, "Ann's move>")
    type_in(host, f"save {saved}\nquit\n\n")
    out = until(host, "You have left the game.")
    assert f"Saved. Continue it with: kibitz play --load {saved} --host --seat Ann\n" in out
    host.communicate(timeout=PATIENCE)
    assert host.returncode == 0
    until(guest, "The connection is lost. Connecting again …")
    guest.kill()
    guest.communicate()
    assert json.loads(saved.read_text())["players"] == ["Ann", "Bob", "Level 2"]

    host = started("--load", str(saved), "--host", "127.0.0.1:0", "--seat", "Ann")
    again = re.search(r"Bob: (http\S+)", until(host, "Waiting for Bob."))
    assert again is not None
    assert again[1].split("#")[1] != link[1].split("#")[1]
    page, _, secret = again[1].partition("/join#")
    with pytest.raises(HTTPError):
        urlopen(f"{page}/game/events?seat={secret}x")
    with urlopen(f"{page}/game/events?seat={secret}"):
        until(host, "Ann's move>")
    host.kill()
    host.communicate()
