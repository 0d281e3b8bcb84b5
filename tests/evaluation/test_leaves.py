"""Leaves: their ranks against plain counting, tables as files and as text, the static evaluator's values."""

from __future__ import annotations

import io
import lzma
import shutil
import stat
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DamagedTable, InvalidInput, MissingTable
from engine.evaluation.evaluation_narrow import SituationKernel, leave_values, unseen_tiles
from engine.evaluation.evaluators import Evaluator, evaluator_kernel
from engine.evaluation.heuri import HeuriConstants
from engine.evaluation.learned import own_path
from engine.evaluation.leave_csv import PROGRESS_ROWS, leave_csv, read_leave_csv
from engine.evaluation.leave_ranks import LeaveRanks, leave_ranks
from engine.evaluation.leave_table import LeaveTable, find_leave_table, leave_table
from engine.evaluation.static_evaluation import static_kernel
from engine.lexicon.lexicon import BUNDLED
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords, leaves
from engine.position import Rack
from engine.records import parse_cgp
from engine.rules import RuleSet, TileSet, default_rule_set, tile_set
from tests.evaluation.heuri_values import heuri_values
from tests.movegen.worlds import open_lexicon

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon.catalogue import Catalogue

SMALL = TileSet.from_letters(
    [
        {"letter": "?", "count": 2, "value": 0},
        {"letter": "A", "count": 9, "value": 1},
        {"letter": "B", "count": 1, "value": 3},
        {"letter": "CH", "count": 3, "value": 5},
        {"letter": "D", "count": 0, "value": 2},
    ],
    "small",
)
CGP = (
    "7AD6/6OPE6/6REX6/2WOVEN1Y6/6A8/6T8/6E8/3VIOlA7/3I2Y8/1JUGUM9/S2I11/K2L11/IRES11/R14/T14 "
    "AEEGPRS/ 94/201 0"
)


def test_english_has_the_printed_number_of_leaves() -> None:
    ranks = leave_ranks(tile_set("english"))
    assert len(ranks) == 914_624 + 1  # the published number, and the empty leave
    sizes = np.diff(ranks.base).tolist()
    assert sizes == [1, 27, 373, 3_509, 25_254, 148_150, 737_311]  # 003, appendix


