"""`--json`: a table in lines of JSON, one value a line, for programs (docs/json.md).

Public parts are made from what a watcher would see, for every reader (`see_as_watcher`), so that no
secret can be in them. All lines with secrets have the same length, and a person's own comes with
every step: neither the length nor the time of a line gives a secret away.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.actions import Broke, Collapsed, Repaired
from engine.board import GOAL_CELLS, Cell
from engine.bots.programs import list_cards, list_way
from engine.cards import Goal, Role, Tool
from engine.events import Event, Laid, Revealed, visible_to
from engine.moves import Discard, KeepGold
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, OnUpdate, Received, RunnableSession, Status
from net.protocol.chat import chat_line_of
from net.protocol.cleaning import sanitise
from net.protocol.lobby import BotChair, Lobby, TableClaim, Taken, Topic
from net.protocol.lobby_events import LobbyEvent
from net.protocol.messages import CloseReason, Reacted
from net.room.permissions import people_awaited, players_missing
from sabtui.app.errors import end_message
from sabtui.art import catalogue
from sabtui.art.catalogue import Drawing
from sabtui.plain.commands import COMMANDS, PlainTable, describe_no_change, targets_by_name
from sabtui.plain.console import Console
from sabtui.plain.table import InHall, NotDone, game_news, lobby_news, private_lines, spell_type
from sabtui.table.commands import TABLE_COMMANDS, Argument, TableCommand, Target, target_seat
from sabtui.table.sight import Sight
from sabtui.text import cards, connection, evening, layout, moves, seats, summary, talk
from sabtui.text.events import winners, your_role
from sabtui.text.i18n import _, current_language, pgettext
from sabtui.text.lobby import player_names, table_name
from sabtui.text.seats import (
    drawing_sentence,
    guest_seat_kept,
    waiting_sentence,
    waits_for_players,
    waits_for_start,
)
from sabtui.text.settings import table_settings, type_line

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json] | None"  # a value of JSON
JsonObject: TypeAlias = dict[str, Json]  # members of a line, by name


def see_as_watcher(status: Status) -> Status:
    """Return only what a watcher of the same table sees: everything public."""
    held = status.game_state
    if held is None:
        return Status(status.connection)
    view, past = held.view, held.past
    if view is not None:
        ledger, history = visible_to(view.ledger, None), visible_to(view.history, None)
        view = View(None, view.table, view.score, ledger=ledger, history=history)
    past = None if past is None else visible_to(past, None)
    return Status(status.connection, game_state=replace(held, view=view, past=past))


def public_parts(status: Status) -> JsonObject:
    """Return the parts of a public line, from what a watcher sees."""
    lobby, sight = status.lobby, Sight.of(status)
    assert lobby is not None
    parts: JsonObject = {"table": _table(status, lobby), "seats": _seats(lobby, sight)}
    parts |= {"mine": None, "claims": None, "end": None}  # sent when a game is left for the lobby
    if sight is not None:
        view = sight.view
        parts |= {"mine": _mine(view), "claims": _claims(sight), "end": _end(sight)}
    return parts


def _table(status: Status, lobby: Lobby) -> JsonObject:
    names, view, host = player_names(lobby, status.member), status.view, lobby.person(lobby.host)
    settings = {row.word or row.field: row.phrase for row in table_settings(lobby.settings, names)}
    part: JsonObject = {
        "name": table_name(lobby),
        "stage": lobby.stage.name.lower(),
        "phase": "lobby" if view is None else view.phase.name.lower(),
        "paused": lobby.paused,
        "locked": lobby.locked,
        "host": None if host is None else host.name,
        "watching": [person.name for person in lobby.watchers if not person.presence.is_gone],
        "settings": settings,
        "evening": evening.standing_lines(lobby),
        "waits": _describe_wait(status, lobby),
    }
    if view is not None:
        part |= {
            "round": view.score.number,
            "rounds": view.score.rounds,
            "pile": view.table.pile,
            "turn": None if view.to_act is None else view.to_act + 1,
            "lines": [summary.round_words(view), moves.pile_words(view)],
        }
    return part


def _describe_wait(status: Status, lobby: Lobby) -> str:
    """Return what or whom the table waits for, without what to type."""
    view = status.view
    if lobby.is_drawing:
        return drawing_sentence()
    if view is None:
        if missing := players_missing(lobby):
            return waits_for_players(missing)
        return waiting_sentence(people_awaited(lobby)) or waits_for_start()
    if view.phase is Phase.DEAL:
        return waiting_sentence(people_awaited(lobby)) or moves.not_dealt()
    return moves.waiting(view, player_names(lobby, status.member))


def _seats(lobby: Lobby, sight: Sight | None) -> list[Json]:
    names, listed = player_names(lobby, 0), list[Json]()
    for seat, chair in enumerate(lobby.chairs):
        part: JsonObject = {"seat": seat + 1, "is": "free"}
        if isinstance(chair, BotChair):
            part |= {"is": "bot", "level": chair.level}
        elif isinstance(chair, Taken):
            person = lobby.person(chair.member)
            here = "gone" if person is None else person.presence.name.lower()
            part |= {"is": "person", "ready": chair.ready, "presence": here}
            part["host"] = chair.member == lobby.host
        if part["is"] != "free":
            face, colour = names.dwarf(seat)
            part |= {"name": names.names[seat], "face": face, "colour": colour}
            part["picture"] = _picture(catalogue.find_dwarf(face, colour))
        if sight is not None and seat in sight.seats:
            part |= _player(seat, sight)
        listed.append(part)
    return listed


def _player(seat: int, sight: Sight) -> JsonObject:
    view, role = sight.view, sight.role(seat)
    return {
        "cards": view.table.hands[seat],
        "broken": [tool.name.lower() for tool in Tool.within(view.table.broken[seat])],
        "looked": [[*cell] for cell in view.table.looks[seat]],
        "gold_cards": view.score.cards[seat],
        "nuggets": sight.nuggets(seat),
        "role": None if role is None else role.name.lower(),
        "text": moves.player_words(seat, view, sight.names),
    }


def _mine(view: View) -> JsonObject:
    board = view.table.board
    drawn = catalogue.find_mine(board, [view.goal_on(cell) for cell in GOAL_CELLS])
    laid: list[Json] = [
        {**card, "picture": _picture(drawn[cell])}
        for cell, card in zip(board.cards, list_cards(board), strict=True)
    ]
    goals: list[Json] = [_goal(cell, view) for cell in GOAL_CELLS]
    return {"cards": laid, "goals": goals, "lines": cards.mine_words(view, spelt=False)}


def _goal(cell: Cell, view: View) -> JsonObject:
    face = view.goal_on(cell)
    gold = None if face is None else face is Goal.TREASURE
    words = "" if face is None else cards.goal_words(face)
    back = _picture(catalogue.find_goal_back(face))
    return {"x": cell[0], "y": cell[1], "gold": gold, "text": words, "picture": back}


def _picture(drawing: Drawing) -> str:
    """Return a picture's name, and after a `~` if it is mirrored across (1), down (2) or both."""
    mirrored = drawing.across + 2 * drawing.down
    return f"{drawing.name}~{mirrored}" if mirrored else drawing.name


