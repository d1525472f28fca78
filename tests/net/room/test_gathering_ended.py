"""A table that goes on at another computer, and connections that the table itself has ended."""

from __future__ import annotations

import pytest

from net.protocol.messages import (
    ClientMessage,
    CloseReason,
    Knowledge,
    Resync,
    StepAway,
)
from tests.net.room.moved_table import gathers, tick
from tests.net.room.test_gathering import lines, views
from tests.net.room.test_gathering_rough import (
    at_ben,
    gone_on,
    in_round_two,
    secrets_held,
    tells,
)


@pytest.mark.parametrize("message", [Resync(), StepAway(), None])
def test_who_was_sent_away_or_fell_silent_is_waited_for_and_not_asked(
    message: ClientMessage | None,
) -> None:
    there = at_ben()
    cleo = there.come("Cleo")
    if message is None:
        cleo.ended = True  # it says nothing any more
        tick(there, 11)
        assert cleo.farewell is CloseReason.TOO_SLOW
    else:
        there.say(cleo, message)
    wim = there.come("Wim", watch=True)
    assert lines(wim)[-1] == ("Ben", "Cleo")
    ben = there.come("Ben")
    assert gathers(there)
    assert lines(ben)[-1] == ("Cleo",)
    there.come("Cleo")
    assert not gathers(there)


def test_all_see_at_once_that_somebody_has_stepped_away() -> None:
    there = at_ben()
    wim = there.come("Wim", watch=True)
    there.say(there.come("Cleo"), StepAway())
    assert lines(wim) == [("Ben", "Cleo"), ("Ben",), ("Ben", "Cleo")]


def test_gold_is_kept_where_a_round_is_dealt_anew() -> None:
    table = in_round_two()
    before = views(table, "Ben", "Cleo")
    there = gone_on(table, Knowledge)
    there.come_all("Ben", "Cleo")
    tells(there, secrets_held(there)[:-1])
    assert there.lobby.relocations[-1].at_odds
    for name, view in views(there, "Ben", "Cleo").items():
        assert view.ledger == before[name].ledger
