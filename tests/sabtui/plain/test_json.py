"""Lines of JSON: whole games through them, what all see, what is one's own, and what is read."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import ClassVar, cast, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec.json import decode

from engine.events import Event, HandDealt, TurnBegan, visible_to
from engine.moves import Reason
from engine.notation import format_record
from engine.notation.record import replay
from engine.sampling import sample_game
from engine.view import View
from net.client.session import ConnectionState, Received, Status, Update
from net.protocol import lobby_events
from net.protocol.lobby import Dwarf, Presence, TablePhase
from net.protocol.lobby_events import LobbyEvent, RecordPublished, StepShown
from net.protocol.messages import CloseReason, CommandRefused, Reacted, Refusal
from net.protocol.requests import Reaction
from sabtui.app import Speed
from sabtui.app.requests import PracticeRequest, own_dwarf
from sabtui.art.store import number_names
from sabtui.cli.play import practise_in_lines
from sabtui.plain.commands import UNKNOWN, WRONG_TEXT
from sabtui.plain.json_table import (
    OWN_LINE,
    WRONG_ID,
    WRONG_LINE,
    JsonConsole,
    public_parts,
    see_as_watcher,
)
from sabtui.plain.table import reason_word, spell_type
from sabtui.text.events import event_lines
from sabtui.text.i18n import languages, load_locale
from sabtui.text.lobby import lobby_sentence, player_names
from tests.docs.pages import PAGES, blocks, tables
from tests.net.server.served_table import HERE
from tests.sabtui.cases import OVER, view_of
from tests.sabtui.games import game_record
from tests.sabtui.plain.test_languages import places
from tests.sabtui.plain_sessions import WIDE, JsonPaper, json_table, now_at
from tests.sabtui.tables import ANA, BRUNO, DEDE, EVA, FREE, lobby, sits
from tests.sabtui.tui import scenes
from tests.sabtui.tui.tour import speak
from tests.samples import english_first, first


class Kind(Struct):
    """A kind of card in the own line."""

    ways: list[list[str | int]]
    discard: str | None


class Table(Struct):
    """The table in the public line."""

    phase: str = ""


class Line(Struct):
    """A line of any kind, as far as tests read it."""

    t: str
    n: int = 0
    all: bool = False
    table: Table | None = None
    seat: int | None = None
    turn: bool = False
    hand: list[Kind] = []
    offer: list[dict[str, str | int]] = []
    may: list[dict[str, str | list[str | int]]] = []
    lines: list[str] = []
    left_out: int = 0
    line: int = 0
    id: int | None = None
    done: bool | None = None
    reason: str | None = None
    asks: bool = False
    code: int | None = None


class Reader(JsonPaper):
    """A program at the other end: keeps each line, and answers as `decide` says."""

    def __init__(self, decide: Callable[[Reader, Line], str | None]) -> None:
        super().__init__()
        self.table = Table()
        self._decide = decide
        self._said = ""
        self._wake: Callable[[], object] = list

    def listen(self, wake: Callable[[], object]) -> None:
        self._wake = wake

    def put(self, line: str) -> None:
        self.raw.append(line)
        heard = decode(line, type=Line)
        self.table = heard.table or self.table
        wish = self._decide(self, heard) if heard.t == "own" else None
        if wish is not None and (said := f"{heard.n} {wish}") != self._said:
            self._said = said
            self.typed.append(wish.ljust(256))
            self._wake()


PADDED = "own", "answer"
"""Kinds of lines that may hold secrets."""


def read(paper: JsonPaper) -> list[Line]:
    """Return all lines so far."""
    return [decode(line, type=Line) for line in paper.raw]


def do(word: str) -> str:
    """Return a line that does this."""
    return json.dumps({"do": word})


def play(reader: Reader, own: Line) -> str | None:
    """Play on, and leave once the game is over."""
    may = {command["do"] for command in own.may}
    if reader.table.phase == "over":
        return do("quit")
    if own.offer:
        return do(str(own.offer[0]["move"]))
    if own.turn:
        way = next((way[0] for kind in own.hand for way in kind.ways), own.hand[0].discard)
        return do(str(way))
    return do("ready") if "ready" in may and reader.table.phase == "deal" else None


@pytest.mark.level("broad")
@pytest.mark.parametrize("seed", first(1, range(5)))
def test_a_practice_game_is_played_through_lines_of_json_alone(seed: int) -> None:
    reader = Reader(play)
    asked = PracticeRequest("Ana", 4, rounds=1, seed=bytes([seed] * 32), speed=Speed.INSTANT)
    assert practise_in_lines(asked, reader) == 0
    first, *_all, last = read(reader)
    assert (first.t, last.t, last.code) == ("hello", "end", 0)
    assert reader.table.phase == "over"
    own = [raw for line, raw in zip(read(reader), reader.raw, strict=True) if line.t in PADDED]
    assert {len(raw) for raw in own} == {OWN_LINE}
    assert not any(line.left_out for line in read(reader))
    answers = [line.line for line in read(reader) if line.t == "answer"]
    assert answers == [*range(1, len(answers) + 1)]


class Posted(BaseHTTPRequestHandler):
    """A webhook of a chat program: what is posted there."""

    texts: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.texts.append(decode(body, type=dict[str, str])["content"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_told: object) -> None:
        """Tell nobody."""


def test_the_programs_of_the_page_show_and_announce_a_game(tmp_path: Path) -> None:
    page = next(page for page in PAGES if page.name == "json.md")
    names: dict[str, Callable[[list[str], object], None]] = {}
    for block in blocks(page):
        if block.language == "python":
            exec(block.text, names)  # noqa: S102 - our own page
    told = Told(EVA)
    lines = [*told.write_step(now_at(SEATED), renewed=True)]
    for game, events in replay(game_record(1)):
        lines += told.write_step(now_at(SEATED, game.view(None), EVA), *visible_to(events, None))
    overlay = tmp_path / "overlay.html"
    names["follow"](lines[: len(lines) // 2], overlay)
    shown = overlay.read_text("utf-8")
    assert "╋" in shown
    assert "Bruno: 6 cards, 0 gold cards" in shown
    names["follow"]([*lines, *told.write_step(now_at(SEATED), renewed=True)], overlay)
    assert "╋" not in overlay.read_text("utf-8")  # in the lobby after the game
    Posted.texts.clear()
    with HTTPServer((HERE, 0), Posted) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        names["announce"](lines, f"http://{HERE}:{server.server_port}/")
        server.shutdown()
        thread.join()
    assert "Round 1" in Posted.texts[0]
    assert "Dede: saboteur, 4 nuggets." in Posted.texts[-1]


class Told:
    """A seat's lines of a game, as steps come to it."""

    def __init__(self, member: int) -> None:
        self.reader = JsonPaper()
        self.table = json_table(self.reader)
        self.member = member

    def write_step(self, status: Status, *events: Event, renewed: bool = False) -> list[str]:
        """Return the lines of a step."""
        self.reader.raw.clear()
        self.table.learn(Update(status, Received(events=events, renewed=renewed)))
        return self.reader.raw

    def type(self, *lines: str) -> list[Line]:
        """Return the lines that follow from what is typed."""
        self.reader.raw.clear()
        for line in lines:
            self.table.do_line(line)
        return read(self.reader)


