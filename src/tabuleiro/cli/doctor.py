"""`tabuleiro doctor`: what is here, what is missing, and what to do about it."""

import os
import platform
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import typer

from tabuleiro import __version__
from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.speech import both, figure, language, print_json, shows_unicode, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

HELP = both("Diz o que falta nesta instalação e o que fazer.", "Say what this installation lacks and what to do.")

#: The port that `tabuleiro serve` asks for.
PORT = 8000
#: Bytes that should be free where games are kept.
ROOM = 1 << 30

State = Literal["good", "optional", "bad"]
MARKS = {"good": Text("bem", "well"), "optional": Text("opcional", "optional"), "bad": Text("FALTA", "MISSING")}


class Finding(NamedTuple):
    name: str
    state: State
    told: Text
    #: What to do about it.
    cure: Text | None = None

    def as_json(self) -> dict[str, Any]:
        cure = None if self.cure is None else self.cure.to(language())
        return {"name": self.name, "state": self.state, "told": self.told.to(language()), "do": cure}


class Extra(NamedTuple):
    """What an extra of the package is for, and what is imported of it."""

    modules: tuple[str, ...]
    purpose: Text


EXTRAS = {
    "server": Extra(
        ("fastapi", "uvicorn", "sqlalchemy", "alembic", "orjson", "segno", "argon2", "openskill", "fsrs", "zeroconf"),
        Text("o sítio dos jogos, com «tabuleiro serve»", "the site of the games, by “tabuleiro serve”"),
    ),
    "championship": Extra(("rustworkx", "openpyxl"), Text("campeonatos", "championships")),
    "nn": Extra(("onnxruntime",), Text("o nível 10 de Hex joga com a sua rede", "level 10 of Hex plays with its net")),
    "batch": Extra(
        ("numpy",), Text("muitas partidas ao mesmo tempo, para treinar", "many games at once, for training")
    ),
    "parquet": Extra(("pyarrow",), Text("registos em Parquet", "records in Parquet")),
    "ray": Extra(("ray",), Text("trabalho em muitas máquinas, com --ray", "work on many machines, by --ray")),
    "gymnasium": Extra(("gymnasium",), Text("ambientes de Gymnasium", "environments of Gymnasium")),
    "pettingzoo": Extra(("pettingzoo",), Text("ambientes de PettingZoo", "environments of PettingZoo")),
    "openspiel": Extra(("pyspiel",), Text("os jogos em OpenSpiel", "the games in OpenSpiel")),
}
#: Those without which something that most people do is not there.
WANTED = ("server",)


def doctor(json: JsonOption = False) -> None:
    found = [*examine()]
    is_well = all(finding.state != "bad" for finding in found)
    if json:
        print_json({"version": __version__, "well": is_well, "findings": [finding.as_json() for finding in found]})
    else:
        print(f"Tabuleiro {__version__}, Python {platform.python_version()}, {platform.platform()}")
        for finding in found:
            print(f"  {MARKS[finding.state].to(language())}: {finding.told.to(language())}")
            if finding.cure is not None:
                print(f"    → {finding.cure.to(language())}" if _arrows() else f"    {finding.cure.to(language())}")
        print(
            tr("Está tudo o que é preciso.", "Everything that is needed is here.")
            if is_well
            else tr("Falta o que está marcado.", "What is marked is missing.")
        )
    if not is_well:
        raise typer.Exit(1)


def _arrows() -> bool:
    return shows_unicode(sys.stdout)


def examine() -> Iterator[Finding]:
    """Everything that is looked at, in the order in which it is needed."""
    looks: tuple[Callable[[], Finding], ...] = (_native, _pages, _documentation)
    for look in looks:
        yield look()
    yield from map(_extra, EXTRAS)
    yield from (_data_folder(), _port(), _terminal(), _cores())


