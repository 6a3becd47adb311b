"""What a pupil is told where the lesson itself says nothing."""

from tabuleiro.core import Player, Position
from tabuleiro.language import Text
from tabuleiro.learn.task import DRAW, MOVER, OTHER


def choice_name(position: Position, choice: str, may_pass: bool) -> Text:
    if choice == DRAW:
        return Text("Empate", "A draw")
    if choice in (MOVER, OTHER) and may_pass:
        return (
            Text("Quem começa, seja quem for", "Whoever begins")
            if choice == MOVER
            else Text("Quem não começa, seja quem for", "Whoever does not begin")
        )
    player = position.turn if choice == MOVER else position.turn.other if choice == OTHER else Player(int(choice))
    side = position.side(player)
    name = Text(side.the.pt[:1].upper() + side.the.pt[1:], side.the.en[:1].upper() + side.the.en[1:])
    if may_pass:
        return Text(f"{name.pt}, comece quem começar", f"{name.en}, whoever begins")
    turn = Text("quem joga agora", "to move now") if choice == MOVER else Text("quem espera", "waiting")
    return Text(f"{name.pt} ({turn.pt})", f"{name.en} ({turn.en})")


def not_the_set(extra: tuple[str, ...], missing: int) -> Text:
    parts = []
    if extra:
        listed = ", ".join(extra)
        parts.append(Text(f"não é para marcar: {listed}", f"these do not belong: {listed}"))
    if missing:
        parts.append(Text(f"por marcar: {missing}", f"still missing: {missing}"))
    pt, en = ("; ".join(said) for said in zip(*parts, strict=True))
    return Text(f"Ainda não: {pt}.", f"Not yet: {en}.")


SOLVED = Text("Certo!", "Right!")
GO_ON = Text("Boa! Continua.", "Good! Go on.")
NOT_SO = Text("Não é essa. Vê porquê e tenta outra vez.", "Not that one. See why, and try again.")
SLOW = Text(
    "Essa também ganha, mas demora mais. Procura uma mais rápida.",
    "That one wins too, but takes longer. Look for a quicker one.",
)
LOST = Text("Desta vez não ganhaste. Começa de novo.", "You did not win this time. Begin again.")
LOOK = Text("Olha para estas casas.", "Look at these cells.")
NO_HELP = Text("Aqui não há ajuda: joga o que achares melhor.", "There is no help here: play what you think best.")
DONE = Text("esta tarefa já está resolvida", "this task is solved already")
WAYS: dict[str, Text] = {
    "move": Text("aqui faz-se uma jogada", "a move is asked for here"),
    "mark": Text("aqui marcam-se todas as jogadas certas de uma vez", "all the right moves are marked at once here"),
    "say": Text("aqui diz-se quem ganha", "it is asked who wins here"),
}
