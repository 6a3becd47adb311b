"""Figures of a championship: players, games and podiums by school, by cycle, by game, by section."""

from dataclasses import dataclass, field

from tabuleiro import games
from tabuleiro.championship.events import Json, Person
from tabuleiro.championship.model import Section, State
from tabuleiro.championship.standings import podium
from tabuleiro.language import Text


@dataclass
class Line:
    """What a school, a cycle, a game or a section has done. Games at the board count, byes and forfeits do not."""

    name: Text
    persons: set[Person] = field(default_factory=set)
    games: int = 0
    #: Games played on a site.
    on_site: int = 0
    draws: int = 0
    wins: int = 0
    #: Games won by who began.
    won_by_first: int = 0
    podiums: int = 0

    def as_json(self) -> Json:
        return {
            "name": self.name._asdict(),
            "players": len(self.persons),
            "games": self.games,
            "on_site": self.on_site,
            "draws": self.draws,
            "wins": self.wins,
            "won_by_first": self.won_by_first,
            "podiums": self.podiums,
        }


def figures(state: State) -> dict[str, list[Line]]:
    """The lines of `sections`, `games` and `cycles` in the order of the edition, those of `schools` the best first."""
    found: dict[str, dict[str, Line]] = {"sections": {}, "games": {}, "cycles": {}, "schools": {}}
    schools = {school.id: Line(Text(school.name, school.name)) for school in state.schools.values()}
    for section in state.sections.values():
        plan = section.plan
        lines = [
            found["sections"].setdefault(plan.id, Line(state.rules.section_name(plan))),
            found["games"].setdefault(plan.game, Line(games.get(plan.game).name)),
            found["cycles"].setdefault(plan.cycle, Line(state.rules.cycles[plan.cycle])),
        ]
        _count(state, section, lines, schools)
    order = sorted(schools.values(), key=lambda line: (-line.podiums, -line.wins, line.name.pt))
    told = {key: [line for line in lines.values() if line.persons] for key, lines in found.items()}
    return {**told, "schools": [line for line in order if line.persons]}


def _count(state: State, section: Section, lines: list[Line], schools: dict[int, Line]) -> None:
    school = {person: schools[entry.school] for person, entry in section.entries.items()}
    playing = {person for stage in section.stages for group in stage.groups for person in group.members}
    for person in playing:
        for line in (*lines, school[person]):
            line.persons.add(person)
    for stage in section.stages:
        for group in stage.groups:
            for _, pairing in group.pairings():
                for number, game in enumerate(pairing.games, start=1):
                    if pairing.two is None or not game.was_played:
                        continue
                    for line in (*lines, *{id(school[p]): school[p] for p in pairing.persons}.values()):
                        line.games += 1
                        line.on_site += number in pairing.sessions
                        line.draws += game.winner is None
                        line.won_by_first += game.winner == pairing.starter(number)
                    if game.winner is not None:
                        winner = school[pairing.one if game.winner == 1 else pairing.two]
                        for line in (*lines, winner):
                            line.wins += 1
    over = podium(section, state.rules)
    for row in () if over is None else over.rows:
        for line in (*lines, school[row.person]):
            line.podiums += 1
