"""What bots are asked, as text: positions, what was done there, and what was said."""

from engine.bots.talk import Statement, Talk
from engine.notation import parse_position
from engine.notation.record import spell_claims
from engine.view import View
from tests.engine.events_text import read_events

CLAIMS = spell_claims(10)


def view_at(line: str, events: str = "") -> View:
    """What seat 1 knows in a position, with these events as all that was told before."""
    return parse_position(line).view(0)._replace(history=read_events(events))


def view_of(
    events: str = "", *, roles: str = "m????+?", goals: str = "?/?/?", broken: str = ""
) -> View:
    """What seat 1 knows at a table at which nothing lies: it holds NE, each other one card."""
    others = roles.index("+") - 1
    tools = broken or ",".join("-" * (others + 1))
    return view_at(f"- {goals} 1 {tools} NE{',1' * others} 9 {roles}", events)


def read_talk(text: str, unplayed: int = 40) -> Talk:
    """Read claims, each with who made it: `2 gold 8n2; 3 me`."""
    words = [claim.split(maxsplit=1) for claim in text.split("; ") if claim]
    return Talk(tuple(Statement(int(seat) - 1, CLAIMS[claim], unplayed) for seat, claim in words))
