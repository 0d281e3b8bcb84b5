"""The views, one module for each group of operations; BLUEPRINTS lists them."""

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
    study,
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
    study.blueprint,
    board_svg.blueprint,
    reference.blueprint,
    health.blueprint,
)
