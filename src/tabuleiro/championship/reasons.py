"""Why two meet, and what a number of the standings is made of: sentences in both languages."""

from collections.abc import Callable

from tabuleiro.championship.edition import TIE_BREAKS
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Flag, Pairing, Result
from tabuleiro.championship.standings import Row
from tabuleiro.language import Text

Names = Callable[[Person], str]


def number(value: float) -> str:
    """Points as people write them: 2, 2½, 2¼.

    >>> number(2.5), number(0.25), number(3)
    ('2½', '¼', '3')
    """
    whole, part = divmod(value, 1)
    fraction = {0.0: "", 0.25: "¼", 0.5: "½", 0.75: "¾"}[part]
    return fraction if fraction and not whole else f"{int(whole)}{fraction}"


def why(pairing: Pairing, names: Names) -> Text:
    """How a pairing came about."""
    by, one = pairing.why.get("by"), names(pairing.one)
    two = "" if pairing.two is None else names(pairing.two)
    if by == "hand":
        return Text("decidido pelo árbitro", "decided by the arbiter")
    if by == "berger":
        return Text(f"tabela de Berger, jornada {pairing.why['round']}", f"Berger table, round {pairing.why['round']}")
    if by == "third_place":
        return Text("jogo do terceiro lugar", "game for the third place")
    if by in ("bracket", "match"):
        if pairing.two is None:
            return Text(f"{one} passa sem jogar", f"{one} goes on without playing")
        return Text("lugares do quadro", "places of the bracket") if by == "bracket" else Text("encontro", "match")
    return _matched(pairing, one, two)


def _matched(pairing: Pairing, one: str, two: str) -> Text:
    cost, points = pairing.why["cost"], [number(value) for value in pairing.why["points"]]
    if pairing.two is None:
        if cost.get("second_bye"):
            return Text(
                f"{one} ({points[0]}) fica isento outra vez: todos já estiveram",
                f"{one} ({points[0]}) has a bye again: everybody has had one",
            )
        if cost.get("points"):
            return Text(
                f"{one} ({points[0]}) fica isento, com mais pontos do que o último: é o melhor no conjunto da jornada",
                f"{one} ({points[0]}) has the bye, with more points than the last: best for the round as a whole",
            )
        return Text(
            f"{one} ({points[0]}) fica isento: ninguém tem menos pontos, e ainda não o tinha ficado",
            f"{one} ({points[0]}) has the bye: nobody has fewer points, and it is the first one",
        )
    same = points[0] == points[1]
    good = [
        Text(f"ambos com {points[0]}", f"both with {points[0]}")
        if same
        else Text(
            f"{points[0]} contra {points[1]}, o mais próximo no conjunto da jornada",
            f"{points[0]} against {points[1]}, the nearest for the round as a whole",
        )
    ]
    if cost.get("rematch"):
        times = cost["rematch"]
        good.append(Text(f"já se encontraram ({times}): não há alternativa", f"met before ({times}): no way round it"))
    else:
        good.append(Text("ainda não se encontraram", "have not met"))
    if cost.get("school"):
        good.append(Text("são da mesma escola", "are of the same school"))
    if cost.get("fixed_table"):
        good.append(Text("ambos têm mesa fixa: um muda", "both have a fixed table: one moves"))
    (begun, _), (begun_two, _) = pairing.why["starts"]
    good.append(
        Text(
            f"começa {one} (já começou {begun}×; {two}: {begun_two}×)",
            f"{one} begins (has begun {begun}×; {two}: {begun_two}×)",
        )
    )
    return Text("; ".join(text.pt for text in good), "; ".join(text.en for text in good))


def result(outcome: Result | None) -> str:
    """A result as it is written on slips: 1-0, ½-½, 1-0f (the other one did not come), bye."""
    if outcome is None:
        return "…"
    if outcome.how == "bye":
        return "bye"
    if outcome.how == "double_forfeit":
        return "0-0f"
    if outcome.how == "forfeit":
        return "1-0f" if outcome.winner == 1 else "0-1f"
    written = {1: "1-0", 2: "0-1", None: "½-½"}[outcome.winner]
    return written + ("*" if outcome.how == "adjudicated" else "")


def tie_break(row: Row, name: str, names: Names) -> Text:
    """A number of the standings as its sum."""
    explained, label = row.tie_breaks[name], TIE_BREAKS[name]
    if name in ("playoff", "lots"):
        drawn = int(-explained.value)
        what = (
            Text(f"{drawn}.º", f"number {drawn}") if name == "playoff" else Text(f"número {drawn}", f"number {drawn}")
        )
        return Text(f"{label.pt}: {what.pt}", f"{label.en}: {what.en}")
    pieces = []
    for term in explained.terms:
        whose = f" ({names(term.opponent)})" if term.opponent is not None else f" (J{term.round})"
        pieces.append(f"[{number(term.value)}{whose}]" if term.dropped else f"{number(term.value)}{whose}")
    total = f"{number(explained.value)} = {' + '.join(pieces) or '0'}"
    return Text(f"{label.pt}: {total}", f"{label.en}: {total.replace('(J', '(R')}")


def flag(mark: Flag) -> Text:
    """What an arbiter must look at, because it was changed after something had been built on it."""
    if mark.kind == "settings":
        return Text(
            f"{mark.where}: as regras mudaram depois de haver jornadas (acontecimento {mark.event})",
            f"{mark.where}: settings changed after rounds had been paired (event {mark.event})",
        )
    where = Text(
        f"{mark.where}, jornada {mark.round}, mesa {mark.table}",
        f"{mark.where}, round {mark.round}, table {mark.table}",
    )
    if mark.kind == "later_round":
        return Text(
            f"{where.pt}: o resultado mudou depois de emparelhada a jornada seguinte (acontecimento {mark.event})",
            f"{where.en}: the result changed after the next round had been paired (event {mark.event})",
        )
    return Text(
        f"{where.pt}: o resultado mudou depois de sorteada a fase seguinte (acontecimento {mark.event})",
        f"{where.en}: the result changed after the next stage had been drawn (event {mark.event})",
    )
