"""Lines that are typed at a `PlainTable`: a row for each command; numbers, cards and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Final, assert_never

from engine.bots import BOTS, Playouts
from engine.bots.installed import offered_bots, refused_bots
from engine.mistakes import NotationError
from engine.moves import Discard, KeepGold, NotInHand, parse_move
from engine.state import Phase
from net.client.session import ConnectionState, Status
from net.protocol import requests
from net.protocol.cleaning import clean_name, sanitise
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BotChair, Lobby, TableClaim, bot_names, clean_text
from net.protocol.messages import DiskStatus, Refusal
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.autopilot import hints_for
from sabtui.app.errors import UserError
from sabtui.app.preferences import keep_look
from sabtui.plain import overview
from sabtui.plain.console import not_understood
from sabtui.plain.rules_pager import rules_lines
from sabtui.plain.table import Lines, NotDone, TableVisit, reason_word, table_refusal
from sabtui.table import commands as table_commands
from sabtui.table.ways import WORDS, find_ways
from sabtui.text import evening, events, layout, moves, reasons, seats, settings, summary, talk
from sabtui.text.audit import fair_lines
from sabtui.text.connection import disk_sentence, state_words
from sabtui.text.i18n import _, alternatives, lazy
from sabtui.text.lobby import player_names, settings_sentence
from sabtui.text.network import name_typed

WRONG_TEXT: Final = "wrong text"
UNKNOWN: Final = "unknown"
"""Words for lines that do nothing: what follows a word is wrong, or the word itself is."""


class When(Enum):
    """Times at which a command can be used; at others a sentence says why it cannot."""

    KNOWN = auto()  # once the table is known, even after the connection has ended
    GAME = auto()  # once there is a game to see, even after the connection has ended
    LINK = auto()  # until the connection has ended
    HOST = auto()  # until the connection has ended, by the host only


@dataclass(frozen=True, slots=True)
class Keyword:
    """A command: its words, what it does, when it can be used, and its line of help."""

    words: str
    when: When
    do: Callable[[PlainTable, str], Lines]
    """Takes the rest of the line, returns lines to say; may raise `NotDone`, `WrongSetting`."""
    topics: str = ""  # help topics that list this command
    purpose: Callable[[], str] = str
    follows: Callable[[], str] = str  # what help shows after its words

    @property
    def spellings(self) -> tuple[str, ...]:
        """All words that it can be typed as."""
        return tuple(self.words.split())


def help_lines(topic: str, status: Status) -> list[str]:
    """Return help on a topic, at most a screenful: its commands, or for `settings` the settings."""
    if topic == "settings" and status.lobby is not None:
        now, names = status.lobby.settings, player_names(status.lobby, status.member)
        every = settings.table_settings(now, names)
        return layout.align_columns(
            [(setting.usage, setting.phrase) for setting in every if setting.word]
        )
    listed = [
        command for command in COMMANDS if topic in command.topics.split() and command.purpose()
    ]
    words = [", ".join(command.words.split()) + command.follows() for command in listed]
    lines = layout.align_columns(
        [(word, command.purpose()) for word, command in zip(words, listed, strict=True)]
    )
    if topic == "game":
        return [how_cards_are_played(), *lines]
    return [*lines, "? host, ? settings"] if topic == "table" and status.is_host else lines


how_cards_are_played: Final = lazy("2 1 plays card 2 at place 1; 2 alone lists its places.")


def _help(table: PlainTable, rest: str) -> Lines:
    topic = rest.lower() or ("game" if table.sight is not None else "table")
    if topic in {"host", "settings"} and not table.status.is_host:
        raise table_refusal(Refusal.HOST_ONLY)
    known = topic in {"game", "host", "settings"}
    return help_lines(topic if known else "table", table.status)


# At a table.


def find_named(typed: str, names: Iterable[str]) -> int | None:
    """Return the index of the name that was typed, else of the only name that begins so."""
    wanted, called = typed.casefold(), [name.casefold() for name in names]
    if wanted in called:
        return called.index(wanted)
    found = [at for at, name in enumerate(called) if name.startswith(wanted)]
    return found[0] if len(found) == 1 else None


def _who(table: PlainTable, rest: str) -> Lines:
    status, lobby = table.status, table.lobby
    if table.sight is None:
        return [*overview.seat_lines(status, lobby), *overview.others_lines(status, lobby)]
    view, names = table.view, table.names
    if not rest:
        people = [*overview.others_lines(status, lobby), *overview.gone_lines(lobby)]
        return [*summary.who_lines(view, names), *overview.bot_lines(lobby), *people]
    is_seat = rest.isdecimal() and 1 <= int(rest) <= view.table.players
    seat = int(rest) - 1 if is_seat else find_named(rest, names.names)
    if seat is None:
        raise table_refusal(Refusal.NO_SUCH_PERSON)
    words = moves.player_words(seat, view, names)
    return [f"{words}.", *events.action_lines(seat, view, table.game.talk, names)]


def _talk(table: PlainTable, rest: str) -> Lines:
    if rest:
        said = layout.cut_to_talk(rest)
        cut_off = [] if said == rest else [layout.cut_off_sentence()]
        return [*cut_off, *table.request(requests.Chat(clean_text(said)))]
    held, names = table.status.game_state, player_names(table.lobby, table.status.member).names
    lines = [] if held is None else [talk.chat_words(line, names) for line in held.talk]
    return lines[2 - table.console.size.rows :] or [how_to_talk()]


def _not_understood(line: str) -> str:
    text = _("Unknown command: {line}. Type ? for help, or t {line} to say it.")
    return text.format(line=line[:40])


how_to_talk: Final = lazy("t TEXT: tell everybody; t: show the chat")


def _claim(table: PlainTable, rest: str) -> Lines:
    names = player_names(table.lobby, table.status.member)
    claims = talk.quick_claims(len(table.lobby.chairs), names.me)
    if rest.isdecimal():
        return table.request(requests.MakeClaim(claims[read_number("c", rest, 1, len(claims)) - 1]))
    texts = [talk.claim_words(claim, names.names) for claim in claims]
    table.note_claims(claims, texts)
    return [how_to_claim(), *(f"{at:2} {text}" for at, text in enumerate(texts, 1))]


how_to_claim: Final = lazy("quick claims; c 3: make claim 3")


def _auto(table: PlainTable, _rest: str) -> Lines:
    if table.status.seat is None:
        raise NotDone(Refusal.NO_SEAT.value, moves.only_watching())
    table.is_on_autopilot = not table.is_on_autopilot
    if table.is_on_autopilot:
        return [seats.autopilot_plays("auto")]
    return [seats.autopilot_stopped(), *table.where()]


def _replay(table: PlainTable, _rest: str) -> Lines:
    """Watch the finished game again; from then on the lines typed are commands of the replay."""
    held = table.status.game_state
    if held is None or not held.record:
        raise NotDone(Refusal.NOT_NOW.value, evening.once_over())
    from sabtui.after.lines import watch_again  # noqa: PLC0415 - a feature

    table.replay = watch_again(held)
    table.show_step()
    return table.replay.begin()


def _ways(table: PlainTable, _rest: str) -> Lines:
    ways = find_ways(table.status)
    if ways is None:
        text = _("Nobody can join a practice game. In a club, friends come to the hall.")
        raise NotDone(Refusal.NOT_NOW.value, text)
    return ways.lines()


# In a game.


def _hint(table: PlainTable, _rest: str) -> Lines:
    view, names = table.view, table.names
    reason = moves.no_hint(view, names, allowed=table.game.allows_hints)
    if reason is not None:
        raise NotDone(Refusal.NOT_NOW.value, reason)
    found = hints_for(view, table.game.talk, HINT_BUDGET)[: moves.MAX_HINTS]
    return [moves.hint_words(hint, view.role, names) for hint in found] or [moves.no_hint_found()]


HINT_BUDGET: Final = Playouts(120)  # thinking budget for hints, in playouts


def _log(table: PlainTable, rest: str) -> Lines:
    """Return the last lines of the round's log: as many as asked for, or as fit on the terminal."""
    view, most = table.view, int(rest) if rest.isdecimal() else table.console.size.rows - 2
    happened = events.round_in_order(view, table.game.said)
    lines = events.round_lines(happened, view, table.names) or [talk.nothing_done()]
    return table.wrap(lines)[-max(most, 1) :]


