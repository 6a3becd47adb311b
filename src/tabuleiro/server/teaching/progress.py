"""How a class gets on: pupil by task for a set that was given to it, and what each has learnt of each game. Names are
those of the roll; only teachers of the class are told."""

from collections.abc import Sequence

import sqlalchemy as sa

from tabuleiro.server.learning import tries
from tabuleiro.server.learning.lessons import overview
from tabuleiro.server.learning.tries import Tried
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import store as people_store
from tabuleiro.server.people.school_class import SchoolClass
from tabuleiro.server.tables import tries as table
from tabuleiro.server.teaching.store import TaskSet


def results(connection: sa.Connection, school_class: SchoolClass, made: TaskSet) -> list[Json]:
    """A row for each pupil, by name, with a cell for each task; None where it was not tried."""
    done = {(each.guest, each.task): each for each in tries.tries_for(connection, made.id, school_class.pupils)}
    rows = []
    for guest, name in _roll(connection, school_class):
        cells = [done.get((guest, task)) for task in made.tasks]
        solved = sum(each is not None and each.solved for each in cells)
        rows.append({"guest": guest, "name": name, "solved": solved, "cells": [_cell(each) for each in cells]})
    return rows


def _roll(connection: sa.Connection, school_class: SchoolClass) -> list[tuple[Guest, str]]:
    known = people_store.find_people(connection, school_class.pupils)
    roll = [(guest, known[guest].name) for guest in school_class.pupils if guest in known]
    return sorted(roll, key=lambda each: each[1].casefold())


def _cell(tried: Tried | None) -> Json | None:
    if tried is None:
        return None
    return {"solved": tried.solved, "mistakes": tried.mistakes, "wrong": tried.wrong, "hints": tried.hints}


def sheet(rows: Sequence[Json], tasks: int) -> list[list[object]]:
    """The same as a table: four columns a task."""
    titles: list[object] = ["nome", "resolvidas"]
    for number in range(1, tasks + 1):
        titles += [f"{number}: resolvida", f"{number}: erros", f"{number}: primeira jogada errada", f"{number}: ajudas"]
    table: list[list[object]] = [titles]
    for row in rows:
        line: list[object] = [row["name"], row["solved"]]
        for cell in row["cells"]:
            if cell is None:
                line += ["", "", "", ""]
            else:
                line += ["sim" if cell["solved"] else "não", cell["mistakes"], cell["wrong"] or "", cell["hints"]]
        table.append(line)
    return table


def learnt(connection: sa.Connection, school_class: SchoolClass) -> list[Json]:
    """For each pupil, by name: of each game begun the lessons done and the rank, and how many other tasks they did."""
    query = sa.select(table.c.guest, table.c.task).where(table.c.guest.in_(school_class.pupils), table.c.solved)
    done: dict[Guest, set[str]] = {}
    for row in connection.execute(query):
        done.setdefault(row.guest, set()).add(row.task)
    return [
        {"guest": guest, "name": name, **_learnt(done.get(guest, set()))}
        for guest, name in _roll(connection, school_class)
    ]


def _learnt(done: set[str]) -> Json:
    lessons = {ref for ref in done if ref.startswith("lesson/")}
    begun = {ref.split("/")[1] for ref in lessons}
    told = [
        {"game": each["game"], "done": each["done"], "lessons": len(each["lessons"]), "rank": each["rank"]}
        for each in overview(lessons)
        if each["game"] in begun
    ]
    return {"games": told, "tasks": len(lessons), "others": len(done) - len(lessons)}
