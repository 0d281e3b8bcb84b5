"""Expand the dictionaries of hunspell (`.aff` and `.dic` files) into word lists.

A `.dic` file lists stems with flags; the `.aff` file says which prefixes and suffixes each flag allows.
`Dictionary.open` reads both, `Dictionary.forms` returns every word that they describe, except compounds,
which hunspell joins without limit; `Rules` finds the affixes that fit one word. Open `expand` first;
`affix_file` and `dictionary_file` read the files.
"""

from lexicons.dictionaries.hunspell.affix_file import Affix, AffixFile
from lexicons.dictionaries.hunspell.dictionary_file import Entry, read_entries
from lexicons.dictionaries.hunspell.expand import Dictionary, Rules

__all__ = ["Affix", "AffixFile", "Dictionary", "Entry", "Rules", "read_entries"]
