"""How people write column titles, cycles, games and arrangements in their tables."""

import re
import unicodedata
from collections.abc import Sequence

from tabuleiro import games
from tabuleiro.championship.edition import ARRANGEMENTS, Edition
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

#: Column titles, as people write them; compared without accents, case, dots and spaces at the ends.
TITLES: dict[str, tuple[str, ...]] = {
    "name": ("nome", "aluno", "aluna", "nome do aluno", "nome completo", "jogador", "name", "pupil", "student"),
    "school": ("escola", "agrupamento", "nome da escola", "instituicao", "clube", "school", "club"),
    "region": ("regiao", "distrito", "concelho", "localidade", "region", "district", "town"),
    "class": ("turma", "class"),
    "cycle": ("ciclo", "nivel", "ciclo de ensino", "escalao", "cycle", "level"),
    "year": ("ano", "ano de escolaridade", "year", "grade"),
    "game": ("jogo", "modalidade", "prova", "game"),
    "teacher": ("professor", "professora", "docente", "professor responsavel", "responsavel", "teacher"),
    "arrangements": ("adaptacoes", "necessidades", "medidas", "apoio", "arrangements", "needs"),
}
REQUIRED = ("name", "school", "game")


def plain(text: str) -> str:
    """A text for comparing: without accents, case, dots, double spaces.

    >>> plain("  José  DA Silva. ")
    'jose da silva'
    """
    # Ordinal signs go before the accents do, which would make letters of them.
    letters = unicodedata.normalize("NFKD", re.sub(r"[.ºª°]", " ", text).casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def read_cycle(text: str, edition: Edition) -> str | None:
    """The cycle somebody means by `1.º`, `1º CEB`, `2.º ciclo`, `Secundário`; None for nonsense."""
    word = plain(text)
    for cycle, name in edition.cycles.items():
        if word in (plain(cycle), plain(name.pt), plain(name.en)):
            return cycle
    found = re.fullmatch(r"([1-3]) ?(?:o|st|nd|rd)?(?: (?:ciclo|ceb|cycle|ciclo do ensino basico))?", word)
    if found and found[1] in edition.cycles:
        return found[1]
    return "sec" if re.match(r"(ensino )?(sec|secundario|secondary)\b", word) and "sec" in edition.cycles else None


def cycle_of_year(text: str) -> str | None:
    """The cycle of a school year: 1–4, 5–6, 7–9, 10–12."""
    found = re.match(r"(\d{1,2})\b", plain(text))
    year = int(found[1]) if found else 0
    bounds = {"1": range(1, 5), "2": range(5, 7), "3": range(7, 10), "sec": range(10, 13)}
    return next((cycle for cycle, years in bounds.items() if year in years), None)


def read_game(text: str, edition: Edition) -> str | None:
    for game in sorted({section.game for section in edition.sections}):
        name = games.get(game).name
        if plain(text) in (game, plain(name.pt), plain(name.en)):
            return game
    return None


def read_arrangements(text: str) -> tuple[str, ...] | None:
    found = []
    for part in re.split(r"[,;/+]| e | and ", text):
        word = plain(part)
        if not word or word in ("-", "nao", "no", "nenhuma", "none"):
            continue
        known = [key for key, name in ARRANGEMENTS.items() if word in (key, plain(name.pt), plain(name.en))]
        if not known:
            return None
        found += known
    return tuple(dict.fromkeys(found))


def find_titles(rows: Sequence[Sequence[str]], required: Sequence[str] = REQUIRED) -> tuple[int, dict[str, int]]:
    """The place of the row of titles, among the first ten, and in which column each thing stands."""
    place, columns = _best_titles(rows)
    if missing := [key for key in required if key not in columns]:
        names = {"name": Text("nome", "name"), "school": Text("escola", "school"), "game": Text("jogo", "game")}
        raise TabuleiroError(
            Text(
                f"falta a coluna: {', '.join(names[key].pt for key in missing)}",
                f"a column is missing: {', '.join(names[key].en for key in missing)}",
            )
        )
    return place, columns


def _best_titles(rows: Sequence[Sequence[str]]) -> tuple[int, dict[str, int]]:
    """Where most titles stand in one row; nowhere in an empty table."""
    best: tuple[int, dict[str, int]] = 0, {}
    for place, row in enumerate(rows[:10]):
        columns: dict[str, int] = {}
        for column, cell in enumerate(row):
            for key, titles in TITLES.items():
                if plain(cell) in titles and key not in columns:
                    columns[key] = column
        if len(columns) > len(best[1]):
            best = place, columns
    return best
