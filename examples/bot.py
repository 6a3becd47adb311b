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
#: From how the play stands to the move to make, as one of the texts of `view.moves`.
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
        """A game against whoever comes to its page."""
        wish = {"game": game, "options": options, "opponent": {"kind": "friend"}, "side": "random"}
        play_id: str = self.ask("POST", "/api/plays", wish)["id"]
        return play_id

    def join(self, play_id: str) -> None:
        self.ask("POST", f"/api/plays/{play_id}/join")

    def play(self, play_id: str, choose: Choose) -> Json:
        """Play to the end, coming back whenever the connection is lost. How the play stands then."""
        number = 0
        while True:
            address = f"{self.server.replace('http', 'ws', 1)}/ws/plays/{play_id}?since={number}"
            try:
                with connect(address, additional_headers=self.headers) as socket:
                    for text in socket:
                        message = json.loads(text)
                        if message["type"] == "error" and message["ref"] is None:
                            sys.exit(message["text"]["en"])
                        if "play" not in message:
                            continue
                        play = message["play"]
                        if play["status"] == "over":
                            return dict(play)
                        is_news = play["number"] > number or message["type"] == "play"
                        number = play["number"]
                        if is_news and play["status"] == "playing" and play["view"]["turn"] in play["your_seats"]:
                            move = {"type": "move", "ply": len(play["history"]), "move": choose(play)}
                            socket.send(json.dumps(move))
            except (ConnectionClosed, OSError):
                time.sleep(1)


def any_move(play: Json) -> str:
    return str(random.choice(play["view"]["moves"])["text"])


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
        play_id = wanted.join
    else:
        play_id = bot.begin(wanted.game, dict(option.split("=", 1) for option in wanted.option))
        print(f"{bot.server}/g/{play_id}", flush=True)
    print(bot.play(play_id, choose)["view"]["description"]["en"])


if __name__ == "__main__":
    wanted = arguments(__doc__).parse_args()
    run(Bot(wanted.server, wanted.token), wanted, any_move)
