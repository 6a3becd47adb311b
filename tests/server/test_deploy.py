"""What deploy/ starts: the very commands of the compose file, as processes of this machine."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]  # comes with uvicorn

from server.front import nginx_before
from server.people import Person, free_port, wait_for
from tabuleiro.cli import app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def services() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    return made


def options_of(command: str) -> set[str]:
    """The options that a command of ours has."""
    import typer.main

    group: Any = typer.main.get_command(app)
    return {option for parameter in group.commands[command].params for option in parameter.opts}


def test_the_compose_file_starts_two_of_each() -> None:
    found = services()
    assert {*found} == {"site", "worker", "postgres", "redis", "caddy"}
    assert [found[name]["deploy"]["replicas"] for name in ("site", "worker")] == [2, 2]
    assert "443:443" in found["caddy"]["ports"]


@pytest.mark.parametrize("name", ["site", "worker"])
def test_the_options_of_the_compose_file_are_there(name: str) -> None:
    command, *arguments = services()[name]["command"]
    assert {argument.partition("=")[0] for argument in arguments} <= options_of(command)


@pytest.mark.parametrize("unit", ["tabuleiro", "tabuleiro-worker"])
def test_the_units_start_commands_that_are_there(unit: str) -> None:
    text = (DEPLOY / "systemd" / f"{unit}.service").read_text("utf-8")
    (command,) = re.findall(r"^ExecStart=\S+/tabuleiro (.*)$", text, re.M)
    first, *rest = command.split()
    told = " ".join(re.findall(r"^#   \w+=(.*)$", text, re.M))
    assert {word for word in [*rest, *told.split()] if word.startswith("--")} <= options_of(first)
    assert "DynamicUser=yes" in text


def test_nobody_in_the_image_is_root() -> None:
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").splitlines()
    last = [number for number, line in enumerate(lines) if line.startswith("FROM ")][-1]
    assert len([line for line in lines if line.startswith("FROM ")]) == 2
    users = [line for line in lines[last:] if line.startswith("USER ")]
    assert users == ["USER tabuleiro"]


@contextmanager
def started(arguments: list[str]) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tabuleiro", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.long
def test_its_processes_serve_a_game(postgresql: str, redis_url: str, tmp_path: Path) -> None:
    """Two sites and two workers by the commands of the compose file, behind nginx."""
    ports = [free_port(), free_port()]
    here = {
        "--host": "127.0.0.1",
        "--database": postgresql,
        "--redis": redis_url,
        "--host-names": "play.example",
        "--proxies": "127.0.0.1",
    }

    def arguments(name: str, **more: str) -> list[str]:
        command, *given = services()[name]["command"]
        options = dict(argument.split("=", 1) for argument in given)
        changed = {option: {**here, **more}.get(option, value) for option, value in options.items()}
        return [command, *(f"{option}={value}" for option, value in changed.items())]

    with ExitStack() as stack:
        for port in ports:
            stack.enter_context(started(arguments("site", **{"--port": str(port)})))
        for _ in range(services()["worker"]["deploy"]["replicas"]):
            stack.enter_context(started(arguments("worker")))

        def figure(port: int, name: str) -> float:
            lines = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text.splitlines()
            return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

        def up(port: int) -> bool:
            try:
                return figure(port, "tabuleiro_workers ") == 2
            except httpx.TransportError:
                return False

        wait_for(lambda: all(map(up, ports)), 120)
        address = stack.enter_context(nginx_before(tmp_path, *ports))
        ana = Person(address)
        game = ana.create("rastros", {"kind": "engine", "level": 8}, side="first")
        with ana.watch(game) as table:
            for plies in (2, 4, 6):
                table.move(table.moves()[0])
                table.until_plies(plies)
        assert sum(figure(port, "tabuleiro_worker_questions_total") for port in ports) >= 1