SEATED = lobby(sits(ANA), sits(BRUNO), sits(DEDE), stage=TablePhase.PLAYING)
PEOPLE = {0: ANA, 1: BRUNO, None: EVA}


@pytest.mark.parametrize("seed", first(1, range(20)))
def test_no_public_line_tells_whose_it_is_and_no_own_line_a_secret_of_others(seed: int) -> None:
    told = {seat: Told(member) for seat, member in PEOPLE.items()}
    twin, chance = Told(ANA), Random(seed)
    for step, (game, events) in enumerate(replay(game_record(seed))):
        lines = {
            seat: item.write_step(
                now_at(SEATED, game.view(seat), item.member, step=step), *visible_to(events, seat)
            )
            for seat, item in told.items()
        }
        public, own = zip(*lines.values(), strict=True)
        assert len({*public}) == 1, "all see the same, and each has one own line beside it"
        assert {len(line) for line in own} == {OWN_LINE}
        other = sample_game(game.view(0), chance)  # all that the first seat does not know is new
        theirs = now_at(SEATED, other.view(0), ANA, step=step)
        assert twin.write_step(theirs, *visible_to(events, 0)) == lines[0]


def test_sentences_name_cards_and_places_in_words_alone() -> None:
    told = Told(ANA)
    lines = [
        line
        for step, (game, events) in enumerate(replay(game_record(6)))
        for raw in told.write_step(
            now_at(SEATED, game.view(0), ANA, step=step), *visible_to(events, 0), renewed=not step
        )
        for news in json.loads(raw)["news"]
        for line in news["lines"]
    ]
    assert any("You drew: " in line for line in lines)
    assert any(" east, " in line for line in lines)
    notation = re.compile(r"[-+][PLC]\b|\b-?\d+[ns]\d+\b")
    assert not [line for line in lines if notation.search(line)]


