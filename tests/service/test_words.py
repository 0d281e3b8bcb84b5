"""/words/judge and /lexicons/{id}: verdicts that reveal nothing else, word reports and searches."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from benchmarks.measurements.search import QUERIES, search_times
from engine import Lexicon
from tests.service.analyze_requests import codes
from tests.service.test_fuzz import SEED, mutate

if TYPE_CHECKING:
    from flask.testing import FlaskClient

GOOD = ["cab", "ad", "face"]
PHONY = "zzq"
CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7
RULES = ("void", "single", "double", "triple", "5pt", "10pt")


def judge(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/words/judge", json=body)
    assert response.status_code == 200, response.text
    assert response.headers["Cache-Control"] == "no-store, no-transform"
    assert "ETag" not in response.headers
    answer: dict[str, Any] = response.get_json()
    return answer


class TestVerdicts:
    def test_words_are_judged_together(self, client: FlaskClient, lexicon: Lexicon) -> None:
        answer = judge(client, words=GOOD)
        assert list(answer) == [
            "acceptable", "word_count", "lexicon", "position", "consequence", "ruling_id", "provenance",
        ]  # fmt: skip
        assert (answer["acceptable"], answer["word_count"]) == (True, 3)
        assert answer["lexicon"] == {"id": "small", "sha256": lexicon.sha256}
        assert not judge(client, words=[*GOOD, PHONY])["acceptable"]
        assert not judge(client, words=["a" * 128])["acceptable"]
        assert judge(client, words=["CAB"]) == judge(client, words=["cab"], lexicon="SMALL")

    def test_all_words_of_a_play_are_judged(self, client: FlaskClient) -> None:
        answer = judge(client, rows=CAB, play="J7 BED")  # CABE is none
        assert (answer["acceptable"], answer["word_count"]) == (False, 2)
        assert answer["position"]["cgp"].startswith("15/15/15/15/15/15/15/6CAB6/15/")
        analyzed = client.post("/analyze", json={"rows": CAB, "rack": "E"}).get_json()
        known = judge(client, rows=CAB, rack="E", play="G7 E.")
        assert known["position"]["id"] == analyzed["position"]["id"]
        assert judge(client, rows=CAB, play="8G ...s")["acceptable"]
        assert judge(client, rows=CAB, play="H7 B.")["word_count"] == 1
        assert judge(client, tiles=[], play="8H Cab")["acceptable"]

    def test_the_place_of_the_phony_changes_nothing(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same number of look-ups and the same bytes, with a phony at any place and without one."""
        looked: list[bytes] = []
        contains = Lexicon.contains

        def counted(self: Lexicon, word: bytes) -> bool:
            looked.append(word)
            return contains(self, word)

        monkeypatch.setattr(Lexicon, "contains", counted)
        seen = set()
        for place in (None, 0, 1, 2):
            words = list(GOOD)
            if place is not None:
                words[place] = PHONY[: len(words[place])].ljust(len(words[place]), "q")
            looked.clear()
            response = client.post("/words/judge", json={"words": words})
            assert len(looked) == 3
            body = response.data
            head, _ = body.split(b'"ruling_id":"')
            seen.add((place is None, head, len(body)))
        assert len(seen) == 2
        assert len({length for _, _, length in seen}) == 1

    @pytest.mark.parametrize(("rules", "per"), [("german", "word"), ("french", "word"), ("english", "play")])
    def test_the_rules_say_what_points_are_counted_for(
        self, client: FlaskClient, rules: str, per: str
    ) -> None:
        answer = client.post("/words/judge", json={"words": GOOD, "rules": rules}).get_json()
        assert answer["consequence"]["per"] == per
        other = client.post("/words/judge", json={"words": GOOD, "rules": rules, "penalty_per": "play"})
        assert other.get_json()["consequence"]["per"] == "play"

    @pytest.mark.parametrize("rule", RULES)
    @pytest.mark.parametrize("per", ["play", "word"])
    def test_both_verdicts_are_the_same_bytes_but_for_the_verdict(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, rule: str, per: str
    ) -> None:
        body = {"words": GOOD, "challenge_rule": rule, "penalty_per": per}
        answers = []
        for verdict in (True, False):
            monkeypatch.setattr(Lexicon, "contains", lambda self, word, verdict=verdict: verdict)
            answers.append(client.post("/words/judge", json=body))
        assert len({len(answer.data) for answer in answers}) == 1
        assert (
            len({str(sorted(answer.headers)) for answer in answers if answer.headers.pop("X-Request-ID")})
            == 1
        )
        accepted, refused = (answer.get_json() for answer in answers)
        for name in ("word_count", "lexicon", "position", "ruling_id"):
            assert accepted[name] == refused[name]

    def test_the_ruling_names_what_was_judged(self, client: FlaskClient) -> None:
        one = judge(client, words=GOOD)
        assert judge(client, words=GOOD[::-1]) == one
        others = [
            judge(client, words=GOOD[:2]),
            judge(client, words=[*GOOD, GOOD[0]]),
            judge(client, words=GOOD, challenge_rule="void"),
            judge(client, words=GOOD, penalty_per="word"),
            judge(client, rows=CAB, play="8G ...s"),
            judge(client, rows=CAB, play="8G ...s", zero_turns=1),
        ]
        assert len({answer["ruling_id"] for answer in [one, *others]}) == 7


