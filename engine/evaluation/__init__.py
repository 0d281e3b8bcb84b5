"""What a move is worth: leaves, bingo expectation, win percentage.

valuation.h is the form in which kernels ask every evaluator.
"""
