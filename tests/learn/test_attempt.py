"""A pupil at a task: what is right, what is wrong and why, what the defender answers, and which help there is."""

import random

import pytest

from tabuleiro.core import IllegalMoveError, InvalidMoveError
from tabuleiro.games import get
from tabuleiro.learn import Attempt, AttemptError, Task, lessons_of, read_lesson, replay, truth
from tabuleiro.learn.defender import answer
from tabuleiro.record import Node
from tabuleiro.search.base import Worth

SEMAFORO = "position: GRGY/R2R/R2Y 1"
RASTROS = "position: 7/1##4/##1##2/2##3/3#3/2O#3/3#3 1"
MARBLES = "position: 5/1w2w1/4ww1/3ww1w1/2bbwww2/3bbb2/1bbwbw1/1b1bw1/3b1 b 0-0"


def _task(game: str, task: str, options: str = "") -> Task:
    head = f"game: {game}\nlanguage: en\ntitle: x\noptions: {options}\n\n```task\n"
    return read_lesson(head + task.replace(" | ", "\n") + "\n```\n").tasks[0]


def test_a_right_move_solves_and_a_wrong_one_is_taken_back() -> None:
    task = _task("semaforo", f"{SEMAFORO} | goal: win | answer: c3 | wrong b1: Not b1. | wrong: No. | right: Yes!")
    first = Attempt(task)
    assert first.way == "move" and str(first.node().position) == "GRGY/R2R/R2Y 1"
    attempt, verdict = first.move("d1")
    assert (verdict.kind, verdict.said.en, attempt.mistakes, attempt.chosen) == ("wrong", "No.", 1, ("d1",))
    assert attempt.node().position == first.node().position
    after = first.node().play("d1")
    assert after.play(verdict.refutation[0]).outcome is not None, "the opponent wins at once"
    attempt, verdict = attempt.move("b1")
    assert verdict.said.en == "Not b1." and len(verdict.refutation) % 2 == 1
    end = first.node().play("b1")
    for move in verdict.refutation:
        end = end.play(move)
    assert end.outcome is not None and end.outcome.winner == 2, "the refutation is played out"
    attempt, verdict = attempt.move("c3")
    assert (verdict.kind, verdict.said.en, attempt.solved, attempt.mistakes) == ("solved", "Yes!", True, 2)
    assert first.mistakes == 0, "an attempt never changes"
    with pytest.raises(AttemptError, match="solved already"):
        attempt.move("c3")


def test_what_the_rules_say_of_a_move_that_cannot_be_made() -> None:
    attempt = Attempt(_task("semaforo", f"{SEMAFORO} | goal: win | answer: c3"))
    with pytest.raises(IllegalMoveError):
        attempt.move("b3")
    with pytest.raises(InvalidMoveError):
        attempt.move("nonsense")
    with pytest.raises(AttemptError, match="a move is asked for"):
        attempt.mark(["c3"])


def test_then_play_until_the_game_is_won_in_as_few_moves_as_asked() -> None:
    attempt = Attempt(_task("semaforo", f"{SEMAFORO} | goal: win in 3 | answer: c3 | then: play"))
    made = 0
    while not attempt.solved:
        node = attempt.node()
        move = next(move for move in node.position.legal_moves() if truth.wins_within(node, move, 2 * (3 - made) - 1))
        attempt, verdict = attempt.move(node.position.move_str(move))
        made += 1
        assert verdict.kind in ("right", "solved")
    assert made == 3, "the defender resisted as long as can be"
    assert attempt.mistakes == 0


def test_a_slower_win_is_no_mistake() -> None:
    attempt = Attempt(_task("rastros", f"{RASTROS} | goal: win in 2 | answer: c1"))
    attempt, verdict = attempt.move("b3")
    assert (verdict.kind, attempt.mistakes, attempt.line) == ("slow", 0, ())
    attempt, verdict = attempt.move("b1")
    assert (verdict.kind, attempt.mistakes) == ("wrong", 1)


