"""Words are understood as each language writes them: by the judge, in searches and on racks."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

import kibitz
from engine import Catalogue, tile_set
from service.app import create_app
from service.cli import kibitz as commands
from service.settings import Settings
from tests.service.analyze_requests import codes
from tests.service.documented import DocumentedClient

if TYPE_CHECKING:
    from pathlib import Path

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
    ("romanian", "kg", "K"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of a few words in each language."""
    folder = tmp_path_factory.mktemp("languages")
    catalogue = Catalogue(folder)
    for name, words in WORDS.items():
        path = folder / f"{name}.txt"
        path.write_text("\n".join(words).translate({ord("["): None, ord("]"): None}), "utf-8")
        catalogue.build_from(path, tile_set(name), lexicon_id=name)
    return folder


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
