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


def language_of(environment: Mapping[str, str] = os.environ) -> Language:
    """The language a terminal asks for: Portuguese for any `pt…` locale, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "pt" if value.lower().startswith("pt") else "en"
    return "en"
