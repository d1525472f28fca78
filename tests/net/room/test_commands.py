"""Who may do what at a table: seats, readiness, the host's powers, moves."""

import pytest
from msgspec.structs import replace

from engine import Discard, KeepGold, Phase
from engine.cards import CARDS
from net.discovery import advert
from net.protocol.doors import DoorKind
from net.protocol.events import write_move
from net.protocol.lobby import THE_TABLE, BotChair, Free, Lobby, Settings, Stage
from net.protocol.messages import (
    CloseReason,
    CommandRefused,
    Refusal,
    Snapshot,
    StepFrame,
)
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    Close,
    FreeSeat,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    MakeMove,
    NewCode,
    NextRound,
    Pause,
    PlayAgain,
    PutBot,
    SetReady,
    ShowStep,
    Sit,
    StandUp,
    Start,
    SwitchDoor,
    TableRequest,
)
from tests.net.room.room_fixture import (
    Table,
    bots,
    chair,
    key_of,
    play_on,
    playing,
    three_at_a_table,
)

HOST_WANTS: list[TableRequest] = [
    ChangeSettings(Settings()),
    PutBot(0, "Bot", "random"),
    FreeSeat(0),
    Kick(1),
    HandOver(0, 4),
    Start(),
    NextRound(),
    Pause(paused=True),
    ShowStep(7),
    PlayAgain(),
    Close(),
    GoUnsaved(),
    NewCode(),
    Lock(locked=True),
    SwitchDoor(DoorKind.SSH, open=True),
]


def stage(table: Table) -> advert.AdvertStage:
    """How far the table is."""
    return table.room.stage


def phase(table: Table) -> Phase | None:
    """What its game waits for."""
    return table.room.state.phase


@pytest.mark.parametrize("wanted", HOST_WANTS, ids=lambda want: type(want).__name__)
@pytest.mark.parametrize("name", ["Ben", "Wim"])
def test_the_powers_of_the_host_are_nobody_elses(wanted: TableRequest, name: str) -> None:
    for table in (three_at_a_table(), playing()):
        before = table.room.state
        assert table.wants(name, wanted) is Refusal.HOST_ONLY
        assert table.room.state == before


def test_who_comes_before_the_game_sits_down_on_one_more_seat_if_none_is_free_up_to_ten() -> None:
    table = three_at_a_table(Settings(seats=4))
    assert table.people["Wim"].client.status.seat is None, "who watches"
    bots(table, [3])
    assert stage(table) is advert.AdvertStage.LOBBY
    for seat in range(4, 10):
        table.come(f"P{seat}")
        assert table.lobby.settings.seats == len(table.lobby.chairs) == seat + 1
        assert table.people[f"P{seat}"].client.status.seat == seat
    assert stage(table) is advert.AdvertStage.FULL
    table.come("late")
    late = table.people["late"].client.status
    assert late.seat is None
    assert late.lobby == table.lobby
    assert table.wants("Ann", FreeSeat(4)) is None
    table.come("next")
    assert table.people["next"].client.status.seat == 4
    assert table.wants("Ann", Start()) is None
    assert table.lobby.settings.seats == 10


def test_where_seats_were_drawn_and_in_a_game_nobody_who_comes_gets_one() -> None:
    drawn = replace(three_at_a_table().lobby, in_club=True, host=THE_TABLE)
    assert drawn.is_of_night
    assert drawn.next_seat() is None
    assert Lobby.without_chairs("Hall").next_seat() is None
    table = playing()
    table.come("late")
    assert table.people["late"].client.status.seat is None


def test_names_are_cleaned_and_differ_in_more_than_capitals() -> None:
    table = Table()
    table.come("Ann")
    assert table.wants("Ann", PutBot(2, "Zed", "greedy")) is None
    refused = (
        ("ANN", Refusal.NAME_TAKEN),
        ("zeD", Refusal.NAME_TAKEN),
        ("A\u115fN\ufe0fn\u3164", Refusal.NAME_TAKEN),
        ("\x1b\u202e", Refusal.NO_NAME),
        ("\u2800\u3164\U000e0041", Refusal.NO_NAME),
    )
    for name, why in refused:
        connected = table.come(name, key=bytes(32))
        assert [getattr(message, "reason", None) for message in connected.got] == [why]
        assert not connected.ended
        connected.client.name = "Ben "
    connected = table.come("Ben \x07")
    assert table.lobby.people[-1].name == "Ben"
    assert connected.client.entered


