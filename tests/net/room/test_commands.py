"""Who may do what at a table, and what comes of it: seats, moves, talk, and an evening of games.

Late comers sit down for the next game, and all programs count the games alike. Nothing grows in an
evening but the log, of which every program has a copy, and a hash for each step.
"""

from __future__ import annotations

import gc
from types import FunctionType, MethodType, ModuleType

import pytest
from msgspec.structs import replace

from engine import Discard, KeepGold, Phase
from engine.bots.talk import GoldAt, WhoMe
from engine.cards import CARDS
from engine.events import Drew
from engine.notation import Record, Utterance, parse_record
from engine.notation.record import format_utterance
from engine.notation.record_parser import write_record
from net.discovery.advert import AdvertStage
from net.protocol import requests as ask
from net.protocol.chat import MAX_TALK_BYTES, ChatLine, in_order
from net.protocol.game_wire import write_move
from net.protocol.lobby import (
    THE_TABLE,
    Absence,
    BotChair,
    ChatRule,
    Free,
    Lobby,
    Settings,
    TableClaim,
    TablePhase,
    Topic,
    clean_text,
)
from net.protocol.messages import (
    Accepted,
    CloseReason,
    CommandRefused,
    Refusal,
    Snapshot,
    StepFrame,
)
from tests.net.room.room_fixture import (
    Guest,
    Table,
    chair,
    key_of,
    play_on,
    seat_bots,
    three_in_game,
    three_in_lobby,
)


def stage(table: Table) -> AdvertStage:
    """How far the table is."""
    return table.room.stage


def phase(table: Table) -> Phase | None:
    """What its game waits for."""
    return table.room.state.phase


def test_newcomers_before_the_game_sit_down_on_one_more_seat_if_none_is_free_up_to_ten() -> None:
    table = three_in_lobby(Settings(seats=4))
    assert table.people["Wim"].client.status.seat is None, "who watches"
    seat_bots(table, [3])
    assert stage(table) is AdvertStage.LOBBY
    for seat in range(4, 10):
        assert table.come(f"P{seat}").client.status.seat == seat
        assert table.lobby.settings.seats == len(table.lobby.chairs) == seat + 1
    assert stage(table) is AdvertStage.FULL
    late = table.come("late").client.status
    assert late.seat is None
    assert late.lobby == table.lobby
    assert table.wants("Ann", ask.FreeSeat(4)) is None
    assert table.come("next").client.status.seat == 4
    assert table.wants("Ann", ask.Start()) is None
    assert table.lobby.settings.seats == 10


def test_where_seats_were_drawn_and_in_a_game_nobody_who_comes_gets_one() -> None:
    drawn = replace(three_in_lobby().lobby, in_club=True, host=THE_TABLE)
    assert drawn.is_of_night
    assert drawn.next_seat() is None
    assert Lobby.without_chairs("Hall").next_seat() is None
    assert three_in_game().come("late").client.status.seat is None


def test_names_are_cleaned_and_differ_in_more_than_capitals() -> None:
    table = Table()
    table.come("Ann")
    assert table.wants("Ann", ask.PutBot(2, "Zed", "greedy")) is None
    for name, why in (
        ("ANN", Refusal.NAME_TAKEN),
        ("zeD", Refusal.NAME_TAKEN),
        ("A\u115fN\ufe0fn\u3164", Refusal.NAME_TAKEN),
        ("\x1b\u202e", Refusal.NO_NAME),
        ("\u2800\u3164\U000e0041", Refusal.NO_NAME),
    ):
        connected = table.come(name, key=bytes(32))
        assert connected.got == [CommandRefused(0, why)]
        assert not connected.ended
    assert table.come("Ben \x07").client.entered
    assert table.lobby.people[-1].name == "Ben"


def test_a_full_table_forgets_a_watcher_long_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 12
    monkeypatch.setattr("net.room.handlers.MAX_PEOPLE", most)
    table = three_in_lobby()
    for number in range(most - 4):
        table.come(f"w{number}", watch=True)
    assert len(table.lobby.people) == most
    assert table.come("late").got == [CommandRefused(0, Refusal.TABLE_FULL)]
    del table.people["late"]
    table.wait(11, "w3")
    table.come("last")
    assert table.lobby.has_name("last")
    assert not table.lobby.has_name("w3")
    assert table.room.state.member_with(key_of("w3")) is None


