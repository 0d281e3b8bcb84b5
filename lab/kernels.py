"""The kernels of the laboratory, which `make serve` does not compile."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def compiled_kernels() -> Iterator[None]:
    """Report that kernels are missing if the import of a module in this context fails.

    Raises EngineError (code "missing_kernels"), with the command that compiles them.
    """
    try:
        yield
    except ImportError as error:
        message = "the kernels of the laboratory are not compiled; run: make kernels"
        raise EngineError(message, code="missing_kernels") from error
