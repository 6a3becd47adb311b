"""An edition written down as the TOML file that would make it, with what was changed since."""

import json
from collections.abc import Mapping
from dataclasses import replace

from tabuleiro.championship.edition import COMMON, Edition, SectionPlan
from tabuleiro.championship.events import Json
from tabuleiro.championship.model import State
from tabuleiro.language import Text


def as_it_stands(state: State) -> Edition:
    """The edition of a championship with the settings that were changed since it began."""
    sections = [replace(section.plan, stages=tuple(section.stage_plans)) for section in state.sections.values()]
    return replace(state.rules, sections=tuple(sections))


def write_edition(edition: Edition) -> str:
    """A file from which `edition.load_edition` reads the same edition."""
    top = {
        "name": edition.name,
        "pupils_per_school": edition.pupils_per_school,
        "games_per_pupil": edition.games_per_pupil,
        "check_in": edition.check_in,
    }
    points = edition.points
    scale = {"win": points.win, "draw": points.draw, "loss": points.loss, "bye": points.bye}
    parts = [_lines(top), "[points]\n" + _lines(scale), "[cycles]\n" + _lines(edition.cycles)]
    shared = edition.sections[0].stages if len({section.stages for section in edition.sections}) == 1 else None
    for section in edition.sections:
        parts.append("[[sections]]\n" + _lines(_section(section)))
        if shared is None:
            parts += ["[[sections.stages]]\n" + _lines(_stage(plan.as_json())) for plan in section.stages]
    parts += ["[[stages]]\n" + _lines(_stage(plan.as_json())) for plan in shared or ()]
    return "\n".join(parts)


def _section(section: SectionPlan) -> Json:
    return {"game": section.game, "cycles": [section.cycle], "options": dict(section.options) or None}


def _stage(plan: Json) -> Json:
    """What a stage says; of what only some formats have, nothing elsewhere."""
    usual = {"qualify": 0, "best_of": 1, "legs": 1, "third_place": False, "reach": 2}
    told = {key: value for key, value in plan.items() if value != usual.get(key)}
    return {key: told[key] for key in sorted(told, key=lambda key: key in COMMON)}


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in values.items() if value is not None)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def _value(value: object) -> str:
    if isinstance(value, Text):
        value = value._asdict()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(_value(each) for each in value)}]"
    # Numbers, words and yes or no are written as in JSON; DEL is the one letter that TOML refuses and JSON does not.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
