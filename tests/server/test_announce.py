"""`tabuleiro.local`: announced where there is a network, and no harm where there is none."""

import threading

import pytest

from tabuleiro.server import announce
from tabuleiro.server.announce import announced, service_at


def test_the_name_leads_to_the_address_of_the_server() -> None:
    told = service_at("http://192.168.1.5:8123")
    assert (told.server, told.port, told.parsed_addresses()) == ("tabuleiro.local.", 8123, ["192.168.1.5"])


def test_it_is_said_while_the_server_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    begun = threading.Event()

    class Network:
        def __init__(self, interfaces: list[str]) -> None:
            said.append(f"at {interfaces}")

        def register_service(self, service: object, *, allow_name_change: bool) -> None:
            said.append("here")
            begun.set()

        def unregister_service(self, service: object) -> None:
            said.append("gone")

        def close(self) -> None:
            said.append("closed")

    monkeypatch.setattr(announce, "Zeroconf", Network)
    with announced("http://127.0.0.1:8000"):
        assert begun.wait(30)
    assert said == ["at ['127.0.0.1']", "here", "gone", "closed"]


def test_without_a_network_nothing_happens(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def no_network(**_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(announce, "Zeroconf", no_network)
    with announced("http://127.0.0.1:8000"), announced(None):
        pass
    assert "not_announced" in capsys.readouterr().err
