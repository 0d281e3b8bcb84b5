"""Representations of multisets of letters: for the experiments, and for the generator of the thesis.

`ParityExceedance` is the representation of the Internal-Words thesis ([Sanchez2025], chapter 3), and
`multiset_timings` measures it beside the ones that the kernels use. Open `parity_exceedance` first.
"""
