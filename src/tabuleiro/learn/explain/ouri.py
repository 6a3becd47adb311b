"""Ouri: seeds, by the tables of endings where they reach, else those that the answer takes."""

from tabuleiro.language import Text, plural
from tabuleiro.learn import truth
from tabuleiro.learn.explain.case import Case


def facts(case: Case) -> list[Text]:
    said: list[Text] = []
    if took := truth.taken(case.before, case.move):
        seeds = _seeds(took)
        said.append(Text(f"Capturas {seeds.pt}, mas não chega.", f"You take {seeds.en}, but that is not enough."))
    gains = truth.gains(case.node)
    gain, known = gains[case.move], [each for each in gains.values() if each is not None]
    if gain is not None and len(known) == len(gains):
        said.append(_by_the_end(case.name, gain, max(known)))
    elif case.takes:
        seeds = _seeds(case.takes)
        said.append(
            Text(
                f"O adversário responde {case.reply_name} e captura {seeds.pt}.",
                f"Your opponent answers {case.reply_name} and takes {seeds.en}.",
            )
        )
    return said


def _by_the_end(move: str, gain: int, best: int) -> Text:
    lost, could = _balance(gain), _balance(best)
    if gain == best:
        return Text(f"Daqui até ao fim, com {move}, {lost.pt}.", f"From here to the end, with {move}, {lost.en}.")
    return Text(
        f"Daqui até ao fim, com {move}, {lost.pt}; com a jogada certa, {could.pt}.",
        f"From here to the end, with {move}, {lost.en}; with the right move, {could.en}.",
    )


def _balance(gain: int) -> Text:
    seeds = _seeds(abs(gain))
    if gain == 0:
        return Text("recolhem os dois o mesmo", "both collect the same")
    if gain > 0:
        return Text(f"recolhes mais {seeds.pt} do que o adversário", f"you collect {seeds.en} more than your opponent")
    return Text(f"o adversário recolhe mais {seeds.pt} do que tu", f"your opponent collects {seeds.en} more than you")


def _seeds(count: int) -> Text:
    return plural(count, Text("semente", "seed"), Text("sementes", "seeds"))
