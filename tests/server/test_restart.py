"""Servers that stop, gently or not: nothing that was acknowledged is lost, and every game goes on."""

import random
import threading
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server.people import LocalServer, Person, ProcessServer, Table, free_port
from tabuleiro.server.settings import Settings, sqlite_url


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    settings, port = Settings(sqlite_url(tmp_path)), free_port()
    with LocalServer(settings, port=port) as server:
        ana, rui = Person(server.address), Person(server.address)
        ana.web.put("/api/me", json={"nickname": "Ana"})
        play_id = ana.create("rastros", {"kind": "friend"}, side="first")
        rui.post(f"/api/plays/{play_id}/join")
        with ana.watch(play_id) as hers:
            hers.move("d4")
            before = hers.play
    with LocalServer(settings, port=port), rui.watch(play_id, since=1) as his:
        assert his.first["type"] == "event" and his.first["number"] == 2
        assert his.play["history"] == before["history"] and his.play["seats"]["1"]["name"] == "Ana"
        assert his.play["your_seats"] == [2]
        assert his.move("d5")["type"] == "ack"
        assert ana.get("/api/plays")[0]["moves"] == 2


def test_a_computer_player_whose_turn_it_was_moves_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, port = Settings(sqlite_url(tmp_path)), free_port()
    with monkeypatch.context() as patch:
        patch.setattr("tabuleiro.server.hub.Hub._go_on", lambda self, live: None)
        with LocalServer(settings, port=port) as server:
            ana = Person(server.address)
            play_id = ana.create("rastros", {"kind": "engine", "level": 1})
            with ana.watch(play_id) as table:
                table.move("d4")
    with LocalServer(settings, port=port), ana.watch(play_id) as table:
        table.until_play(lambda play: len(play["history"]) == 2)


class Player(threading.Thread):
    """Somebody who plays at one screen as fast as the server lets them, and remembers what was acknowledged."""

    def __init__(self, ana: Person, play_id: str) -> None:
        super().__init__()
        self.ana = ana
        self.play_id = play_id
        self.acknowledged: list[str] = []

    def run(self) -> None:
        chance = random.Random(self.play_id)
        try:
            with self.ana.watch(self.play_id) as table:
                while table.play["status"] == "playing":
                    self.play_one(table, chance)
        except (ConnectionClosed, OSError, TimeoutError):
            return

    def play_one(self, table: Table, chance: random.Random) -> None:
        move = chance.choice(table.moves())
        if table.move(move)["type"] == "ack":
            self.acknowledged.append(move)


def test_kill_9_loses_no_acknowledged_move(tmp_path: Path) -> None:
    port = free_port()
    chance = random.Random()
    plays: list[str] = []
    told: dict[str, list[str]] = {}
    ana: Person | None = None
    for _ in range(3):
        with ProcessServer("--data", str(tmp_path), port=port) as server:
            ana = ana or Person(server.address)
            if not plays:
                plays = [ana.create("hex", {"kind": "local"}) for _ in range(5)]
            for play_id, moves in told.items():
                stored = [entry["text"] for entry in ana.get(f"/api/plays/{play_id}")["history"]]
                assert stored[: len(moves)] == moves, "an acknowledged move is missing"
                # One more may have been stored whose acknowledgement was under way.
                assert len(stored) <= len(moves) + 1
                told[play_id] = stored
            players = [Player(ana, play_id) for play_id in plays]
            for player in players:
                player.start()
            threading.Event().wait(0.5 + chance.random() / 2)
            server.process.kill()
            for player in players:
                player.join()
                told[player.play_id] = [*told.get(player.play_id, []), *player.acknowledged]
    assert all(len(moves) > 1 for moves in told.values()), "they did play"


def test_a_server_told_to_stop_stops(tmp_path: Path) -> None:
    with ProcessServer("--data", str(tmp_path)) as server:
        ana = Person(server.address)
        table = ana.watch(ana.create("hex", {"kind": "local"}))
        server.process.terminate()
        _, log = server.process.communicate(timeout=15)
        assert table.is_closed()
        assert server.process.returncode in (0, -15) and b'"event": "stopped"' in log and b"Traceback" not in log
