"""Where others are invited to; how fast bots are."""

from __future__ import annotations

import pytest

from net.server.bots import BotPace
from sabtui.app import Speed
from sabtui.app.requests import (
    LEAST_PAUSE_S,
    PACES_S,
    SLACK_S,
    Invitation,
    invitation_lines,
    pace_among_people,
    typable_addresses,
)


@pytest.mark.parametrize("speed", Speed)
def test_among_people_a_bots_pause_is_longer_than_it_thinks(speed: Speed) -> None:
    pace = pace_among_people(speed)
    assert pace.thought.seconds + SLACK_S <= pace.pace[0] + 1e-9
    assert pace.thought.seconds > 0
    assert pace.pace == tuple(max(pause, LEAST_PAUSE_S) for pause in PACES_S[speed])


def test_at_the_usual_speed_bots_among_people_are_as_the_server_has_them() -> None:
    assert pace_among_people(Speed.NORMAL) == BotPace()


def test_an_address_that_needs_a_zone_of_the_guests_own_is_told_to_nobody() -> None:
    assert list(map(str, typable_addresses(("192.168.1.5", "fe80::1"), 7341))) == [
        "192.168.1.5:7341"
    ]
    told = Invitation("Rush", "amber-tulip", tuple(map(str, typable_addresses(("fe80::1",), 7341))))
    assert not told.addresses
    assert not told.is_alone
    assert invitation_lines(told)[-1] == "On this network: sabtui join --code amber-tulip"
