"""`kibitz judge`: whether words, or all words of a play, are acceptable, as one verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine import (
    CHALLENGE_RULES,
    PENALTIES_PER,
    Ruling,
    Text,
    default_rule_set,
    judge_play,
    judge_words,
    plural,
    read_word,
)
from kibitz.cli.files import faults_of, input_lines
from kibitz.cli.language import lang_option, said, said_of
from kibitz.cli.lexicons import cgp_lexicon_option, open_lexicon, read_position
from kibitz.cli.options import json_option
from service.schemas.word_answers import dump_ruling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Judgement

EXIT_NOT_ACCEPTABLE = 1

_VERDICTS = {
    True: plural("{count} word: acceptable in {lexicon}", "{count} words: acceptable in {lexicon}"),
    False: plural("{count} word: NOT acceptable in {lexicon}", "{count} words: NOT acceptable in {lexicon}"),
}
_TURN_LOST = {
    "player": Text("the player loses the turn"),
    "challenger": Text("the challenger loses the turn"),
}
_GAME_LOST = {
    "player": Text("the player loses the game"),
    "challenger": Text("the challenger loses the game"),
}


@click.command("judge")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--cgp", metavar="CGP", help="Judge a play instead of words: the position before it.")
@click.option("--play", metavar="MOVE", help='The play ("8D RE.sINA"); all words that it forms are judged.')
@cgp_lexicon_option
@click.option(
    "--rule",
    type=click.Choice(CHALLENGE_RULES),
    help="The challenge rule. [default: that of the position or of the tile set]",
)
@click.option(
    "--per",
    type=click.Choice(PENALTIES_PER),
    help="Whether the points of the rules 5pt and 10pt count for the play or for each word. [default: as the "
    "rules of the position or of the tile set say]",
)
@json_option
@lang_option
@click.pass_context
def judge_command(
    context: click.Context,
    words: tuple[str, ...],
    cgp: str | None,
    play: str | None,
    lexicon_id: str | None,
    rule: str | None,
    per: str | None,
    as_json: bool,
) -> None:
    """Judge WORDs, or all words of a play, as an adjudicator does.

    "-" instead of WORDs reads them from standard input: each line is judged by itself. All words get one
    verdict: which of them is not acceptable is never said. The exit code is 0 if they are acceptable, 1 if
    not, 2 if the question is impossible.

    \b
    kibitz judge RETINAS QI --rule 5pt --per word
    kibitz judge - < words.txt
    kibitz judge --cgp "CGP" --play "8D RE.sINA"
    """
    if bool(words) == bool(play) or bool(play) != bool(cgp):
        raise click.UsageError("give either WORDs, or --cgp and --play")
    acceptable = True
    for ruling in _rulings(words, play, cgp, lexicon_id, rule, per):
        click.echo(dump_ruling(ruling).rstrip() if as_json else _sentence(ruling))
        acceptable = acceptable and ruling.acceptable
    if not acceptable:
        context.exit(EXIT_NOT_ACCEPTABLE)


def _rulings(
    words: tuple[str, ...],
    play: str | None,
    cgp: str | None,
    lexicon_id: str | None,
    rule: str | None,
    per: str | None,
) -> Iterator[Ruling]:
    """Yield the ruling on the play or the words, or with the words "-" on each line of standard input."""
    if play and cgp:
        yield _of_play(play, cgp, lexicon_id, rule, per)
    elif words != ("-",):
        yield _of_words(words, lexicon_id, rule, per)
    else:
        for place, line in input_lines():
            with faults_of(place):
                ruling = _of_words(tuple(line.split()), lexicon_id, rule, per)
            yield ruling


def _of_play(play: str, cgp: str, lexicon_id: str | None, rule: str | None, per: str | None) -> Ruling:
    position, lexicon = read_position(cgp, lexicon_id)
    return judge_play(play, position, lexicon, rule=rule, per=per)


def _of_words(words: tuple[str, ...], lexicon_id: str | None, rule: str | None, per: str | None) -> Ruling:
    lexicon = open_lexicon(lexicon_id)
    rules = default_rule_set(lexicon.tile_set.id)
    codes = [read_word(word, lexicon.tile_set.alphabet, f"words/{index}") for index, word in enumerate(words)]
    return judge_words(codes, lexicon, rule=rule or rules.challenge_rule, per=per or rules.penalty_per)


def _sentence(ruling: Ruling) -> str:
    """Return the verdict and its consequences, a line each, in the language of the command."""
    judged = ruling.judgement
    verdict = said_of(judged.word_count, *_VERDICTS[ruling.acceptable], lexicon=judged.lexicon.id)
    rule = judged.consequence.rule
    ruled = said("rule {rule}: {consequences}", rule=rule, consequences=_consequences(judged))
    return f"{verdict}\n{ruled}"


def _consequences(judged: Judgement) -> list[Text]:
    follows = judged.consequence
    found = [Text("the play stands") if follows.play_stands else Text("the tiles are taken back")]
    if follows.play_again:
        found.append(Text("the player plays again"))
    if follows.turn_lost_by:
        found.append(_TURN_LOST[follows.turn_lost_by])
    if follows.game_lost_by:
        found.append(_GAME_LOST[follows.game_lost_by])
    if follows.bonus:
        found.append(Text("the player gets {points} points", points=follows.bonus))
    return found
