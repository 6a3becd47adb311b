"""An independent judge of championships: reads an exported file, shares no code with what made it, trusts nothing.

Everything is worked out again from who met whom and how it ended, in the plainest way.
"""

from itertools import combinations
from typing import Any

Json = dict[str, Any]
CAN_DRAW = {"ouri", "abalone", "guerreiros"}


class Group:
    """The games of a group as a flat list, and sums over it."""

    def __init__(self, data: Json, points: Json, unplayed: str) -> None:
        self.data, self.points, self.unplayed = data, points, unplayed
        self.members: list[int] = data["members"]
        self.rounds: list[Json] = data["rounds"]

    def seat(self, turn: Json, person: int) -> tuple[Json, int] | None:
        for pairing in turn["pairings"]:
            if pairing["one"] == person:
                return pairing, 1
            if pairing["two"] == person:
                return pairing, 2
        return None

    def gained(self, turn: Json, person: int) -> float:
        """Points of one round."""
        found = self.seat(turn, person)
        if found is None or found[0]["result"] is None:
            return 0.0
        result, seat = found[0]["result"], found[1]
        if result["how"] == "bye":
            return float(self.points["bye"])
        if result["how"] == "double_forfeit":
            return 0.0
        if result["winner"] is None:
            return float(self.points["draw"])
        if result["winner"] == seat:
            return float(self.points["win"])
        return 0.0 if result["how"] == "forfeit" else float(self.points["loss"])

    def opponent(self, turn: Json, person: int) -> int | None:
        """Whom somebody really played in a round."""
        found = self.seat(turn, person)
        if found is None or found[0]["result"] is None or found[0]["result"]["how"] not in ("played", "adjudicated"):
            return None
        other = found[0]["two"] if found[1] == 1 else found[0]["one"]
        return None if other is None else int(other)

    def total(self, person: int) -> float:
        return sum(self.gained(turn, person) for turn in self.rounds)

    def strength(self, turn: Json, person: int) -> float:
        """What the opponent of a round counts in Buchholz."""
        other = self.opponent(turn, person)
        if other is not None:
            if self.unplayed != "virtual":
                return self.total(other)
            half = float(self.points["draw"])
            return sum(self.gained(t, other) if self.opponent(t, other) is not None else half for t in self.rounds)
        if self.unplayed == "nothing":
            return 0.0
        if self.unplayed == "own_points":
            return self.total(person)
        before = sum(self.gained(t, person) for t in self.rounds if t["number"] < turn["number"])
        after = sum(t["number"] > turn["number"] for t in self.rounds)
        return float(before + self.points["win"] - self.gained(turn, person) + self.points["draw"] * after)

    def number(self, name: str, person: int) -> float:
        """A tie-break of one person."""
        strengths: list[float] = [self.strength(turn, person) for turn in self.rounds]
        if name == "buchholz":
            return sum(strengths)
        if name == "buchholz_cut1":
            return sum(sorted(strengths)[1:])
        if name == "buchholz_median":
            return sum(sorted(strengths)[1:-1])
        if name == "sonneborn_berger":
            shares = [self.share(turn, person) for turn in self.rounds]
            return sum((share * strength for share, strength in zip(shares, strengths, strict=True)), 0.0)
        if name == "progressive":
            left: list[int] = [sum(u["number"] >= t["number"] for u in self.rounds) for t in self.rounds]
            return sum(self.gained(t, person) * count for t, count in zip(self.rounds, left, strict=True))
        sum_ = 0.0
        for turn in self.rounds:
            if self.opponent(turn, person) is None:
                continue
            found = self.seat(turn, person)
            assert found is not None
            pairing, seat = found
            won = pairing["result"]["winner"] == seat
            if name == "wins":
                sum_ += won
            elif name == "wins_second":
                sum_ += won and seat == 2
            else:
                assert name == "game_points"
                sum_ += sum(game["score"][seat - 1] for game in pairing["games"] if "score" in game)
        return sum_

    def share(self, turn: Json, person: int) -> float:
        found = self.seat(turn, person)
        if found is None or found[0]["result"] is None or found[0]["result"]["how"] == "double_forfeit":
            return 0.0
        winner = found[0]["result"]["winner"]
        return 0.5 if winner is None else float(winner == found[1])

    def places(self, tie_breaks: list[str]) -> dict[int, int]:
        """The place of everybody."""
        order: list[list[int]] = []
        for points in sorted({self.total(person) for person in self.members}, reverse=True):
            order += self.split([p for p in self.members if self.total(p) == points], tie_breaks)
        found, place = {}, 1
        for tied in order:
            for person in tied:
                found[person] = place
            place += len(tied)
        return found

    def split(self, tied: list[int], names: list[str]) -> list[list[int]]:
        if len(tied) == 1 or not names:
            return [tied]
        values = self.values(names[0], tied)
        parts = [[p for p in tied if values[p] == value] for value in sorted(set(values.values()), reverse=True)]
        return [smaller for part in parts for smaller in self.split(part, names[1:])]

    def values(self, name: str, tied: list[int]) -> dict[int, float]:
        """Equal values where a tie-break does not apply."""
        nothing = dict.fromkeys(tied, 0.0)
        if name == "direct":
            meetings = {frozenset((p, o)) for p in tied for t in self.rounds if (o := self.opponent(t, p)) in tied}
            if any(frozenset(pair) not in meetings for pair in combinations(tied, 2)):
                return nothing
            return {p: sum(self.gained(t, p) for t in self.rounds if self.opponent(t, p) in tied) for p in tied}
        if name == "playoff":
            orders = [order for order in self.data["playoffs"] if set(tied) <= set(order)]
            return {p: -float(orders[-1].index(p)) for p in tied} if orders else nothing
        if name == "lots":
            lots = self.data["lots"]
            return {p: -float(lots[str(p)]) for p in tied} if all(str(p) in lots for p in tied) else nothing
        return {p: self.number(name, p) for p in tied}


