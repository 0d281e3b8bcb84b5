"""Phrases about an annotation for the page and the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import Text, lexicon_warnings, message

if TYPE_CHECKING:
    from engine import Annotation, PlayerSummary, TurnNote

LUCK: Final = Text(
    "luck: the equity of the best move with the tiles drawn, less the mean over all draws from the unseen "
    "tiles; only draws to a known leave and a recorded rack count"
)

NOT_COUNTED: Final = message(
    "Losses by words and by choice are not separated: first run kibitz train words --lexicon {lexicon}, "
    "which counts how often its words are formed"
)

INFERRED: Final = Text("* the tiles of the move itself: the record names no rack")

_RACK_MARKS: Final = {"inferred": "*", "partial": "…", "unknown": "–"}


def warnings(annotation: Annotation) -> list[Text]:
    """Return what a reader must know before reading the values, one sentence each."""
    return lexicon_warnings(Text("record"), annotation.heading.recorded_lexicon, annotation.heading.lexicon)


def judged_by(annotation: Annotation) -> Text:
    """Return the method and the lexicon that judged the turns, and how many endgame turns are proven."""
    heading = annotation.heading
    budget = heading.provenance.budget
    text = Text("by {evaluator}", evaluator=heading.evaluator)
    if budget is not None and budget.seconds is not None:
        text = Text(
            "by simulations and searches in {seconds:g} s (seed {seed}; candidates by {evaluator})",
            seconds=budget.seconds,
            seed=heading.provenance.seed,
            evaluator=heading.evaluator,
        )
    elif heading.simulation is not None and budget is not None:
        text = Text(
            "by simulation ({method}, {iterations:,} iterations a turn, seed {seed}; candidates by "
            "{evaluator})",
            method=heading.simulation,
            iterations=budget.iterations,
            seed=heading.provenance.seed,
            evaluator=heading.evaluator,
        )
    text = Text("{judged} with the words of {lexicon}", judged=text, lexicon=heading.lexicon)
    endgame = [note.loss for note in annotation.turns if note.loss and not note.position.bag_count()]
    if endgame:
        proven = sum(loss.certainty == "exact" for loss in endgame)
        text = Text(
            "{judged}; endgame turns: {proven} of {count} proven",
            judged=text,
            proven=proven,
            count=len(endgame),
        )
        if proven < len(endgame) and any(loss.certainty == "bound" for loss in endgame):
            text = Text("{judged}, of the others the part of the loss that is proven", judged=text)
        elif proven < len(endgame):
            text = Text("{judged}, the others estimated", judged=text)
    return text


def rack_text(note: TurnNote) -> str:
    """Return a rack and how much of it is known: "ABC*" is inferred, "ABC…" partial, "–" unknown."""
    rack = note.position.players[0].held.text(note.position.tile_set.alphabet)
    return rack + _RACK_MARKS.get(note.rack_known, "")


def luck_text(player: PlayerSummary) -> str:
    """Return the sum of a player's luck with its standard error, empty without a luck."""
    return "" if player.luck is None else f"{player.luck:+z.1f} ± {player.luck_error:.1f}"


def known_words(annotation: Annotation) -> Text:
    """Return how losses by words and by choice are separated, or why they are not."""
    known = annotation.heading.known_words
    if known is None:
        return Text(NOT_COUNTED, lexicon=annotation.heading.lexicon)
    return Text(
        "Lost by words: the lead of the best move over the best one whose words are all known; lost by "
        "choice: the rest of the equity lost. Known are the {count:,} words formed at least once in "
        "{rarity:,} games of the computer with itself, and those that the player forms",
        count=known.words,
        rarity=known.rarity,
    )


def title(annotation: Annotation) -> str:
    """Return the title of the record, or the names of its players."""
    return annotation.heading.title or player_names(annotation)


def player_names(annotation: Annotation) -> str:
    """Return the full names of the players, or the nickname of a player without a name."""
    return " - ".join([player.name or player.nick for player in annotation.heading.players])


def faults(annotation: Annotation) -> list[tuple[str, str]]:
    """Return the faults of the record by line: "fault" or "warning", and the sentence."""
    warnings = [fault for note in annotation.notes for fault in note.faults if fault.warning]
    found = [*annotation.heading.faults, *warnings]
    found.sort(key=lambda fault: fault.line)
    return [("warning" if fault.warning else "fault", fault.detail) for fault in found]
