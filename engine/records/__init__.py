"""Records: the texts of the field, read into positions and written from them."""

from engine.records.cgp import format_cgp, parse_cgp
from engine.records.operations import read_operations

__all__ = ["format_cgp", "parse_cgp", "read_operations"]
