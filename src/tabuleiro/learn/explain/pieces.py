"""Games in which pieces are taken off: whether the answer takes one."""

from tabuleiro.language import Text
from tabuleiro.learn.explain.case import Case


def facts(case: Case) -> list[Text]:
    if case.ends_at_once or not case.takes:
        return []
    took = (
        Text("expulsa um berlinde", "ejects a marble")
        if case.after.id == "abalone"
        else Text("captura uma peça tua", "captures a piece of yours")
    )
    return [
        Text(
            f"O adversário responde {case.reply_name} e {took.pt}.",
            f"Your opponent answers {case.reply_name} and {took.en}.",
        )
    ]
