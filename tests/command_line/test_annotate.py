"""`kibitz annotate`: tables, pages and records with notes."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from engine import AnnotationOptions, TurnNote, WordKnowledge, annotate, format_cgp, read_gcg
from engine.analysis.annotate.luck import Luck
from engine.analysis.annotate.notes import Loss
from engine.search.endgame.bounds import Bounds
from engine.search.verdict import UNPROVEN
from service.annotation_report import annotation_page, course
from service.annotation_text import INFERRED

if TYPE_CHECKING:
    from engine import Annotation
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

GOLDEN = Path(__file__).parents[1] / "annotation" / "golden"
GAME = GOLDEN / "game0.gcg"
HEAD = "#player1 ann Ann <b>Ek</b>\n#player2 bo Bo & Li\n#title <script>alert(1)</script>\n"
SHORT = (
    HEAD + ">ann: AEITWXY 8E WAXY +34 34\n#note <i>nice</i> http://example.org/\n"
    ">bo: DEEFINO G7 D.FO +11 11\n>bo: DEEFINO -- -11 0\n>ann: AE - +0 34\n"
)
VOID = {"meta", "br", "hr", "img", "input", "link"}


@pytest.fixture(scope="module")
def lexicon(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture
def short(tmp_path: Path) -> str:
    path = tmp_path / "short.gcg"
    path.write_text(SHORT, encoding="utf-8")
    return str(path)


class Page(HTMLParser):
    """Check that every element is closed, and collect elements, attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_table_names_every_turn(run: Run) -> None:
    result = run("annotate", str(GAME))
    assert result.exit_code == 0, result.output
    reading = read_gcg(GAME.read_bytes())
    for event in reading.record.events[:-1]:
        if event.at:
            assert f"{event.at} {event.text}" in result.stdout
    for word in (
        "accuracy",
        "equity lost a turn",
        "turns judged",
        "small mistakes",
        "bingos missed",
        "by static with the words of scowl80; ",
    ):
        assert word in result.stdout


def test_faults_are_listed_below_the_table(run: Run, short: str) -> None:
    result = run("annotate", short)
    assert result.exit_code == 0, result.output
    assert "phony DXFO taken back" in " ".join(result.stdout.split())
    assert "rack partial" in " ".join(result.stdout.split())
    assert "AE" in result.stdout


def test_json_is_what_the_service_answers_as_ndjson(run: Run, short: str) -> None:
    lines = [json.loads(line) for line in run("annotate", short, "--json").stdout.splitlines()]
    assert [line["type"] for line in lines] == ["game", *["turn"] * 3, "summary", "end"]
    assert lines[-1] == {"type": "end", "lines": 5, "complete": True}
    other = run("annotate", short, "--json", "--evaluator", "greedy").stdout.splitlines()
    assert json.loads(other[0])["evaluator"] == "greedy"


def test_gcg_has_the_annotations_as_notes(run: Run, short: str) -> None:
    record = read_gcg(run("annotate", short, "--gcg").stdout).record
    first, second, taken, last = record.events
    assert first.note.startswith("<i>nice</i> http://example.org/\nkibitz: ")
    assert second.note.startswith("kibitz: phony (DXFO), taken back; best ")
    assert (taken.note, last.note) == ("", "kibitz: not judged: the rack is known in part")
    plain = read_gcg(SHORT).record
    assert [(event.text, event.total) for event in record.events] == [
        (event.text, event.total) for event in plain.events
    ]


def test_simulated_turns_have_a_standard_error(run: Run, short: str) -> None:
    wanted = ["--simulate", "--iterations", "100", "--candidates", "3"]
    result = run("annotate", short, "--json", *wanted)
    assert result.exit_code == 0, result.output
    errors = [line["win_pct_error"] for line in map(json.loads, result.stdout.splitlines()) if "rack" in line]
    assert any(error is not None and error > 0 for error in errors)
    named = ["--simulate", "monte_carlo", *wanted[1:]]
    assert run("annotate", short, "--json", *named).stdout == result.stdout, "monte_carlo is the default"


def test_a_game_may_be_searched_in_a_number_of_seconds(run: Run, short: str) -> None:
    done = run("annotate", short, "--seconds", "0.2")
    assert done.exit_code == 0, done.output
    assert "by simulations and searches in 0.2 s (seed 1; candidates by static)" in " ".join(
        done.stdout.split()
    )
    heading = json.loads(run("annotate", short, "--seconds", "0.2", "--json").stdout.splitlines()[0])
    assert heading["provenance"]["deterministic"] is False
    refused = run("annotate", short, "--seconds", "5", "--simulate", "--iterations", "10")
    assert refused.exit_code == 2
    assert "--seconds and --iterations exclude each other" in refused.stderr
    assert run("annotate", short, "--seconds", "0").exit_code == 2


