"""`kibitz judge`: whether words, or all words of a play, are acceptable; never which of them is not."""

from __future__ import annotations

import click

from engine import (
    CHALLENGE_RULES,
    PENALTIES_PER,
    Ruling,
    default_rule_set,
    judge_play,
    judge_words,
    parse_cgp,
    read_operations,
    read_word,
)
from service.cli.lexicons import open_lexicon
from service.schemas.word_answers import dump_ruling

EXIT_NOT_ACCEPTABLE = 1


@click.command("judge")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--cgp", metavar="CGP", help="Instead of words: the position that a play is made in.")
@click.option("--play", metavar="MOVE", help='The play, such as "8D RE.sINA"; all its words are judged.')
@click.option(
    "--lexicon",
    "lexicon_id",
    metavar="ID",
    help="The lexicon. [default: that of the CGP, else KIBITZ_LEXICON, else scowl80]",
)
@click.option(
    "--rule", type=click.Choice(CHALLENGE_RULES), help="Challenge rule; otherwise that of the game played."
)
@click.option(
    "--per",
    type=click.Choice(PENALTIES_PER),
    default=PENALTIES_PER[0],
    show_default=True,
    help="What 5pt and 10pt count by.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer that POST /words/judge gives.")
@click.pass_context
def judge_command(
    context: click.Context,
    words: tuple[str, ...],
    cgp: str | None,
    play: str | None,
    lexicon_id: str | None,
    rule: str | None,
    per: str,
    as_json: bool,
) -> None:
    """Judge WORDs, or all words of a play, as a whole, as an adjudicator does.

    It never says which word is not acceptable, and looks up each of them. The exit code
    is 0 for an acceptable play, 1 for one that is not, 2 for a question that makes no sense.

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


def _of_play(play: str, cgp: str, lexicon_id: str | None, rule: str | None, per: str) -> Ruling:
    lexicon = open_lexicon(lexicon_id or dict(read_operations(cgp)).get("lex"))
    position = parse_cgp(cgp, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    return judge_play(play, position, lexicon, rule=rule, per=per)


def _of_words(words: tuple[str, ...], lexicon_id: str | None, rule: str | None, per: str) -> Ruling:
    lexicon = open_lexicon(lexicon_id)
    rules = default_rule_set(lexicon.tile_set.id)
    codes = [read_word(word, lexicon.tile_set.alphabet, f"words/{index}") for index, word in enumerate(words)]
    return judge_words(codes, lexicon, rule=rule or rules.challenge_rule, per=per)


def _sentence(ruling: Ruling) -> str:
    """Return the verdict and what follows from it, a line each."""
    judged = ruling.judgement
    follows = judged.consequence
    number = "1 word" if judged.word_count == 1 else f"{judged.word_count} words"
    verdict = "acceptable" if ruling.acceptable else "NOT acceptable"
    said = ["the play stands" if follows.play_stands else "the tiles come off"]
    if follows.play_again:
        said.append("the player plays again")
    if follows.turn_lost_by:
        said.append(f"the {follows.turn_lost_by} loses the turn")
    if follows.game_lost_by:
        said.append(f"the {follows.game_lost_by} loses the game")
    if follows.bonus:
        said.append(f"the player gets {follows.bonus} points")
    return f"{number}: {verdict} in {judged.lexicon.id}\nrule {follows.rule}: {', '.join(said)}"
