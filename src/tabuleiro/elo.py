"""What a match says about strength: scores, Elo with its error, and the test that ends a match early. Pure arithmetic.

Games are played in pairs: the same opening twice, sides exchanged. The two games of a pair are not independent, pairs
are; so everything is computed from how many pairs brought 0, ½, 1, 1½ and 2 points (the pentanomial counts).

    >>> tally = Tally((2, 1, 10, 5, 12))
    >>> tally.pairs, tally.points, round(tally.score, 3)
    (30, 42.0, 0.7)
    >>> print(tally.elo_text())
    +147 ± 91
"""

import math
from dataclasses import dataclass
from enum import Enum

#: Pairs by the points they brought: 0, ½, 1, 1½, 2.
Counts = tuple[int, int, int, int, int]
#: The share of true values that lie within an error given here is 95 %.
SIGMAS = 1.96
#: Added to each of the five counts, one pair in all: a few pairs that went the same way do not prove too much.
IMAGINED = 0.2


def elo_of(score: float) -> float:
    """The difference of ratings at which a player scores that many points a game on average."""
    return math.inf if score >= 1 else -math.inf if score <= 0 else -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """What a player scores a game on average at a difference of ratings."""
    return 1 / (1 + 10 ** (-elo / 400))


class Verdict(Enum):
    """What a sequential test says."""

    UNDECIDED = "…"
    STRONGER = "H1"
    NOT_STRONGER = "H0"


@dataclass(frozen=True)
class Tally:
    """The result of a match for one side."""

    counts: Counts = (0, 0, 0, 0, 0)

    def with_pair(self, points: float) -> "Tally":
        """The tally after one pair more, which brought that many points."""
        at = round(points * 2)
        a, b, c, d, e = (count + (place == at) for place, count in enumerate(self.counts))
        return Tally((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def points(self) -> float:
        return sum(count * half / 2 for half, count in enumerate(self.counts))

    @property
    def score(self) -> float:
        """Points a game; a half before the first one."""
        return self.points / (2 * self.pairs) if self.pairs else 0.5

    def _moments(self) -> tuple[float, float, float]:
        """Pairs, mean and variance of the points a game of a pair, one imagined pair included."""
        counts = [count + IMAGINED for count in self.counts]
        pairs = sum(counts)
        mean = sum(count * half / 4 for half, count in enumerate(counts)) / pairs
        variance = sum(count * (half / 4 - mean) ** 2 for half, count in enumerate(counts)) / pairs
        return pairs, mean, variance

    @property
    def error(self) -> float:
        """How far the score may be off."""
        pairs, _, variance = self._moments()
        return SIGMAS * math.sqrt(variance / pairs)

    @property
    def elo(self) -> float:
        return elo_of(self.score)

    @property
    def elo_error(self) -> float:
        """Half the width of the interval of Elo that belongs to the error of the score."""
        return (elo_of(self.score + self.error) - elo_of(self.score - self.error)) / 2

    def elo_text(self) -> str:
        """`+147 ± 91`; a side that (nearly) always won or lost has only a bound."""
        if not self.pairs:
            return "-"
        if self.score + self.error >= 1:
            return f"> {elo_of(self.score - self.error):+.0f}"
        if self.score - self.error <= 0:
            return f"< {elo_of(self.score + self.error):+.0f}"
        return f"{self.elo:+.0f} ± {self.elo_error:.0f}"

    def log_likelihood(self, elo0: float, elo1: float) -> float:
        """How much likelier these pairs are at `elo1` than at `elo0`, as a logarithm (by the normal law)."""
        if not self.pairs:
            return 0.0
        pairs, mean, variance = self._moments()
        low, high = score_of(elo0), score_of(elo1)
        return pairs * (high - low) * (2 * mean - low - high) / (2 * variance)

    def test(self, elo0: float, elo1: float, risk: float = 0.05) -> Verdict:
        """The sequential test of `elo1` against `elo0`, each wrongly accepted with at most that risk."""
        bound = math.log((1 - risk) / risk)
        likelihood = self.log_likelihood(elo0, elo1)
        if likelihood >= bound:
            return Verdict.STRONGER
        return Verdict.NOT_STRONGER if likelihood <= -bound else Verdict.UNDECIDED