TOLD = {
    "laid": {"seat", "cell", "card"},
    "collapsed": {"seat", "cell", "card"},
    "broke": {"seat", "target", "tool"},
    "repaired": {"seat", "target", "card", "tool"},
    "revealed": {"cell", "card", "goal"},
}
"""What news name, by their kinds."""


def test_news_name_the_card_the_tool_and_the_goal() -> None:
    told, seen = Told(ANA), set[str]()
    for step, (game, events) in enumerate(replay(game_record(0))):
        here = now_at(SEATED, game.view(0), ANA, step=step)
        for raw in told.write_step(here, *visible_to(events, 0), renewed=not step):
            for news in json.loads(raw)["news"]:
                if news["is"] in TOLD:
                    seen.add(news["is"])
                    assert news.keys() - {"is", "lines"} == TOLD[news["is"]]
                    assert news.get("goal", 1) in {1, 2, 3}
                    assert news.get("tool", "cart") in {"pick", "lantern", "cart"}
    assert seen == {*TOLD}


def test_the_end_of_a_game_has_each_round_with_all_roles_and_nuggets() -> None:
    game, _events = [*replay(game_record(6))][-1]
    view = game.view(None)
    end = json.loads(json.dumps(public_parts(see_as_watcher(now_at(SEATED, view)))["end"]))
    assert view.table.end is not None
    (past,) = end["rounds"]
    assert past["winner"] == view.table.end.winner.name.lower()
    assert past["roles"] == [role.name.lower() for role in view.table.end.roles]
    assert sum(past["nuggets"]) == sum(map(sum, view.score.gold or ()))


