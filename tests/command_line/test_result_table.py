"""The table of measured values that all benchmarks, experiments, matches and trainings print."""

from __future__ import annotations

from rich.console import Console

from kibitz.cli.tables import print_table, result_table


def printed(*arguments: object, **options: object) -> list[str]:
    console = Console(width=100, record=True)
    with console.capture() as capture:
        print_table(result_table(*arguments, **options), console)  # type: ignore[arg-type]
    return [line.rstrip() for line in capture.get().splitlines()]


def test_columns_without_a_value_are_left_out() -> None:
    rows = [("a", "1", None, None), None, ("[b]", "20", None, "3")]
    assert printed("Title", ("name", "x", "empty", "some"), rows) == [
        "Title",
        " name   x  some",
        " a      1     -",
        "",
        " [b]   20     3",
    ]


def test_words_are_justified_left_and_numbers_right() -> None:
    rows = [("a", "1", "ok"), ("b", "100", "too late")]
    assert printed("Title", ("", "x", "verdict"), rows, text=("verdict",))[2:] == [
        " a    1  ok",
        " b  100  too late",
    ]