def test_a_full_table_forgets_a_watcher_long_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 12
    monkeypatch.setattr("net.room.handlers.MAX_PEOPLE", most)
    table = three_at_a_table()
    for number in range(most - 4):
        table.come(f"w{number}", watch=True)
    assert len(table.lobby.people) == most
    table.come("late")
    assert table.people["late"].got == [CommandRefused(0, Refusal.TABLE_FULL)]
    del table.people["late"]
    table.wait(11, "w3")
    table.come("last")
    names = [person.name for person in table.lobby.people]
    assert "last" in names
    assert "w3" not in names
    assert table.room.state.member_with(key_of("w3")) is None


def test_a_game_begins_when_enough_sit_and_are_ready() -> None:
    table = Table(Settings(seats=4, rounds=1, youngest=3))
    table.come("Ann")
    assert table.wants("Ann", Start()) is Refusal.TOO_FEW
    table.come("Ben")
    assert table.wants("Ann", Start()) is Refusal.TOO_FEW
    bots(table, [3])
    assert table.wants("Ben", SetReady(ready=False)) is None
    assert table.wants("Ann", Start()) is Refusal.NOT_READY
    assert table.wants("Ben", StandUp()) is None
    assert table.wants("Ben", Sit(1)) is None, "who sits down again is ready"
    assert stage(table) is advert.AdvertStage.LOBBY
    assert table.wants("Ann", Start()) is None
    assert table.lobby.settings.seats == len(table.lobby.chairs) == table.room.lobby.players == 3
    assert table.lobby.settings.youngest == 2, "seats are numbered anew"
    assert table.name_to_act() == "Bot 3"
    assert table.wants("Ann", Start()) is Refusal.NOT_NOW
    assert stage(table) is advert.AdvertStage.PLAYING


def test_the_host_rules_in_the_lobby_and_less_in_a_game() -> None:
    table = three_at_a_table()
    settings = Settings(edition="italia+path+linked", rounds=2, seats=4, youngest=1)
    assert table.wants("Ann", ChangeSettings(settings)) is None
    assert table.lobby.settings.edition == "italia+linked+path"
    assert chair(table, 3) == Free()
    bad = {
        Refusal.NO_SUCH_EDITION: replace(settings, edition="atlantis"),
        Refusal.NO_SUCH_BOT: replace(settings, stand_in="deep blue"),
        Refusal.NO_SUCH_SEAT: replace(settings, youngest=4),
    }
    for why, wrong in bad.items():
        assert table.wants("Ann", ChangeSettings(wrong)) is why
    bots(table, [3])
    assert table.wants("Ann", ChangeSettings(replace(settings, seats=3))) is Refusal.SEAT_TAKEN
    assert table.wants("Ann", Start()) is None
    settings = table.lobby.settings
    assert table.wants("Ann", ChangeSettings(replace(settings, rounds=3))) is Refusal.NOT_NOW
    assert (
        table.wants("Ann", ChangeSettings(replace(settings, is_open=True, turn_seconds=9))) is None
    )
    assert table.lobby.settings.is_open


def test_people_change_seats_in_the_lobby_and_not_in_a_round() -> None:
    table = three_at_a_table(Settings(seats=4, youngest=1))
    assert table.wants("Ben", Sit(0)) is Refusal.SEAT_TAKEN
    assert table.wants("Ben", Sit(4)) is Refusal.NO_SUCH_SEAT
    assert table.wants("Ben", Sit(3)) is None
    assert table.lobby.settings.youngest == -1, "who was named sits there no more"
    assert table.wants("Ben", StandUp()) is None
    assert table.wants("Ben", StandUp()) is Refusal.NO_SEAT
    assert table.wants("Ben", SetReady(ready=True)) is Refusal.NO_SEAT
    assert table.wants("Wim", Sit(1)) is None
    assert table.wants("Ann", Start()) is None
    for want in (Sit(0), StandUp()):
        assert table.wants("Wim", want) is Refusal.NOT_NOW
    assert table.wants("Ann", FreeSeat(1)) is Refusal.NOT_NOW
    assert table.wants("Ann", PutBot(1, "Bot", "random")) is Refusal.NOT_NOW


