"""`tabuleiro manual`: the manual page, made of the commands themselves. `tabuleiro manual | man -l -` shows it."""

from collections.abc import Iterator
from typing import Any

import typer

from tabuleiro import __version__
from tabuleiro.cli.frame import option_row, parameter_name
from tabuleiro.cli.speech import both, in_language, tr

HELP = both(
    "Escreve a página do manual: tabuleiro manual | man -l -",
    "Write the manual page: tabuleiro manual | man -l -",
)


def manual(context: typer.Context) -> None:
    print("\n".join(_page(context.find_root())))


def _page(root: Any) -> Iterator[str]:
    yield f'.TH TABULEIRO 1 "" "Tabuleiro {__version__}" "Tabuleiro"'
    yield ".SH " + tr("NOME", "NAME")
    yield _plain("tabuleiro - " + tr("oito jogos de tabuleiro", "eight board games"))
    yield ".SH " + tr("SINOPSE", "SYNOPSIS")
    yield ".B tabuleiro"
    yield _plain(tr("COMANDO [OPÇÕES]", "COMMAND [OPTIONS]"))
    yield ".SH " + tr("DESCRIÇÃO", "DESCRIPTION")
    yield _plain(in_language(root.command.help or ""))
    yield _plain(
        tr("A documentação inteira está em /docs do sítio.", "All of the documentation is at /docs of the site.")
    )
    yield ".SH " + tr("COMANDOS", "COMMANDS")
    yield from _commands(root.command, root, "tabuleiro")
    yield ".SH " + tr("CÓDIGOS DE SAÍDA", "EXIT STATUS")
    yield _plain(
        tr(
            "0: correu bem. 1: o que se pediu está errado. 2: o comando está mal escrito. 130: interrompido. "
            "Em solve, 1 quer dizer que a resposta não se sabe.",
            "0: all is well. 1: what was asked for is wrong. 2: the command is written wrongly. 130: interrupted. "
            "In solve, 1 means that the answer is not known.",
        )
    )


def _commands(group: Any, context: Any, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        own = f"{path} {name}"
        if hasattr(command, "commands"):
            yield from _commands(command, context, own)
            continue
        arguments = [each for each in command.params if each.param_type_name == "argument"]
        names = [parameter_name(each) + ("…" if each.nargs == -1 else "") for each in arguments]
        yield f".SS {_escaped(' '.join([own, *names]))}"
        yield _plain(in_language(command.help or ""))
        for each, called in zip(arguments, names, strict=True):
            yield from _item(called, in_language(each.help or ""))
        for option in command.params:
            if option.param_type_name == "option" and not getattr(option, "hidden", False):
                yield from _item(*option_row(option))


def _item(name: str, told: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_escaped(name)}"
    yield _plain(told)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")


def _plain(text: str) -> str:
    """A line of text: a stop or an apostrophe at its beginning would be a command of the page."""
    escaped = _escaped(text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
