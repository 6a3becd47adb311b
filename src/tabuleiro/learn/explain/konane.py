"""Konane: how many jumps each side has at hand."""

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.learn.explain.case import Case


def facts(case: Case) -> list[Text]:
    try:
        mine = len(truth.other_to_move(case.after).legal_moves())
    except TabuleiroError:  # in the opening by removal the turns are fixed
        return []
    theirs = len(case.after.legal_moves())
    said = [
        Text(
            f"Depois de {case.name} tens {_jumps(mine).pt} à escolha; o adversário tem {_jumps(theirs).pt}.",
            f"After {case.name} you have {_jumps(mine).en} to choose from; your opponent has {_jumps(theirs).en}.",
        )
    ]
    if case.replied is not None:
        case.is_told = True
        left = len(case.replied.legal_moves())
        said.append(
            Text(f"Com {case.reply_name} ficas sem nenhum.", f"{case.reply_name} leaves you without any.")
            if left == 0
            else Text(
                f"Com a resposta {case.reply_name} ficas com {_jumps(left).pt}; se o adversário continuar bem, és tu "
                "que ficas sem saltos primeiro.",
                f"The answer {case.reply_name} leaves you {_jumps(left).en}; if your opponent plays well, you run out "
                "of jumps first.",
            )
        )
    return said


def _jumps(count: int) -> Text:
    if count == 0:
        return Text("nenhum salto", "no jump")
    return Text("1 salto", "1 jump") if count == 1 else Text(f"{count} saltos", f"{count} jumps")
