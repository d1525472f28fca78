"""What comes to a seat, in lines: news, talk, events, refusals, snapshots and troubles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from engine.cards import Card, Path, Role
from engine.edition import Edition
from engine.events import (
    DiscardedCard,
    Drew,
    Event,
    GameEnded,
    Laid,
    Passed,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    visible_to,
)
from engine.notation.record import replay
from engine.view import View
from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.session import ConnectionState, Received, RoundWords, Status, Update
from net.protocol import lobby_events
from net.protocol.hall import NextTable
from net.protocol.lobby import Drawer, Presence, SeedDraw, TableClaim, TablePhase, Topic
from net.protocol.messages import CommandRefused, DiskStatus, Notice, Reacted, Refusal
from net.protocol.requests import Reaction
from sabtui.plain.console import Console
from tests.sabtui.cases import DIG, view_of
from tests.sabtui.games import game_record
from tests.sabtui.plain.test_languages import places as every_place
from tests.sabtui.plain_sessions import (
    WIDE,
    Answer,
    Place,
    at,
    describe_update,
    news,
    now_at,
    playing,
    type_lines,
)
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, FREE, lobby, sits
from tests.sabtui.tui import scenes

WAITING = view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?")
WATCHED = view_of("EW@1 ?/?/? 2 -,-,- 1,3,2 9 ???+?", None)
HERE = at(now_at(lobby()), WIDE)
AT_PLAY = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)


def answer_to(place: Place, *events: Event, news: lobby_events.LobbyEvent | None = None) -> Answer:
    """What a step of the game does at a place."""
    game_state = place.status.game_state
    assert game_state is not None
    view = place.game.view
    for event in events:
        view = view.after(event)
    now = replace(place.status, game_state=replace(game_state, view=view, step=6))
    return place.after(Update(now, Received((news,) if news else (), events)))


@pytest.mark.parametrize(
    "connection", [ConnectionState.CONNECTING, ConnectionState.CONNECTED, ConnectionState.LOST]
)
def test_before_the_table_is_shown_one_waits_for_it(connection: ConnectionState) -> None:
    answer = Place().after(Update(Status(connection, BRUNO)))
    assert answer.place.prompt() == "Looking for the table..."
    assert answer.place.where()
    assert not answer.place.table.takes_line(eager=False)
    assert type_lines(answer.place, "t hi").is_told_only
    assert type_lines(answer.place, "quit").leaves


def test_somebody_who_comes_to_a_lobby_is_shown_the_table() -> None:
    lines = describe_update(Place(size=WIDE), now_at(lobby()), Received(renewed=True))
    assert lines[0] == "Table: Gold Rush."
    assert "Four players have at most one saboteur" in " ".join(lines)
    assert lines[-1] == "Enter starts the game."


def test_somebody_who_comes_to_a_game_is_shown_where_it_stands_and_never_all_that_was() -> None:
    view = DIG.after(Passed(1))
    lines = describe_update(Place(size=WIDE), now_at(AT_PLAY, view), Received(renewed=True))
    assert lines[:3] == [
        "Table: Gold Rush.",
        "Your role card lies face down: r shows it.",
        "> 1 Ana (you): 7 cards, 0 gold cards",
    ]
    assert "Round 1 of 1. Rounds won: miners 0, saboteurs 0." in lines
    assert "It is your turn. 9 cards in the draw pile." in lines
    assert not any("passed" in line for line in lines)
    later = DIG.after(Passed(0)).after(DiscardedCard(0, Card.read("M")))
    back = replace(now_at(AT_PLAY, later), left_at=now_at(AT_PLAY, DIG).place)
    lines = describe_update(Place(size=WIDE), back, Received(renewed=True))
    assert "While you were away: You passed and discarded face down: map." in lines


def renew(session: Place, view: View) -> list[str]:
    """What a snapshot with this view tells a place."""
    return describe_update(session, now_at(session.lobby, view), Received(renewed=True))


def test_a_snapshot_tells_the_last_moves_that_were_missed_and_the_rounds_won() -> None:
    session = playing(WAITING, size=WIDE)
    view = session.game.view.after(Passed(1)).after(Laid(2, Path.read("EW"), (2, 0)))
    up_to_date = "Round {} Rounds won: miners 0, saboteurs {}."
    assert renew(session, view)[:4] == [
        up_to_date.format("1 of 1.", 0),
        "You missed 2 moves of this round.",
        "Bruno passed.",
        "Dede laid a straight, east and west, at 2.",
    ]
    for _turn in range(6):
        view = view.after(Passed(1))
    lines = renew(session, view)
    assert lines[1:8] == ["You missed 8 moves of this round.", *["Bruno passed."] * 6]
    assert "missed" not in renew(playing(view), view)[1]
    score = replace(view.score, number=2, rounds=3, wins=(Role.SABOTEUR,))
    later = view._replace(score=score, history=(Passed(1),))
    missed = ["You missed 1 move of this round.", "Bruno passed."]
    assert renew(session, later)[:3] == [up_to_date.format("2 of 3.", 1), *missed]
    over = dict(every_place(WIDE))["over"].status
    told = describe_update(session, over, Received(renewed=True))
    assert "Most tunnels: Dede and Norri, 1." in told, "a game that has ended is told to its end"


def test_moves_that_were_seen_are_not_told_again_as_the_cards_were_dealt_again() -> None:
    view = DIG.after(Passed(0)).after(DiscardedCard(0, Card.read("M"))).after(Passed(1))
    dealt = DIG.after(Passed(0)).after(DiscardedCard(0, Card.read("R"))).after(Passed(1))
    assert not any("missed" in line for line in renew(playing(view), dealt))
    assert "You missed 1 move of this round." in renew(playing(view), dealt.after(Passed(2)))


def test_after_a_rematch_that_was_missed_all_moves_of_its_round_count() -> None:
    began = RoundBegan(1, 0, (6, 6, 6), 49)
    before = playing(WAITING._replace(history=(began, Passed(0), Passed(1), Passed(2))))
    rematch = WAITING._replace(history=(replace(began, starter=2), Passed(2), Passed(0)))
    assert "You missed 2 moves of this round." in renew(before, rematch)


def test_a_snapshot_with_another_seat_says_which() -> None:
    table = lobby(sits(ANA), sits(EVA), sits(DEDE), stage=TablePhase.PLAYING)
    watching = at(now_at(AT_PLAY, WAITING, EVA), WIDE)
    given = describe_update(watching, now_at(table, WAITING, EVA), Received(renewed=True))
    assert given[0] == "You are in seat 2 now."
    assert given[1].startswith("Round 1 of 1. ")
    bruno = at(now_at(AT_PLAY, WAITING, BRUNO), WIDE)
    lost = describe_update(bruno, now_at(table, WAITING, BRUNO), Received(renewed=True))
    assert lost[0] == "You are watching."


def test_news_and_talk_are_told_as_they_come_by_the_names_of_then() -> None:
    lines = news(
        HERE,
        lobby_events.SatDown(4, EVA),
        lobby_events.Said(EVA, "8 is {stone}"),
        lobby_events.Claimed(EVA, TableClaim(Topic.DIGS_AGAINST_US, 0)),
        lobby_events.BotClaimed(3, TableClaim(Topic.BLUFF, 0)),
        lobby_events.PresenceChanged(DEDE, Presence.SHAKY),
        lobby_events.PresenceChanged(DEDE, Presence.THERE),
        lobby_events.RecordPublished("secret"),
    )
    assert lines == [
        "Eva took seat 5.",
        'Eva says: "8 is {stone}"',
        'Eva says: "I think Ana is a saboteur"',
        'Borin says: "Ana is bluffing"',
    ]


def test_while_the_seed_is_drawn_nothing_is_told_until_one_asks() -> None:
    draw = SeedDraw(bytes(16), bytes(16), 1, bytes(32), (Drawer(BRUNO, "Bruno"),))
    drawing = now_at(structs.replace(lobby(), draw=draw))
    began = lobby_events.DrawBegan(bytes(16), bytes(16), 1, bytes(32), (2,), ())
    assert news(HERE, began, now=drawing) == []
    assert at(drawing, WIDE).where() == ["Dealing: waiting for one more player's computer."]


def test_a_game_begins_with_its_edition_and_how_cells_are_written() -> None:
    before, edition = playing(DIG, size=WIDE), Edition.read("argentina")
    view = DIG._replace(table=DIG.table._replace(edition=edition))
    for number, told_so in ((1, True), (2, False)):
        began = RoundBegan(number, 0, (6, 6, 6), 49)
        now = replace(before.status, game_state=playing(view).status.game_state)
        text = " ".join(" ".join(describe_update(before, now, Received(events=(began,)))).split())
        assert ("Edition: Argentina (direction: " in text) is told_so
        assert ("A cell is a column east of the start" in text) is told_so


ALARM = "3 wrong codes were tried at your table: give the two words only to friends."
NO_RECORD = Audit(("Ana",), mismatches=(Mismatch(MismatchKind.NO_RECORD),))
UNCHECKED = "The host showed no valid record of this game: nothing can be checked."


@pytest.mark.parametrize(
    ("received", "told"),
    [
        (Received(alarm=3), ALARM),
        (Received(audit=NO_RECORD), UNCHECKED),
        (
            Received(notice=Notice("Olga", "the bar is open")),
            'Olga (organiser) says: "the bar is open"',
        ),
        (
            Received(notice=NextTable(2, "Table 1", ("Kim", "Mia"))),
            "Round 2: you are at Table 1 with Kim and Mia.",
        ),
    ],
)
def test_what_is_for_this_player_is_told_once(received: Received, told: str) -> None:
    assert describe_update(HERE, HERE.status, received) == [told]


def test_a_game_that_checks_and_the_words_of_its_round_are_told_to_those_who_ask() -> None:
    words = RoundWords((b"3", 1), ("amber", "tulip", "cedar", "lemon", "goat", "piano"))
    audit = Audit(("Ana", "Bruno"))
    now = replace(HERE.status, words=words, audit=audit)
    assert describe_update(HERE, now, Received(audit=audit)) == []
    asked = HERE.after(Update(now, Received(audit=audit)), "fair")
    assert " ".join(" ".join(asked.lines).split()).endswith(
        "Six words to compare for round 1: amber tulip cedar, lemon goat piano "
        "Checked: dealt by Ana and Bruno together; everything you saw matches."
    )


def test_a_change_that_lets_one_go_on_tells_how() -> None:
    table = lobby(sits(ANA), sits(BRUNO, ready=False), sits(DEDE))
    here = at(now_at(table), WIDE)
    ready = lobby_events.ReadyChanged(1, ready=True)
    assert news(here, ready, now=now_at(ready.change(table))) == [
        "Bruno: ready.",
        "Enter starts the game.",
    ]


ON_AUTOPILOT = type_lines(playing(WAITING), "auto").place
WATCHING = at(now_at(AT_PLAY, WATCHED, EVA))


@pytest.mark.parametrize(
    ("place", "happened", "told", "prompt"),
    [
        (playing(WAITING), (Drew(1), TurnBegan(2)), (), "It is Dede's turn"),
        (
            playing(WAITING),
            (TurnBegan(0),),
            (
                "It is your turn. 9 cards in the draw pile.",
                " 1 EW   straight east, west: 2 places",
            ),
            "Your turn, card 1-2",
        ),
        (ON_AUTOPILOT, (TurnBegan(0),), (), "Autopilot"),
        (WATCHING, (), (), "It is Bruno's turn"),
    ],
    ids=["another's turn", "one's own", "the autopilot's", "of a watcher"],
)
def test_the_moves_of_others_are_told_and_ones_own_turn_with_the_hand(
    place: Place, happened: tuple[Event, ...], told: tuple[str, ...], prompt: str
) -> None:
    answer = answer_to(place, Passed(1), *happened)
    assert answer.lines[:3] == ("Bruno passed.", *told)
    assert answer.place.prompt() == prompt


def test_a_bots_move_for_somebody_is_said_before_it() -> None:
    stood_in = lobby_events.StoodIn(1, lobby_events.StandInReason.ABSENT)
    answer = answer_to(playing(WAITING), Passed(1), TurnBegan(2), news=stood_in)
    assert answer.lines == ("A bot made this move for Bruno.", "Bruno passed.")


def test_a_move_ends_the_autopilot_waits_for_its_answer_and_may_be_tried_again() -> None:
    played_for = type_lines(playing(DIG), "auto").place
    assert played_for.prompt() == "Autopilot"
    sent = type_lines(played_for, "xns").place
    assert sent.prompt() == "Your turn, card 1-7"
    assert type_lines(sent, "xM").lines == ("Your move is on its way to the host.",)
    assert type_lines(sent, "xM").is_told_only
    assert type_lines(sent, "t sorry").requests
    answer = sent.after(Update(sent.status, Received(refused=CommandRefused(1, Refusal.PAUSED))))
    assert answer.lines == ("The game is paused: wait for the host to resume it.",)
    assert type_lines(answer.place, "xns").requests
    taken = Received(refused=CommandRefused(0, Refusal.NAME_TAKEN))
    joining = Place().after(Update(Status(), taken))
    assert joining.lines == (), "another name is tried"


def test_a_pause_is_told_and_ones_turn_again_after_it() -> None:
    plain_session = playing(DIG, size=WIDE)
    paused = now_at(structs.replace(plain_session.lobby, paused=True), DIG)
    answer = plain_session.after(Update(paused, Received(news=(lobby_events.Paused(paused=True),))))
    assert answer.lines == ("The game is paused.",)
    assert answer.place.prompt() == "Paused"
    assert "go" in answer.place.where()[0]
    resumed = Received(news=(lobby_events.Paused(paused=False),))
    goes_on = answer.place.after(Update(plain_session.status, resumed))
    assert goes_on.lines[:2] == ("The game goes on.", "It is your turn. 9 cards in the draw pile.")


def test_a_table_that_closes_is_told_by_its_farewell_alone() -> None:
    closed = now_at(lobby_events.Closed().change(HERE.lobby))
    assert news(HERE, lobby_events.Closed(), now=closed) == []


def test_lines_from_a_file_wait_for_bots_and_a_persons_do_not() -> None:
    table = lobby(sits(ANA), FREE, sits(DEDE), stage=TablePhase.PLAYING)
    bot_moves = at(now_at(table, WAITING))
    assert not bot_moves.table.takes_line(eager=False)
    assert bot_moves.table.takes_line(eager=True)
    assert playing(WAITING).table.takes_line(eager=False)
    paused = at(now_at(structs.replace(table, paused=True), WAITING))
    assert paused.table.takes_line(eager=False)


def test_nothing_is_read_between_the_end_of_a_table_and_that_of_its_connection() -> None:
    here = at(now_at(lobby(stage=TablePhase.CLOSED)))
    assert not here.table.takes_line(eager=True)
    assert not here.table.takes_line(eager=False)
    for after in (ConnectionState.LOST, ConnectionState.ENDED):
        lost = here.after(Update(replace(here.status, connection=after))).place
        assert lost.table.takes_line(eager=True)


def test_ones_own_secrets_are_told_to_oneself() -> None:
    card = DIG.hand[0]
    lines = answer_to(playing(DIG), Passed(0), DiscardedCard(0, card)).lines
    assert lines[0].startswith(f"You passed and discarded face down: {card.text}")


def test_the_end_of_a_round_or_game_is_told_player_by_player_and_once() -> None:
    before = at(scenes.now(), WIDE)
    finished = scenes.finished_status()
    lines = describe_update(before, finished, Received(events=(GameEnded(((),) * 5),)))
    assert [line[:7] for line in lines if line.startswith("Round ")] == [
        "Round 1",
        "Round 2",
        "Round 3",
    ]
    again = describe_update(
        at(finished, WIDE), finished, Received(news=(lobby_events.Said(1, "well played"),))
    )
    assert not any(line.startswith("Round ") for line in again)
    assert finished.game_state is not None
    between = replace(finished.game_state, view=scenes.between())
    now = replace(finished, game_state=between)
    lines = describe_update(before, now, Received(events=(scenes.ENDED,)))
    assert sum("went to the miners. Ana (you): miner, 2 nuggets; " in line for line in lines) == 1


def test_an_end_is_told_in_the_order_in_which_screens_show_it() -> None:
    steps = replay(game_record(7, ("Ana", "Bruno", "Chiara", "Dede", "Norri")))
    views = [(game.view(0), visible_to(events, 0)) for game, events in steps]
    ends = [any(isinstance(event, RoundEnded) for event in events) for _view, events in views]
    last = ends.index(True)
    view, events = views[last]
    before = at(scenes.now(views[last - 1][0]), WIDE)
    text = " ".join(describe_update(before, scenes.now(view), Received(events=events)))
    beats = (" laid ", "is the TREASURE!", "The miners win", "Saboteurs: ", "gold cards are drawn")
    places = [text.index(beat) for beat in beats]
    assert places == sorted(places)


UNANNOUNCED = "This table cannot announce itself here. Friends can join by address instead."
UNKEPT = "Your seat cannot be saved on this computer. Do not quit before the game ends."
UNSAVED = "The game cannot be saved, so it is on hold: free some disk space, or play on unsaved."
FULL = "The host's computer cannot save the game, so it is on hold: wait until it can."
SHAKY = "The host has not answered for a few seconds."
LOST = "Lost connection to the host; trying again. Your seat is kept."
AGAIN, SAVED = "The host is answering again.", "The game is being saved again."
HOST_NOW, GUEST_NOW = now_at(lobby()), now_at(lobby(), member=BRUNO)


@pytest.mark.parametrize(
    ("wrong", "told", "prompt", "mended"),
    [
        (replace(GUEST_NOW, connection=ConnectionState.SHAKY), (SHAKY,), "Connection shaky", AGAIN),
        (replace(GUEST_NOW, connection=ConnectionState.LOST), (LOST,), "Connection lost", AGAIN),
        (replace(GUEST_NOW, disk=DiskStatus.FULL), (FULL,), "Waiting for the disk", SAVED),
        (replace(HOST_NOW, disk=DiskStatus.FULL), (UNSAVED,), "Waiting for the disk", SAVED),
        (replace(HOST_NOW, announced=False), (UNANNOUNCED,), "Lobby", ""),
        (replace(HOST_NOW, kept=False), (UNKEPT,), "Lobby", ""),
    ],
    ids=["shaky", "lost", "a guest's full disk", "a host's full disk", "unannounced", "unkept"],
)
def test_trouble_is_told_once_and_its_end(
    wrong: Status, told: tuple[str, ...], prompt: str, mended: str
) -> None:
    well = HOST_NOW if wrong.is_host else GUEST_NOW
    answer = at(well, WIDE).after(Update(wrong))
    assert answer.lines == told
    assert answer.place.prompt() == prompt
    assert answer.place.after(Update(wrong)).lines == ()
    assert " ".join(answer.place.after(Update(well)).lines) == mended


def test_what_is_wanted_of_a_lost_host_is_kept_for_its_return() -> None:
    plain_session = at(now_at(lobby(), member=BRUNO), WIDE)
    status = replace(plain_session.status, connection=ConnectionState.LOST)
    lost = plain_session.after(Update(status)).place
    assert lost.table.takes_line(eager=True)
    answer = type_lines(lost, "t hello")
    assert answer.lines == ("The host will get this once the connection is back.",)
    assert answer.requests
    assert answer.place.table.takes_line(eager=True)
    linked = answer.place.after(Update(replace(plain_session.status, unanswered=1))).place
    assert not linked.table.takes_line(eager=True)


def test_a_reaction_is_one_line_and_one_by_nobody_who_is_here_is_none() -> None:
    reacted = Received(reaction=Reacted(BRUNO, Reaction.APPLAUD))
    assert describe_update(HERE, HERE.status, reacted) == ["Bruno: bravo!"]
    nobody = Received(reaction=Reacted(999, Reaction.APPLAUD))
    assert describe_update(HERE, HERE.status, nobody) == []


def test_a_setting_leaves_reactions_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Console, "shows_reactions", False)
    reacted = Received(reaction=Reacted(BRUNO, Reaction.APPLAUD))
    assert describe_update(HERE, HERE.status, reacted) == []
