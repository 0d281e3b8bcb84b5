"""Messages for people in several languages: texts, plurals and numbers.

A message is written in English where it is used. Either it is a `Text`, which holds its values and which
`rendered` returns in another language where the reader is known; or a template marked by `message` or
`plural`, which `translated` returns. The translations are gettext catalogues,
`locales/LANGUAGE/LC_MESSAGES/kibitz.po`; `make messages` brings them up to date, and `pybabel init` begins a
new one. The language is always an argument, one of LANGUAGES.
"""

from engine.messages.catalogue import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    compiled,
    message,
    number,
    plural,
    translated,
)
from engine.messages.text import Text, both, either, joined, rendered

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Text",
    "both",
    "compiled",
    "either",
    "joined",
    "message",
    "number",
    "plural",
    "rendered",
    "translated",
]