def test_the_page_stands_alone_and_escapes_names(run: Run, short: str) -> None:
    result = run("annotate", short, "--html")
    assert result.exit_code == 0, result.output
    page = Page(result.stdout)
    assert page.open == []
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"link", "img", "iframe", "object", "a", "b", "i", "image", "foreignobject", "use"}
    for _, attributes in page.elements:
        assert not {"src", "xlink:href", "action", "style", "href"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
        for name, value in attributes.items():
            assert name == "xmlns" or "://" not in (value or "")
    assert "url(" not in result.stdout
    assert "@import" not in result.stdout
    scripts = re.findall(r"<script type=\"module\">(.*?)</script>", result.stdout, re.DOTALL)
    assert len(scripts) == 2
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    policies = [attributes for _, attributes in page.elements if "http-equiv" in attributes]
    wanted = f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}"
    assert [policy["content"] for policy in policies] == [wanted]
    said = "".join(page.texts)
    for text in ("<script>alert(1)</script>", "Ann <b>Ek</b>", "Bo & Li", "<i>nice</i>", "DXFO"):
        assert text in said


def test_the_page_of_a_whole_game(lexicon: Lexicon) -> None:
    annotation = annotate(read_gcg(GAME.read_bytes()).record, lexicon)
    text = annotation_page(annotation)
    assert text == annotation_page(annotation)
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [
        name for _, attributes in page.elements for name in (attributes.get("aria-labelledby") or "").split()
    ]
    assert set(named) <= set(ids)
    turns = [attributes for tag, attributes in page.elements if tag == "details"]
    assert [turn["data-cgp"] for turn in turns] == [format_cgp(note.position) for note in annotation.turns]
    both = [
        note.best.text
        for note in annotation.turns
        if note.judged.rank != 1 and note.best and note.best.kind == "play"
    ]
    assert both
    assert [turn["data-best"] for turn in turns if "data-best" in turn] == both


def chart_of(annotation: Annotation) -> ElementTree.Element:
    """Return the win% chart of the page of a game."""
    page = annotation_page(annotation)
    return ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + len("</svg>")])


def test_the_chart_shows_the_first_player_s_chances(lexicon: Lexicon) -> None:
    annotation = annotate(read_gcg(GAME.read_bytes()).record, lexicon)
    points = course(annotation)
    assert [point.number for point in points] == [note.number for note in annotation.turns]
    for point, note in zip(points, annotation.turns, strict=True):
        assert note.win_before is not None
        assert note.win_before.win_pct is not None
        seen = note.win_before.win_pct if note.player == 0 else 100 - note.win_before.win_pct
        assert point.win_pct == pytest.approx(seen)
    root = chart_of(annotation)
    space = "{http://www.w3.org/2000/svg}"
    title, description = root.find(f"{space}title"), root.find(f"{space}desc")
    assert title is not None
    assert description is not None
    assert title.text == "Win% of ann, turn by turn"
    assert (description.text or "").count("turn ") == len(points)
    marks = [path for path in root.iter(f"{space}path") if "transform" in path.attrib]
    assert len(marks) == sum(note.mistake is not None for note in annotation.turns)


@pytest.mark.parametrize("number", range(3))
def test_the_page_of_a_game_is_small(run: Run, number: int) -> None:
    text = run("annotate", str(GOLDEN / f"game{number}.gcg"), "--html").stdout
    assert text.count("<details") > 20
    assert len(text.encode()) < 120_000


def test_the_chart_spans_what_is_not_proven(lexicon: Lexicon) -> None:
    """The curve is interrupted there instead of jumping to an end of the range."""
    record = read_gcg(GAME.read_bytes()).record
    turns = annotate(record, lexicon).turns
    third = turns[-3]
    unproven = replace(third, win_before=UNPROVEN)
    annotation = annotate(record, lexicon)
    annotation = replace(annotation, notes=(*turns[:-3], unproven, *turns[-2:]))
    point = course(annotation)[len(turns) - 3]
    assert (point.win_pct, point.low, point.high) == (None, 0, 100)
    assert point.label.startswith(f"turn {third.number}, ")
    assert "0-100 %" in point.label
    paths = [path.attrib for path in chart_of(annotation).iter() if "d" in path.attrib]
    (span,) = [path["d"] for path in paths if path.get("class") == "span"]
    assert re.fullmatch(r"M[\d.]+ 210(\.0)?V12(\.0)?", span)
    (curve,) = [path["d"] for path in paths if path.get("class") == "curve"]
    assert (curve.count("M"), curve.count("L")) == (2, len(turns) - 3)


