"""`tabuleiro worker`: engines for servers on other machines."""

import os
from typing import Annotated

import typer

from tabuleiro.cli.serve import server_packages
from tabuleiro.cli.speech import both, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

HELP = both(
    "Pensa pelos servidores que usam o mesmo Redis: jogadas do computador, análises, relatórios.",
    "Think for the servers that use the same Redis: moves of the computer, analyses, reports.",
)


def worker(
    redis: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help=both("O Redis dos servidores, como redis://servidor.", "Their Redis, as redis://server."),
        ),
    ],
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=512,
            help=both(
                "Quantas perguntas ao mesmo tempo; sem isto, uma por processador.",
                "How many questions at the same time; else one a processor.",
            ),
        ),
    ] = None,
) -> None:
    import asyncio

    with server_packages():
        from tabuleiro.server.worker import work

    if not redis.startswith(("redis://", "rediss://")):
        raise TabuleiroError(Text("o URL de --redis começa por redis://", "the URL of --redis begins with redis://"))
    threads = threads or os.cpu_count() or 1
    print(tr(f"A pensar com {threads} (Ctrl-C para sair)", f"Thinking with {threads} (Ctrl-C ends)"), flush=True)
    asyncio.run(work(redis, threads))
