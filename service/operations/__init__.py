"""Operations: from a request to the JSON document that answers it, without HTTP.

`OPERATIONS` has them by name, which is also their operationId in the OpenAPI document. The views, /batch, the
jobs and `kibitz engine` answer by them; a `Call` says for whom. Read `operation.py` first.
"""

from typing import Final

from service.operations import duplicate, lexicons, positions, quiz, reference
from service.operations.operation import Call, Operation

__all__ = ["OPERATIONS", "Call", "Operation"]

OPERATIONS: Final = {
    declared.name: declared
    for module in (positions, duplicate, lexicons, quiz, reference)
    for declared in vars(module).values()
    if isinstance(declared, Operation)
}
