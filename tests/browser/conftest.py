"""A real server, a real browser. Where the client is not built or Chromium is missing, these tests say so."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.site import AXE, CHROMIUM, STATIC, Site, Visitor, open_browser
from missing import leave_out


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    for needed, how in (
        (CHROMIUM, "apt-get install chromium"),
        (STATIC, "make client"),
        (AXE, "make client"),
    ):
        if not needed.exists():
            leave_out(f"{needed} is missing: {how}")
    with sync_playwright() as playwright:
        running = open_browser(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("site"))
    yield running
    running.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Lets people come; at the end every one of them must have seen no error."""
    visitors: list[Visitor] = []

    def come(**how: Any) -> Visitor:
        visitors.append(Visitor(browser, how.pop("to", site), **how))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def ana(visit: Callable[..., Visitor]) -> Visitor:
    return visit()
