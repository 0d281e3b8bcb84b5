"""`kibitz judge`: whether words, or all words of a play, are acceptable, as one verdict."""

from __future__ import annotations

import click

from engine import (
    CHALLENGE_RULES,
    PENALTIES_PER,
    Ruling,
    default_rule_set,
    judge_play,
    judge_words,
    read_word,
)
from service.cli.lexicons import cgp_lexicon_option, open_lexicon, read_position
from service.schemas.word_answers import dump_ruling

EXIT_NOT_ACCEPTABLE = 1


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
@click.option("--json", "as_json", is_flag=True, help="Print the answer of POST /words/judge.")
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

    All words get one verdict: which of them is not acceptable is never said. The exit code is 0 if they are
    acceptable, 1 if not, 2 if the question is impossible.

    \b
    kibitz judge RETINAS QI --rule 5pt --per word
    kibitz judge --cgp "CGP" --play "8D RE.sINA"
    """
    if bool(words) == bool(play) or bool(play) != bool(cgp):
        raise click.UsageError("give either WORDs, or --cgp and --play")
    ruling = (
        _of_play(play, cgp, lexicon_id, rule, per)
        if play and cgp
        else _of_words(words, lexicon_id, rule, per)
    )
    click.echo(dump_ruling(ruling).rstrip() if as_json else _sentence(ruling))
    if not ruling.acceptable:
        context.exit(EXIT_NOT_ACCEPTABLE)


def _of_play(play: str, cgp: str, lexicon_id: str | None, rule: str | None, per: str | None) -> Ruling:
    position, lexicon = read_position(cgp, lexicon_id)
    return judge_play(play, position, lexicon, rule=rule, per=per)


def _of_words(words: tuple[str, ...], lexicon_id: str | None, rule: str | None, per: str | None) -> Ruling:
    lexicon = open_lexicon(lexicon_id)
    rules = default_rule_set(lexicon.tile_set.id)
    codes = [read_word(word, lexicon.tile_set.alphabet, f"words/{index}") for index, word in enumerate(words)]
    return judge_words(codes, lexicon, rule=rule or rules.challenge_rule, per=per or rules.penalty_per)


def _sentence(ruling: Ruling) -> str:
    """Return the verdict and its consequences, a line each."""
    judged = ruling.judgement
    follows = judged.consequence
    number = "1 word" if judged.word_count == 1 else f"{judged.word_count} words"
    verdict = "acceptable" if ruling.acceptable else "NOT acceptable"
    said = ["the play stands" if follows.play_stands else "the tiles are taken back"]
    if follows.play_again:
        said.append("the player plays again")
    if follows.turn_lost_by:
        said.append(f"the {follows.turn_lost_by} loses the turn")
    if follows.game_lost_by:
        said.append(f"the {follows.game_lost_by} loses the game")
    if follows.bonus:
        said.append(f"the player gets {follows.bonus} points")
    return f"{number}: {verdict} in {judged.lexicon.id}\nrule {follows.rule}: {', '.join(said)}"
