"""`python -m benchmarks.soak`: the soak as one command."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import orjson

import kibitz
from benchmarks.compare.sides import LEXICON_ID, ROOT, prepare, provide_tables
from benchmarks.load.servers import ServerError
from benchmarks.measurements.machine import processor_name
from benchmarks.soak.expected import Expected, answers_of
from benchmarks.soak.faults import upgrade
from benchmarks.soak.plan import QUICK_PLAN, Plan, missing_tools, possible_faults
from benchmarks.soak.questions import questions_of
from benchmarks.soak.report import markdown
from benchmarks.soak.run import run_soak
from engine import EngineError, InvalidInput
from kibitz.cli.progress import build_progress
from service.settings import Settings

if TYPE_CHECKING:
    from benchmarks.compare.sides import Side

LACKING_STATUS: Final = 3


@click.command()
@click.option(
    "--minutes", type=click.FloatRange(min=10), default=60.0, show_default=True, help="Length of the run."
)
@click.option(
    "--from",
    "revision",
    metavar="REVISION",
    help="The previous release: a commit, a tag, a built folder. [default: the latest tag before HEAD]",
)
@click.option("--lexicon", "lexicon_id", metavar="ID", help="The lexicon. [default: KIBITZ_LEXICON]")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write soak.json and soak.md to this folder.",
)
@click.option(
    "--quick", is_flag=True, help="Run everything once in a minute to test it; the results mean nothing."
)
def main(
    minutes: float, revision: str | None, lexicon_id: str | None, output: Path | None, *, quick: bool
) -> None:
    """Soak two hosts of kibitz behind nginx, with one Redis: mixed traffic while faults are injected.

    \b
    The hosts are network namespaces of this machine. The users are people who analyze
    positions, tournament software that judges words, mobile apps that fetch hints, and
    scorers of archives whose jobs annotate games. Every answer is compared with that of a
    server alone. The faults: killed gunicorn workers, masters and job workers, paused
    processes, partitions, a slow and a full disk, steps of the clock, a rolling upgrade.

    Needs root, redis-server, nginx, iproute2 and a C compiler. Without control groups of version 1 or a
    previous release, what needs them is left out, and the report says so. The first use of a release builds
    it (two minutes). Exit status: 0 if the objectives of docs/operations.md were met outside of the faults,
    1 if one was missed, 3 if this machine lacks something.

    \b
    sudo .venv/bin/python -m benchmarks.soak --minutes 60 --output results
    """
    missing = missing_tools()
    if missing:
        click.echo(f"not run: needs {', '.join(missing)}", err=True)
        raise SystemExit(LACKING_STATUS)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    settings = Settings.from_environment()
    plan = QUICK_PLAN if quick else Plan(60 * minutes)
    try:
        lexicon = kibitz.Lexicon.open(lexicon_id or settings.lexicon, data=settings.data)
        sides, no_upgrade = _releases(revision, settings.data / "compare")
        with tempfile.TemporaryDirectory(prefix="kibitz-soak-") as name:
            folder = Path(name)
            _provide_tables(sides, lexicon, folder)
            report = _soak(plan, sides, no_upgrade, lexicon, folder)
    except (EngineError, ServerError) as error:
        raise click.ClickException(str(error)) from None
    text = markdown(report)
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        (output / "soak.json").write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        (output / "soak.md").write_text(text, "utf-8")
    click.echo(text)
    if any(one["held"] is False for one in report["verdicts"]):
        raise SystemExit(1)


def _releases(revision: str | None, cache: Path) -> tuple[list[Side], str]:
    """Return the previous release, if there is one, and this one; and why there is no previous one."""
    current = prepare(str(ROOT), ROOT, cache, _announce)
    if revision is None:
        try:
            command = ["git", "describe", "--tags", "--abbrev=0", "HEAD^"]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
        except FileNotFoundError:
            return [current], "there is no git; name a built folder by --from"
        if done.returncode:
            return [current], "this repository has no tag before HEAD; name a commit by --from"
        try:
            return [prepare(done.stdout.strip(), ROOT, cache, _announce), current], ""
        except InvalidInput as error:  # an old release need not build on this machine
            return [current], str(error)
    return [prepare(revision, ROOT, cache, _announce), current], ""


def _announce(text: str) -> None:
    click.echo(text, err=True)


def _provide_tables(sides: list[Side], lexicon: kibitz.Lexicon, folder: Path) -> None:
    words = folder / "words.txt"
    words.write_text("".join(f"{word}\n" for word in lexicon), "utf-8")
    for side in sides:
        provide_tables(side, lexicon, words)


def _soak(
    plan: Plan, sides: list[Side], no_upgrade: str, lexicon: kibitz.Lexicon, folder: Path
) -> dict[str, Any]:
    # Positions and records name the lexicon by the id that it has on the hosts.
    questions = questions_of(kibitz.Lexicon.open(LEXICON_ID, data=sides[-1].data), plan.amounts)
    with build_progress(f"Soak, lexicon {lexicon.id}") as progress:
        answers = {}
        for side in sides:
            stage = f"Right answers, {Path(side.name).name}"
            answers[side.name] = answers_of(side, questions, partial(progress, stage))
        expected = Expected(answers, [sides[0].name])
        previous = upgrade((sides[0], sides[1]), expected) if len(sides) > 1 else None
        faults, left_out = possible_faults(plan, previous, no_upgrade)
        report = run_soak(plan, sides[0], folder, questions, expected, faults, progress)
    return {
        "lexicon": lexicon.id,
        "releases": [Path(side.name).name for side in sides],
        "processor": processor_name(),
        "left_out": left_out,
        **report,
    }


if __name__ == "__main__":
    main()
