"""`tabuleiro moves`: the legal moves of a position."""

from typing import Any

from tabuleiro.cli.arguments import GameArgument, JsonOption, OptionOption, PlayOption, PositionOption, read_line
from tabuleiro.cli.speech import both, language, print_json, tr
from tabuleiro.core import Outcome

HELP = both("As jogadas legais de uma posição.", "The legal moves of a position.")


def moves(
    game: GameArgument,
    position: PositionOption = None,
    play: PlayOption = "",
    option: OptionOption = None,
    json: JsonOption = False,
) -> None:
    line = read_line(game, option, position, play)
    here = line.position
    # A rule that looks back may have ended a game whose position alone would go on.
    legal = [here.move_str(move) for move in here.legal_moves()] if line.outcome is None else []
    if json:
        print_json(
            {
                "position": str(here),
                "turn": int(here.turn),
                "moves": legal,
                "outcome": outcome_json(line.outcome),
            }
        )
    elif line.outcome is not None:
        print(here.tell_result(line.outcome).to(language()))
    else:
        print(tr(f"Joga o jogador {here.turn}. Jogadas legais:", f"Player {here.turn} to move. Legal moves:"))
        print(" ".join(legal))


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": None if outcome.winner is None else int(outcome.winner),
        "reason": outcome.reason,
        "score": None if outcome.score is None else list(outcome.score),
    }
