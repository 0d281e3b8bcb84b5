"""Representations of multisets of letters, compared for the experiments; nothing else imports them.

`ParityExceedance` is the representation of the Internal-Words thesis ([Sanchez2025], chapter 3), and
`multiset_timings` measures it beside the ones that the kernels use. Open `parity_exceedance` first.
"""
