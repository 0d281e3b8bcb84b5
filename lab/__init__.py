"""The laboratory: methods and experiments of the source documents, for study. It answers no requests.

`generators` find the plays of a position by the methods that the Internal-Words Method is compared with, and
`tables` has the tables that they read. `multisets` has the thesis's representation of multisets of letters,
`endgame` solves endgames by published methods, `selfplay` and `measurements` measure players and generators.
`experiments` repeats those of the papers (`kibitz experiment`, in `commands`), and `drawings` draws what
docs/how-it-works shows. Begin with `generators/__init__.py`; each module cites its source by the keys of
docs/bibliography.md.

Only a checkout has the laboratory, and `make kernels` compiles its kernels. Its methods import only the
engine; its commands and experiments also import the command line, its archives, and `lexicons`.
"""
