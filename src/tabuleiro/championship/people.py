"""Names of persons: one table, apart from the events, from which a person can be erased."""

from collections.abc import Mapping
from dataclasses import dataclass

from tabuleiro.championship.events import Json, Person
from tabuleiro.language import Text

ERASED = Text("jogador apagado", "erased player")


@dataclass(frozen=True)
class Details:
    """What is kept of a person besides a number."""

    name: str
    #: Such as 7.º B; tells two pupils of the same name and school apart.
    school_class: str = ""
    #: Keys of `edition.ARRANGEMENTS`; for arbiters only.
    arrangements: tuple[str, ...] = ()
    #: The random key by which a server knows the person, and by which it erases them again; nothing without one.
    key: str = ""

    def as_json(self) -> Json:
        data: Json = {"name": self.name, "class": self.school_class, "arrangements": list(self.arrangements)}
        return {**data, "key": self.key} if self.key else data

    @classmethod
    def from_json(cls, data: Json) -> "Details":
        return cls(data["name"], data["class"], tuple(data["arrangements"]), data.get("key", ""))


People = Mapping[Person, Details]


def with_fixed_table(people: People) -> set[Person]:
    return {person for person, details in people.items() if "fixed_table" in details.arrangements}
