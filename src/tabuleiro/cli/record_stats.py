"""`tabuleiro record stats`: how the games of files begin, how long they are, who wins."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import JsonOption, file_path, naming
from tabuleiro.cli.speech import both, figure, language, print_json, print_rich, tr

if TYPE_CHECKING:
    from rich.table import Table

    from tabuleiro.collection import OpeningTree, Replayed, Results, Statistics

HELP = both(
    "Conta as partidas de ficheiros: aberturas, duração, quem ganha, nível a nível.",
    "Count the games of files: openings, lengths, who wins, level by level.",
)
#: Moves of an opening that a table shows, the most frequent ones.
BROAD = 5


def stats(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help=both("Ficheiros .tab, .jsonl ou .parquet.", "Files .tab, .jsonl or .parquet."),
        ),
    ],
    depth: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=40,
            help=both("Jogadas das aberturas, de 1 a 40.", "Plies of the openings, from 1 to 40."),
        ),
    ] = 4,
    at_least: Annotated[
        int,
        typer.Option(
            "--at-least",
            metavar="N",
            min=1,
            help=both("Só aberturas com pelo menos N partidas.", "Only openings with at least N games."),
        ),
    ] = 2,
    json: JsonOption = False,
) -> None:
    from tabuleiro.collection import statistics_of

    counted = statistics_of(_played(files, depth), depth)
    if json:
        print_json([_as_json(each, at_least) for each in counted])
        return
    for each in counted:
        _tell(each, at_least)


def _played(files: list[str], depth: int) -> "Iterator[Replayed]":
    from tabuleiro.collection import read_rows, replayed

    for name in files:
        with naming(name):
            yield from replayed(read_rows(file_path(name)), depth)


# --------------------------------------------------------------------------------------------------------------- JSON


def _results(results: "Results") -> dict[str, int]:
    return {"games": results.games, **results._asdict()}


def _as_json(counted: "Statistics", at_least: int) -> dict[str, Any]:
    return {
        "game": counted.game,
        "options": dict(counted.options),
        "start": counted.start,
        "results": _results(counted.by_result),
        "endings": dict(counted.endings.most_common()),
        "plies": {
            "shortest": counted.length(0),
            "median": counted.length(0.5),
            "longest": counted.length(1),
            "mean": round(counted.mean_length, 2),
        },
        "players": [{"one": one, "two": two, "results": _results(results)} for (one, two), results in counted.pairs()],
        "positions_by_ply": counted.tree.by_ply(),
        "openings": [*_positions(counted.tree, counted.first.hash64(), at_least)],
    }


def _positions(tree: "OpeningTree", start: int, at_least: int) -> Iterator[dict[str, Any]]:
    """Every position of the tree once, before those that follow it: what was played there, and to which position each
    move leads, by its key."""
    waiting, told = [start], {start}
    for key in waiting:
        moves = [each for each in tree.at(key) if each.results.games >= at_least]
        yield {
            "key": f"{key:016x}",
            "results": _results(tree.results(key)),
            "moves": [
                {"move": each.move, "results": _results(each.results), "after": f"{each.after:016x}"} for each in moves
            ],
        }
        for each in moves:
            if each.after not in told:
                told.add(each.after)
                waiting.append(each.after)


# -------------------------------------------------------------------------------------------------------------- people


def _tell(counted: "Statistics", at_least: int) -> None:
    from tabuleiro.games import get

    options = "".join(f" {name}={value}" for name, value in counted.options)
    name, games = get(counted.game).name.to(language()), figure(counted.games)
    print(tr(f"{name}{options}: {games} partidas", f"{name}{options}: {games} games"))
    if counted.start is not None:
        print(tr(f"  a partir de {counted.start}", f"  from {counted.start}"))
    print(f"  {_said(counted.by_result)}")
    mean = figure(counted.mean_length, 1)
    print(
        tr(
            f"  jogadas: {counted.length(0)} a {counted.length(1)}, em média {mean}, mediana {counted.length(0.5)}",
            f"  plies: {counted.length(0)} to {counted.length(1)}, mean {mean}, median {counted.length(0.5)}",
        )
    )
    positions = " ".join(figure(count) for count in counted.tree.by_ply())
    print(tr(f"  posições diferentes, jogada a jogada: {positions}", f"  different positions, ply by ply: {positions}"))
    print_rich(_openings(counted, at_least))
    if counted.players:
        print_rich(_players(counted))


def _said(results: "Results") -> str:
    parts = [
        tr("o primeiro ganha ", "the first wins ") + _share(results.one, results.games),
        tr("o segundo ", "the second ") + _share(results.two, results.games),
    ]
    if results.draws:
        parts.append(tr("empates ", "draws ") + _share(results.draws, results.games))
    if results.unfinished:
        parts.append(tr("por acabar ", "not finished ") + _share(results.unfinished, results.games))
    return ", ".join(parts)


def _share(count: int, games: int) -> str:
    return f"{figure(count)} ({figure(100 * count / max(games, 1), 1)} %)"


def _table(*titles: str) -> "Table":
    from rich.table import Table

    table = Table()
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left")
    return table


_NUMBERS = ("partidas", "games"), ("1.º ganha", "1st wins"), ("2.º ganha", "2nd wins"), ("empates", "draws")


def _openings(counted: "Statistics", at_least: int) -> "Table":
    table = _table(tr("abertura", "opening"), *(tr(*title) for title in _NUMBERS))
    tree = counted.tree

    def rows(key: int, ply: int) -> None:
        for each in tree.at(key)[:BROAD] if ply < tree.depth else []:
            if each.results.games < at_least:
                break
            games = each.results.games
            # A position that other ways lead to as well has more games than this move.
            others = tree.results(each.after).games - games
            also = tr(f" (+{others} por outra ordem)", f" (+{others} by another order)") if others else ""
            shares = (f"{figure(100 * count / games)} %" for count in each.results[:3])
            table.add_row("  " * ply + each.move + also, figure(games), *shares)
            rows(each.after, ply + 1)

    rows(counted.first.hash64(), 0)
    return table


def _players(counted: "Statistics") -> "Table":
    table = _table(tr("jogadores", "players"), *(tr(*title) for title in _NUMBERS))
    for (one, two), results in counted.pairs():
        table.add_row(f"{one} – {two}", *(figure(count) for count in (results.games, *results[:3])))
    return table
