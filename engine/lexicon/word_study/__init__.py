"""Words to study: the lists that books for players print, bingo stems, and flash cards.

`study_lists.STUDY_LISTS` are the lists, `bingo_stems.bingo_stems` ranks stems, and `flash_cards` asks for
words. Open `study_lists` first. docs/study.md defines all of them.
"""