def test_a_win_thrown_away_in_play_is_seen() -> None:
    attempt = Attempt(_task("rastros", f"{RASTROS} | goal: play"))
    attempt, verdict = attempt.move("b3")
    assert verdict.kind == "right" and verdict.reply and len(attempt.line) == 2
    thrown = 0
    while not attempt.solved:
        node = attempt.node()
        values = truth.values(node).moves
        for move, score in values.items():
            assert score is not None
            _, verdict = attempt.move(node.position.move_str(move))
            assert (verdict.kind == "wrong") == (score.worth is not Worth.WIN)
            thrown += verdict.kind == "wrong"
        best = max(values, key=lambda move: values[move])  # type: ignore[arg-type, return-value]
        attempt, _ = attempt.move(node.position.move_str(best))
    assert thrown and attempt.mistakes == 0


def test_marking_a_set() -> None:
    task = _task("semaforo", "position: GR2/YGR1/Y2Y 1 | goal: mark immediate | answer: a3 c1 d1")
    attempt = Attempt(task)
    attempt, verdict = attempt.mark(["a3", "b1", "c1"])
    assert (verdict.kind, verdict.extra, verdict.missing) == ("wrong", ("b1",), 1)
    assert verdict.said.en == "Not yet: these do not belong: b1; still missing: 1."
    attempt, verdict = attempt.mark(["d1", "c1", "a3"])
    assert verdict.kind == "solved" and attempt.chosen == ("b1",)
    with pytest.raises(AttemptError, match="marked at once"):
        Attempt(task).move("a3")


def test_a_move_that_is_not_safe_is_refuted() -> None:
    task = _task("semaforo", "position: Y1YR/RRGG/Y1GY 1 | goal: mark safe | answer: b1 d1 d2")
    _, verdict = Attempt(task).mark(["b1", "d1", "d2", "b3"])
    after = task.node().play("b3").play(verdict.refutation[0])
    assert after.outcome is not None and after.outcome.winner == 2
    _, verdict = Attempt(task).mark([])
    assert (verdict.missing, verdict.refutation) == (3, ())


def test_saying_who_wins() -> None:
    star = "position: 8/2wb4/8/8/8/8/8/8 w"
    attempt = Attempt(_task("konane", f"{star} | goal: who wins with pass | answer: mover"))
    assert attempt.way == "say" and attempt.choices == ("1", "2", "mover", "other")
    assert [attempt.choice_name(choice).en for choice in attempt.choices] == [
        "White, whoever begins",
        "Black, whoever begins",
        "Whoever begins",
        "Whoever does not begin",
    ]
    attempt, verdict = attempt.say("1")
    assert verdict.kind == "wrong" and attempt.chosen == ("1",)
    attempt, verdict = attempt.say("mover")
    assert verdict.kind == "solved"
    plain = Attempt(_task("konane", f"{star} | goal: who wins | answer: mover"))
    assert [plain.choice_name(choice).pt for choice in plain.choices] == [
        "As Brancas (quem joga agora)",
        "As Negras (quem espera)",
    ]
    with pytest.raises(AttemptError, match="choose one"):
        plain.say("nobody")


def test_help_comes_in_steps_and_the_move_last() -> None:
    task = _task("semaforo", f"{SEMAFORO} | goal: win | answer: c3 | hint: Which is safe? | hint cells: b1 c3")
    attempt = Attempt(task)
    steps = []
    for _ in range(4):
        attempt, step = attempt.hint()
        steps.append((step.text.en, len(step.cells), step.moves))
    assert steps == [
        ("Which is safe?", 0, ()),
        ("Look at these cells.", 2, ()),
        ("The answer: c3", 1, ("c3",)),
        ("The answer: c3", 1, ("c3",)),
    ]
    assert attempt.hints == 4 and attempt.mistakes == 0


def test_help_in_the_middle_of_play() -> None:
    attempt = Attempt(_task("rastros", f"{RASTROS} | goal: play"))
    while not attempt.solved:
        attempt, step = attempt.hint()
        attempt, verdict = attempt.move(step.moves[0])
        assert verdict.kind in ("right", "solved")


def test_help_goes_the_shortest_way() -> None:
    """A king that has all the time in the world must not be told to go back."""
    attempt = Attempt(_task("guerreiros", "position: 8k/9/9/3K5/9/9/9/9/9/9 S - - | goal: play"))
    for _ in range(3):
        attempt, step = attempt.hint()
        attempt, verdict = attempt.move(step.moves[0])
    assert verdict.kind == "solved"


