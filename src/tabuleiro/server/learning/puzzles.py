"""Which puzzle comes next: of the day, for training, and in a run of puzzles that get harder.

A run is known by its name alone, which says what it is, in which game, and when it began: the puzzles follow from it,
and how far somebody came in it is read from what is kept of their tries. So a run goes on after a crash, in another
browser, and on another device of the same person.
"""

import asyncio
import datetime
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from tabuleiro import games
from tabuleiro.learn import Task
from tabuleiro.learn.puzzles import Puzzle, puzzles_of
from tabuleiro.server.identity import Who
from tabuleiro.server.learning.tries import Tried
from tabuleiro.server.store import Store

STATUS = "who wins"
#: School cycles, and which part of the puzzles of a game, from the easiest to the hardest, is for each.
CYCLES: dict[str, tuple[float, float]] = {"1": (0.0, 0.25), "2": (0.15, 0.5), "3": (0.35, 0.75), "sec": (0.55, 0.95)}
#: A puzzle for training is this near to the strength asked for, in points, or the nearest there is.
NEAR = 80.0
#: Themes that say little of what is to be learnt.
EVERYWHERE = ("trap", "long", "short")
#: A theme in common makes two puzzles so many points nearer; and siblings are drawn from so many times as many.
SHARED, FOUND = 400.0, 4

Mode = Literal["streak", "storm"]
#: Seconds of a storm.
STORM = 180.0
#: How much harder each puzzle of a run is, as a part of all puzzles of its game; none is harder than the last part.
HARDER: dict[Mode, float] = {"streak": 0.03, "storm": 0.015}
HARDEST = 0.98
#: A name of a run says its game by one of these; the last stands for all games.
_GAME_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ALL = "z"
_DIGITS = _GAME_LETTERS


def games_with_puzzles() -> list[str]:
    return [game for game in games.GAMES if puzzles_of(game)]


def number_of(ref: str) -> Puzzle | None:
    """The puzzle of a name, `puzzle/ouri/0123`."""
    kind, _, rest = ref.partition("/")
    game, _, number = rest.partition("/")
    if kind != "puzzle" or game not in games.GAMES or len(number) != 4 or not number.isdecimal():
        return None
    puzzles = puzzles_of(game)
    return puzzles[int(number) - 1] if 1 <= int(number) <= len(puzzles) else None


async def find(_store: Store, rest: str, _who: Who) -> Task | None:
    """The task `ouri/0123`."""
    puzzle = await asyncio.to_thread(number_of, f"puzzle/{rest}")
    return None if puzzle is None else await asyncio.to_thread(puzzle.task)


def some(game: str, theme: str | None, low: int, high: int) -> list[Puzzle]:
    """The puzzles of a game within a range of ratings, of a theme (`STATUS`: that ask who wins) or of any."""
    return [
        puzzle
        for puzzle in puzzles_of(game)
        if low <= puzzle.rating <= high and (theme is None or theme in puzzle.themes or theme == puzzle.goal == STATUS)
    ]