def check_swiss(group: Group, schools: dict[int, int], game: str, one_of_a_school: bool) -> list[str]:
    """What is wrong with the rounds of a Swiss group."""
    wrong = []
    met: set[frozenset[int]] = set()
    byes: dict[int, int] = dict.fromkeys(group.members, 0)
    balance: dict[int, int] = dict.fromkeys(group.members, 0)
    for turn in group.rounds:
        busy = [p for pairing in turn["pairings"] for p in (pairing["one"], pairing["two"]) if p is not None]
        tables = [pairing["table"] for pairing in turn["pairings"] if pairing["two"] is not None]
        if len(set(busy)) < len(busy) or not set(busy) <= set(group.members) or len(set(tables)) < len(tables):
            wrong.append(f"round {turn['number']}: somebody or a table twice, or a stranger")
            continue
        if sum(pairing["two"] is None for pairing in turn["pairings"]) != len(busy) % 2:
            wrong.append(f"round {turn['number']}: byes")
        for pairing in turn["pairings"]:
            result = pairing["result"]
            if result is None:
                continue
            if result["winner"] is None and result["how"] != "double_forfeit" and game not in CAN_DRAW:
                wrong.append("a draw")
            if pairing["two"] is None:
                byes[pairing["one"]] += 1
                continue
            if one_of_a_school and schools[pairing["one"]] == schools[pairing["two"]]:
                wrong.append("two of one school")
            if result["how"] in ("played", "adjudicated"):
                pair = frozenset((pairing["one"], pairing["two"]))
                if pair in met:
                    wrong.append(f"round {turn['number']}: {sorted(pair)} met again")
                met.add(pair)
                balance[pairing["one"]] += 1
                balance[pairing["two"]] -= 1
    wrong += [f"{person}: {count} byes" for person, count in byes.items() if count > 1]
    wrong += [f"{person} began {extra} times too often" for person, extra in balance.items() if abs(extra) > 2]
    return wrong


def check_standings(group: Group, stage: Json) -> list[str]:
    wrong = []
    places = group.places(stage["tie_breaks"])
    for row in group.data["standings"]:
        person = row["person"]
        if person not in places:
            wrong.append(f"{group.data['id']}: {person} is a stranger")
            continue
        if row["points"] != group.total(person) or row["place"] != places[person]:
            wrong.append(f"{group.data['id']}: {person} has {row}, not place {places[person]}, {group.total(person)}")
        for name, explained in row["tie_breaks"].items():
            if name in ("playoff", "lots"):
                continue
            terms = sum(term["value"] for term in explained["terms"] if not term["dropped"])
            if terms != explained["value"]:
                wrong.append(f"{person}: {name} is not the sum of its terms")
            if name != "direct" and explained["value"] != group.number(name, person):
                wrong.append(f"{person}: {name} is {group.number(name, person)}, not {explained['value']}")
    return wrong


def check(data: Json) -> list[str]:
    """Everything wrong with a championship of Swiss stages."""
    wrong: list[str] = []
    for section in data["sections"]:
        schools = {entry["person"]: entry["school"] for entry in section["entries"]}
        alone = data["pupils_per_school"] == 1
        for place, stage in enumerate(section["stages"]):
            winners = []
            seen: list[int] = []
            for group_data in stage["groups"]:
                group = Group(group_data, data["points"], stage["unplayed"])
                seen += group.members
                if stage["format"] == "swiss":
                    wrong += check_swiss(group, schools, section["game"], alone)
                    wrong += check_standings(group, stage)
                    places = group.places(stage["tie_breaks"])
                    winners += [person for person in group.members if places[person] <= stage["qualify"]]
            if len(set(seen)) < len(seen):
                wrong.append(f"{section['id']}: somebody in two groups")
            if place + 1 < len(section["stages"]):
                after = [p for group_data in section["stages"][place + 1]["groups"] for p in group_data["members"]]
                if sorted(after) != sorted(winners):
                    wrong.append(f"{section['id']}: those who go on are not those who qualified")
        if section["podium"] is not None:
            last = section["stages"][-1]["groups"][0]["standings"]
            if section["podium"] != [{"place": r["place"], "person": r["person"]} for r in last if r["place"] <= 3]:
                wrong.append(f"{section['id']}: podium")
    return wrong
