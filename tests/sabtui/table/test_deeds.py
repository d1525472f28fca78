"""The catalogue of deeds: each once for every face, with its question and its reasons."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import get_args

import pytest
from msgspec import structs

from engine.state import Phase
from net.client.session import Status
from net.protocol.lobby import Stage
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import (
    Chat,
    HandOver,
    Kick,
    Lock,
    MakeMove,
    Pause,
    Request,
    Sit,
    TakeHost,
)
from sabtui.plain.commands import COMMANDS
from sabtui.table import deeds
from sabtui.table.deeds import (
    CLOSE,
    DEEDS,
    HAND_OVER,
    LOCK,
    PAUSE,
    READY,
    REMOVE,
    SIT,
    UNSAVED,
    Aim,
    Deed,
    aim_at,
    is_host,
    refuse_twins,
)
from sabtui.text.reasons import refusal_sentence, why_unavailable
from tests.net.server.journal_tools import HOUSE
from tests.sabtui.cases import DIG
from tests.sabtui.plain_sessions import now_at
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, lobby, sits

HOST = now_at(lobby())
GUEST = now_at(lobby(), member=BRUNO)
OVER = DIG._replace(
    score=replace(DIG.score, gold=((), (), ())), table=DIG.table._replace(turn=None)
)


def test_two_commands_of_one_spelling_are_refused() -> None:
    refuse_twins(["lock", "unlock"])
    with pytest.raises(ValueError, match="two commands are spelt lock"):
        refuse_twins(["lock", "unlock", "lock"])


def test_each_deed_is_in_the_catalogue() -> None:
    defined = [value for value in vars(deeds).values() if isinstance(value, Deed)]
    assert len(defined) > 20
    assert [deed.name for deed in defined if deed not in DEEDS] == []


@pytest.mark.parametrize("request_", [Chat("x" * 161), Sit(10), Kick(0)])
def test_what_the_table_could_not_read_is_refused_before_it_is_sent(request_: Request) -> None:
    told = why_unavailable(HOST, request_)
    assert told == "That text is too long, or that number too large: choose another."


def test_everything_that_may_be_asked_of_a_table_can_be_asked_for_by_a_person() -> None:
    made_by_net = {MakeMove, TakeHost}
    wanted = {kind.__name__ for kind in set(get_args(Request)) - made_by_net}
    sources = (path.read_text("utf-8") for path in (HOUSE / "sabtui").rglob("*.py"))
    made = {
        node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        for source in sources
        if any(f"{name}(" in source for name in wanted)  # others need not be parsed
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
    }
    assert wanted <= made


def test_no_word_means_a_deed_and_something_else() -> None:
    words = [word for command in COMMANDS for word in command.spellings]
    assert len(words) == len({*words})
    assert {word for deed in DEEDS for word in deed.typed} <= {*words}


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
def test_every_deed_is_offered_somewhere_and_has_a_purpose(deed: Deed) -> None:
    assert deed.purpose()
    assert deed.lobby is not None or deed.table is not None or deed.typed
    shown = [keys for keys in (deed.lobby, deed.table) if keys is not None and not keys.is_hidden]
    assert deed.label is not None or not shown, "the footer needs a label"


@pytest.mark.parametrize(
    "deed", [deed for deed in DEEDS if deed.concerns is is_host], ids=lambda deed: deed.name
)
def test_a_guest_is_told_that_the_host_alone_does_this(deed: Deed) -> None:
    told = deed.why_not(Aim(GUEST))
    assert told in (refusal_sentence(Refusal.HOST_ONLY), "The host starts the game.")


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
def test_nothing_can_be_done_before_one_is_at_a_table(deed: Deed) -> None:
    assert deed.why_not(Aim(Status())) == "You are not at the table yet."


def test_a_key_toggles_and_a_word_means_what_it_says() -> None:
    playing = now_at(lobby(*lobby().chairs[:3], stage=Stage.PLAYING), DIG)
    assert PAUSE.request(Aim(playing)) == PAUSE.request(Aim(playing, word="pause"))
    assert PAUSE.request(Aim(playing, word="go")) == Pause(paused=False)
    assert LOCK.request(Aim(HOST)) == Lock(locked=True)
    assert LOCK.why_not(Aim(HOST, word="unlock")) == refusal_sentence(Refusal.NOT_NOW)


def test_a_person_is_removed_after_a_question_and_a_bot_without() -> None:
    person = aim_at(HOST, 1)
    assert REMOVE.request(person) == Kick(BRUNO)
    assert REMOVE.ask(person) == "Remove Bruno for good?"
    assert REMOVE.ask(aim_at(HOST, 3)) == ""
    assert REMOVE.why_not(aim_at(HOST, 4)) == "Nobody sits there."
    assert REMOVE.why_not(aim_at(HOST, 0)) == refusal_sentence(Refusal.HOST_STAYS)


def test_a_seat_goes_to_the_one_watcher_or_to_the_one_who_was_picked() -> None:
    assert HAND_OVER.request(aim_at(HOST, 1)) == HandOver(1, EVA)
    assert HAND_OVER.ask(aim_at(HOST, 1)) == "Give Bruno's seat 2 to Eva?"
    assert HAND_OVER.why_not(aim_at(HOST, 4)) == "Nobody sits there."
    assert HAND_OVER.why_not(Aim(HOST, how="Choose one.")) == "Choose one."


def test_before_a_game_a_seat_goes_to_who_came_back_under_a_number_and_sits_elsewhere() -> None:
    table = lobby(sits(ANA), sits(BRUNO), sits(DEDE))
    people = [
        structs.replace(one, name="Bruno 2") if one.member == DEDE else one for one in table.people
    ]
    back = now_at(structs.replace(table, people=tuple(people)))
    assert [name for name, _aim in HAND_OVER.others(aim_at(back, 1))] == ["Bruno 2", "Eva"]
    assert [name for name, _aim in HAND_OVER.others(aim_at(back, 0))] == ["Eva"]


def test_the_host_counts_as_ready_before_a_game() -> None:
    assert READY.request(Aim(HOST)) is None
    assert READY.request(Aim(GUEST)) is not None


def test_a_taken_seat_is_named_by_its_player() -> None:
    assert SIT.why_not(aim_at(HOST, 1)) == "That seat is not free: choose another."
    assert SIT.why_not(aim_at(HOST, 0)) == "You already have a seat."
    assert SIT.request(aim_at(HOST, 4)) == Sit(4)


def test_to_play_on_unsaved_is_asked_about_while_the_disk_is_full() -> None:
    assert UNSAVED.why_not(Aim(HOST)) == "Nothing has changed."
    full = replace(HOST, disk=DiskStatus.FULL)
    assert UNSAVED.why_not(Aim(full)) is None
    assert UNSAVED.ask(Aim(full)).startswith("Play on unsaved?")


def test_who_closes_a_table_in_a_game_is_told_that_it_is_lost() -> None:
    assert CLOSE.ask(Aim(HOST)) == "Close the table for everybody?"
    lost = "Unfinished games are not saved."
    assert CLOSE.ask(Aim(now_at(lobby(), DIG, ANA))) == f"Close the table for everybody? {lost}"


def test_a_table_whose_game_is_over_is_closed_without_a_loss() -> None:
    assert OVER.phase is Phase.OVER
    assert CLOSE.ask(Aim(now_at(lobby(), OVER, ANA))) == "Close the table for everybody?"


def test_a_seat_under_nobodys_cursor_is_no_reason_where_it_is_not_the_time() -> None:
    watching = now_at(structs.replace(lobby(*lobby().chairs[:3], stage=Stage.PLAYING)), DIG, EVA)
    assert SIT.why_not(Aim(watching, how="Choose one.")) == "You can do that between rounds."
