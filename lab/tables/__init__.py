"""The tables that the generators of the laboratory read besides those of the lexicon.

Appel-Jacobson reads a DAWG, Gordon a GADDAG (both in `automaton`), the Anagram Method an index of multisets
with blanks (`anagrams`), and the Internal-Words Method as its thesis has it the tables of the thesis
(`literal`, `literal_keys`). Each is built from the lexicon's words at its first use, then read from a file.
Open `stored` first.
"""
