"""`tabuleiro token`: tokens with which programs play on the site."""

import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from tabuleiro.cli.serve import DatabaseOption, DataOption, database_url, server_packages
from tabuleiro.cli.speech import both, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

HELP = both("Chaves com que os programas jogam no sítio.", "Tokens with which programs play on the site.")
MAKE_HELP = both("Faz uma chave, que só se mostra desta vez.", "Make a token, which is shown this once.")
LIST_HELP = both("Mostra os robôs que têm chave.", "List the bots that have a token.")
REVOKE_HELP = both("Anula uma chave; as partidas ficam.", "Revoke a token; the games stay.")


def make(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help=both("O nome do robô.", "The name of the bot."), show_default=False),
    ],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    with server_packages():
        from tabuleiro.server.guard import bot_hash_of, new_token
        from tabuleiro.server.guests import read_nickname
        from tabuleiro.server.store import make_bot, opened

    nickname, token = read_nickname(name), new_token()
    with opened(database_url(data, database), writing=True) as connection:
        make_bot(connection, None, nickname, bot_hash_of(token), time.time())
    print(token)


def list_all(data: DataOption = None, database: DatabaseOption = None) -> None:
    with server_packages():
        from tabuleiro.server.store import list_bots, opened

    with opened(database_url(data, database)) as connection:
        for bot in list_bots(connection):
            print(f"{bot.id}\t{bot.name}\t{datetime.fromtimestamp(bot.created, UTC):%Y-%m-%d}")


def revoke(
    bot: Annotated[
        int,
        typer.Argument(
            metavar="N",
            min=1,
            max=2**31 - 1,
            help=both("O número, como em `token list`.", "The number, as in `token list`."),
            show_default=False,
        ),
    ],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    with server_packages():
        from tabuleiro.server.store import opened, revoke_bot

    with opened(database_url(data, database), writing=True) as connection:
        if not revoke_bot(connection, bot):
            raise TabuleiroError(Text(f"não há nenhum robô {bot}", f"there is no bot {bot}"))
    print(tr("A chave foi anulada.", "The token is revoked."))
