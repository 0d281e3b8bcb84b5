"""Words are understood as each language writes them: by the judge, in searches and on racks."""

from __future__ import annotations

import json
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

import kibitz
from engine import Catalogue, tile_set
from kibitz.cli import kibitz as commands
from service.app import create_app
from service.settings import Settings
from tests.service.analyze_requests import codes
from tests.service.documented import DocumentedClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

WORDS = {
    "catalan": ["A[NY]", "[QU]E", "CO[L·L]EGI", "FEIÇA"],
    "czech": ["CHLÉB", "PŘÍLIŠ"],
    "danish": ["ÅL", "ALLE"],
    "dutch": ["IJS"],
    "french": ["ETE", "COEUR", "GARCON"],
    "german": ["ÄPFEL", "STRASSE"],
    "polish": ["ŁOŚ", "ŻÓŁĆ", "LOS"],
    "portuguese": ["AÇAO"],
    "romanian": ["TARA"],
    "spanish": ["AÑO", "CAMION", "[CH]ICO", "E[LL]A", "PE[RR]O", "PINGUINO"],
}
UNDERSTOOD = [
    # the word as somebody may type it, and its tiles
    ("spanish", "camión", "CAMION"),
    ("spanish", "CAMIÓN", "CAMION"),
    ("spanish", "pingüino", "PINGUINO"),
    ("spanish", "año", "AÑO"),
    ("spanish", "Chico", "[CH]ICO"),
    ("spanish", "[ch]ico", "[CH]ICO"),
    ("spanish", "perro", "PE[RR]O"),
    ("spanish", "ella", "E[LL]A"),
    ("french", "été", "ETE"),
    ("french", "cœur", "COEUR"),
    ("french", "garçon", "GARCON"),
    ("german", "äpfel", "ÄPFEL"),
    ("german", "Straße", "STRASSE"),
    ("german", "STRAẞE", "STRASSE"),
    ("polish", "łoś", "ŁOŚ"),
    ("polish", "ŻÓŁĆ", "ŻÓŁĆ"),
    ("catalan", "any", "A[NY]"),
    ("catalan", "què", "[QU]E"),
    ("catalan", "col·legi", "CO[L·L]EGI"),
    ("catalan", "col.legi", "CO[L·L]EGI"),
    ("catalan", "feiça", "FEIÇA"),
    ("czech", "příliš", "PŘÍLIŠ"),
    ("czech", "chléb", "CHLÉB"),
    ("danish", "ål", "ÅL"),
    ("danish", "allé", "ALLE"),
    ("dutch", "ĳs", "IJS"),
    ("portuguese", "ação", "AÇAO"),
    ("romanian", "țară", "TARA"),
    ("romanian", "ţară", "TARA"),
]
OTHER_WORDS = [
    # what differs in a letter of the language, or in its tiles, is another word
    ("spanish", "ano"),
    ("spanish", "[C][H]ICO"),
    ("spanish", "E[L][L]A"),
    ("spanish", "PE[R][R]O"),
    ("german", "apfel"),
    ("german", "aepfel"),
    ("polish", "łos"),
    ("polish", "zółć"),
    ("catalan", "feica"),
    ("czech", "prilis"),
    ("danish", "al"),
    ("portuguese", "acao"),
]
NO_TILE = [
    ("spanish", "kilo", "K"),
    ("catalan", "[N]Y", "Y"),
    ("catalan", "iraq", "Q"),
]