def test_a_game_begins_when_enough_sit_and_are_ready() -> None:
    table = Table(Settings(seats=4, rounds=1, youngest=3))
    for name in ("Ann", "Ben"):
        table.come(name)
        assert table.wants("Ann", ask.Start()) is Refusal.TOO_FEW
    seat_bots(table, [3])
    assert table.wants("Ben", ask.SetReady(ready=False)) is None
    assert table.wants("Ann", ask.Start()) is Refusal.NOT_READY
    assert table.wants("Ben", ask.StandUp()) is None
    assert table.wants("Ben", ask.Sit(1)) is None, "who sits down again is ready"
    assert stage(table) is AdvertStage.LOBBY
    assert table.wants("Ann", ask.Start()) is None
    assert table.lobby.settings.seats == len(table.lobby.chairs) == table.room.lobby.players == 3
    assert table.lobby.settings.youngest == 2, "seats are renumbered"
    assert table.name_to_act() == "Bot 3"
    assert table.wants("Ann", ask.Start()) is Refusal.NOT_NOW
    assert stage(table) is AdvertStage.PLAYING


def test_the_host_rules_in_the_lobby_and_less_in_a_game() -> None:
    table = three_in_lobby()

    def rules(settings: Settings) -> Refusal | None:
        return table.wants("Ann", ask.ChangeSettings(settings))

    settings = Settings(edition="italia+path+linked", rounds=2, seats=4, youngest=1)
    assert rules(settings) is None
    assert table.lobby.settings.edition == "italia+linked+path"
    assert chair(table, 3) == Free()
    assert rules(replace(settings, edition="atlantis")) is Refusal.NO_SUCH_EDITION
    assert rules(replace(settings, stand_in="deep blue")) is Refusal.NO_SUCH_BOT
    assert rules(replace(settings, youngest=4)) is Refusal.NO_SUCH_SEAT
    seat_bots(table, [3])
    assert rules(replace(settings, seats=3)) is Refusal.SEAT_TAKEN
    assert table.wants("Ann", ask.Start()) is None
    settings = table.lobby.settings
    assert rules(replace(settings, rounds=3)) is Refusal.NOT_NOW
    assert rules(replace(settings, is_open=True, turn_seconds=9)) is None
    assert table.lobby.settings.is_open


DEALT_BY: dict[str, object] = {"edition": "italia", "rounds": 3, "seats": 4, "youngest": 0}
"""Settings by which a game is dealt, with other values: within it nobody changes them."""

CHANGEABLE: dict[str, object] = {
    "is_open": True,
    "absent": Absence.WAIT,
    "turn_seconds": 60,
    "stand_in": "hard",
    "hints": False,
    "chat": ChatRule.ALL,
}
"""Settings that the host changes at any time, with other values."""


def test_in_a_game_the_host_changes_what_it_was_not_dealt_by() -> None:
    assert DEALT_BY.keys() | CHANGEABLE.keys() == {*Settings.__struct_fields__}
    table = three_in_game(Settings(seats=3, rounds=2))
    for field, value in (DEALT_BY | CHANGEABLE).items():
        changed = replace(table.lobby.settings, **{field: value})
        assert changed != table.lobby.settings
        refused = Refusal.NOT_NOW if field in DEALT_BY else None
        assert table.wants("Ann", ask.ChangeSettings(changed)) is refused, field


def test_people_change_seats_in_the_lobby_and_not_in_a_round() -> None:
    table = three_in_lobby(Settings(seats=4, youngest=1))
    assert table.wants("Ben", ask.Sit(0)) is Refusal.SEAT_TAKEN
    assert table.wants("Ben", ask.Sit(4)) is Refusal.NO_SUCH_SEAT
    assert table.wants("Ben", ask.Sit(3)) is None
    assert table.lobby.settings.youngest == -1, "who was named sits there no more"
    assert table.wants("Ben", ask.StandUp()) is None
    assert table.wants("Ben", ask.StandUp()) is Refusal.NO_SEAT
    assert table.wants("Ben", ask.SetReady(ready=True)) is Refusal.NO_SEAT
    assert table.wants("Wim", ask.Sit(1)) is None
    assert table.wants("Ann", ask.Start()) is None
    for want in (ask.Sit(0), ask.StandUp()):
        assert table.wants("Wim", want) is Refusal.NOT_NOW
    assert table.wants("Ann", ask.FreeSeat(1)) is Refusal.NOT_NOW
    assert table.wants("Ann", ask.PutBot(1, "Bot", "random")) is Refusal.NOT_NOW


