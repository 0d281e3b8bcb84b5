"""Conjugated Spanish verbs: models of each family beside their forms in print, spelling, and mistakes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from lexicons.spanish_words import VERB_PERSONS, VERB_TENSES, conjugate
from lexicons.spanish_words.endings import ending_set, regular_endings
from lexicons.spanish_words.families import families, families_of
from lexicons.spanish_words.spelling import syllables

CELLS = (
    ("present", "yo"),
    ("present", "tú"),
    ("present", "vos"),
    ("present", "nosotros"),
    ("present", "ellos"),
    ("preterite", "yo"),
    ("preterite", "él"),
    ("preterite", "ellos"),
    ("future", "yo"),
    ("conditional", "ellos"),
    ("subjunctive", "él"),
    ("subjunctive", "nosotros"),
    ("past_subjunctive_ra", "nosotros"),
    ("past_subjunctive_se", "él"),
    ("future_subjunctive", "yo"),
    ("imperative", "tú"),
    ("imperative", "vos"),
    ("imperative", "vosotros"),
    ("gerund", ""),
    ("participle", ""),
)

PRINTED = Path(__file__).with_name("spanish_paradigms.txt").read_text("utf-8")
ROWS = [line for line in PRINTED.splitlines() if not line.startswith("#")]

THESIS_SETS = {
    "E1": "o a as amos ais an",
    "E2": "a e o as es an en",
    "E3": "e es en",
    "E4": "ieron iera ieras ieramos ierais ieran iere ieres ieremos iereis ieren "
    "iese ieses iesemos ieseis iesen",
    "E5": "eron era eras eramos erais eran ere eres eremos ereis eren ese eses esemos eseis esen",
    "E6": "a as an ia ias iamos iais ian",
}
THESIS_SETS["E4'"] = THESIS_SETS["E4"] + " iendo io amos ais"
THESIS_SETS["E4''"] = THESIS_SETS["E4"] + " e o iste imos isteis"
THESIS_SETS["E5'"] = THESIS_SETS["E5"] + " endo o"
THESIS_SETS["E5''"] = THESIS_SETS["E5"] + " e o iste imos isteis"
THESIS_SETS["E6'"] = THESIS_SETS["E6"] + " e emos eis"
THESIS_SETS["E6''"] = THESIS_SETS["E6"] + " o amos ais"


def plain(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


@pytest.mark.parametrize("row", ROWS, ids=[row.split(":")[0] for row in ROWS])
def test_the_forms_of_a_verb_are_those_in_print(row: str) -> None:
    head, _, forms = row.partition(": ")
    number, verb = head.split()
    paradigm = conjugate(verb)
    assert [family.number for family in paradigm.families] == [int(number)]
    printed = dict(zip(CELLS, forms.split(), strict=True))
    assert {cell: "/".join(paradigm.cell(*cell)) for cell in CELLS} == printed


def test_every_family_has_a_printed_paradigm() -> None:
    printed = {(int(row.split()[0]), row.split()[1].rstrip(":")) for row in ROWS}
    models = {(family.number, model) for family in families() for model in family.model.split(", ")}
    assert models <= printed
    assert {number for number, _ in models} == set(range(39))
    assert sum(number == 38 for number, _ in models) == 12


@pytest.mark.parametrize("name", THESIS_SETS)
def test_an_ending_set_is_that_of_the_thesis(name: str) -> None:
    conjugation = regular_endings("ar" if name == "E2" else "er")
    endings = {
        plain(conjugation[cell] if ending == "*" else ending) for cell, ending in ending_set(name).items()
    }
    assert endings == set(THESIS_SETS[name].split())


@pytest.mark.parametrize(("verb", "count"), [("amar", 46), ("temer", 55), ("partir", 54)])
def test_a_regular_verb_has_as_many_inflections_as_the_thesis_counts(verb: str, count: int) -> None:
    # [Heuri, section 5.1], with the infinitive and without the voseo.
    paradigm = conjugate(verb)
    forms = {plain(form) for (_, person), cell in paradigm.forms.items() if person != "vos" for form in cell}
    participle = paradigm.cell("participle")[0][:-1]
    assert len(forms | {participle + ending for ending in ("a", "os", "as")}) == count


SPELLED = {
    "sacar": "saco saqué saque",
    "pagar": "pago pagué pague",
    "cazar": "cazo cacé cace",
    "averiguar": "averiguo averigüé averigüe",
    "proteger": "protejo protegí proteja",
    "dirigir": "dirijo dirigí dirija",
    "distinguir": "distingo distinguí distinga",
    "delinquir": "delinco delinquí delinca",
    "vencer": "venzo vencí venza",
    "zurcir": "zurzo zurcí zurza",
    "enviar": "envío envié envíe",
    "cambiar": "cambio cambié cambie",
    "guiar": "guío guie guíe",
    "actuar": "actúo actué actúe",
    "ahincar": "ahínco ahinqué ahínque",
    "limpiar": "limpio limpié limpie",
    "aislar": "aíslo aislé aísle",
    "reunir": "reúno reuní reúna",
    "prohibir": "prohíbo prohibí prohíba",
}


@pytest.mark.parametrize("verb", SPELLED)
def test_the_root_is_spelled_for_its_ending(verb: str) -> None:
    paradigm = conjugate(verb)
    cells = (("present", "yo"), ("preterite", "yo"), ("subjunctive", "él"))
    assert " ".join(paradigm.cell(*cell)[0] for cell in cells) == SPELLED[verb]


def test_a_verb_of_two_families_has_the_forms_of_both() -> None:
    paradigm = conjugate("asolar")
    assert [family.number for family in paradigm.families] == [0, 3]
    assert paradigm.cell("present", "yo") == ("asolo", "asuelo")


def test_irregular_participles() -> None:
    found = {
        verb: conjugate(verb).cell("participle") for verb in ("describir", "reabrir", "freír", "resolver")
    }
    assert found == {
        "describir": ("descrito",),
        "reabrir": ("reabierto",),
        "freír": ("freído", "frito"),
        "resolver": ("resuelto",),
    }


def test_compounds_follow_their_verb_but_verbs_that_look_alike_do_not() -> None:
    numbers = {
        verb: families_of(verb)[0].number
        for verb in (
            "abstener",
            "mantener",
            "mecer",
            "estremecer",
            "insertar",
            "intentar",
            "extinguir",
            "preguntar",
        )
    }
    assert numbers == {
        "abstener": 15,
        "mantener": 15,
        "mecer": 0,
        "estremecer": 1,
        "insertar": 0,
        "intentar": 0,
        "extinguir": 0,
        "preguntar": 0,
    }


def test_the_infinitive_in_se_gives_the_paradigm_of_its_verb() -> None:
    paradigm = conjugate("Abstenerse")
    assert (paradigm.infinitive, paradigm.pronominal) == ("abstener", "abstenerse")
    assert paradigm.forms == conjugate("abstener").forms


def test_accents_may_be_separate_characters() -> None:
    assert conjugate(unicodedata.normalize("NFD", "oír")) == conjugate("oír")


MISTAKES = {
    "mesa": "does not end in ar, er, ir",
    "": "is empty",
    "am4r": "contains '4'",
    "contár": "does not end in",
    "er": "has no root",
    "partír": "has an accent",
    "pr": "does not end in",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_what_is_no_infinitive_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(InvalidInput, match=MISTAKES[text]) as caught:
        conjugate(text)
    assert caught.value.code == "not_an_infinitive"


letters = st.text("abcdefghijlmnñopqrstuvxyz", min_size=1, max_size=10)


@given(letters, st.sampled_from(("ar", "er", "ir", "arse")))
def test_any_root_has_a_full_paradigm(root: str, ending: str) -> None:
    paradigm = conjugate(root + ending)
    empty = {("imperative", "yo")}
    cells = {(tense, person) for tense in VERB_TENSES for person in VERB_PERSONS} - empty
    assert cells <= paradigm.forms.keys()
    for forms in paradigm.forms.values():
        for form in forms:
            assert form.isalpha()
            assert sum(char in "áéíóú" for char in form) <= 1


def test_syllables() -> None:
    words = "guie dio reír aíslo averigüe construyó que país vi"
    assert [syllables(word) for word in words.split()] == [1, 1, 2, 3, 4, 3, 1, 2, 1]
