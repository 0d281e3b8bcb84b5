"""Compute the golden file: `python -m tests.golden.positions > tests/golden/scowl80.tsv`.

The positions come from greedy games with the bundled list, and a few are difficult by design. The slow
reference generator alone computes the figures, so the file is independent of the kernels. It takes some
minutes; do it only when the bundled list or the choice of positions changes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from engine.lexicon.word_lists.word_list import read_word_list
from engine.movegen.perft import perft
from engine.movegen.reference import WordSet, reference_plays
from engine.position import Board, Player, Position, Rack
from engine.records import format_cgp, parse_cgp
from engine.rules import board_layout, default_rule_set, tile_set

LEXICON = "scowl80"
WORDS = Path(__file__).parents[2] / "lexicons" / LEXICON / "words.txt.xz"
COLUMNS = ("cgp", "lexicon", "plays", "exchanges", "sum_of_scores", "top_score", "moves_sha256")
GAMES = 3

# Racks of the publications, phonies, blanks on the board, an edge, a rack without a play, an empty rack.
AWKWARD = (
    "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AENRS??/ 0/0 0",
    "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRS?/ 0/0 0",
    "15/15/15/15/15/15/15/5ANEROID3/15/15/15/15/15/15/15 AEINRS?/ 0/0 0",
    "15/15/15/15/15/15/15/5ANEROID3/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
    "15/15/15/15/15/15/15/5aNErOID3/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
    "15/15/15/15/15/15/15/6XQZ6/15/15/15/15/15/15/15 AEIKNRT/ 0/0 0",
    "15/15/15/15/15/15/15/4QUIZEXK4/6N8/6TH7/7E7/15/15/15/15 AEIGNST/ 0/0 0",
    "15/15/15/15/15/15/15/7V7/7X7/15/15/15/15/15/15 AEINRST/ 0/0 0",
    "15/15/15/15/15/15/15/VEXATIOUSNESSES/15/15/15/15/15/15/15 ADGILNR/ 0/0 0",
    "7R7/7E7/7T7/7A7/7I7/7N7/7E7/7D7/15/15/15/15/15/15/15 BDEILOS/ 0/0 0",
    "15/15/15/15/15/15/15/7VV6/15/15/15/15/15/15/15 BCDFGHJ/ 0/0 0",
    "15/15/15/15/15/15/15/6CAT6/15/15/15/15/15/15/15 S/ 0/0 0",
    "15/15/15/15/15/15/15/6CAT6/15/15/15/15/15/15/15 / 0/0 0",
)


def greedy_games(words: WordSet) -> list[Position]:
    """Return the positions of some greedy games, both racks known."""
    english, layout, rules = tile_set("english"), board_layout("standard15"), default_rule_set("english")
    found = []
    for seed in range(GAMES):
        bag = [code for code, count in enumerate(english.counts) for _ in range(count)]
        Random(seed).shuffle(bag)
        racks, scores, zeros = [bytes(bag.pop() for _ in range(7)) for _ in range(2)], [0, 0], 0
        board = Board.empty(layout.side)
        while all(racks) and zeros < rules.zero_turn_limit:
            players = tuple(Player(score, Rack(rack)) for score, rack in zip(scores, racks, strict=True))
            position = Position(board, layout, english, rules, players, zeros, LEXICON)
            found.append(position)
            print(f"game {seed}, turn {len(found)}", file=sys.stderr)
            plays = reference_plays(board, layout, english, Rack(racks[0]), words, rules)
            rack, zeros = bytearray(racks[0]), zeros + 1
            if plays:
                play, score = plays[0]
                board, zeros = board.with_tiles(play.placements()), 0
                for _, _, code in play.placements():
                    rack.remove(0 if code & 0x80 else code)
                scores[0] += score
            while bag and len(rack) < rules.rack_size:
                rack.append(bag.pop())
            racks, scores = [racks[1], bytes(rack)], [scores[1], scores[0]]
    return found


def main() -> None:
    """Print the golden file."""
    english, layout = tile_set("english"), board_layout("standard15")
    listed = read_word_list(WORDS, english.alphabet, max_length=layout.side)
    words = WordSet(listed.words.tolist(), english.alphabet.size)
    print("\t".join(COLUMNS))
    for position in [*(parse_cgp(text, lexicon=LEXICON) for text in AWKWARD), *greedy_games(words)]:
        position.check()
        found = reference_plays(
            position.board, position.layout, english, position.rack, words, position.rules
        )
        figures = perft(position, found)
        print(
            format_cgp(position).split(" lex ")[0],
            LEXICON,
            *(getattr(figures, name) for name in COLUMNS[2:]),
            sep="\t",
            flush=True,
        )


if __name__ == "__main__":
    main()
