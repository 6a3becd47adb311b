"""A vote as pages are told it: the whole of it when a question is new, and the tally after that."""

from tabuleiro.language import Text
from tabuleiro.learn.words import choice_name
from tabuleiro.server import views
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.teaching.vote import Question, Vote


def whole(vote: Vote, *, runs: bool, guest: Guest | None) -> Json:
    """Everything. `runs`: for somebody who runs the vote, and sees the tally while votes are taken."""
    question = vote.questions[-1] if vote.questions else None
    return {
        "type": "vote",
        "id": vote.id,
        "code": vote.settings.code,
        "class_id": vote.settings.class_id if runs else None,
        "runs": runs,
        "ended": vote.ended,
        "question": None if question is None else _question(vote, question),
        "tally": tally(vote, runs=runs),
        "mine": None if question is None or guest is None else question.votes.get(guest),
    }


def _question(vote: Vote, question: Question) -> Json:
    node = question.node
    return {
        "number": len(vote.questions),
        "game": question.line.game,
        "asks": question.asks,
        "text": None if question.text is None else question.text._asdict(),
        "geometry": views.geometry(node.position.geometry),
        "view": views.view(node, None, with_text=False),
        "choices": [{"choice": choice, "name": _name(question, choice)._asdict()} for choice in question.choices],
    }


def tally(vote: Vote, *, runs: bool) -> Json | None:
    """How a question stands. While votes are taken, those who vote are told only how many did: nobody shall follow the
    crowd."""
    if not vote.questions:
        return None
    question = vote.questions[-1]
    shown = runs or question.status == "revealed"
    truth = question.truth
    return {
        "number": len(vote.questions),
        "status": question.status,
        "voters": len(question.votes),
        "bars": [_bar(question, *each) for each in question.tally()] if shown else None,
        "truth": None
        if truth is None
        else {"winner": truth["winner"], "plies": truth["plies"], "best": _best(question)},
    }


def _name(question: Question, choice: str) -> Text:
    return Text(choice, choice) if question.asks == "move" else choice_name(question.position, choice, may_pass=False)


def _bar(question: Question, choice: str, votes: int) -> Json:
    return {"choice": choice, "name": _name(question, choice)._asdict(), "votes": votes, **_verdict(question, choice)}


def _verdict(question: Question, choice: str) -> Json:
    """What is proven of a choice: whether it is right, and what a move is worth; None while it is not told, or where it
    is not known."""
    truth = question.truth
    if truth is None:
        return {"right": None, "worth": None, "plies": None}
    if question.asks == "winner":
        return {"right": None if truth["winner"] is None else truth["winner"] == choice, "worth": None, "plies": None}
    told = truth["moves"].get(choice)
    best = {"mover": "win", "draw": "draw", "other": "loss", None: None}[truth["winner"]]
    if told is None:
        return {"right": None, "worth": None, "plies": None}
    return {"right": None if best is None else told["worth"] == best, **told}


def _best(question: Question) -> list[Json]:
    """The moves that keep what the position is worth, where that is known; of lost positions none."""
    truth = question.truth
    if truth is None or truth["winner"] not in ("mover", "draw"):
        return []
    wanted = "win" if truth["winner"] == "mover" else "draw"
    moves = {text: told for text, told in truth["moves"].items() if told is not None and told["worth"] == wanted}
    position = question.position
    return [{"text": text, "clicks": position.clicks(position.parse_move(text)), **moves[text]} for text in moves]
