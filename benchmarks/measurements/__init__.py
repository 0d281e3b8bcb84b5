"""The work of `kibitz bench` without its command line: positions, contenders, interleaved timing, reports."""
