"""`kibitz completion`: the script by which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print a script by which SHELL completes the commands and options of kibitz.

    Put one of these lines into the start file of your shell: ~/.bashrc, ~/.zshrc or
    ~/.config/fish/config.fish. `kibitz` must be on the PATH.

    \b
    eval "$(kibitz completion bash)"
    eval "$(kibitz completion zsh)"
    kibitz completion fish | source
    """
    found = get_completion_class(shell)
    assert found is not None  # noqa: S101 - click.Choice allows only shells that click knows
    click.echo(found(context.find_root().command, {}, "kibitz", "_KIBITZ_COMPLETE").source())
