"""A game session: a game between two seats, as the numbered events that made it.

The events are the truth. `apply` turns them into a state, one after the other, and `decide_…` says which event a
person's wish would be, or refuses it. Nothing here waits, writes or looks at the time by itself.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from math import ceil
from typing import ClassVar, Literal, NamedTuple, Self

from tabuleiro.core import GAME_OVER, Move, Outcome, Player, Position
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.record import Game, Line, Node
from tabuleiro.server import live
from tabuleiro.server.clock import FREE_PLIES, Clock, ClockRule, Pause
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.ids import new_id
from tabuleiro.server.log import Decision, Event, Guest, Json, Stream
from tabuleiro.server.moves import find_move

#: The most cells that anybody touches to ask why a move cannot be made.
MAX_TOUCHED = 20
#: The moves of the longest session; then it ends, in a draw. No game of people comes near, and rules that look back end
#: most that go round in circles. Those stored before, which may be longer, stay readable.
LONGEST = 2000

#: The seconds after which a computer player that has not moved is asked again, by any process.
ENGINE_PATIENCE = 30.0
#: The seconds for which the player to move must be away before the other may claim the win.
CLAIM_AFTER = 120.0


#: Positions in which games begin that are kept: nearly all begin in a few.
MAX_STARTS = 64

_PLAYERS = {1: Player.ONE, 2: Player.TWO}


@lru_cache(MAX_STARTS)
def _start(line: Line) -> Position:
    """Where games begin: the same position for all of them, with what was worked out about it."""
    return line.replay().start


@dataclass
class Seat:
    kind: Literal["guest", "engine", "open"]
    guest: Guest | None = None
    level: int | None = None

    def as_json(self) -> Json:
        return {"kind": self.kind, "guest": self.guest, "level": self.level}


class House(NamedTuple):
    """The rules of the house in which a session is played: what a class allows."""

    takebacks: bool
    hints: bool


class Series(NamedTuple):
    """Games that are counted together: who has more than half of the points first, or most at the end."""

    best_of: int
    #: Games before this one.
    played: int = 0
    #: Points of players ONE and TWO in them: 1 for a win, a half for a draw.
    points: tuple[float, float] = (0.0, 0.0)

    def after(self, winner: Player | None) -> "Series":
        """The series after this game, as its players are numbered in it."""
        one, two = (0.5 if winner is None else float(winner is player) for player in Player)
        return Series(self.best_of, self.played + 1, (self.points[0] + one, self.points[1] + two))

    @property
    def is_decided(self) -> bool:
        return max(self.points) > self.best_of / 2 or self.played >= self.best_of

    def next(self) -> "Series":
        """As the next game begins, with sides exchanged; what was decided begins anew."""
        points = (0.0, 0.0) if self.is_decided else (self.points[1], self.points[0])
        return Series(self.best_of, 0 if self.is_decided else self.played, points)


@dataclass(frozen=True)
class SessionSettings:
    """What is settled when a session begins."""

    game: str
    options: dict[str, str]
    #: A position string, or None for the standard start.
    position: str | None
    clock: ClockRule | None
    #: Of players ONE and TWO.
    seats: tuple[Seat, Seat]
    #: Nothing is taken back and no hints are given.
    moves_stand: bool = False
    #: What a class allows besides; None: everything.
    house: House | None = None
    #: The championship of which it is a game: arbiters rule on who is away, and there is no rematch.
    championship: str | None = None
    #: What it is a game of, if it does not stand alone.
    series: Series | None = None
    #: A coach stands beside whoever plays: asks before something is thrown away, helps in steps. It counts for nobody.
    coach: bool = False

    def as_json(self) -> Json:
        return {
            "game": self.game,
            "options": self.options,
            "position": self.position,
            "clock": None if self.clock is None else self.clock.as_json(),
            "seats": [seat.as_json() for seat in self.seats],
            "moves_stand": self.moves_stand,
            **({} if self.house is None else {"house": self.house._asdict()}),
            **({} if self.championship is None else {"championship": self.championship}),
            **({} if self.series is None else {"series": self.series._asdict()}),
            **({"coach": True} if self.coach else {}),
        }

    @classmethod
    def from_json(cls, data: Json) -> "SessionSettings":
        one, two = (Seat(**seat) for seat in data["seats"])
        clock = None if data["clock"] is None else ClockRule(**data["clock"])
        # Sessions stored before this could be chosen do not say it.
        moves_stand = data.get("moves_stand", False)
        house = House(**data["house"]) if "house" in data else None
        seats, championship, series = (one, two), data.get("championship"), None
        if "series" in data:
            told = data["series"]
            series = Series(told["best_of"], told["played"], (told["points"][0], told["points"][1]))
        return cls(
            data["game"],
            data["options"],
            data["position"],
            clock,
            seats,
            moves_stand,
            house,
            championship,
            series,
            data.get("coach", False),
        )

    def new_game(self) -> Game:
        return Game(_start(Line.from_texts(self.game, self.options, self.position)))


@dataclass
class GameSession(Stream):
    kind: ClassVar[str] = "session"

    id: str
    settings: SessionSettings
    created: float
    number: int = 0
    rematch: str | None = None
    #: Who asked for what and waits for an answer.
    offers: dict[str, Player | None] = field(default_factory=lambda: {"draw": None, "takeback": None})

    def __post_init__(self) -> None:
        self._game = self.settings.new_game()
        #: The same as the kernels hold it, where they can.
        self.live = live.begin(self._game.position)
        #: The moves that were made there alone, with what the mover's clock said then.
        self._unplayed: list[tuple[Move, Decimal | None]] = []
        self.seats = {player: Seat(**seat.as_json()) for player, seat in zip(Player, self.settings.seats, strict=True)}
        self.clock = None if self.settings.clock is None else Clock.new(self.settings.clock)
        #: Since when players are away who have a seat; it is not stored, a new server counts anew.
        self.away: dict[Player, float] = {}
        #: Every move made, as people write it, with who made it.
        self.history: list[Json] = []
        #: Whether a move was taken back or a hint given, or may be said to be at every move.
        self.was_helped = self.settings.coach
        self._seat_down()
        self._look()

    def _seat_down(self) -> None:
        """Note who sits where, which is asked many times at every move."""
        self._members = {int(player): seat.guest for player, seat in self.seats.items() if seat.guest is not None}
        #: The seats of each guest.
        self._seats: dict[Guest | None, list[Player]] = {}
        for player, guest in self._members.items():
            self._seats.setdefault(guest, []).append(Player(player))
        #: Who was there when that was last noted.
        self._present: Collection[int] | None = None
        #: Changes with who sits where.
        self.seated: int = getattr(self, "seated", 0) + 1
        self._seats_json = [seat.as_json() for seat in self.seats.values()]
        self._has_engine = any(seat.kind == "engine" for seat in self.seats.values())
        self._is_open = any(seat.kind == "open" for seat in self.seats.values())

    def _look(self) -> None:
        """Note how things stand, which is asked many times until something happens."""
        if self.live is None or (not self._unplayed and self._game.outcome is not None):
            position = self.game.position
            self.turn: Player = position.turn
            self.outcome: Outcome | None = self.game.outcome
            self.colours: list[str | None] = [position.colour(Player.ONE), position.colour(Player.TWO)]
            #: Whether those who look at it now must not all see the same. Where it is so, or was before the last event,
            #: what somebody sees of earlier moves may change too.
            self.hides: bool = position.seen_by(None) is not position
        else:
            turn, has_ended, self.colours = self.live.look()
            self.turn = _PLAYERS[turn]
            self.outcome = self.live.outcome(self._unplayed[-1][0]) if has_ended else None
            self.hides = False
        self.status: Literal["waiting", "playing", "over"] = (
            "over" if self.outcome is not None else "waiting" if self._is_open else "playing"
        )

    @property
    def game(self) -> Game:
        """The game with all its positions, which are worked out when somebody asks."""
        for move, clock in self._unplayed:
            node = self._game.play(move)
            node.clock = clock
            if node.parent is not None and (before := node.parent.parent) is not None:
                before.position.forget()  # a thousand games are long, and looked at where they stand
        self._unplayed.clear()
        return self._game

    @property
    def last(self) -> Node:
        return self.game.last

    @classmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        return cls(stream_id, SessionSettings.from_json(settings), created)

    def settings_json(self) -> Json:
        return self.settings.as_json()

    # -- what is so -------------------------------------------------------------------------------------------------

    @property
    def series(self) -> Series | None:
        """How the series stands, this game included once it is over."""
        begun, outcome = self.settings.series, self.outcome
        return begun if begun is None or outcome is None else begun.after(outcome.winner)

    def members(self) -> dict[int, Guest]:
        return self._members

    # -- who may know what ------------------------------------------------------------------------------------------

    def viewer(self, guest: Guest | None) -> Player | None:
        """As whom somebody looks at it: as the player they are. Who is none sees what everybody may, and so does who
        plays for both, at a screen that both look at. None wherever nothing is hidden: one view serves all."""
        mine = self.seats_of(guest) if self.hides else []
        return mine[0] if len(mine) == 1 else None

    def history_seen_by(self, viewer: Player | None) -> list[Json]:
        """Every move made, with who made it; those that are not to be known yet are HIDDEN."""
        if not self.hides:
            return self.history
        texts = self.game.moves_seen_by(viewer)
        return [{**entry, "text": text} for entry, text in zip(self.history, texts, strict=True)]

    def line(self) -> Line:
        """The game so far, as an engine is asked about it: what the player to move may know."""
        if self.hides:
            return Line.of(self.game.seen_by(self.turn))
        moves = (entry["text"] for entry in self.history)
        return Line.from_texts(self.settings.game, self.settings.options, self.settings.position, moves)

    def seats_of(self, guest: Guest | None) -> list[Player]:
        return self._seats.get(guest, [])

    @property
    def engine_level(self) -> int | None:
        """The level of the computer player whose turn it is, if it is one's."""
        if not self._has_engine or self.status != "playing":
            return None
        return self.seats[self.turn].level

    def note_presence(self, present: Collection[int], now: float) -> None:
        """Who is there now: others with a seat have gone, unless they had before."""
        if present is self._present:
            return
        self._present = present
        for player, seat in self.seats.items():
            if player in present or seat.kind != "guest":
                self.away.pop(player, None)
            else:
                self.away.setdefault(player, now)

    def claim_in(self, now: float) -> float | None:
        """The seconds until the win may be claimed from the player to move, who is away; None if nobody is to claim."""
        if self.status != "playing" or self.turn not in self.away or len(set(self.members().values())) < 2:
            return None
        if self.settings.championship is not None:
            return None
        return max(0.0, self.away[self.turn] + CLAIM_AFTER - now)

    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        """When somebody must look after this session although nobody touches it: a flag falls, an engine must move."""
        due = None if self.clock is None else self.clock.flag_falls(now, pauses)
        if self._has_engine and self.engine_level is not None:
            due = now + ENGINE_PATIENCE if due is None else min(due, now + ENGINE_PATIENCE)
        return now if len(self.history) >= LONGEST and self._is_too_long else due

    def summary(self) -> Json:
        """The line of this session in somebody's list."""
        outcome = self.outcome
        return {
            "game": self.settings.game,
            "status": self.status,
            "turn": self.turn,
            "plies": len(self.history),
            "seats": self._seats_json,
            "colours": self.colours,
            "outcome": None
            if outcome is None
            else {"winner": outcome.winner, "reason": outcome.reason, "score": outcome.score},
        }

    def let_go(self) -> None:
        """Undo the rings in which the nodes of the game hold each other, so that their memory is free at once."""
        for node in [*self._game.root.line()]:
            node.children.clear()
            node.parent = None

    # -- what happened ----------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        assert event.number == self.number + 1, f"event {event.number} after {self.number}"
        data = event.data
        if event.kind == "move":
            mover, text = self.turn, data["move"]
            clock = round(Decimal(max(0.0, data["left"][mover - 1])), 2) if "left" in data else None
            self._make(text, clock)
            self.history.append({"ply": len(self.history) + 1, "text": text, "player": int(mover)})
            self._end_offers()
        elif event.kind == "takeback":
            taken_back = len(self.history) - data["ply"]
            game = self.game
            for _ in range(taken_back):
                game.undo()
            if self.live is not None:
                self.live.take_back(taken_back)
            del self.history[data["ply"] :]
            self.was_helped = True
            self._end_offers()
        elif event.kind == "offer":
            self.offers[data["what"]] = Player(data["player"])
        elif event.kind == "decline":
            self.offers[data["what"]] = None
        elif event.kind == "join":
            self.seats[Player(data["seat"])] = Seat("guest", data["guest"])
            self._seat_down()
        elif event.kind == "reseat":
            for seat in self.seats.values():
                if seat.guest == data["was"]:
                    seat.guest = data["guest"]
            self._seat_down()
        elif event.kind == "rematch":
            self.rematch = data["session"]
        elif event.kind == "hint":
            self.was_helped = True
        else:
            assert event.kind in ENDS, event.kind
            winner = Player(data["player"]).other if "player" in data else None
            # Draws stored before agreements were settled by the rules of the game stay draws.
            draw = event.kind == "draw" and self.last.why_no_agreement() is not None
            self.game.end(winner, ENDS[event.kind], recorded=draw)
        self._look()
        if self.outcome is not None:
            self._end_offers()
        if self.clock is not None:
            runs = self.status == "playing" and len(self.history) >= FREE_PLIES
            left = data.get("left", self.clock.left)
            self.clock = self.clock.set((left[0], left[1]), self.turn if runs else None, event.at)
        self.number = event.number

    def _make(self, text: str, clock: Decimal | None) -> None:
        """Make a move that is legal."""
        if self.live is None:
            move = find_move(self.last.position, text)
        else:
            made = self.live.make(text)
            if made is None:
                made = self.live.read(text)[0]
                self.live.play(made)
            move = made
        self._unplayed.append((move, clock))

    def _end_offers(self) -> None:
        self.offers["draw"] = self.offers["takeback"] = None

    def event(self, decision: Decision, now: float, pauses: Sequence[Pause]) -> Event:
        """The next event of this session, with what it does to the clocks."""
        data = decision.data
        if self.clock is not None:
            data = {**data, "left": self.clock.after(now, pauses, decision.kind, self.turn)}
        return Event(self.number + 1, decision.kind, data, now)

    # -- what may happen --------------------------------------------------------------------------------------------

    def decide_move(self, guest: Guest | None, ply: int, text: str) -> Decision:
        if self.status != "playing" or ply != len(self.history) or self.turn not in self._seats.get(guest, ()):
            # Why, in this order.
            self._require_seat(guest)
            self._require_going_on()
            self._require_fresh(ply)
            self._require_turn(guest)
        return self._move(text)

    def decide_engine_move(self, ply: int, text: str) -> Decision:
        self._require_going_on()
        self._require_fresh(ply)
        return self._move(text)

    def _move(self, text: str) -> Decision:
        if self.live is None:
            position = self.last.position
            written = position.move_str(find_move(position, text))
        else:
            # What was found was told, so it is written as it was told.
            written = text if self.live.find(text) is not None else self.live.read(text)[1]
        return Decision("move", {"move": written})

    def decide_join(self, guest: Guest) -> Decision | None:
        """Take the free seat; None for who sits already."""
        if self.seats_of(guest):
            return None
        for player, seat in self.seats.items():
            if seat.kind == "open" and self.outcome is None:
                return Decision("join", {"seat": int(player), "guest": guest})
        raise RefusedError("no_free_seat", Text("já não há lugar nesta partida", "no seat is free in this game"), 409)

    def decide_reseat(self, was: Guest, guest: Guest) -> Decision | None:
        """A guest who played without a card has one now: their seats are the person's; None where they have none."""
        return Decision("reseat", {"was": was, "guest": guest}) if self.seats_of(was) else None

    def decide_resign(self, guest: Guest | None) -> Decision:
        mine = self._require_seat(guest)
        self._require_going_on()
        return Decision("resign", {"player": int(self.turn if self.turn in mine else mine[0])})

    def decide_claim(self, guest: Guest | None, now: float) -> Decision:
        """The win over an opponent who has left."""
        mine = self._require_seat(guest)
        self._require_going_on()
        wait = self.claim_in(now)
        if wait is None or self.turn in mine:
            raise RefusedError(
                "nothing_to_claim",
                Text("o adversário está cá ou é a tua vez", "the opponent is here or you are to move"),
                409,
            )
        if wait > 0:
            seconds = ceil(wait)
            raise RefusedError(
                "too_early",
                Text(
                    f"espera mais {seconds} s: o adversário pode voltar",
                    f"wait {seconds} s more: the opponent may come back",
                ),
                409,
            )
        return Decision("claim", {"player": int(self.turn)})

    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        """The end by time, if a flag has fallen, and that of a game that has no end."""
        if len(self.history) >= LONGEST and self._is_too_long:
            return Decision("too_long", {})
        if self.clock is None or self.clock.running is None or self.outcome is not None:
            return None
        fallen = self.clock.left_at(now, pauses)[self.clock.running - 1] <= 0
        return Decision("timeout", {"player": int(self.clock.running)}) if fallen else None

    @property
    def _is_too_long(self) -> bool:
        # A game that cannot be drawn comes to its end by itself.
        return len(self.history) >= LONGEST and self.outcome is None and self.last.position.can_draw

    def decide_offer_draw(self, guest: Guest | None) -> Decision:
        mine = self._require_seat(guest)
        self._require_going_on()
        if (refusal := self.last.why_no_agreement()) is not None:
            raise RefusedError("no_draws" if not self.last.position.can_draw else "no_agreement", refusal, 409)
        if len(mine) == 2:
            return Decision("draw", {})
        self._require_person(mine[0].other, Text("o computador não aceita empates", "the computer agrees to no draws"))
        if self.offers["draw"] is mine[0].other:
            return Decision("draw", {})
        if self.offers["draw"] is mine[0]:
            raise RefusedError(
                "asked_already", Text("já fizeste essa proposta", "you have made that offer already"), 409
            )
        return Decision("offer", {"what": "draw", "player": int(mine[0])})

    def decide_ask_takeback(self, guest: Guest | None) -> Decision:
        mine = self._require_seat(guest)
        self._require_going_on()
        self._require_second_thoughts()
        if self.settings.house is not None and not self.settings.house.takebacks:
            raise RefusedError(
                "house_rules", Text("nesta turma não se volta atrás", "this class allows no take-backs"), 403
            )
        if len(mine) == 2:
            return self._takeback(mine)
        if self.seats[mine[0].other].kind == "engine":
            return self._takeback(mine)
        self._takeback(mine)  # refuses where there is nothing to take back
        if self.offers["takeback"] is mine[0]:
            raise RefusedError("asked_already", Text("já pediste para voltar atrás", "you have asked already"), 409)
        return Decision("offer", {"what": "takeback", "player": int(mine[0])})

    def decide_accept(self, guest: Guest | None, what: Literal["draw", "takeback"]) -> Decision:
        self._require_offer(guest, what)
        if what == "draw":
            return Decision("draw", {})
        asker = self.offers["takeback"]
        assert asker is not None
        return self._takeback([asker])

    def decide_decline(self, guest: Guest | None, what: Literal["draw", "takeback"]) -> Decision:
        player = self._require_offer(guest, what)
        return Decision("decline", {"what": what, "player": int(player)})

    def decide_rematch(self, guest: Guest | None, new_id: str) -> Decision:
        self._require_seat(guest)
        if self.outcome is None:
            raise RefusedError("not_over", Text("a partida ainda não acabou", "the game is not over yet"), 409)
        if self.settings.championship is not None:
            raise RefusedError(
                "championship",
                Text("num campeonato não há desforras", "there are no rematches in a championship"),
                409,
            )
        if self.rematch is not None:
            raise RefusedError("rematch_exists", Text("a desforra já começou", "the rematch has begun already"), 409)
        return Decision("rematch", {"session": new_id})

    def successors(self, event: Event) -> "Sequence[GameSession]":
        """The rematch."""
        if event.kind != "rematch":
            return ()
        return (GameSession(event.data["session"], self.rematch_settings(), event.at),)

    def rematch_settings(self) -> SessionSettings:
        """The same game with sides exchanged; the next one of a series."""
        series = None if self.series is None else self.series.next()
        return replace(self.settings, seats=(self.seats[Player.TWO], self.seats[Player.ONE]), series=series)

    def why_not(self, guest: Guest | None, tried: str | Sequence[Cell]) -> Text | None:
        """Why a guest cannot make a move now, by the state of the session or by the rules; None if it can be made."""
        try:
            self._require_seat(guest)
            self._require_going_on()
            self._require_turn(guest)
        except RefusedError as refusal:
            return refusal.text
        return self.last.why_not(tried)

    def require_player(self, guest: Guest | None) -> Player:
        """The side of somebody who plays: the one to move of two at one screen."""
        mine = self._require_seat(guest)
        return self.turn if self.turn in mine else mine[0]

    def gives_hints(self, player: Player) -> bool:
        """Whether a player may be told what to think of: not in a game between two people, nor where moves stand or the
        house gives no hints."""
        against, house = self.seats[player.other], self.settings.house
        if self.settings.moves_stand or (house is not None and not house.hints):
            return False
        return against.kind != "guest" or against.guest == self.seats[player].guest

    def require_hint(self, guest: Guest | None) -> None:
        """Refuse a hint where none is given: only on one's own turn, and not against another person."""
        mine = self._require_seat(guest)
        self._require_going_on()
        self._require_second_thoughts()
        if self.settings.house is not None and not self.settings.house.hints:
            raise RefusedError("house_rules", Text("nesta turma não há ajudas", "this class allows no hints"), 403)
        self._require_turn(guest)
        if len(mine) == 1 and self.seats[mine[0].other].kind == "guest":
            raise RefusedError(
                "no_hints", Text("contra outra pessoa não há ajudas", "there are no hints against another person"), 409
            )

    def require_coach(self, guest: Guest | None, ply: int | None) -> Node:
        """Where a guest whom the coach helps is to move; `ply`: how many moves they have seen."""
        if not self.settings.coach:
            raise RefusedError("no_coach", Text("nesta partida não há treinador", "this game has no coach"), 409)
        self.require_hint(guest)
        if ply is not None:
            self._require_fresh(ply)
        return self.last

    def decide_hint(self, guest: Guest | None, number: int) -> Decision:
        """A hint that was thought about since the event of that number is given."""
        if self.number != number:
            raise RefusedError("stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409)
        return Decision("hint", {"player": int(self.require_player(guest))})

    def require_erasable(self, guest: Guest | None) -> None:
        """A session belongs to those who sit in it; one that goes on with another person must be ended first."""
        mine = self._require_seat(guest)
        others = [seat for player, seat in self.seats.items() if player not in mine and seat.kind == "guest"]
        if others and self.status == "playing":
            raise RefusedError(
                "not_over",
                Text("a partida ainda não acabou; desiste primeiro", "the game is not over; resign first"),
                409,
            )

    def _takeback(self, players: list[Player]) -> Decision:
        """Back to the last earlier position in which one of these players was to move."""
        for entry in reversed(self.history):
            if entry["player"] in players:
                self._require_still_open(entry["ply"] - 1)
                return Decision("takeback", {"ply": entry["ply"] - 1})
        raise RefusedError(
            "nothing_to_take_back", Text("não há nenhuma jogada para desfazer", "there is no move to take back"), 409
        )

    def _require_still_open(self, ply: int) -> None:
        """What has been shown cannot be hidden again."""
        node = self.last
        while node.ply > ply and node.parent is not None:
            node = node.parent
        if not self.hides and node.position.seen_by(None) is not node.position:
            raise RefusedError(
                "shown",
                Text(
                    "o que estava escondido já se viu; não se pode voltar atrás",
                    "what was hidden has been seen; there is no going back",
                ),
                409,
            )

    def _require_seat(self, guest: Guest | None) -> list[Player]:
        mine = self.seats_of(guest)
        if not mine:
            raise RefusedError(
                "not_your_game", Text("nesta partida só podes assistir", "you may only watch this game"), 403
            )
        return mine

    def _require_going_on(self) -> None:
        if self.outcome is not None:
            raise RefusedError("game_over", GAME_OVER, 409)
        if self.status == "waiting":
            raise RefusedError("waiting", Text("falta o outro jogador", "the other player is not here yet"), 409)

    def _require_second_thoughts(self) -> None:
        if self.settings.moves_stand:
            raise RefusedError(
                "moves_stand",
                Text(
                    "nesta partida uma jogada feita fica feita: não se volta atrás nem há ajudas",
                    "in this game a move made stands: nothing is taken back and there are no hints",
                ),
                409,
            )

    def _require_turn(self, guest: Guest | None) -> None:
        if self.turn not in self.seats_of(guest):
            raise RefusedError("not_your_turn", Text("não é a tua vez", "it is not your turn"), 409)

    def _require_fresh(self, ply: int) -> None:
        if ply != len(self.history):
            raise RefusedError("stale", Text("entretanto a partida mudou", "the game has changed in the meantime"), 409)

    def _require_person(self, player: Player, otherwise: Text) -> None:
        if self.seats[player].kind == "engine":
            raise RefusedError("engine", otherwise, 409)

    def _require_offer(self, guest: Guest | None, what: Literal["draw", "takeback"]) -> Player:
        mine = self._require_seat(guest)
        self._require_going_on()
        asker = self.offers[what]
        if asker is None or asker in mine:
            raise RefusedError("nothing_asked", Text("ninguém te pediu isso", "nobody asked you for that"), 409)
        return asker.other


#: What somebody wishes, at a time.
Decide = Callable[[GameSession, Guest | None, float], Decision]
#: What players may do besides moving: by REST, over the WebSocket and in the description of both.
ACTIONS: dict[str, Decide] = {
    "resign": lambda session, guest, _: session.decide_resign(guest),
    "offer_draw": lambda session, guest, _: session.decide_offer_draw(guest),
    "accept_draw": lambda session, guest, _: session.decide_accept(guest, "draw"),
    "decline_draw": lambda session, guest, _: session.decide_decline(guest, "draw"),
    "ask_takeback": lambda session, guest, _: session.decide_ask_takeback(guest),
    "accept_takeback": lambda session, guest, _: session.decide_accept(guest, "takeback"),
    "decline_takeback": lambda session, guest, _: session.decide_decline(guest, "takeback"),
    "rematch": lambda session, guest, _: session.decide_rematch(guest, new_id()),
    "claim": lambda session, guest, now: session.decide_claim(guest, now),
}
#: The events that end a session without a move, and the reasons they give.
ENDS = {
    "resign": "resignation",
    "draw": "agreement",
    "timeout": "time",
    "too_long": "too_long",
    "claim": "abandoned",
}
#: Every kind of event.
KINDS = ("move", "takeback", "offer", "decline", "hint", "join", "reseat", "rematch", *ENDS)
