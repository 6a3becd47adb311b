"""`tabuleiro serve`: the web home, for this machine, a classroom or the world."""

import contextlib
import os
import socket
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import file_path
from tabuleiro.cli.speech import both, shows_unicode, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.server.settings import Settings

HELP = both("Abre o sítio dos jogos para o navegador.", "Open the site of the games for the browser.")

DataOption = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help=both(
            "A pasta das partidas; sem isto, a pasta de dados do sistema.",
            "The folder of the games; else the system's data folder.",
        ),
    ),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help=both(
            "Outra base de dados, como postgresql://servidor/nome.", "Another database, as postgresql://server/name."
        ),
    ),
]


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help=both("O endereço em que escuta.", "The address to listen at."))
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help=both("A porta.", "The port."))] = 8000,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan",
            help=both(
                "Para toda a rede local; mostra o endereço e o seu código QR.",
                "For the whole local network; shows the address and its QR code.",
            ),
        ),
    ] = False,
    data: DataOption = None,
    database: DatabaseOption = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help=both(
                "O Redis que liga vários processos, como redis://servidor.",
                "The Redis that joins several processes, as redis://server.",
            ),
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=64,
            help=both("Quantos processos; vários precisam de --redis.", "How many processes; several need --redis."),
        ),
    ] = 1,
    host_names: Annotated[
        list[str],
        typer.Option(
            "--host-names",
            metavar="NAME,…",
            help=both(
                "Os nomes por que o sítio é conhecido, como jogos.escola.pt; os endereços e os nomes da rede local "
                "servem sempre.",
                "The names by which the site is known, as games.school.pt; addresses and names of the local network "
                "always do.",
            ),
        ),
    ] = [],  # noqa: B006  # Typer reads it, and nobody writes to it
    keep_guests: Annotated[
        int,
        typer.Option(
            metavar="DAYS",
            min=0,
            help=both(
                "Dias ao fim dos quais se esquece quem não voltou; 0: nunca.",
                "Days after which people who did not come back are forgotten; 0: never.",
            ),
        ),
    ] = 400,
    keep_unfinished: Annotated[
        int,
        typer.Option(
            metavar="DAYS",
            min=0,
            help=both(
                "Dias ao fim dos quais se apaga uma partida que ninguém continuou; 0: nunca.",
                "Days after which a game is erased that nobody went on with; 0: never.",
            ),
        ),
    ] = 180,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=both(
                "O ficheiro do registo, de que se guardam os últimos 50 MiB; sem isto, a saída de erros.",
                "The file of the log, of which the last 50 MiB are kept; else standard error.",
            ),
        ),
    ] = None,
    proxies: Annotated[
        str,
        typer.Option(
            metavar="RANGES",
            help=both(
                "Os servidores web à frente deste, como 127.0.0.1,10.0.0.0/8: só neles se acredita quando dizem "
                "quem pede.",
                "The web servers in front of this one, as 127.0.0.1,10.0.0.0/8: they alone are believed when they say "
                "who asks.",
            ),
        ),
    ] = "127.0.0.1,::1",
) -> None:
    # All of it before anything is asked of the machine: a missing package is said first, whatever holds the port.
    with server_packages():
        import uvicorn  # noqa: F401

        from tabuleiro.server import app  # noqa: F401
        from tabuleiro.server.announce import announced
        from tabuleiro.server.datafiles import only_server
        from tabuleiro.server.limits import proxies_of
        from tabuleiro.server.settings import Settings

    if workers > 1 and redis is None:
        raise TabuleiroError(Text("vários processos precisam de --redis URL", "several processes need --redis URL"))
    if redis is not None and not redis.startswith(("redis://", "rediss://")):
        raise TabuleiroError(Text("o URL de --redis começa por redis://", "the URL of --redis begins with redis://"))
    try:
        proxies_of(proxies)
    except ValueError as error:
        raise TabuleiroError(
            Text(
                f"--proxies pede endereços ou redes, como 127.0.0.1,10.0.0.0/8: {error}",
                f"--proxies takes addresses or networks, as 127.0.0.1,10.0.0.0/8: {error}",
            )
        ) from error
    host = "0.0.0.0" if lan else host
    listening = listen(host, port)
    port = listening.getsockname()[1]
    network = f"http://{_own_address()}:{port}" if lan else None
    # Every core may think: those who do give way to the server.
    thinkers = max(1, (os.cpu_count() or 1) // workers)
    settings = Settings(
        database_url(data, database),
        redis,
        network,
        thinkers,
        tuple(name for names in host_names for name in names.split(",")),
        keep_guests,
        keep_unfinished,
        os.getpid() if workers > 1 else None,
        log=None if log is None else str(file_path(log).resolve()),
    )
    with only_server(settings.database), announced(network):
        _serve(settings, listening, host, workers, proxies)


def _serve(settings: "Settings", listening: socket.socket, host: str, workers: int, proxies: str) -> None:
    import uvicorn

    from tabuleiro.server.connections import HttpConnection, WebSocketConnection
    from tabuleiro.server.people.erasing import unreachable_origin
    from tabuleiro.server.people.office import first_link
    from tabuleiro.server.store import opened

    port = listening.getsockname()[1]
    # Check and migrate before anything answers, and complain here rather than in a process of its own.
    with opened(settings.database, writing=True, check=True) as connection:
        first = first_link(connection, time.time())
        unreachable = unreachable_origin(connection)
    settings.to_environment()
    _allow_many_connections()
    config = uvicorn.Config(
        "tabuleiro.server.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=HttpConnection,
        ws=WebSocketConnection,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=proxies,
        ws_max_size=4096,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
    )
    shown = {"0.0.0.0": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    local = f"http://{shown}:{port}/"
    print(tr(f"Tabuleiro em {local} (Ctrl-C para sair)", f"Tabuleiro is at {local} (Ctrl-C ends)"), flush=True)
    if unreachable is not None:
        print(
            tr(
                "Esta cópia veio de outro computador. Quem lá foi apagado depois de ela ser feita pode ter voltado: "
                f"põe aqui, junto da base de dados, o ficheiro {unreachable} desse computador e recomeça.",
                "This copy comes from another computer. People erased there since then may be back: put the file "
                f"{unreachable} of that computer here, beside the database, and start again.",
            ),
            file=sys.stderr,
            flush=True,
        )
    if settings.lan_address is not None:
        _print_invitation(f"{settings.lan_address}/")
    if first is not None:
        entry = f"{local}entrar#l.{first}"
        print(
            tr(
                f"És professor ou organizas? Entra por aqui, uma vez: {entry}",
                f"Teacher, organiser? Come in once: {entry}",
            ),
            flush=True,
        )
    if workers == 1:
        server = uvicorn.Server(config)
        server.run(sockets=[listening])
        if not server.started:
            raise TabuleiroError(
                Text(
                    "o servidor não conseguiu começar; as linhas acima dizem porquê",
                    "the server could not start; the lines above say why",
                )
            )
    else:
        from uvicorn.supervisors import Multiprocess

        Multiprocess(config, sockets=[listening]).run()


@contextlib.contextmanager
def server_packages() -> Iterator[None]:
    """Around the imports of the server, whose packages are an extra: says what to install where they are missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "tabuleiro":
            raise
        raise TabuleiroError(
            Text(
                f"falta o pacote {error.name}: instala o servidor com pip install 'tabuleiro[server]'",
                f"the package {error.name} is missing: install the server by pip install 'tabuleiro[server]'",
            )
        ) from error


def database_url(data: str | None, database: str | None) -> str:
    """The URL of the database that the options name; the folder of a file is made where it is missing."""
    from tabuleiro.server.datafiles import make_folder
    from tabuleiro.server.settings import data_folder, sqlite_url

    if database is not None:
        return database
    folder = data_folder() if data is None else file_path(data)
    make_folder(folder)
    return sqlite_url(folder)


def listen(host: str, port: int) -> socket.socket:
    """A socket on which a server can wait for connections."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        raise TabuleiroError(
            Text(
                f"não é possível abrir a porta {port} em {host}; estará ocupada? Experimenta --port {port + 1}",
                f"cannot listen at {host}, port {port}; is it taken? Try --port {port + 1}",
            )
        ) from error
    # Connections inherit it: a short message after another must not wait until the first is confirmed.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _allow_many_connections() -> None:
    """Each connection is an open file; systems often allow a thousand unless asked for more."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _own_address() -> str:
    """The address of this machine in its network. Nothing is sent: the system only says which way it would go."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _print_invitation(address: str) -> None:
    import segno

    print(tr(f"Nesta rede: {address}", f"In this network: {address}"), flush=True)
    if shows_unicode(sys.stdout):
        segno.make(address).terminal(compact=True)
