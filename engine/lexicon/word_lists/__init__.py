"""Word lists as text: read, decoded, and converted to tile codes.

`read_word_list` reads a list of any encoding, compressed or front-coded, and reports every line that is not a
playable word. Open `word_list` first; `word_list_text` decompresses and decodes, and `front_coding` is the
form in which the bundled lists are stored. `word_graph` is the form in which other engines store theirs.
"""

from engine.lexicon.word_lists.front_coding import front_coded
from engine.lexicon.word_lists.word_graph import word_graph
from engine.lexicon.word_lists.word_list import WordList, WordListReport, read_word_list

__all__ = ["WordList", "WordListReport", "front_coded", "read_word_list", "word_graph"]
