"""Who can invite others to a table that has gone on, and where to; how fast bots are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_changes

from net.client.session import ConnectionState, OpenedHere, Status, Update
from net.client.trail import GameState
from net.server.bots import BotPace
from sabtui.app import Speed
from sabtui.app.requests import (
    LEAST_PAUSE_S,
    PACES_S,
    SLACK_S,
    Invitation,
    current_invitation,
    invitation_lines,
    pace_among_people,
)
from sabtui.plain.updates import apply_update
from tests.sabtui.plain_sessions import WIDE, at
from tests.sabtui.tables import ANA, BRUNO, lobby

GIVEN = Invitation("Gold Rush", "amber-tiger", ("192.168.1.20:7341",))
HERE = OpenedHere(7342, ("fe80::1", "192.168.1.30"), "amber-tiger")


def at_table(member: int, host: int = ANA, term: int = 0) -> Status:
    """A member's status at a table with this host."""
    table = with_changes(lobby(), host=host, term=term)
    return Status(ConnectionState.CONNECTED, member, GameState(1, 1, table, None))


def test_a_host_invites_to_their_own_table() -> None:
    assert current_invitation(at_table(ANA), GIVEN) == GIVEN
    assert current_invitation(Status(), GIVEN) == GIVEN, "nothing is known yet"
    assert current_invitation(at_table(BRUNO), None) is None


def test_who_has_handed_over_invites_nobody_any_more() -> None:
    assert current_invitation(at_table(ANA, BRUNO, 1), GIVEN) is None


def test_the_new_host_invites_to_this_computer() -> None:
    moved = replace(at_table(BRUNO, BRUNO, 1), opened_here=HERE)
    invited = current_invitation(moved, None)
    assert invited is not None
    assert (invited.title, invited.code) == ("Gold Rush", "amber-tiger")
    assert invited.addresses == ("192.168.1.30:7342",)
    assert current_invitation(replace(moved, member=ANA), None) is None


def test_a_table_whose_program_was_restarted_keeps_the_invitation_that_was_given() -> None:
    assert current_invitation(at_table(BRUNO, BRUNO, 1), GIVEN) == GIVEN


def test_the_new_host_is_told_in_lines_how_others_join() -> None:
    session = at(at_table(BRUNO, ANA, 0), WIDE)
    opened = replace(session.status, opened_here=HERE)
    session = apply_update(session, Update(opened)).session
    moved = replace(at_table(BRUNO, BRUNO, 1), opened_here=HERE)
    reaction = apply_update(session, Update(moved))
    invited = current_invitation(moved, None)
    assert invited is not None
    for line in invitation_lines(invited):
        assert line in reaction.lines
    again = apply_update(reaction.session, Update(replace(moved, unanswered=1)))
    assert again.lines == ()


@pytest.mark.parametrize("speed", Speed)
def test_among_people_a_bots_pause_is_longer_than_it_thinks(speed: Speed) -> None:
    pace = pace_among_people(speed)
    assert pace.thought.seconds + SLACK_S <= pace.pace[0] + 1e-9
    assert pace.thought.seconds > 0
    assert pace.pace == tuple(max(pause, LEAST_PAUSE_S) for pause in PACES_S[speed])


def test_at_the_usual_speed_bots_among_people_are_as_the_server_has_them() -> None:
    assert pace_among_people(Speed.NORMAL) == BotPace()