def test_the_six_words_are_told_to_whoever_asks_and_to_nobody_else() -> None:
    told = Told(ANA)
    over = scenes.now(scenes.over())
    told.write_step(over, renewed=True)
    before = "".join(told.reader.raw)
    assert "Six words" not in before
    (answer,) = [line for line in told.type('{"do":"fair"}') if line.t == "answer"]
    assert answer.lines
    early = Told(ANA)
    early.write_step(now_at(SEATED, view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?")), renewed=True)
    (answer,) = [line for line in early.type('{"do":"fair"}') if line.t == "answer"]
    assert answer.lines


def test_claims_to_choose_from_come_with_the_goal_tool_or_player_that_each_is_about() -> None:
    told = Told(ANA)
    told.write_step(now_at(lobby(sits(ANA), sits(BRUNO), sits(DEDE))), renewed=True)
    told.type('{"do":"c"}')
    answer = json.loads(told.reader.raw[0])
    claims = answer["claims"]
    assert answer["lines"][1:] == [f"{at:2} {row['text']}" for at, row in enumerate(claims, 1)]
    kinds = ("digs against us", "digs for us", "bluff")
    assert [{**row, "text": ""} for row in claims] == [
        *(
            {"is": kind, "goal": goal, "text": ""}
            for goal in (1, 2, 3)
            for kind in ("gold at", "stone at")
        ),
        *({"is": "help me", "tool": tool, "text": ""} for tool in ("pick", "lantern", "cart")),
        *({"is": kind, "about": seat, "text": ""} for kind in kinds for seat in (2, 3)),
        {"is": "who me", "text": ""},
    ]
    told.type('{"do":"who"}')
    assert "claims" not in json.loads(told.reader.raw[0])


def test_somebody_who_is_gone_is_not_listed_as_watching() -> None:
    for presence, names in (
        (Presence.THERE, ["Bruno", "Dede", "Eva"]),
        (Presence.SHAKY, ["Bruno", "Dede", "Eva"]),
        (Presence.GONE, ["Bruno", "Eva"]),
    ):
        here = now_at(lobby(sits(ANA), FREE, presence=presence))
        table = json.loads(json.dumps(public_parts(see_as_watcher(here))))["table"]
        assert table["watching"] == names


def test_a_step_of_the_finished_game_that_the_host_shows_stands_in_each_own_line() -> None:
    told = Told(BRUNO)
    over = now_at(SEATED, OVER, BRUNO, record=format_record(game_record(6)))
    told.write_step(over, renewed=True)
    told.table.learn(Update(over, Received(news=(StepShown(3),))))
    news = [event["lines"] for event in json.loads(told.reader.raw[-1])["news"]]
    assert len(news) == 1
    assert "laid" in news[0][0], news


def test_an_own_line_comes_with_a_step_that_changes_nothing_of_ones_own() -> None:
    told = Told(ANA)
    here = now_at(lobby())
    told.write_step(here, renewed=True)
    told.reader.raw.clear()
    told.table.learn(Update(here, Received(news=(RecordPublished("..."),))))
    assert [line.t for line in read(told.reader)] == ["public", "own"]
    told.table.learn(Update(here, Received(settled=1)))
    assert len(told.reader.raw) == 2, "it is no step, and nothing has changed"


def test_a_reaction_is_one_line_by_itself_and_can_be_asked_for() -> None:
    told = Told(ANA)
    here = now_at(lobby())
    told.write_step(here, renewed=True)
    assert {"laugh", "applaud", "gasp", "hurry"} <= {
        row["do"] for row in json.loads(told.reader.raw[-1])["may"]
    }
    told.reader.raw.clear()
    told.table.learn(Update(here, Received(reaction=Reacted(BRUNO, Reaction.HURRY))))
    seat = {"seat": 2, "name": "Bruno", "is": "hurry", "text": "Bruno: hurry!"}
    assert [json.loads(line) for line in told.reader.raw] == [{"t": "reaction", **seat}]


def test_a_dwarf_is_picked_by_the_number_of_a_choice_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    told = Told(ANA)
    public, own = map(json.loads, told.write_step(now_at(lobby()), renewed=True))
    shown = {"face": 0, "colour": 0, "picture": "dwarf-0-0"}
    assert shown.items() <= public["seats"][0].items()
    choices = {option["do"]: option.get("choices", []) for option in own["may"]}
    (answer,) = [line for line in told.type('{"do":"face"}') if line.t == "answer"]
    assert (answer.done, answer.reason) == (False, WRONG_TEXT)
    assert answer.lines == [f"{at:2} {words}" for at, words in enumerate(choices["face"], 1)]
    told.type('{"do":"colour","text":7}')
    assert choices["colour"][6] == "red"
    assert own_dwarf() == Dwarf(colour=6)
    told.type('{"do":"face","text":10}', '{"do":"face","text":11}')
    assert own_dwarf() == Dwarf(9, 6)


def test_a_dwarf_that_cannot_be_kept_is_picked_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(no_folder))
    told = Told(ANA)
    told.write_step(now_at(lobby()), renewed=True)
    (answer,) = [line for line in told.type('{"do":"face","text":3}') if line.t == "answer"]
    assert answer.done is True
    assert answer.lines[-1].startswith("Cannot write ")


@pytest.mark.parametrize("language", english_first(languages()))
def test_every_own_line_has_room_in_every_language_and_each_picture_is_ours(language: str) -> None:
    pictures = set[str]()
    with speak(load_locale(language)):
        for name, place in places(WIDE):
            if place.status.lobby is None:
                continue
            lines = Told(ANA).write_step(place.status, renewed=True)
            assert [decode(line, type=Line).t for line in lines] == ["public", "own"], name
            assert decode(lines[1], type=Line).left_out == 0, name
            assert len(lines[1]) == OWN_LINE
            pictures |= {*re.findall(r'"picture":"([^"~]+)', "".join(lines))}
            for lies in re.findall(r'"lies":{([^}]*)}', "".join(lines)):
                pictures |= {*re.findall(r':"([^"~]+)', lies)}
            view = see_as_watcher(place.status).view
            if view is not None:
                assert (view.seat, view.role, any(view.peeks)) == (None, None, False)
                assert not any((view.hand, view.gold, view.offer, view.buried))
    assert {"goal", "miner"} <= pictures <= number_names().keys()


BAD = (
    "",
    "hand",
    "[]",
    "null",
    "7",
    "[" * 4000,
    '{"do":',
    '{"do":{}}',
    '{"do":true}',
    '{"do":1e999}',
    '{"what":"hand"}',
    '{"do":"hand","more":1}',
    '{"do":"hand","id":-1}',
    '{"do":"hand","id":4294967296}',
    '{"do":"hand","id":"7"}',
    '{"do":"hand","id":NaN}',
    '{"do":"hand","id":{}}',
    '\ufeff{"do":"hand"}',
    f'{{"text":{"9" * 5000}}}',
    "\0",
)

WHO = '{"do":"who","text":null,"id":null}'
"""A good line, with what is absent as many serialisers write it."""


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_line_that_cannot_be_read_is_answered_by_an_error_line(line: str) -> None:
    told = Told(ANA)
    told.write_step(now_at(lobby()), renewed=True)
    reason = WRONG_ID if '"id"' in line else WRONG_LINE
    errors = [(error.t, error.line, error.done, error.reason) for error in told.type(line, WHO)]
    assert errors == [("error", 1, False, reason), ("answer", 2, True, None)]


@pytest.mark.parametrize("line", ['{"do":"\\ud800"}', '{"do":"t","text":"a\\n\\u001b[2J"}', "{}"])
def test_strange_text_in_a_line_is_read_as_it_would_be_typed(line: str) -> None:
    told = Told(ANA)
    told.write_step(now_at(SEATED, None), renewed=True)
    assert told.type(f"{line}{' ' * 500}")[0].t == "answer"
    assert "\x1b" not in "".join(told.reader.raw)


def test_lines_wait_for_the_table_and_for_no_bot() -> None:
    told = Told(ANA)
    assert not told.table.takes_line(eager=True)
    bot = lobby(sits(ANA), FREE, sits(DEDE), stage=TablePhase.PLAYING)
    told.write_step(now_at(bot, view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?")), renewed=True)
    assert told.table.takes_line(eager=told.reader.is_eager)


def test_a_question_is_answered_by_the_next_line_and_all_is_told_again_on_request() -> None:
    told = Told(ANA)
    told.write_step(now_at(lobby()), renewed=True)
    lines = told.type('{"do":"close","id":7}', '{"do":"no","id":8}', '{"do":"all"}')
    answers = [line for line in lines if line.t == "answer"]
    assert [" ".join(line.lines) for line in answers[:2]] == [
        "Close the table for everybody?",
        "Nothing has changed.",
    ]
    assert [(line.id, line.asks) for line in answers] == [(7, True), (8, False), (None, False)]
    assert [(line.done, line.reason) for line in answers] == [
        (False, None),
        (True, None),
        (True, None),
    ]
    assert [line.all for line in lines if line.t == "public"] == [True]


IN_TURN = view_of("EW@1 ?/?/? 1 -,P,- EW/M,3,2 9 m??+?")
LINES = {
    "EW@2": None,
    "xM": None,
    "EW": None,
    "t hello": None,
    "who": None,
    "": None,
    "NS@2": "not in hand",
    "EW@7": "touches nothing",
    "EW@1": "cell taken",
    "M@3": "no hidden goal",
    "$2": "not on offer",
    "9 1": "wrong text",
    "frobnicate": "unknown",
    "w Nobody": "no such person",
    "start": "not now",
    "bots 2": "seat taken",
    "bots": "wrong text",
    "bot Max no-such": "no such bot",
    "rounds 9": "wrong text",
    "remove": "wrong text",
    "c 99": "wrong text",
    "replay": "not now",
    "t": None,
}
"""What the host types in their turn, and why it does nothing."""

HOSTS = "lock", "bots 2", "empty 2", "rounds 1", "close"


def test_each_answer_says_whether_it_is_done_and_if_not_why_by_a_fixed_word() -> None:
    told = Told(ANA)
    for line, reason in LINES.items():
        told.write_step(now_at(SEATED, IN_TURN, ANA), renewed=True)
        told.table.awaiting = 0
        (answer,) = [heard for heard in told.type(do(line)) if heard.t == "answer"]
        assert (answer.done, answer.reason) == (reason is None, reason), (line, answer.lines)
        assert answer.lines or reason is None
    other = Told(BRUNO)
    other.write_step(now_at(SEATED, IN_TURN, BRUNO), renewed=True)
    assert {line.reason for line in other.type(*map(do, HOSTS)) if line.t == "answer"} == {
        "host only"
    }


def test_one_who_is_not_to_move_or_only_watches_is_told_by_a_word() -> None:
    watcher = Told(EVA)
    watching = View(None, IN_TURN.table, IN_TURN.score)
    watcher.write_step(now_at(SEATED, watching, EVA), renewed=True)
    words = {line: watcher.type(do(line))[0].reason for line in ("xM", "3", "auto", "r")}
    assert words == {"xM": "no seat", "3": "no seat", "auto": "no seat", "r": None}


def test_what_the_host_refuses_later_is_news_with_the_word() -> None:
    told = Told(ANA)
    here = now_at(lobby())
    told.write_step(here, renewed=True)
    told.reader.raw.clear()
    told.table.learn(Update(here, Received(refused=CommandRefused(1, Refusal.TOO_FAST))))
    (news,) = json.loads(told.reader.raw[-1])["news"]
    assert (news["is"], news["reason"]) == ("refused", "too fast")
    assert news["lines"]
    assert len(told.reader.raw[-1]) == OWN_LINE


def test_every_member_of_the_own_line_is_there_in_a_lobby_too() -> None:
    kept: list[set[str]] = []
    for status in (now_at(lobby()), now_at(SEATED, IN_TURN, ANA)):
        lines = Told(ANA).write_step(status, renewed=True)
        kept.append({*json.loads(lines[-1])})
    assert kept[0] == kept[1]
    own = json.loads(Told(ANA).write_step(now_at(lobby()), renewed=True)[-1])
    assert (own["role"], own["seconds"], own["turn"], own["hints"]) == (None, None, False, False)
    assert [own[name] for name in ("hand", "gold", "offer", "looked")] == [[]] * 4


def test_what_takes_a_deed_back_has_its_own_label() -> None:
    sat = msgspec.structs.replace(lobby(sits(ANA), sits(BRUNO), sits(DEDE)), locked=True)
    own = json.loads(Told(ANA).write_step(now_at(sat), renewed=True)[-1])
    labels = {command["do"]: command["label"] for command in own["may"]}
    assert (labels["unready"], labels["unlock"]) == ("not ready", "unlock")


@pytest.mark.parametrize("outlives", [True, False])
def test_a_watching_program_goes_on_when_its_input_ends(*, outlives: bool) -> None:
    console = JsonPaper()
    console.outlives_input = outlives
    table = json_table(console)
    table.learn(Update(now_at(SEATED, IN_TURN, EVA), Received(renewed=True)))
    console.typed.append(None)
    assert table._prepare_to_read()
    table._read(console.take_line())
    assert table._left is not outlives
    assert table._prepare_to_read() is not outlives
    closed = replace(now_at(SEATED, OVER, EVA), connection=ConnectionState.ENDED)
    table.learn(Update(replace(closed, ending=CloseReason.CLOSED), None))
    assert table._is_over() is outlives, "nobody is left to look at the end"


def test_somebody_who_is_called_back_to_the_hall_has_no_failure_to_report() -> None:
    table = json_table(JsonPaper())
    called = replace(now_at(SEATED, OVER, EVA), ending=CloseReason.CALLED)
    table.learn(Update(replace(called, connection=ConnectionState.ENDED), None))
    assert table._report_end() == 0


def table_under(heading: str) -> dict[str, str]:
    """The words in each first cell of a table of the page, with its second cell."""
    page = next(page for page in PAGES if page.name == "json.md")
    (found,) = (table for table in tables(page.read_text("utf-8")) if table.heading == heading)
    return {word: row[1] for row in found.rows for word in re.findall(r"`([^`]+)`", row[0])}


HALL = {"table shown", "table closed", "organiser named", "night changed"}
"""Kinds of events that a club's hall alone has."""


SILENT_EVENTS = (TurnBegan(0), HandDealt(0, ()))
SILENT_NEWS = (
    lobby_events.CodeRenewed(),
    lobby_events.RoundBegins(),
    lobby_events.Closed(),
    lobby_events.RecordPublished(""),
    lobby_events.SharesCommitted(()),
    lobby_events.SharesShown(()),
    lobby_events.HostSharesShown(()),
    lobby_events.HostChanged(ANA, 1, 0, (), ()),
    lobby_events.BroughtBack(0),
)
"""One of each kind that nobody is told in a sentence, so that it is no news."""


def test_the_page_has_every_kind_of_news_and_the_fields_of_events() -> None:
    view, names = IN_TURN, player_names(SEATED, ANA)
    assert not any(event_lines(event, view, names) for event in SILENT_EVENTS)
    assert not any(lobby_sentence(event, SEATED, ANA) for event in SILENT_NEWS)
    silent = {*map(type, (*SILENT_EVENTS, *SILENT_NEWS))}
    kinds = {*get_args(LobbyEvent), *get_args(Event)} - silent
    told = table_under("Kinds of news")
    assert told.keys() == {*map(spell_type, kinds)} - HALL | {"private", "refused"}
    for kind in {*get_args(Event)} - silent:
        fields = {"seat", "target", "cell"} & kind.__dataclass_fields__.keys()
        assert fields <= {*re.findall(r"`(\w+)`", told[spell_type(kind)])}, kind
    public = json.loads(Told(ANA).write_step(now_at(SEATED, IN_TURN, ANA), renewed=True)[0])
    assert public["news"] == []


def test_the_page_has_every_reason_of_ours_and_the_words_of_the_protocol_elsewhere() -> None:
    told = {*table_under("Done or not")} - {"reason"}
    moves = {reason_word(cast("Reason", kind.__new__(kind))) for kind in get_args(Reason)}
    assert moves <= told | {*Refusal}
    lines = {WRONG_LINE, WRONG_ID, UNKNOWN, WRONG_TEXT, "not connected", "too soon", "impossible"}
    assert lines <= told <= lines | {*Refusal} | moves


@pytest.mark.level("broad")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
def test_sigterm_ends_a_visit_with_its_last_line(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "sabtui", "practise", "--json", "--bots", "3"]
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    with subprocess.Popen(program, stdin=PIPE, stdout=PIPE, env=environ, text=True) as process:  # noqa: S603 - ourselves
        assert process.stdout is not None
        first = decode(process.stdout.readline(), type=Line)
        assert first.t == "hello"
        process.send_signal(signal.SIGTERM)
        *_, last = process.stdout
        assert (decode(last, type=Line).t, decode(last, type=Line).code) == ("end", 143)
        assert process.wait(60) == 143


def test_before_a_table_what_is_asked_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    console = JsonConsole()
    console.prompt("Code")
    console.say(["That is no code."])
    assert console.read("amber-tulip") == ""
    assert console.read('{"do": "amber-tulip"}') == "amber-tulip"
    kinds = [decode(line, type=Line).t for line in capsys.readouterr().out.splitlines()]
    assert kinds == ["ask", "say", "error"]


def test_the_lobby_after_a_game_takes_its_mine_and_its_end_back() -> None:
    held = scenes.now(scenes.over()).game_state
    assert held is not None
    game, lobby = (
        public_parts(see_as_watcher(Status(game_state=replace(held, view=view))))
        for view in (held.view, None)
    )
    names = ("mine", "claims", "end")
    assert all(game[name] for name in names)
    assert [lobby[name] for name in names] == [None] * 3