def _since(table: PlainTable, _rest: str) -> Lines:
    happened = events.since_turn(table.view, table.game.said)
    return events.round_lines(happened, table.view, table.names) or [talk.nothing_done()]


def _discard(table: PlainTable, rest: str) -> Lines:
    card, kinds = summary.named_card(rest) if rest else table.card, table.kinds
    if rest.isdecimal() and 1 <= int(rest) <= len(kinds):
        card = kinds[int(rest) - 1].card
    if card is None:
        raise NotDone(WRONG_TEXT, settings.number_needed("x", 1, len(kinds)))
    return table.attempt(Discard(card))


def _draw(table: PlainTable, rest: str) -> Lines:
    placed = summary.marks(table.plays(table.card)) if table.card is not None else {}
    size, large = table.console.size, {"big": True, "small": False}.get(rest.lower())
    return table.view.draw(placed, columns=size.columns, rows=size.rows, large=large)


def _back(table: PlainTable, _rest: str) -> Lines:
    table.card = None
    is_turn = table.game.is_mine and table.view.phase is Phase.PLAY
    return summary.hand_lines(table.view) if is_turn else table.where()


def _hand(table: PlainTable, _rest: str) -> Lines:
    table.card = None
    if table.view.seat is None:
        return [seats.watching_sentence()]
    return summary.hand_lines(table.view) or [summary.no_cards_left()]


