"""What the routes of the opening explorer answer."""

from pydantic import Field

from tabuleiro.server.schemas import Schema, Score


class OpeningResults(Schema):
    games: int
    one: int = Field(description="won by player ONE")
    two: int = Field(description="won by player TWO")
    draws: int
    unfinished: int


class OpeningMove(Schema):
    move: str
    results: OpeningResults


class OpeningSource(Schema):
    results: OpeningResults = Field(description="of the games that came through the position, by whichever moves")
    moves: list[OpeningMove] = Field(description="what was played there, the most frequent move first")


class Openings(Schema):
    played: OpeningSource = Field(description="finished games that were played here; empty where there are too few")
    engines: OpeningSource = Field(description="games between strong levels, under the usual options")


class KnownMove(Schema):
    move: str
    score: Score = Field(description="for the player who makes the move")


class KnownValues(Schema):
    score: Score | None = Field(description="of the position, for the player to move, where it is proven")
    moves: list[KnownMove] = Field(description="the moves whose value is proven")
