"""The web server that stands before ours, by the recipe of docs/server.md."""

import contextlib
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

from missing import leave_out
from server.people import free_port, wait_for

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def nginx_before(folder: Path, *ports: int) -> Iterator[str]:
    """The address of nginx before one server on loopback, or several of which each is asked in turn: on a port of its
    own and without a certificate."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        leave_out("nginx is not installed")
    page = (ROOT / "docs" / "server.md").read_text("utf-8")
    recipe = re.search(r"```nginx\n(.*?)```", page, re.S)
    assert recipe is not None
    port = free_port()
    text = re.sub(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", recipe[1])
    text = re.sub(r" *ssl_certificate.*\n", "", text).replace("127.0.0.1:8000", "servers")
    servers = " ".join(f"server 127.0.0.1:{behind};" for behind in ports)
    files = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 2000; }}\n"
        f"http {{ access_log off; {files}\nupstream servers {{ {servers} }}\n{text} }}\n"
    )
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(conf)], stderr=subprocess.DEVNULL)
    try:

        def up() -> bool:
            assert process.poll() is None, (folder / "error.log").read_text()
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return True
            return False

        wait_for(up)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