def _native() -> Finding:
    try:
        from tabuleiro import native  # noqa: F401  # to import it is to check it
    except TabuleiroError as error:
        return Finding(
            "native",
            "bad",
            error.text,
            Text("pip install --force-reinstall tabuleiro", "pip install --force-reinstall tabuleiro"),
        )
    return Finding("native", "good", Text("o módulo nativo está cá", "the native module is here"))


def _pages() -> Finding:
    folder = Path(__file__).parents[1] / "server" / "static"
    if (folder / "index.html").is_file():
        return Finding("pages", "good", Text("as páginas do sítio estão cá", "the pages of the site are here"))
    return Finding(
        "pages",
        "bad",
        Text("as páginas do sítio não foram construídas", "the pages of the site were not built"),
        Text(
            "instala uma roda (pip install tabuleiro), ou constrói-as com «make client», que precisa de Node",
            "install a wheel (pip install tabuleiro), or build them by “make client”, which needs Node",
        ),
    )


def _documentation() -> Finding:
    folder = Path(__file__).parents[1] / "server" / "documentation"
    if (folder / "index.html").is_file():
        return Finding(
            "documentation", "good", Text("a documentação está cá, em /docs", "the documentation is here, at /docs")
        )
    return Finding(
        "documentation",
        "optional",
        Text("a documentação não foi construída", "the documentation was not built"),
        Text("constrói-a com «make docs»", "build it by “make docs”"),
    )


def _extra(name: str) -> Finding:
    modules, purpose = EXTRAS[name]
    missing = [module for module in modules if find_spec(module) is None]
    if not missing:
        return Finding(name, "good", Text(f"{purpose.pt} ({name})", f"{purpose.en} ({name})"))
    lacks = ", ".join(missing)
    return Finding(
        name,
        "bad" if name in WANTED else "optional",
        Text(f"{purpose.pt}: falta {lacks}", f"{purpose.en}: {lacks} missing"),
        Text(f"pip install 'tabuleiro[{name}]'", f"pip install 'tabuleiro[{name}]'"),
    )


def _data_folder() -> Finding:
    from tabuleiro.server.settings import data_folder

    folder = data_folder()
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not os.access(there, os.W_OK):
        return Finding(
            "data",
            "bad",
            Text(f"não se pode escrever em {there}", f"{there} cannot be written to"),
            Text(
                "escolhe outra pasta: tabuleiro serve --data PASTA", "choose another folder: tabuleiro serve --data DIR"
            ),
        )
    free = shutil.disk_usage(there).free
    room = figure(free / 1e9, 1, "GB")
    told = Text(f"as partidas guardam-se em {folder} ({room} livres)", f"games are kept in {folder} ({room} free)")
    if free < ROOM:
        return Finding("data", "bad", told, Text("liberta espaço no disco", "make room on the disk"))
    return Finding("data", "good", told)


def _port() -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError:
            return Finding(
                "port",
                "optional",
                Text(f"a porta {PORT} está ocupada", f"port {PORT} is taken"),
                Text(f"tabuleiro serve --port {PORT + 1}", f"tabuleiro serve --port {PORT + 1}"),
            )
    return Finding("port", "good", Text(f"a porta {PORT} está livre", f"port {PORT} is free"))


def _terminal() -> Finding:
    if shows_unicode(sys.stdout):
        return Finding("terminal", "good", Text("esta consola mostra os tabuleiros", "this terminal shows the boards"))
    return Finding(
        "terminal",
        "optional",
        Text(
            "esta consola não mostra todos os sinais dos tabuleiros",
            "this terminal cannot show all signs of the boards",
        ),
        Text("escolhe UTF-8: PYTHONUTF8=1 ou LANG=pt_PT.UTF-8", "choose UTF-8: PYTHONUTF8=1 or LANG=en_GB.UTF-8"),
    )


def _cores() -> Finding:
    cores = os.cpu_count() or 1
    return Finding("cores", "good", Text(f"processadores: {cores}", f"processors: {cores}"))