class TestConsequences:
    CASES = (
        # rule, per, acceptable -> play stands, again, turn lost by, game lost by, bonus
        ("void", "play", True, (True, False, None, None, 0)),
        ("void", "play", False, (False, True, None, None, 0)),
        ("single", "play", True, (True, False, None, None, 0)),
        ("single", "play", False, (False, False, "player", None, 0)),
        ("double", "play", True, (True, False, "challenger", None, 0)),
        ("double", "play", False, (False, False, "player", None, 0)),
        ("triple", "play", True, (True, False, None, "challenger", 0)),
        ("triple", "play", False, (False, False, None, "player", 0)),
        ("5pt", "play", True, (True, False, None, None, 5)),
        ("5pt", "word", True, (True, False, None, None, 15)),
        ("5pt", "word", False, (False, False, "player", None, 0)),
        ("10pt", "play", True, (True, False, None, None, 10)),
        ("10pt", "word", True, (True, False, None, None, 30)),
        ("10pt", "play", False, (False, False, "player", None, 0)),
    )

    @pytest.mark.parametrize(("rule", "per", "acceptable", "expected"), CASES)
    def test_what_follows(
        self, client: FlaskClient, rule: str, per: str, acceptable: bool, expected: tuple[Any, ...]
    ) -> None:
        words = GOOD if acceptable else [*GOOD[:2], PHONY]
        answer = judge(client, words=words, challenge_rule=rule, penalty_per=per)
        assert answer["acceptable"] is acceptable
        assert list(answer["consequence"].values()) == [rule, per, *expected]

    def test_the_rule_is_that_of_the_game_unless_one_is_given(self, client: FlaskClient) -> None:
        def rule(**body: Any) -> str:
            found: str = judge(client, **body)["consequence"]["rule"]
            return found

        assert rule(words=GOOD) == "double"
        assert rule(words=GOOD, rules="english_wespa") == "5pt"
        assert rule(words=GOOD, rules={"challenge_rule": "void"}) == "void"
        assert rule(words=GOOD, rules="english_wespa", challenge_rule="triple") == "triple"
        assert rule(rows=CAB, play="8G ...S") == "double"
        assert rule(rows=CAB, play="8G ...S", rules="english_wespa") == "5pt"
        cgp = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 / 0/0 0 cr 10pt;"
        assert rule(cgp=cgp, play="8G ...S") == "10pt"


class TestRefusals:
    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ({}, [("", "one_of_words_and_play")]),
            ({"words": GOOD, "play": "8G ...S"}, [("", "one_of_words_and_play")]),
            ({"play": "8G ...S"}, [("", "one_position_needed")]),
            (
                {"words": GOOD, "rows": CAB, "rack": "A"},
                [("/rows", "needs_a_play"), ("/rack", "needs_a_play")],
            ),
            ({"words": []}, [("/words", "out_of_range")]),
            ({"words": ["ab"] * 21}, [("/words", "out_of_range")]),
            ({"words": ["ab"] * 401}, [("/words", "out_of_range")]),
            ({"words": ["ab", "a"]}, [("/words/1", "one_letter_word")]),
            ({"words": ["ab", "a1"]}, [("/words/1", "unknown_letter")]),
            ({"words": ["ab", 7]}, [("/words/1", "wrong_type")]),
            ({"words": GOOD, "challenge_rule": "7pt"}, [("/challenge_rule", "unknown_choice")]),
            ({"words": GOOD, "penalty_per": "letter"}, [("/penalty_per", "unknown_choice")]),
            ({"words": GOOD, "rules": "nobody's"}, [("/rules", "unknown_rule_set")]),
            ({"rows": CAB, "play": "-"}, [("/play", "not_a_play")]),
            ({"rows": CAB, "play": "-ABC"}, [("/play", "not_a_play")]),
            ({"rows": CAB, "play": "nonsense"}, [("/play", "bad_move")]),
            ({"rows": CAB, "play": "1A FACE"}, [("/play", "not_connected")]),
            ({"tiles": [], "play": "1A FACE"}, [("/play", "start_not_covered")]),
            ({"rows": CAB, "play": "8G FACE"}, [("/play", "square_taken")]),
            ({"rows": CAB, "rack": "AB", "play": "8G ...S"}, [("/play", "tile_not_in_rack")]),
            ({"rows": CAB, "play": "8G ...S", "tile_set": "spanish"}, [("/tile_set", "tile_set_mismatch")]),
        ],
    )
    def test_what_cannot_be_judged(
        self, client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]]
    ) -> None:
        response = client.post("/words/judge", json=body)
        assert response.status_code == 422
        assert codes(response) == expected

    def test_an_unknown_lexicon(self, client: FlaskClient) -> None:
        response = client.post("/words/judge", json={"words": GOOD, "lexicon": "nothing"})
        assert (response.status_code, codes(response)) == (404, [("/lexicon", "unknown_lexicon")])
        for address in ("/lexicons/nothing/words/cab", "/lexicons/nothing/search"):
            response = client.get(address)
            assert (response.status_code, codes(response)) == (404, [("/lexicon", "unknown_lexicon")])