def test_somebody_who_is_ready_too_soon_is_ready_for_the_next_round() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
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
    table.ready("Ben")
    assert not table.lobby.is_ready(1), "there is no next round"


def between_rounds(*names: str) -> Table:
    """People and bots at four seats between rounds, and Wim, who watches."""
    table = Table(Settings(seats=4, rounds=3))
    table.come_all(*names)
    seat_bots(table, [*range(len(names), 4)])
    table.come("Wim", watch=True)
    table.wants("Ann", ask.Start())
    play_on(table)
    assert phase(table) is Phase.DEAL
    return table


def test_between_rounds_nobody_new_sits_down_at_a_table_that_lacks_its_people() -> None:
    table = between_rounds("Ann", "Ben", "Cleo")
    hand_over = ask.HandOver(3, table.people["Wim"].member)
    table.wait(12, "Ben", "Cleo")
    assert table.wants("Wim", ask.Sit(3)) is Refusal.FEW_HERE
    assert table.wants("Ann", hand_over) is Refusal.FEW_HERE
    table.come("Ben")
    assert table.wants("Ann", hand_over) is None


def test_between_rounds_watchers_take_free_seats_and_bots_seats_with_all_they_hold() -> None:
    table = between_rounds("Ann", "Ben")
    wim = table.people["Wim"]
    assert table.wants("Wim", ask.Sit(0)) is Refusal.SEAT_TAKEN
    assert table.wants("Ben", ask.Sit(2)) is Refusal.SEATED
    before = len(wim.numbered)
    assert table.wants("Wim", ask.Sit(2)) is None
    told = [type(message) for message in wim.numbered[before:]]
    assert told == [StepFrame, Snapshot], "the latter is asked for, as a seat has secrets"
    assert wim.view == table.room.state.view(2)
    assert table.wants("Ben", ask.StandUp()) is None
    assert table.people["Ben"].view == table.room.state.view(None)
    table.ready("Ann")
    assert phase(table) is Phase.DEAL
    table.ready("Wim")
    assert phase(table) is Phase.PLAY, "all who sit are ready"


def test_the_host_may_deal_before_all_are_ready_and_the_table_when_only_the_gone_are_not() -> None:
    table = three_in_game(Settings(seats=3, rounds=3))
    assert table.wants("Ann", ask.NextRound()) is Refusal.NOT_NOW
    play_on(table)
    assert table.wants("Ann", ask.NextRound()) is None
    assert phase(table) is Phase.PLAY
    play_on(table, seed=1)
    table.ready("Ann", "Ben")
    table.wait(11, "Cleo")
    assert phase(table) is Phase.PLAY
    assert table.wants("Ann", ask.PlayAgain()) is Refusal.NOT_NOW


def test_somebody_who_is_kicked_is_told_and_their_seat_is_played_by_a_bot() -> None:
    table = three_in_game()
    ben = table.people["Ben"]
    assert table.wants("Ann", ask.Kick(99)) is Refusal.NO_SUCH_PERSON
    assert table.wants("Ann", ask.Kick(table.lobby.host)) is Refusal.HOST_STAYS
    assert table.wants("Ann", ask.Kick(ben.member)) is None
    assert ben.farewell is CloseReason.KICKED
    assert ben.ended
    assert table.room.state.member_with(key_of("Ben")) is None
    assert chair(table, 1) == BotChair("Borin", "medium"), "a bot with a name of its own"
    del table.people["Ben"]
    while table.name_to_act() != "Borin":
        play_on(table, 1)
    turn = table.turn
    assert (turn.seat, turn.level, turn.reason) == (1, "medium", None)
    play_on(table, 1)
    assert table.name_to_act() == "Cleo"
    assert table.wants("Cleo", ask.Leave()) is None
    assert table.lobby.name_at(2) == "Dagna", "a name that nobody has"


