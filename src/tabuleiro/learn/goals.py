"""What a task asks for: the goals a lesson may name, and how they are said to a pupil who was told nothing else."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

Kind = Literal["win", "save", "mark", "who wins", "most seeds", "capture", "connect", "eject", "refute", "copy", "play"]
#: What can be marked.
Marked = Literal["winning", "losing", "safe", "immediate", "captures", "legal"]

#: The largest number that a goal may have.
MOST = 50


@dataclass(frozen=True)
class Goal:
    kind: Kind
    #: `win in N`, `eject in N`: moves of the pupil. `save for N`: moves of the opponent. `capture N`: what is taken at
    #: least. `play level N`: the level.
    number: int | None = None
    #: What is marked: `mark winning`.
    marked: Marked | None = None
    #: The move to be refuted, as it was written.
    move: str = ""
    #: `who wins with pass`: whoever begins.
    may_pass: bool = False

    @property
    def one_game(self) -> str | None:
        """The only game that has such a goal; None where all have."""
        return {"connect": "hex", "eject": "abalone", "most seeds": "ouri"}.get(self.kind)

    @property
    def takes_answer(self) -> bool:
        """Whether the lesson says which moves are right; where it does not, the whole play is judged."""
        return self.kind not in ("copy", "play")

    @property
    def goes_on(self) -> bool:
        """Whether the pupil may go on playing against a defender once the move is found (`then: play`)."""
        return self.kind in ("win", "connect", "eject", "refute")

    @property
    def one_move(self) -> bool:
        """Whether the answer is one move of several that are right, and not the set of all of them."""
        return self.takes_answer and self.kind not in ("mark", "who wins")


#: Goals as they are written. Groups named `number`, `marked`, `move` and `may_pass` become the fields.
_FORMS: tuple[tuple[str, Kind], ...] = (
    (r"win(?: in (?P<number>\d+))?", "win"),
    (r"save(?: for (?P<number>\d+))?", "save"),
    (r"mark (?P<marked>winning|losing|safe|immediate|captures|legal)", "mark"),
    (r"who wins(?P<may_pass> with pass)?", "who wins"),
    (r"most seeds", "most seeds"),
    (r"capture(?: (?P<number>\d+))?", "capture"),
    (r"connect", "connect"),
    (r"eject(?:(?: in)? (?P<number>\d+))?", "eject"),
    (r"refute (?P<move>\S+)", "refute"),
    (r"copy the strategy", "copy"),
    (r"play(?: level (?P<number>\d+))?", "play"),
)

#: What goals look like, for people.
GOAL_FORMS = (
    "win, win in N, save, save for N, mark winning|losing|safe|immediate|captures|legal, who wins, who wins with pass, "
    "most seeds, capture N, connect, eject in N, refute MOVE, copy the strategy, play, play level N"
)


def read_goal(text: str) -> Goal:
    """The goal that a lesson names."""
    words = " ".join(text.split())
    for form, kind in _FORMS:
        if found := re.fullmatch(form, words):
            groups: dict[str, Any] = found.groupdict()
            number = None if groups.get("number") is None else int(groups["number"])
            if number is None and kind in ("capture", "eject"):
                number = 1
            if number is not None and not 1 <= number <= MOST:
                raise TabuleiroError(
                    Text(f"o número vai de 1 a {MOST}, não {number}", f"the number is from 1 to {MOST}, not {number}")
                )
            return Goal(kind, number, groups.get("marked"), groups.get("move") or "", bool(groups.get("may_pass")))
    raise TabuleiroError(
        Text(
            f"não há nenhum objetivo «{shorten(text)}»; há: {GOAL_FORMS}",
            f"there is no goal “{shorten(text)}”; there are: {GOAL_FORMS}",
        )
    )


def asked(goal: Goal, refuted: str = "") -> Text:
    """A goal as a pupil is asked. `refuted` is the move to be refuted as people write it."""
    number = goal.number
    match goal.kind:
        case "win" if number is None:
            return Text("Encontra a jogada que ganha.", "Find the move that wins.")
        case "win" if number == 1:
            return Text("Ganha já, nesta jogada.", "Win at once, with this move.")
        case "win":
            return Text(f"Ganha em {number} jogadas tuas.", f"Win in {number} moves of yours.")
        case "save" if number is None:
            return Text("Encontra a jogada que te salva.", "Find the move that saves you.")
        case "save" if number == 1:
            return Text(
                "Joga de modo que o adversário não ganhe na jogada seguinte.",
                "Play so that your opponent cannot win next move.",
            )
        case "save":
            return Text(
                f"Joga de modo que o adversário não ganhe nas suas próximas {number} jogadas.",
                f"Play so that your opponent cannot win in the next {number} moves.",
            )
        case "mark":
            assert goal.marked is not None
            return _MARK[goal.marked]
        case "who wins" if goal.may_pass:
            return Text(
                "Quem ganha, se ambos jogarem bem? Pensa nos dois casos: começa um, começa o outro.",
                "Who wins if both play well? Think of both cases: one begins, the other begins.",
            )
        case "who wins":
            return Text("Quem ganha, se ambos jogarem bem?", "Who wins if both play well?")
        case "most seeds":
            return Text(
                "Encontra a jogada que te dá mais sementes até ao fim da partida.",
                "Find the move that brings you the most seeds by the end of the game.",
            )
        case "capture" if number == 1:
            return Text("Captura.", "Capture.")
        case "capture":
            return Text(f"Captura pelo menos {number}, numa só jogada.", f"Capture at least {number} with one move.")
        case "connect":
            return Text("Une as tuas margens: encontra a jogada certa.", "Join your edges: find the right move.")
        case "eject" if number == 1:
            return Text("Expulsa um berlinde.", "Eject a marble.")
        case "eject":
            return Text(f"Expulsa um berlinde em {number} jogadas tuas.", f"Eject a marble in {number} moves of yours.")
        case "refute":
            return Text(
                f"O teu adversário joga {refuted}. Mostra que foi um erro.",
                f"Your opponent plays {refuted}. Show that it was a mistake.",
            )
        case "copy":
            return Text(
                "Copia: se puderes ganhar já, ganha; se não, responde com a jogada simétrica.",
                "Copy: if you can win at once, do; if not, answer with the symmetrical move.",
            )
        case "play" if number is None:
            return Text("Ganha esta partida.", "Win this game.")
        case _:
            return Text(f"Joga uma partida contra o nível {number}.", f"Play a game against level {number}.")


_MARK: dict[Marked, Text] = {
    "winning": Text("Marca todas as jogadas que ganham.", "Mark all the moves that win."),
    "losing": Text("Marca todas as jogadas que perdem.", "Mark all the moves that lose."),
    "safe": Text(
        "Marca todas as jogadas seguras: as que não deixam o adversário ganhar logo a seguir.",
        "Mark all the safe moves: those after which your opponent cannot win at once.",
    ),
    "immediate": Text("Marca todas as jogadas que ganham já.", "Mark all the moves that win at once."),
    "captures": Text("Marca todas as capturas.", "Mark all the captures."),
    "legal": Text("Marca todas as jogadas possíveis.", "Mark all the moves you may make."),
}
