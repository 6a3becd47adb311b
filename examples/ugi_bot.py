"""Puts any engine that speaks UGI on line:

python examples/ugi_bot.py --token TOKEN --game avanco --seconds 1 -- tabuleiro engine avanco
python examples/ugi_bot.py --token TOKEN --join ID -- python examples/konane_mobility.py

The engine is told the game so far and asked for a move; its moves are checked before they are sent.
"""

from bot import Bot, Json, arguments, run

from tabuleiro import Game, games
from tabuleiro.programs import UgiEngine
from tabuleiro.search import Limit


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long the engine thinks about a move")
    parser.add_argument("engine", nargs="+", help="the command that starts the engine, after --")
    wanted = parser.parse_args()
    with UgiEngine(wanted.engine) as engine:

        def choose(session: Json) -> str:
            game = the_game(bot, session)
            return game.position.move_str(engine.play(game, Limit(seconds=wanted.seconds)))

        bot = Bot(wanted.server, wanted.token)
        run(bot, wanted, choose)


def the_game(bot: Bot, session: Json) -> Game:
    """A session as the engine's side of the house knows it: from its first position, move by move."""
    start = bot.ask("GET", f"/api/v1/sessions/{session['id']}/at/0")["position"]
    options = games.get(session["game"]).options_type.parse(session["options"])
    game = Game.new(session["game"], options, start)
    for entry in session["history"]:
        game.play(entry["text"])
    return game


if __name__ == "__main__":
    main()
