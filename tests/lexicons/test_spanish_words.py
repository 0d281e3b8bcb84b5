"""Spanish plurals and feminine forms, labelled lemmas, and the words generated from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.rules import tile_set
from lexicons.spanish_words import LEMMA_LABELS, Lemma, generate, read_lemmas
from lexicons.spanish_words.inflection import feminine, plurals
from lexicons.spanish_words.spelling import syllables

PLURALS = {
    "casa": "casas",
    "café": "cafés",
    "sofá": "sofás",
    "rubí": "rubíes rubís",
    "tabú": "tabúes tabús",
    "taxi": "taxis",
    "luz": "luces",
    "pared": "paredes",
    "mes": "meses",
    "francés": "franceses",
    "país": "países",
    "lunes": "",
    "tórax": "",
    "fax": "faxes",
    "ley": "leyes",
    "canción": "canciones",
    "joven": "jóvenes",
    "examen": "exámenes",
    "club": "clubs",
    "reloj": "relojes",
    "jersey": "jerseyes",
    "penalti": "penaltis",
    "hobby": "hobbis",
    "x": "",
}


@pytest.mark.parametrize("word", PLURALS)
def test_plurals(word: str) -> None:
    assert plurals(word) == tuple(PLURALS[word].split())


def test_feminine_forms() -> None:
    words = "niño autor español francés bailarín haragán comilón andaluz regordete alegre"
    assert [feminine(word) for word in words.split()] == [
        "niña",
        "autora",
        "española",
        "francesa",
        "bailarina",
        "haragana",
        "comilona",
        "andaluza",
        "regordeta",
        None,
    ]


def words_of(*lines: str) -> list[str]:
    return generate(list(read_lemmas(line.replace(" ", "\t") for line in lines)))


def test_the_words_of_nouns_and_adjectives() -> None:
    assert words_of("Niño feminine", "lápiz plural", "hoy invariable") == [
        "HOY",
        "LAPICES",
        "LAPIZ",
        "NIÑA",
        "NIÑAS",
        "NIÑO",
        "NIÑOS",
    ]


def test_an_old_word_has_no_inflected_forms() -> None:
    assert words_of("fablar old", "fermoso feminine,old") == ["FABLAR", "FERMOSO"]


def test_transitivity_decides_on_imperative_and_participle() -> None:
    endings = {
        label: {word.removeprefix("CAS") for word in words_of(f"casar {label}")}
        for label in ("transitive", "intransitive", "pronominal", "transitive,reflexive", "impersonal")
    }
    forms = {"ADA", "ADAS", "ADOS"}
    assert endings["transitive"] - endings["intransitive"] == forms
    assert endings["transitive"] - endings["pronominal"] == forms | {"AD"}
    assert endings["transitive,reflexive"] - endings["transitive"] == {"ARSE"}
    assert len(endings["transitive"]) == 46  # casás and casá of voseo are casas and casa without accents
    assert {"A", "ABA", "O", "ARA", "ANDO", "ADO", "E"} < endings["impersonal"]
    assert not {"AN", "AMOS", "AD"} & endings["impersonal"]


def test_voseo_is_generated() -> None:
    assert {"CONTAS", "CONTA", "TENES", "TENE", "DECI", "SOS"} <= set(
        words_of("contar transitive", "tener transitive", "decir transitive", "ser intransitive")
    )


def test_tiles_decide_what_is_a_word() -> None:
    # 17 letters, 15 tiles; 16 tiles; a letter; letters without tiles.
    assert words_of("desarrollarreches invariable") == ["DESARROLLARRECHES"]
    assert words_of("aaaaaaaaaaaaaaaa invariable", "y invariable", "kilo plural", "web plural") == []
    assert words_of("pingüino plural", "ñu invariable") == ["PINGÜINO".replace("Ü", "U"), "PINGUINOS", "ÑU"]


FAULTS = {
    "amar": "line 2 of the lemmas, 'amar': it must be a lemma, a tab and at least one label",
    "amar\t": "must be a lemma, a tab and at least one label",
    "\ttransitive": "must be a lemma, a tab and at least one label",
    "amar\tverb": "unknown label 'verb'; known: transitive",
    "mesa\ttransitive": "has a label of verbs, but 'mesa' is not an infinitive",
    "dos palabras\tplural": "characters that are not letters",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_faulty_line_of_lemmas_is_named(line: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        list(read_lemmas(["# lemmas", line]))
    assert FAULTS[line] in str(caught.value)
    assert caught.value.code == "bad_lemma"
    assert caught.value.params["line"] == 2


SPANISH = "abcdefghijlmnñopqrstuvxyz"
nouns = st.builds(
    str.__add__,
    st.text(SPANISH, min_size=2, max_size=12),
    st.sampled_from(("o", "a", "e", "ón", "és", "or", "z", "í", "d", "ez", "is", "ax", "y")),
)
nominal = st.builds(Lemma, nouns, st.sampled_from((frozenset({"plural"}), frozenset({"feminine"}))))
verbs = st.builds(
    Lemma,
    st.builds(str.__add__, st.text(SPANISH, min_size=1, max_size=12), st.sampled_from(("ar", "er", "ir"))),
    st.sets(st.sampled_from(sorted(LEMMA_LABELS)), min_size=1).map(frozenset),
)


@given(nouns.filter(lambda word: syllables(word) > 1 and not word.endswith("í")))  # rubís looks like anís
def test_a_plural_has_no_plural(word: str) -> None:
    for plural in plurals(word):
        assert plural != word
        assert plural.endswith("s")
        assert plurals(plural) == ()


@given(st.lists(nominal | verbs, max_size=5))
def test_words_are_sorted_distinct_and_fit_the_tiles(lemmas: list[Lemma]) -> None:
    alphabet = tile_set("spanish").alphabet
    words = generate(lemmas)
    assert all(first < second for first, second in pairwise(words))
    for word in words:
        codes = alphabet.encode_word(word)
        assert alphabet.word(codes) == word
        assert 2 <= len(codes) <= 15
    for lemma in lemmas:
        codes = alphabet.encode_word(lemma.text)
        assert (alphabet.word(codes) in words) == (2 <= len(codes) <= 15)


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    generate([Lemma("casa", frozenset({"plural"}))] * 1_500, lambda done, total: seen.append((done, total)))
    assert seen == [(0, 1_500), (1_000, 1_500), (1_500, 1_500)]
