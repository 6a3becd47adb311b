"""A rehearsal: invented pupils and results, to try a whole event before the day. Always marked as such."""

import math
import random
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from importlib import resources

from tabuleiro import games
from tabuleiro.championship.edition import Edition, SectionPlan
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Pairing, Result, Section
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

_WORDS = tomllib.loads((resources.files(__package__) / "rehearsal.toml").read_text("utf-8"))
FIRST_NAMES: list[str] = _WORDS["first_names"].split()
FAMILY_NAMES: list[str] = _WORDS["family_names"].split()
REGIONS: list[str] = _WORDS["regions"]
KINDS: list[str] = _WORDS["kinds_of_school"]


def invent_table(edition: Edition, pupils: int, schools: int, seed: int) -> list[list[object]]:
    """A registration table of invented pupils, spread over the sections; schools within their limits."""
    luck = random.Random(seed)
    limit = edition.pupils_per_school or max(1, math.ceil(pupils / schools))
    if pupils > schools * limit * len(edition.sections):
        most = schools * limit * len(edition.sections)
        raise TabuleiroError(
            Text(f"com {schools} escolas cabem {most} alunos", f"{schools} schools have room for {most} pupils")
        )
    chosen = _places(edition, pupils, schools, limit, luck)
    names = [_school_name(number, luck) for number in range(schools)]
    regions = [luck.choice(REGIONS) for _ in range(schools)]
    teachers = [_name(luck) for _ in range(schools)]
    rows: list[list[object]] = [["Nome", "Turma", "Escola", "Distrito", "Ciclo", "Jogo", "Professor", "Adaptações"]]
    seen: set[tuple[int, str]] = set()
    for school, section in chosen:
        name = _name(luck)
        while (school, name) in seen:
            name = _name(luck)
        seen.add((school, name))
        adapted = "mesa fixa" if luck.random() < 0.01 else "letra grande" if luck.random() < 0.01 else ""
        game = games.get(section.game).name.pt
        cycle = edition.cycles[section.cycle].pt
        group = luck.choice("ABCDE")
        rows.append([name, group, names[school], regions[school], cycle, game, teachers[school], adapted])
    return rows


def _places(
    edition: Edition, pupils: int, schools: int, limit: int, luck: random.Random
) -> list[tuple[int, SectionPlan]]:
    """A school and a section for each pupil; the sections have the same number, as far as that goes."""
    free = [(school, section) for section in edition.sections for school in range(schools) for _ in range(limit)]
    luck.shuffle(free)
    turn: Counter[str] = Counter()
    order = []
    for school, section in free:
        order.append((turn[section.id], school, section))
        turn[section.id] += 1
    order.sort(key=lambda place: place[0])
    return [(school, section) for _, school, section in order[:pupils]]


def _name(luck: random.Random) -> str:
    middle = f" {luck.choice(FAMILY_NAMES)}" if luck.random() < 0.5 else ""
    return f"{luck.choice(FIRST_NAMES)}{middle} {luck.choice(FAMILY_NAMES)}"


def _school_name(number: int, luck: random.Random) -> str:
    return f"{luck.choice(KINDS)} {luck.choice(FAMILY_NAMES)} {luck.choice(FAMILY_NAMES)} n.º {number + 1}"


@dataclass
class Strengths:
    """Invented results: everybody has a strength, and the stronger one mostly wins."""

    luck: random.Random
    of: dict[Person, float] = field(default_factory=dict)

    def strength(self, person: Person) -> float:
        return self.of.setdefault(person, self.luck.gauss(0, 1))

    def result(self, section: Section, pairing: Pairing) -> Result:
        """How a game might end; now and then somebody does not come, or an arbiter rules."""
        assert pairing.two is not None
        difference = self.strength(pairing.one) - self.strength(pairing.two)
        won: int = 1 if self.luck.random() < 1 / (1 + math.exp(-1.5 * difference)) else 2
        fate = self.luck.random()
        if fate < 0.004:
            return Result("forfeit", 1 if won == 1 else 2)
        if fate < 0.005:
            return Result("double_forfeit", None)
        score = None
        if section.plan.game == "ouri":
            seeds = self.luck.randint(25, 40)
            score = (seeds, 48 - seeds) if won == 1 else (48 - seeds, seeds)
        if section.plan.can_draw and fate > 0.94:
            return Result("played", None, (24, 24) if score else None)
        if fate < 0.008:
            return Result("adjudicated", 1 if won == 1 else 2, score, "ensaio")
        return Result("played", 1 if won == 1 else 2, score)