def _claims(sight: Sight) -> JsonObject:
    view, said = sight.view, sight.talk
    goals: list[Json] = [
        {"goal": claim.goal + 1, "gold": claim.is_gold, "seats": [seat + 1 for seat in claim.seats]}
        for claim in talk.goal_claims(view, said)
    ]
    players: list[Json] = [
        {
            "about": claim.about + 1,
            "is": claim.opinion.name.lower(),
            "seats": [seat + 1 for seat in claim.seats],
        }
        for claim in talk.player_claims(view, said)
    ]
    return {"goals": goals, "players": players, "lines": talk.claim_lines(view, said, sight.names)}


def _find_about(claim: TableClaim) -> JsonObject:
    """Return the goal, tool or seat that a claim is about, nothing if there is none."""
    match claim.topic:
        case Topic.GOLD_AT | Topic.STONE_AT:
            return {"goal": claim.about + 1}
        case Topic.HELP_ME:
            return {"tool": tuple(Tool)[claim.about].name.lower()}
        case Topic.WHO_ME:
            return {}
        case _:
            return {"about": claim.about + 1}


def _end(sight: Sight) -> JsonObject | None:
    """Return how the round ended, and the game if it is over; `None` before."""
    view, names, end = sight.view, sight.names, sight.view.table.end
    if end is None:
        return None
    part: JsonObject = {
        "winner": end.winner.name.lower(),
        "goals": [goal is Goal.TREASURE for goal in end.goals],
    }
    if view.phase is Phase.OVER:
        winner_seats = view.score.winners or ()
        lines = [
            winners(winner_seats, names),
            *evening.final_lines(sight.tally, sight.record, names),
        ]
        part |= {"winners": [seat + 1 for seat in winner_seats], "lines": lines}
        part["rounds"] = [
            {
                "winner": None if past.winner is None else past.winner.name.lower(),
                "roles": [role.name.lower() for role in past.roles],
                "nuggets": [*past.nuggets],
            }
            for past in sight.tally.rounds
            if past.roles is not None
        ]
        part["awards"] = evening.award_lines(sight.tally, sight.record, names)
    return part