def test_who_is_ready_too_soon_is_ready_for_the_next_round() -> None:
    table = playing(Settings(seats=3, rounds=2))
    assert not table.lobby.is_ready(1)
    table.ready("Ann", "Ben", "Cleo")
    assert phase(table) is Phase.PLAY
    play_on(table)
    assert phase(table) is Phase.DEAL
    table.wait(1)
    assert phase(table) is Phase.PLAY, "nobody has to say it again"
    assert not table.lobby.is_ready(1)
    play_on(table)
    assert phase(table) is Phase.OVER
    assert table.wants("Ben", SetReady(ready=True)) is None
    assert not table.lobby.is_ready(1), "there is no next round"


def between_rounds(*names: str) -> Table:
    """People and bots at four seats between rounds, and Wim, who watches."""
    table = Table(Settings(seats=4, rounds=3))
    for name in names:
        table.come(name)
        table.wants(name, SetReady(ready=True))
    bots(table, [*range(len(names), 4)])
    table.come("Wim", watch=True)
    table.wants("Ann", Start())
    play_on(table)
    assert phase(table) is Phase.DEAL
    return table


def test_between_rounds_nobody_new_sits_down_at_a_table_that_lacks_its_people() -> None:
    table = between_rounds("Ann", "Ben", "Cleo")
    hand_over = HandOver(3, table.people["Wim"].member)
    table.wait(12, "Ben", "Cleo")
    assert table.wants("Wim", Sit(3)) is Refusal.FEW_HERE
    assert table.wants("Ann", hand_over) is Refusal.FEW_HERE
    table.come("Ben")
    assert table.wants("Ann", hand_over) is None


def test_between_rounds_watchers_take_free_seats_and_bots_seats_with_all_they_hold() -> None:
    table = between_rounds("Ann", "Ben")
    assert table.wants("Wim", Sit(0)) is Refusal.SEAT_TAKEN
    assert table.wants("Ben", Sit(2)) is Refusal.SEATED
    before = len(table.people["Wim"].numbered)
    assert table.wants("Wim", Sit(2)) is None
    step, snapshot = table.people["Wim"].numbered[before:]
    assert isinstance(step, StepFrame)
    assert isinstance(snapshot, Snapshot), "asked for, as a seat has secrets"
    assert table.people["Wim"].client.status.view == table.room.state.view(2)
    assert table.wants("Ben", StandUp()) is None
    assert table.people["Ben"].client.status.view == table.room.state.view(None)
    assert table.wants("Ann", SetReady(ready=True)) is None
    assert phase(table) is Phase.DEAL
    assert table.wants("Wim", SetReady(ready=True)) is None
    assert phase(table) is Phase.PLAY, "all who sit are ready"


def test_the_host_may_deal_before_all_are_ready_and_the_table_when_only_the_gone_are_not() -> None:
    table = playing(Settings(seats=3, rounds=3))
    assert table.wants("Ann", NextRound()) is Refusal.NOT_NOW
    play_on(table)
    assert table.wants("Ann", NextRound()) is None
    assert phase(table) is Phase.PLAY
    play_on(table, seed=1)
    table.ready("Ann", "Ben")
    table.wait(11, "Cleo")
    assert phase(table) is Phase.PLAY
    assert table.wants("Ann", PlayAgain()) is Refusal.NOT_NOW


def test_who_is_kicked_is_told_and_their_seat_is_played_by_a_bot() -> None:
    table = playing()
    ben = table.people["Ben"].member
    assert table.wants("Ann", Kick(99)) is Refusal.NO_SUCH_PERSON
    assert table.wants("Ann", Kick(table.lobby.host)) is Refusal.HOST_STAYS
    assert table.wants("Ann", Kick(ben)) is None
    assert table.people["Ben"].farewell is CloseReason.KICKED
    assert table.people["Ben"].ended
    assert table.room.state.member_with(key_of("Ben")) is None
    assert chair(table, 1) == BotChair("Borin", "medium"), "a bot with a name of its own"
    del table.people["Ben"]
    while table.name_to_act() != "Borin":
        play_on(table, 1)
    turn = table.turn
    assert (turn.seat, turn.level, turn.reason) == (1, "medium", None)
    play_on(table, 1)
    assert table.name_to_act() == "Cleo"


