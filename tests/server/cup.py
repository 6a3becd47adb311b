"""A championship for the tests, made and played over the network."""

from server.people import Json, Person

EIGHT = ["Ana Silva", "Rui Costa", "Eva Dias", "Zé Pires", "Inês Reis", "Tó Melo", "Lia Nunes", "Gil Brito"]
PATH = "/api/v1/championships"


def knockout(by: Person, names: list[str] | None = None, game: str = "rastros", form: str = "knockout") -> str:
    """A championship of one game, drawn, its first round paired."""
    body = {
        "quick": {"game": game, "format": form},
        "entries": {"names": "\n".join(names or EIGHT)},
        "begin": True,
    }
    made: str = by.post(PATH, body)["id"]
    return made


def group_of(by: Person, cup: str, group: str) -> Json:
    told: Json = by.get(f"{PATH}/{cup}/groups/{group}")
    return {**told["groups"][0], "people": told["people"]}


def open_tables(group: Json) -> list[Json]:
    """The pairings of the last round without a result, each as a result to be sent."""
    last = group["rounds"][-1]
    return [
        {"group": group["id"], "round": last["number"], "table": each["table"], "game": len(each["games"]) + 1}
        for each in last["pairings"]
        if each["result"] is None
    ]


def play_out(by: Person, cup: str, group: str, winner: int = 1) -> Json:
    """Every table of the group won by the same seat, round after round, until it is over."""
    while not (told := group_of(by, cup, group))["complete"]:
        for table in open_tables(told):
            by.post(f"{PATH}/{cup}/results", {**table, "winner": winner})
        if group in by.get(f"{PATH}/{cup}")["ready"]["groups"]:
            by.post(f"{PATH}/{cup}/rounds", {"group": group})
    return told


def cards_of(by: Person, cup: str) -> Json:
    """Who has which card, by name."""
    printed = by.post(f"{PATH}/{cup}/cards", {})
    return {card["name"]: card for card in printed["cards"]}
