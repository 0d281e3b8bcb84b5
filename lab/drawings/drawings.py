"""The pictures: each function draws one of them from what `FollowedBoard` computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.position import board_svg
from lab.drawings.bingos import BONUS, HEURI_4_FACTOR, bingo_draws, count_draws, expectation
from lab.drawings.followed_board import WORD, WORDS_PER_SUBSET
from lab.drawings.squares import DROPPED, FAINT, GREY, HALO, INK, NEW, REMAINING, SQUARE, TILE, Sketch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lab.drawings.followed_board import BoardInterval, FollowedBoard

COLUMN: Final = 15 + 5
"""Column F as a line of the board: the side of the board and the number of the column."""
FOLLOWED: Final = (COLUMN, 5, 5)
"""The interval F6 to F10: line, first square from 0, squares."""
COMMON: Final = (15 + 7, 7, 5)
"""The interval H8 to H12, whose only tile is the S of ANGINAS."""
LEAVE: Final = "CEIU"
"""What the play leaves of the rack."""
MARGIN: Final = 24


def board(followed: FollowedBoard) -> str:
    """Draw the board."""
    return board_svg(followed.position, size=480, name="followed")


def play(followed: FollowedBoard) -> str:
    """Draw the board with the play."""
    move = followed.move(followed.interval(*FOLLOWED), WORD)
    return board_svg(followed.position, move, size=480, name="followed-play")


def play_dark(followed: FollowedBoard) -> str:
    """Draw the board with the play for a dark page."""
    move = followed.move(followed.interval(*FOLLOWED), WORD)
    return board_svg(followed.position, move, size=480, name="followed-play-dark", dark=True)


def halo(followed: FollowedBoard) -> str:
    """Draw the tiles and the halo: every empty square beside a tile."""
    side = followed.side
    beside = set(followed.halo())
    size = SQUARE * side + 2 * MARGIN
    sketch = Sketch(size, size + 24, f"The halo of the board: {len(beside)} empty squares beside a tile")
    for row in range(side):
        middle = MARGIN + row * SQUARE + SQUARE / 2
        sketch.text(MARGIN / 2, middle + 4, str(row + 1), size=11, colour=FAINT, anchor="middle")
        sketch.text(middle, MARGIN - 8, chr(65 + row), size=11, colour=FAINT, anchor="middle")
        for column in range(side):
            fill = HALO if (row, column) in beside else ""
            letter = followed.letter(row, column)
            sketch.square(MARGIN + column * SQUARE, MARGIN + row * SQUARE, letter, fill)
    sketch.text(MARGIN, size + 10, f"Green: the halo, {len(beside)} squares. Every play covers one of them.")
    return sketch.svg()


def intervals(followed: FollowedBoard) -> str:
    """Draw column F lying on its side, and every interval in it: answered, or why it is dropped."""
    found = [interval for interval in followed.intervals if interval.line == COLUMN]
    step = 13
    width = 2 * MARGIN + SQUARE * followed.side
    top = MARGIN + 48
    height = top + SQUARE + 30 + step * len(found) + 118
    sketch = Sketch(width, height, f"The {len(found)} intervals of column F")
    sketch.text(MARGIN, MARGIN + 4, f"Column F from top to bottom, and its {len(found)} intervals", bold=True)
    for place in range(followed.side):
        x = MARGIN + place * SQUARE
        sketch.text(x + SQUARE / 2, top - 8, f"F{place + 1}", size=11, colour=FAINT, anchor="middle")
        fill = "" if followed.letter(COLUMN, place) else HALO if followed.touches_tile(COLUMN, place) else ""
        sketch.square(x, top, followed.letter(COLUMN, place), fill)
    y = top + SQUARE + 20
    colours = {"": REMAINING, "word": DROPPED, "letter": GREY, "same play": INK}
    for interval in found:
        colour = colours[interval.dropped]
        chosen = (interval.line, interval.start, interval.length) == FOLLOWED
        x, long = MARGIN + interval.start * SQUARE + 4, interval.length * SQUARE - 8
        sketch.bar(x, y, long, colour, thick=8 if chosen else 4, dashed=bool(interval.dropped))
        if chosen:
            sketch.text(x + long + 8, y + 4, "the one that is followed", size=12, bold=True, colour=REMAINING)
        y += step
    counts = {reason: sum(each.dropped == reason for each in found) for reason in colours}
    y += 14
    meanings = {
        "": "are answered",
        "letter": "hold an empty square that admits no letter of the rack",
        "word": "hold an internal word that lies there in no word",
        "same play": "have one empty square, whose plays are listed as plays across",
    }
    for reason, meaning in meanings.items():
        if counts[reason]:
            sketch.bar(MARGIN, y - 4, 40, colours[reason], thick=4, dashed=bool(reason))
            sketch.text(MARGIN + 50, y, f"{counts[reason]} {meaning}", size=13)
            y += 22
    return sketch.svg()


def internal_words(followed: FollowedBoard) -> str:
    """Draw the followed interval, its internal word, and the beginning of its list."""
    interval = followed.interval(*FOLLOWED)
    internal = followed.rarest(interval)
    if internal is None:
        raise ValueError("the followed interval holds no tile")
    words = followed.word_list(internal.word, internal.position, internal.length)
    chosen = followed.with_held_letters(interval, words)
    shown = [*chosen, *(word for word in words[::12] if word not in chosen)][:16]
    width, left = 620, MARGIN
    sketch = Sketch(width, 330, f"The placed internal word {internal} and its list")
    sketch.text(
        left, MARGIN + 4, f"The interval F6 to F10 holds the internal word {internal.word}", bold=True
    )
    _interval(sketch, followed, interval, left, 62)
    sketch.frame(left + internal.position * SQUARE, 62, len(internal.word) * SQUARE, SQUARE, REMAINING)
    right = left + interval.length * SQUARE + 24
    sketch.text(right, 78, f"placed internal word {internal}:")
    sketch.text(
        right, 96, f"{internal.word} after {internal.position} letter, in a word of {internal.length}"
    )
    sketch.text(left, 140, f"Its list: {len(words)} words, among them", bold=True)
    for number, word in enumerate(shown):
        x, y = left + number % 4 * 140, 170 + number // 4 * 30
        at = internal.position
        before, middle, after = word[:at], word[at : at + len(internal.word)], word[at + len(internal.word) :]
        sketch.text(x, y, " " * len(before) + middle, size=20, colour=REMAINING, bold=True, fixed=True)
        sketch.text(x, y, before + " " * len(middle) + after, size=20, fixed=True)
    sketch.text(left, 300, f"{', '.join(chosen)}: the rack {_rack(followed)} holds their other letters")
    return sketch.svg()


def levels(followed: FollowedBoard) -> str:
    """Draw how two intervals are answered: a short list by scanning it, a long one by the rack's subsets."""
    sketch = Sketch(700, 300, "The high level and the low level, and the threshold between them")
    for number, chosen in enumerate((FOLLOWED, COMMON)):
        interval = followed.interval(*chosen)
        internal = followed.rarest(interval)
        if internal is None:
            raise ValueError("an interval of this drawing holds a tile")
        subsets = followed.subset_count(interval.empty)
        level = followed.level(interval)
        limit = WORDS_PER_SUBSET * subsets
        x = MARGIN + number * 340
        sketch.text(x, MARGIN + 4, f"{level.capitalize()} level", size=17, bold=True, colour=REMAINING)
        _interval(sketch, followed, interval, x, 46)
        sketch.text(x, 108, f"{internal}: a list of {internal.frequency:,} words")
        sketch.text(
            x, 130, f"{interval.empty} empty squares: the rack has {subsets} subsets of {interval.empty}"
        )
        scale = 300 / 1400
        sketch.bar(x, 152, internal.frequency * scale, REMAINING if level == "high" else GREY, thick=12)
        sketch.bar(x + limit * scale, 152, 3, DROPPED, thick=26)
        sketch.text(
            x + limit * scale + 8, 178, f"threshold {WORDS_PER_SUBSET} x {subsets} = {limit}", size=12
        )
        if level == "high":
            lines = [f"{internal.frequency} is not above {limit}:", "scan the list, 8 or 16 words at a time"]
        else:
            lines = [
                f"{internal.frequency:,} is above {limit}:",
                f"look up the anagrams of each subset + {internal.word}",
            ]
        for line, text in enumerate(lines):
            sketch.text(x, 212 + 22 * line, text)
        plays = [word for word, _ in followed.plays_in(interval)]
        sketch.text(x, 270, f"plays: {', '.join(plays)}", bold=True)
    return sketch.svg()


