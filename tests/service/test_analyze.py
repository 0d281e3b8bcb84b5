"""/analyze: what it answers to positions and options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

OPENING = {"tiles": [], "rack": "CABDEFE"}
EMPTY_ROWS = ["." * 15] * 15
CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7
CAB_CGP = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"


def post(client: FlaskClient, **body: Any) -> TestResponse:
    return client.post("/analyze", json=body)


def answer(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = post(client, **body)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.get_json()
    return result


def codes(response: TestResponse) -> list[tuple[str, str]]:
    assert response.content_type == "application/problem+json"
    return [(error["pointer"], error["code"]) for error in response.get_json()["errors"]]


class TestPositions:
    def test_three_ways_to_give_one_position(self, client: FlaskClient) -> None:
        players = [{"score": 0}, {"score": 14}]
        tiles = [{"at": "8G", "letter": "C"}, {"at": "H8", "letter": "A"}, {"at": "8I", "letter": "B"}]
        bodies = [
            post(client, cgp=CAB_CGP).data,
            post(client, rows=CAB, rack="ADDEFS?", players=players).data,
            post(client, tiles=tiles, rack="?SFEDDA", players=players).data,
        ]
        # A CGP names no number of tiles for the other player, and neither do the fields here.
        assert bodies[0] == bodies[1] == bodies[2]

    def test_the_position_is_echoed_in_normal_form(self, client: FlaskClient) -> None:
        position = answer(client, rows=CAB, rack="?SFEDDA", zero_turns=1)["position"]
        assert position["cgp"] == "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/0 1 lex small;"
        assert len(position["id"]) == 64
        assert (position["board"], position["tile_set"], position["rules"]) == (
            "standard15",
            "english",
            "english",
        )
        assert position["bag_count"] == 100 - 3 - 7 - 7
        assert len(position["unseen"]) == 100 - 3 - 7

    @pytest.mark.parametrize(
        "body", [{}, {"rack": "A"}, {"cgp": CAB_CGP, "rows": CAB}, {"cgp": CAB_CGP, "rows": CAB, "tiles": []}]
    )
    def test_exactly_one_way_is_needed(self, client: FlaskClient, body: dict[str, Any]) -> None:
        response = client.post("/analyze", json=body)
        assert response.status_code == 422
        assert codes(response) == [("", "one_position_needed")]

    def test_fields_win_over_the_cgp(self, client: FlaskClient) -> None:
        cgp = CAB_CGP + " lex nowhere; ld german; bdn standard21; bb 40; gid g1;"
        position = answer(
            client,
            cgp=cgp,
            lexicon="SMALL",
            tile_set="english",
            board="wwf15",
            rules="english",
            rack="AB",
            zero_turns=2,
            players=[{"score": 5}, {"score": 6, "rack": "EE"}],
        )["position"]
        assert position["cgp"].endswith(" AB/EE 5/6 2 lex small; bdn wwf15; gid g1;")

    def test_rules_change_those_of_the_cgp(self, client: FlaskClient) -> None:
        position = answer(client, cgp=CAB_CGP + " bb 40; cr triple;", rules={"exchange_limit": 1})["position"]
        assert "bb 40; etl 1; cr triple;" in position["cgp"]
        assert position["rules"] == "custom"
        ruled = answer(client, cgp=CAB_CGP + " bb 40;", rules={"id": "spanish"})["position"]
        assert ruled["rules"] == "spanish"

    def test_a_board_of_ones_own(self, client: FlaskClient) -> None:
        grid = {"rows": ["T" + "." * 9] + ["." * 10] * 9, "starts": ["1A"]}
        result = answer(client, rows=["." * 10] * 10, board=grid, rack="CAB", top_n=200)
        # The board equals its transpose, so the plays across stand for those down as well.
        assert {move["at"] for move in result["moves"]} == {"1A"}
        assert result["moves"][0]["move"] == "1A CAB"
        assert result["moves"][0]["score"] == 3 * (3 + 1 + 3)

    def test_a_tile_set_of_ones_own(self, client: FlaskClient) -> None:
        letters = [{"letter": chr(65 + i), "count": 4, "value": 2} for i in range(26)] + [
            {"letter": "?", "count": 1}
        ]
        result = answer(client, rows=CAB, rack="DE?", tile_set=letters)
        assert result["position"]["tile_set"] == "custom"
        assert result["position"]["bag_count"] == 105 - 3 - 3 - 7

    def test_phonies_on_the_board_are_reported_not_refused(self, client: FlaskClient) -> None:
        rows = [*CAB[:7], "....CABXQ......", *CAB[8:]]
        result = answer(client, rows=rows, rack="ADE")
        assert result["phonies"] == [{"word": "CABXQ", "at": "8E"}]
        assert result["play_count"] > 0

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ({"rows": CAB[:14], "rack": "A"}, [("/rows", "board_needed")]),
            ({"rows": [*CAB[:14], "." * 14], "rack": "A"}, [("/rows/14", "bad_row_width")]),
            ({"rows": [*CAB[:14], "." * 14 + "!"], "rack": "A"}, [("/rows/14", "unknown_tile")]),
            ({"rows": CAB, "rack": "ÉA"}, [("/rack", "unknown_tile")]),
            ({"rows": CAB, "rack": "AAAAAAAA"}, [("/rack", "rack_too_long")]),
            ({"rows": CAB, "rack": "ZZ"}, [("/rack", "too_many_tiles")]),
            ({"rows": [*CAB[:14], "Q" + "." * 14], "rack": "A"}, None),
            ({"rows": CAB}, [("", "no_rack")]),
            ({"cgp": CAB_CGP.replace("ADDEFS?", "")}, [("/cgp", "no_rack")]),
            ({"cgp": "15/15"}, [("/cgp", "bad_cgp")]),
            ({"cgp": CAB_CGP.replace("/15", "/999999999", 1)}, None),
            ({"tiles": [{"at": "8P", "letter": "A"}], "rack": "A"}, [("/tiles/0/at", "off_board")]),
            ({"tiles": [{"at": "8A", "letter": "??"}], "rack": "A"}, [("/tiles/0/letter", "unknown_tile")]),
            ({**OPENING, "board": "nowhere"}, [("/board", "unknown_board")]),
            ({**OPENING, "tile_set": "klingon"}, [("/tile_set", "unknown_tile_set")]),
            ({**OPENING, "rules": "none"}, [("/rules", "unknown_rule_set")]),
            ({**OPENING, "tile_set": "german"}, [("/tile_set", "tile_set_mismatch")]),
            (
                {**OPENING, "board": {"rows": ["." * 10] * 9 + ["." * 9]}},
                [("/board/rows/9", "bad_row_width")],
            ),
            ({**OPENING, "board": {"rows": ["." * 10] * 10}}, [("/board/rows", "no_start_square")]),
            (
                {**OPENING, "board": {"rows": ["." * 11] * 11, "starts": ["1Z"]}},
                [("/board/starts/0", "off_board")],
            ),
            ({**OPENING, "players": [{}, {"rack": "1"}]}, [("/players/1/rack", "unknown_tile")]),
            ({**OPENING, "players": [{}, {"rack": "ZZ"}]}, [("/players/1/rack", "too_many_tiles")]),
        ],
    )
    def test_an_impossible_position_is_refused_and_pointed_at(
        self, client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]] | None
    ) -> None:
        response = client.post("/analyze", json=body)
        assert response.status_code == 422, response.text
        assert codes(response)
        if expected is not None:
            assert codes(response) == expected

    def test_all_faults_are_told_at_once_with_the_squares(self, client: FlaskClient) -> None:
        rows = [*CAB[:13], "Z" + "." * 14, "." * 14 + "Z"]
        response = post(client, rows=rows, rack="ZA")
        details = " ".join(error["detail"] for error in response.get_json()["errors"])
        assert response.status_code == 422
        assert "14A" in details
        assert "15O" in details
        assert "tile Z" in details

    @pytest.mark.parametrize(
        "body", [{**OPENING, "lexicon": "nowhere"}, {"cgp": CAB_CGP, "lexicon": "CSW99"}]
    )
    def test_an_unknown_lexicon_is_404(self, client: FlaskClient, body: dict[str, Any]) -> None:
        response = client.post("/analyze", json=body)
        assert response.status_code == 404
        assert response.get_json()["code"] == "unknown_lexicon"


class TestMoves:
    def test_fields_of_a_play(self, client: FlaskClient) -> None:
        result = answer(client, cgp=CAB_CGP, top_n=1)
        assert result["play_count"] > 100
        assert result["exchange_count"] == 95
        (move,) = result["moves"]
        assert move["rank"] == 1
        assert move["kind"] == "play"
        assert move["score"] == sum(word["score"] for word in move["words"]) + move["bonus"]
        assert move["word"] == move["words"][0]["word"]
        assert move["tiles_used"] == len(move["placed"]) == 7 - len(move["leave"])
        assert move["equity"] == pytest.approx(move["score"] + move["leave_value"], abs=0.002)
        assert 0 < move["win_pct"] < 100
        nulls = ("bingo_expectation", "is_fish", "sim", "endgame", "preendgame")
        assert [move[name] for name in nulls] == [None] * len(nulls)

    def test_words_formed_with_their_scores(self, client: FlaskClient) -> None:
        result = answer(client, cgp=CAB_CGP, compare=["9G DEAF", "7F FAD"])
        first, second = (item["move"] for item in result["compare"])
        words = {(word["word"], word["at"]): word["score"] for word in first["words"]}
        # 9G is a double letter and so is 9I: D counts twice in both of its words.
        assert words[("DEAF", "9G")] == 2 * 2 + 1 + 2 * 1 + 4
        assert set(words) >= {("DEAF", "9G"), ("CD", "G8"), ("AE", "H8"), ("BA", "I8")}
        assert sum(words.values()) == first["score"]
        assert {word["word"] for word in second["words"]} == {"FAD", "AC", "DA"}

    def test_a_bingo(self, client: FlaskClient) -> None:
        result = answer(client, tiles=[], rack="FADEDCB", compare=["8D FACaDED"], top_n=200)
        bingos = [move for move in result["moves"] if move["is_bingo"]]
        assert all(move["bonus"] == 50 and move["tiles_used"] == 7 for move in bingos)
        assert result["compare"][0]["fault"]["code"] == "tile_not_in_rack"

    def test_moves_are_sorted_and_ranked(self, client: FlaskClient) -> None:
        moves = answer(client, cgp=CAB_CGP, top_n=200)["moves"]
        assert [move["rank"] for move in moves] == list(range(1, 201))
        scores = [move["score"] for move in moves]
        assert scores == sorted(scores, reverse=True)

    def test_exchanges_and_the_pass_follow_the_plays(self, client: FlaskClient) -> None:
        result = answer(client, tiles=[], rack="AAB", include_exchanges=True, top_n=200)
        kinds = [move["kind"] for move in result["moves"]]
        assert kinds == sorted(kinds, key=["play", "exchange", "pass"].index)
        assert [move["move"] for move in result["moves"] if move["kind"] != "play"] == [
            "-A",
            "-B",
            "-AA",
            "-AB",
            "-AAB",
            "-",
        ]
        assert result["exchange_count"] == 5
        assert result["moves"][-1]["rank"] == result["play_count"] + 6
        assert result["moves"][-2]["leave"] == ""

    def test_no_exchange_from_a_small_bag(self, client: FlaskClient) -> None:
        result = answer(client, tiles=[], rack="AAB", include_exchanges=True, rules={"exchange_limit": 100})
        assert result["exchange_count"] == 0
        assert result["moves"][-1]["kind"] == "pass"

    def test_the_pass_is_listed_where_there_is_nothing_else(self, client: FlaskClient) -> None:
        result = answer(client, tiles=[], rack="V")
        assert result["play_count"] == 0
        assert [(move["rank"], move["move"]) for move in result["moves"]] == [(2, "-")]

    def test_the_options_are_echoed_resolved(self, client: FlaskClient) -> None:
        result = answer(client, cgp=CAB_CGP)
        assert (result["sort"], result["generator"], result["evaluator"]) == (
            "score",
            "internal_words",
            "static",
        )
        provenance = result["provenance"]
        assert provenance["lexicon"]["id"] == "small"
        assert (provenance["stopped_by"], provenance["deterministic"]) == ("complete", True)
        assert len(result["moves"]) == 10

    @pytest.mark.parametrize(
        ("option", "expected"),
        [
            ({"sort": "equity", "evaluator": "greedy"}, ("/sort", "sort_unavailable")),
            ({"sort": "beauty"}, ("/sort", "unknown_choice")),
            ({"evaluator": "greedy", "expect_bingos": True}, ("/evaluator", "evaluator_unavailable")),
            ({"expect_bingos": 1}, ("/expect_bingos", "wrong_type")),
            ({"evaluator": "oracle"}, ("/evaluator", "unknown_choice")),
            ({"generator": "magic"}, ("/generator", "unknown_choice")),
            ({"top_n": 0}, ("/top_n", "out_of_range")),
            ({"top_n": 201}, ("/top_n", "out_of_range")),
            ({"top_n": "10"}, ("/top_n", "wrong_type")),
            ({"top_n": 10.0}, ("/top_n", "wrong_type")),
            ({"top_n": True}, ("/top_n", "wrong_type")),
            ({"top_n": None}, ("/top_n", "wrong_type")),
            ({"include_exchanges": 1}, ("/include_exchanges", "wrong_type")),
            ({"compare": "8D X"}, ("/compare", "wrong_type")),
            ({"compare": [1]}, ("/compare/0", "wrong_type")),
            ({"compare": ["-"] * 51}, ("/compare", "out_of_range")),
            ({"simulate": 7}, ("/simulate", "wrong_type")),
            ({"zero_turns": 100}, ("/zero_turns", "out_of_range")),
            ({"players": [{}]}, ("/players", "out_of_range")),
            ({"players": [{"rack": "A"}, {}]}, ("/players/0/rack", "two_racks")),
            ({"players": [{}, {"name": "x"}]}, ("/players/1/name", "unknown_field")),
            ({"board": 7}, ("/board", "wrong_type")),
            ({"tile_set": {}}, ("/tile_set", "wrong_type")),
            ({"rules": {"bingo_bonus": "50"}}, ("/rules/bingo_bonus", "wrong_type")),
            ({"rack": "A\u0000"}, ("/rack", "invalid_text")),
        ],
    )
    def test_options_are_strict(
        self, client: FlaskClient, option: dict[str, Any], expected: tuple[str, str]
    ) -> None:
        response = client.post("/analyze", json={**OPENING, **option})
        assert response.status_code == 422
        assert codes(response) == [expected]


class TestCompare:
    def test_a_move_far_down_the_list_gets_its_rank(self, client: FlaskClient) -> None:
        everything = answer(client, cgp=CAB_CGP, top_n=200)["moves"]
        asked = [everything[150]["move"], everything[3]["move"]]
        compared = answer(client, cgp=CAB_CGP, top_n=1, compare=asked)["compare"]
        assert [item["move"] for item in compared] == [everything[150], everything[3]]
        assert all(item["legal"] and item["fault"] is None for item in compared)

    def test_notation_is_forgiving(self, client: FlaskClient) -> None:
        compared = answer(client, cgp=CAB_CGP, compare=["8G CABS", "8G (CAB)S", " 8g  ...S "])["compare"]
        assert {item["move"]["move"] for item in compared} == {"8G ...S"}

    def test_exchanges_and_the_pass_have_ranks_whether_listed_or_not(self, client: FlaskClient) -> None:
        result = answer(client, cgp=CAB_CGP, compare=["-?", "-ADDEFS?", "pass"])
        plays, exchanges = result["play_count"], result["exchange_count"]
        ranks = [item["move"]["rank"] for item in result["compare"]]
        assert ranks == [plays + 1, plays + exchanges, plays + exchanges + 1]

    def test_a_play_down_on_an_empty_symmetric_board_ranks_as_its_mirror_image(
        self, client: FlaskClient
    ) -> None:
        across, down, off = answer(client, tiles=[], rack="CABDEFE", compare=["8H CAB", "H8 CAB", "G8 CAB"])[
            "compare"
        ]
        assert across["legal"]
        assert down["legal"]
        assert down["move"]["move"] == "H8 CAB"
        assert down["move"]["rank"] == across["move"]["rank"]
        assert off["fault"]["code"] == "start_not_covered"

    @pytest.mark.parametrize(
        ("move", "code", "described"),
        [
            ("8G ...XQ", "tile_not_in_rack", True),
            ("8D DAF...", "not_in_lexicon", True),
            ("1A DEAF", "not_connected", True),
            ("-ZZ", "tile_not_in_rack", True),
            ("8G DOG", "square_taken", False),
            ("8Q A", "off_board", False),
            ("hello", "bad_move", False),
            ("8N FADED", "off_board", False),
            ("9A F", "lone_tile", False),
            ("8G C", None, False),
        ],
    )
    def test_an_illegal_move_says_why_and_hides_nothing(
        self, client: FlaskClient, move: str, code: str | None, described: bool
    ) -> None:
        first, second = answer(client, cgp=CAB_CGP, compare=[move, "8G ...S"])["compare"]
        assert second["legal"]
        assert first["legal"] is False
        assert first["asked"] == move
        assert first["fault"]["detail"]
        assert code is None or first["fault"]["code"] == code
        assert (first["move"] is not None) == described
        if described:
            assert first["move"]["rank"] is None

    def test_a_phony_names_its_words_and_is_scored(self, client: FlaskClient) -> None:
        (item,) = answer(client, cgp=CAB_CGP, compare=["8D DAF..."])["compare"]
        assert "DAFCAB" in item["fault"]["detail"]
        assert [(word["word"], word["valid"]) for word in item["move"]["words"]] == [("DAFCAB", False)]
        assert item["move"]["score"] > 0


class TestGet:
    def test_it_gives_the_bytes_of_post(self, client: FlaskClient) -> None:
        options = {"top_n": 3, "include_exchanges": True, "compare": ["8G ...S", "-A"], "rack": "SAD"}
        got = client.get(
            "/analyze",
            query_string={
                "cgp": CAB_CGP,
                "top_n": "3",
                "include_exchanges": "true",
                "rack": "SAD",
                "compare": ["8G ...S", "-A"],
            },
        )
        assert got.status_code == 200, got.text
        assert got.data == post(client, cgp=CAB_CGP, **options).data

    def test_a_known_answer_is_304_and_not_computed(self, client: FlaskClient) -> None:
        got = client.get("/analyze", query_string={"cgp": CAB_CGP})
        etag = got.headers["ETag"]
        assert etag.startswith('"')
        for tags in (etag, f'"x", {etag}', f"W/{etag}"):
            again = client.get("/analyze", query_string={"cgp": CAB_CGP}, headers={"If-None-Match": tags})
            assert (again.status_code, again.data) == (304, b"")
            assert again.headers["ETag"] == etag
            assert "Server-Timing" not in again.headers

    def test_other_requests_have_other_tags(self, client: FlaskClient) -> None:
        queries = [{"cgp": CAB_CGP}, {"cgp": CAB_CGP, "top_n": "9"}, {"cgp": CAB_CGP.replace("0/14", "0/15")}]
        tags = {client.get("/analyze", query_string=query).headers["ETag"] for query in queries}
        assert len(tags) == 3

    def test_the_same_position_written_otherwise_has_the_same_tag(self, client: FlaskClient) -> None:
        queries = [
            {"cgp": CAB_CGP},
            {"cgp": CAB_CGP.replace("ADDEFS?", "?SFEDDA") + " lex SMALL;", "top_n": "10"},
        ]
        tags = {client.get("/analyze", query_string=query).headers["ETag"] for query in queries}
        assert len(tags) == 1

    def test_a_star_does_not_match_what_nobody_has_seen(self, client: FlaskClient) -> None:
        got = client.get("/analyze", query_string={"cgp": "15/15"}, headers={"If-None-Match": "*"})
        assert got.status_code == 422

    def test_never_304_on_post(self, client: FlaskClient) -> None:
        etag = client.get("/analyze", query_string={"cgp": CAB_CGP}).headers["ETag"]
        assert (
            client.post("/analyze", json={"cgp": CAB_CGP}, headers={"If-None-Match": etag}).status_code == 200
        )

    @pytest.mark.parametrize(
        ("query", "status", "code"),
        [
            ("", 422, "missing_field"),
            ("cgp=x&cgp=y", 400, "duplicate_key"),
            ("cgp=x&rows=y", 422, "unknown_field"),
            ("cgp=15/15&top_n=010", 422, "wrong_type"),
            ("cgp=15/15&top_n=1_0", 422, "wrong_type"),
            ("cgp=15/15&top_n=10.0", 422, "wrong_type"),
            ("cgp=15/15&top_n=%D9%A3", 422, "wrong_type"),
            ("cgp=15/15&top_n=" + "9" * 30, 422, "wrong_type"),
            ("cgp=15/15&include_exchanges=1", 422, "wrong_type"),
            ("cgp=15/15&include_exchanges=TRUE", 422, "wrong_type"),
            ("cgp=%ff%fe", 422, "bad_cgp"),
            ("cgp=%00", 422, "invalid_text"),
        ],
    )
    def test_a_bad_query(self, client: FlaskClient, query: str, status: int, code: str) -> None:
        response = client.get("/analyze?" + query)
        assert (response.status_code, response.get_json()["code"]) == (status, code)


class TestEveryAnswer:
    def test_the_same_bytes_every_time_with_and_without_the_cache(
        self, client: FlaskClient, app: Any
    ) -> None:
        from engine import AnalysisOptions, AnalysisRequest, analyze, parse_cgp
        from service.schemas.answers import dump_analysis

        first = post(client, cgp=CAB_CGP, top_n=50)
        second = post(client, cgp=CAB_CGP, top_n=50)
        assert 'cache;desc="hit"' in second.headers["Server-Timing"]
        position = parse_cgp(CAB_CGP, lexicon="small")
        bare = analyze(
            AnalysisRequest(position, AnalysisOptions(top_n=50)),
            app.extensions["kibitz"].catalogue.open("small"),
        )
        assert first.data == second.data == dump_analysis(bare)

    def test_times_stand_in_the_header_only(self, client: FlaskClient) -> None:
        response = post(client, cgp=CAB_CGP, top_n=77)
        names = [part.split(";")[0] for part in response.headers["Server-Timing"].split(", ")]
        assert names == ["board", "gen", "eval", "total", "cache"]
        assert "timings" not in response.get_json()

    def test_the_order_of_the_fields_is_fixed(self, client: FlaskClient) -> None:
        pairs = json.loads(post(client, cgp=CAB_CGP).data, object_pairs_hook=list)
        assert [name for name, _ in pairs] == [
            "position",
            "sort",
            "generator",
            "evaluator",
            "phase",
            "play_count",
            "exchange_count",
            "moves",
            "compare",
            "phonies",
            "warnings",
            "provenance",
        ]


def test_a_fault_says_what_would_be_right(client: FlaskClient) -> None:
    asked = {"tiles": [{"at": "8D", "leter": "Q"}], "rack": "A", "topn": 3, "simulate": {"iteration": 5}}
    errors = {e["pointer"]: e["detail"] for e in client.post("/analyze", json=asked).get_json()["errors"]}
    assert errors["/tiles/0/leter"] == "no such field; did you mean letter? known here: at, letter, blank"
    assert errors["/topn"].startswith("no such field; did you mean top_n? known here: top_n, sort, ")
    assert "did you mean iterations?" in errors["/simulate/iteration"]
    rows = client.post("/analyze", json={"rows": ["..."], "rack": "A"}).get_json()
    assert rows["detail"] == "must have 10 to 26 rows"
    query = client.get("/analyze?cgp=x&topn=1").get_json()
    assert "did you mean top_n?" in query["detail"]
