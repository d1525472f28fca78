"""What each action at the table does, and what `why_not` says: pure functions, without an app."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import get_args

import pytest
from msgspec import structs

from engine.board import START
from engine.bots.hints import Hint, Sheds
from engine.cards import Card, Path, Tool
from engine.events import Laid
from engine.moves import Break, Discard, KeepGold, Lay, Repair
from net.client.session import ConnectionState, Disagreement, Received, Status
from net.lobby.evening import EveningPlan, TargetUnit
from net.lobby.model import Person, Presence, Settings, TableClaim, Topic
from net.protocol.messages import CloseReason, CommandRefused, DiskStatus, Refusal
from net.protocol.requests import Chat, MakeClaim, PlayAgain, SetReady
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.table.actions import (
    AskFirst,
    CardAction,
    ChangeSubject,
    ChooseCard,
    EndPause,
    FindHints,
    GiveSeat,
    Jump,
    LeaveTable,
    MoveCursor,
    Open,
    Pan,
    PickAction,
    PlayerAction,
    PressClaim,
    PressPlace,
    Resize,
    ScreenEffect,
    Scroll,
    SendRequest,
    SetTitle,
    SubmitTalk,
    TakeHints,
    Unveil,
    UnveilAll,
    UnveilLater,
    UseGlyphs,
    ViewAction,
    Zoom,
)
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.players import PlayerNote
from sabtui.tui.table.update import concerns, meant, update, why_not
from sabtui.tui.theme import ASCII, BOX
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable, commands

TURN = scenes.now()
WATCHER = 9
WATCHING = replace(
    scenes.now(scenes.view()._replace(seat=None, role=None, hand=())), member=WATCHER
)
assert TURN.game_state is not None
STATUSES = {
    "turn": TURN,
    "waiting": scenes.now(scenes.view(turn=2)),
    "guest": scenes.now(at=structs.replace(scenes.lobby(), host=2)),
    "watching": WATCHING,
    "choosing": scenes.now(scenes.choosing()),
    "between": scenes.now(scenes.between()),
    "over": scenes.now(scenes.over()),
    "paused": scenes.now(at=structs.replace(scenes.lobby(), paused=True)),
    "no hints": scenes.now(at=structs.replace(scenes.lobby(), settings=Settings(hints=False))),
    "disk full": replace(TURN, disk=DiskStatus.FULL),
    "lost": replace(TURN, connection=ConnectionState.LOST),
    "ended": replace(TURN, connection=ConnectionState.ENDED, ending=CloseReason.KICKED),
    "no game": replace(TURN, game_state=replace(TURN.game_state, view=None)),
    "no table": Status(),
}
BEGINNINGS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "a card": ("2",),
    "a discard": ("1", "x"),
    "players": ("p", "down"),
    "a card for players": ("5",),
    "claims": ("c",),
    "known facts": ("tab",),
    "an autopilot": ("A",),
    "a move sent": ("2", "enter"),
}
OTHERS: tuple[PlayerAction, ...] = (
    ChooseCard(0),
    ChooseCard(2),
    ChooseCard(9),
    PressPlace((4, 0)),
    PressPlace(3),
    ChangeSubject(-1),
    PressClaim(2),
    PressClaim(99),
    SubmitTalk("hello"),
    GiveSeat(3, scenes.lobby().people[-1]),
)
"""Actions that no command stands for."""

EVERY = (*(command.action for command in commands().values()), *OTHERS)


def test_each_kind_of_action_is_among_those_tried() -> None:
    kinds = get_args(PlayerAction)
    assert {type(action) for action in EVERY} == {*kinds}
    assert {one for one in EVERY if isinstance(one, Enum)} == {
        member for kind in kinds if issubclass(kind, Enum) for member in kind
    }


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_a_refused_action_tells_its_reason_and_does_nothing_else(status: Status) -> None:
    for keys in BEGINNINGS.values():
        at = PureTable(status)
        at.press(*keys)
        for action in EVERY:
            reason = why_not(at.model, status, meant(at.model, action))
            if reason is not None:
                told = replace(at.model, message=reason)
                assert update(at.model, status, action) == (told, ()), action


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_an_available_action_changes_something_or_has_an_effect(status: Status) -> None:
    """Those that may find all as it should be: looks, and what a list or a page has no more of."""
    looks = MoveCursor | Pan | Zoom | Scroll | PressPlace | PressClaim | ChangeSubject
    at = PureTable(status)
    at.press("p")
    for action in EVERY:
        if isinstance(action, looks) or at.why_not(meant(at.model, action)) is not None:
            continue
        assert update(at.model, status, action) != (at.model, ()), action


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_nobody_may_do_what_never_concerns_them(status: Status) -> None:
    at = PureTable(status)
    at.press("p", "down")
    for action in EVERY:
        if not concerns(status, action) and not isinstance(action, PressPlace):
            assert at.why_not(action) is not None, action


def test_n_goes_from_place_to_place_and_r_turns_the_card_there() -> None:
    at = PureTable()
    at.press("2", "n")
    assert at.said.startswith("Enter: lay it at 0n2: from south to north and east.")
    assert at.said.endswith("r turns it.")
    at.press("r")
    assert at.said.startswith("Enter: lay it at 0n2: from south to north and west.")
    at.press("N")
    assert "lay it at 4: " in at.said


def test_an_impossible_wish_has_its_reason_under_the_hand_and_enter_does_nothing() -> None:
    at = PureTable()
    at.press("2", "home")
    assert at.said == "0 is taken: a card lies there."
    at.press("enter")
    assert at.said == "0 is taken: a card lies there."
    assert at.moves == []


def test_nothing_is_answered_by_silence() -> None:
    at = PureTable()
    for key, answer in (
        ("enter", "Choose a card first, 1 to 6."),
        ("r", "Choose a card first, 1 to 6."),
        ("n", "Choose a card first, 1 to 6."),
        ("S", "The record can be saved once the game is over."),
        ("m", "Go to a player first: p, then Up or Down; or click on one."),
        ("escape", "Nothing to cancel. q leaves the table."),
    ):
        at.press(key)
        assert at.said == answer


@pytest.mark.parametrize("key", ["r", "R", "n", "x"])
def test_after_the_game_no_card_is_asked_for(key: str) -> None:
    at = PureTable(scenes.now(scenes.over()))
    at.press(key)
    assert at.said == "The game is over."


def test_the_end_of_a_round_closes_the_list_of_claims_over_the_roles() -> None:
    at = PureTable()
    at.press("c")
    assert at.model.about is not None
    at.hear(scenes.now(scenes.between()), Received(events=(scenes.ENDED,)))
    assert at.model.about is None


@pytest.mark.parametrize(
    ("keys", "cell"),
    [
        (("right", "l", "d"), (3, 0)),
        (("left", "h", "a"), (-3, 0)),
        (("up", "k", "w"), (0, -3)),
        (("down", "j", "s"), (0, 3)),
    ],
    ids=["right", "left", "up", "down"],
)
def test_arrows_and_letters_move_the_cursor(keys: tuple[str, ...], cell: tuple[int, int]) -> None:
    at = PureTable()
    at.press(*keys)
    assert at.selection.cell == cell
    assert at.window.shows(cell)


def test_broken_tools_go_to_players() -> None:
    at = PureTable()
    at.press("4")
    assert at.said == "Enter: break Bruno's lantern."
    at.press("n", "n", "enter")
    assert at.moves == [Break(Tool.LANTERN, 4)]


def test_a_repair_of_two_tools_asks_for_one_by_r() -> None:
    at = PureTable()
    at.press("5", "n")
    assert at.said == "Enter: repair Chiara's pick. r: cart."
    at.press("r", "enter")
    assert at.moves == [Repair(Card.REPAIR_PICK_CART, 2, Tool.CART)]


def test_a_discard_is_asked_for_and_escape_takes_it_back() -> None:
    at = PureTable()
    at.press("1", "x")
    assert at.said == ("Enter: pass and discard the bend (north, east). Face down. Esc keeps it.")
    at.press("escape")
    assert not at.selection.discarding
    at.press("x", "x")
    assert at.moves == [Discard(Card.NE)]


def test_the_cursor_tells_who_laid_a_card_and_who_claims_what_of_a_goal() -> None:
    at = PureTable(size=(120, 40))
    at.press("full_stop")
    assert at.said.startswith(
        "It is your turn. At 4n1: bend south, west, cut off. Norri laid it just now."
    )
    at.press("g", "g", "g")
    assert "Gold, according to Bruno." in at.said
    at.press("7", "g")
    assert "Looked at by Chiara." in at.said


def test_waiting_is_explained() -> None:
    at = PureTable(scenes.now(scenes.view(turn=4)))
    assert at.said.startswith("It is Dede's turn. Dede lost connection: waiting.")
    *others, dede, zoe = scenes.lobby().people
    left = structs.replace(
        scenes.lobby(), people=(*others, structs.replace(dede, presence=Presence.AWAY), zoe)
    )
    at.hear(scenes.now(scenes.view(turn=4), left), Received())
    assert at.said.startswith("It is Dede's turn. Dede left for now: waiting.")
    status = scenes.now(scenes.view(turn=3))
    at.hear(status, Received())
    assert at.said.startswith("It is Chiara's turn. Chiara's connection is shaky.")
    at.hear(replace(status, connection=ConnectionState.LOST))
    assert "The table's program has stopped answering" in at.said
    at.hear(replace(status, disk=DiskStatus.FULL))
    assert at.said.startswith("The game cannot be saved, so it is on hold")


def test_where_a_disagreement_is_written_down_is_said() -> None:
    at, disagreed = PureTable(), Disagreement(1, 9, bytes(8), b"", (), (), None)
    at.hear(
        scenes.now(), Received(renewed=True, report="/state/reports/1.txt", disagreed=disagreed)
    )
    assert "Please send /state/reports/1.txt to" in at.said


def test_a_refusal_is_said() -> None:
    at = PureTable()
    at.press("2", "enter")
    at.hear(at.status, Received(refused=CommandRefused(1, Refusal.STALE)))
    assert at.said == "That turn was already over: look again, and choose again."
    at.press("enter")
    assert len(at.moves) == 2, "and one may try again"


def test_a_seat_that_ended_says_why_and_enter_goes_away() -> None:
    at = PureTable()
    status = replace(at.status, connection=ConnectionState.ENDED, ending=CloseReason.KICKED)
    at.hear(status)
    assert at.said.startswith("The host removed you: ask whether you may")
    at.press("enter")
    assert len(at.left) == 1
    assert at.left[0].startswith("The host removed you: ask whether you may")


def test_gold_is_chosen_by_its_nuggets() -> None:
    at = PureTable(scenes.now(scenes.choosing()))
    assert at.said == "Gold! Press the number on the card you keep: 3, 2 or 1."
    at.press("5")
    assert at.said == "No gold card of 5 nuggets is on offer."
    at.press("2", "enter")
    assert at.moves == [KeepGold(2)]


def test_between_rounds_enter_is_ready_and_tells_who_is_waited_for() -> None:
    at = PureTable(scenes.now(scenes.between()))
    assert at.said == "Enter: ready for the next round. Waiting for Bruno and Chiara."
    at.press("enter")
    assert at.requests == [SetReady(ready=True)]


@pytest.mark.parametrize("status", ["disk full", "lost"])
def test_where_no_move_can_be_made_a_discard_begins_with_the_card(status: str) -> None:
    at = PureTable(STATUSES[status])
    at.press("x")
    assert (at.said, at.model.selection.discards_next) == ("Choose a card first, 1 to 6.", False)
    at.press("2", "x", "enter")
    assert at.model.selection.discarding
    assert not at.requests


def test_quick_claims_take_two_keys_and_arrows_change_whom_they_are_about() -> None:
    at = PureTable()
    at.press("c", "6")
    assert at.requests == [MakeClaim(TableClaim(Topic.STONE_AT, 2))]
    at.press("c", "7")
    assert at.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 4)), "Norri played last"
    at.press("c", "down", "8")
    assert at.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_FOR_US, 1)), "and is not oneself"
    at.press("c", "escape", "2")
    assert at.selection.card == 1
    assert len(at.requests) == 3


def test_zoom_and_pan_keep_the_cursor_on_its_cell() -> None:
    at = PureTable()
    at.press("2", "plus")
    sizes = [at.window.size]
    at.press("minus", "minus", "minus")
    assert [*sizes, at.window.size] == [TileSize.WIDE, TileSize.SMALL]
    assert at.window.shows((4, 0))
    at.press("shift+right", "shift+right", "shift+right", "shift+right")
    assert not at.window.shows((4, 0))
    assert at.selection.cell == (4, 0)
    at.press("n", "full_stop")
    assert at.selection.cell == (4, -1), "the newest card"
    assert at.window.shows((4, -1))


def test_z_shows_all_of_the_mine_goes_back_and_is_never_silent() -> None:
    at = PureTable()
    at.press("z")
    assert at.model.message == "All of the mine that fits is in sight already."
    at.press("plus", "shift+right", "z")
    assert at.window.shows_all(at.model.cells)
    at.press("z")
    assert at.window.size is TileSize.WIDE
    at.press("g", "g")
    assert at.selection.cell == (8, 0)


def test_a_guest_of_a_paused_game_is_told_whom_it_waits_for() -> None:
    paused = structs.replace(scenes.lobby(), paused=True, host=2)
    at = PureTable(scenes.now(at=paused))
    assert at.said == "Paused by Bruno, the host. You can talk."
    at.press("P")
    assert at.said == "Only the host of the table can do that."
    assert at.requests == []


def test_what_a_pause_kept_one_from_is_not_told_once_the_game_goes_on() -> None:
    paused = structs.replace(scenes.lobby(), paused=True, host=2)
    at = PureTable(scenes.now(at=paused))
    at.press("2", "enter")
    assert at.said == "Paused by Bruno, the host. You can talk."
    at.hear(STATUSES["guest"], Received())
    assert at.said.startswith("Enter: lay ")


def test_enter_out_of_turn_is_refused_with_whose_turn_it_is_not_what_lies_there() -> None:
    at = PureTable(STATUSES["waiting"])
    at.press("g")
    assert at.said.startswith("At 8n2: north goal"), "the cursor is on a goal"
    at.press("enter")
    assert at.said == "It is Bruno's turn."


def test_a_table_that_has_ended_says_the_key_that_leaves_it() -> None:
    at = PureTable(STATUSES["ended"])
    assert at.said == "The host removed you: ask whether you may come back. Enter leaves."
    at.press("enter")
    assert any(isinstance(one, LeaveTable) for one in at.effects)


def test_what_a_map_would_show_is_told_only_of_a_goal_that_is_known() -> None:
    at = PureTable()
    hand = (Card.MAP, *scenes.view().hand[1:])
    at.hear(scenes.now(scenes.view()._replace(hand=hand)), Received())
    at.press("1")
    assert at.said.startswith("Enter: look at the north goal in secret.")
    at.act(PressPlace((8, 0)))
    assert at.said == "Enter: look at the middle goal in secret, stone on your map."


def test_gold_of_one_kind_is_kept_by_one_key() -> None:
    view = scenes.choosing()
    same = view._replace(offer=(1, 1), score=replace(view.score, offer=2))
    at = PureTable(scenes.now(same))
    assert at.said == "Enter: keep the gold card of 1 nugget. All gold cards left are alike."
    at.press("n")
    assert at.said == "All gold cards left are alike."
    at.press("enter")
    assert at.moves == [KeepGold(1)]
    at = PureTable(scenes.now(view))
    at.press("enter")
    assert at.said == "Choose a gold card first: press the number on it."
    assert at.moves == []


def test_p_goes_to_the_players_and_stays_there_with_a_card_for_them() -> None:
    at = PureTable()
    at.press("4", "p", "down")
    assert at.selection.seat == 2
    at.press("escape", "p")
    assert at.selection.seat == 0
    assert "Ana (you): 6 cards, 1 gold card" in at.said
    at.press("p")
    assert at.selection.seat is None


def test_a_move_is_sent_once_until_the_table_changes() -> None:
    at = PureTable()
    at.press("2", "enter")
    assert at.effects[-1] == SendRequest(at.status.move_request(Lay(Path.read("NSW"), (4, 0))))
    assert at.why_not(CardAction.CONFIRM) == "Your move is on its way to the host."
    assert at.why_not(CardAction.HINT) == "Your move is on its way to the host."
    assert at.status.game_state is not None
    at.hear(replace(at.status, game_state=replace(at.status.game_state, step=58)))
    assert at.why_not(CardAction.CONFIRM) is None


def test_what_cannot_be_turned_here_says_why() -> None:
    at = PureTable()
    at.press("2", "r")
    assert at.said == ("NES@4: the east side would meet rock, at 5. Turned around, it fits: NSW@4.")
    at.press("escape", "3", "r")
    assert at.said == "There is no other way to play this card here."


def test_a_card_is_laid_in_two_keys_and_at_another_place_in_three() -> None:
    at = PureTable()
    at.press("2", "enter")
    assert at.moves == [Lay(Path.read("NSW"), (4, 0))]
    at = PureTable()
    at.press("2", "3", "enter")
    assert at.moves == [Lay(Path.read("NES"), (0, 1))]


def test_the_number_of_a_place_goes_there_and_never_acts() -> None:
    at = PureTable()
    at.press("2", "2", "2")
    assert at.said.startswith("Enter: lay it at 0n2: from south to north and east.")
    assert at.moves == []
    at.press("9")
    assert at.said.startswith(
        "No place has the number 9. Enter: lay it at 0n2: from south to north and east."
    )
    assert at.said.endswith(" Esc puts the card back."), "what Enter does is never a surprise"
    waits = PureTable(STATUSES["waiting"])
    waits.press("2", "9")
    assert waits.said == "No place has the number 9. Esc puts the card back."


def test_the_number_of_a_player_goes_to_them_even_where_the_card_cannot_be_played() -> None:
    at = PureTable()
    at.press("4", "5")
    assert at.said == "Enter: break Norri's lantern."
    at.press("3")
    assert at.said == "Already broken: Chiara's lantern."


def test_where_no_place_is_numbered_digits_choose_cards_and_turn_the_chosen_one() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(1, *view.table.broken[1:])))
    at = PureTable(scenes.now(broken))
    at.press("2", "2")
    assert at.selection.turned
    at.press("x", "2")
    assert not at.selection.discarding, "but first it takes back a discard"
    at.press("1")
    assert at.selection.card == 0


def test_a_key_goes_from_card_to_card() -> None:
    at = PureTable()
    at.press("e")
    assert at.selection.card == 0
    at.press("e", "e")
    assert at.selection.card == 2
    at.press("e", "e", "e", "e")
    assert at.selection.card == 0
    choosing = PureTable(STATUSES["choosing"])
    choosing.press("e")
    assert choosing.said == "Choose a gold card first: press the number on it."
    for key in ("n", "r", "x"):
        choosing.press(key)
        assert choosing.said == "Choose a gold card first: press the number on it.", key


def test_a_broken_tool_is_told_with_what_one_can_do_all_the_same() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(Tool.CART.bit, 0, 0, 0, 0)))
    at = PureTable(scenes.now(broken))
    at.press("2")
    assert at.said.endswith("x discards; actions can be played.")
    at.press("enter")
    assert at.said.endswith("x discards; actions can be played.")
    assert at.moves == []


def test_a_new_round_begins_with_the_cursor_at_the_start() -> None:
    before = scenes.between()
    at = PureTable(scenes.now(before))
    at.model = at.model.at((5, 1))
    view = scenes.view()
    at.hear(scenes.now(view._replace(score=replace(view.score, number=before.score.number + 1))))
    assert (at.selection.place, at.selection.card) == (START, None)


def test_a_card_that_can_do_nothing_has_no_place_to_go_to() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(1, *view.table.broken[1:])))
    at = PureTable(scenes.now(broken))
    at.press("1", "n")
    assert at.said == "You cannot play this card now: x discards it."
    assert at.why_not(Jump(-1)) == at.said


def test_a_digit_of_no_card_says_how_many_there_are() -> None:
    assert PureTable().why_not(ChooseCard(7)) == "You hold 6 cards."
    assert PureTable().why_not(ChooseCard(0)) == "You hold 6 cards."
    assert PureTable(STATUSES["no game"]).why_not(ChooseCard(1)) == "The game has not begun yet."


def test_escape_steps_back_and_never_leaves() -> None:
    at = PureTable()
    at.press("2", "x", *["escape"] * 5)
    assert at.selection.card is None
    assert at.left == []
    at.model = replace(at.model, is_talking=True, about=1)
    at.press("escape")
    assert at.effects[-1] is ScreenEffect.CLOSE_TALK
    at.model = replace(at.model, is_talking=False, back=3)
    at.press("escape", "escape")
    assert (at.model.about, at.model.back) == (None, 0)


def test_leaving_is_asked_first_unless_the_table_has_ended() -> None:
    at = PureTable(STATUSES["guest"])
    at.press("q")
    assert at.effects[-1] == AskFirst("Leave for now? Your seat is kept.", LeaveTable())
    at = PureTable(STATUSES["ended"])
    at.press("q")
    assert at.left[0].startswith("The host removed you: ask whether you may")


def test_after_the_game_the_host_is_asked_before_all_play_again() -> None:
    at = PureTable(STATUSES["over"])
    at.press("enter", "n", "enter", "y")
    assert at.requests == [PlayAgain()]


def test_in_an_evening_the_question_says_that_seats_are_drawn() -> None:
    over = STATUSES["over"]
    assert over.lobby is not None
    evening = EveningPlan(TargetUnit.GAMES, 3)
    settings = structs.replace(over.lobby.settings, evening=evening)
    at = PureTable(scenes.now(over.view, at=structs.replace(over.lobby, settings=settings)))
    at.press("enter")
    asked = "On to the next game? The seats are drawn anew."
    assert at.effects[-1] == AskFirst(asked, SendRequest(PlayAgain()))


def test_talk_is_cleaned_and_nothing_is_not_said() -> None:
    at = PureTable()
    at.press("c", "t")
    assert (at.model.about, at.effects[-1]) == (None, ScreenEffect.OPEN_TALK)
    at.act(SubmitTalk(" hello\x1b there "))
    assert at.effects[-2:] == [SendRequest(Chat("hello there")), ScreenEffect.CLOSE_TALK]
    at.act(SubmitTalk("  "))
    assert len(at.requests) == 1


def test_a_player_is_marked_for_oneself_alone() -> None:
    at = PureTable()
    at.press("p", "down", "m")
    assert at.model.notes == {"Bruno": PlayerNote.FRIEND}
    at.press("m", "m", "m")
    assert at.model.notes == {"Bruno": PlayerNote.NONE}
    assert at.requests == []


def test_of_several_who_watch_each_has_a_row_to_pick() -> None:
    lobby = scenes.lobby()
    yan = Person(10, "Yan", Presence.THERE)
    lobby = structs.replace(lobby, people=(*lobby.people, yan))
    at = PureTable(scenes.now(scenes.between(), lobby))
    at.press("p", "down")
    at.command("hand over")
    zoe = lobby.people[-2]
    answers = (("Zoe", GiveSeat(1, zoe)), ("Yan", GiveSeat(1, yan)))
    assert at.effects[-1] == PickAction("Who gets seat 2, with its cards and gold?", answers)


def test_one_hears_the_bell_and_reads_in_the_title_when_the_turn_begins() -> None:
    at = PureTable(STATUSES["waiting"])
    assert at.effects == [SetTitle("Gold Rush")]
    at.hear(TURN, Received())
    assert at.effects[1:] == [SetTitle("Your turn - Gold Rush"), ScreenEffect.RING]
    at.hear(TURN, Received())
    assert len(at.effects) == 3


def test_an_update_takes_a_message_away_but_never_an_open_question() -> None:
    laid = Received(events=(Laid(4, Path.read("SW"), (4, -1)),))
    at = PureTable()
    at.press("S")
    at.hear(TURN, laid)
    assert at.model.message == ""
    asked = replace(at.model, message="Leave for now? Your seat is kept.", is_asked=True)
    for received in (laid, Received(alarm=5), Received(refused=CommandRefused(1, Refusal.STALE))):
        at.model = asked
        at.hear(TURN, received)
        assert at.said == "Leave for now? Your seat is kept."


def test_dwarves_are_unveiled_one_after_the_other_and_a_late_timer_does_nothing() -> None:
    at = PureTable()
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    assert (at.model.unveiled, at.effects[-2]) == (0, UnveilLater(1))
    for dwarves in range(1, 6):
        at.act(Unveil(dwarves))
        assert (at.model.unveiled, at.effects[-1]) == (dwarves, UnveilLater(dwarves + 1))
    at.act(Unveil(6))
    assert (at.model.unveiled, at.model.log.held_back) == (None, 0)
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.act(UnveilAll())
    shown = at.model
    at.act(Unveil(1))
    assert at.model == shown


def test_enter_that_shows_all_roles_gets_nobody_ready_until_a_while_has_passed() -> None:
    at = PureTable()
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.act(UnveilAll())
    assert at.effects[-1] is ScreenEffect.END_PAUSE_LATER
    at.press("enter", "enter")
    assert at.requests == []
    at.act(EndPause())
    at.press("enter")
    assert at.requests == [SetReady(ready=True)]
    at = PureTable(STATUSES["between"])
    at.press("enter")
    assert at.requests == [SetReady(ready=True)], "nothing was unveiled just now"


HINT = Hint(Discard(Card.NE), Sheds(Card.NE), None)


def test_hints_are_found_once_for_a_turn_and_told_in_turn() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i", "i")
    assert [one for one in at.effects if isinstance(one, FindHints)] == [FindHints(TURN.view)]
    at.act(TakeHints(TURN.view, (HINT,) * 9))
    assert at.said.endswith("Hint 1 of 4; i: next. Enter does it.")
    assert at.selection.discarding
    at.press("i")
    assert at.said.endswith("Hint 2 of 4; i: next. Enter does it.")
    assert at.moves == []


def test_hints_that_come_too_late_or_during_a_question_are_not_told() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i")
    at.hear(STATUSES["waiting"], Received())
    at.act(TakeHints(TURN.view, (HINT,)))
    assert at.said.startswith("It is Bruno's turn.")
    assert at.selection.card is None
    at = PureTable()
    at.press("i")
    at.model = replace(at.model, is_asked=True, message="Leave for now? Your seat is kept.")
    at.act(TakeHints(TURN.view, (HINT,)))
    assert at.said == "Leave for now? Your seat is kept."
    at.model = replace(at.model, is_asked=False)
    at.press("i")
    assert at.selection.discarding, "it is told when one asks again"


def test_a_new_screen_waits_for_no_timer_and_no_hints_of_the_one_before() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i")
    at.act(Open(BOX))
    at.press("i")
    assert at.effects.count(FindHints(TURN.view)) == 2
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.act(Open(BOX))
    assert at.model.unveiled is None


def test_where_no_hint_is_found_one_may_ask_again() -> None:
    at = PureTable()
    assert TURN.view is not None
    for _time in range(2):
        at.press("i")
        assert at.effects[-1] == FindHints(TURN.view)
        at.act(TakeHints(TURN.view, ()))
        assert at.said == "No hint for this position."


def test_the_autopilot_is_told_of_every_update_until_one_takes_over() -> None:
    at = PureTable(STATUSES["waiting"])
    at.press("A")
    at.hear(TURN)
    assert at.effects.count(ScreenEffect.RUN_AUTOPILOT) == 2
    at.press("1", "enter")
    assert at.said == "A bot plays for you: press A to take over."
    assert at.why_not(CardAction.HINT) == at.said
    at.press("A")
    assert at.said == "You have taken over again."
    at.hear(TURN)
    assert at.effects[-1:] == [ScreenEffect.STOP_AUTOPILOT]


def test_what_the_screen_is_told_is_kept() -> None:
    at = PureTable()
    at.act(UseGlyphs(ASCII))
    at.act(Resize(60, 18))
    assert (at.model.glyphs, at.model.layout) == (ASCII, Layout.of(60, 18))
    at.act(ViewAction.TOGGLE_VEIL)
    assert at.model.veiled
    assert at.effects == PureTable().effects


def test_pages_of_the_pane_end_at_its_ends() -> None:
    at = PureTable(size=(60, 18))
    at.press("u", *["pagedown"] * 9)
    assert at.model.pane is SidePanel.ROLE
    last = at.model.back
    at.press("pageup")
    assert 0 <= at.model.back < last
    at.press("u", *["pageup"] * 99)
    assert at.model.back > 0
    at.press(*["pagedown"] * 99)
    assert at.model.back == 0


def test_pages_of_claims_end_at_the_last_and_begin_anew_with_the_list() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(7, *view.table.broken[1:])))
    at = PureTable(scenes.now(broken), size=(60, 18))
    at.press("c", "pagedown", "pagedown")
    assert at.model.claims_page == 1
    at.press("pageup", "pageup")
    assert at.model.claims_page == 0
    at.press("pagedown", "c", "c")
    assert (at.model.about, at.model.claims_page) == (4, 0)