def in_order(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The easiest first."""
    return sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.number))


# ------------------------------------------------------------------------------------------------------------- the day


def of_the_day(day: datetime.date, cycle: str) -> Puzzle | None:
    """The puzzle of a day for a school cycle: of a game that the cycle plays, and as hard as suits it."""
    played = [game for game in games_with_puzzles() if cycle in games.get(game).cycles]
    if not played:
        return None
    chance = random.Random(f"{day.isoformat()} {cycle}")
    game = played[day.toordinal() % len(played)]
    moves = in_order([puzzle for puzzle in puzzles_of(game) if puzzle.goal != STATUS])
    low, high = CYCLES[cycle]
    return chance.choice(moves[int(low * len(moves)) : max(int(high * len(moves)), 1)])


# ------------------------------------------------------------------------------------------------------------ training


def for_training(
    game: str, strength: float, theme: str | None, status: bool, tried: Collection[str], chance: random.Random
) -> Puzzle | None:
    """A puzzle of about that strength, with a theme or a question, that was not tried before; where all were, any."""
    wanted = [
        puzzle
        for puzzle in puzzles_of(game)
        if (puzzle.goal == STATUS) == status and (theme is None or theme in puzzle.themes)
    ]
    new = [puzzle for puzzle in wanted if puzzle.ref not in tried] or wanted
    near = [puzzle for puzzle in new if abs(puzzle.rating - strength) <= NEAR]
    if near:
        return chance.choice(near)
    return min(new, key=lambda puzzle: abs(puzzle.rating - strength), default=None)


def siblings(
    game: str, themes: Collection[str], strength: float, tried: Collection[str], count: int, chance: random.Random
) -> list[Puzzle]:
    """Some puzzles of these themes and about that strength, the easiest first; those not tried before come first."""
    telling = {theme for theme in themes if theme not in EVERYWHERE} or {*themes}

    def apart(puzzle: Puzzle) -> float:
        return abs(puzzle.rating - strength) - SHARED * len(telling.intersection(puzzle.themes))

    moves = [puzzle for puzzle in puzzles_of(game) if puzzle.goal != STATUS]
    new = [puzzle for puzzle in moves if puzzle.ref not in tried]
    likely = sorted(new if len(new) >= count else moves, key=apart)[: FOUND * count]
    return in_order(chance.sample(likely, min(count, len(likely))))


# ---------------------------------------------------------------------------------------------------------------- runs


class Run(NamedTuple):
    mode: Mode
    #: None: of all games.
    game: str | None
    began: int
    #: What makes its puzzles others than those of another run.
    salt: str

    @property
    def name(self) -> str:
        letter = _ALL if self.game is None else _GAME_LETTERS[[*games.GAMES].index(self.game)]
        return f"{self.mode}{letter}{_base36(self.began)}{self.salt}"

    @property
    def ends(self) -> float | None:
        """When its time is up."""
        return self.began + STORM if self.mode == "storm" else None

    def puzzles(self) -> Iterator[Puzzle]:
        """The puzzles of the run, each a little harder than those before it, none twice."""
        chance = random.Random(self.name)
        played = games_with_puzzles() if self.game is None else [self.game]
        ordered = {game: in_order([each for each in puzzles_of(game) if each.goal != STATUS]) for game in played}
        step = 0
        while left := [mine for mine in ordered.values() if mine]:
            mine = chance.choice(left)
            place = min(step * HARDER[self.mode], HARDEST) + chance.uniform(0, 0.03)
            yield mine.pop(min(int(place * len(mine)), len(mine) - 1))
            step += 1


def new_run(mode: Mode, game: str | None, now: float, chance: random.Random) -> Run:
    return Run(mode, game, int(now), "".join(chance.choices(_DIGITS, k=2)))


def read_run(name: str, now: float) -> Run | None:
    """The run of that name; None where there can be none."""
    for mode in HARDER:
        rest = name.removeprefix(mode)
        if rest == name or len(rest) != 10 or not set(rest) <= set(_DIGITS):
            continue
        letter, began, salt = rest[0], int(rest[1:8], 36), rest[8:]
        known = [*games.GAMES]
        place = _GAME_LETTERS.index(letter)
        if began > now or (letter != _ALL and place >= len(known)):
            return None
        game = None if letter == _ALL else known[place]
        return Run(mode, game, began, salt) if game is None or puzzles_of(game) else None
    return None


class Stands(NamedTuple):
    """How a run stands."""

    solved: int
    failed: int
    #: The puzzle that comes now; None when the run is over.
    puzzle: Puzzle | None


def stands(run: Run, tries: Mapping[str, Tried], now: float) -> Stands:
    """How far somebody came in a run, by their tries in it. A streak ends with the first mistake or help; in a storm a
    puzzle that was not solved at once is left behind, until the time is up."""
    solved = failed = 0
    for puzzle in run.puzzles():
        tried = tries.get(puzzle.ref)
        late = tried is not None and run.ends is not None and tried.at > run.ends
        if tried is not None and tried.solved and _clean(tried) and not late:
            solved += 1
        elif tried is not None and not _clean(tried) and not late:
            failed += 1
            if run.mode == "streak":
                return Stands(solved, failed, None)
        else:
            over = run.ends is not None and now >= run.ends
            return Stands(solved, failed, None if over else puzzle)
    return Stands(solved, failed, None)


def _clean(tried: Tried) -> bool:
    return not tried.mistakes and not tried.hints


def _base36(number: int) -> str:
    text = ""
    for _ in range(7):
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text
