"""Questions in lines: who, role, log, rules, help, claims and cards unseen, told on demand."""

from __future__ import annotations

import pytest
from msgspec import structs

from engine.actions import Broke
from engine.cards import Path, Tool
from engine.events import Laid, Passed, TurnBegan
from engine.view import View
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import Presence, Stage, TableClaim, Topic
from sabtui.app import RULES_TOPICS
from sabtui.plain.commands import COMMANDS, When, help_lines
from sabtui.text.i18n import load_locale
from sabtui.text.layout import wrap_lines
from tests.sabtui.cases import DIG
from tests.sabtui.plain.test_parser import HERE, IN_LOBBY
from tests.sabtui.plain_sessions import SMALL, Place, at, now_at, playing, type_lines
from tests.sabtui.tables import ANA, BRUNO, DEDE, lobby, sits
from tests.sabtui.tui.tour import speak


def hearing(*talk: ChatLine, view: View = DIG) -> Place:
    """Ana's place in a game in which this was said."""
    table = lobby(*lobby().chairs[:3], stage=Stage.PLAYING)
    return at(Status(ConnectionState.CONNECTED, ANA, GameState(1, 5, table, view, talk)))


def claim_gold(name: str, seat: int) -> ChatLine:
    """What somebody says now who claims gold in the north."""
    when = Moment(DIG.score.number, DIG.table.unplayed)
    return ChatLine(name, seat, "", TableClaim(Topic.GOLD_AT, 0), when)


def test_who_tells_tools_cards_gold_and_whose_turn() -> None:
    assert type_lines(HERE, "who").lines == (
        "> 1 Ana (you): 7 cards, 0 gold cards",
        "  2 Bruno: broken: pick and lantern; 3 cards, 0 gold cards",
        "  3 Dede: 2 cards, 0 gold cards",
        "Direction: clockwise. At most 1 of you is a saboteur.",
        "It is your turn.",
        "Watching: Eva.",
    )


def test_the_role_is_told_on_demand() -> None:
    assert type_lines(HERE, "role").lines[0] == "You are a miner: dig a tunnel to the treasure."
    assert not any("miner" in line for line in HERE.where())


def test_who_tells_the_players_who_lost_connection_from_those_who_left_for_now() -> None:
    table = lobby(sits(ANA), sits(BRUNO), sits(DEDE))
    gone = {BRUNO: Presence.GONE, DEDE: Presence.AWAY}
    people = tuple(
        structs.replace(person, presence=gone.get(person.member, person.presence))
        for person in table.people
    )
    table = structs.replace(table, people=people, stage=Stage.PLAYING)
    assert type_lines(at(now_at(table, DIG)), "who").lines[-2:] == (
        "Connection lost: Bruno.",
        "Left for now: Dede.",
    )


def test_the_log_tells_what_was_heard() -> None:
    view = DIG
    for event in (Passed(1), TurnBegan(2), Passed(2), TurnBegan(0)):
        view = view.after(event)
    told = playing(view)
    assert type_lines(told, "log").lines == ("Bruno passed.", "Dede passed.")
    assert type_lines(told, "log 1").lines == ("Dede passed.",)
    assert type_lines(HERE, "log").lines == ("Nothing yet in this round.",)


def test_the_rules_are_read_a_page_at_a_time_by_word_or_number() -> None:
    for session in (HERE, IN_LOBBY):
        assert "8 gold: The end of a round" in type_lines(session, "rules").lines
        page = type_lines(session, "rules gold").lines
        assert page[0] == "The end of a round."
        assert "Type rules 9." in page
        assert type_lines(session, "rules 8").lines == page
        assert type_lines(session, "rules 99").lines[-1] == type_lines(session, "rules").lines[-1]


@pytest.mark.parametrize("topic", RULES_TOPICS)
def test_every_page_of_the_rules_is_plain_text_for_a_small_terminal(topic: str) -> None:
    lines = type_lines(HERE, f"rules {topic}").lines
    assert all(line.isascii() for line in lines)
    assert len(lines) < SMALL.rows


HELP = [help_lines(topic, HERE.status) for topic in ("game", "table", "host", "settings")]


