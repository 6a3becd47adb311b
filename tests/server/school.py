"""A school for the tests: an organiser, teachers, classes, pupils who come in by their cards."""

import time
from pathlib import Path

import httpx

from server.people import Json, LocalServer, Person
from tabuleiro.server.people.office import link_for
from tabuleiro.server.settings import sqlite_url
from tabuleiro.server.store import opened

NAMES = ["Ana Silva", "Rui Costa", "Eva Dias", "Zé Pires", "Inês Reis"]


def sign_in(browser: Person, **door: str) -> httpx.Response:
    return browser.web.post("/api/v1/person/sign-in", json={"door": door})


def come_by(browser: Person, link: str) -> Json:
    """Follow a link or scan a card: what is behind the # is sent, and nothing else."""
    kind, _, token = link.partition("#")[2].partition(".")
    answer = sign_in(browser, by={"c": "card", "l": "link"}[kind], token=token)
    assert answer.status_code == 200, answer.text
    welcome: Json = answer.json()
    return welcome


def organiser(server: LocalServer) -> Person:
    """The first organiser, by a link as the terminal shows."""
    token = server.do(server.hub.store.write(lambda connection: link_for(connection, None, time.time())))
    browser = Person(server.address)
    come_by(browser, f"/entrar#l.{token}")
    return browser


def first_organiser(data: Path, address: str) -> Person:
    """The same, of a server that is a process of its own, with its data in a folder."""
    with opened(sqlite_url(data), writing=True) as connection:
        token = link_for(connection, None, time.time())
    browser = Person(address)
    come_by(browser, f"/entrar#l.{token}")
    return browser


def teacher(by: Person, name: str = "Maria Lopes") -> Person:
    browser = Person(by.address)
    come_by(browser, by.post("/api/v1/adults", {"name": name, "role": "teacher"})["link"])
    return browser


def school_class(by: Person, names: list[str] | None = None, name: str = "7.º B") -> Json:
    made: Json = by.post("/api/v1/classes", {"name": name, "names": "\n".join(names or NAMES)})
    return made


def pupil(address: str, card: Json) -> Person:
    browser = Person(address)
    come_by(browser, card["link"])
    return browser
