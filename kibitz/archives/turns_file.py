"""Write the turns of annotated games to a Parquet file, which pandas, DuckDB and Spark read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine import InvalidInput, Text, __version__
from engine.extras import install_command
from kibitz.archives.turn_rows import COLUMNS, TURNS_VERSION, turn_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType, TracebackType

TURNS_FILE: Final = "turns.parquet"
"""The name of the file in the output folder of `kibitz batch`."""

PARTIAL_TURNS_FILE: Final = f".{TURNS_FILE}.partial"
"""The name of that file while it is written."""

VERSION_KEY: Final = "kibitz.turns_version"
ENGINE_KEY: Final = "kibitz.engine_version"
"""The keys of the file's metadata: the version of the columns, and that of kibitz."""

ROWS: Final = 16_384
"""A row group ends after the game that fills this many rows; a turn takes about a kilobyte."""


class TurnsFile:
    """A context manager that writes a Parquet file under a temporary name, and renames it if no error occurs.

    The bytes depend on the annotations and their order alone, and on the versions of kibitz and pyarrow.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; raise InvalidInput (code "parquet_missing") without pyarrow."""
        self._path = path
        self._partial = path.with_name(PARTIAL_TURNS_FILE)
        self._arrow = pyarrow()
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> TurnsFile:
        from pyarrow.parquet import ParquetWriter

        types = {"string": "string", "int32": "int32", "double": "float64", "bool": "bool_"}
        arrow = self._arrow

        def type_of(name: str) -> Any:
            inner = name.removeprefix("list<").removesuffix(">")
            found = getattr(arrow, types[inner])()
            return found if inner == name else arrow.list_(found)

        fields = [
            arrow.field(one.name, type_of(one.type), metadata={"description": one.meaning}) for one in COLUMNS
        ]
        metadata = {VERSION_KEY: str(TURNS_VERSION), ENGINE_KEY: __version__}
        self._schema = arrow.schema(fields, metadata)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = ParquetWriter(self._partial, self._schema, compression="zstd")
        return self

    def add(self, lines: Sequence[bytes]) -> None:
        """Add the turns of an annotation, whose lines are those of `turn_rows`."""
        self._rows.extend(turn_rows(lines))
        if len(self._rows) >= ROWS:
            self._flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            try:
                if kind is None:
                    self._flush()
            finally:
                self._writer.close()
            if kind is None:
                self._partial.replace(self._path)
        finally:
            self._partial.unlink(missing_ok=True)

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows = []


def pyarrow() -> ModuleType:
    """Return pyarrow; raise InvalidInput (code "parquet_missing") if it is not installed."""
    try:
        import pyarrow as found
    except ImportError:
        raise parquet_missing("pyarrow") from None
    return found  # type: ignore[no-any-return]


def parquet_missing(package: str) -> InvalidInput:
    """Return the error for a package of the extra [parquet] that is not installed."""
    return InvalidInput(
        Text(
            "Parquet files need {package}, which is not installed: {command}",
            package=package,
            command=install_command("parquet"),
        ),
        code="parquet_missing",
    )
