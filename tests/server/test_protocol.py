"""The game protocol under a state machine: several clients, connections that break, messages that come late or twice.

Whatever order things happen in, every client that listens ends up with the same session, nobody plays for anybody else,
and what was acknowledged stays.
"""

import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.people import LocalServer, Person, Table
from tabuleiro.record import Game
from tabuleiro.server.settings import Settings, sqlite_url

CLIENTS = ("ana", "ana again", "rui", "stranger")
_ends = ExitStack()


@cache
def the_server() -> LocalServer:
    """One server for all runs of the machine; it ends with the tests."""
    folder = _ends.enter_context(tempfile.TemporaryDirectory(prefix="tabuleiro-protocol-"))
    return _ends.enter_context(LocalServer(Settings(sqlite_url(Path(folder)))))


def teardown_module() -> None:
    _ends.close()


clients = st.sampled_from(CLIENTS)


class Protocol(RuleBasedStateMachine):
    @initialize(game=st.sampled_from(["rastros", "ouri", "semaforo"]))
    def sit_down(self, game: str) -> None:
        address = the_server().address
        ana, rui = Person(address), Person(address)
        self.people = {"ana": ana, "ana again": ana, "rui": rui, "stranger": Person(address)}
        self.session_id = ana.create(game, {"kind": "friend"}, side="first")
        rui.post(f"/api/v1/sessions/{self.session_id}/join")
        self.seat = {"ana": 1, "ana again": 1, "rui": 2, "stranger": None}
        self.tables: dict[str, Table] = {}
        #: What must be so, by the rules alone.
        self.game = Game.new(game)
        self.resigned = False
        self.offers: dict[str, int | None] = {"draw": None, "takeback": None}
        self.last_move: dict[str, Any] | None = None

    # -- connections ------------------------------------------------------------------------------------------------

    def table(self, client: str) -> Table:
        if client not in self.tables:
            self.tables[client] = self.people[client].watch(self.session_id)
        return self.tables[client]

    @rule(client=clients)
    def come(self, client: str) -> None:
        self.table(client)

    @rule(client=clients, abruptly=st.booleans())
    def go(self, client: str, abruptly: bool) -> None:
        if client in self.tables:
            socket = self.tables.pop(client).socket
            socket.socket.close() if abruptly else socket.close()

    @rule(client=clients, since=st.integers(0, 30))
    def come_back_knowing(self, client: str, since: int) -> None:
        if client in self.tables:
            self.tables.pop(client).socket.close()
        self.tables[client] = self.people[client].watch(self.session_id, since=since)

    # -- what clients do --------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.resigned or self.game.outcome is not None

    @rule(client=clients, choice=st.integers(0, 1000), offset=st.sampled_from([0, 0, 0, 0, -1, 1]))
    def move(self, client: str, choice: int, offset: int) -> None:
        """A legal move, said with the right number of moves or another: late and hasty clients exist."""
        legal = self.game.position.legal_moves()
        text = self.game.position.move_str(legal[choice % len(legal)]) if legal else "a1"
        ply = len([*self.game.root.line()]) - 1
        self.last_move = {"ply": ply + offset, "move": text}
        answer = self.table(client).ask("move", **self.last_move)
        if self.seat[client] is None:
            assert answer["code"] == "not_your_game"
        elif self.is_over:
            assert answer["code"] == "game_over"
        elif offset:
            assert answer["code"] == "stale"
        elif self.game.position.turn != self.seat[client]:
            assert answer["code"] == "not_your_turn"
        else:
            assert answer["type"] == "ack"
            self.game.play(text)
            self.offers = {"draw": None, "takeback": None}

    @precondition(lambda self: self.last_move is not None)
    @rule(client=clients)
    def say_it_again(self, client: str) -> None:
        """A message that was sent already, as after a connection that was lost: it never counts twice."""
        assert self.last_move is not None
        if self.last_move["ply"] < len([*self.game.root.line()]) - 1 or self.is_over:
            answer = self.table(client).ask("move", **self.last_move)
            assert answer["code"] in ("stale", "game_over", "not_your_game")

    @rule(client=clients)
    def two_at_once(self, client: str) -> None:
        """The same move from two connections of one person: one is accepted."""
        position = self.game.position
        if self.is_over or self.seat[client] != position.turn:
            return
        text = position.move_str(position.legal_moves()[0])
        ply = len([*self.game.root.line()]) - 1
        one = self.table(client)
        two = self.people[client].watch(self.session_id)
        refs = one.say("move", ply=ply, move=text), two.say("move", ply=ply, move=text)
        kinds = sorted(answer["type"] for answer in (one.answer(refs[0]), two.answer(refs[1])))
        assert kinds == ["ack", "error"]
        two.socket.close()
        self.game.play(text)
        self.offers = {"draw": None, "takeback": None}

    @rule(client=clients)
    def ask_to_take_back(self, client: str) -> None:
        seat = self.seat[client]
        answer = self.table(client).ask("ask_takeback")
        movers = [node.parent.position.turn for node in self.game.root.line() if node.parent is not None]
        if seat is None or self.is_over or seat not in movers or self.offers["takeback"] == seat:
            assert answer["type"] == "error"
        else:
            assert answer["type"] == "ack"
            self.offers["takeback"] = seat

    @rule(client=clients, accept=st.booleans())
    def answer_to_taking_back(self, client: str, accept: bool) -> None:
        seat, asker = self.seat[client], self.offers["takeback"]
        answer = self.table(client).ask("accept_takeback" if accept else "decline_takeback")
        if seat is None or self.is_over or asker in (None, seat):
            assert answer["type"] == "error"
            return
        assert answer["type"] == "ack"
        self.offers["takeback"] = None
        if accept:
            while True:
                mover = self.game.last.parent.position.turn  # type: ignore[union-attr]
                self.game.undo()
                if mover == asker:
                    break
            self.offers["draw"] = None

    @precondition(lambda self: len([*self.game.root.line()]) > 6)
    @rule(client=clients)
    def resign(self, client: str) -> None:
        answer = self.table(client).ask("resign")
        if self.seat[client] is None or self.is_over:
            assert answer["type"] == "error"
        else:
            assert answer["type"] == "ack"
            self.resigned = True

    # -- what is always so ------------------------------------------------------------------------------------------

    @invariant()
    def everybody_sees_the_same(self) -> None:
        if not hasattr(self, "game"):
            return
        moves = [node.move_text for node in self.game.root.line() if node.parent is not None]
        stored = self.people["stranger"].get(f"/api/v1/sessions/{self.session_id}")
        assert [entry["text"] for entry in stored["history"]] == moves
        assert (stored["status"] == "over") == self.is_over
        assert stored["view"]["position"] == str(self.game.position)
        for client, table in self.tables.items():
            table.until_session(lambda session: session["number"] == stored["number"])
            assert table.session["history"] == stored["history"]
            assert table.session["your_seats"] == ([self.seat[client]] if self.seat[client] else [])
            numbers = [heard["number"] for heard in table.heard if heard["type"] == "event" and heard["number"]]
            assert numbers == sorted(set(numbers)), "every number comes once, in order"

    def teardown(self) -> None:
        for table in getattr(self, "tables", {}).values():
            table.socket.close()


TestProtocol = Protocol.TestCase
TestProtocol.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
