"""A rehearsal on the site: invented people play a championship through, step by step, as fast as somebody asks."""

import random

from tabuleiro.championship.events import Person
from tabuleiro.championship.rehearsal import Strengths, invent_table
from tabuleiro.championship.rounds import open_pairings
from tabuleiro.championship.seeds import derived
from tabuleiro.language import Text
from tabuleiro.server.championships.desk import Desk, OpenChampionship
from tabuleiro.server.championships.registrar import Registrar
from tabuleiro.server.championships.schemas import RehearsalBody
from tabuleiro.server.championships.stream import Table
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.identity import Who

NO_REHEARSAL = Refusal("no_rehearsal", Text("este campeonato não é um ensaio", "this is no rehearsal"), 409)


async def invent(registrar: Registrar, who: Who, opened: OpenChampionship, body: RehearsalBody) -> None:
    """Register people who do not exist."""
    state = opened.stream.championship.state
    table = invent_table(state.rules, body.pupils, body.schools, state.seed)
    await registrar.register(who, opened, [[str(cell) for cell in row] for row in table])


async def step(desk: Desk, who: Who, opened: OpenChampionship) -> bool:
    """What comes next: results, where tables are open; else lots, where somebody is tied; else pairings; else a draw.
    False once it is over."""
    championship = opened.stream.championship
    state = championship.state
    if not state.rehearsal:
        raise RefusedError(*NO_REHEARSAL)
    if await _results(desk, who, opened):
        return True
    if (await desk.lots(who, opened, [*state.groups])).done:
        return True
    sections, groups = desk.ready(opened)
    # Arenas, which end when somebody says so, are played for three rounds.
    groups = [
        each for each in groups if state.group(each)[1].plan.format != "arena" or len(state.group(each)[2].rounds) < 3
    ]
    if groups:
        return bool((await desk.pair(who, opened, groups)).done)
    if sections:
        return bool((await desk.draw(who, opened, sections)).done)
    return False


async def _results(desk: Desk, who: Who, opened: OpenChampionship) -> bool:
    state = opened.stream.championship.state
    strengths = _Known(random.Random(derived(state.seed, opened.stream.number)), seed=state.seed)
    entered = False
    for section, stage, group in [*state.groups.values()]:
        for number, pairing in open_pairings(group, stage.plan):
            table = Table(group.id, number, pairing.table, len(pairing.games) + 1)
            await desk.result(who, opened, table, strengths.result(section, pairing))
            entered = True
    return entered


class _Known(Strengths):
    """Somebody is as strong at every step."""

    def __init__(self, luck: random.Random, *, seed: int) -> None:
        super().__init__(luck)
        self._seed = seed

    def strength(self, person: Person) -> float:
        return random.Random(derived(self._seed, "strength", person)).gauss(0, 1)
