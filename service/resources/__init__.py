"""The views, one module for each group of operations; BLUEPRINTS lists them."""

from typing import Final

from service.resources import (
    analyze,
    annotate,
    batch,
    duplicate,
    equipment,
    health,
    hints,
    jobs,
    leaves,
    lexicon_search,
    opponent_rack,
    pictures,
    play,
    quiz,
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
    opponent_rack.blueprint,
    play.blueprint,
    duplicate.blueprint,
    words.blueprint,
    lexicon_search.blueprint,
    study.blueprint,
    quiz.blueprint,
    pictures.blueprint,
    reference.blueprint,
    equipment.blueprint,
    health.blueprint,
)
