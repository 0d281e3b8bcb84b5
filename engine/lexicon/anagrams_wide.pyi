from engine.lexicon.anagrams_narrow import MOST_BLANKS as MOST_BLANKS
from engine.lexicon.anagrams_narrow import SPARE_SLOTS as SPARE_SLOTS
from engine.lexicon.anagrams_narrow import STRING_DTYPE as STRING_DTYPE
from engine.lexicon.anagrams_narrow import Strings as Strings
from engine.lexicon.anagrams_narrow import strings_of_words as strings_of_words
