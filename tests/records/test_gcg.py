"""GCG: what is written is read, leniently and by line; what is read is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.records.gcg import (
    Event,
    EventKind,
    GameRecord,
    PlayerName,
    format_gcg,
    parse_gcg,
    read_gcg,
    replay_game,
)
from tests.records.gcg_codes import TWO, WAITE, codes

# What the wild writes.


@pytest.mark.parametrize(
    "text",
    [
        TWO + ">a: AEITW 8D WAITE +24 24\n>b: DEEFINO 7C DEFO +22 22\n",
        TWO + ">a: AEITW 8D WAITE +24 24\r\n>b: DEEFINO 7C DEFO +22 22\r\n",
        TWO + ">a:   AEITW\t8D WAITE +24   24   \n\n\n>b: DEEFINO 7C DEFO +22 22",
        TWO.replace("#player", "#Player") + ">a: AEITW 8D WAITE +24 24\r>b: DEEFINO 7C DEFO +22 22\r",
        TWO + ">a: AEITW 8d WAITE +24 24\n>b: 7C DEFO +22 22\n",
    ],
)
def test_variants_of_the_notation_are_the_same_game(text: str) -> None:
    assert codes(text) == []
    replay = replay_game(parse_gcg(text))
    assert [turn.points for turn in replay.turns] == [24, 22]
    alphabet = replay.tile_set.alphabet
    assert replay.final.board.rows(alphabet)[6] == "..DEFO........."
    assert [player.score for player in replay.final.players] == [24, 22]


def test_tiles_on_the_board_as_dots_in_parentheses_or_repeated() -> None:
    start = TWO + ">a: AEITW 8D WAITE +24 24\n"
    plays = [">b: SR D8 .RS +6 6\n", ">b: SR D8 (W)RS +6 6\n", ">b: SR D8 WRS +6 6\n"]
    finals = [replay_game(parse_gcg(start + play)).final for play in plays]
    assert finals[0] == finals[1] == finals[2]
    assert [codes(start + play) for play in plays] == [[], [], []]


def test_blanks_exchanges_passes_and_unknown_racks() -> None:
    text = (
        TWO
        + ">a: ?AEITWW 8D WaITE +22 22\n>b: -5 +0 0\n>a: - +0 22\n>b: ABCDEFG -ABC +0 0\n>a: 7D TO +8 30\n"
    )
    replay = replay_game(parse_gcg(text))
    kinds = [turn.event.kind for turn in replay.turns]
    assert kinds == ["play", "exchange", "pass", "exchange", "play"]
    assert codes(text) == []
    assert replay.turns[3].move is not None
    assert replay.turns[1].move is None
    assert replay.turns[4].position.zero_turns == 3
    # What a must still hold of the rack of the first turn.
    known = replay.turns[2].position.players[0].known_tiles
    assert known is not None
    assert known.text(replay.tile_set.alphabet) == "AW"


def test_spanish_tiles_of_two_characters() -> None:
    text = (
        "#character-encoding UTF-8\n" + TWO + "#lexicon FISE2\n"
        ">a: A[CH]ILEÑ? 8E [CH]I[ll]A +14 14\n>b: [RR]O 7G [RR]O +35 35\n"
    )
    replay = replay_game(parse_gcg(text))
    assert (replay.tile_set.id, replay.rules.id) == ("spanish", "spanish")
    assert replay.final.board.rows(replay.tile_set.alphabet)[7].replace(".", "") == "[CH]I[ll]A"
    assert [turn.points for turn in replay.turns] == [turn.event.score for turn in replay.turns]
    assert codes(text) == []


def test_encodings() -> None:
    text = "#player1 é Émile\n#player2 b B\n>é: AEITW 8D WAITE +24 24\n"
    for data, encoding, said in [
        (text.encode("latin-1"), "iso-8859-1", []),
        (text.encode(), "utf-8", ["(encoding_guessed)"]),
        (b"\xef\xbb\xbf" + text.encode(), "utf-8", ["(byte_order_mark)"]),
        (text.encode("utf-16"), "utf-16-le", ["(byte_order_mark)"]),
        (b"\xfe\xff" + text.encode("utf-16-be"), "utf-16-be", ["(byte_order_mark)"]),
        (text.encode("utf-16-le"), "utf-16-le", ["(encoding_guessed)"]),
        (text.encode("utf-16-be"), "utf-16-be", ["(encoding_guessed)"]),
        (b"#character-encoding utf8\r\n" + text.encode(), "utf-8", []),
        (b"#character-encoding ISO-8859-15\n" + text.encode("iso-8859-15"), "iso-8859-15", []),
        (b"#character-encoding windows-1252\n" + text.encode("cp1252"), "cp1252", []),
        (b"#character-encoding UTF-8\n" + text.encode("latin-1"), "utf-8", ["bad_encoding"]),
        (b"#character-encoding KOI8-R\n" + text.encode(), "utf-8", ["unsupported_encoding"]),
    ]:
        reading = read_gcg(data)
        assert reading.encoding == encoding
        assert codes(data) == said
        if said != ["bad_encoding"]:
            assert reading.record.players[0] == PlayerName("é", "Émile")
    assert read_gcg(b"#character-encoding UTF-8\n\xff\n").faults[0].line == 2
    half = read_gcg(text.encode("utf-16-le") + b">").faults
    assert [(fault.code, fault.line) for fault in half] == [("bad_encoding", 4)]


def test_a_record_too_long_is_refused() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_gcg(b"#" * (1 << 20) + b"#")
    assert caught.value.code == "gcg_too_long"


def test_a_record_has_at_most_300_events() -> None:
    assert len(read_gcg(TWO + ">a: - +0 0\n" * 300).record.events) == 300
    with pytest.raises(InvalidInput, match="line 303: a record has at most 300 events") as caught:
        read_gcg(TWO + ">a: - +0 0\n" * 2000)
    (fault,) = caught.value.faults
    assert (fault.code, fault.field) == ("too_many_events", "gcg/303")
    assert fault.params == {"line": 303, "limit": 300}


def test_unknown_pragmas_and_stray_lines_are_part_of_the_record() -> None:
    text = (
        "#style x y\n#player1 a\n#player2 b\n# a remark\nstray\n>a: AEITW 8D WAITE +24 24\n"
        "#mood good\n#note\n#note > not an event\nand more\n#lexicon NWL23\n"
        ">c: nobody\n#incomplete\n#rack2 ABC\n"
    )
    reading = read_gcg(text)
    record = reading.record
    assert record.pragmas == (("lexicon", "NWL23"), ("incomplete", ""), ("style", "x y"), ("", "a remark"))
    assert record.note == "stray"
    assert record.events[0].pragmas == (("mood", "good"),)
    assert record.events[0].note == "\n> not an event\nand more"
    assert (record.events[1].kind, record.events[1].text) == (EventKind.UNREADABLE, ">c: nobody")
    assert record.last_racks == ("", "ABC")
    assert [fault.code for fault in reading.faults] == ["unreadable_event"]
    assert [fault.code for fault in reading.warnings] == ["stray_text", "late_pragma"]
    assert read_gcg(format_gcg(record)).record == record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">x: AEITW 8D WAITE +24 24\n", ["event_before_player", "missing_player"]),
        ("#player1 a\n#player2 a\n", ["(duplicate_nickname)"]),
        ("#player1 a\n#player1 b\n", ["duplicate_player", "missing_player"]),
        ("#player2 a\n", ["bad_player", "empty_record"]),
        ("#player1\n", ["bad_player", "empty_record"]),
        (TWO + "#rack3 ABC\n", ["unknown_player"]),
        (TWO + "#rack1 ABC\n#rack1 ABC\n", ["redundant_pragma"]),
        (TWO + "#rack1 A B\n", ["bad_rack"]),
        (TWO + "#title x\n#title x\n", ["(redundant_pragma)"]),
        (TWO + "#title x\n#title y\n", ["redundant_pragma"]),
        (TWO + "#character-encoding UTF-8\n", ["(late_encoding)"]),
        (TWO + "  >a: - +0 0\n", ["(indented_line)"]),
        (TWO + ">a:\n", ["unreadable_event"]),
        (TWO + ">a: +0 0\n", ["unreadable_event"]),
        (TWO + ">a: A B 8D AB +0 0\n", ["unreadable_event"]),
        (TWO + ">a: 8D +0 0\n", ["unreadable_event"]),
        (TWO + ">a: 8D\n", ["unreadable_event"]),
        (TWO + ">a: ABC -ABC\n", ["unreadable_event"]),
        (TWO + ">a: ABC 8D ABC +0 0 AB, OR\n", ["(trailing_text)"]),
        (TWO + ">c: ABC 8D ABC +0 0 AB, OR\n", ["unknown_player", "(trailing_text)"]),
        (TWO + ">a: ABC\n", ["unreadable_event"]),
        (TWO + ">a ABC - +0 0\n", ["unreadable_event"]),
        (TWO + ">a: - \n", ["(missing_score)"]),
        (TWO + ">a: - +0\n", ["(missing_total)"]),
        (TWO + ">a: - 0 0\n", ["(unsigned_score)"]),
    ],
)
def test_faults_of_the_text(text: str, expected: list[str]) -> None:
    reading = read_gcg(text)
    found = [*reading.faults, *reading.warnings]
    assert [f"({fault.code})" if fault.warning else fault.code for fault in found] == expected
    assert read_gcg(format_gcg(reading.record)).record == reading.record


def test_words_listed_after_the_scores_become_a_note() -> None:
    reading = read_gcg(WAITE + ">b: OR  9d OR   +5   5  WO, AR\n#note and more\n")
    assert reading.record.events[1].note == "WO, AR\nand more"
    assert [fault.code for fault in reading.warnings] == ["trailing_text"]


def test_strict_reading_raises_all_faults_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_gcg(TWO + ">c: - +0 0\n>a: x\n")
    assert [fault.code for fault in caught.value.faults] == ["unknown_player", "unreadable_event"]


# Every record.

WORDS = st.text("ABCÉŁabcé.?()[]0189", min_size=1, max_size=8).filter(lambda word: not word.isdigit())
PLAIN = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
LINES = st.lists(PLAIN, max_size=3).map(" ".join)
NOTES = st.lists(LINES, max_size=3).map("\n".join).map(str.rstrip)
TILES = st.text("ABCÉŁ?", min_size=1, max_size=7)
NAMES = PLAIN.filter(lambda name: name.lower() not in ("note", "incomplete", "character-encoding", "lexicon"))


@st.composite
def events(draw: st.DrawFn, players: int) -> Event:
    kind = draw(st.sampled_from([kind for kind in EventKind if kind is not EventKind.UNREADABLE]))
    at, text, rack, score = "", "", draw(st.just("") | TILES), draw(st.integers(0, 999))
    if kind is EventKind.PLAY:
        at, text = draw(st.sampled_from(["8D", "D8", "15O", "a1", "26Z"])), draw(WORDS)
    elif kind is EventKind.EXCHANGE:
        text = draw(TILES | st.integers(1, 7).map(str))
    elif kind in (EventKind.END_BONUS, EventKind.END_PENALTY):
        text = draw(TILES)
        if kind is EventKind.END_PENALTY:
            score = -score - 1
        elif score == 0:
            rack = ""  # who goes out has no rack; with one, no points would be a penalty
    pragmas = draw(st.lists(st.tuples(st.sampled_from(["mood", "x-y"]), LINES), max_size=2))
    total = draw(st.none() | st.integers(-99, 999))
    player = draw(st.integers(0, players - 1))
    return Event(kind, player, rack, at, text, score, total, draw(NOTES), tuple(pragmas))


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    nicks = draw(st.lists(PLAIN.filter(lambda nick: ":" not in nick), min_size=2, max_size=4, unique=True))
    names = draw(st.lists(LINES, min_size=len(nicks), max_size=len(nicks)))
    headings = draw(
        st.dictionaries(st.sampled_from(["title", "lexicon", "id", "description", "game-type"]), LINES)
    )
    others = draw(st.lists(st.tuples(st.sampled_from(["style", "x"]), LINES), max_size=2))
    return GameRecord(
        players=tuple([PlayerName(nick, name) for nick, name in zip(nicks, names, strict=True)]),
        pragmas=(*headings.items(), *others),
        note=draw(NOTES),
        events=tuple(draw(st.lists(events(len(nicks)), max_size=6))),
        last_racks=tuple(draw(st.lists(st.just("") | TILES, max_size=len(nicks)))),
    )


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(records())
def test_every_record_is_read_as_it_was_written(record: GameRecord) -> None:
    text = format_gcg(record)
    assert read_gcg(text.encode()).record == record
    assert read_gcg(text.replace("\n", "\r\n").encode()).record == record


@pytest.mark.parametrize(
    "record",
    [
        GameRecord((PlayerName("a b"), PlayerName("c"))),
        GameRecord((PlayerName("a"), PlayerName("c")), note="x\n\n"),
        GameRecord((PlayerName("a"), PlayerName("c")), (("title", "two\nlines"),)),
        GameRecord((PlayerName("a"), PlayerName("c")), events=(Event(EventKind.PLAY, 0, "A B", "8D", "AB"),)),
    ],
)
def test_what_gcg_cannot_say_is_refused(record: GameRecord) -> None:
    with pytest.raises(InvalidInput) as caught:
        format_gcg(record)
    assert caught.value.code == "unwritable_record"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "this is not a game record: it declares no player"),
        ("\n\n# A title\n\nwords\n", 3, "line 3: this is not a game record: it begins with '# A title', "),
        ("[build]\nx = 1\n", 1, "line 1: this is not a game record: it begins with '[build]', "),
        ("#title A game\n", 0, "this is not a game record: it declares no player"),
        ("#player1 a\n", 0, "a game has at least 2 players, but the record names 1"),
    ],
)
def test_other_texts_are_refused_with_their_first_line(text: str, line: int, said: str) -> None:
    (fault,) = read_gcg(text).faults
    assert fault.line == line
    assert fault.detail.startswith(said)
