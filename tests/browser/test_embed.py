"""Boards on pages of other sites."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

import pytest
from playwright.sync_api import FrameLocator, expect

from browser.places import SHORT_GAME
from browser.site import Visitor


class SchoolPage(BaseHTTPRequestHandler):
    """A page of a school at another origin, with a frame of 300 pixels that holds what its address says."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        source = unquote(self.path.partition("?")[2])
        self.wfile.write(f'<!doctype html><iframe src="{source}" width="300" height="400"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def school() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), SchoolPage)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def framed(visitor: Visitor, school: str, path: str) -> FrameLocator:
    visitor.forgiven.append(school)
    visitor.page.goto(f"{school}?{visitor.site.address}{path.replace('#', '%23')}")
    return visitor.page.frame_locator("iframe")


def test_a_position_is_shown_on_another_site_and_stepped_through(visit: Callable[..., Visitor], school: str) -> None:
    teacher = visit()
    frame = framed(teacher, school, "/embed/position#game=rastros&moves=f4+g5+g4&at=1")
    expect(frame.locator("svg.board")).to_be_visible()
    board = frame.locator("svg.board").bounding_box()
    assert board and board["width"] >= 240 and board["height"] >= 240
    expect(frame.get_by_text("1 de 3")).to_be_visible()
    frame.get_by_role("button", name="Para o fim").click()
    expect(frame.get_by_text("3 de 3")).to_be_visible()
    expect(frame.get_by_role("button", name="Jogada seguinte")).to_be_disabled()
    # Everything is in sight without scrolling, and the one link leads to us, in a window of its own.
    assert frame.locator("html").evaluate(
        "(page) => page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth"
    )
    link = frame.get_by_role("link")
    expect(link).to_have_count(1)
    assert link.get_attribute("target") == "_blank"
    assert (link.get_attribute("href") or "").startswith("/analysis#game=rastros")


def test_a_game_is_shown_without_names(visit: Callable[..., Visitor], school: str) -> None:
    ana = visit()
    ana.context.request.get("/api/v1/me")
    ana.context.request.put("/api/v1/me", data={"nickname": "Ana Sofia"}, headers={"Origin": ana.site.address})
    identity = ana.finish("rastros", SHORT_GAME.split())
    frame = framed(visit(), school, f"/embed/game/{identity}")
    expect(frame.get_by_text("26 de 26")).to_be_visible()
    expect(frame.locator("body")).not_to_contain_text("Ana Sofia")
    assert "Ana Sofia" not in frame.locator("html").evaluate("(page) => page.outerHTML")
    frame.get_by_role("button", name="Para o início").click()
    expect(frame.get_by_text("0 de 26")).to_be_visible()


def test_a_task_is_done_on_another_site_and_nothing_is_kept(visit: Callable[..., Visitor], school: str) -> None:
    pupil = visit()
    frame = framed(pupil, school, "/embed/task/lesson/semaforo/01-tres-em-linha/1")
    frame.get_by_text("Escrever a jogada").first.click()
    frame.get_by_role("textbox", name="Escrever a jogada").fill("d2")
    frame.get_by_role("button", name="Jogar").click()
    expect(frame.locator(".said.good")).to_be_visible()
    assert pupil.context.cookies() == []
    link = frame.get_by_role("link")
    expect(link).to_have_attribute("href", "/aprender/semaforo/01-tres-em-linha")


def test_no_other_page_is_shown_on_another_site(visit: Callable[..., Visitor], school: str) -> None:
    visitor = visit()
    visitor.forgiven.append("frame-ancestors")
    frame = framed(visitor, school, "/mine")
    visitor.page.wait_for_timeout(500)
    expect(frame.get_by_role("heading", name="As minhas partidas")).to_have_count(0)


def test_the_code_for_another_page_is_offered(ana: Visitor) -> None:
    identity = ana.finish("rastros", SHORT_GAME.split())
    ana.page.get_by_text("Mais", exact=True).click()
    ana.page.get_by_text("Partilhar", exact=True).click()
    code = ana.page.get_by_label("Para mostrar noutra página").input_value()
    assert f'src="{ana.site.address}/embed/game/{identity}"' in code and code.startswith("<iframe ")
