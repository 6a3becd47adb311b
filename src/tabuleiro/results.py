"""What the sides are called, and the sentences that tell how a game ended.

A sentence names who won and, where the loser is the reason, the loser: `Ganharam as Negras: as Brancas não têm jogada`.
"""

from functools import lru_cache
from typing import NamedTuple

from tabuleiro.language import Text, plural

COLOURS: dict[str, Text] = {
    "white": Text("Brancas", "White"),
    "black": Text("Negras", "Black"),
    "south": Text("Sul", "South"),
    "north": Text("Norte", "North"),
}


class Side(NamedTuple):
    """A player as sentences name one: `as Brancas`, `das Brancas`, and whether a verb is plural with it."""

    the: Text
    of: Text
    several: bool = False

    def verb(self, one: str, several: str) -> str:
        """The Portuguese verb that goes with this side."""
        return several if self.several else one


# What follows is asked at every move, and is the same again and again.


@lru_cache(100)
def side_name(colour: str | None, number: int) -> Side:
    """The side of a colour, or of a player by number where players have no colours."""
    if colour in ("white", "black"):
        name = COLOURS[colour]
        return Side(Text(f"as {name.pt}", name.en), Text(f"das {name.pt}", f"{name.en}'s"), several=True)
    if colour in COLOURS:
        name = COLOURS[colour]
        return Side(Text(f"o {name.pt}", name.en), Text(f"do {name.pt}", f"{name.en}'s"))
    return Side(Text(f"o jogador {number}", f"player {number}"), Text(f"do jogador {number}", f"player {number}'s"))


#: Why games end, whoever won. A game may use a reason of its own; it is then shown as written.
REASONS: dict[str, Text] = {
    "reached_last_row": Text("chegou à primeira linha do adversário", "reached the opponent's first row"),
    "no_pieces": Text("o adversário ficou sem peças", "the opponent has no pieces left"),
    "goal": Text("a peça chegou à sua casa final", "the marker reached the winner's goal"),
    "blocked": Text("quem devia jogar não tem jogada", "the player to move has no move"),
    "connected": Text("uniu as suas duas margens", "joined both sides of that colour"),
    "line": Text("fez três em linha", "made three in a line"),
    "majority": Text("recolheu a maioria das sementes", "collected most of the seeds"),
    "cannot_feed": Text("não é possível dar sementes ao adversário", "the opponent cannot be fed"),
    "cycle": Text("a posição repetiu-se ciclicamente", "the position went round in a cycle"),
    "no_capture": Text(
        "chegou-se ao limite de jogadas sem capturas", "the limit of moves without a capture was reached"
    ),
    "king_captured": Text("capturou o rei", "captured the king"),
    "king_arrived": Text("o rei chegou à linha zero do adversário", "the king reached the opponent's row zero"),
    "three_warriors": Text(
        "três guerreiros chegaram à linha zero do adversário", "three warriors reached the opponent's row zero"
    ),
    "ejections": Text("expulsou berlindes suficientes", "ejected enough marbles"),
    "repetition": Text("a mesma posição repetiu-se", "the same position was repeated"),
    "no_progress": Text(
        "chegou-se ao limite de jogadas sem progresso", "the limit of moves without progress was reached"
    ),
    "move_limit": Text("chegou-se ao limite de jogadas", "the limit of moves was reached"),
    "agreement": Text("acordo entre os jogadores", "agreement of the players"),
    "resignation": Text("desistência", "resignation"),
    "time": Text("o tempo esgotou-se", "time ran out"),
    "abandoned": Text("partida abandonada", "the game was abandoned"),
    "too_long": Text("a partida já tinha jogadas de mais", "the game had too many moves"),
    "unknown": Text("motivo desconhecido", "for an unknown reason"),
}

#: How people end a game. The points of that moment have not decided it.
BY_PEOPLE = ("resignation", "time", "abandoned", "too_long", "unknown")


#: The winner's, the loser's.
Points = tuple[int, int] | None


@lru_cache(1000)
def tell_reason(reason: str, winner: Side | None, loser: Side | None, points: Points = None) -> Text:
    """Why the game ended so, as a sentence about those it happened to."""
    if winner is None or loser is None:
        plain = reason.replace("_", " ")
        return REASONS.get(reason, Text(plain, plain))
    match reason:
        case "reached_last_row":
            return Text(f"uma peça chegou à primeira linha {loser.of.pt}", f"a piece reached {loser.of.en} first row")
        case "no_pieces":
            has = loser.verb("ficou", "ficaram")
            return Text(f"{loser.the.pt} {has} sem peças", f"{loser.the.en} has no pieces left")
        case "goal":
            return Text(f"a peça chegou à casa final {winner.of.pt}", f"the piece reached {winner.of.en} goal")
        case "blocked":
            return Text(f"{loser.the.pt} não {loser.verb('tem', 'têm')} jogada", f"{loser.the.en} has no move")
        case "connected":
            return Text(f"as duas margens {winner.of.pt} estão unidas", f"{winner.of.en} two sides are joined")
        case "line":
            return Text("há três peças da mesma cor em linha", "three pieces of one colour are in a line")
        case "king_captured":
            return Text(f"o rei {loser.of.pt} foi capturado", f"{loser.of.en} king was captured")
        case "king_arrived":
            return Text(
                f"o rei {winner.of.pt} chegou à linha zero {loser.of.pt}",
                f"{winner.of.en} king reached {loser.of.en} row zero",
            )
        case "three_warriors":
            return Text(
                f"três guerreiros {winner.of.pt} chegaram à linha zero {loser.of.pt}",
                f"three of {winner.of.en} warriors reached {loser.of.en} row zero",
            )
        case "ejections":
            lost = plural(points[0] if points else 0, Text("berlinde", "marble"), Text("berlindes", "marbles"))
            has = loser.verb("perdeu", "perderam")
            return Text(f"{loser.the.pt} {has} {lost.pt}", f"{loser.the.en} lost {lost.en}")
        case "resignation":
            return Text(f"{loser.the.pt} {loser.verb('desistiu', 'desistiram')}", f"{loser.the.en} resigned")
        case "time":
            return Text(f"esgotou-se o tempo {loser.of.pt}", f"{loser.of.en} time ran out")
        case "abandoned":
            left = loser.verb("abandonou", "abandonaram")
            return Text(f"{loser.the.pt} {left} a partida", f"{loser.the.en} left the game")
        case _:
            plain = reason.replace("_", " ")
            return REASONS.get(reason, Text(plain, plain))


@lru_cache(1000)
def tell_result(reason: str, winner: Side | None, loser: Side | None, points: Points = None) -> Text:
    """The whole sentence: who won, by how much where that decides, and why."""
    why = tell_reason(reason, winner, loser, points)
    if winner is None:
        told = points is not None and points[0] == points[1] and reason not in BY_PEOPLE
        count = f" a {points[0]}" if told and points else "", f" {points[0]} all" if told and points else ""
        return Text(f"Empate{count[0]}: {why.pt}.", f"Draw{count[1]}: {why.en}.")
    told = points is not None and points[0] > points[1] and reason not in BY_PEOPLE
    count = (f" por {points[0]} a {points[1]}", f" {points[0]} to {points[1]}") if told and points else ("", "")
    won = winner.verb("Ganhou", "Ganharam")
    who = winner.the.en[:1].upper() + winner.the.en[1:]
    return Text(f"{won} {winner.the.pt}{count[0]}: {why.pt}.", f"{who} won{count[1]}: {why.en}.")