@pytest.mark.parametrize("tiles", [SMALL, tile_set("spanish"), tile_set("czech")], ids=lambda tiles: tiles.id)
@pytest.mark.long
def test_ranks_number_all_leaves_in_order(tiles: TileSet) -> None:
    ranks = leave_ranks(tiles)
    for size in range(7 if tiles is SMALL else 5):
        rows = ranks.leaves[size]
        assert ranks.of(rows).tolist() == list(range(ranks.base[size], ranks.base[size + 1]))
        assert len({bytes(row) for row in rows}) == len(rows)
        for row in rows[:: max(1, len(rows) // 50)]:
            assert ranks.rank(bytes(row)) == ranks.rank(bytes(row)[::-1])
            assert all(bytes(row).count(code) <= tiles.counts[code] for code in set(row.tolist()))
    with pytest.raises(ValueError, match="leave"):
        ranks.rank(bytes([2, 2]) if tiles is SMALL else bytes(7))


def made_up_table(tiles: TileSet) -> LeaveTable:
    random = np.random.default_rng(1)
    size = len(leave_ranks(tiles))
    values, plain = (random.integers(-9000, 9000, size).astype(np.int16) for _ in range(2))
    values[0] = plain[0] = 0
    return LeaveTable(tiles, values, plain=plain, meta={"plain_mean": 30.5}, name="made/up")


RACKS = st.lists(st.sampled_from([0, 0, *range(1, 27), 1, 5, 9, 19]), min_size=1, max_size=7).map(
    lambda codes: bytes(sorted(code for code, n in Counter(codes).items() for _ in range(min(n, 2))))
)


@given(rack=RACKS, bag=st.integers(0, 80))
@settings(deadline=None, max_examples=60)
@pytest.mark.long
def test_the_static_evaluator_looks_every_leave_up(bundled: Catalogue, rack: bytes, bag: int) -> None:
    lexicon = bundled.open("scowl80")
    tiles = lexicon.tile_set
    if any(rack.count(code) > tiles.counts[code] for code in set(rack)):
        return
    table = made_up_table(tiles)
    position = parse_cgp(CGP, tile_set=tiles)
    board = LoadedBoard.load(position.board, position.layout, tiles, lexicon)
    unseen = np.zeros(27, np.uint8)
    unseen[[0, 4, 17]] = 1, 2, 1  # ? D D Q: 14 points
    situation = SituationKernel(board.kernel, rack, unseen.tobytes(), bag, 0, RuleSet().kernel)
    values = leave_values(static_kernel(table, lexicon), situation)
    for leave, value in zip(leaves(Rack(rack)), values, strict=True):
        points = sum(tiles.values[code] for code in leave)
        if bag == 0:
            assert value == (-2000 * points - 10_000 if leave else 2 * 14_000)
        elif len(leave) < 7:
            assert value == 10 * int(table.values[table.ranks.rank(leave)])
        else:
            six = [bytes(part) for part in combinations(leave, 6)]
            assert value == min(10 * int(table.values[table.ranks.rank(part)]) for part in six)


def test_one_call_values_leaves_and_finds_the_best_play(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    search = InternalWords(lexicon)
    position = parse_cgp(CGP, tile_set=lexicon.tile_set)
    board = LoadedBoard.load(position.board, position.layout, lexicon.tile_set, lexicon)
    unseen = unseen_tiles(board.kernel, position.rack.tiles, lexicon.tile_set.counts)
    assert tuple(unseen) == position.unseen()
    for name in ("static", "combined", "heuri6"):
        evaluator = Evaluator(name, lexicon, position.rules)
        values = evaluator.leave_values(board, position)[0].array
        best, found = evaluator.best_play(board, position, search)
        assert (found.array == values).all()
        alone = search.best(board, position.rack, position.rules, values)
        assert best.array.tobytes() == alone.array.tobytes()
        assert best.statistics == alone.statistics
    with pytest.raises(ValueError, match="values each play by itself"):
        Evaluator("heuri1", lexicon, position.rules).best_play(board, position, search)


def test_combined_adds_leaves_without_bingos_and_the_gain_of_bingos(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    table = leave_table(lexicon)
    assert table.plain is not None
    position = parse_cgp(CGP, tile_set=lexicon.tile_set)
    board = LoadedBoard.load(position.board, position.layout, lexicon.tile_set, lexicon)
    combined = Evaluator("combined", lexicon, position.rules).leave_values(board, position)[0]
    gain = HeuriConstants(bonus=50 - table.plain_mean)
    unseen = np.array(position.unseen(), np.uint8)
    bingos = heuri_values(6, board, position.rack, unseen, position.bag_count(), constants=gain)
    for number, leave in enumerate(leaves(position.rack)[:-1]):
        plain = 10 * int(table.plain[table.ranks.rank(leave)])
        assert combined.array[number] == plain + bingos[number] - bingos[0]
    full = Evaluator("heuri6", lexicon, position.rules).leave_values(board, position)[0]
    assert combined.bingos is not None
    assert (combined.bingos == full.array).all()


def test_the_bundled_table_agrees_with_common_knowledge_of_leaves(bundled: Catalogue) -> None:
    lexicon = bundled.open("scowl80")
    table = leave_table(lexicon)
    assert table.own
    value = {
        leave: table.value(Rack.from_text(leave, lexicon.tile_set.alphabet).tiles)
        for leave in ("?", "S", "E", "Q", "V", "QU", "ER", "ERR", "ERRR", "EINRST", "UUVVW", "II")
    }
    assert value["?"] > 20 > value["S"] > 5 > value["E"] > 0 > value["V"]
    assert value["QU"] > value["Q"] < -4
    assert value["ER"] > value["ERR"] > value["ERRR"]
    assert value["EINRST"] > 25 > 0 > value["UUVVW"]
    assert value["II"] < 2 * -2
    assert table.value(b"") == 0
    assert table.errors is not None
    assert table.errors[table.ranks.rank(bytes([5]))] < 10  # hundredths of a point


def test_a_lexicon_takes_its_own_table_else_that_of_its_tile_set(tmp_path: Path, bundled: Catalogue) -> None:
    scowl = bundled.open("scowl80")
    words = [b"\x01\x02", b"\x02\x01"]
    (tmp_path / "tables").mkdir()
    other = open_lexicon(tmp_path / "tables", "other", tile_set("english"), words)
    default = leave_table(other)
    assert (default.own, default.name) == (False, leave_table(scowl).name)
    own = open_lexicon(tmp_path / "tables", "own", tile_set("english"), words)
    made_up_table(tile_set("english")).save(own_path(own, "leaves"), own)
    assert leave_table(own).own
    assert leave_table(own).name.startswith("own/")
    italian = open_lexicon(tmp_path / "tables", "italian", tile_set("italian"), words)
    assert find_leave_table(italian) is None
    with pytest.raises(MissingTable, match="kibitz train leaves --lexicon italian"):
        evaluator_kernel("static", italian, default_rule_set("italian"))
    changed = open_lexicon(tmp_path / "tables", "changed", tile_set("english"), [b"\x01\x01"])
    made_up_table(tile_set("english")).save(own_path(changed, "leaves"), own)
    with pytest.raises(DamagedTable, match="another word list"):
        leave_table(changed)


def test_a_damaged_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "own", tile_set("english"), [b"\x01\x02"])
    path = own_path(lexicon, "leaves")
    made_up_table(tile_set("english")).save(path, lexicon)
    data = bytearray(path.read_bytes())
    data[70] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)
    with pytest.raises(DamagedTable, match="train or import it again, or delete it"):
        leave_table(lexicon)


@pytest.mark.parametrize("part", ["header", "values", "end"])
@pytest.mark.long
def test_a_bundled_table_that_was_damaged_is_unpacked_again(tmp_path: Path, part: str) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "own", tile_set("english"), [b"\x01\x02"])
    name = leave_table(lexicon).name
    (path,) = (tmp_path / "learned" / "bundled").glob("*.leaves-*")
    whole = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o444
    at = {"header": 10, "values": len(whole) // 2, "end": len(whole) - 1}[part]
    path.chmod(0o644)
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + (whole[at + 1 :] if part != "end" else b""))
    find_leave_table.cache_clear()
    assert leave_table(lexicon).name == name
    assert path.read_bytes() == whole


def test_a_packed_table_that_cannot_be_unpacked_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "own", tile_set("english"), [b"\x01\x02"])
    lexicon.bundled = tmp_path / "lexicons"
    packed = lexicon.bundled / "english" / "leaves.kibitz.xz"
    packed.parent.mkdir(parents=True)
    packed.write_bytes(b"\xfd7zXZ\0 and no more")
    with pytest.raises(DamagedTable, match="install kibitz again") as caught:
        leave_table(lexicon)
    assert caught.value.params["path"] == str(packed)


