"""Reading settings that a person wrote (TOML): whatever is wrong is named by its line, its key and the reason."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Never

from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text


class SettingsError(TabuleiroError):
    """A setting that cannot be."""


class Settings:
    """A table of settings, read key by key; `finish` refuses the keys that nobody asked for."""

    def __init__(self, values: Any, path: str = "", source: str = "") -> None:
        self.path, self.source = path, source
        if not isinstance(values, Mapping):
            self.wrong("", Text("devia ser uma tabela", "should be a table"))
        self.values: Mapping[str, Any] = values
        self._asked: set[str] = set()

    def wrong(self, key: str, why: Text) -> Never:
        path = ".".join(part for part in (self.path, key) if part)
        line = line_of(self.source, path)
        pt, en = (f"linha {line}, ", f"line {line}, ") if line else ("", "")
        name = path or "-"
        raise SettingsError(Text(f"{pt}{name}: {why.pt}", f"{en}{name}: {why.en}"))

    def has(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str, default: Any = None) -> Any:
        self._asked.add(key)
        return self.values.get(key, default)

    def require(self, key: str) -> Any:
        if key not in self.values:
            self.wrong(key, Text("falta", "is missing"))
        return self.get(key)

    def whole(self, key: str, default: int | None, least: int, most: int) -> int | None:
        if not self.has(key):
            self.get(key)
            return default
        value = self.get(key)
        if type(value) is not int or not least <= value <= most:
            said = Text(
                f"devia ser um número inteiro de {least} a {most}", f"should be a whole number from {least} to {most}"
            )
            self.wrong(key, said)
        return int(value)

    def number(self, key: str, default: float) -> float:
        """A number of points: 0 or more, in steps of a half, so that every sum is exact."""
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100 or value * 2 % 1:
            self.wrong(key, Text("devia ser 0, 0.5, 1, 1.5, …", "should be 0, 0.5, 1, 1.5, …"))
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.get(key, default)
        if type(value) is not bool:
            self.wrong(key, Text("devia ser true ou false", "should be true or false"))
        return value

    def choice(self, key: str, default: str | None, choices: Sequence[str]) -> str:
        value = self.get(key, default) if default is not None else self.require(key)
        if value not in choices:
            known = ", ".join(choices)
            self.wrong(
                key,
                Text(
                    f"«{shorten(str(value))}» não existe; há: {known}",
                    f"there is no “{shorten(str(value))}”; there are: {known}",
                ),
            )
        return str(value)

    def choices(self, key: str, default: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
        """An ordered list of different words."""
        value = self.get(key, list(default))
        if not isinstance(value, list):
            self.wrong(key, Text("devia ser uma lista", "should be a list"))
        for place, word in enumerate(value):
            if word not in known:
                self.wrong(
                    key,
                    Text(
                        f"«{shorten(str(word))}» não existe; há: {', '.join(known)}",
                        f"there is no “{shorten(str(word))}”; there are: {', '.join(known)}",
                    ),
                )
            if word in value[:place]:
                self.wrong(key, Text(f"«{word}» aparece duas vezes", f"“{word}” is there twice"))
        return tuple(value)

    def text(self, key: str) -> Text:
        value = self.require(key)
        if isinstance(value, str):
            value = {"pt": value, "en": value}
        if (
            not isinstance(value, Mapping)
            or set(value) != {"pt", "en"}
            or not all(type(v) is str for v in value.values())
        ):
            self.wrong(key, Text('devia ser { pt = "…", en = "…" }', 'should be { pt = "…", en = "…" }'))
        return Text(value["pt"], value["en"])

    def table(self, key: str) -> "Settings":
        return Settings(self.get(key, {}), f"{self.path}.{key}" if self.path else key, self.source)

    def tables(self, key: str) -> list["Settings"]:
        value = self.get(key, [])
        if not isinstance(value, list):
            self.wrong(key, Text(f"escreve-se [[{key}]]", f"is written [[{key}]]"))
        base = f"{self.path}.{key}" if self.path else key
        return [Settings(item, f"{base}[{place}]", self.source) for place, item in enumerate(value, start=1)]

    def finish(self) -> None:
        for key in self.values:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                self.wrong(key, Text(f"não se conhece; há: {known}", f"is not known; there are: {known}"))


def read_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError(Text("há listas dentro de listas a mais", "lists are nested too deeply")) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        reason = str(error).split(" (at ")[0]
        raise SettingsError(
            Text(f"linha {line}: isto não é TOML ({reason})", f"line {line}: this is not TOML ({reason})")
        ) from error


def line_of(source: str, path: str) -> int | None:
    """The line where a key such as `sections[2].game` stands, or the table that should have it."""
    found, section, count = None, "", {"": 0}
    parts = re.sub(r"\[\d+\]", "", path).split(".")
    places = [int(number) for number in re.findall(r"\[(\d+)\]", path)]
    for number, line in enumerate(source.splitlines(), start=1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]", line):
            section = header[1]
            count[section] = count.get(section, 0) + 1
            head = parts[: len(section.split("."))]
            if section.split(".") == head and (not places or count[section] == places[0]):
                found = number
        elif key := re.match(r"\s*([\w-]+|\"[^\"]+\")\s*=", line):
            here = [*(section.split(".") if section else []), key[1].strip('"')]
            right = not places or not section or count.get(section.split(".")[0], 0) == places[0]
            if right and here == parts[: len(here)] and len(here) > (len(section.split(".")) if section else 0):
                return number
    return found
