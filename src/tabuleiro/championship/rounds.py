"""The next round of a group, whatever its format: who meets whom, who begins, at which table."""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tabuleiro.championship import knockout
from tabuleiro.championship.berger import berger_round, round_count
from tabuleiro.championship.edition import StagePlan
from tabuleiro.championship.events import Json, Person, refused
from tabuleiro.championship.matching import Arrangement, Contender, Match, best_round, lot
from tabuleiro.championship.model import Group, Pairing, Result, Section, Stage, State, series_result
from tabuleiro.championship.scores import meetings, records
from tabuleiro.championship.seeds import derived

BYE = Result("bye", 1)


class NextRound(NamedTuple):
    number: int
    pairings: list[Json]
    #: How the matching weighed things, where there was one.
    arrangement: Arrangement | None = None


def planned_rounds(plan: StagePlan, players: int) -> int | None:
    """How many rounds a group has; None where that depends on what happens."""
    if plan.format == "swiss":
        return plan.rounds or max(1, math.ceil(math.log2(max(players, 2))))
    if plan.format == "round_robin":
        return plan.rounds or plan.legs * round_count(players)
    return 1 if plan.format == "match" else None


def open_pairings(group: Group, plan: StagePlan) -> list[tuple[int, Pairing]]:
    """The pairings without a result, with the numbers of their rounds."""
    return [(turn.number, pairing) for turn, pairing in group.pairings() if series_result(plan, pairing.games) is None]


def is_complete(group: Group, plan: StagePlan) -> bool:
    """Whether the group has played all it has to play. Ladders and arenas go on until the organiser ends them."""
    if open_pairings(group, plan):
        return False
    if plan.format in ("knockout", "double_knockout"):
        return len(group.members) < 2 or knockout.is_over(group, plan)
    planned = planned_rounds(plan, len(group.members))
    return bool(group.rounds) if planned is None else len(group.rounds) >= planned or len(group.members) < 2


def contenders(
    state: State, section: Section, stage: Stage, group: Group, fixed: Collection[Person]
) -> list[Contender]:
    """The members who are there, as the matching sees them; in a knock-out all, because who is missing loses.

    `fixed` are those who need a fixed table.
    """
    found = {}
    for person, record in records(group, stage.plan, state.rules.points).items():
        entry = section.entries[person]
        if not state.plays(entry) and not stage.plan.decides:
            continue
        byes = sum(line.how == "bye" or (line.how == "forfeit" and line.share == 1) for line in record.lines)
        found[person] = Contender(
            person, record.points, entry.school, meetings(record.lines), byes, fixed_table=person in fixed
        )
    for _, pairing in group.pairings():
        for number, game in enumerate(pairing.games, start=1):
            if not game.was_played or pairing.two is None:
                continue
            for person in pairing.persons:
                if (player := found.get(person)) is not None:
                    begins = pairing.starter(number) == pairing.seat_of(person)
                    player.starts += begins
                    player.seconds += not begins
                    player.began_last = begins
    return list(found.values())


def next_round(state: State, section: Section, stage: Stage, group: Group, fixed: Collection[Person] = ()) -> NextRound:
    """The next round, or a refusal that says what is missing."""
    plan, number = stage.plan, len(group.rounds) + 1
    waiting = open_pairings(group, plan)
    if waiting and plan.format != "arena":
        round_number, tables = waiting[0][0], ", ".join(str(pairing.table) for _, pairing in waiting)
        raise refused(
            f"{group.id}: faltam resultados da jornada {round_number} (mesa {tables})",
            f"{group.id}: results of round {round_number} are missing (table {tables})",
        )
    if plan.format == "ladder":
        raise refused(
            f"{group.id}: numa escada cada desafio é um emparelhamento manual",
            f"{group.id}: on a ladder every challenge is a manual pairing",
        )
    planned = planned_rounds(plan, len(group.members))
    if planned is not None and number > planned:
        raise refused(f"{group.id}: já se jogaram todas as jornadas", f"{group.id}: all rounds have been played")
    seed = derived(state.seed, group.id, number)
    players = contenders(state, section, stage, group, fixed)
    if plan.format == "round_robin":
        return NextRound(number, _berger(state, section, group, number))
    if plan.format == "knockout":
        return NextRound(number, _bracket(state, section, group, plan, players, seed))
    if plan.format == "match":
        return NextRound(number, _bracket_pairs([(*_two(group), "match")], state, section, group, players, seed))
    parts = _matched_apart(group, plan, players, waiting)
    arrangements = [best_round(part, plan.criteria, seed, plan.own_weights) for part in parts if part]
    matches = [match for arrangement in arrangements for match in arrangement.matches]
    if plan.format == "arena":  # who is left over waits for the next pairing
        matches = [match for match in matches if match.two is not None]
    pairings = seated(group, matches, waiting, fixed)
    if plan.decides:
        pairings = [
            pairing if pairing["two"] is None else _with_absence(state, section, pairing) for pairing in pairings
        ]
    return NextRound(number, pairings, arrangements[0])


