"""Errors as commands print them: one line, or with --json the problem object of the API."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Final

import click

# The engine and the service are imported in functions, because --help needs neither.

if TYPE_CHECKING:
    from engine import EngineError
    from service.problem_objects import ProblemObject

EXIT_REFUSED: Final = 2
"""The exit code for an impossible request: a wrong option, position, file or setting."""

_AS_JSON: Final = "kibitz.json"


class Refusal(click.ClickException):
    """End the command with one line on standard error instead of a traceback."""

    exit_code = EXIT_REFUSED

    def format_message(self) -> str:
        """Return the line, with control characters from file names and files escaped."""
        from kibitz.cli.terminal import shown

        return shown(super().format_message())


def needs_service() -> None:
    """Raise Refusal unless the packages of the service are installed; they are an extra."""
    from engine.extras import install_command

    if any(find_spec(package) is None for package in ("flask", "gunicorn", "redis")):
        raise Refusal(f"the service is not installed; run: {install_command('service')}")


class _ProblemRefusal(click.ClickException):
    """End the command with a problem object on standard error."""

    exit_code = EXIT_REFUSED

    def __init__(self, problem: ProblemObject) -> None:
        super().__init__(problem.detail)
        self._problem = problem

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the object."""
        from kibitz.cli.terminal import echo_problem

        echo_problem(self._problem)


def choose_form(context: click.Context, arguments: list[str]) -> None:
    """Note whether the arguments of a command ask for JSON, also if they turn out to be wrong."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    context.meta[_AS_JSON] = "--json" in options


def refusal_of(error: Exception, context: click.Context) -> click.ClickException | None:
    """Return how a command ends because of an error, None if the user cannot fix it."""
    as_json = context.meta.get(_AS_JSON, False)
    if isinstance(error, click.ClickException):
        if as_json:
            return _ProblemRefusal(_usage_problem(error))
        return Refusal(error.format_message()) if isinstance(error, click.FileError) else error
    problem = problem_of_error(error)
    if problem is None:
        return None
    if as_json:
        return _ProblemRefusal(problem)
    from kibitz.cli.language import localized

    return Refusal(localized(problem.detail))


def echo_error(error: EngineError, where: str, as_json: bool) -> None:
    """Print one of several errors, after which the command continues, on standard error."""
    from engine import Text
    from kibitz.cli.terminal import echo_problem, shown

    if as_json and (problem := problem_of_error(error)) is not None:
        detail = Text("{where}: {fault}", where=where, fault=problem.detail)
        echo_problem(replace(problem, detail=detail))
    else:
        click.echo(shown(f"{where}: {error}"), err=True)


def problem_of_error(error: Exception) -> ProblemObject | None:
    """Return the problem object of an error that the user can fix, None for any other error."""
    from engine import DamagedTable, EngineError, InvalidInput, MissingTable, NotFound
    from service.problem_objects import MAX_ERRORS, ErrorItem, ProblemObject
    from service.settings import SettingsError

    if isinstance(error, OSError):
        reason = str(error.strerror or error)
        return ProblemObject(422, "os_error", f"{error.filename}: {reason}" if error.filename else reason)
    if isinstance(error, SettingsError):
        return ProblemObject(422, "bad_settings", str(error))
    if not isinstance(error, EngineError):
        return None
    if not isinstance(error, InvalidInput):
        missing = isinstance(error, NotFound | MissingTable)
        status = 503 if isinstance(error, DamagedTable) else 404 if missing else 500
        return ProblemObject(status, error.code, error.message, params=error.params)
    items = tuple(
        ErrorItem(f"/{fault.field}" if fault.field else "", fault.code, fault.detail, fault.params)
        for fault in error.faults[:MAX_ERRORS]
    )
    return ProblemObject(422, error.code, error.message, items, params=error.params)


def _usage_problem(error: click.ClickException) -> ProblemObject:
    from service.problem_objects import ProblemObject

    return ProblemObject(422, "bad_usage", error.format_message())