class TestWord:
    def test_what_is_known_of_a_word(self, client: FlaskClient, lexicon: Lexicon) -> None:
        answer = client.get("/lexicons/small/words/Cabs").get_json()
        assert list(answer) == [
            "word", "tiles", "length", "valid", "score", "front_hooks", "back_hooks", "inner_hooks",
            "anagrams", "lexicon", "provenance",
        ]  # fmt: skip
        assert (answer["word"], answer["valid"], answer["score"]) == ("CABS", True, 8)
        assert answer["inner_hooks"]["back"] is True
        assert "S" in client.get("/lexicons/small/words/cab").get_json()["back_hooks"]
        assert client.get("/lexicons/SMALL/words/zzq").get_json()["valid"] is False
        assert client.get("/lexicons/small/words/" + quote("Çâbs")).get_json() == answer

    def test_the_etag_saves_the_work(self, client: FlaskClient) -> None:
        for address in ("/lexicons/small/words/cab", "/lexicons/small/search?pattern=c*&limit=3"):
            first = client.get(address)
            tag = first.headers["ETag"]
            again = client.get(address, headers={"If-None-Match": tag})
            assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
            assert client.get(address, headers={"If-None-Match": "*"}).status_code == 200
            assert (
                client.get(address + "s" if "words" in address else address[:-1] + "4").headers["ETag"] != tag
            )

    @pytest.mark.parametrize("word", ["a1", "a?", "[CH]", "%00", "a b", "x" * 200, "%F0%9F%80%80", "%FF"])
    def test_what_is_no_word(self, client: FlaskClient, word: str) -> None:
        response = client.get("/lexicons/small/words/" + (word if "%" in word else quote(word)))
        assert response.status_code == 422
        assert codes(response) in ([("/word", "unknown_letter")], [("/word", "too_long")])


