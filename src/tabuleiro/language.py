"""The two languages of the house, Portuguese (pt-PT) and English.

A sentence shown to a person is a `Text`: both languages side by side, so none can be missing.
"""

import os
from collections.abc import Mapping
from typing import Literal, NamedTuple

Language = Literal["pt", "en"]
LANGUAGES: tuple[Language, ...] = ("pt", "en")


class Text(NamedTuple):
    pt: str
    en: str

    def to(self, language: Language) -> str:
        return self.pt if language == "pt" else self.en


#: Digits stand in groups of three, with a space that does not break between them.
NO_BREAK = "\N{NO-BREAK SPACE}"


def number(value: float, language: Language, decimals: int = 0) -> str:
    """A number as people write it: `190 131` and `1,5` in Portuguese, `190,131` and `1.5` in English.

    Portuguese groups digits only from ten thousand on.
    """
    written = f"{value:,.{decimals}f}"
    if language == "en":
        return written
    if abs(value) < 10_000:
        written = written.replace(",", "")
    return written.translate({ord(","): NO_BREAK, ord("."): ","})


def figure(value: float, decimals: int = 0, unit: str = "") -> Text:
    """A number in both languages, with its unit."""
    after = f" {unit}" if unit else ""
    return Text(number(value, "pt", decimals) + after, number(value, "en", decimals) + after)


def plural(count: int, one: Text, several: Text) -> Text:
    """How many of something, the number before the word: `1 semente`, `2 sementes`."""
    word = one if count == 1 else several
    return Text(f"{number(count, 'pt')} {word.pt}", f"{number(count, 'en')} {word.en}")


def language_of(environment: Mapping[str, str] = os.environ) -> Language:
    """The language a terminal asks for: Portuguese for any `pt…` locale, else English.

    Whoever asks for a language the house does not speak (Spanish, French) gets English, which more of them read.
    """
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "pt" if value.lower().startswith("pt") else "en"
    return "en"