@pytest.mark.parametrize("lines", HELP, ids=range(len(HELP)))
def test_help_fits_a_small_terminal_with_its_prompt(lines: list[str]) -> None:
    assert len(wrap_lines(lines, SMALL.columns)) < SMALL.rows


def test_what_has_happened_is_told_from_ones_last_turn_on() -> None:
    history = (Passed(BRUNO - 1), Passed(ANA - 1), Laid(BRUNO - 1, Path.read("EW"), (1, 0)))
    later = playing(DIG._replace(history=history))
    assert type_lines(later, "since").lines == ("Bruno laid a straight, east and west, at 1.",)
    assert type_lines(HERE, "since").lines == ("Nothing yet in this round.",)


def test_what_was_said_stands_in_the_log_where_it_was_said() -> None:
    history = (Passed(BRUNO - 1), Passed(ANA - 1), Laid(BRUNO - 1, Path.read("EW"), (1, 0)))
    view = DIG._replace(history=history)
    number, unplayed = view.score.number, view.table.unplayed
    talk = (
        ChatLine("Bruno", 1, "an earlier round", None, Moment(number - 1, 60)),
        ChatLine("Dede", 2, "before my turn", None, Moment(number, unplayed + 2)),
        ChatLine("Bruno", 1, "", TableClaim(Topic.GOLD_AT, 0), Moment(number, unplayed + 1)),
        ChatLine("Dede", 2, "at the end", None, Moment(number, unplayed)),
    )
    heard = hearing(*talk, view=view)
    assert type_lines(heard, "since").lines == (
        "Bruno: north goal is gold",
        "Bruno laid a straight, east and west, at 1.",
        "Dede: at the end",
    )
    assert type_lines(heard, "log").lines == (
        "Bruno passed.",
        "Dede: before my turn",
        "Bruno: north goal is gold",
        "Bruno laid a straight, east and west, at 1.",
        "Dede: at the end",
    )


def test_claims_are_listed_by_goal_and_player() -> None:
    heard = hearing(claim_gold("Bruno", 1))
    assert type_lines(heard, "claims").lines[0] == "north goal: gold (Bruno)."
    assert type_lines(HERE, "claims").lines == ("middle goal: stone on your map.",)
    assert "“north goal is gold”" in type_lines(heard, "who bruno").lines


def test_oneself_is_you_among_those_who_claim() -> None:
    mine, also = claim_gold("Ana", 0), claim_gold("Bruno", 1)
    assert type_lines(hearing(mine), "claims").lines[0] == "north goal: gold (you)."
    told = type_lines(hearing(mine, also), "claims").lines[0]
    assert told == "north goal: gold (you and Bruno)."


def test_who_and_a_name_tells_what_that_player_did() -> None:
    history = (Laid(BRUNO - 1, Path.read("EW"), (1, 0)), Broke(DEDE - 1, Tool.PICK, BRUNO - 1))
    later = playing(DIG._replace(history=history))
    told = ("Bruno: broken: pick and lantern; 3 cards, 0 gold cards.",)
    for name in ("Bruno", "bru", "2"):
        assert type_lines(later, f"who {name}").lines == (*told, "1 tunnel.")
    for name in ("nobody", "9"):
        (line, *_rest) = type_lines(later, f"who {name}").lines
        assert line.startswith("Nobody of that name is at the table")


def test_only_the_host_hears_of_a_hosts_commands() -> None:
    guest = playing(DIG._replace(seat=1), BRUNO)
    assert "host" not in " ".join(type_lines(guest, "? table").lines)
    assert type_lines(guest, "? host").lines[0].startswith("Only the host")
    assert type_lines(HERE, "? host").lines[0].startswith("start ")
    for word in (command.words.split()[0] for command in COMMANDS if command.when is When.HOST):
        assert type_lines(guest, word).lines[0].startswith("Only the host"), word


def test_the_list_of_rules_has_the_colons_of_the_language() -> None:
    with speak(load_locale("fr")):
        assert "8 gold : La fin d'une manche" in type_lines(HERE, "rules").lines