class TestSearch:
    def test_body_and_query_ask_the_same(self, client: FlaskClient) -> None:
        body = {"pattern": "?a*", "tiles": "CABDEF?", "use": "some", "max_length": 5, "limit": 7}
        posted = client.post("/lexicons/small/search", json=body)
        assert posted.status_code == 200
        assert client.get("/lexicons/small/search", query_string=body).data == posted.data
        answer = posted.get_json()
        assert list(answer) == ["lexicon", "total", "words", "cursor", "provenance"]
        assert len(answer["words"]) == 7 < answer["total"]
        assert all(found["word"][1] == "A" and found["length"] <= 5 for found in answer["words"])

    def test_every_condition_counts(self, client: FlaskClient) -> None:
        def found(**body: Any) -> list[str]:
            answer = client.post("/lexicons/small/search", json={"limit": 500, **body}).get_json()
            return [item["word"] for item in answer["words"]]

        assert found(includes="Q", excludes="U", max_length=2) == ["QI"]
        assert found(pattern="[EF]A[^AEIOU]", takes_prefix="F", takes_suffix="S") == ["EAR", "EAT"]
        likely = found(min_length=7, max_length=7, max_place=9, sort="probability")
        assert sorted(likely) == found(min_length=7, max_length=7, max_place=9)
        assert set(found(min_length=7, max_length=7, max_rank=1)) <= set(found(tiles=likely[0]))
        assert found(in_lexicon="small", max_length=2) == found(max_length=2)
        assert found(not_in_lexicon="small") == []
        assert found(max_points=2, min_vowels=2, max_anagrams=1) == ["AI", "OO", "OU"]

    @pytest.mark.long
    def test_the_pages_together_have_all_words(self, client: FlaskClient, lexicon: Lexicon) -> None:
        found: list[str] = []
        body: dict[str, Any] = {"limit": 500, "min_length": 5}
        while True:
            answer = client.post("/lexicons/small/search", json=body).get_json()
            found += [item["word"] for item in answer["words"]]
            if answer["cursor"] is None:
                break
            body["cursor"] = answer["cursor"]
        expected = [word for word in lexicon.words() if len(word) >= 5]
        spell = lexicon.tile_set.alphabet.word
        assert found == [spell(word) for word in sorted(expected, key=lambda word: (len(word), word))]
        assert answer["total"] == len(found)

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ({"pattern": "c4"}, ("/pattern", "unknown_letter")),
            ({"tiles": "C*"}, ("/tiles", "unknown_tile")),
            ({"min_length": 9, "max_length": 3}, ("/min_length", "lengths_cross")),
            ({"use": "most"}, ("/use", "unknown_choice")),
            ({"includes": "A?"}, ("/includes", "unknown_letter")),
            ({"takes_prefix": "4"}, ("/takes_prefix", "unknown_letter")),
            ({"pattern": "[]"}, ("/pattern", "unknown_letter")),
            ({"min_vowels": 3, "max_vowels": 2}, ("/min_vowels", "limits_cross")),
            ({"min_rank": 0}, ("/min_rank", "out_of_range")),
            ({"sort": "length"}, ("/sort", "unknown_choice")),
            ({"limit": 501}, ("/limit", "out_of_range")),
            ({"cursor": "AAAA"}, ("/cursor", "bad_cursor")),
            ({"page": 2}, ("/page", "unknown_field")),
        ],
    )
    def test_what_cannot_be_searched(
        self, client: FlaskClient, body: dict[str, Any], expected: tuple[str, str]
    ) -> None:
        for response in (
            client.post("/lexicons/small/search", json=body),
            client.get("/lexicons/small/search", query_string=body),
        ):
            assert (response.status_code, codes(response)) == (422, [expected])


def test_the_bench_finds_what_the_plain_way_finds(lexicon: Lexicon) -> None:
    done: list[tuple[int, int]] = []
    rows = search_times(lexicon, 1, lambda *step: done.append(step))
    assert done[-1] == (len(QUERIES), len(QUERIES))
    assert [row["query"] for row in rows] == list(QUERIES)
    assert sum(row["words"] > 0 for row in rows) >= 5
    assert all(row["ms"] > 0 and row["plain_ms"] > 0 for row in rows)


VALID: dict[str, dict[str, Any]] = {
    "/words/judge": {
        "rows": CAB, "rack": "EDS", "play": "8G ...S", "challenge_rule": "5pt", "penalty_per": "word",
        "lexicon": "small", "rules": {"bingo_bonus": 35},
    },
    "/lexicons/small/search": {
        "pattern": "[^AEIOU]A*", "tiles": "CABDEF?", "use": "some", "min_length": 3, "max_length": 6,
        "includes": "A", "excludes": "F", "min_points": 3, "max_rank": 900, "max_place": 20,
        "sort": "probability", "limit": 9,
    },
    "/hints": {"rows": CAB, "rack": "EDS", "level": 4, "reveal": True, "evaluator": "heuri6"},
    "/leaves": {"rows": CAB, "racks": ["EDS", "A?"], "parts": False, "lexicon": "small"},
    "/play": {
        "rows": CAB, "rack": "EDS", "move": "8G ...S", "seed": 3, "passes": 1, "zero_turns": 2,
        "players": [{"score": 3}, {"score": 4, "tile_count": 7}],
    },
    "/board.svg": {
        "rows": CAB, "play": "8G ...S", "size": 300, "coordinates": True, "board": "standard15",
        "tile_set": "english", "lexicon": "small",
    },
}  # fmt: skip


@pytest.mark.parametrize("path", VALID)
@pytest.mark.long
def test_changes_at_random_never_break_it(client: FlaskClient, path: str) -> None:
    rng = random.Random(SEED)
    statuses = set()
    for _ in range(250):
        content = json.loads(json.dumps(VALID[path]))
        for _ in range(rng.randint(0, 2)):
            mutate(rng, content)
        response = client.post(path, data=json.dumps(content), content_type="application/json")
        statuses.add(response.status_code)
        assert response.status_code in (200, 400, 404, 422), (content, response.text)
    assert {200, 422} <= statuses


def test_a_field_named_by_its_last_word_is_known_again(client: FlaskClient) -> None:
    answer = client.post("/words/judge", json={"words": ["AB"], "rule": "5pt"})
    assert answer.status_code == 422
    assert "did you mean rules or challenge_rule?" in answer.get_json()["detail"]
