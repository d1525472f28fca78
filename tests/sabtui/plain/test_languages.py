"""All that is said in lines, in every language: whole, as wide as the terminal, and translated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from engine.notation import parse_move
from net.client.session import ConnectionState, Status, Update
from net.client.trail import GameState
from net.protocol.chat import ChatLine
from net.protocol.lobby import Presence, TableClaim, TablePhase, Topic
from net.protocol.messages import Refusal
from sabtui.app.terminal import Colours, why_no_screen
from sabtui.cli.doctor import (
    Firewall,
    encoding_findings,
    firewall_findings,
    network_findings,
    terminal_findings,
)
from sabtui.text.cards import mine_words
from sabtui.text.connection import why_ended
from sabtui.text.events import event_sentence, result, unveil_lines
from sabtui.text.i18n import Locale, load_locale
from sabtui.text.layout import TerminalSize, width, wrap_lines
from sabtui.text.lobby import lobby_sentence, player_names
from sabtui.text.reasons import refusal_sentence, why_not
from tests.sabtui.cases import CAST, DIG, view_of
from tests.sabtui.cli.test_doctor import GOOD, HOME
from tests.sabtui.plain_sessions import Place, at, now_at, type_lines
from tests.sabtui.tables import ANA, BRUNO, EVA, FREE, lobby, sits
from tests.sabtui.text.made_up_languages import Pseudo, latin
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.text.test_connection import ENDINGS
from tests.sabtui.text.test_events import END
from tests.sabtui.text.test_events import SENTENCES as EVENTS
from tests.sabtui.text.test_lobby import HERE, PLAYING, TOLD
from tests.sabtui.text.test_moves import SENTENCES as REASONS
from tests.sabtui.tui import scenes
from tests.sabtui.tui.tour import speak
from tests.samples import english_first

HELP = ("?", "? game", "? table", "? host")
RULES = ("rules", *(f"rules {number}" for number in range(1, 9)))
"""All pages but the last, which has words of other languages."""

AT_A_TABLE = (
    *(*HELP, "who", "table", *RULES),
    *("c", "c1", "c99", "t", "t hello", "auto", "", "bogus"),
)
RULED = (
    *("sit 9", "sit", "bot", "bots 9", "empty 9", "remove Nobody", "remove", "give 3"),
    *("edition mars", "edition italia+adjacent", "rounds 9", "seats 99", "youngest 99"),
    *("absent x", "turn x", "hints x", "next", "again", "unsaved", "pause", "go", "ready"),
    *("stand", "start"),
)
IN_A_GAME = (
    *("h", "m", "m 3n1", "m 8", "m x", "w", "r", "l", "p", "i", "b", "x", "x9", "ready"),
    *("1", "2", "3", "4", "5", "6", "7", "9", "NES", "ESW", "NES@1", "NES@3n1", "-L>9", "hello"),
)
DRAWN = ("d", "d big", "d small")
MINE = view_of(f"{scenes.MINE} 1 -,P,PLC,-,- NE/NES/ew/-L/+PC/R,5,6,6,4 18 m????+?")
NAMES = ("Ana", "Ω" * 24, "金" * 12, "Dede")
"""Some are as wide as names can be."""


def course(size: TerminalSize, *, drawings: bool = True) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is said, with what was typed; at this size of the terminal."""
    for name, plain_session in places(size):
        yield f"{name} where", tuple(wrap_lines(plain_session.where(), size.columns))
        yield f"{name} prompt", (plain_session.prompt(),)
        asked = (*AT_A_TABLE, *RULED, *(IN_A_GAME if plain_session.status.view else ()))
        for line in (*asked, *(DRAWN if drawings and plain_session.status.view else ())):
            yield f"{name} {line}", type_lines(plain_session, line).lines
        for question in ("quit", "leave", "close"):
            answer = type_lines(plain_session, question)
            yield f"{name} {question}", (*answer.lines, answer.place.prompt())
            yield f"{name} {question} no", type_lines(answer.place, "x").lines
    for name, line in _sentences():
        yield name, tuple(wrap_lines([line], size.columns))


def places(size: TerminalSize) -> Iterator[tuple[str, Place]]:
    """Places at tables of all kinds."""
    talk = (ChatLine("Bruno", 1, "hello"), ChatLine("Eva", -1, "", TableClaim(Topic.HELP_ME, 1)))
    full = lobby(*lobby().chairs[:4])
    tables = {
        "lobby": lobby(),
        "unready": lobby(sits(ANA), sits(BRUNO, ready=False), FREE, FREE),
        "full": full,
        "shaky": lobby(presence=Presence.SHAKY),
        "gone": lobby(presence=Presence.GONE),
    }
    for name, table in tables.items():
        for member in (ANA, BRUNO, EVA):
            status = now_at(table, member=member)
            assert status.game_state is not None
            held = replace(status.game_state, talk=talk)
            yield f"{name} {member}", at(replace(status, game_state=held), size)
    playing = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)
    five = scenes.lobby(NAMES)
    views = {
        "dig": (DIG, playing),
        "mine": (MINE, five),
        "broken": (view_of("EW@1 ?/?/? 1 PC,-,- NS/NE,3,2 9 m??+?"), playing),
        "waiting": (view_of("EW@1 ?/?/? 2 -,-,- EW/M,3,2 9 m??+?"), playing),
        "gold": (scenes.choosing(), five),
        "between": (scenes.between(), five),
        "over": (scenes.over(), five),
    }
    for name, (view, table) in views.items():
        held = GameState(1, 5, table, view, talk, record="...")
        yield name, at(Status(ConnectionState.CONNECTED, ANA, held), size)
    watched = view_of("EW@1 ?/?/? 2 -,-,- 1,3,2 9 ???+?", None)
    yield "watched", at(now_at(playing, watched, EVA), size)
    for standing in (ConnectionState.SHAKY, ConnectionState.LOST, ConnectionState.ENDED):
        plain_session = at(now_at(playing, DIG), size)
        status = replace(plain_session.status, connection=standing)
        yield standing.name, replace(plain_session.after(Update(status)).place, size=size)


