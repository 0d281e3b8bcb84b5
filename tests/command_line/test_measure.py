"""`kibitz perft`, `bench movegen` and `signature`: their output for programs and for people."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kibitz.cli.signature import LEXICON, found_lines, signature

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

GOLDEN = Path(__file__).parents[1] / "golden" / "scowl80.tsv"
KEYS = ("plays", "exchanges", "top_score", "sum_of_scores", "moves_sha256")
EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"


def golden() -> list[dict[str, str]]:
    return list(
        csv.DictReader(GOLDEN.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


@pytest.mark.parametrize("name", ["internal_words", "reference"])
@pytest.mark.long
def test_perft_answers_each_line_in_order(run: Run, name: str) -> None:
    lines = [line for line in golden() if "?" not in line["cgp"]][-4:]
    text = "\n".join(line["cgp"] for line in lines)
    done = run("perft", "--lexicon", "scowl80", "--generator", name, "-", input=f"{text}\n\n")
    assert done.exit_code == 0, done.output
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [tuple(answer) for answer in answers] == [KEYS] * 4
    assert [{key: str(answer[key]) for key in KEYS} for answer in answers] == [
        {key: line[key] for key in KEYS} for line in lines
    ]


def test_perft_names_bad_lines_by_number_and_answers_the_others(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    good = f"{EMPTY} AEINRST/ 0/0 0"
    file.write_bytes(f"{good}\n\nnonsense\n{EMPTY} ZZZ/ 0/0 0\n\xff\n".encode("latin-1") + good.encode())
    done = run("perft", "--lexicon", "scowl80", str(file))
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 2
    lines = done.stderr.splitlines()
    assert [line.removeprefix(str(file)).split(" ")[0] for line in lines] == [":3:", ":4:", ":5:"]


def test_perft_refuses_what_it_does_not_know(run: Run, tmp_path: Path) -> None:
    assert run("perft", "--lexicon", "none-such", "-", input="").exit_code == 2
    assert run("perft", "--lexicon", "scowl80", "--generator", "magic", "-", input="").exit_code == 2
    assert run("perft", "--lexicon", "scowl80", str(tmp_path / "missing")).exit_code == 2


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A few golden positions as two games."""
    file = tmp_path / "games.tsv"
    lines = golden()[13:17]
    rows = [f"{line['cgp']}\t{number // 2 + 1}\t{number % 2}" for number, line in enumerate(lines)]
    file.write_text("\n".join(["cgp\tmove_number\tgame", *rows]) + "\n")
    return file


@pytest.mark.long
def test_bench_reports_each_generator_per_move_number(run: Run, games: Path) -> None:
    names = "internal_words,reference"
    arguments = ("--lexicon", "scowl80", "--positions", str(games), "--generators", names, "--repeat", "1")
    done = run("bench", "movegen", *arguments, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["positions"], report["games"], report["passes"]) == (4, 2, 1)
    assert report["peak_memory_bytes"] > 1 << 20
    fast, slow = report["generators"]["internal_words"], report["generators"]["reference"]
    for figures in (fast, slow):
        assert figures["mean_us"] > 0
        assert [entry["move"] for entry in figures["per_move"]] == [1, 2]
        for entry in figures["per_move"]:
            assert entry["mean_us"] > 0
            assert {"intervals", "candidates", "plays", "positions"} <= set(entry)
    assert fast["plays"] == slow["plays"] > 0
    assert fast["intervals"] > 0
    assert fast["candidates"] >= fast["plays"] / 4
    assert report["ratios"]["reference/internal_words"] > 1


@pytest.mark.long
def test_bench_prints_a_table_for_people(run: Run, games: Path) -> None:
    done = run("bench", "movegen", "--lexicon", "scowl80", "--positions", str(games), "--games", "1")
    assert done.exit_code == 0, done.output
    assert "2 positions of 1 games" in done.output
    assert "peak memory" in done.output


