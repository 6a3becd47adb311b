"""`tabuleiro completion`: what the Tab key suggests in a shell, from the commands themselves."""

from typing import Annotated

import typer

from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both
from tabuleiro.language import Text

HELP = both(
    "Escreve o programa das sugestões da tecla Tab: tabuleiro completion bash >> ~/.bashrc",
    "Write the program of what the Tab key suggests: tabuleiro completion bash >> ~/.bashrc",
)
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[
        str,
        typer.Argument(metavar="bash|zsh|fish", show_default=False, help=both("A consola.", "The shell.")),
    ],
) -> None:
    from typer._completion_shared import get_completion_script

    if shell not in SHELLS:
        raise UsageError(Text(f"escolhe {', '.join(SHELLS)}", f"choose {', '.join(SHELLS)}"))
    print(get_completion_script(prog_name="tabuleiro", complete_var="_TABULEIRO_COMPLETE", shell=shell))
