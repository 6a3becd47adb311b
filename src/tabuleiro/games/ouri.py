"""Ouri (Portuguese championship and Cape Verde rules) and Oware abapa: sow seeds, capture twos and threes.

Move: the house, 0..5 = a..f (South), 6..11 = A..F (North).
Encoding: the twelve houses in that order, South's store, North's store, turn.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    EMPTY,
    WHO_MOVES,
    Card,
    HistoryRules,
    InvalidPositionError,
    Move,
    OptionError,
    Options,
    Outcome,
    Part,
    Piece,
    Player,
    Position,
    Symmetry,
    option,
    read_choice,
    require_fields,
    shorten,
)
from tabuleiro.geometry import Cell, Geometry, permute, pits
from tabuleiro.language import Text

SEEDS = 48
MAJORITY = 25
STORES = {Player.ONE: 12, Player.TWO: 13}
ROWS = {Player.ONE: range(6), Player.TWO: range(6, 12)}


@cache
def _sown(house: int, seeds: int) -> tuple[int, ...]:
    """Where the seeds of a house fall, one after the other: the house left is skipped on every lap."""
    others = [(house + step) % 12 for step in range(1, 12)]
    return tuple(others[seed % 11] for seed in range(seeds))


@cache
def _seeds(count: int) -> Piece:
    return Piece(str(count), "seeds", count=count)


@dataclass(frozen=True)
class OuriOptions(Options):
    rules: str = option(
        "ouri",
        "oware",
        names={
            "ouri": Text("as do campeonato português", "those of the Portuguese championship"),
            "oware": Text("as do oware abapa", "those of oware abapa"),
        },
        official=True,
        help=Text("regras", "rules"),
    )
    feed_overrides_singles: bool = option(
        False,
        True,
        help=Text(
            "uma casa com uma só semente pode jogar-se, se for a única que dá sementes ao adversário",
            "a house of one seed may be played if it is the only one that gives the opponent seeds",
        ),
    )
    cycle_threshold: int | None = option(
        3,
        2,
        None,
        names={
            "3": Text("terceira", "third"),
            "2": Text("segunda", "second"),
            "off": Text("não acaba", "it does not end"),
        },
        help=Text(
            "a partida acaba quando a posição aparece pela … vez",
            "the game ends when the position comes up for the … time",
        ),
    )
    cycle_collect: str = option(
        "none",
        "owners",
        names={
            "none": Text("de ninguém", "nobody's"),
            "owners": Text("de quem as tem nas suas casas", "those of whoever has them in their houses"),
        },
        official=True,
        help=Text("num ciclo, as sementes do tabuleiro são", "after a cycle, the seeds on the board are"),
    )
    no_capture_limit: int | None = option(
        None,
        numbers=range(1, 10_001),
        help=Text("limite de jogadas sem capturas", "limit of moves without a capture"),
    )

    def check(self) -> None:
        if self.rules == "oware" and self.feed_overrides_singles:
            raise OptionError(
                Text(
                    "feed_overrides_singles não faz sentido com rules=oware: aí não há regra das casas com uma semente",
                    "feed_overrides_singles makes no sense with rules=oware, which has no rule about singles",
                )
            )
        if self.cycle_collect == "owners" and self.cycle_threshold is None and self.no_capture_limit is None:
            raise OptionError(
                Text(
                    "cycle_collect=owners não faz sentido sem cycle_threshold nem no_capture_limit",
                    "cycle_collect=owners makes no sense without cycle_threshold or no_capture_limit",
                )
            )


@dataclass(frozen=True)
class Ouri(Position):
    options: OuriOptions
    houses: tuple[int, ...]
    stores: tuple[int, int]

    id: ClassVar[str] = "ouri"
    name: ClassVar[Text] = Text("Ouri", "Ouri")
    summary: ClassVar[Text] = Text(
        "Recolhe mais sementes do que o adversário: 25 chegam.", "Collect more seeds than the opponent: 25 are enough."
    )
    cycles: ClassVar[tuple[str, ...]] = ("1", "2", "3")
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro com 14 buracos e 48 sementes, ou outras coisas pequenas (avelãs, pedrinhas)",
            "a board with 14 holes and 48 seeds, or other small things (hazelnuts, pebbles)",
        ),
        origin=Text(
            "jogo tradicional africano, da família dos mancalas, muito jogado em Cabo Verde",
            "a traditional African game of the mancala family, much played in Cape Verde",
        ),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca numa das tuas seis casas: as sementes semeiam-se uma a uma nas casas seguintes, sempre à volta.",
            "Touch one of your six houses: its seeds are sown one by one into the houses that follow, round and round.",
        ),
        Text(
            "Se a última cair numa casa do adversário que fique com 2 ou 3 sementes, são tuas.",
            "If the last one falls into a house of the opponent that then holds 2 or 3 seeds, they are yours.",
        ),
    )
    options_type: ClassVar[type[Options]] = OuriOptions
    encoding: ClassVar[tuple[Part, ...]] = (Part("numbers", most=SEEDS), Part("turn"))
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-fA-F]")
    move_help: ClassVar[Text] = Text(
        "escreve a letra de uma casa: a-f (Sul) ou A-F (Norte)",
        "write the letter of a house: a-f (South) or A-F (North)",
    )
    case_matters: ClassVar[bool] = True

    @classmethod
    def start(cls, options: Any = None) -> Self:
        return cls(Player.ONE, cls.default_options(options), (4,) * 12, (0, 0))

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 3, str(cls.start(options)))
        if not re.fullmatch(r"\d{1,2}(,\d{1,2}){5}/\d{1,2}(,\d{1,2}){5}", fields[0], re.ASCII):
            shown = shorten(fields[0])
            raise InvalidPositionError(
                Text(
                    f"«{shown}» não são duas filas de seis casas, como 4,4,4,4,4,4/4,4,4,4,4,4",
                    f"“{shown}” is not two rows of six houses, such as 4,4,4,4,4,4/4,4,4,4,4,4",
                )
            )
        if not re.fullmatch(r"\d{1,2}-\d{1,2}", fields[1], re.ASCII):
            shown = shorten(fields[1])
            raise InvalidPositionError(
                Text(f"«{shown}» não são os dois depósitos, como 0-0", f"“{shown}” is not the two stores, such as 0-0")
            )
        houses = tuple(int(number) for number in re.split("[,/]", fields[0]))
        south, north = (int(number) for number in fields[1].split("-"))
        turn = read_choice(fields[2], {"S": Player.ONE, "N": Player.TWO}, WHO_MOVES)
        total = sum(houses) + south + north
        if total != SEEDS:
            raise InvalidPositionError(
                Text(f"há {total} sementes em vez de {SEEDS}", f"there are {total} seeds instead of {SEEDS}")
            )
        return cls(turn, options, houses, (south, north))

    @classmethod
    def setup_pieces(cls) -> tuple[Piece, ...]:
        return (Piece("1", "seeds"),)

    def setup_values(self) -> tuple[str, ...]:
        return (str(self).split()[-1],)

    @classmethod
    def from_setup(cls, cells: Sequence[str], values: Sequence[str], options: Any = None) -> Self:
        counts = ["0" if cell == EMPTY else cell for cell in cells]
        rows = "/".join(",".join(counts[house] for house in row) for row in ROWS.values())
        return cls.from_str(" ".join((rows, "-".join(counts[store] for store in STORES.values()), *values)), options)

    def _row(self, player: Player) -> int:
        """The seeds in a player's houses."""
        return sum(self.houses[house] for house in ROWS[player])

    def outcome(self) -> Outcome | None:
        if max(self.stores) >= MAJORITY:
            return self._by_seeds(*self.stores, "majority")
        if self._playable:
            return None
        # A player who cannot give seeds to an opponent without any collects what is left: it all lies in that player's
        # own houses.
        return self._collected("cannot_feed")

    def _with_rows(self) -> tuple[int, int]:
        return (self.stores[0] + self._row(Player.ONE), self.stores[1] + self._row(Player.TWO))

    @staticmethod
    def _by_seeds(south: int, north: int, reason: str) -> Outcome:
        winner = None if south == north else Player.ONE if south > north else Player.TWO
        stores = tuple(STORES.values()) if winner is None else (STORES[winner],)
        return Outcome(winner, reason, (south, north), cells=stores)

    def _collected(self, reason: str) -> Outcome:
        """The outcome when both players collect what lies in their houses."""
        motions = [(house, STORES[player]) for player in Player for house in ROWS[player] if self.houses[house]]
        return replace(self._by_seeds(*self._with_rows(), reason), motions=tuple(motions))

    @cached_property
    def _playable(self) -> list[int]:
        filled = [house for house in ROWS[self.turn] if self.houses[house]]
        allowed = filled
        if self.options.rules == "ouri" and any(self.houses[house] > 1 for house in filled):
            # A house with a single seed may not be played while one with more could be.
            allowed = [house for house in filled if self.houses[house] > 1]
        if self._row(self.turn.other):
            return allowed
        feeding = [house for house in allowed if self._feeds(house)]
        if not feeding and self.options.feed_overrides_singles:
            feeding = [house for house in filled if self._feeds(house)]
        return feeding

    def _feeds(self, house: int) -> bool:
        """Whether sowing from a house drops a seed on the other side."""
        return house % 6 + self.houses[house] >= 6

    def _moves(self) -> Iterable[Move]:
        return self._playable

    def _after(self, move: Move) -> Self:
        houses, _, taken = self._sow(move)
        for house in taken:
            houses[house] = 0
        stores = list(self.stores)
        stores[self.turn - 1] += sum(taken.values())
        emptied = bool(taken) and not any(houses[house] for house in ROWS[self.turn.other])
        # Taking everything obliges to move again, to feed. (In oware a move never takes everything.)
        turn = self.turn if emptied else self.turn.other
        return type(self)(turn, self.options, tuple(houses), (stores[0], stores[1]))

    def _sow(self, move: Move) -> tuple[list[int], tuple[int, ...], dict[int, int]]:
        """The houses after sowing, where each seed fell in order, and what each captured house holds."""
        houses = list(self.houses)
        houses[move] = 0
        sown = _sown(move, self.houses[move])
        for house in sown:
            houses[house] += 1
        # Twos and threes are captured from the last house sown backwards, within the opponent's row.
        row = ROWS[self.turn.other]
        taken: dict[int, int] = {}
        last = sown[-1]
        while last in row and houses[last] in (2, 3):
            taken[last] = houses[last]
            last -= 1
        if self.options.rules == "oware" and sum(taken.values()) == sum(houses[house] for house in row):
            taken = {}
        return houses, sown, taken

    def encode(self) -> tuple[int, ...]:
        return (*self.houses, *self.stores, self.turn)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        *houses, south, north, turn = values
        return cls(Player(turn), cls.default_options(options), tuple(houses), (south, north))

    def __str__(self) -> str:
        rows = "/".join(",".join(str(self.houses[house]) for house in row) for row in ROWS.values())
        return f"{rows} {self.stores[0]}-{self.stores[1]} {'S' if self.turn is Player.ONE else 'N'}"

    def _move_str(self, move: Move) -> str:
        return self.geometry.names[move]

    @property
    def geometry(self) -> Geometry:
        return pits()

    def pieces(self) -> dict[Cell, Piece]:
        counts = (*self.houses, *self.stores)
        return {cell: _seeds(count) for cell, count in enumerate(counts) if count}

    def _cells_written(self, typed: str) -> tuple[Cell, ...]:
        return (self.geometry.index[typed],)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        house = cells[0]
        name = self.geometry.names[house]
        if house in STORES.values():
            return Text(
                "isso é um depósito: joga-se uma das tuas seis casas", "that is a store: play one of your six houses"
            )
        if house not in ROWS[self.turn]:
            owner, mover = self.side(self.turn.other), self.side(self.turn)
            return Text(
                f"a casa {name} é {owner.of.pt}, e agora joga {mover.the.pt}",
                f"the house {name} is {owner.of.en}, and it is {mover.of.en} turn",
            )
        if not self.houses[house]:
            return Text(f"a casa {name} está vazia", f"the house {name} is empty")
        if not self._row(self.turn.other) and not self._feeds(house):
            return Text(
                "o adversário não tem sementes: tens de jogar uma casa que lhe dê alguma",
                "the opponent has no seeds: you must play a house that gives some",
            )
        return Text(
            f"a casa {name} tem uma só semente: só se joga quando nenhuma das tuas casas tem mais do que uma",
            f"the house {name} has a single seed: it is played only when none of your houses has more than one",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return (move,)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        """Seed by seed, then the captured houses into the store, the last one sown first."""
        _, sown, taken = self._sow(move)
        return (*((move, house) for house in sown), *((house, STORES[self.turn]) for house in taken))

    def move_looks(self) -> Sequence[Hashable]:
        return [(move, self.houses[move], *self._sow(move)[2]) for move in self._legal]

    def prompt(self) -> Text | None:
        if self.outcome() is not None or self._row(self.turn.other):
            return None
        return Text(
            "o adversário não tem sementes: tens de lhe dar alguma", "the opponent has no seeds: you must give some"
        )

    def colour(self, player: Player) -> str:
        return "south" if player is Player.ONE else "north"

    def score(self) -> tuple[int, int]:
        return self.stores

    def score_text(self, points: tuple[int, int] | None = None) -> Text:
        south, north = points or self.stores
        return Text(
            f"Sementes recolhidas: Sul {south}, Norte {north}", f"Seeds collected: South {south}, North {north}"
        )

    @property
    def can_draw(self) -> bool:
        return True

    def symmetries(self) -> tuple[Symmetry, ...]:
        return (Symmetry(self.geometry.symmetries["half_turn"], exchanges_players=True),)

    def transform(self, symmetry: Symmetry) -> Self:
        *houses, south, north = permute((*self.houses, *self.stores), symmetry.cells)
        return type(self)(self.turn.other, self.options, tuple(houses), (south, north))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return symmetry.cells[move]

    def history_rules(self) -> HistoryRules:
        return HistoryRules(
            repetition=self.options.cycle_threshold,
            repetition_reason="cycle",
            stale_plies=self.options.no_capture_limit,
            stale_reason="no_capture",
            agreement_occurrence=2,
        )

    def repetition_key(self) -> Hashable:
        return (self.houses, self.turn)

    def is_progress(self, move: Move) -> bool:
        return self._after(move).stores != self.stores

    def settle(self, reason: str) -> Outcome:
        """After a cycle, also one that the players agree to end, the stores decide.

        The seeds on the board count for nobody, or by option for their owners.
        """
        if self.options.cycle_collect == "owners":
            return self._collected(reason)
        return self._by_seeds(*self.stores, reason)