# Commands of the host.


def read_number(word: str, rest: str, first: int, last: int) -> int:
    """Parse the number after a word. Raises `NotDone` unless it is from `first` to `last`."""
    if rest.isdecimal() and len(rest) < 5 and first <= int(rest) <= last:
        return int(rest)
    raise NotDone(WRONG_TEXT, settings.number_needed(word, first, last))


def _need_free_seats(lobby: Lobby, needed: int = 1) -> tuple[int, ...]:
    """Return the free seats. Raises `NotDone` if fewer are free than are needed."""
    if len(lobby.free_seats) < needed:
        text = _("Free seats: {count}. Type seats {more} to add one, or empty N to free seat N.")
        more = min(len(lobby.chairs) + 1, MAX_SEATS)
        free = text.format(count=len(lobby.free_seats), more=more)
        raise NotDone(Refusal.SEAT_TAKEN.value, free)
    return lobby.free_seats


def _bot(table: PlainTable, rest: str) -> Lines:
    words, level = rest.split(), DEFAULT_BOT_LEVEL
    typed = words[-1].casefold() if words else ""
    if typed in offered_bots():
        level = typed
        words.pop()
    elif words and words[-1] in refused_bots():
        raise NotDone(Refusal.NO_SUCH_BOT.value, refused_bots()[words[-1]])
    elif len(words) > 1 or typed in BOTS:
        text = _("{word} is not a bot level: end the line with {levels}.")
        levels = alternatives(offered_bots())
        wrong = text.format(word=words[-1][:20], levels=levels)
        raise NotDone(Refusal.NO_SUCH_BOT.value, wrong)
    name = clean_name(" ".join(words)) or bot_names(1, table.lobby.names())[0]
    return table.request(requests.PutBot(_need_free_seats(table.lobby)[0], name, level))


def _bots(table: PlainTable, rest: str) -> Lines:
    count = read_number("bots", rest, 1, MAX_SEATS)
    free, names = _need_free_seats(table.lobby, count), bot_names(count, table.lobby.names())
    bots = (
        requests.PutBot(seat, name, DEFAULT_BOT_LEVEL)
        for seat, name in zip(free, names, strict=False)
    )
    return table.request(*bots)


def _empty(table: PlainTable, rest: str) -> Lines:
    seat = read_number("empty", rest, 1, len(table.lobby.chairs)) - 1
    if seat in table.lobby.free_seats:
        return [settings.nothing_changed()]
    return table.request(requests.FreeSeat(seat))


def _set(word: str, table: PlainTable, rest: str) -> Lines:
    """Change the setting with this word. If it has that value, say so, as the table would not."""
    if word == "edition" and not rest:
        return settings.edition_lines()
    now, names = table.lobby.settings, player_names(table.lobby, table.status.member)
    row = next(setting for setting in settings.table_settings(now, names) if setting.word == word)
    wanted = row.read(rest, now)
    if wanted == now:
        return [settings_sentence([row.phrase])]
    return table.request(requests.ChangeSettings(wanted))


# Requests to the table.