WORD_LIST = Path(__file__).parents[2] / "service" / "static" / "judge" / "word_list.js"
IN_A_BROWSER = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { judged, readWordList } = await import(pathToFileURL(process.argv[2]));
const { answers, cases } = JSON.parse(readFileSync(0, "utf-8"));
const lists = new Map(Object.entries(answers).map(([name, answer]) => [name, readWordList(answer)]));
console.log(JSON.stringify(cases.map(([name, text]) => judged(lists.get(name), text))));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tables of a few words in each language, in place of the bundled ones of the same names."""
    folder = tmp_path_factory.mktemp("languages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Catalogue.__init__.__kwdefaults__, "bundled", folder / "nothing")
        catalogue = Catalogue(folder)
        for name, words in WORDS.items():
            path = folder / f"{name}.txt"
            path.write_text("\n".join(words).translate({ord("["): None, ord("]"): None}), "utf-8")
            catalogue.build_from(path, tile_set(name), lexicon_id=name)
        yield folder


@pytest.fixture(scope="module")
def languages(folder: Path) -> FlaskClient:
    app = create_app(Settings(data=folder, lexicon="spanish", log_level="error"))
    app.test_client_class = DocumentedClient
    return app.test_client()


def judged(client: FlaskClient, folder: Path, lexicon: str, word: str) -> bool:
    """Return the verdict on a word, after checking that HTTP and the command line agree."""
    response = client.post("/words/judge", json={"lexicon": lexicon, "words": [word]})
    assert response.status_code == 200, response.text
    acceptable: bool = response.get_json()["acceptable"]
    environment = {"KIBITZ_DATA": str(folder)}
    done = CliRunner().invoke(commands, ["judge", word, "--lexicon", lexicon], env=environment)
    assert done.exit_code == (0 if acceptable else 1), done.output
    report = client.get(f"/lexicons/{lexicon}/words/{quote(word)}").get_json()
    assert report["valid"] is acceptable
    return acceptable


@pytest.mark.parametrize(("lexicon", "word", "tiles"), UNDERSTOOD)
def test_a_word_is_understood(
    languages: FlaskClient, folder: Path, lexicon: str, word: str, tiles: str
) -> None:
    for form in (word, unicodedata.normalize("NFD", word)):
        assert judged(languages, folder, lexicon, form)
        report = languages.get(f"/lexicons/{lexicon}/words/{quote(form)}").get_json()
        assert report["tiles"] == tiles
        if "[" not in form:
            assert form in kibitz.Lexicon.open(lexicon, data=folder)
        query = {"pattern": form}
        found = languages.get(f"/lexicons/{lexicon}/search", query_string=query).get_json()
        assert [one["tiles"] for one in found["words"]] == [tiles]


@pytest.mark.parametrize(("lexicon", "word"), OTHER_WORDS)
def test_another_letter_or_tile_is_another_word(
    languages: FlaskClient, folder: Path, lexicon: str, word: str
) -> None:
    assert not judged(languages, folder, lexicon, word)


@pytest.mark.process
def test_the_word_judge_in_the_browser_understands_words_as_the_service_does(
    languages: FlaskClient, tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed; `make test` installs it")
    typed = [(name, word) for name, word, *_ in (*UNDERSTOOD, *OTHER_WORDS, *NO_TILE) if "[" not in word]
    more = [
        "Ǻl",
        "œuf",
        "Ĳs",
        "Ŀl",
        "ꜳ",
        "ŉa",
        "ế",
        "ﬁl",
        "ab",
        "x\u0301\u0323y",
        "A\u030a\u0301L",
        "İi",
        "ıi",
    ]
    forms = [
        *((name, unicodedata.normalize(form, word)) for name, word in typed for form in ("NFC", "NFD")),
        *((name, word) for name in WORDS for word in more),
    ]
    answers = {name: languages.get(f"/lexicons/{name}/graph").get_json() for name in WORDS}
    script = tmp_path / "judge.mjs"
    script.write_text(IN_A_BROWSER)
    asked = json.dumps({"answers": answers, "cases": forms})
    done = subprocess.run(
        [node, script, WORD_LIST], input=asked, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    for (name, word), ruling in zip(forms, json.loads(done.stdout), strict=True):
        said = languages.post("/words/judge", json={"lexicon": name, "words": [word]})
        if said.status_code == 422:
            codes_by_fault = {"no_tile": "unknown_letter", "too_short": "one_letter_word"}
            assert [code for _, code in codes(said)] == [codes_by_fault[ruling["fault"]]], (name, word)
        else:
            assert ruling["acceptable"] is said.get_json()["acceptable"], (name, word)


@pytest.mark.parametrize(("lexicon", "word", "letter"), NO_TILE)
def test_a_letter_without_a_tile_is_named(
    languages: FlaskClient, folder: Path, lexicon: str, word: str, letter: str
) -> None:
    response = languages.post("/words/judge", json={"lexicon": lexicon, "words": [word]})
    assert (response.status_code, codes(response)) == (422, [("/words/0", "unknown_letter")])
    assert repr(letter) in response.get_json()["errors"][0]["detail"]
    done = CliRunner().invoke(
        commands, ["judge", word, "--lexicon", lexicon], env={"KIBITZ_DATA": str(folder)}
    )
    assert done.exit_code == 2
    assert repr(letter) in done.output


@pytest.mark.parametrize(
    ("lexicon", "tiles", "rack"),
    [
        ("spanish", "ÑU", "ÑU"),
        ("spanish", "[CH]CHO", "C[CH]HO"),
        ("german", "ÄE", "ÄE"),
        ("polish", "ŻÓŁĆ", "ĆŁÓŻ"),
        ("catalan", "NYQU[L·L]Ç", "Ç[L·L][NY][QU]"),
    ],
)
def test_a_rack_is_understood(languages: FlaskClient, lexicon: str, tiles: str, rack: str) -> None:
    for form in (tiles, unicodedata.normalize("NFD", tiles)):
        body: dict[str, Any] = {"lexicon": lexicon, "tiles": [], "rack": form}
        answer = languages.post("/analyze", json=body).get_json()
        assert answer["position"]["cgp"].split()[1] == f"{rack}/"


@pytest.mark.parametrize(
    ("lexicon", "tiles", "named"),
    [("spanish", "CAMIÓN", "Ó"), ("french", "ÉTÉ", "É"), ("romanian", "ȚA", "Ț"), ("polish", "ÄA", "Ä")],
)
def test_a_rack_holds_no_letter_that_is_not_a_tile(
    languages: FlaskClient, lexicon: str, tiles: str, named: str
) -> None:
    """It may mean that the tile set is another one."""
    response = languages.post("/analyze", json={"lexicon": lexicon, "tiles": [], "rack": tiles})
    assert codes(response) == [("/rack", "unknown_tile")]
    assert f"'{named}'" in response.get_json()["errors"][0]["detail"]


@pytest.mark.parametrize(
    ("lexicon", "tiles", "word"),
    [
        ("spanish", "nóimac", "CAMION"),
        ("spanish", "oñá", "AÑO"),
        ("german", "ßerats", "STRASSE"),
        ("french", "été", "ETE"),
    ],
)
def test_tiles_of_a_search_are_understood_in_lower_case(
    languages: FlaskClient, lexicon: str, tiles: str, word: str
) -> None:
    answer = languages.get(f"/lexicons/{lexicon}/search", query_string={"tiles": tiles}).get_json()
    assert [one["word"] for one in answer["words"]] == [word]


TILES_DECIDE = [
    # lexicon, rack, a play of the word, and whether it is acceptable
    ("spanish", "[CH]ICO", "8H CHICO", True),
    ("spanish", "[CH]ICO", "8H [CH]ICO", True),
    ("spanish", "CHICO", "8H CHICO", False),
    ("spanish", "E[LL]AS", "8H ELLA", True),
    ("spanish", "ELLAS", "8H ELLA", False),
    ("spanish", "PE[RR]O", "8H PERRO", True),
    ("spanish", "PERRO", "8H PERRO", False),
    ("spanish", "?ICO", "8H chICO", True),
    ("spanish", "AN\u0303O", "8H AN\u0303O", True),
    ("catalan", "A[NY]S", "8H ANY", True),
    ("catalan", "ANY", "8H ANY", True),
    ("catalan", "[QU]E", "8H QUE", True),
    ("catalan", "CO[L·L]EGI", "8H COL·LEGI", True),
    ("catalan", "CO[L·L]EGI", "8H COL.LEGI", True),
    ("catalan", "COLLEGI", "8H COLLEGI", False),
    ("dutch", "IJS", "8H IJS", True),
    ("dutch", "IJS", "8H Ĳs", False),
    ("czech", "CHLE\u0301B", "8H CHLÉB", True),
    ("german", "STRASSE", "8H STRASSE", True),
]
"""Both readings of two letters are acceptable only where both letters are tiles and the pair is none."""


@pytest.mark.parametrize(("lexicon", "rack", "play", "acceptable"), TILES_DECIDE)
def test_a_play_is_judged_by_its_tiles(
    languages: FlaskClient, folder: Path, lexicon: str, rack: str, play: str, acceptable: bool
) -> None:
    cgp = f"{'/'.join(['15'] * 15)} {rack}/ 0/0 0"
    body = {"lexicon": lexicon, "cgp": cgp, "play": play}
    response = languages.post("/words/judge", json=body)
    verdict = response.status_code == 200 and response.get_json()["acceptable"]
    assert verdict is acceptable, response.text
    asked = ["judge", "--cgp", cgp, "--play", play, "--lexicon", lexicon]
    done = CliRunner().invoke(commands, asked, env={"KIBITZ_DATA": str(folder)})
    assert (done.exit_code == 0) is acceptable, done.output


@pytest.mark.parametrize("on_board", [True, False])
@pytest.mark.parametrize("lexicon", sorted(WORDS))
def test_positions_are_understood_with_accents_apart(
    languages: FlaskClient, folder: Path, lexicon: str, on_board: bool
) -> None:
    """By /analyze, /hints and /board.svg, and by `kibitz analyze` and `kibitz hint`."""
    tiles = WORDS[lexicon][0]
    alphabet = tile_set(lexicon).alphabet
    rows = ["15"] * 15
    if on_board:
        rows[7] = f"7{tiles}{8 - len(alphabet.tokenize(tiles))}"
    cgp = f"{'/'.join(rows)} {'E?' if on_board else tiles}/ 0/0 0 ld {lexicon};"
    answers = []
    for form in (cgp, unicodedata.normalize("NFD", cgp)):
        position = {"cgp": form, "lexicon": lexicon}
        analyzed = languages.post("/analyze", json=position)
        hinted = languages.post("/hints", json={**position, "level": 4})
        drawn = languages.get("/board.svg", query_string={"cgp": form})
        for response in (analyzed, hinted, drawn):
            assert response.status_code == 200, response.text
        assert analyzed.get_json()["position"]["cgp"].split()[0].split("/")[7] == rows[7]
        printed = []
        for asked in ("analyze", "hint"):
            arguments = [asked, form, "--lexicon", lexicon]
            done = CliRunner().invoke(commands, arguments, env={"KIBITZ_DATA": str(folder)})
            assert done.exit_code == 0, done.output
            printed.append(done.output)
        answers.append((analyzed.get_json()["moves"], hinted.get_json(), drawn.text, printed))
    assert answers[0] == answers[1]
