"""What is installed: a wheel with the pages in it, which needs neither compiler nor Node."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from missing import leave_out
from server.people import Person, free_port, wait_for

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "src" / "tabuleiro" / "server" / "static" / "index.html"
#: Bytes of a wheel, nets aside.
MOST = 15_000_000

pytestmark = pytest.mark.long


def run(*command: str | Path, **more: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=900, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not PAGES.is_file():
        leave_out("make client")
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT)
    (built,) = folder.glob("tabuleiro-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment in which there is nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--only-binary=:all:", f"{wheel}[server]")
    return folder / "bin"


def test_a_wheel_holds_everything_and_is_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        nets = sum(each.compress_size for each in opened.infolist() if "/nn/models/" in each.filename)
    assert wheel.stat().st_size - nets < MOST
    for wanted in ("server/static/index.html", "openings/hex.jsonl.gz", "rules/hex.pt.md", "py.typed"):
        assert f"tabuleiro/{wanted}" in names
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".ts", ".svelte")) or "node_modules" in name]


def test_it_runs_on_other_linuxes(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path)
    run(tmp_path / "bin" / "python", "-m", "pip", "install", "--quiet", "auditwheel")
    told = run(tmp_path / "bin" / "auditwheel", "show", wheel)
    assert "manylinux" in told, told


@contextmanager
def serving(program: list[str | Path], folder: Path, path: str) -> Iterator[Person]:
    """A server of that program, which finds nothing but what stands in these folders."""
    port = free_port()
    with (folder / "log").open("wb") as log:
        environment = {"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"} | {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_", "HTTP"))
        }
        command = [*map(str, program), "serve", "--port", str(port), "--data", str(folder / "data")]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def up() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    try:
        wait_for(up, 300)
        yield Person(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(60)


def play_a_game(person: Person) -> None:
    """A game against the computer, to its end."""
    page = person.web.get("/")
    assert page.status_code == 200 and "<script" in page.text
    session = person.create("semaforo", {"kind": "engine", "level": 1})
    with person.watch(session) as table:
        while table.session["status"] != "over":
            if table.session["view"]["turn"] in table.session["your_seats"]:
                table.move(table.session["view"]["moves"][0]["text"])
            else:
                table.until_session(lambda told: told["status"] == "over" or told["view"]["turn"] in told["your_seats"])
    assert person.post("/api/v1/openings", {"game": "rastros"})["engines"]["results"]["games"] > 0


def test_it_serves_a_game_without_compiler_and_node(installed: Path, tmp_path: Path) -> None:
    assert not [name for name in ("cc", "g++", "cmake", "node", "npm") if shutil.which(name, path=str(installed))]
    with serving([installed / "tabuleiro"], tmp_path, str(installed)) as person:
        play_a_game(person)


def test_the_doctor_finds_it_well(installed: Path, tmp_path: Path) -> None:
    environment = {"PATH": str(installed), "HOME": str(tmp_path)}
    told = json.loads(run(installed / "tabuleiro", "doctor", "--json", env=environment))
    states = {finding["name"]: finding["state"] for finding in told["findings"]}
    assert told["well"] and states["native"] == states["pages"] == states["server"] == "good"
    assert states["parquet"] == states["gymnasium"] == "optional"


def test_it_is_run_without_installing_by_uvx(wheel: Path, tmp_path: Path) -> None:
    uv = shutil.which("uvx")
    if uv is None:
        run(sys.executable, "-m", "venv", tmp_path / "tools")
        run(tmp_path / "tools" / "bin" / "python", "-m", "pip", "install", "--quiet", "uv")
        uv = str(tmp_path / "tools" / "bin" / "uvx")
    # `uvx tabuleiro[server] serve`, from an index of our own for this one package.
    given: list[str | Path] = [
        uv,
        "--python",
        sys.executable,
        "--find-links",
        wheel.parent,
        "--from",
        "tabuleiro[server]",
        "tabuleiro",
    ]
    with serving(given, tmp_path, f"{Path(uv).parent}:/usr/bin:/bin") as person:
        play_a_game(person)


def pythons(least: tuple[int, int]) -> list[Path]:
    """Interpreters of this machine that are at least that new, the oldest first."""
    folders = [*map(Path, os.environ["PATH"].split(":")), *Path.home().glob(".pyenv/versions/*/bin")]
    found: dict[tuple[int, int], Path] = {}
    for program in (path for folder in folders for path in folder.glob("python3.*")):
        numbers = program.name.removeprefix("python").split(".")
        if len(numbers) == 2 and numbers[1].isdecimal() and (version := (3, int(numbers[1]))) >= least:
            works = subprocess.run([program, "-c", "import venv, ensurepip"], capture_output=True, timeout=60)
            if works.returncode == 0:
                found.setdefault(version, program)
    return [found[version] for version in sorted(found)]


def test_one_wheel_serves_every_python_from_3_12_on(tmp_path: Path) -> None:
    """The stable ABI: built by one interpreter, checked by `abi3audit`, and played with by the newest."""
    if not (there := pythons((3, 12))):
        leave_out("python3.12 or newer")
    run(there[0], "-m", "venv", tmp_path / "builds")
    python = tmp_path / "builds" / "bin" / "python"
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    run(python, "-m", "pip", "install", "--quiet", *needed, "cmake", "ninja", "abi3audit")
    settings = ("-C", f"build-dir={tmp_path / 'objects'}")
    run(
        python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", *settings, "-w", tmp_path, ROOT,
        env=os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}"},
    )  # fmt: skip
    (built,) = tmp_path.glob("tabuleiro-*.whl")
    assert "-cp312-abi3-" in built.name
    run(python.parent / "abi3audit", "--strict", built)
    run(there[-1], "-m", "venv", tmp_path / "plays")
    program = tmp_path / "plays" / "bin"
    run(program / "python", "-m", "pip", "install", "--quiet", "--only-binary=:all:", f"{built}[batch]")
    assert "1649" in run(program / "tabuleiro", "perft", "rastros", "4", env={"PATH": str(program), "LANG": "C.UTF-8"})
    played = "import tabuleiro; print(tabuleiro.batch('hex', 100, seed=1).rollout(500).games)"
    assert int(run(program / "python", "-c", played)) > 100


def test_a_source_archive_holds_the_pages(tmp_path: Path) -> None:
    """So that who builds from it needs a compiler, but no Node."""
    if not PAGES.is_file():
        leave_out("make client")
    run(
        sys.executable,
        "-c",
        "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])",
        tmp_path,
        cwd=ROOT,
    )
    (archive,) = tmp_path.glob("tabuleiro-*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    for wanted in ("src/tabuleiro/server/static/index.html", "CMakeLists.txt", "native/module.cpp", "pyproject.toml"):
        assert wanted in names
    assert not [name for name in names if "node_modules" in name or name.startswith((".venv", "build/"))]
    assert "node" not in (ROOT / "CMakeLists.txt").read_text().lower().replace("nodes", "")