def _do_command(command: table_commands.TableCommand, table: PlainTable, rest: str) -> Lines:
    # In practice no seat is kept.
    if command is table_commands.LEAVE_FOR_GOOD and not table.lobby.name:
        return table.quit()
    target, status = _read_target(command, table, rest), table.status
    request, reason = command.request(target), command.why_not(target)
    if request is None or (reason is not None and not table.awaiting):
        raise NotDone(command.refusal(target) or WRONG_TEXT, reason or command.choose(target))
    already = describe_no_change(request, status)
    if already and not table.awaiting:
        return [already]
    if not (command.is_final and command.question(target)):  # a bot is removed at once
        lines = [*table.request(request)]
        if command.takes is table_commands.Argument.CHOICE:
            lines += filter(None, [keep_look(command.name, target.look)])
        return lines

    def answer(yes: bool) -> Lines:  # noqa: FBT001 - the answer
        wanted = command.request(replace(target, status=table.status)) if yes else None
        return [settings.nothing_changed()] if wanted is None else table.request(wanted)

    table.question = answer
    return filter(None, [command.warning(target), command.question(target)])


def _read_target(
    command: table_commands.TableCommand, table: PlainTable, rest: str
) -> table_commands.Target:
    """Return the target that a line names. Raises `NotDone` if it names none."""
    status, lobby, word = table.status, table.lobby, table.word
    match command.takes:
        case table_commands.Argument.NOTHING:
            target = table_commands.Target(status)
        case table_commands.Argument.SEAT:
            free = () if rest else overview.open_seats(status)
            seat = free[0] if free else read_number(word, rest, 1, len(lobby.chairs)) - 1
            target = table_commands.target_seat(status, seat)
        case table_commands.Argument.PERSON:
            targets = targets_by_name(status, lobby)
            target = [*targets.values()][_read_name(rest, [*targets], word)]
        case table_commands.Argument.CHOICE:
            choices = command.others(table_commands.Target(status))
            if not rest:
                rows = [f"{at:2} {look}" for at, (look, _target) in enumerate(choices, 1)]
                raise NotDone(WRONG_TEXT, *rows)
            target = choices[read_number(word, rest, 1, len(choices)) - 1][1]
        case table_commands.Argument.SEAT_AND_PERSON:
            typed, _space, name = rest.partition(" ")
            seat = read_number(word, typed, 1, len(lobby.chairs)) - 1
            names = [person.name for person in lobby.people]
            at = _read_name(name.strip(), names, f"{word} {rest}")
            target = replace(table_commands.target_seat(status, seat), to=lobby.people[at].member)
        case _:
            assert_never(command.takes)
    return replace(target, word=word)


def targets_by_name(status: Status, lobby: Lobby) -> dict[str, table_commands.Target]:
    """Return the targets for all people, then those for all bots, by their names."""
    people = {
        person.name: table_commands.Target(status, lobby.seat_of(person.member), person.member)
        for person in lobby.people
    }
    bots = {
        chair.name: table_commands.target_seat(status, seat)
        for seat, chair in enumerate(lobby.chairs)
        if isinstance(chair, BotChair)
    }
    return people | bots


def _read_name(typed: str, names: Sequence[str], word: str) -> int:
    """Return the index of the only name that begins as typed. Raises `NotDone`: there is none."""
    if not typed:
        raise NotDone(WRONG_TEXT, settings.type_line(f"{word} {name_typed()}"))
    found = find_named(typed, names)
    if found is None:
        raise table_refusal(Refusal.NO_SUCH_PERSON)
    return found


def describe_no_change(request: requests.Request, status: Status) -> str:
    """Return the sentence for a request that would change nothing, "" for any other."""
    match request:
        case requests.GoUnsaved() if status.disk is DiskStatus.UNSAVED:
            return disk_sentence(DiskStatus.UNSAVED, is_host=True)
        case requests.SetReady(ready) if (
            status.lobby and status.lobby.is_ready(status.member) is ready
        ):
            return settings.nothing_changed()
        case _:
            return ""


def _keyword(command: table_commands.TableCommand) -> Keyword:
    when = HOST if command.is_for_host else LINK
    topic = "host" if when is HOST or command in table_commands.HOSTING else "table"
    topics = topic if command.is_listed else ""

    def follows() -> str:
        name = name_typed()
        return {
            table_commands.Argument.NOTHING: "",
            table_commands.Argument.SEAT: " 2",
            table_commands.Argument.CHOICE: " 2",
            table_commands.Argument.PERSON: f" {name}",
            table_commands.Argument.SEAT_AND_PERSON: f" 2 {name}",
        }[command.takes]

    words, do = " ".join(command.typed), partial(_do_command, command)
    return Keyword(words, when, do, topics, command.purpose, follows=follows)


KNOWN, GAME, LINK, HOST = When
BOTH: Final = "game table"

