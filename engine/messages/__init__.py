"""Messages for people in several languages: texts, plurals and numbers.

A message is written in English where it is used, marked by `message` or `plural`, and `translated` returns
it in another language. The translations are gettext catalogues, `locales/LANGUAGE/LC_MESSAGES/kibitz.po`;
`make messages` brings them up to date, and `pybabel init` begins a new one. The language is always an
argument, one of LANGUAGES.
"""

from engine.messages.catalogue import DEFAULT_LANGUAGE, LANGUAGES, message, number, plural, translated

__all__ = ["DEFAULT_LANGUAGE", "LANGUAGES", "message", "number", "plural", "translated"]
