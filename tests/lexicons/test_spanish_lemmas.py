"""The bundled Spanish lemmas, the script that labels them, and how well the generated words fit FILE 2017."""

from __future__ import annotations

import importlib.util
import lzma
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lexicons.spanish_words import SPANISH_LEMMAS, Lemma, generate, read_lemmas

if TYPE_CHECKING:
    from collections.abc import Iterator

LEXICONS = Path(__file__).parents[2] / "lexicons"

AFFIXES = """\
SET UTF-8
PFX h Y 1
PFX h 0 des .
SFX R Y 1
SFX R ar ó ar
SFX D Y 1
SFX D r do r
SFX P Y 1
SFX P r miento/S r
SFX S Y 1
SFX S 0 s .
SFX G Y 1
SFX G o a o
SFX À Y 1
SFX À 0 lo r
"""

ENTRIES = """\
19
cantar/RDÀ
atar/RDPh
queja/S
quejar/RD
fablar
chico/GS
lopeño/GS
hoy
cantarlo
cantando
etc
nevisca
neviscaba
neviscará
neviscó
neviscara
neviscar
Abad
a-b
"""

LISTED = """\
cantar
chico
mesa
primo
prima
quejarse
amante
casuela
tantear
fablarse
"""


@pytest.fixture(scope="module")
def script() -> Iterator[Any]:
    """The script, as a module; it imports its neighbour by name, as it does when it runs."""
    sys.path.insert(0, str(LEXICONS))
    try:
        spec = importlib.util.spec_from_file_location("label_spanish", LEXICONS / "label_spanish.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(LEXICONS))


@pytest.fixture(scope="module")
def bundled_lemmas() -> dict[str, Lemma]:
    text = lzma.decompress(SPANISH_LEMMAS.read_bytes()).decode()
    return {lemma.text: lemma for lemma in read_lemmas(text.splitlines())}


def test_labels_follow_what_the_lists_say(script: Any, tmp_path: Path) -> None:
    hunspell, listed = tmp_path / "usr/share/hunspell", tmp_path / "usr/share/dict"
    hunspell.mkdir(parents=True)
    listed.mkdir(parents=True)
    (hunspell / "es_ES.aff").write_text(AFFIXES, "utf-8")
    (hunspell / "es_ES.dic").write_text(ENTRIES, "utf-8")
    (listed / "spanish").write_text(LISTED, "utf-8")
    text = script.label(tmp_path)
    labels = dict(line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    assert labels == {
        "atar": "transitive",
        "atamiento": "plural",
        "cantar": "transitive",
        "chico": "feminine",
        "desatamiento": "plural",
        "desatar": "transitive",
        "fablar": "old",
        "hoy": "invariable",
        "mesa": "plural",
        "neviscar": "impersonal",
        "primo": "feminine",
        "queja": "plural",
        "quejar": "pronominal,reflexive",
    }


def test_the_bundled_lemmas_can_be_read(bundled_lemmas: dict[str, Lemma]) -> None:
    counts = Counter(label for lemma in bundled_lemmas.values() for label in lemma.labels)
    assert len(bundled_lemmas) > 70_000
    assert counts["transitive"] > 8_000
    assert counts["old"] > 800
    found = {
        word: ",".join(sorted(bundled_lemmas[word].labels))
        for word in (
            "amar",
            "existir",
            "arrepentir",
            "fablar",
            "llover",
            "niño",
            "lápiz",
            "hoy",
            "lloviznar",
        )
    }
    assert found == {
        "amar": "transitive",
        "existir": "intransitive",
        "arrepentir": "pronominal",
        "fablar": "old",
        "llover": "transitive",
        "lloviznar": "impersonal",
        "niño": "feminine",
        "lápiz": "plural",
        "hoy": "invariable",
    }
    assert not {"dámelo", "etc", "cantando", "España"} & bundled_lemmas.keys()


@pytest.mark.slow
def test_precision_and_recall(bundled_lemmas: dict[str, Lemma], shared_data: Path) -> None:
    words = set(generate(list(bundled_lemmas.values())))
    listed = set((shared_data / "lexica" / "file2017.txt").read_text("utf-8").split())
    common = len(words & listed)
    assert common / len(words) > 0.942
    assert common / len(listed) > 0.857