def test_a_seat_that_holds_cards_is_handed_over_to_nobody_until_the_round_is_over() -> None:
    table = playing(Settings(seats=3, rounds=2, stand_in="easy"))
    wim = table.people["Wim"].client
    assert table.wants("Ann", HandOver(1, wim.status.member)) is Refusal.HOLDS_CARDS
    assert table.wants("Ben", Leave()) is None
    assert table.wants("Ann", HandOver(1, wim.status.member)) is Refusal.HOLDS_CARDS, (
        "a bot plays it on"
    )
    assert wim.status.view == table.room.state.view(None)
    play_on(table)
    assert phase(table) is Phase.DEAL
    assert table.wants("Ann", HandOver(1, wim.status.member)) is None
    assert wim.status.seat == 1


def test_who_leaves_is_gone_for_good_but_the_host_stays_or_closes() -> None:
    table = three_at_a_table()
    assert table.wants("Ben", Leave()) is None
    assert table.people["Ben"].farewell is CloseReason.LEFT
    assert table.wants("Ann", Leave()) is Refusal.HOST_STAYS
    effects = table.say(table.people["Ann"], table.people["Ann"].client.request(Close())[0])
    assert effects.finished
    for name in ("Ann", "Cleo", "Wim"):
        assert table.people[name].farewell is CloseReason.CLOSED
        frame = table.people[name].numbered[-1]
        assert isinstance(frame, StepFrame)
    assert table.lobby.stage is Stage.CLOSED
    assert table.come("Late").got == [CommandRefused(0, Refusal.NOT_NOW)]


def test_a_pause_stops_moves_and_bots_and_not_talk() -> None:
    table = playing(Settings(seats=3, turn_seconds=2))
    assert table.wants("Ann", Pause(paused=False)) is Refusal.NOT_NOW
    assert table.wants("Ann", Pause(paused=True)) is None
    assert table.plays(table.name_to_act(), table.move()) is Refusal.PAUSED
    table.wait(5)
    assert table.room.bot_turn() is None
    assert table.wants("Ben", Chat("what now?")) is None
    assert table.wants("Ann", Pause(paused=False)) is None
    assert table.room.bot_turn() is None, "the turn's time begins anew"
    table.wait(3)
    assert table.room.bot_turn() is not None


def test_moves_are_refused_out_of_turn_out_of_time_and_against_the_rules() -> None:
    table = three_at_a_table()
    assert table.people["Ann"].client.status.view is None
    discard = Discard(CARDS[0])
    assert table.plays("Ben", discard) is Refusal.NOT_NOW
    assert table.wants("Ann", Start()) is None
    name = table.name_to_act()
    other = next(person for person in ("Ann", "Ben", "Cleo") if person != name)
    before = table.room.state
    assert table.plays(other, discard) is Refusal.NOT_YOUR_TURN
    assert table.plays("Wim", discard) is Refusal.NO_SEAT
    assert table.plays(name, KeepGold(3)) is Refusal.ILLEGAL
    assert before == table.room.state
    move = table.move()
    seen = table.room.state.number
    assert table.wants(name, MakeMove(seen - 1, write_move(move))) is Refusal.STALE
    assert table.wants(name, MakeMove(seen + 1, write_move(move))) is Refusal.STALE
    assert table.wants("Ann", Chat("hm")) is None
    assert table.wants(name, MakeMove(seen, write_move(move))) is None, "talk makes nothing stale"
    play_on(table)
    assert table.plays(name, discard) is Refusal.NOT_NOW


def test_a_command_is_done_once_and_answered_again() -> None:
    table = three_at_a_table()
    said = table.command("Ben", 7, Chat("once"))
    assert isinstance(said, StepFrame)
    assert said.yours == 7
    lines = len(table.room.state.talk)
    for number in (7, 3):
        assert type(table.command("Ben", number, Chat("twice"))).__name__ == "Accepted"
    assert len(table.room.state.talk) == lines
    wim = table.people["Wim"].numbered[-1]
    assert isinstance(wim, StepFrame)
    assert wim.yours == 0


def test_again_keeps_seats_and_talk_and_all_are_ready() -> None:
    table = playing()
    table.wants("Ben", Chat("well dug"))
    play_on(table)
    assert stage(table) is advert.AdvertStage.OVER
    assert table.people["Wim"].held.record.startswith("[Sabtui")
    assert table.wants("Ann", PlayAgain()) is None
    assert all(connected.client.status.view is None for connected in table.people.values())
    table.seed = bytes(32)
    assert table.wants("Ann", Start()) is None
    assert len(table.room.state.talk) == 1
    play_on(table)
    assert phase(table) is Phase.OVER
