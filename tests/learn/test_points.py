"""Points of games as tasks, and the sentences of a review."""

from tabuleiro import get
from tabuleiro.core import Player
from tabuleiro.language import Text
from tabuleiro.learn import Attempt, verify_task
from tabuleiro.learn.points import point_of, task_of
from tabuleiro.learn.review import Story, sentences
from tabuleiro.search.base import Score
from tabuleiro.server.judgement import Seen, judge


def test_a_thrown_win_becomes_a_task_whose_answer_is_verified() -> None:
    position = get("semaforo").from_str("GRGY/R2R/R2Y 1")
    point = point_of(position, position.parse_move("b1"))
    assert point is not None and (point.thrown, point.answer) == ("win", ("c3",))
    assert point_of(position, position.parse_move("c3")) is None
    task = task_of(point)
    assert verify_task(task) is None
    attempt, verdict = Attempt(task).move("b1")
    assert verdict.kind == "wrong" and verdict.refutation and "b1 foi o que se jogou" in verdict.said.pt
    attempt, verdict = attempt.move("c3")
    assert attempt.solved and attempt.mistakes == 1


def test_what_is_not_proven_of_every_move_is_no_task() -> None:
    position = get("abalone").start()
    assert point_of(position, position.legal_moves()[0]) is None


def test_a_game_in_a_few_sentences() -> None:
    one, two = Player.ONE, Player.TWO
    game = [
        Seen(one, Score.win(5), "a1", "b1"),
        Seen(two, Score.win(3), "c1", "d1"),
        Seen(one, Score.win(3), "a2", "b2"),
        Seen(two, Score.win(2), "c2", "c2"),
        Seen(one, Score.loss(0), None, None),
    ]
    judged = judge(game)
    sides = {player: get("avanco").start().side(player) for player in Player}
    told = sentences(Story(judged, sides, two, 3, Text("Porque sim.", "Because.")))
    assert [text.pt for text in told] == [
        "A partida decidiu-se na jogada 2: com b2, as Brancas deitaram fora a vitória.",
        "Explicação para quem jogou: «Porque sim.»",
        "Ao todo deitou-se fora 3 vezes o que estava provado (as Brancas: 2; as Negras: 1).",
    ]
    quiet = sentences(Story(judged[:1], sides, None, None, None))
    assert len(quiet) == 1 and quiet[0].pt.startswith("Ninguém")


def test_moves_that_are_words_are_said_in_the_reader_s_language() -> None:
    one, two = Player.ONE, Player.TWO
    game = [
        Seen(one, Score.estimate(0, 0.6), "f6", "f6"),
        Seen(two, Score.estimate(0, 0.7), "swap", "a1"),
        Seen(one, Score.estimate(0, 0.9), "c3", "c3"),
        Seen(two, Score.loss(0), None, None),
    ]
    judged = [move._replace(fault=None) for move in judge(game)]
    sides = {player: get("hex").start().side(player) for player in Player}
    told = sentences(Story(judged, sides, one, 2, None))[0]
    assert "Havia a troca de cores." in told.pt and "swap" not in told.pt and "There was swapping." in told.en
