"""The frame around every command: help pages, usage errors and exit codes, in both languages.

Exit codes: 0 fine, 1 the thing asked for is wrong (a `TabuleiroError` or a file that cannot be used), 2 the command is
written wrongly, 130 stopped by Ctrl-C, 141 nobody reads our output any more. (In `solve` 1 means that the answer is not
known, and whatever is wrong is 2.)
"""

import errno
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tabuleiro.cli.speech import PORTUGUESE, complain, in_language, soften_streams, speak, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import LANGUAGES, Language, Text


class UsageError(TabuleiroError):
    """A command written wrongly."""


class Command(TyperCommand):
    """A command whose help page speaks both languages."""

    def get_help_option(self, ctx: Any) -> Any:
        return _printing(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _write_help(self, ctx, formatter)


class Group(TyperGroup):
    """Several commands under one name; without a command it shows its help."""

    def get_help_option(self, ctx: Any) -> Any:
        return _printing(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _write_help(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            _print_help(ctx, None, not ctx.resilient_parsing)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name not in self.commands and not name.startswith("-") and not ctx.resilient_parsing:
            given = shorten(name)
            said = Text(f"não há nenhum comando «{given}»", f"there is no command “{given}”")
            if near := get_close_matches(name[:40], self.commands, n=1):
                said = Text(f"{said.pt}; querias dizer {near[0]}?", f"{said.en}; did you mean {near[0]}?")
            else:
                known = ", ".join(self.commands)
                said = Text(f"{said.pt}; há: {known}", f"{said.en}; there are: {known}")
            raise UsageError(said)
        return super().resolve_command(ctx, args)


class Root(Group):
    """The whole command line."""

    def main(self, args: Sequence[str] | None = None, *others: Any, **named: Any) -> Any:
        if "_TABULEIRO_COMPLETE" in os.environ:  # the shell asks how a half-typed command may go on
            return super().main(args, "tabuleiro")
        sys.exit(self._run(list(sys.argv[1:] if args is None else args)))

    def _run(self, args: list[str]) -> int:
        soften_streams()
        speak(None)
        try:
            chosen, args = take_language(args)
            speak(chosen)
            code = self._invoke(args)
            sys.stdout.flush()
        except UsageError as error:
            complain(error)
            return 2
        except TabuleiroError as error:
            complain(error)
            return 1
        except BrokenPipeError:
            _forget_stdout()
            return 141
        except OSError as error:
            complain(file_trouble(error))
            _forget_stdout()
            return 1
        except (KeyboardInterrupt, typer.Abort):
            print(file=sys.stderr)
            return 130
        except Exception as error:
            # Typer's own complaints have no public class in common, but all know how to format themselves.
            if not hasattr(error, "format_message"):
                raise
            complain(_usage_trouble(error))
            return 2
        return code

    def _invoke(self, args: list[str]) -> int:
        try:
            with self.make_context("tabuleiro", args) as context:
                self.invoke(context)
        except typer.Exit as leaving:
            return leaving.exit_code
        return 0


def take_language(args: list[str]) -> tuple[Language | None, list[str]]:
    """The language asked for by `--lang`, wherever it stands, and the arguments without it."""
    chosen: Language | None = None
    rest: list[str] = []
    waiting = iter(args)
    for argument in waiting:
        if argument == "--":
            return chosen, [*rest, argument, *waiting]
        if argument != "--lang" and not argument.startswith("--lang="):
            rest.append(argument)
            continue
        value = next(waiting, "") if argument == "--lang" else argument.removeprefix("--lang=")
        for language in LANGUAGES:
            if value.lower() == language:
                chosen = language
                break
        else:
            raise UsageError(
                Text(
                    f"«{shorten(value)}» não é uma língua de --lang; há: pt, en",
                    f"--lang does not know “{shorten(value)}”; there are: pt, en",
                )
            )
    return chosen, rest


def _forget_stdout() -> None:
    """What could not be written will not be: the interpreter must not try again on its way out."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


_FILE_TROUBLE = {
    errno.ENOENT: Text("não existe", "there is no such file"),
    errno.EACCES: Text("não há permissão", "permission denied"),
    errno.EPERM: Text("não há permissão", "permission denied"),
    errno.EISDIR: Text("é uma pasta, não um ficheiro", "this is a folder, not a file"),
    errno.ENOTDIR: Text("uma parte do caminho não é uma pasta", "a part of the path is not a folder"),
    errno.ENAMETOOLONG: Text("o nome é demasiado longo", "the name is too long"),
    errno.ENOSPC: Text("não há espaço no disco", "no space left on the disk"),
    errno.EROFS: Text("só se pode ler, não escrever", "it can be read but not written"),
}


def file_trouble(error: OSError) -> Text:
    """Why a file cannot be used."""
    name = f"{shorten(os.fsdecode(error.filename), 200)}: " if isinstance(error.filename, str | bytes) else ""
    reason = _FILE_TROUBLE.get(error.errno or 0, Text(error.strerror or str(error), error.strerror or str(error)))
    return Text(f"{name}{reason.pt}", f"{name}{reason.en}")


def _usage_trouble(error: Any) -> Text:
    """One of Typer's complaints, in both languages and with a way out."""
    context = getattr(error, "ctx", None)
    page = f"{context.command_path if context else 'tabuleiro'} --help"
    parameter = getattr(error, "param", None)
    if hasattr(error, "possibilities"):
        option = shorten(error.option_name)
        near = f" ({', '.join(sorted(error.possibilities))}?)" if error.possibilities else ""
        said = Text(f"não há nenhuma opção «{option}»{near}", f"there is no option “{option}”{near}")
    elif hasattr(error, "option_name"):
        option = shorten(error.option_name)
        if "does not take" in error.message:
            said = Text(f"a opção «{option}» não leva valor", f"option “{option}” takes no value")
        else:
            said = Text(f"falta o valor da opção «{option}»", f"option “{option}” needs a value")
    elif parameter is not None:
        name = parameter_name(parameter)
        if hasattr(error, "param_type"):
            said = Text(f"falta {name}", f"{name} is missing")
        else:
            meant = parameter.help or ""
            said = Text(f"valor errado em {name} ({PORTUGUESE.get(meant, meant)})", f"wrong value for {name} ({meant})")
    else:
        said = Text("há argumentos a mais", "there are too many arguments")
    return Text(f"{said.pt}; ver {page}", f"{said.en}; see {page}")


def parameter_name(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def _printing(help_option: Any) -> Any:
    """The option `--help`, writing to our own streams: Typer's would force Unicode on those that cannot show it."""
    if help_option is not None:
        help_option.callback = _print_help
    return help_option


def _print_help(ctx: Any, option: Any, asked: bool) -> None:
    if asked:
        print(ctx.get_help())
        raise typer.Exit


def _write_help(command: Any, ctx: Any, formatter: Any) -> None:
    """The help page of a command or group."""
    parameters = [p for p in command.get_params(ctx) if not getattr(p, "hidden", False)]
    arguments = [p for p in parameters if p.param_type_name == "argument"]
    options = [p for p in parameters if p.param_type_name == "option"]
    commands = list(getattr(command, "commands", {}).items())

    names = [parameter_name(p) for p in arguments]
    pieces = [f"{name}…" if p.nargs == -1 else name for name, p in zip(names, arguments, strict=True)]
    pieces += [tr("COMANDO", "COMMAND")] if commands else []
    formatter.write_usage(ctx.command_path, " ".join([*pieces, tr("[OPÇÕES]", "[OPTIONS]")]), tr("Uso: ", "Usage: "))
    formatter.write_paragraph()
    formatter.write_text(in_language(command.help or ""))
    sections = {
        tr("Argumentos", "Arguments"): [
            (name, in_language(p.help or "")) for name, p in zip(names, arguments, strict=True)
        ],
        tr("Comandos", "Commands"): [(name, in_language(sub.help or "")) for name, sub in commands],
        tr("Opções", "Options"): [option_row(p) for p in options],
    }
    for title, rows in sections.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def option_row(option: Any) -> tuple[str, str]:
    names = ", ".join(sorted(option.opts, key=len))
    if option.name == "help":
        return names, tr("Mostra esta ajuda.", "Show this help.")
    value = f" {option.metavar}" if option.metavar and not getattr(option, "is_flag", False) else ""
    return names + value, in_language(option.help or "")
