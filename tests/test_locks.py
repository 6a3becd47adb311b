"""The locks name everything, exactly, with hashes; and nobody who reads them learns which index was asked."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("extra", ["server", "dev"])
def test_every_package_has_its_version_and_hashes(extra: str) -> None:
    text = (ROOT / "requirements" / f"{extra}.txt").read_text("utf-8")
    packages = re.findall(r"^([a-z0-9-]+)==\S+((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE)
    locked = {name for name, _ in packages}
    assert len(packages) == text.count("==") > 30
    assert "://" not in text
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"][extra]]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=; ]", line)[0]).lower() for line in wanted} - {"tabuleiro"}
    assert names <= locked, "make lock"


def test_the_lock_of_npm_is_complete() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    assert len(packages) > 100
    for path, package in packages.items():
        assert not path or (package["integrity"].startswith("sha512-") and package["license"]), path
