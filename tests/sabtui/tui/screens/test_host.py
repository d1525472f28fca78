"""The form's choices as settings of a table."""

from __future__ import annotations

from net.lobby.evening import EveningPlan, TargetUnit
from net.lobby.model import Absence, Settings
from sabtui.tui.screens.host import WITHOUT, agreed

UNUSUAL = Settings(
    edition="france",
    rounds=2,
    seats=7,
    absent=Absence.WAIT,
    turn_seconds=60,
    stand_in="hard",
    hints=False,
    evening=EveningPlan(TargetUnit.GAMES, 5),
)


def test_what_the_form_has_chosen_becomes_the_settings_and_the_evening_keeps_its_name() -> None:
    chosen = {
        "edition": "france",
        "rounds": "2",
        "seats": "7",
        "absent": Absence.WAIT.name,
        "turn": "60",
        "stand_in": "hard",
        "hints": WITHOUT,
        "evening": "5",
    }
    assert agreed(Settings(evening=UNUSUAL.evening), chosen) == UNUSUAL
    without = agreed(UNUSUAL, {**chosen, "evening": ""})
    assert without.evening is None