def test_copying_wins_whatever_the_defender_does() -> None:
    task = _task("semaforo", "play: b2 | goal: copy the strategy | strategy: half turn", "board=3x3")
    for seed in range(12):
        attempt = Attempt(task, seed=seed)
        assert attempt.node().position.turn is task.pupil
        while not attempt.solved:
            attempt, step = attempt.hint()
            node = attempt.node()
            other = next((move for move in node.position.move_texts() if move not in step.moves), None)
            if other is not None and not truth.wins_at_once(node.position, node.position.parse_move(other)):
                assert attempt.move(other)[1].kind == "wrong"
            attempt, verdict = attempt.move(step.moves[0])
            assert verdict.kind in ("right", "solved")


def test_a_marble_is_ejected() -> None:
    attempt = Attempt(_task("abalone", f"{MARBLES} | goal: eject in 2 | answer: D5C5 | then: play"))
    assert attempt.move("B2B3")[1].kind == "wrong"
    attempt, verdict = attempt.move("D5C5")
    assert verdict.kind == "right" and verdict.reply
    attempt, step = attempt.hint()
    attempt, verdict = attempt.move(step.moves[0])
    assert verdict.kind == "solved"


def test_a_game_against_a_level_is_played_to_its_end() -> None:
    task = _task("semaforo", "goal: play level 1", "board=3x3")
    chance = random.Random(2)
    ends = set()
    for seed in range(20):
        attempt = Attempt(task, seed=seed)
        for _ in range(60):
            attempt, verdict = attempt.move(chance.choice(list(attempt.node().position.move_texts())))
            if verdict.kind != "right":
                break
        ends.add(verdict.kind)
        assert (verdict.kind == "solved") == attempt.solved and (verdict.kind == "lost") == (attempt.mistakes > 0)
    assert ends == {"solved", "lost"}


def test_what_was_done_can_be_done_again() -> None:
    task = _task("rastros", f"{RASTROS} | goal: win in 2 | answer: c1 | then: play")
    attempt = Attempt(task, seed=3)
    for act in ("b1", "b3", "hint", "c1", "hint"):
        attempt = attempt.hint()[0] if act == "hint" else attempt.move(act)[0]
    assert attempt.acts == ("move b1", "move b3", "hint", "move c1", "hint")
    assert replay(task, attempt.acts, seed=3) == attempt
    marked = _task("semaforo", "position: GR2/YGR1/Y2Y 1 | goal: mark immediate | answer: a3 c1 d1")
    done = Attempt(marked).mark(["a3"])[0].mark(["a3", "c1", "d1"])[0]
    assert replay(marked, done.acts) == done and done.solved
    said = _task("semaforo", f"{SEMAFORO} | goal: who wins | answer: mover")
    done = Attempt(said).say("other")[0]
    assert replay(said, done.acts) == done


def test_the_defender_wins_what_is_won_and_holds_what_is_lost() -> None:
    position = get("semaforo").from_str("GRGY/R2R/R2Y 1")
    assert position.move_str(answer(Node(position))) == "c3"
    lost = position.play(position.parse_move("c3"))
    values = truth.values(lost).moves
    longest = max(score.plies or 0 for score in values.values() if score is not None)
    chosen = values[answer(Node(lost))]
    assert chosen is not None and chosen.plies == longest


@pytest.mark.parametrize("game", ["hex", "guerreiros"])
def test_the_defender_answers_where_nothing_is_proven(game: str) -> None:
    start = get(game).start()
    node = Node(start.play(start.legal_moves()[0]))
    assert answer(node, positions=1000) in node.position.legal_moves()


def test_every_task_of_the_package_can_be_solved_by_its_own_help() -> None:
    """The first lessons of two games stand for all. Games against a level have no help."""
    for game in ("semaforo", "rastros"):
        for task in lessons_of(get(game))[0].tasks:
            attempt = Attempt(task)
            while not attempt.solved and not (task.goal.kind == "play" and task.goal.number):
                if attempt.way == "say":
                    assert task.winner is not None
                    attempt, _ = attempt.say(task.winner)
                    continue
                attempt, step = attempt.hint()
                if step.moves or attempt.hints > len(task.hints):
                    act = attempt.mark(step.moves) if attempt.way == "mark" else attempt.move(step.moves[0])
                    attempt, verdict = act
                    assert verdict.kind in ("right", "solved")
