"""`kibitz experiment racks`: numbers of racks and of pairs of racks."""

from __future__ import annotations

from itertools import combinations

import pytest
from click.testing import CliRunner

from engine import TileSet, tile_set
from kibitz.cli import kibitz
from lab.experiments.rack_counts import PRINTED, rack_counts, rack_pairs

FRENCH_SLIP = {("french", 5): 141_878}  # the table prints 141,871


@pytest.mark.parametrize("name", PRINTED)
def test_numbers_of_racks_are_the_printed_ones(name: str) -> None:
    for size, (ours, printed) in enumerate(zip(rack_counts(tile_set(name)), PRINTED[name], strict=True), 1):
        assert ours == FRENCH_SLIP.get((name, size), printed)


def test_pairs_against_dealing_every_pair() -> None:
    """From a bag of 3 A, 2 B, 1 C and a blank, two tiles for each player."""
    tiles = TileSet.from_csv("letter,count,value,is_vowel\n?,1,0,0\nA,3,1,1\nB,2,3,0\nC,1,3,0\n", "few")
    bag = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
    places = range(len(bag))
    dealt = set()
    for first in combinations(places, 2):
        for second in combinations(sorted(set(places) - set(first)), 2):
            dealt.add(tuple(tuple(bag[place] for place in rack) for rack in (first, second)))
    assert rack_pairs(tiles, 2) == len(dealt)
    assert rack_counts(tiles, 2) == (4, len({first for first, _ in dealt}))


def test_the_pairs_of_spanish_racks_are_near_the_published_estimates() -> None:
    assert rack_pairs(tile_set("spanish")) == 10_286_075_020_683  # 9.75 and 9.92 trillion printed


def test_the_third_stratum_of_the_published_estimate() -> None:
    """Spanish racks with three of the letters that are there 1, 9 or 12 times; the appendix has 1,170,180."""
    spanish = tile_set("spanish")
    heading, blank, *letters = ["letter,count,value,is_vowel", *spanish.canonical().splitlines()]
    extreme = [line for line, count in zip(letters, spanish.counts[1:], strict=True) if count in (1, 9, 12)]
    others = [line for line in letters if line not in extreme]
    assert (len(extreme), len(others) + 1) == (14, 15)  # the blank is among the others
    three = rack_counts(TileSet.from_csv("\n".join([heading, "?,0,0,0", *extreme]), "extreme"), 3)[2]
    four = rack_counts(TileSet.from_csv("\n".join([heading, blank, *others]), "others"), 4)[3]
    assert (three, four, three * four) == (406, 2_970, 1_205_820)
    assert 394 * four == 1_170_180


def test_the_command_prints_ours_beside_the_published_figures() -> None:
    done = CliRunner().invoke(kibitz, ["experiment", "racks"], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert ["french", "5", "141,878", "141,871"] in lines
    assert ["spanish", "1", "to", "7", "5,338,519", "5,338,519"] in lines
    only = CliRunner().invoke(kibitz, ["experiment", "racks", "--tiles", "german"])
    assert "published" not in only.output
    refused = CliRunner().invoke(kibitz, ["experiment", "racks", "--tiles", "klingon"])
    assert refused.exit_code == 2
    assert "klingon" in refused.stderr