def list_news(
    lobby: Lobby, news: Iterable[LobbyEvent], happened: Iterable[Event], status: Status
) -> list[Json]:
    """Return what has happened since the state `lobby`, each event with its sentences."""
    sight, listed = Sight.of(status), list[Json]()
    for event in news:
        lines = lobby_news(lobby, [event], status, sight)
        said = chat_line_of(event, lobby)
        who: JsonObject = {}
        if said is not None:
            seat = None if said.seat < 0 else said.seat + 1
            who = {"seat": seat, "name": said.name, "said": said.text}
        listed += [{"is": spell_type(type(event)), **who, "lines": lines}] if lines else []
        lobby = event.change(lobby)
    for seen in happened if sight is not None else ():
        assert sight is not None
        lines = game_news([seen], sight)
        listed += [{"is": spell_type(type(seen)), **_facts(seen), "lines": lines}] if lines else []
    return listed


def _facts(event: Event) -> JsonObject:
    """Return the seat that acts, the one acted on, and the cell, card, tool or goal."""
    facts: JsonObject = {}
    for name in ("seat", "target", "cell"):
        fact: int | Cell | None = getattr(event, name, None)
        if fact is not None:
            facts[name] = fact + 1 if isinstance(fact, int) else [*fact]
    match event:
        case Laid(path=path) | Collapsed(path=path):
            facts["card"] = path.text
        case Broke(tool=tool):
            facts["tool"] = tool.name.lower()
        case Repaired(card=card, tool=tool):
            facts |= {"card": card.text, "tool": tool.name.lower()}
        case Revealed(cell=cell, path=path):
            facts |= {"card": path.text, "goal": GOAL_CELLS.index(cell) + 1}
        case _:
            pass
    return facts


# A person's own line.


def own_parts(status: Status) -> JsonObject:
    """Return the private parts of a person: role, hand, gold, what they know and may do."""
    sight, lobby = Sight.of(status), status.lobby
    parts: JsonObject = {
        **_NO_GAME,
        "seat": None if status.seat is None else status.seat + 1,
        "host": status.is_host,
        "connection": status.connection.value,
        "may": [] if lobby is None else [*_list_commands(status, lobby)],
    }
    if sight is None:
        return parts
    view, role = sight.view, sight.view.role
    mine = sight.is_mine
    return parts | {
        "role": None if role is None else _role(role),
        "hand": _hand(view, is_turn=mine and view.phase is Phase.PLAY),
        "gold": [*view.gold],
        "offer": [
            {
                "nuggets": nuggets,
                "move": str(KeepGold(nuggets)),
                "picture": _picture(catalogue.find_gold_card(nuggets)),
            }
            for nuggets in dict.fromkeys(view.offer if mine and view.phase is Phase.GOLD else ())
        ],
        "looked": [
            _goal(cell, view) for cell, face in zip(GOAL_CELLS, view.peeks, strict=True) if face
        ],
        "turn": mine,
        "seconds": sight.turn_left,
        "hints": moves.no_hint(view, sight.names, allowed=sight.allows_hints) is None,
    }


_NO_GAME: Final[JsonObject] = {
    "role": None,
    **dict.fromkeys(("hand", "gold", "offer", "looked"), ()),
    "turn": False,
    "seconds": None,
    "hints": False,
}
"""Members of the own line while there is no game, each with the type that it has in one."""


def _role(role: Role) -> Json:
    return {
        "is": role.name.lower(),
        "name": cards.role_words(role),
        "text": your_role(role),
        "picture": _picture(catalogue.find_role(role)),
    }


