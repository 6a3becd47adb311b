"""The recipe of a release refuses what is not ready, and says why."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small repository in which everything is ready."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "release").write_bytes((ROOT / ".ci" / "release").read_bytes())
    (tmp_path / ".ci" / "release").chmod(0o755)
    (tmp_path / "src" / "tabuleiro").mkdir(parents=True)
    (tmp_path / "src" / "tabuleiro" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2030-01-31)\n")
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nHomepage = "https://tabuleiro.example"\n')
    run(tmp_path, "git", "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def commit(folder: Path) -> None:
    run(folder, "git", "add", "--all")
    done = run(
        folder, "git", "-c", "user.name=T", "-c", "user.email=t@tabuleiro.example", "commit", "--quiet", "-m", "x"
    )
    assert done.returncode == 0, done.stderr


def check(folder: Path) -> "subprocess.CompletedProcess[str]":
    return run(folder, ".ci/release", "--check")


def test_what_is_ready_can_be_released(checkout: Path) -> None:
    assert check(checkout).stdout == "1.2.3 can be released\n"


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("src/tabuleiro/__init__.py", '__version__ = "1.2"\n', "is not like 1.2.3"),
        ("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (unreleased)\n", "CHANGELOG.md has no heading"),
        ("pyproject.toml", "[project]\n", "where the project lives"),
    ],
)
def test_what_is_not_ready_is_refused(checkout: Path, file: str, content: str, reason: str) -> None:
    (checkout / file).write_text(content)
    commit(checkout)
    done = check(checkout)
    assert done.returncode == 1
    assert reason in done.stderr


def test_changes_that_are_not_committed_are_refused(checkout: Path) -> None:
    (checkout / "new.txt").write_text("x")
    assert "not committed" in check(checkout).stderr


def test_a_version_is_released_once(checkout: Path) -> None:
    run(checkout, "git", "tag", "v1.2.3")
    assert "raise the version" in check(checkout).stderr
