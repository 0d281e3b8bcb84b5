"""The version of kibitz that is installed; pyproject.toml states it."""

from importlib.metadata import version

VERSION = version("kibitz")