@pytest.mark.parametrize(("rack", "shown"), [("AEITWXY", "AEITWXY"), ("", "–"), ("AX", "AX…")])
def test_terminal_and_page_mark_incomplete_racks(run: Run, tmp_path: Path, rack: str, shown: str) -> None:
    path = tmp_path / "racks.gcg"
    path.write_text(HEAD + f">ann: {rack} 8E WAXY +34 34\n>bo: 1 - +0 0\n", encoding="utf-8")
    page = Page(run("annotate", str(path), "--html").stdout)
    assert shown in page.texts
    assert f" {shown} " in run("annotate", str(path)).stdout


@pytest.mark.parametrize("form", [[], ["--html"]])
def test_a_lexicon_that_is_not_installed_is_named_at_the_top(
    run: Run, tmp_path: Path, form: list[str]
) -> None:
    path = tmp_path / "named.gcg"
    path.write_text(f"#lexicon CSW21\n{SHORT}", encoding="utf-8")
    warning = "the record names the lexicon CSW21, but the words are those of scowl80: CSW21 is not installed"
    result = run("annotate", str(path), *form)
    assert result.exit_code == 0, result.output
    shown = " ".join(result.stdout.split())
    assert warning in shown
    assert shown.index(warning) < shown.index("WAXY"), "before the first turn"
    assert shown.index(warning) < shown.index("accuracy"), "before the figures"
    for heading in ("", "#lexicon Scowl80\n"):
        path.write_text(heading + SHORT, encoding="utf-8")
        assert "names the lexicon" not in run("annotate", str(path), *form).output


