include "static_evaluation.pxi"
