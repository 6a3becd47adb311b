"""Token buckets: the one way in which anything is limited to a rate."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar


class Rate(NamedTuple):
    """Size of a token bucket, and the tokens a second with which it is filled."""

    burst: float
    pace: float


class TokenBucket:
    """A store of tokens that is filled at a rate. What costs more than there is makes it negative."""

    __slots__ = ("_counted", "_left", "_now", "_rate")

    def __init__(self, rate: Rate, now: Callable[[], float] | None = None) -> None:
        self._rate = rate
        self._now = now or time.monotonic
        self._left, self._counted = float(rate.burst), self._now()

    def left(self) -> float:
        """Return the tokens that there are now."""
        now = self._now()
        self._left = min(self._rate.burst, self._left + (now - self._counted) * self._rate.pace)
        self._counted = now
        return self._left

    def spend(self, tokens: float) -> None:
        """Take tokens out, whether or not they are there; a negative number puts them back."""
        self._left -= tokens

    def take(self, tokens: float = 1) -> bool:
        """Take tokens out; return False if there was not one. Nobody owes more than the bucket holds."""
        left = self.left()
        self._left = max(0.0, left - tokens)
        return left >= 1

    def wait(self) -> float:
        """Return the seconds until the bucket is not negative."""
        return max(0.0, -self.left() / self._rate.pace)


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Values made when they are first asked for; the least recently used go when there are too many."""

    def __init__(self, make: Callable[[Key], Value], most: int) -> None:
        self._make = make
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, key: Key) -> Value:
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = self._make(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        return value
