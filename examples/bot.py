"""A program that plays on the site, with nothing but the network: it knows no rules and needs none.

    tabuleiro token make "My bot"                    # or make a token on the page /bots
    python examples/bot.py --token TOKEN --game hex  # begins a game and prints where a friend joins
    python examples/bot.py --token TOKEN --join ID   # takes the free seat of a game: the last part of its address

It plays any legal move. For something better, write another `choose`; examples/ugi_bot.py asks an engine.
"""

import argparse
import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

Json = dict[str, Any]
#: From how the session stands to the move to make, as one of the texts of `view.moves`.
Choose = Callable[[Json], str]


class Bot:
    def __init__(self, server: str, token: str) -> None:
        self.server = server.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:
        """One request; a refusal ends the program with its reason."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(self.server + path, data, headers, method=method)
            ) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(json.load(error)["error"]["text"]["en"])

    def begin(self, game: str, options: dict[str, str]) -> str:
        """A game against the first person who comes to its page."""
        wish = {"game": game, "options": options, "opponent": {"kind": "friend"}, "side": "random"}
        session_id: str = self.ask("POST", "/api/v1/sessions", wish)["id"]
        return session_id

    def join(self, session_id: str) -> None:
        self.ask("POST", f"/api/v1/sessions/{session_id}/join")

    def play(self, session_id: str, choose: Choose) -> Json:
        """Play to the end, coming back whenever the connection is lost. How the session stands then."""
        number = 0
        while True:
            address = f"{self.server.replace('http', 'ws', 1)}/ws/v1/sessions/{session_id}?since={number}"
            try:
                with connect(address, additional_headers=self.headers) as socket:
                    for text in socket:
                        message = json.loads(text)
                        if message["type"] == "error" and message["ref"] is None:
                            sys.exit(message["text"]["en"])
                        if "session" not in message:
                            continue
                        session = message["session"]
                        if session["status"] == "over":
                            return dict(session)
                        is_news = session["number"] > number or message["type"] == "session"
                        number = session["number"]
                        if (
                            is_news
                            and session["status"] == "playing"
                            and session["view"]["turn"] in session["your_seats"]
                        ):
                            move = {"type": "move", "ply": len(session["history"]), "move": choose(session)}
                            socket.send(json.dumps(move))
            except (ConnectionClosed, OSError):
                time.sleep(1)


def any_move(session: Json) -> str:
    return str(random.choice(session["view"]["moves"])["text"])


def arguments(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--token", required=True)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--game", help="begin a game, as hex")
    what.add_argument("--join", metavar="ID", help="take the free seat of a game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    return parser


def run(bot: Bot, wanted: argparse.Namespace, choose: Choose) -> None:
    if wanted.join:
        bot.join(wanted.join)
        session_id = wanted.join
    else:
        session_id = bot.begin(wanted.game, dict(option.split("=", 1) for option in wanted.option))
        print(f"{bot.server}/g/{session_id}", flush=True)
    print(bot.play(session_id, choose)["view"]["description"]["en"])


if __name__ == "__main__":
    wanted = arguments(__doc__).parse_args()
    run(Bot(wanted.server, wanted.token), wanted, any_move)
