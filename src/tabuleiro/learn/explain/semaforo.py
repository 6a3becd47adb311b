"""Semáforo: who runs out of safe moves."""

from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.learn.explain.case import Case


def facts(case: Case) -> list[Text]:
    move, after = case.name, case.after
    if case.ends_at_once:
        case.is_told = True
        return [
            Text(
                f"Depois de {move}, o adversário completa três em linha em {case.reply_name}.",
                f"After {move} your opponent completes three in a row at {case.reply_name}.",
            )
        ]
    if not case.is_lost:
        return []
    safe = sum(truth.is_safe(after, answer) for answer in after.legal_moves())
    left = (
        Text(f"Depois de {move} resta uma só jogada segura", f"After {move} one safe move is left")
        if safe == 1
        else Text(f"Depois de {move} restam {safe} jogadas seguras", f"After {move} {safe} safe moves are left")
    )
    # Whoever is lost comes, against good play, to a position in which every move lets the other complete a line.
    return [
        Text(
            f"{left.pt}, e é o adversário quem joga: se jogar bem, és tu que ficas sem elas.",
            f"{left.en}, and your opponent is to move: playing well, they leave you without any.",
        )
    ]