def test_an_inferred_rack_is_marked_and_explained(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "inferred.gcg"
    path.write_text(HEAD + ">ann:  8D RETINAS +66 66\n", encoding="utf-8")
    page = Page(run("annotate", str(path), "--html").stdout)
    assert "AEINRST*" in page.texts
    assert f"{INFERRED}." in page.texts
    said = run("annotate", str(path)).stdout
    assert " AEINRST* " in said
    assert INFERRED in said


def test_both_forms_name_the_method_that_judged(run: Run, short: str) -> None:
    wanted = ["--simulate", "monte_carlo", "--iterations", "100", "--candidates", "2", "--seed", "7"]
    for form in ([], ["--html"]):
        said = " ".join(run("annotate", short, *form, *wanted).stdout.split())
        assert "by simulation (monte_carlo, 100 iterations a turn, seed 7; candidates by " in said
        said = " ".join(run("annotate", short, *form).stdout.split())
        assert "simulation" not in said
        assert "endgame turns" not in said  # there were none
    heading = json.loads(run("annotate", short, "--json", *wanted).stdout.splitlines()[0])
    assert heading["simulation"] == "monte_carlo"


def test_there_is_no_chart_without_win_pct(lexicon: Lexicon) -> None:
    text = "#player1 a A\n#player2 b B\n#player3 c C\n>a: AEITWXY 8E WAXY +34 34\n"
    annotation = annotate(read_gcg(text).record, lexicon)
    page = annotation_page(annotation)
    assert "<svg" not in page
    assert "Course of the game" not in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--evaluator", "oracle"], "'oracle' is not one of"),
        (["--lexicon", "klingon"], "klingon"),
        (["--iterations", "50"], "need --simulate"),
        (["--simulate", "heuri_sim", "--candidates", "0"], "'--candidates'"),
    ],
)
def test_an_impossible_annotation_is_one_line(run: Run, short: str, arguments: list[str], said: str) -> None:
    result = run("annotate", short, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_file_that_is_not_a_record_is_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.gcg"
    path.write_text("hello\n")
    result = run("annotate", str(path))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")


def test_another_file_is_no_record_and_is_named(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "README.md"
    other.write_text("# kibitz\n\nwords\n")
    done = run("annotate", "--lexicon", "scowl80", str(other))
    assert done.exit_code == 2
    assert f"{other}: line 1: this is not a game record" in done.stderr


@pytest.mark.long
def test_turns_are_explained_with_their_luck(run: Run) -> None:
    plain = run("annotate", str(GAME)).stdout
    table = run("annotate", str(GAME), "--explain", "--lang", "fr").stdout
    assert "luck" not in plain
    lines = run("annotate", str(GAME), "--explain", "--json").stdout.splitlines()
    notes = [json.loads(line) for line in lines]
    turns = [note for note in notes if note["type"] == "turn"]
    explained = [note for note in turns if note["explanation"]]
    assert 0 < len(explained) < len(turns)
    assert table.count("Avantage d'équité de ") + table.count("finit la partie") >= len(explained)
    summary = next(note for note in notes if note["type"] == "summary")
    for player in summary["players"]:
        assert f"{player['luck']:+.1f} ± {player['luck_error']:.1f}" in table
    gcg = run("annotate", str(GAME), "--explain", "--gcg").stdout
    assert explained[0]["explanation"]["text"] in gcg


def test_losses_by_words_and_by_choice_are_shown_beside_the_luck(run: Run, lexicon: Lexicon) -> None:
    plain = run("annotate", str(GAME), "--lexicon", lexicon.id).stdout
    assert f"kibitz train words --lexicon {lexicon.id}" in " ".join(plain.split())
    assert "lost by words" not in plain
    record = read_gcg(GAME.read_bytes()).record
    known = WordKnowledge(10_000, 39_103, 200_000, "club/0123456789ab")
    annotation = annotate(record, lexicon)
    summary = annotation.summary
    players = tuple([replace(one, words_loss=31.5, choice_loss=12.25) for one in summary.players])
    split = replace(
        annotation,
        heading=replace(annotation.heading, known_words=known),
        summary=replace(summary, players=players),
    )
    page = Page(annotation_page(split))
    for text in ("lost by words", "lost by choice", "31.5", "12.2"):
        assert text in page.texts
    assert any("39,103 words" in text and "10,000 games" in text for text in page.texts)


def test_the_page_marks_a_mistake_of_an_unproven_size(lexicon: Lexicon) -> None:
    annotation = annotate(read_gcg(GAME.read_bytes()).record, lexicon)
    at, note = [(at, note) for at, note in enumerate(annotation.notes) if isinstance(note, TurnNote)][-1]
    open_loss = replace(note, judged=replace(note.judged, loss=Loss(0.0, None, None, Bounds(0, 9))))
    notes = (*annotation.notes[:at], open_loss, *annotation.notes[at + 1 :])
    assert "mistake not proven" not in annotation_page(annotation)
    assert annotation_page(replace(annotation, notes=notes)).count("mistake not proven</span>") == 1


def test_no_luck_is_shown_as_minus_zero(lexicon: Lexicon) -> None:
    annotation = annotate(read_gcg(GAME.read_bytes()).record, lexicon)
    players = tuple(
        [replace(one, luck=-0.04, luck_error=1.0, luck_turns=1) for one in annotation.summary.players]
    )
    notes = tuple(
        [
            replace(note, luck=Luck(-0.04, 1.0)) if isinstance(note, TurnNote) else note
            for note in annotation.notes
        ]
    )
    summary = replace(annotation.summary, players=players)
    page = annotation_page(replace(annotation, notes=notes, summary=summary))
    assert "-0.0" not in page
    assert page.count("+0.0 ± 1.0") == len(players) + len(annotation.turns)


@pytest.mark.long
def test_a_page_shows_explanations_in_their_language(lexicon: Lexicon) -> None:
    record = read_gcg(GAME.read_bytes()).record
    annotation = annotate(record, lexicon, AnnotationOptions(explain=True, lang="fr"))
    page = Page(annotation_page(annotation))
    assert page.open == []
    texts = [note.explanation.text for note in annotation.turns if note.explanation is not None]
    assert texts
    for text in texts:
        assert text in page.texts  # the no-break spaces too
    french = [tag for tag, attributes in page.elements if attributes.get("lang") == "fr"]
    assert french == ["p"] * len(texts)
    assert sum("Luck of the draw: " in text for text in page.texts) == sum(
        player.luck_turns for player in annotation.summary.players
    )
    assert "Luck" not in annotation_page(annotate(record, lexicon))


@pytest.mark.parametrize("form", ["json", "gcg", "html"])
def test_the_annotation_is_written_to_a_file(run: Run, short: str, tmp_path: Path, form: str) -> None:
    printed = run("annotate", short, f"--{form}").stdout_bytes
    by_ending, by_option = tmp_path / f"out.{form}", tmp_path / "out"
    for arguments in (["--output", str(by_ending)], ["--output", str(by_option), f"--{form}"]):
        done = run("annotate", short, *arguments)
        assert (done.exit_code, done.stdout) == (0, ""), done.output
    assert by_ending.read_bytes() == by_option.read_bytes() == printed
    refused = run("annotate", short, "--output", str(tmp_path / "out.txt"))
    assert (refused.exit_code, (tmp_path / "out.txt").exists()) == (2, False)