@pytest.mark.long
def test_benches_need_no_options(run: Run) -> None:
    """Without a file of positions they play games, always the same ones for a lexicon."""
    for name in ("movegen", "board"):
        first, second = (
            json.loads(run("bench", name, "--games", "2", "--repeat", "1", "--json").stdout) for _ in range(2)
        )
        assert first["lexicon"]["id"] == "scowl80"
        assert first["positions"] == second["positions"] > 30
        if name == "movegen":
            plays = [report["generators"]["internal_words"]["plays"] for report in (first, second)]
            assert plays[0] == plays[1] > 0
    assert json.loads(run("bench", "multisets", "--pairs", "20", "--repeat", "1").stdout)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "lacks the column"),
        ("cgp\tgame\n", "move_number"),
        ("cgp\tmove_number\tgame\n", "no position"),
        (f"cgp\tmove_number\tgame\n{EMPTY} AB/ 0/0 0\tone\t0\n", ":2:"),
        (f"cgp\tmove_number\tgame\n{EMPTY} AB/ 0/0 0\t1\t0\nrubbish\t2\t0\n", ":3:"),
        (f"cgp\tmove_number\tgame\n{EMPTY} AB/ 0/0 0\n", ":2:"),
    ],
)
def test_bench_names_the_line_that_it_cannot_read(run: Run, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "games.tsv"
    file.write_text(text)
    done = run("bench", "movegen", "--lexicon", "scowl80", "--positions", str(file))
    assert done.exit_code != 0
    assert said in done.stderr


def test_bench_refuses_an_unknown_generator(run: Run, games: Path) -> None:
    arguments = ("--lexicon", "scowl80", "--positions", str(games), "--generators", "magic")
    done = run("bench", "movegen", *arguments)
    assert done.exit_code == 2
    assert "internal_words" in done.stderr


@pytest.mark.long
def test_the_signature_is_a_hash_of_everything_found(run: Run, bundled: Catalogue) -> None:
    printed = run("signature").stdout
    lexicon = bundled.open(LEXICON)
    assert printed == f"{signature(lexicon)}\n"
    assert len(printed) == 65
    lines = list(found_lines(lexicon))
    assert len(lines) > 50_000
    assert lines[0].startswith(f"{EMPTY} AENRS??/")
    assert signature(lexicon) == SIGNATURE


# A commit that changes plays or scores must change this too.
SIGNATURE = "1943e059c72a8cadf3dab754576864bf9eff515e73624485cf44e59dcc6f734f"


@pytest.mark.long
def test_the_likelihoods_are_listed_the_best_first(run: Run) -> None:
    done = run("experiment", "temperature", "--lexicon", "scowl80", "--games", "2")
    assert done.exit_code == 0, done.output
    table = done.stdout[done.stdout.index("held out") :].split("The pair used")[0]
    rows = [line.split() for line in table.splitlines() if line.split() and line.split()[0][0].isdigit()]
    fitted = [float(row[2]) for row in rows]
    assert len(rows) >= 12
    assert fitted == sorted(fitted, reverse=True)
    assert sum(row[-1] == "used" for row in rows) == 1


def test_the_bench_of_preendgames_counts_proven_moves(run: Run) -> None:
    given = ("bench", "preendgame", "--lexicon", "scowl80", "--count", "2", "--nodes", "3000")
    done = run(*given, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    rows = report["results"]
    assert len(rows) == report["preendgames"] == 2
    assert report["proven"] == sum(row["best_proven"] for row in rows) / 2
    assert all(0 <= row["lower"] <= row["upper"] <= 100 for row in rows)
    shown = run(*given)
    assert f"{100 * report['proven']:.1f} %" in shown.stdout


def test_the_bench_of_choices_compares_players(run: Run) -> None:
    given = (
        "bench",
        "choices",
        "--lexicon",
        "scowl80",
        "--count",
        "2",
        "--rollouts",
        "10",
        "static",
        "level1",
    )
    done = run(*given, "--json")
    assert done.exit_code == 0, done.output
    static, weak = json.loads(done.stdout)
    assert (static["player"], weak["player"]) == ("static", "level1")
    assert static["difference"]["value"] == 0
    assert weak["loss"]["value"] == pytest.approx(sum(weak["losses"]) / 2)
    assert f"{weak['loss']['value']:.3f} [" in run(*given).stdout
    assert run("bench", "choices", "--lexicon", "scowl80", "greedy").exit_code == 2