def cross_checks(followed: FollowedBoard) -> str:
    """Draw the cross-check set of each empty square of the interval, and which candidates it stops."""
    interval = followed.interval(*FOLLOWED)
    words = followed.word_list("ON", 1, 5)
    candidates = followed.with_held_letters(interval, words)
    fitting = followed.fitting(interval, candidates)
    sketch = Sketch(640, 250 + 44 * len(candidates), "Cross-check sets of the interval, and four candidates")
    sketch.text(MARGIN, MARGIN + 4, "Which letters does each empty square admit?", bold=True)
    for i in range(interval.length):
        place, y = interval.start + i, 48 + i * SQUARE
        letter = followed.letter(interval.line, place)
        sketch.text(MARGIN, y + 23, f"F{place + 1}", size=13, colour=FAINT)
        sketch.square(MARGIN + 36, y, letter)
        if letter:
            sketch.text(MARGIN + 90, y + 23, "a tile", colour=FAINT)
            continue
        sketch.text(MARGIN + 90, y + 23, followed.cross_checks(interval.line, place), fixed=True)
        score = followed.scores(interval, fitting[0])
        across = [each.word for each in score[1:] if each.word.endswith(fitting[0][i])]
        sketch.text(MARGIN + 330, y + 23, f"with {fitting[0][i]}: {', '.join(across)}", colour=FAINT)
    y = 48 + interval.length * SQUARE + 12
    for word in candidates:
        for i, letter in enumerate(word):
            place = interval.start + i
            on_board = followed.letter(interval.line, place)
            admitted = on_board or letter in followed.cross_checks(interval.line, place)
            sketch.square(
                MARGIN + i * SQUARE, y, letter, TILE if on_board else NEW if admitted else "#f4b6b9"
            )
        stopped = [
            f"{letter} at F{interval.start + i + 1}"
            for i, letter in enumerate(word)
            if not followed.letter(interval.line, interval.start + i)
            and letter not in followed.cross_checks(interval.line, interval.start + i)
        ]
        text = f"not admitted: {', '.join(stopped)}" if stopped else "every letter is admitted: a legal play"
        sketch.text(MARGIN + 5 * SQUARE + 16, y + 23, text, colour=DROPPED if stopped else REMAINING)
        y += 44
    return sketch.svg()


