"""When a card comes back: FSRS, the schedule of spaced repetition. A card that failed comes back after ten minutes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fsrs import Card, Rating, Scheduler

Json = dict[str, Any]

#: One step for what is new and for what was forgotten; days are not shuffled, so that everybody can check them.
AGAIN = timedelta(minutes=10)
_SCHEDULER = Scheduler(learning_steps=(AGAIN,), relearning_steps=(AGAIN,), enable_fuzzing=False)


def new_card(now: float) -> Json:
    """A card that is due at once."""
    return _stored(Card(card_id=1, due=_time(now)))


def answered(card: Json, failed: bool, now: float) -> tuple[Json, float]:
    """The card after an answer, and when it is due. Help makes an answer no worse: a card must not stand still."""
    rating = Rating.Again if failed else Rating.Good
    after, _ = _SCHEDULER.review_card(_read(card), rating, _time(now))
    return _stored(after), after.due.timestamp()


def _stored(card: Card) -> Json:
    return dict(card.to_dict())


def _read(card: Json) -> Card:
    return Card.from_dict(card)  # type: ignore[arg-type]


def _time(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
