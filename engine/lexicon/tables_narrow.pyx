include "tables.pxi"
