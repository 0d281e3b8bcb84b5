"""Words to study: the lists that books for players print, bingo stems, and probabilities.

`study_lists.STUDY_LISTS` are the lists, `bingo_stems.bingo_stems` ranks stems, and
`draw_probability.draw_probabilities` says how often the tiles of a word are drawn. Open `study_lists` first.
docs/study.md defines all of them.
"""