COMMANDS: Final[tuple[Keyword, ...]] = (
    Keyword("? help", KNOWN, _help, BOTH, lambda: "? game, ? table"),
    *map(_keyword, (command for command in table_commands.TABLE_COMMANDS if command.typed)),
    Keyword("h hand", GAME, _hand, "game", lambda: _("your cards; Enter: what to do now")),
    Keyword(
        "m mine",
        GAME,
        lambda table, rest: summary.mine_shown(rest, table.view),
        "game",
        lambda: _("the mine in words; m 3n1: around that cell"),
    ),
    Keyword("d draw", GAME, _draw, "game", lambda: _("the mine as a drawing; d big, d small")),
    Keyword("w who", KNOWN, _who, BOTH, lambda: _("players, tools, turn; w NAME: what they did")),
    Keyword(
        "r role",
        GAME,
        lambda table, _rest: summary.own_lines(table.view),
        "game",
        lambda: _("your role, your gold, rounds won"),
    ),
    Keyword(
        "l log", GAME, _log, "game", lambda: _("the log; l 40: 40 lines; since: your last turn")
    ),
    Keyword("since", GAME, _since),
    Keyword(
        "claims",
        GAME,
        lambda table, _rest: talk.claim_lines(table.view, table.game.talk, table.names),
        "game",
        lambda: _("who said what about goals and players"),
    ),
    Keyword(
        "p pile",
        GAME,
        lambda table, _rest: summary.pile_lines(table.view),
        "game",
        lambda: _("draw pile, discards; unseen: cards not seen"),
    ),
    Keyword("unseen", GAME, lambda table, _rest: summary.unseen_lines(table.view)),
    Keyword("b back", GAME, _back, "game", lambda: _("put the chosen card back")),
    Keyword("i hint", GAME, _hint, "game", lambda: _("suggested moves, and why")),
    Keyword("x", GAME, _discard, "game", lambda: _("x3: pass, and discard your card 3")),
    Keyword("t talk", LINK, _talk, BOTH, how_to_talk),
    Keyword("c claim", LINK, _claim, BOTH, how_to_claim),
    Keyword(
        "table",
        KNOWN,
        lambda table, _rest: overview.table_lines(table.status, table.lobby),
        "table",
        lambda: _("who sits where, and the table's settings"),
    ),
    Keyword(
        "rules",
        KNOWN,
        lambda table, rest: rules_lines(rest, table.console.size.columns),
        BOTH,
        lambda: _("the rules by page; rules notation: writing moves"),
    ),
    Keyword(
        "ways", KNOWN, _ways, "table", lambda: _("how friends join; fair: who dealt the cards")
    ),
    Keyword(WORDS, KNOWN, _ways),
    Keyword("fair", KNOWN, lambda table, _rest: fair_lines(table.status)),
    Keyword("auto", LINK, _auto, "table", seats.autopilot_purpose),
    Keyword("replay", KNOWN, _replay, "table", lambda: _("watch a finished game again")),
    Keyword("q quit", LINK, lambda table, _rest: table.quit(), BOTH, seats.leave_for_now),
    Keyword("bot", HOST, _bot, "host", lambda: _("bot NAME LEVEL: add a bot; bots 2: add two")),
    Keyword("bots", HOST, _bots),
    Keyword("empty", HOST, _empty, "host", lambda: _("empty 3: free seat 3")),
    *(
        Keyword(setting.word, HOST, partial(_set, setting.word))
        for setting in settings.table_settings()
        if setting.word
    ),
)
"""Everything that can be typed at a table, in the order of help."""

SPELT: Final = {word: command for command in COMMANDS for word in command.spellings}


# A table.


MAX_TYPED_CHARACTERS: Final = 4096  # a file's path is the longest thing anybody types

_NUMBERS: Final = re.compile(r"([0-9]{1,3})(?:[ ,.]+([0-9]{1,3}|[xX]))?", re.ASCII)
"""One number, or a card's number followed by a place's number or x for a discard."""


