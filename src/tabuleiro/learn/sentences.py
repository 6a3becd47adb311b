"""Sentences of a lesson: `ask pt: …` and `ask en: …` side by side, or `ask: …` in a file of one language."""

from collections.abc import Sequence

from tabuleiro.diagrams import Field, RulebookError
from tabuleiro.language import LANGUAGES, Language, Text


def base_of(key: str) -> str:
    """A key without the language behind it."""
    words = key.split()
    return " ".join(words[:-1] if words[-1] in LANGUAGES else words)


def sentence(fields: Sequence[Field], language: Language | None) -> Text | None:
    """What lines with the same key say: both languages, or the one of the file twice; None where there are none."""
    said: dict[str, str] = {}
    for field in fields:
        spoken = field.key.removeprefix(base_of(field.key)).strip()
        if (language is None) != bool(spoken):
            base = base_of(field.key)
            raise RulebookError(
                Text(f"escreve «{base} pt:» e «{base} en:»", f"write “{base} pt:” and “{base} en:”")
                if language is None
                else Text(
                    f"este ficheiro está numa só língua: escreve «{base}:»", f"this file is in one language: “{base}:”"
                ),
                field.line,
            )
        if spoken in said:
            raise RulebookError(Text(f"«{field.key}» aparece duas vezes", f"“{field.key}” stands twice"), field.line)
        if not field.value:
            raise RulebookError(Text(f"«{field.key}» não diz nada", f"“{field.key}” says nothing"), field.line)
        said[spoken] = field.value
    if not said:
        return None
    if language is not None:
        return Text(said[""], said[""])
    for missing in [code for code in LANGUAGES if code not in said]:
        base = base_of(fields[0].key)
        raise RulebookError(Text(f"falta «{base} {missing}:»", f"“{base} {missing}:” is missing"), fields[0].line)
    return Text(said["pt"], said["en"])