def test_a_seat_that_holds_cards_is_handed_over_to_nobody_until_the_round_is_over() -> None:
    table = three_in_game(Settings(seats=3, rounds=2, stand_in="easy"))
    wim = table.people["Wim"]
    hand_over = ask.HandOver(1, wim.member)
    assert table.wants("Ann", hand_over) is Refusal.HOLDS_CARDS
    assert table.wants("Ben", ask.Leave()) is None
    assert table.wants("Ann", hand_over) is Refusal.HOLDS_CARDS, "a bot plays it on"
    assert wim.view == table.room.state.view(None)
    play_on(table)
    assert phase(table) is Phase.DEAL
    assert table.wants("Ann", hand_over) is None
    assert wim.client.status.seat == 1


def test_somebody_who_leaves_is_gone_for_good_but_the_host_stays_or_closes() -> None:
    table = three_in_lobby()
    ann = table.people["Ann"]
    assert table.wants("Ben", ask.Leave()) is None
    assert table.people["Ben"].farewell is CloseReason.LEFT
    assert table.wants("Ann", ask.Leave()) is Refusal.HOST_STAYS
    assert table.say(ann, *ann.client.request(ask.Close())).finished
    for name in ("Ann", "Cleo", "Wim"):
        assert table.people[name].farewell is CloseReason.CLOSED
        assert isinstance(table.people[name].numbered[-1], StepFrame)
    assert table.lobby.stage is TablePhase.CLOSED
    assert table.come("Late").got == [CommandRefused(0, Refusal.NOT_NOW)]


def test_a_pause_stops_moves_and_bots_and_not_talk() -> None:
    table = three_in_game(Settings(seats=3, turn_seconds=2))
    assert table.wants("Ann", ask.Pause(paused=False)) is Refusal.NOT_NOW
    assert table.wants("Ann", ask.Pause(paused=True)) is None
    assert table.plays(table.name_to_act(), table.move()) is Refusal.PAUSED
    table.wait(5)
    assert table.room.bot_turn() is None
    assert table.wants("Ben", ask.Chat("what now?")) is None
    assert table.wants("Ann", ask.Pause(paused=False)) is None
    assert table.room.bot_turn() is None, "the turn's time begins again"
    table.wait(3)
    assert table.room.bot_turn() is not None


def test_moves_are_refused_out_of_turn_out_of_time_and_against_the_rules() -> None:
    table = three_in_lobby()
    assert table.people["Ann"].client.status.view is None
    discard = Discard(CARDS[0])
    assert table.plays("Ben", discard) is Refusal.NOT_NOW
    assert table.wants("Ann", ask.Start()) is None
    name = table.name_to_act()
    other = next(person for person in ("Ann", "Ben", "Cleo") if person != name)
    before = table.room.state
    assert table.plays(other, discard) is Refusal.NOT_YOUR_TURN
    assert table.plays("Wim", discard) is Refusal.NO_SEAT
    assert table.plays(name, KeepGold(3)) is Refusal.ILLEGAL
    assert before == table.room.state
    move, seen = write_move(table.move()), table.room.state.number
    for wrong in (seen - 1, seen + 1):
        assert table.wants(name, ask.MakeMove(wrong, move)) is Refusal.STALE
    assert table.wants("Ann", ask.Chat("hm")) is None
    assert table.wants(name, ask.MakeMove(seen, move)) is None, "talk makes nothing stale"
    play_on(table)
    assert table.plays(name, discard) is Refusal.NOT_NOW


def test_a_command_is_done_once_and_answered_again() -> None:
    table = three_in_lobby()
    said = table.command("Ben", 7, ask.Chat("once"))
    assert isinstance(said, StepFrame)
    assert said.yours == 7
    lines = len(table.room.state.talk)
    for number in (7, 3):
        assert table.command("Ben", number, ask.Chat("twice")) == Accepted(number)
    assert len(table.room.state.talk) == lines
    assert table.people["Wim"].find(StepFrame)[-1].yours == 0


# Talk.

OPEN = Settings(seats=3, rounds=1, chat=ChatRule.ALL)
"""A table at which watchers chat at any time."""