def score(followed: FollowedBoard) -> str:
    """Draw how the score of the play adds up, word by word."""
    interval = followed.interval(*FOLLOWED)
    word, total = next(found for found in followed.plays_in(interval) if found[0] == WORD)
    counted = followed.scores(interval, word)
    sketch = Sketch(640, 110 + 56 * len(counted), f"The score of {word}: {total} points")
    sketch.text(
        MARGIN, MARGIN + 4, f"F6 {WORD}: letter value x letter factor, added, x word factors", bold=True
    )
    y = 46
    for number, each in enumerate(counted):
        for i, (letter, value, letter_factor, word_factor) in enumerate(each.squares):
            premium = letter_factor > 1 or word_factor > 1
            fill = NEW if premium or (number == 0 and not followed.letter(COLUMN, interval.start + i)) else ""
            sketch.square(MARGIN + i * SQUARE, y, letter, fill, str(value))
        terms = [str(v) if f == 1 else f"{v} x {f}" for _, v, f, _ in each.squares]
        factor = f" x {each.factor}" if each.factor > 1 else ""
        sketch.text(MARGIN + 6 * SQUARE, y + 24, f"{' + '.join(terms)}{factor} = {each.points}", size=16)
        y += 56
    points = " + ".join(str(each.points) for each in counted)
    sketch.bar(MARGIN, y, 592, INK, thick=1)
    sketch.text(MARGIN + 6 * SQUARE, y + 30, f"{points} = {total} points", size=17, bold=True)
    return sketch.svg()


def bingos(followed: FollowedBoard) -> str:
    """Draw the most probable draws that turn the leave of the play into a bingo, and the expectation."""
    draws = bingo_draws(followed, LEAVE)
    shown = draws[:6]
    sketch = Sketch(640, 150 + 46 * len(shown), f"The bingos that the leave {LEAVE} may become")
    sketch.text(
        MARGIN, MARGIN + 4, f"The leave {LEAVE}, three tiles drawn, and the bingo they make", bold=True
    )
    y = 46
    for draw in shown:
        for i, letter in enumerate(LEAVE):
            sketch.square(MARGIN + i * SQUARE, y, letter)
        for i, letter in enumerate(draw.drawn):
            sketch.square(MARGIN + (len(LEAVE) + i) * SQUARE, y, letter, NEW)
        sketch.text(MARGIN + 7 * SQUARE + 16, y + 24, f"p = {100 * draw.probability:.2f} %", size=15)
        sketch.text(MARGIN + 7 * SQUARE + 130, y + 24, f"{draw.word} for {draw.score}", size=15, bold=True)
        y += 46
    chance = sum(draw.probability for draw in draws)
    all_draws = count_draws(followed, LEAVE)
    counted = f"{len(draws)} of {all_draws:,} different draws make a bingo that has a place here"
    sketch.text(MARGIN, y + 20, f"{counted}: {100 * chance:.1f} %")
    formula = f"e = sum of p ({BONUS} + {HEURI_4_FACTOR} x tile points) = {expectation(draws):.2f} points"
    sketch.text(MARGIN, y + 46, formula, size=16, bold=True)
    return sketch.svg()


def _interval(sketch: Sketch, followed: FollowedBoard, interval: BoardInterval, x: float, y: float) -> None:
    for i in range(interval.length):
        sketch.square(x + i * SQUARE, y, followed.letter(interval.line, interval.start + i))


def _rack(followed: FollowedBoard) -> str:
    return "".join(followed.rack.elements())


DRAWINGS: Final[dict[str, Callable[[FollowedBoard], str]]] = {
    "board": board,
    "halo": halo,
    "intervals": intervals,
    "internal-words": internal_words,
    "levels": levels,
    "cross-checks": cross_checks,
    "score": score,
    "play": play,
    "play-dark": play_dark,
    "bingos": bingos,
}
"""By the name of its file: the function that draws it."""


def draw(followed: FollowedBoard, folder: Path) -> list[Path]:
    """Write every drawing as an SVG file into a folder, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, drawing in DRAWINGS.items():
        path = folder / f"{name}.svg"
        path.write_text(drawing(followed), "utf-8")
        paths.append(path)
    return paths
