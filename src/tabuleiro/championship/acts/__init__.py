"""What each kind of event requires and what it changes.

`check` refuses what may not be and changes nothing; `perform` changes the state. Whatever passes `check` can be
performed, so a refused event leaves everything as it was.
"""

from collections.abc import Callable
from typing import NamedTuple

from tabuleiro.championship.acts import entries, play, results, settings
from tabuleiro.championship.events import Event, Json
from tabuleiro.championship.model import State


class Act(NamedTuple):
    check: Callable[[State, Json], None]
    perform: Callable[[State, Json, Event], None]


ACTS: dict[str, Act] = {
    "created": Act(entries.check_created, entries.perform_created),
    "registered": Act(entries.check_registered, entries.perform_registered),
    "presence": Act(entries.check_presence, entries.perform_presence),
    "swapped": Act(entries.check_swapped, entries.perform_swapped),
    "stage_drawn": Act(play.check_stage_drawn, play.perform_stage_drawn),
    "placed": Act(play.check_placed, play.perform_placed),
    "round_paired": Act(play.check_round_paired, play.perform_round_paired),
    "round_changed": Act(play.check_round_changed, play.perform_round_changed),
    "game_begun": Act(play.check_game_begun, play.perform_game_begun),
    "result": Act(results.check_result, results.perform_result),
    "corrected": Act(results.check_corrected, results.perform_corrected),
    "playoff": Act(results.check_playoff, results.perform_playoff),
    "lots": Act(results.check_lots, results.perform_lots),
    "settings_changed": Act(settings.check_settings_changed, settings.perform_settings_changed),
    "erased": Act(settings.check_erased, settings.perform_erased),
    "published": Act(settings.check_published, settings.perform_published),
    "called": Act(settings.check_called, settings.perform_called),
    "answered": Act(settings.check_answered, settings.perform_answered),
}