def test_talk_is_cleaned_bounded_and_kept_for_who_comes() -> None:
    table = three_in_lobby()
    hostile = "\u0301 \x1b[31m[b]gold\u202e\n at  8\u0301\u0301\u0301!"
    assert table.wants("Ben", ask.Chat(hostile)) is None
    assert table.wants("Wim", ask.Chat("x" * 160)) is None
    assert table.wants("Ann", ask.Chat("\t\x00")) is Refusal.NO_TEXT
    assert table.wants("Cleo", ask.MakeClaim(TableClaim(Topic.HELP_ME, 1))) is None
    lines = table.room.state.talk
    assert [(line.name, line.seat) for line in lines] == [("Ben", 1), ("Wim", -1), ("Cleo", 2)]
    assert lines[0].text == "[31m[b]gold at 8\u0301\u0301!"
    assert table.come("Late", watch=True).held.talk == lines
    assert clean_text(" \u0301 so\u0301") == "s\u00f3", "no mark begins it"
    assert clean_text("金" * 99) == "金" * 53


def test_claims_are_about_what_there_is() -> None:
    for topic, most in (
        (Topic.GOLD_AT, 2),
        (Topic.STONE_AT, 2),
        (Topic.DIGS_FOR_US, 4),
        (Topic.DIGS_AGAINST_US, 4),
        (Topic.HELP_ME, 2),
        (Topic.BLUFF, 4),
        (Topic.WHO_ME, 0),
    ):
        assert [TableClaim(topic, about).fits(5) for about in (most, most + 1)] == [True, False]
    claim = ask.MakeClaim(TableClaim(Topic.GOLD_AT, 3))
    assert three_in_lobby().wants("Ben", claim) is Refusal.NO_SUCH_CLAIM


def test_nobody_talks_without_end() -> None:
    table = three_in_lobby()
    answers = [table.wants("Ben", ask.Chat("a")) for _ in range(40)]
    assert Refusal.TOO_FAST in answers
    assert table.wants("Cleo", ask.Chat("b")) is None
    table.wait(2)
    assert table.wants("Ben", ask.Chat("c")) is None


def list_in_order(guest: Guest) -> list[object]:
    """All events and talk that somebody's program shows."""
    return list(in_order(guest.view, guest.held.talk))


def test_somebody_who_comes_back_finds_what_was_said_where_it_was_said() -> None:
    table = three_in_game(OPEN)
    for number in range(3):
        assert table.wants("Ben", ask.Chat(f"{number} cards were played")) is None
        assert table.wants("Wim", ask.Chat("and I watched")) is None
        assert table.plays(table.name_to_act(), table.move()) is None
    table.crash()
    for name in ("Ann", "Wim"):
        guest = table.come(name)
        assert guest.held.talk == table.room.state.talk
        shown = list_in_order(guest)
        assert [event for event in shown if not isinstance(event, ChatLine)] == [
            *guest.view.history
        ]
        played = 0
        for event in shown:
            if isinstance(event, ChatLine) and event.name == "Ben":
                assert event.text == f"{played} cards were played"
            played += isinstance(event, Drew)
        assert played == 3


def test_what_was_said_at_a_table_before_comes_before_its_new_game() -> None:
    table = three_in_game(OPEN)
    assert table.wants("Ben", ask.Chat("one more?")) is None
    play_on(table)
    assert table.wants("Ann", ask.Chat("yes!")) is None
    assert table.wants("Ann", ask.PlayAgain()) is None
    assert table.wants("Ann", ask.Start()) is None
    assert table.wants("Cleo", ask.Chat("here we go")) is None
    wim = table.people["Wim"]
    lines = [event.text if isinstance(event, ChatLine) else "" for event in list_in_order(wim)]
    assert lines == ["one more?", "yes!", *[""] * len(wim.view.history), "here we go"]


def talk_in_record(table: Table) -> tuple[Utterance, ...]:
    """The talk in the record of the table's game, read from its text."""
    assert table.room.state.record is not None
    record = parse_record(write_record(table.room.state.record))
    assert isinstance(record, Record)
    return record.talk


def test_the_record_of_a_game_holds_what_was_said_in_it_and_where() -> None:
    table = three_in_lobby(OPEN)
    assert table.wants("Ann", ask.Chat("shall we?")) is None
    assert table.wants("Ann", ask.Start()) is None
    assert table.wants("Wim", ask.Chat("good {luck}!")) is None
    play_on(table, 2)
    assert table.wants("Ann", ask.MakeClaim(TableClaim(Topic.GOLD_AT, 2))) is None
    table.crash()
    table.come_all("Ann", "Ben", "Cleo")
    said = (
        Utterance(1, 0, None, "Wim", text="good {luck}!"),
        Utterance(1, 2, 0, claim=GoldAt((8, 2))),
    )
    assert talk_in_record(table) == said
    play_on(table)
    assert table.wants("Ann", ask.Chat("well played")) is None
    assert talk_in_record(table) == said


