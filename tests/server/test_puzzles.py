"""Puzzles on the site: what comes next, what counts for a rating, and runs that outlive the browser."""

import datetime
import random
from itertools import islice
from typing import Any

from server.people import Json, LocalServer, Person
from server.school import organiser, pupil, school_class, teacher
from tabuleiro.games import GAMES
from tabuleiro.learn.puzzles import find_puzzle, puzzles_of
from tabuleiro.server.learning import puzzle_schemas, puzzles
from tabuleiro.server.learning.tries import Tried

NOW = 1_800_000_000.0


def overview(person: Person) -> Json:
    told: Json = person.get("/api/v1/puzzles")
    puzzle_schemas.PuzzlesOverview.model_validate(told)
    return told


def attempt(person: Person, ref: str, *acts: str, **more: Any) -> Json:
    told: Json = person.post(f"/api/v1/tasks/{ref}/attempts", {"acts": [*acts], **more})
    return told


def answer(ref: str) -> str:
    puzzle = puzzles.number_of(ref)
    assert puzzle is not None
    return f"move {puzzle.answer.split()[0]}"


def wrong(ref: str) -> str:
    puzzle = puzzles.number_of(ref)
    assert puzzle is not None
    task = puzzle.task()
    position = task.node().position
    return "move " + next(position.move_str(move) for move in position.legal_moves() if move not in task.answer)


def solve(person: Person, ref: str, **more: Any) -> Json:
    """Solve a puzzle at once, playing on where it asks for that."""
    acts = [answer(ref)]
    told = attempt(person, ref, *acts, **more)
    while not told["solved"]:
        hinted = attempt(person, ref, *acts, "hint", keep=False)
        acts.append(f"move {hinted['hint']['moves'][0]}")
        told = attempt(person, ref, *acts, **more)
    return told


def simple(game: str = "semaforo", after: int = 0) -> str:
    """The name of a puzzle that one move solves."""
    return [puzzle.ref for puzzle in puzzles_of(game) if puzzle.goal == "win"][after]


def rating(person: Person, game: str = "semaforo") -> Any:
    return next(each["rating"] for each in overview(person)["games"] if each["game"] == game)


def test_siblings_share_a_theme_and_are_near() -> None:
    chance = random.Random(3)
    for game, theme in (("konane", "stop early"), ("avanco", "sacrifice"), ("hex", "must-play"), ("semaforo", "tempo")):
        found = puzzles.siblings(game, (theme, "trap"), 1200.0, (), 3, chance)
        assert len(found) == 3 and all(theme in puzzle.themes and puzzle.goal != puzzles.STATUS for puzzle in found)
        left = sorted(abs(each.rating - 1200) for each in puzzles_of(game) if theme in each.themes)
        assert max(abs(puzzle.rating - 1200) for puzzle in found) <= left[min(30, len(left) - 1)]
        again = puzzles.siblings(game, (theme,), 1200.0, {puzzle.ref for puzzle in found}, 3, chance)
        assert not {*again} & {*found}, "new ones first"
    assert len(puzzles.siblings("semaforo", (), 1200.0, (), 3, chance)) == 3


def test_all_games_are_there_and_today_has_one_for_each_cycle(ana: Person) -> None:
    told = overview(ana)
    assert [each["game"] for each in told["games"]] == [game for game in GAMES if puzzles_of(game)]
    assert [each["cycle"] for each in told["day"]] == ["1", "2", "3", "sec"]
    assert ana.get("/api/v1/puzzles/day/2") == told["day"][1]
    assert ana.web.get("/api/v1/puzzles/day/4").status_code == 404
    assert all(each["rating"] is None and each["themes"] for each in told["games"])
    days = [puzzles.of_the_day(datetime.date(2027, 1, day), "1") for day in range(1, 20)]
    assert len({puzzle.ref for puzzle in days if puzzle}) > 15
    assert days[0] == puzzles.of_the_day(datetime.date(2027, 1, 1), "1")
    easy, hard = (puzzles.of_the_day(datetime.date(2027, 1, 1), cycle) for cycle in ("1", "sec"))
    assert easy is not None and hard is not None
    assert "1" in type(easy.position()).cycles and "sec" in type(hard.position()).cycles