def test_a_packed_table_of_another_language_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "own", tile_set("english"), [b"\x01\x02"])
    lexicon.bundled = tmp_path / "lexicons"
    shutil.copytree(BUNDLED / "dutch", lexicon.bundled / "dutch")
    (lexicon.bundled / "dutch" / "leaves.kibitz.xz").write_bytes(b"would be damaged")
    assert find_leave_table(lexicon) is None


def test_bundled_tables_are_unpacked_once(tmp_path: Path, bundled: Catalogue) -> None:
    (tmp_path / "tables").mkdir()
    lexicon = open_lexicon(tmp_path / "tables", "own", tile_set("english"), [b"\x01\x02"])
    leave_table(lexicon)
    unpacked = sorted((tmp_path / "learned" / "bundled").iterdir())
    packed = bundled.bundled / "english" / "leaves.kibitz.xz"
    assert [path.read_bytes() for path in unpacked] == [lzma.decompress(packed.read_bytes())]


def test_a_table_written_as_csv_is_read_back_unchanged() -> None:
    table = made_up_table(SMALL)
    text = "\n".join(leave_csv(table))
    again, named = read_leave_csv(io.StringIO(text), SMALL)
    assert named == len(table.ranks) - 1
    assert (again.values == table.values).all()


def test_a_text_is_ranked_a_size_at_a_time_and_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked: list[int] = []
    of = LeaveRanks.of

    def counted(ranks: LeaveRanks, leaves: NDArray[np.uint8]) -> NDArray[np.uint32]:
        ranked.append(len(leaves))
        return of(ranks, leaves)

    letters = [{"letter": letter, "count": 6, "value": 1} for letter in "ABCDEFGHIJKL"]
    tiles = TileSet.from_letters(letters, "twelve")
    text = "\n".join(leave_csv(made_up_table(tiles)))
    monkeypatch.setattr(LeaveRanks, "of", counted)
    reported: list[tuple[int, int]] = []
    _, named = read_leave_csv(io.StringIO(text), tiles, lambda done, total: reported.append((done, total)))
    assert named == 18_563
    assert (len(ranked), sum(ranked)) == (6, named)  # not a call for each row
    assert reported == [(PROGRESS_ROWS, named), (named, named)]


def test_leaves_that_a_text_does_not_name_follow_from_smaller_ones() -> None:
    table, named = read_leave_csv(io.StringIO("A,1.5\n?,20\n[CH],-3\n"), SMALL)
    assert named == 3
    codes = SMALL.alphabet.code
    assert table.value(bytes([0, codes("A"), codes("CH")])) == pytest.approx(18.5, abs=0.02)
    assert table.value(bytes([codes("B")])) == 0


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("leave,value\nA,1\nZ,2\n", 3, "Z"),
        ("A,1\nA,2\n", 2, "twice"),
        ("A,nan\n", 1, "nan"),
        ("A,1e9\n", 1, "1e9"),
        ("A,\n", 1, "no value"),
        ("A\n", 1, "two parts"),
        ("BB,1\n", 1, "more of B"),
        ("AAAAAAA,1\n", 1, "7 tiles"),
        ("AAAAAAAAAA,1\n", 1, "tiles"),
        (",1\n", 1, "0 tiles"),
        ("", 0, "no leave"),
        ('"A,1\n', 1, ""),
    ],
)
def test_a_bad_line_is_an_error_with_its_number(text: str, line: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"line {line} ") as caught:
        read_leave_csv(io.StringIO(text), SMALL)
    assert caught.value.code == "bad_leave_table"
    assert message in str(caught.value)


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=150)
def test_any_text_is_read_or_raises_invalid_input(text: str) -> None:
    try:
        table, named = read_leave_csv(io.StringIO(text, newline=""), SMALL)
    except InvalidInput:
        return
    assert named > 0
    assert len(table.values) == len(table.ranks)
