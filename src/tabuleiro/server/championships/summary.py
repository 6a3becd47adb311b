"""What lists tell of a championship, stored with each event. Light: a process apart works it out for a file that was
sent (`work.py`)."""

from collections.abc import Collection
from typing import NamedTuple

from tabuleiro.championship.championship import Championship
from tabuleiro.championship.events import Json
from tabuleiro.championship.model import Group, Stage, series_result
from tabuleiro.championship.rounds import is_complete, open_pairings


class Table(NamedTuple):
    """Where a game of the championship is played: a pairing, and which game of it."""

    group: str
    round: int
    table: int
    game: int

    def as_json(self) -> Json:
        return self._asdict()


class GroupSummary(NamedTuple):
    """What lists tell of a group, as it was at a version of it."""

    version: int
    is_complete: bool
    #: Pairings without a result.
    open: int
    #: The games played on this site whose results are not known yet, by session.
    playing: dict[str, Table]


def summarise(stage: Stage, group: Group, version: int) -> GroupSummary:
    waiting = open_pairings(group, stage.plan)
    return GroupSummary(version, not waiting and is_complete(group, stage.plan), len(waiting), _playing(stage, group))


def _playing(stage: Stage, group: Group) -> dict[str, Table]:
    found = {}
    for turn in group.rounds[-1:] if stage.plan.format not in ("arena", "ladder") else group.rounds:
        for pairing in turn.pairings:
            number = len(pairing.games) + 1
            if number in pairing.sessions and series_result(stage.plan, pairing.games) is None:
                found[pairing.sessions[number]] = Table(group.id, turn.number, pairing.table, number)
    return found


def summary_json(championship: Championship, groups: Collection[GroupSummary], owner: int) -> Json:
    """The line of a championship in lists; `owner` is the guest to whom it belongs."""
    return {
        **championship.summary(sum(group.is_complete for group in groups), sum(group.open for group in groups)),
        "owner": owner,
        "published": championship.state.published,
        "playing": [[session, *table] for group in groups for session, table in group.playing.items()],
    }
