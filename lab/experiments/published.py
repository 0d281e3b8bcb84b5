"""Published times of move generation by move number 1 to 24, for comparison with ours in plots and tables."""

from __future__ import annotations

from typing import Final


def _times(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split()))


# Milliseconds, games of Quackle against Heuri, TWL06, a machine of 2018: [Anagram2018], table 2.
HEURI_MS: Final = _times(
    "0.3 0.95 1.46 1.87 2.28 2.64 3.13 3.65 4.02 4.59 4.91 5.61 5.81 6.42 6.82 7.47 7.66 8.42 8.47 9.14 "
    "7.83 7.3 4.53 3.33"
)
QUACKLE_MS: Final = _times(
    "5.93 9.59 13.14 13.71 14.49 13.03 14.93 17.08 15.7 17.15 14.45 19.43 13.97 16.55 15.63 16.67 15.18 "
    "15.16 13.14 13.83 9.02 8.33 4.06 3.23"
)

# Microseconds for every play, 1,000 greedy games, TWL06, one core of an AMD EPYC Zen 4; measured with
# [Quackle] and [MAGPIE] themselves.
QUACKLE_US: Final = _times(
    "201.62 455.34 422.64 425.64 381.65 350.64 393.64 357.44 363.53 354.98 362.16 354.59 340.67 341.89 "
    "332.66 331.7 326.13 304.44 297.46 263.23 244.75 174.85 128.01 101.71"
)
MAGPIE_GADDAG_US: Final = _times(
    "159.64 245.22 230.68 233.05 207.41 190.07 214.26 193.93 199.01 189.61 196.91 192.71 183.04 183.59 "
    "178.01 177.16 174.99 163.37 163.07 147.73 142.18 104.4 78.13 61.9"
)
MAGPIE_WMP_US: Final = _times(
    "72.09 177.75 186.66 205.5 195.38 192.64 225.07 220.04 225.52 230.79 235.14 239.78 232.86 235.88 "
    "233.26 236.62 236.46 222.82 229.2 209.33 200.6 148.87 111.76 84.15"
)
