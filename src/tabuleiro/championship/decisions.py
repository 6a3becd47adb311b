"""Decisions that need working out: draws, pairings, repairs, lots. Each gives an event to be, or refuses."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from tabuleiro.championship.championship import Championship
from tabuleiro.championship.draw import Origin, draw_bracket, draw_groups, group_sizes
from tabuleiro.championship.edition import CRITERIA
from tabuleiro.championship.events import Decision, Json, Person, RefusedError, refused
from tabuleiro.championship.matching import Contender, Match, best_round, costs
from tabuleiro.championship.model import Group, Section, Stage
from tabuleiro.championship.rounds import contenders, is_complete, next_round, open_pairings, seated
from tabuleiro.championship.seeds import chance, derived
from tabuleiro.championship.standings import PODIUM, Row, ladder_order, needs_separating, standings, undecided
from tabuleiro.championship.tiebreaks import NUMBERS, Rules
from tabuleiro.language import Text


class Warned(NamedTuple):
    """A decision, and what an arbiter should know before it is made."""

    decision: Decision
    warnings: list[Text]


# ------------------------------------------------------------------------------------------------------------- draws


def draw_stage(championship: Championship, section_id: str) -> Decision:
    """The next stage of a section: of all who are there, or of those who qualified."""
    state = championship.state
    section = state.section(section_id)
    number = len(section.stages) + 1
    if number > len(section.stage_plans):
        raise refused(f"{section_id}: não há mais fases", f"{section_id}: there are no more stages")
    plan = section.stage_plans[number - 1]
    if number == 1:
        members = [entry.person for entry in section.entries.values() if state.plays(entry)]
    else:
        members = qualified(championship, section)
    if len(members) < 2:
        raise refused(f"{section_id}: não há dois jogadores", f"{section_id}: there are no two players")
    seed = derived(state.seed, section_id, number)
    origins = {
        person: Origin(section.entries[person].school, state.schools[section.entries[person].school].region)
        for person in members
    }
    if plan.group_size is not None and len(members) > plan.group_size:
        groups = draw_groups(origins, group_sizes(len(members), plan.group_size), seed)
    elif number > 1:
        groups = [members]
    elif plan.format == "knockout":
        groups = [draw_bracket(origins, seed)]
    else:
        groups = draw_groups(origins, [len(members)], seed)
    table = first_free_table(championship, number)
    drawn: list[Json] = []
    for group in groups:
        drawn.append({"members": group, "first_table": table})
        table += _tables(len(group))
    return championship.decide("stage_drawn", {"section": section_id, "stage": number, "seed": seed, "groups": drawn})


def _tables(players: int) -> int:
    """Tables of a group: one more than it needs, for who comes late."""
    return players // 2 + 1


def first_free_table(championship: Championship, number: int) -> int:
    """Tables are numbered through the hall: all groups of the same stage have different ones."""
    ends = [
        group.first_table + _tables(len(group.members))
        for section in championship.state.sections.values()
        for group in (section.stages[number - 1].groups if len(section.stages) >= number else ())
    ]
    return max(ends, default=1)


def qualified(championship: Championship, section: Section) -> list[Person]:
    """Who goes on from the last stage, best seeds first: by points, by the tie-breaks that are numbers, by lot."""
    state, stage = championship.state, section.stages[-1]
    through: list[tuple[Row, Group]] = []
    for group in stage.groups:
        if not is_complete(group, stage.plan):
            raise refused(f"{group.id}: ainda não acabou", f"{group.id}: is not over yet")
        rows = standings(group, stage.plan, state.rules)
        if ties := needs_separating(rows, stage.plan.qualify):
            who = ", ".join(str(person) for person in ties[0])
            raise refused(
                f"{group.id}: falta desempatar {who}: regista um desempate jogado ou faz o sorteio",
                f"{group.id}: {who} are still tied: record a play-off or draw lots",
            )
        through += [(row, group) for row in rows if row.place <= stage.plan.qualify]
    rules = Rules(state.rules.points, stage.plan.unplayed)
    luck = chance(derived(state.seed, section.plan.id, len(section.stages), "seeds"))
    lots = {row.person: luck.random() for row, _ in sorted(through, key=lambda pair: pair[0].person)}

    def strength(pair: tuple[Row, Group]) -> tuple[float, ...]:
        row, group = pair
        found = {other.person: other.record for other in standings(group, stage.plan, state.rules)}
        values = [NUMBERS[name](found, rules, row.person).value for name in stage.plan.tie_breaks if name in NUMBERS]
        return (-row.place, row.points, *values, lots[row.person])

    return [row.person for row, _ in sorted(through, key=strength, reverse=True)]


def place_late(championship: Championship, section_id: str, person: Person) -> Decision:
    """A group for who came after the draw: one with a bye to fill, without schoolmates, small."""
    state = championship.state
    section = state.section(section_id)
    entry = state.entry(section, person)
    if not section.stages:
        raise refused(f"{section_id}: ainda não há grupos", f"{section_id}: there are no groups yet")
    if len(section.stages) > 1:
        raise refused(f"{section_id}: a primeira fase já acabou", f"{section_id}: the first stage is over")

    def fitness(group: Group) -> tuple[int, int, int]:
        there = [other for other in group.members if section.entries[other].presence not in ("absent", "withdrawn")]
        mates = sum(section.entries[other].school == entry.school for other in there)
        return mates, (len(there) + 1) % 2, len(there)

    failure = None
    for group in sorted(section.stages[-1].groups, key=fitness):
        try:
            return championship.decide("placed", {"group": group.id, "person": person})
        except RefusedError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def draw_lots(championship: Championship, group_id: str, tied: Sequence[Person]) -> Decision:
    """Lots between the tied: numbers from 1, the lowest comes first. The same tie gives the same numbers again."""
    seed = derived(championship.state.seed, group_id, "lots", *sorted(tied))
    numbers = list(range(1, len(tied) + 1))
    chance(seed).shuffle(numbers)
    drawn = [[person, number] for person, number in zip(sorted(tied), numbers, strict=True)]
    return championship.decide("lots", {"group": group_id, "seed": seed, "numbers": drawn})


# ---------------------------------------------------------------------------------------------------------- pairings


def pair_round(championship: Championship, group_id: str, fixed: Collection[Person] = (), now: float = 0.0) -> Decision:
    """The next round of a group. `fixed` are the persons who need a fixed table; `now` matters to arenas, which end."""
    section, stage, group = championship.state.group(group_id)
    if stage.plan.minutes is not None and group.began is not None and now > group.began + 60 * stage.plan.minutes:
        raise refused(f"{group_id}: o tempo acabou", f"{group_id}: the time is over")
    turn = next_round(championship.state, section, stage, group, fixed)
    return championship.decide("round_paired", {"group": group_id, "round": turn.number, "pairings": turn.pairings})


def pair_by_hand(
    championship: Championship,
    group_id: str,
    pairs: Sequence[tuple[Person, Person | None]],
    fixed: Collection[Person] = (),
    name: Callable[[Person], str] = str,
) -> Warned:
    """A round in which these meet as the arbiter says, the first of each pair beginning; the rest are paired as usual.
    Warnings call people by `name`.

    On a ladder these are challenges: the first is the challenger, and nobody else plays.
    """
    state = championship.state
    section, stage, group = state.group(group_id)
    plan = stage.plan
    if plan.format not in ("swiss", "arena", "ladder"):
        raise refused(
            f"{group_id}: neste formato os emparelhamentos são os do quadro",
            f"{group_id}: in this format the pairings are those of the table",
        )
    known = {player.person: player for player in contenders(state, section, stage, group, fixed)}
    chosen = [person for pair in pairs for person in pair if person is not None]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(group.members):
        raise refused(
            f"{group_id}: cada aluno uma vez, e só do grupo", f"{group_id}: each pupil once, and of this group only"
        )
    warnings: list[Text] = []
    for person in chosen:
        if person not in known:
            warnings.append(Text(f"{name(person)} não está presente", f"{name(person)} is not there"))
    busy = open_pairings(group, plan) if plan.format in ("ladder", "arena") else []
    for _, pairing in busy:
        if clash := set(pairing.persons) & set(chosen):
            raise refused(f"{min(clash)} ainda está a jogar", f"{min(clash)} is still playing")
    if plan.format == "ladder":
        for one, two in pairs:
            _require_reach(group, stage, one, two)
    lowest = min((player.points for player in known.values()), default=0.0)
    matches = []
    for first, second in pairs:
        player = known.get(first, Contender(first))
        other = None if second is None else known.get(second, Contender(second))
        cost = costs(player, other, lowest)
        warnings += _warnings(first, second, cost, name)
        matches.append(Match(player, other, {key: value for key, value in cost.items() if value}))
    by_hand = {match.one.person for match in matches}
    if plan.format == "swiss":
        rest = [player for player in known.values() if player.person not in chosen]
        seed = derived(state.seed, group_id, len(group.rounds) + 1)
        matches += best_round(rest, plan.criteria, seed, plan.own_weights).matches
    pairings = seated(group, matches, busy, fixed)
    for written in pairings:
        if written["one"] in by_hand:
            written["why"] = {"by": "hand"}
    data = {"group": group_id, "round": len(group.rounds) + 1, "pairings": pairings}
    return Warned(championship.decide("round_paired", data), warnings)


def _require_reach(group: Group, stage: Stage, challenger: Person, challenged: Person | None) -> None:
    order = ladder_order(group, stage.plan)
    if challenger not in order or challenged not in order:
        raise refused("um desafio é entre membros da escada", "a challenge is between members of the ladder")
    distance = order.index(challenger) - order.index(challenged)
    if not 1 <= distance <= stage.plan.reach:
        raise refused(
            f"só se desafia quem está até {stage.plan.reach} lugares acima",
            f"only those up to {stage.plan.reach} places above may be challenged",
        )


def _warnings(one: Person, two: Person | None, cost: dict[str, int], name: Callable[[Person], str]) -> list[Text]:
    """What a pairing by hand does against the criteria that are yes or no, or by points."""
    found = []
    for key in ("rematch", "second_bye", "school", "fixed_table", "points"):
        if cost.get(key):
            rule = CRITERIA[key]
            who = name(one) if two is None else f"{name(one)} – {name(two)}"
            found.append(Text(f"{who}: contra «{rule.pt}»", f"{who}: against “{rule.en}”"))
    return found


def pair_again(championship: Championship, group_id: str, fixed: Collection[Person] = ()) -> Decision:
    """The last round mended after absences and late arrivals: whoever can play stays, the others are paired anew."""
    state = championship.state
    section, stage, group = state.group(group_id)
    if not group.rounds or stage.plan.format != "swiss":
        raise refused(f"{group_id}: não há jornada para refazer", f"{group_id}: there is no round to mend")
    turn = group.rounds[-1]
    there = {person for person in group.members if state.plays(section.entries[person])}
    kept = [
        pairing
        for pairing in turn.pairings
        if pairing.two is not None and (pairing.games or pairing.sessions or set(pairing.persons) <= there)
    ]
    sitting = {person for pairing in kept for person in pairing.persons}
    before = Group(group.id, group.members, group.first_table, group.rounds[:-1])
    free = [p for p in contenders(state, section, stage, before, fixed) if p.person not in sitting]
    seed = derived(state.seed, group_id, turn.number, "again", championship.number)
    matches = best_round(free, stage.plan.criteria, seed, stage.plan.own_weights).matches
    new = seated(before, matches, [(turn.number, pairing) for pairing in kept], fixed)
    after = {(pairing.one, pairing.two) for pairing in kept} | {(pairing["one"], pairing["two"]) for pairing in new}
    if after == {(pairing.one, pairing.two) for pairing in turn.pairings}:
        raise refused(f"{group_id}: nada a refazer", f"{group_id}: there is nothing to mend")
    old = [pairing.as_json() for pairing in kept]
    pairings = sorted([*old, *new], key=lambda pairing: int(pairing["table"]) or 10**6)
    return championship.decide("round_changed", {"group": group_id, "round": turn.number, "pairings": pairings})


def ties_to_break(championship: Championship, group_id: str) -> list[list[Person]]:
    """Ties of a finished group that matter: for going on to the next stage, or for the podium of the last one."""
    section, stage, group = championship.state.group(group_id)
    if not is_complete(group, stage.plan):
        raise refused(f"{group_id}: ainda não acabou", f"{group_id}: is not over yet")
    rows = standings(group, stage.plan, championship.state.rules)
    if len(section.stages) == len(section.stage_plans) and section.stages[-1] is stage:
        return undecided(rows, PODIUM)
    return needs_separating(rows, stage.plan.qualify)
