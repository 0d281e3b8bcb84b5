"""Words to study: the lists that books for players print, bingo stems, and flash cards.

`study_lists.STUDY_LISTS` are the lists, `bingo_stems.bingo_stems` ranks stems, `flash_cards` asks for words,
`card_progress` decides when a card comes again, and `card_formats` has the cards of other programs. Open
`study_lists` first. docs/study.md defines all of them.
"""
