"""/lexicons/{lexicon}/word-lists, /stems and /diff: pages with an ETag, bounded, equal to the engine's."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from engine import Catalogue, ComparedList, bingo_stems, lexicon_diff, study_list, study_words, tile_set
from service.app import create_app
from service.settings import Settings
from tests.service.analyze_requests import codes
from tests.service.documented import DocumentedClient

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from engine import Lexicon

OLD = "AA AB CAB FACE GONE SATINED EASTING".split()  # noqa: SIM905 - words
NEW = "AA AB CAB CABS SCAB FACE FACED SATINED RETINAS EASTING".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of two English lists and a Catalan one, `old`, `new` and `catalan`."""
    folder = tmp_path_factory.mktemp("lists")
    catalogue = Catalogue(folder)
    for name, words, tiles in (
        ("old", OLD, "english"), ("new", NEW, "english"), ("catalan", ["AA"], "catalan"),
    ):  # fmt: skip
        (folder / f"{name}.txt").write_text("\n".join(words))
        catalogue.build_from(folder / f"{name}.txt", tile_set(tiles), lexicon_id=name)
    return folder


@pytest.fixture(scope="module")
def lists(folder: Path) -> FlaskClient:
    app = create_app(Settings(data=folder, lexicon="old", log_level="error", searches=1))
    app.test_client_class = DocumentedClient
    return app.test_client()


def get(client: FlaskClient, address: str, **query: Any) -> dict[str, Any]:
    response = client.get(address, query_string=query)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    return answer


@pytest.mark.parametrize("name", ["bingos", "threes", "hooks", "high"])
def test_the_pages_together_are_the_list(client: FlaskClient, lexicon: Lexicon, name: str) -> None:
    expected = [asdict(word) for word in study_words(study_list(name).select(lexicon))]
    for word in expected:
        word["front_hooks"], word["back_hooks"] = list(word["front_hooks"]), list(word["back_hooks"])
    found: list[dict[str, Any]] = []
    query: dict[str, Any] = {"list": name, "limit": 500}
    while query.get("cursor", "") is not None and len(found) < 1500:
        answer = get(client, "/lexicons/small/word-lists", **query)
        found += answer["words"]
        query["cursor"] = answer["cursor"]
        assert (answer["list"], answer["total"]) == (name, len(expected))
    assert found == expected[: len(found)]
    assert len(found) == min(len(expected), 1500)


def test_lengths_of_a_list_can_be_chosen(client: FlaskClient) -> None:
    answer = get(client, "/lexicons/small/word-lists", list="hooks", min_length=4, max_length=4, limit=3)
    assert [word["length"] for word in answer["words"]] == [4, 4, 4]


def test_the_stems_are_those_of_the_engine(client: FlaskClient, lexicon: Lexicon) -> None:
    answer = get(client, "/lexicons/small/stems", limit=2)
    best = bingo_stems(lexicon, 2)
    assert [stem["tiles"] for stem in answer["stems"]] == [stem.tiles for stem in best]
    assert answer["stems"][0]["letters"][0]["words"] == list(best[0].letters[0].words)


def test_a_diff_counts_all_and_lists_a_part(lists: FlaskClient, folder: Path) -> None:
    answer = get(lists, "/lexicons/new/diff", old="OLD")
    assert answer["total"] == {"old": 7, "new": 10, "added": 4, "gone": 1, "hooks": 2}
    assert (answer["words"], answer["hooks"]) == (["CABS", "SCAB", "FACED", "RETINAS"], None)
    assert (answer["old"]["id"], answer["lexicon"]["id"]) == ("old", "new")
    assert get(lists, "/lexicons/new/diff") == answer  # the default lexicon is the old one
    assert get(lists, "/lexicons/new/diff", old="old", part="gone")["words"] == ["GONE"]
    first = get(lists, "/lexicons/new/diff", part="hooks", limit=1)
    second = get(lists, "/lexicons/new/diff", part="hooks", limit=1, cursor=first["cursor"])
    compared = [ComparedList.of_lexicon(Catalogue(folder).open(name)) for name in ("old", "new")]
    assert [change["word"] for page in (first, second) for change in page["hooks"]] == ["CAB", "FACE"]
    assert [change.back_added for change in lexicon_diff(*compared).hook_changes()] == [("S",), ("D",)]
    assert first["hooks"][0]["front_added"] == ["S"]
    assert second["cursor"] is None