def _sentences() -> Iterator[tuple[str, str]]:
    """What happens, and why not."""
    for event, _sentence in EVENTS:
        yield f"{event}", event_sentence(event, CAST)
    for line in (
        *unveil_lines(END, CAST),
        *result(scenes.over().score, player_names(scenes.lobby(NAMES), ANA)),
    ):
        yield "the end", line
    for lobby_event, _line in TOLD:
        for me in (ANA, BRUNO, EVA):
            yield f"{lobby_event}", lobby_sentence(lobby_event, HERE, me) or ""
            yield f"{lobby_event}", lobby_sentence(lobby_event, PLAYING, me) or ""
    for view, text, _sentence in REASONS:
        move = parse_move(text)
        reason = view.why_not(move)
        assert reason is not None
        yield text, why_not(reason, move, view, CAST)
    for why in ENDINGS:
        yield f"{why}", why_ended(why)
    for refusal in Refusal:
        yield f"{refusal}", refusal_sentence(refusal)
    for line in mine_words(MINE):
        yield "mine", line


SMALLEST: Final = TerminalSize(60, 18)
USUAL: Final = TerminalSize(80, 24)
ENDLESS: Final = 10_000
"""Columns in which nothing is broken into lines."""

TYPED: Final = (
    "help hand mine draw role log pile more back hint who talk claim table ready unready sit stand "
    "auto since claims unseen ways fair replay quit leave start bot bots empty remove give "
    "edition rounds seats youngest absent wait turn hints yes no gold anew new off digger "
    "pause go next again unsaved close code lock unlock sabtui join host games resume bogus "
    "hello international argentina italia france mars edition linked clockwise counter adjacent "
    "played out ends round each miner one all players path card "
    "rules aim turn tunnels laying tools actions gold editions notation places tips "
    "Ana Bruno Chiara Dede Eva Fay Zoe Borin Dagna Norri Gold Rush"
    " deck goals nudge game settings level laugh applaud gasp hurry"
)
"""Words that are names, or typed in any language."""

SHELL: Final = (
    "sabtui games join ADDRESS sudo ufw allow tcp udp firewall cmd add port nft rule inet "
    "filter input dport accept linux xterm color ascii ANSI Linux macOS Windows wlan firewalld "
    "nftables dumb Sabtui Python"
)
"""Words of systems, or typed into a shell."""


@pytest.mark.parametrize("language", english_first(FINISHED))
def test_no_line_is_wider_than_the_smallest_terminal_and_nothing_is_lost(language: str) -> None:
    with speak(load_locale(language)):
        narrow = [*course(SMALLEST)]
        whole = [*course(TerminalSize(ENDLESS, SMALLEST.rows), drawings=False)]
    assert not [said for said in narrow for line in said[1] if width(line) > SMALLEST.columns]
    undrawn = {name for name, _lines in whole}
    broken = [(name, lines) for name, lines in narrow if name in undrawn]
    assert [name for name, _lines in broken] == [name for name, _lines in whole]
    for (name, lines), (_name, unbroken) in zip(broken, whole, strict=True):
        words, all_words = " ".join(lines).split(), " ".join(unbroken).split()
        if "rules" in name.split():  # captions in two lines, side by side, share their lines
            assert sorted(words) == sorted(all_words)
        elif not name.endswith(" l"):  # the log has as many lines as there are rows
            assert words == all_words
        assert not [line for line in lines if line.strip()[:1] in (":", ";", "!", "»")]


def test_all_that_is_said_goes_through_gettext() -> None:
    with speak(Locale("xx", Pseudo())):
        english = {
            word: name
            for name, lines in course(USUAL)
            for line in lines
            for word in latin(line)
            if word not in TYPED.split()
        }
    assert english == {}


@pytest.mark.parametrize("is_terminal", [True, False])
def test_so_does_what_the_doctor_says(
    monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool
) -> None:
    monkeypatch.setattr("sabtui.app.terminal.is_terminal", lambda _stream: is_terminal)
    with speak(Locale("xx", Pseudo())):
        english = {
            word for line in diagnoses() for word in latin(line) if word not in SHELL.split()
        }
    assert english == set()


def diagnoses() -> Iterator[str]:
    """All that the doctor can find."""
    terminals = (
        replace(GOOD, size=(50, 24)),
        replace(GOOD, no_screen=why_no_screen({"TERM": "dumb"})),
        *(replace(GOOD, colours=colours) for colours in Colours),
        GOOD,
    )
    deaf = replace(HOME, multicast=False)
    findings = [
        *(finding for terminal in terminals for finding in terminal_findings(terminal)),
        *(finding for network in ([HOME], [], [deaf]) for finding in network_findings(network)),
        *encoding_findings("ANSI_X3.4-1968", "ascii"),
        *(finding for wall in Firewall for finding in firewall_findings(wall)),
    ]
    return (finding.line for finding in findings)
