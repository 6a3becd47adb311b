"""Hex over GTP."""

import random

from tabuleiro.engine.gtp import GtpServer


def server(size: int = 5) -> GtpServer:
    made = GtpServer(3, 1)
    assert made.take(f"boardsize {size}") == "= \n\n"
    assert made.take("time_settings 0 1 20") == "= \n\n"
    return made


def ask(gtp: GtpServer, *commands: str) -> str:
    said = ""
    for command in commands:
        said = gtp.take(command) or ""
        assert said.startswith("="), (command, said)
        assert said.endswith("\n\n")
    return said.lstrip("=0123456789").strip()


def test_a_game() -> None:
    gtp = server(4)
    colours = ["black", "white"]
    moves = [ask(gtp, "genmove black")]
    while gtp._game.outcome is None:
        moves.append(ask(gtp, f"genmove {colours[len(moves) % 2]}"))
    assert 4 <= len(moves) <= 17
    assert (gtp.take("genmove black") or "").startswith("? ")


def test_numbers_comments_and_commands() -> None:
    gtp = server()
    assert gtp.take("7 name # hello") == "=7 Tabuleiro\n\n"
    assert gtp.take("# nothing") is None
    assert gtp.take("\n") is None
    assert "genmove" in ask(gtp, "list_commands").split()
    assert ask(gtp, "known_command play") == "true"
    assert ask(gtp, "known_command fly") == "false"
    assert gtp.take("3 fly") == "?3 unknown command\n\n"
    assert gtp.take("quit") == "= \n\n"
    assert gtp.ended


def test_colours_take_turns() -> None:
    gtp = server()
    assert (gtp.take("play white a1") or "").startswith("? black is to move")
    ask(gtp, "play b a1", "play w b2")
    assert (gtp.take("play b b2") or "").startswith("? ")
    ask(gtp, "undo", "undo", "play black c3")


def test_swapped_pieces_keep_their_colours() -> None:
    """The first stone b1 of Black becomes White's a2, and all that follows is reflected."""
    gtp = server()
    ask(gtp, "play black b1", "play white swap-pieces", "play black c1")
    # Seen from here the stone on b1 is still there and the next one stands on a3.
    cells = {gtp._game.position.geometry.names[cell] for cell in gtp._game.position.pieces()}
    assert cells == {"b1", "a3"}
    assert (gtp.take("play white a2") or "").startswith("? ")
    ask(gtp, "play white b1")


def test_swapped_sides_stay_where_they_are() -> None:
    gtp = server()
    ask(gtp, "play black b1", "play white swap-sides")
    assert gtp._turn == "white"
    ask(gtp, "play white c1")


def test_nonsense_is_answered_and_survived() -> None:
    gtp, chance = server(3), random.Random(5)
    words = ["play", "genmove", "black", "white", "a1", "b2", "boardsize", "3", "99", "-1", "undo", "é", "\0",
             "time_settings", "swap-pieces", "clear_board", "showboard", "#", "9" * 30]  # fmt: skip
    for _ in range(2000):
        line = " ".join(chance.choices(words, k=chance.randrange(1, 5)))
        said = gtp.take(line)
        assert said is None or said[0] in "=?"
        ask(gtp, "boardsize 3", "time_settings 0 1 100")
    assert ask(gtp, "boardsize 4", "genmove b")
