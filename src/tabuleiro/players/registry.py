"""Engines by name, as everybody asks for them: `level:3`, `alphabeta:time=0.1`, `mcts`, `uct`, `random`, `uci:…`.

A name is a kind and, after a colon, its settings (`name=value`, commas between) or, for other programs, the command
that runs them; their settings then stand in brackets before the colon: `uci[time=0.1,Hash=64]:fairy-stockfish`.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from tabuleiro.core import shorten
from tabuleiro.language import Text
from tabuleiro.players.kinds import Argument, EngineKind, EngineNameError, read_number
from tabuleiro.search.base import Engine, Limit


def _kinds(file: str) -> Sequence[EngineKind]:
    kinds: Sequence[EngineKind] = import_module(f"tabuleiro.players.{file}").KINDS
    return kinds


#: The kinds of engines there are by name: a line for each file of this room that has some in its `KINDS`.
KINDS: dict[str, EngineKind] = {
    kind.name: kind
    for file in (
        "levels",
        "searches",
        "nets",
        "programs",
    )
    for kind in _kinds(file)
}
#: The settings that every kind takes: the limit of a search, in seconds, nodes and plies.
LIMITS = ("time", "nodes", "depth")

_NAME = re.compile(r"(?P<kind>[a-z]+)(?:\[(?P<settings>[^\]]*)\])?(?::(?P<rest>.*))?", re.DOTALL)


@dataclass(frozen=True)
class EngineName:
    """The name of an engine, taken apart."""

    text: str
    kind: str
    #: The level, or the command of a program.
    argument: str
    limit: Limit | None
    settings: dict[str, str] = field(default_factory=dict)


def parse_name(text: str) -> EngineName:
    match = _NAME.fullmatch(text.strip())
    kind = KINDS.get(match["kind"]) if match else None
    if match is None or kind is None:
        known = ", ".join(f"{name}:…" if kind.argument is Argument.COMMAND else name for name, kind in KINDS.items())
        raise EngineNameError(
            Text(
                f"não há nenhum jogador «{shorten(text)}»; há: {known}",
                f"no player “{shorten(text)}”; there are: {known}",
            )
        )
    rest = (match["rest"] or "").strip()
    argument, more = _split_rest(kind, rest)
    kind.check(argument)
    with _naming(text):
        settings = _read_settings(match["settings"] or "") | _read_settings(more)
        limit = _take_limit(settings)
    if kind.argument is not Argument.COMMAND:
        for name in settings:
            if name not in kind.settings:
                known = ", ".join((*LIMITS, *kind.settings))
                raise EngineNameError(
                    Text(
                        f"«{kind.name}» não tem «{shorten(name)}»; tem: {known}",
                        f"“{kind.name}” has no “{shorten(name)}”; it has: {known}",
                    )
                )
    return EngineName(text.strip(), kind.name, argument, limit, settings)


def _split_rest(kind: EngineKind, rest: str) -> tuple[str, str]:
    """What stands after the colon of a name: the argument, and settings."""
    if kind.argument is Argument.COMMAND:
        return rest, ""
    argument, _, settings = rest.partition(",") if kind.argument is Argument.WORD else ("", "", rest)
    return argument, settings


@contextmanager
def _naming(text: str) -> Iterator[None]:
    """Say of an error in which name it is."""
    try:
        yield
    except EngineNameError as error:
        shown = shorten(text)
        raise EngineNameError(Text(f"em «{shown}», {error.text.pt}", f"in “{shown}”, {error.text.en}")) from error


def _read_settings(pairs: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for pair in filter(None, pairs.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise EngineNameError(
                Text(f"escreve nome=valor, não «{shorten(pair)}»", f"write name=value, not “{shorten(pair)}”")
            )
        settings[name.strip()] = value.strip()
    return settings


def _take_limit(settings: dict[str, str]) -> Limit | None:
    """The limit among the settings, which it leaves."""
    given = {name: read_number(settings.pop(name)) for name in LIMITS if name in settings}
    if not given:
        return None
    return Limit(
        seconds=given.get("time"),
        nodes=int(given["nodes"]) if "nodes" in given else None,
        depth=int(given["depth"]) if "depth" in given else None,
    )


def make_engine(name: EngineName | str, game: str, **usual: Any) -> Engine:
    """The engine of that name, for a game. `usual` has values for settings that the name leaves open, where the kind
    takes such."""
    if isinstance(name, str):
        name = parse_name(name)
    kind = KINDS[name.kind]
    if kind.argument is Argument.COMMAND:
        return kind.new(game, name.argument, **name.settings)
    values = {setting: value for setting, value in usual.items() if setting in kind.settings}
    with _naming(name.text):
        values |= {setting: kind.settings[setting].read(text) for setting, text in name.settings.items()}
    return kind.new(game, name.argument, **values)


def level_engine(game: str, level: int, seed: int = 0, *, threads: int = 1, table: int = 64) -> Engine:
    """The engine of a level. Levels below the top stop by themselves, and play the same for the same seed."""
    engine = make_engine(f"level:{level}", game, threads=threads, table=table)
    engine.begin(seed)
    return engine
