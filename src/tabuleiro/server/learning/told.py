"""A task and how it stands as pages are told, so that they need no rules: the board, what may be done, what came of the
last act with every position that is to be seen."""

from collections.abc import Iterable
from typing import Any

from tabuleiro import games
from tabuleiro.language import LANGUAGES, Text
from tabuleiro.learn import Attempt, Step, Verdict
from tabuleiro.record import Node
from tabuleiro.server import views
from tabuleiro.server.learning.room import Came

Json = dict[str, Any]


def task_json(ref: str, came: Came, before: Attempt) -> Json:
    """`before`: the attempt before the last act, from where the moves of its verdict are shown."""
    attempt = came.attempt
    task, node = attempt.task, attempt.node()
    position = node.position
    first = not attempt.line
    return {
        "ref": ref,
        "game": position.id,
        "name": games.get(position.id).name._asdict(),
        "options": position.options.changed(),
        "goal": task.goal.kind,
        "ask": rich(task.ask),
        "way": attempt.way,
        "pupil": task.pupil,
        "geometry": views.geometry(position.geometry),
        "view": views.view(node, node.outcome),
        "ply": len(attempt.line),
        "arrows": task.diagram.arrows if first else (),
        "highlights": task.diagram.highlights if first else (),
        "numbers": task.diagram.numbers if first else (),
        "overlay": views.overlay(came.overlay),
        "choices": [{"value": value, "name": attempt.choice_name(value)._asdict()} for value in attempt.choices],
        "acts": attempt.acts,
        "solved": attempt.solved,
        "mistakes": attempt.mistakes,
        "hints": attempt.hints,
        "steps": len(task.hints) + 1,
        "verdict": None if came.verdict is None else _verdict(came.verdict, before, attempt),
        "hint": None if came.hint is None else _step(came.hint),
    }


def rich(text: Text) -> Json:
    """A sentence with its bold words, in both languages."""
    return {language: views.spans_json(text.to(language)) for language in LANGUAGES}


def _step(step: Step) -> Json:
    return {"text": rich(step.text), "cells": step.cells, "moves": step.moves}


def _verdict(verdict: Verdict, before: Attempt, after: Attempt) -> Json:
    return {
        "kind": verdict.kind,
        "said": rich(verdict.said),
        "shown": [
            {"move": node.move_text, "view": views.view(node, node.outcome, with_text=False, with_moves=False)}
            for node in _played(before.node(), _moves(verdict, after))
        ],
        "extra": verdict.extra,
        "missing": verdict.missing,
    }


def _moves(verdict: Verdict, after: Attempt) -> list[str]:
    """The pupil's move and what follows it: the answer, or the refutation."""
    if after.way == "say":
        return []
    if after.way == "mark":
        return [verdict.extra[0], *verdict.refutation] if verdict.refutation else []
    made = after.acts[-1].removeprefix("move ")
    return [made, *(verdict.reply.split() if verdict.reply else ()), *verdict.refutation]


def _played(node: Node, moves: Iterable[str]) -> list[Node]:
    """The points of the game after each of these moves."""
    made = []
    for move in moves:
        if node.outcome is not None:
            break
        node = node.play(move)
        made.append(node)
    return made