def test_whoever_floods_the_chat_drives_no_claim_out_of_the_record() -> None:
    table = three_in_game(OPEN)
    assert table.wants("Ben", ask.Chat("first of all")) is None
    assert table.wants("Ben", ask.MakeClaim(TableClaim(Topic.WHO_ME))) is None
    for number in range(120):
        table.now += 10
        assert table.wants("Ann", ask.Chat(f"{number} " + '"{' * 78)) is None
    talk = talk_in_record(table)
    assert talk[0].claim == WhoMe()
    assert talk[-1].text.startswith("119 ")
    assert len(talk) < 100
    assert sum(len(format_utterance(said)) + 1 for said in talk) <= MAX_TALK_BYTES


# An evening.


def test_an_evening_of_two_games_is_counted_by_all_alike_and_keeps_seats_and_talk() -> None:
    table = three_in_game()
    table.wants("Ben", ask.Chat("well dug"))
    table.come("Dede")
    play_on(table)
    assert stage(table) is AdvertStage.OVER
    evening, nuggets = table.lobby.evening, table.game.score.nuggets or ()
    gold = {table.lobby.name_at(seat): found for seat, found in enumerate(nuggets)}
    assert evening.games == 1
    assert {row.name: row.gold for row in evening.rows} == gold
    for guest in table.people.values():
        assert guest.client.status.lobby == table.lobby
        assert not guest.disagreed
        assert guest.held.record.startswith("[Sabtui")
    assert table.wants("Ann", ask.PlayAgain()) is None
    assert all(guest.client.status.view is None for guest in table.people.values())
    lobby = table.lobby
    assert [lobby.name_at(seat) for seat in range(4)] == ["Ann", "Ben", "Cleo", "Dede"]
    assert [person.name for person in lobby.watchers] == ["Wim"], "who watches goes on watching"
    assert lobby.free_seats == ()
    table.crash()
    assert (table.lobby.evening, table.lobby.chairs) == (evening, lobby.chairs)
    table.come_all("Ann", "Ben", "Cleo", "Dede")
    table.seed = bytes(32)
    assert table.wants("Ann", ask.Start()) is None, "all are ready"
    assert len(table.room.state.talk) == 1
    play_on(table)
    rows = table.lobby.evening.rows
    played = {row.name: row.games for row in rows}
    assert played == {"Ann": 2, "Ben": 2, "Cleo": 2, "Dede": 1}
    assert table.wants("Ben", ask.Leave()) is None
    assert table.wants("Ann", ask.PlayAgain()) is None
    assert table.lobby.evening.rows == rows, "who leaves keeps what they earned"


def values_held(root: object) -> int:
    """Count the values of our own types that an object keeps alive."""
    seen: set[int] = set()
    found, waiting = 0, [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, type | ModuleType | FunctionType | MethodType):
            continue
        seen.add(id(value))
        found += type(value).__module__.startswith(("engine.", "net."))
        waiting += gc.get_referents(value)
    return found


@pytest.mark.level("thorough")
def test_a_table_and_a_client_hold_no_more_after_each_further_game() -> None:
    table = Table(Settings(seats=3, rounds=1))
    table.come_all("Ann", "Ben", "Cleo")
    held: list[tuple[int, int, int]] = []
    for game in range(4):
        assert table.wants("Ann", ask.Start()) is None
        play_on(table, level="random", seed=game)
        assert table.wants("Ann", ask.PlayAgain()) is None
        for guest in table.people.values():  # the test's own notes
            guest.got.clear()
            guest.received.clear()
        kept = values_held(table.room), values_held(table.people["Ben"].client)
        held.append((*kept, table.room.state.number))
    # The first games fill what is bounded. Later ones differ by what their last steps were.
    of_table, of_client, made = (values[-1] - values[1] for values in zip(*held, strict=True))
    assert made > 100
    assert abs(of_table) < made / 4
    assert abs(of_client) < made / 4