def _hand(view: View, *, is_turn: bool) -> list[Json]:
    """Return the cards by kind, as they are numbered, with all ways to play them now."""
    return [
        {
            "card": kind.card.text,
            "count": kind.count,
            "text": cards.card_words(kind.card),
            "short": cards.card_name(kind.card),
            "is": kind.card.kind.name.lower(),
            "picture": _picture(catalogue.find_card(kind.card)),
            "lies": {
                path.text: _picture(catalogue.find_ground(path, is_lit=True))
                for path in kind.card.ways
            },
            "ways": [list_way(move) for move in kind.plays],
            "discard": str(Discard(kind.card)) if is_turn else None,
        }
        for kind in summary.hand_entries(view)
    ]


def _list_commands(status: Status, lobby: Lobby) -> Iterable[Json]:
    """Yield the commands that can be given now, with the seats or people that they are about."""
    for command in TABLE_COMMANDS:
        if not command.typed or not command.concerns(status):
            continue
        words = [word for at, word in enumerate(command.typed) if at == 0 or word in _OPPOSITES]
        for word in words:
            to = _targets(command, word, status, lobby)
            if to is None or to:
                about: JsonObject = {} if to is None else {"to": to}
                if command.takes is Argument.CHOICE:
                    about["choices"] = [look for look, _target in command.others(Target(status))]
                label = command.label() if command.label is not None else command.purpose()
                if word in _OPPOSITES:
                    label = _OPPOSITES[word]()
                yield {"do": word, "text": command.purpose(), "label": label, **about}


_OPPOSITES: Final[Mapping[str, Callable[[], str]]] = {
    "unready": lambda: seats.ready_words(ready=False),
    # Translators: a verb on a button: newcomers may join again.
    "unlock": lambda: pgettext("label", "unlock"),
}
"""Labels of the second words of commands, which take back what the first did."""


def _targets(command: TableCommand, word: str, status: Status, lobby: Lobby) -> list[Json] | None:
    """Return the possible targets of a command; `None` if it needs none and can be done."""
    match command.takes:
        case Argument.NOTHING | Argument.CHOICE:
            target = Target(status, word=word)
            request = command.request(target)
            is_due = request is not None and not describe_no_change(request, status)
            return None if is_due and command.why_not(target) is None else []
        case Argument.SEAT:
            targets = {seat + 1: target_seat(status, seat) for seat in range(len(lobby.chairs))}
            return [seat for seat, target in targets.items() if command.why_not(target) is None]
        case _:
            named = targets_by_name(status, lobby)
            return [name for name, target in named.items() if command.why_not(target) is None]


VERSION: Final = 1  # version of the lines: a higher one may leave out or change what is here
MAX_MARKS: Final = 1 << 32
"""An answer repeats the `id` of its line if that is a number below this one."""
WRONG_LINE: Final = "wrong line"
WRONG_ID: Final = "wrong id"
"""Words for lines that cannot be read."""
OWN_LINE: Final = 8192  # bytes of each own line and each answer, without its line break


