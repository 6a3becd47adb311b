"""`tabuleiro puzzles`: find new puzzles, prove those there are, and see how well their ratings fit."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import GameArgument, file_path, find_game
from tabuleiro.cli.crews import ProcessesOption, RayOption, crew_line, crew_of
from tabuleiro.cli.speech import both, complain, figure, language, tr
from tabuleiro.language import Text, number, plural

if TYPE_CHECKING:
    from tabuleiro.learn.puzzles import Puzzle
    from tabuleiro.learn.puzzles.mine import Tally

HELP = both("Procura e confere problemas.", "Find and check puzzles.")
MINE_HELP = both(
    "Procura problemas novos, com todas as jogadas provadas, e junta-os a um ficheiro.",
    "Find new puzzles, every move of them proven, and add them to a file.",
)
VERIFY_HELP = both(
    "Prova de novo os problemas, pelas regras ou por um solucionador.",
    "Prove the puzzles anew, by the rules or by a solver.",
)
RATE_HELP = both(
    "Avalia de novo a dificuldade de todos, pelos níveis como são agora.",
    "Rate all of them anew, by the levels as they are now.",
)
GRADE_HELP = both(
    "Compara a dificuldade, que vem dos níveis ímpares, com os erros dos níveis pares.",
    "Compare the ratings, which come from the odd levels, with the failures of the even ones.",
)

#: Seconds of processor time between two times at which what was found is saved.
SAVE_EVERY = 15.0

SampleOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help=both("Só N problemas, à sorte.", "N puzzles only, by chance."),
    ),
]
SeedOption = Annotated[int, typer.Option(metavar="N", help=both("Número do sorteio.", "Seed of the draw."))]


def mine(
    game: GameArgument,
    minutes: Annotated[
        float,
        typer.Option(
            metavar="M",
            min=0.01,
            max=10_000,
            help=both("Minutos de processador (1 se nada disseres).", "Minutes of processor time (1 if not given)."),
        ),
    ] = 1.0,
    count: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=both("Para quando o ficheiro tem N problemas.", "Stop when the file has N puzzles."),
        ),
    ] = None,
    seed: SeedOption = 1,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=both(
                "O ficheiro a que se juntam (GAME.xz se nada disseres).",
                "The file to which they are added (GAME.xz if not given).",
            ),
        ),
    ] = None,
    processes: ProcessesOption = None,
    ray: RayOption = None,
) -> None:
    from tabuleiro.learn.puzzles import mine as mining
    from tabuleiro.learn.puzzles import store

    kind = find_game(game)
    path = into or Path(f"{kind.id}{store.SUFFIX}")
    puzzles = store.load(kind.id, path)
    before = len(puzzles)
    tally = mining.Tally()
    limit = 60 * minutes
    crew = crew_of(processes, ray)
    with _bar(tr("a procurar", "mining"), limit) as show:

        def go_on(tally: "Tally") -> bool:
            show(tally.seconds, _kept(tally.kept) if crew.size == 1 else f"{_kept(tally.kept)}; {crew_line(crew)}")
            return tally.seconds < limit and (count is None or len(puzzles) < count)

        saved = 0.0
        for puzzle in mining.mine(kind.id, list(puzzles), seed, go_on, tally, crew):
            puzzles.append(puzzle)
            if tally.seconds - saved > SAVE_EVERY:
                store.save(path, puzzles)
                saved = tally.seconds
    store.save(path, puzzles)
    print(_mined(kind.name.to(language()), tally, len(puzzles) - before, len(puzzles), path))


def _kept(kept: int) -> str:
    return plural(kept, Text("problema", "puzzle"), Text("problemas", "puzzles")).to(language())


def _mined(name: str, tally: "Tally", new: int, count: int, path: Path) -> str:
    rate, share = figure(tally.a_minute, 0), figure(100 * tally.share, 1)
    size = figure(path.stat().st_size / count, 1) if count else "-"
    looked, seconds = number(tally.looked_at, language()), figure(tally.seconds, 1)
    return tr(
        f"{name}: {new} novos de {looked} posições em {seconds} s de processador: {rate} por minuto, ficaram {share} % "
        f"(iguais ou parecidos: {tally.found - tally.kept}). {path}: {count}, {size} bytes cada.",
        f"{name}: {new} new of {looked} positions in {seconds} s of processor time: {rate} a minute, {share} % kept "
        f"(the same or alike: {tally.found - tally.kept}). {path}: {count}, {size} bytes each.",
    )


def verify(
    game: GameArgument,
    sample: SampleOption = None,
    seed: SeedOption = 1,
    positions: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help=both(
                "Posições que se veem pelas regras antes de perguntar a um solucionador.",
                "Positions looked at by the rules before a solver is asked.",
            ),
        ),
    ] = 60_000,
    into: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help=both("Outro ficheiro.", "Another file."))
    ] = None,
) -> None:
    from tabuleiro.learn.puzzles.prove import prove

    kind = find_game(game)
    chosen = _chosen(kind.id, sample, seed, into)
    begin, wrong, by = time.process_time(), 0, {"rules": 0, "solver": 0}
    with _bar(tr("a conferir", "verifying"), len(chosen)) as show:
        for done, puzzle in enumerate(chosen, start=1):
            proof = prove(puzzle, positions)
            by[proof.by] += 1
            if proof.problem is not None:
                wrong += 1
                complain(Text(f"{puzzle.ref}: {proof.problem.pt}", f"{puzzle.ref}: {proof.problem.en}"))
            show(done, _kept(done))
    seconds = figure(time.process_time() - begin, 1)
    print(
        tr(
            f"{kind.name.pt}: {len(chosen)} problemas, {by['rules']} pelas regras e {by['solver']} por um "
            f"solucionador, {seconds} s: {wrong} errados",
            f"{kind.name.en}: {len(chosen)} puzzles, {by['rules']} by the rules and {by['solver']} by a solver, "
            f"{seconds} s: {wrong} wrong",
        )
    )
    if wrong:
        raise typer.Exit(1)


def rate(
    game: GameArgument,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=both(
                "O ficheiro a avaliar (GAME.xz se nada disseres); se não o há, fica com os problemas do pacote.",
                "The file to rate (GAME.xz if not given); where there is none, it gets the puzzles of the package.",
            ),
        ),
    ] = None,
) -> None:
    from tabuleiro.learn.puzzles import puzzles_of, store
    from tabuleiro.learn.puzzles.rating import correlation, rated

    kind = find_game(game)
    path = into or Path(f"{kind.id}{store.SUFFIX}")
    before = store.load(kind.id, path) or list(puzzles_of(kind.id))
    begin, after = time.process_time(), []
    with _bar(tr("a avaliar", "rating"), len(before)) as show:
        for puzzle in before:
            after.append(rated(puzzle))
            show(len(after), _kept(len(after)))
    store.save(path, after)
    same = figure(correlation([puzzle.rating for puzzle in before], [puzzle.rating for puzzle in after]), 2)
    seconds = figure(time.process_time() - begin, 1)
    print(
        tr(
            f"{kind.name.pt}: {len(after)} problemas avaliados em {seconds} s; correlação de ordem com a dificuldade "
            f"de antes: {same}. {path}",
            f"{kind.name.en}: {len(after)} puzzles rated in {seconds} s; rank correlation with the ratings before: "
            f"{same}. {path}",
        )
    )


def grade(
    game: GameArgument,
    sample: SampleOption = 150,
    seed: SeedOption = 1,
    tries: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            help=both(
                "Tentativas de cada nível par que procura à sorte (Hex).",
                "Tries of each even level that searches by chance (Hex).",
            ),
        ),
    ] = 32,
) -> None:
    from tabuleiro.learn.puzzles.rating import gradable, grades

    kind = find_game(game)
    chosen = [puzzle for puzzle in _chosen(kind.id, None, seed, None) if gradable(puzzle)]
    chosen = _sampled(chosen, sample, seed)
    with _bar(tr("a tentar", "trying"), len(chosen)) as show:
        graded = grades(chosen, tries, seed, lambda done: show(done, _kept(done)))
    agreement, most = figure(graded.agreement, 2), figure(graded.reliability**0.5, 2)
    mean = figure(100 * sum(graded.failed) / len(chosen), 0)
    print(
        tr(
            f"{kind.name.pt}: {len(chosen)} problemas, os níveis pares falharam {mean} %; correlação de ordem com a "
            f"dificuldade: {agreement}, de {most} que as tentativas permitem",
            f"{kind.name.en}: {len(chosen)} puzzles, the even levels failed {mean} %; rank correlation with the "
            f"ratings: {agreement}, of {most} that the tries allow",
        )
    )


def _chosen(game: str, sample: int | None, seed: int, path: Path | None) -> "list[Puzzle]":
    from tabuleiro.learn.puzzles import puzzles_of, store

    puzzles = list(puzzles_of(game)) if path is None else store.load(game, file_path(str(path)))
    return _sampled(puzzles, sample, seed)


def _sampled(puzzles: "list[Puzzle]", sample: int | None, seed: int) -> "list[Puzzle]":
    from tabuleiro.learn.puzzles.rating import sampled

    return puzzles if sample is None else sampled(puzzles, sample, seed)


@contextmanager
def _bar(what: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """A bar for a person who waits at a terminal; for a log nothing."""
    if not sys.stderr.isatty():
        yield lambda done, said: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total, said="")
        yield lambda done, said: bars.update(task, completed=done, said=said)
