"""Open word lists of other languages, built from the spelling dictionaries of the system.

`open_lists` names the lists with their sources, licences and the rules that choose the words (`open_list`);
`open_words` builds one. The package `hunspell` expands a dictionary by its affix file. Open `open_list`
first.
"""

from lexicons.dictionaries.open_list import OpenList, SourcePackage, open_list, open_lists
from lexicons.dictionaries.open_words import OpenWords, open_words

__all__ = ["OpenList", "OpenWords", "SourcePackage", "open_list", "open_lists", "open_words"]