def _matched_apart(
    group: Group, plan: StagePlan, players: list[Contender], waiting: Sequence[tuple[int, Pairing]]
) -> list[list[Contender]]:
    """Those who may meet each other: in a double knock-out who has lost as often, in an arena who is free, else all."""
    if plan.format == "double_knockout":
        lost = knockout.losses(group, plan)
        players = [player for player in players if lost[player.person] < 2]
        if len(players) < 2:
            raise refused(f"{group.id}: já há vencedor", f"{group.id}: there is a winner already")
        if len(players) > 2:  # else it is the grand final
            return [[player for player in players if lost[player.person] == count] for count in (0, 1)]
    if plan.format == "arena":
        busy = {person for _, pairing in waiting for person in pairing.persons}
        players = [player for player in players if player.person not in busy]
    if len(players) < 2:
        raise refused(f"{group.id}: não há dois jogadores livres", f"{group.id}: there are no two free players")
    return [players]


def _two(group: Group) -> tuple[Person, Person | None]:
    return group.members[0], group.members[1] if len(group.members) > 1 else None


def _berger(state: State, section: Section, group: Group, number: int) -> list[Json]:
    pairings = []
    for place, (one, two) in enumerate(berger_round(len(group.members), number)):
        pairing = Pairing(
            group.first_table + place, group.members[one], group.members[two], {"by": "berger", "round": number}
        ).as_json()
        pairings.append(_with_absence(state, section, pairing))
    return pairings


def _with_absence(state: State, section: Section, pairing: Json) -> Json:
    """A pairing of a fixed plan, with its result where somebody is not there."""
    there = [state.plays(section.entries[pairing[side]]) for side in ("one", "two")]
    if all(there):
        return pairing
    result = Result("forfeit", 1 if there[0] else 2) if any(there) else Result("double_forfeit", None)
    return {**pairing, "result": result.as_json()}


def _bracket(
    state: State, section: Section, group: Group, plan: StagePlan, players: Sequence[Contender], seed: int
) -> list[Json]:
    pairs = knockout.next_bracket(group, plan)
    if not any(one is not None and two is not None for one, two, _ in pairs) and len(pairs) < 2:
        raise refused(f"{group.id}: já há vencedor", f"{group.id}: there is a winner already")
    return _bracket_pairs(pairs, state, section, group, players, seed)


def _bracket_pairs(
    pairs: Sequence[tuple[Person | None, Person | None, str]],
    state: State,
    section: Section,
    group: Group,
    players: Sequence[Contender],
    seed: int,
) -> list[Json]:
    known = {player.person: player for player in players}
    pairings: list[Json] = []
    table = group.first_table
    for slot, (one, two, by) in enumerate(pairs):
        why = {"by": by, "slot": slot}
        there = [person for person in (one, two) if person is not None]
        if len(there) == 1:
            pairings.append({**Pairing(0, there[0], None, why).as_json(), "result": BYE.as_json()})
        elif len(there) == 2:
            a, b = (known.get(person, Contender(person)) for person in there)
            # Who has begun less often begins; else the lot decides.
            rank = [(p.starts - p.seconds, lot(seed, p.person, q.person)) for p, q in ((a, b), (b, a))]
            first, second = (a, b) if rank[0] <= rank[1] else (b, a)
            pairing = Pairing(table, first.person, second.person, why).as_json()
            pairings.append(_with_absence(state, section, pairing))
            table += 1
    return pairings


def seated(
    group: Group, matches: Sequence[Match], taken: Sequence[tuple[int, Pairing]], fixed: Collection[Person]
) -> list[Json]:
    """Matches at tables: the best pupils at the first ones, except that who has a fixed table stays there."""
    usual: dict[Person, int] = {}
    for _, pairing in group.pairings():
        for person in pairing.persons:
            if person in fixed and pairing.table:
                usual.setdefault(person, pairing.table)

    def height(match: Match) -> tuple[float, float, int]:
        points = sorted((p.points for p in (match.one, match.two) if p is not None), reverse=True)
        return -points[0], -points[-1], min(group.members.index(p.person) for p in (match.one, match.two) if p)

    used = {pairing.table for _, pairing in taken}
    tables: dict[int, int] = {}  # place in `matches` to table
    games = [match for match in sorted(matches, key=height) if match.two is not None]
    for place, match in enumerate(games):
        for player in (match.one, match.two):
            table = usual.get(player.person, 0) if player else 0
            if table and table not in used and place not in tables:
                tables[place] = table
                used.add(table)
    table = group.first_table
    for place in range(len(games)):
        if place not in tables:
            while table in used:
                table += 1
            tables[place] = table
            used.add(table)
    pairings = [
        Pairing(tables[place], match.one.person, match.two.person if match.two else None, match.why()).as_json()
        for place, match in enumerate(games)
    ]
    pairings.sort(key=lambda pairing: int(pairing["table"]))
    for match in matches:
        if match.two is None:
            pairings.append({**Pairing(0, match.one.person, None, match.why()).as_json(), "result": BYE.as_json()})
    return pairings
