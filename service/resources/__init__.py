"""The operations, one module per group; a view reads, calls and answers, in a few lines."""

from typing import Final

from service.resources import (
    analyze,
    annotate,
    batch,
    board_svg,
    health,
    hints,
    jobs,
    leaves,
    lexicon_search,
    play,
    reference,
    words,
)

BLUEPRINTS: Final = (
    analyze.blueprint,
    annotate.blueprint,
    batch.blueprint,
    jobs.blueprint,
    hints.blueprint,
    leaves.blueprint,
    play.blueprint,
    words.blueprint,
    lexicon_search.blueprint,
    board_svg.blueprint,
    reference.blueprint,
    health.blueprint,
)
