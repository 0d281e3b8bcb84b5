"""Word lists that come with kibitz, what was learned from them, and what makes them.

Each folder with a `manifest.json` is a bundled lexicon; SOURCES.md says where it comes from. `dictionaries`
builds the lists of other languages from spelling dictionaries, `spanish_words` the Spanish one from labelled
lemmas. The scripts beside them repeat how the bundled files were made. It imports nothing of kibitz but the
engine, which reads the lists and knows nothing of their making.
"""
