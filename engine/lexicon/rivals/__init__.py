"""The optional parts of a table file: what the rival generators read besides the Internal-Words tables.

The rivals are the generators that the Internal-Words Method is compared with. Appel-Jacobson reads a DAWG,
Gordon a GADDAG, the Anagram Method an index of multisets with blanks, and `literal`, the method as its thesis
has it, the tables of the thesis. `kibitz lexicon build ID --with dawg,gaddag,anagrams,literal` adds these
parts to a table file; without them it stays small. Open `parts` first: it lists the parts and builds them.
`automaton` contains both automata, `anagrams` the index, `literal` and `literal_keys` the thesis's tables.
"""