def test_a_search_may_ask_for_words_of_another_list(lists: FlaskClient) -> None:
    def found(**query: str) -> list[str]:
        return [word["word"] for word in get(lists, "/lexicons/new/search", **query)["words"]]

    assert found(not_in_lexicon="OLD") == ["CABS", "SCAB", "FACED", "RETINAS"]
    assert found(in_lexicon="old", excludes="A") == []
    assert found(in_lexicon="old", max_length="3") == ["AA", "AB", "CAB"]
    assert lists.post("/lexicons/new/search", json={"in_lexicon": "old", "limit": 1}).get_json()["total"] == 6
    tags = {lists.get(f"/lexicons/new/search?{name}=old").headers["ETag"] for name in
            ("in_lexicon", "not_in_lexicon")}  # fmt: skip
    assert len(tags) == 2


def test_what_has_not_changed_is_not_sent_again(lists: FlaskClient) -> None:
    tags = set()
    for address in (
        "/lexicons/new/diff?old=old",
        "/lexicons/old/diff?old=new",
        "/lexicons/new/diff?old=old&part=gone",
        "/lexicons/new/word-lists",
        "/lexicons/new/word-lists?list=twos",
        "/lexicons/new/stems",
        "/lexicons/new/stems?limit=1",
    ):
        tag = lists.get(address).headers["ETag"]
        again = lists.get(address, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        tags.add(tag)
    assert len(tags) == 7


@pytest.mark.parametrize(
    ("address", "status", "expected"),
    [
        ("/lexicons/new/search?in_lexicon=none", 404, ("/in_lexicon", "unknown_lexicon")),
        ("/lexicons/new/search?not_in_lexicon=catalan", 422, ("/not_in_lexicon", "tile_set_mismatch")),
        ("/lexicons/none/diff", 404, ("/lexicon", "unknown_lexicon")),
        ("/lexicons/none/stems", 404, ("/lexicon", "unknown_lexicon")),
        ("/lexicons/new/diff?old=none", 404, ("/old", "unknown_lexicon")),
        ("/lexicons/new/diff?old=catalan", 422, ("/old", "tile_set_mismatch")),
        ("/lexicons/new/diff?part=all", 422, ("/part", "unknown_choice")),
        ("/lexicons/new/diff?cursor=AAAA", 422, ("/cursor", "bad_cursor")),
        ("/lexicons/new/diff?limit=501", 422, ("/limit", "out_of_range")),
        ("/lexicons/new/word-lists?list=nouns", 422, ("/list", "unknown_choice")),
        ("/lexicons/new/word-lists?cursor=AAAA", 422, ("/cursor", "bad_cursor")),
        ("/lexicons/new/word-lists?min_length=5&max_length=4", 422, ("/min_length", "lengths_cross")),
        ("/lexicons/catalan/word-lists?list=q-without-u", 422, ("/list", "list_needs_letters")),
        ("/lexicons/new/stems?limit=101", 422, ("/limit", "out_of_range")),
    ],
)
def test_what_is_refused(lists: FlaskClient, address: str, status: int, expected: tuple[str, str]) -> None:
    response = lists.get(address)
    assert (response.status_code, codes(response)) == (status, [expected])


def test_a_cursor_belongs_to_its_request(lists: FlaskClient) -> None:
    cursor = get(lists, "/lexicons/new/diff", limit=1)["cursor"]
    for query in ({"part": "gone"}, {"old": "new"}):
        response = lists.get("/lexicons/new/diff", query_string={**query, "cursor": cursor})
        assert codes(response) == [("/cursor", "bad_cursor")]


def test_the_work_needs_a_slot(lists: FlaskClient) -> None:
    tag = lists.get("/lexicons/new/diff").headers["ETag"]
    with lists.application.extensions["kibitz"].searches.slot():
        for address in (
            "/lexicons/new/diff",
            "/lexicons/new/stems",
            "/lexicons/new/word-lists",
            "/lexicons/new/search?max_rank=9",
            "/lexicons/new/search?in_lexicon=old",
            "/lexicons/new/search?sort=probability",
        ):
            response = lists.get(address)
            assert (response.status_code, response.get_json()["code"]) == (503, "busy")
            assert response.headers["Retry-After"]
        assert lists.get("/lexicons/new/search?includes=A").status_code == 200
        again = lists.get("/lexicons/new/diff", headers={"If-None-Match": tag})
        assert again.status_code == 304
