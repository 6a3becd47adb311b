"""`tabuleiro serve`: the rule book in the browser."""

from typing import Annotated

import typer

from tabuleiro.cli.speech import both, tr

HELP = both("Mostra as regras e os tabuleiros no navegador.", "Show the rules and the boards in the browser.")


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help=both("A porta.", "The port."))] = 8000,
) -> None:
    from tabuleiro.site import serving

    with serving(port) as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        print(
            tr(f"As regras estão em {address} (Ctrl-C para sair)", f"The rule book is at {address} (Ctrl-C ends)"),
            flush=True,
        )
        server.serve_forever()