class JsonConsole(Console):
    """Standard input and output as values of JSON, one a line."""

    def __init__(self, *, outlives_input: bool = False) -> None:
        super().__init__()
        self.is_eager = True  # a program writes at any time, as a person does
        self.outlives_input = outlives_input

    @property
    def size(self) -> layout.TerminalSize:
        """A size at which no sentence is wrapped."""
        return layout.TerminalSize(2000, 200)

    def write(self, kind: str, value: JsonObject, length: int = 0) -> None:
        """Write a value as a line of ASCII, padded with blanks to this length."""
        self.put(f"{dump(kind, value):<{length}}")

    def put(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def say(self, lines: Iterable[str]) -> None:
        """Write sentences that belong neither to a step of a table nor to an answer."""
        if texts := [*map(sanitise, lines)]:
            self.write("say", {"lines": texts})

    def prompt(self, prompt: str) -> None:
        """Write the question, unless it was written already."""
        if prompt != self._asked:
            self.write("ask", {"text": prompt})
            self._asked = prompt

    def read(self, line: str) -> str:
        """Return the meaning of a line; if it cannot be read, write an error line and return ""."""
        try:
            return read_line(line)[0]
        except NotDone as wrong:
            self.refuse(wrong)
            return ""

    def refuse(self, wrong: NotDone, number: int = 0) -> None:
        """Write that a line cannot be read; `number` is 0 before there is a table."""
        refused: JsonObject = {"done": False, "reason": wrong.word, "text": str(wrong)}
        self.write("error", {"line": number, **refused})

    def leave(self) -> None:
        """Do nothing: each line ends where it is written."""


def dump(kind: str, value: JsonObject) -> str:
    return json.dumps({"t": kind, **value}, separators=(",", ":"))


def read_line(line: str) -> tuple[str, int | None]:
    """Return a line as it is typed without `--json`, and the number that its answer repeats.

    Raises `NotDone` for any other line.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    is_known = isinstance(value, dict) and value.keys() <= {"do", "text", "id"}
    # Many serialisers write `null` for what is absent.
    said = {name: word for name, word in value.items() if word is not None} if is_known else {}
    mark = said.pop("id", None)
    if not is_known or not all(type(word) in (str, int) for word in said.values()):
        raise NotDone(WRONG_LINE, type_line('{"do": "sit", "text": 2}'))
    if mark is not None and not (type(mark) is int and 0 <= mark < MAX_MARKS):
        text = _("An id is a number from 0 to {most}.")
        raise NotDone(WRONG_ID, text.format(most=MAX_MARKS - 1))
    return f"{said.get('do', '')} {said.get('text', '')}".strip(), mark


@dataclass(eq=False)
class JsonTable(PlainTable):
    """A visit to a table in lines of JSON: a public line and an own line for each step."""

    console: JsonConsole
    is_spelt = False
    closing_word = ""
    shown: JsonObject = field(default_factory=dict)  # the public parts as they were last written
    own: JsonObject = field(default_factory=dict)  # the own line as it was last written
    answers: int = 0  # how many lines were read
    told: list[Json] | None = None  # sentences for the answer to the present line
    refused: str | None = None  # fixed word for why the present line did nothing
    claims: list[Json] = field(default_factory=list)  # claims that the present line lists

    def visit(
        self,
        make: Callable[[OnUpdate], RunnableSession],
        greeting: Iterable[str] = (),
        in_hall: InHall | None = None,
    ) -> int:
        """Play at a table as `PlainTable` does, between a first and a last line."""
        rows: list[Json] = [
            {
                "do": [*command.spellings],
                "when": command.when.name.lower(),
                "text": command.purpose(),
            }
            for command in COMMANDS
        ]
        hello: JsonObject = {"v": VERSION, "language": current_language(), "own": OWN_LINE}
        try:
            with _interrupted_by_sigterm():
                self.console.write("hello", {**hello, "commands": rows})
                code = super().visit(make, greeting, in_hall)
        except _Terminated:
            code, text = EXIT_SIGTERM, end_message()
        else:
            why = self.session.status.ending
            is_unexpected = why is not None and why is not CloseReason.CALLED
            text = connection.why_ended(why) if is_unexpected else ""
        self.console.write("end", {"code": code, "text": text})
        return code

    def say(self, *lines: str) -> None:
        """Write lines. While a typed line is being answered, they are part of the answer."""
        if self.told is None:
            self.console.say(lines)
        else:
            self.told += map(sanitise, lines)

    def takes_line(self, *, eager: bool) -> bool:
        """Return True if a typed line can be processed now: none before the table is known."""
        is_known = self.status.lobby is not None or self.status.connection is ConnectionState.ENDED
        return is_known and super().takes_line(eager=eager)

    def show_prompt(self) -> None:
        """Show no prompt: each own line and each answer has it."""

    @property
    def way_back(self) -> str:
        """Name no command: a program, or a page, knows its own way back."""
        return guest_seat_kept() if self.back and self.status.seat is not None else ""

    def do_line(self, typed: str) -> None:
        """Do what a line of JSON says, and answer it with one line."""
        self.answers += 1
        self.told, self.refused, self.claims = [], None, []
        try:
            line, mark = read_line(typed)
        except NotDone as wrong:
            self.console.refuse(wrong, self.answers)
            self.told = None
            return
        if line != "all":
            super().do_line(line)
        elif self.status.lobby is not None:
            self.shown = {}
            self._write_public(see_as_watcher(self.status), [])
        else:
            self.refused = "not connected"
        asks = self.question is not None
        answer: JsonObject = {"line": self.answers, "asks": asks}
        answer |= {"done": self.refused is None and not asks, "reason": self.refused}
        answer |= {"id": mark, "prompt": self.prompt()}
        answer |= {"claims": self.claims} if self.claims else {}
        # At the end, as `_write_own` shortens the last list. What these lines say of claims, the
        # list of claims says, too.
        answer["lines"] = self.told
        self._write_own("answer", answer)
        self.told = None
        self._write_own_news([])

    def note_refusal(self, word: str) -> None:
        self.refused = word

    def note_claims(self, claims: Sequence[TableClaim], texts: Sequence[str]) -> None:
        """Note what each claim is about, for the answer."""
        self.claims = [
            {"is": claim.topic.name.lower().replace("_", " "), **_find_about(claim), "text": text}
            for claim, text in zip(claims, texts, strict=True)
        ]

    def show_changes(self, before: Status, received: Received) -> None:
        """Write a step of the table as a public and an own line, anything else as an own line."""
        status = self.status
        private = private_lines(status, before, received, is_silent=False)
        private += self.shown_lines(received)
        if status.lobby is None:
            self.say(*private)
            return
        lobby, public = before.lobby or status.lobby, see_as_watcher(status)
        if received.news or received.events or received.renewed:
            events = visible_to(received.events, None)
            self.shown = {} if received.renewed else self.shown
            self._write_public(public, list_news(lobby, received.news, events, public))
        if text := talk.describe_reaction(received.reaction, status.lobby):
            self._write_reaction(received.reaction, status.lobby, text)
        news = list_news(lobby, received.news, received.events, status)
        own: list[JsonObject] = [{"is": "private", "lines": [line]} for line in private]
        if received.refused is not None:  # its sentence is the first, see `private_lines`
            own[0] |= {"is": "refused", "reason": received.refused.reason.value}
        self._write_own_news([*news, *own])

    def _write_public(self, public: Status, news: list[Json]) -> None:
        assert public.game_state is not None
        parts, shown = public_parts(public), self.shown
        changed = {
            name: part for name, part in parts.items() if name not in shown or shown[name] != part
        }
        line: JsonObject = {"n": public.game_state.step, "all": not shown, "news": news}
        self.console.write("public", {**line, **changed})
        self.shown, self.own = parts, {}

    def _write_reaction(self, reacted: Reacted | None, lobby: Lobby, text: str) -> None:
        """Write the line of a reaction, which is not a step: no other line comes with it."""
        assert reacted is not None
        seat, name = lobby.seat_of(reacted.member), lobby.find_person(reacted.member).name
        who: JsonObject = {"seat": None if seat is None else seat + 1, "name": sanitise(name)}
        is_ = reacted.reaction.name.lower()
        self.console.write("reaction", {**who, "is": is_, "text": text})

    def _write_own_news(self, news: list[Json]) -> None:
        """Write the own line if a step needs it, or if it has changed without one."""
        if self.status.game_state is None:
            return
        own = {**own_parts(self.status), "auto": self.is_on_autopilot, "waits": self.where()}
        own["prompt"] = self.prompt()
        if own != self.own or news:
            self.own = own
            line: JsonObject = {"n": self.status.game_state.step, **own, "news": news}
            self._write_own("own", line)

    def _write_own(self, kind: str, value: JsonObject) -> None:
        """Write a line of the fixed length; what does not fit into its last lists is left out."""
        left_out = 0
        while len(dump(kind, {**value, "left_out": left_out})) > OWN_LINE:
            lists = {name: part for name, part in value.items() if isinstance(part, list) and part}
            name, part = lists.popitem()
            value, left_out = {**value, name: part[:-1]}, left_out + 1
        self.console.write(kind, {**value, "left_out": left_out}, OWN_LINE)


EXIT_SIGTERM: Final = 128 + 15
"""Exit code of a program that SIGTERM ended, as shells report it."""


class _Terminated(BaseException):
    """Raised in the main thread by SIGTERM, so that the last line is still written."""


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Make SIGTERM raise `_Terminated` inside, if this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def face_for(console: Console) -> type[PlainTable]:
    """Return the class of a visit for a console: in lines of JSON, or of text."""
    return JsonTable if isinstance(console, JsonConsole) else PlainTable