def test_a_try_is_rated_once_and_not_with_help(server: LocalServer) -> None:
    head = teacher(organiser(server))
    ana, rui = (pupil(server.address, card) for card in school_class(head, ["Ana Silva", "Rui Costa"])["cards"])
    assert rating(ana) is None
    solve(ana, simple())
    first = rating(ana)
    assert first[0] > 1000
    facts = ana.get(f"/api/v1/puzzles/semaforo/{simple()[-4:]}")
    puzzle_schemas.PuzzleFacts.model_validate(facts)
    assert facts["mine"] == first
    assert facts["rating"] < find_puzzle("semaforo", int(simple()[-4:])).rating, "it was solved: it is easier than that"
    solve(ana, simple())
    assert rating(ana) == first, "once is enough"
    helped = simple(after=1)
    attempt(ana, helped, "hint")
    solve(ana, helped)
    assert rating(ana) == first, "help is not rated"
    # Wrong, and left alone: it counts when the next one is asked for, and only then once.
    attempt(rui, simple(), wrong(simple()))
    assert rating(rui) is None
    assert rui.get("/api/v1/puzzles/semaforo/next")["ref"] != simple()
    lost = rating(rui)
    assert lost[0] < 1000
    solve(rui, simple())
    assert rating(rui) == lost


def test_training_keeps_to_theme_strength_and_question(ana: Person) -> None:
    def ref(query: str) -> Any:
        told = ana.get(f"/api/v1/puzzles/konane/next?{query}")
        puzzle_schemas.NextPuzzle.model_validate(told)
        return puzzles.number_of(told["ref"])

    assert all("stop early" in ref("theme=stop%20early").themes for _ in range(4))
    assert all(ref("status=true").goal == "who wins" for _ in range(4))
    assert sum(ref("strength=easier").rating for _ in range(6)) < sum(ref("strength=harder").rating for _ in range(6))
    assert ana.get("/api/v1/puzzles/konane/next?theme=race")["ref"] is None
    assert ana.web.get("/api/v1/puzzles/konane/next?strength=x").status_code == 422
    for where in ("puzzles/nothing/next", "puzzles/konane/0000", "runs/streakz", "tasks/puzzle/konane/9999"):
        assert ana.web.get(f"/api/v1/{where}").status_code in (400, 404, 422), where


def test_a_streak_goes_on_elsewhere_and_ends_with_the_first_mistake(server: LocalServer) -> None:
    card = school_class(teacher(organiser(server)), ["Ana Silva"])["cards"][0]
    ana = pupil(server.address, card)
    run = ana.post("/api/v1/runs", {"mode": "streak", "game": "semaforo"})
    puzzle_schemas.RunStands.model_validate(run)
    solve(ana, run["ref"], given=run["run"])
    assert overview(ana)["streak"] == run["run"]
    elsewhere = pupil(server.address, card)
    second = elsewhere.get(f"/api/v1/runs/{run['run']}")
    assert (second["solved"], second["best"]) == (1, 1) and second["ref"] != run["ref"]
    refused = elsewhere.web.post(f"/api/v1/tasks/{simple()}/attempts", json={"acts": ["hint"], "given": run["run"]})
    assert refused.status_code == 403, "not a puzzle of the run"
    attempt(elsewhere, second["ref"], wrong(second["ref"]), given=run["run"])
    over = ana.get(f"/api/v1/runs/{run['run']}")
    assert (over["ref"], over["solved"], over["failed"]) == (None, 1, 1)
    assert (overview(ana)["streak"], overview(ana)["best_streak"]) == (None, 1)
    assert rating(ana) is None, "runs are not rated"


def _tried(ref: str, at: float, mistakes: int = 0) -> Tried:
    return Tried(1, ref, "x", at, not mistakes, mistakes, None, 0)


def test_runs_get_harder_and_a_storm_ends_with_its_time() -> None:
    run = puzzles.Run("storm", None, int(NOW), "ab")
    assert puzzles.read_run(run.name, NOW) == run and len(run.name) <= 16
    assert puzzles.read_run(run.name, NOW - 1) is None, "it has not begun"
    made = [*islice(puzzles.Run("streak", "ouri", int(NOW), "zz").puzzles(), 50)]
    assert len({puzzle.ref for puzzle in made}) == 50
    assert sum(each.rating for each in made[:10]) < sum(each.rating for each in made[20:30])
    first, second, third = islice(run.puzzles(), 3)
    every = [puzzle.ref for puzzle in puzzles.Run("streak", "guerreiros", int(NOW), "zz").puzzles()]
    assert len(every) == len({*every}) == len(puzzles_of("guerreiros")), "it ends when there are no more"
    tries = {first.ref: _tried(first.ref, NOW + 10), second.ref: _tried(second.ref, NOW + 20, mistakes=1)}
    assert puzzles.stands(run, tries, NOW + 30) == (1, 1, third)
    tries[third.ref] = _tried(third.ref, NOW + puzzles.STORM + 1)
    assert puzzles.stands(run, tries, NOW + puzzles.STORM + 1) == (1, 1, None), "too late"