class PlainTable(TableVisit):
    """A visit to a table, of which each line is a command, a number, a card or a move."""

    def do_line(self, typed: str) -> None:
        """Do what a typed line says, or say why not. The line may contain anything."""
        line = sanitise(typed[:MAX_TYPED_CHARACTERS]).strip()
        try:
            self.say(*self._do(line))
        except NotDone as refused:
            self.say(*refused.lines)
            self.note_refusal(refused.word)
        except settings.WrongSetting as wrong:
            self.say(str(wrong))
            self.note_refusal(WRONG_TEXT)
        except UserError as trouble:
            self.say(str(trouble))
            self.note_refusal("impossible")

    def note_refusal(self, word: str) -> None:
        """Note that a line did nothing, for faces that show more than the sentence."""

    def note_claims(self, claims: Sequence[TableClaim], texts: Sequence[str]) -> None:
        """Note which claims are listed, for faces that show more than the sentences."""

    def _do(self, line: str) -> Lines:
        """Carry out a line: an answer, a step of a replay, a command, a move, or the empty line."""
        if self.question is not None:
            question, self.question = self.question, None
            return question(line.casefold() in seats.yes_words())
        if self.replay is not None:
            before = self.replay.step
            answer = self.replay.answer(line, self.console.size)
            if self.replay.step != before:
                self.show_step()
            if answer is None:
                self.replay = None
                return self.where()
            return answer
        command, rest = self._find(line)
        leaves = command is SPELT["quit"]
        looks = command is not None and command.when in {When.KNOWN, When.GAME}
        if self.status.game_state is None and not leaves:
            raise NotDone("not connected", state_words(self.status))
        if self.status.connection is ConnectionState.ENDED and not looks:
            if not line or leaves or self.word in table_commands.LEAVE_FOR_GOOD.typed:
                return self.leave_table()
            if command is not None:
                raise NotDone("not connected", *self.where())
            raise NotDone(UNKNOWN, not_understood(line), *self.where())
        if command is not None:
            if command.when is When.HOST and not self.status.is_host:
                raise table_refusal(Refusal.HOST_ONLY)
            if command.when is When.GAME and self.sight is None:
                raise NotDone(Refusal.NOT_NOW.value, moves.not_begun(), *self.where())
            return command.do(self, rest)
        if line:
            if self.sight is None:
                raise NotDone(UNKNOWN, _not_understood(line))
            return self._do_move(line)
        request = overview.find_next_request(self.status, self.lobby)
        if request is not None and not self.awaiting:
            return self.request(request)
        self.card = None
        return self.where()

    def _find(self, line: str) -> tuple[Keyword | None, str]:
        """Return the command that a line begins with, if any, and the rest of it.

        Case is ignored, except that the words M and R are cards. A number may follow x and c
        without a space.
        """
        word, _space, rest = line.partition(" ")
        if line[:1] == '"':
            word, rest = "talk", line.strip('" ')
        elif word[:1] in {*"xXcC"} and word[1:].isdecimal() and not rest:
            word, rest = word[0], word[1:]
        self.word = word.lower()
        is_card = word in {"M", "R"} or not line
        return None if is_card else SPELT.get(self.word), rest.strip()

    def _do_move(self, line: str) -> Lines:
        if numbers := _NUMBERS.fullmatch(line):
            return self._do_number(int(numbers[1]), numbers[2])
        card = summary.named_card(line)
        if card is None:
            try:
                return self.attempt(parse_move(line))
            except NotationError:
                raise NotDone(UNKNOWN, _not_understood(line), how_cards_are_played()) from None
        if not self.game.is_mine:
            raise self._not_mine()
        if card in self.view.hand and self.view.phase is Phase.PLAY:
            return self.choose(card)
        discard = Discard(card)
        reason = self.view.why_not(discard) or NotInHand(card)
        text = reasons.why_not(reason, discard, self.view, self.names)
        raise NotDone(reason_word(reason), text)

    def _not_mine(self) -> NotDone:
        is_seated = self.view.seat is not None
        word = Refusal.NOT_YOUR_TURN if is_seated else Refusal.NO_SEAT
        return NotDone(word.value, moves.waiting(self.view, self.names))

    def _do_number(self, first: int, then: str | None) -> Lines:
        """Carry out a number: nuggets of a gold card, a card, or a place once a card is chosen."""
        if not self.game.is_mine:
            raise self._not_mine()
        if self.view.phase is Phase.GOLD:
            return self.attempt(KeepGold(first))
        card, place, kinds = self.card, first, self.kinds
        if card is None or then is not None:
            if not 1 <= first <= len(kinds):
                raise NotDone(WRONG_TEXT, settings.number_needed(_("card"), 1, len(kinds)))
            card = kinds[first - 1].card
            if then is None:
                return self.choose(card)
            if then in "xX":
                return self.attempt(Discard(card))
            place = int(then)
        plays = self.plays(card)
        if 1 <= place <= len(plays):
            return self.attempt(plays[place - 1])
        if plays:
            raise NotDone(WRONG_TEXT, settings.number_needed(card.text, 1, len(plays)))
        return self.choose(card)
