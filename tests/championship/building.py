"""Short words for tests of championships."""

import random
from typing import Any

from tabuleiro.championship import Championship, Decision, Event
from tabuleiro.championship.decisions import draw_stage
from tabuleiro.championship.edition import read_edition

Json = dict[str, Any]


def edition(game: str = "ouri", options: Json | None = None, **stage: Any) -> Json:
    """An edition of one section and one stage, unless `stages` gives more."""
    stages = stage.pop("stages", None) or [{"name": "S", **({"format": "swiss", "rounds": 4} | stage)}]
    values = {
        "name": "T",
        "cycles": {"all": "all"},
        "sections": [{"game": game, "cycles": ["all"], "options": options or {}}],
        "stages": stages,
    }
    read_edition(values)
    return values


def do(championship: Championship, decision: Decision, when: float = 0.0) -> Event:
    event = championship.event(decision, 0, when)
    championship.apply(event)
    return event


def act(championship: Championship, kind: str, **data: Any) -> Event:
    return do(championship, championship.decide(kind, data))


def begun(plan: Json, players: int, seed: int = 1, schools: int | None = None, draw: bool = True) -> Championship:
    """A championship with persons 1 to n, a school each unless there are fewer, and its first stage drawn."""
    championship = Championship()
    act(championship, "created", edition=plan, seed=seed)
    section = next(iter(championship.state.sections))
    count = schools or players
    act(
        championship,
        "registered",
        schools=[{"id": n, "name": f"E{n}", "region": f"R{n % 3}"} for n in range(1, count + 1)],
        entries=[{"person": n, "section": section, "school": (n - 1) % count + 1} for n in range(1, players + 1)],
    )
    if draw:
        do(championship, draw_stage(championship, section))
    return championship


def group_of(championship: Championship, number: int = 1, stage: int = 1) -> str:
    section = next(iter(championship.state.sections))
    return f"{section}/{stage}/{number}"


def enter(championship: Championship, group: str, luck: random.Random, draws: bool = True) -> None:
    """Results for every open pairing of a group, by chance."""
    from tabuleiro.championship.rounds import open_pairings

    section, stage, where = championship.state.group(group)
    while opened := open_pairings(where, stage.plan):
        for number, pairing in opened:
            winner = luck.choice([1, 2, 1, 2, None] if draws and section.plan.can_draw else [1, 2])
            give(championship, group, number, pairing.table, winner)


def give(
    championship: Championship, group: str, number: int, table: int, winner: int | None, how: str = "played"
) -> Event:
    game = len(championship.state.group(group)[2].find(number, table).games) + 1
    result = {"how": how, "winner": winner}
    return act(championship, "result", group=group, round=number, table=table, game=game, result=result)
