"""Turns command-line options into the requests of `sabtui.app.requests`; runs them in lines.

The requests serve both interfaces. A missing room code is asked for in a line, even before the
screens begin. At the table, `sabtui.plain.table` takes over.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from msgspec import structs

from engine.bots.installed import installed_bots
from net.client.credentials import Credentials
from net.client.dialer import DialFailed, asks_for_code
from net.discovery.games import DiscoveredGame
from net.discovery.networks import own_addresses
from net.protocol.cleaning import clean_name
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import MIN_SEATS, Settings
from net.secure.address import Address
from net.secure.code import BadCode, RoomCode
from net.secure.handshake import Rejection
from net.server.tables import ServerOptions
from sabtui.app import Speed, launcher, requests, table_process, tables
from sabtui.app.errors import UsageError, UserError, complain, log_file
from sabtui.app.joining import NoTableFound, SeveralTables
from sabtui.app.lesson import learn
from sabtui.app.preferences import PreferencesStore, player_name, usual_path
from sabtui.cli.args import Arguments
from sabtui.plain.console import QUIT_WORDS, Console
from sabtui.plain.json_table import JsonConsole, face_for
from sabtui.text import connection, lobby, network
from sabtui.text.door_words import door_news, host_of, qr_rows
from sabtui.text.i18n import _, current_language, join_words, ngettext
from sabtui.text.network import web_address
from sabtui.text.seats import yes_or_no, yes_words
from sabtui.text.settings import edition_name, table_settings


def practice_request(asked: Arguments) -> requests.PracticeRequest:
    return requests.PracticeRequest(
        _name(asked),
        asked.bots,
        asked.level,
        asked.edition,
        asked.rounds,
        asked.seed,
        None if asked.speed is None else Speed(asked.speed),
    )


def host_request(asked: Arguments) -> requests.HostRequest | requests.ReopenRequest:
    """Make the request to open a table, or to resume one.

    Raises `UsageError`: the players do not fit its seats; `UserError`: there is none to resume.
    """
    doors = read_doors(asked)
    if asked.resume is not None:
        return structs.replace(
            tables.find_table_to_reopen(asked.resume),
            doors=doors,
            port=asked.port or 0,
            speed=read_speed(asked),
        )
    people = asked.start_with or 1
    seats = asked.seats or max(Settings().seats, asked.bots + people)
    players = asked.bots + people
    most = asked.seats or MAX_SEATS
    if players > most or (asked.start_with and players < MIN_SEATS):
        text = _("A game takes {least} to {most} players, bots included, not {count}.")
        raise UsageError(text.format(least=MIN_SEATS, most=most, count=players))
    name = _name(asked)
    settings = Settings(edition=asked.edition.text, seats=seats, stand_in=asked.level)
    for setting in table_settings():
        value = vars(asked)[setting.field] if setting.purpose else None
        if value is not None:
            settings = setting.read(str(value), settings)
    return requests.HostRequest(
        name=name,
        title=clean_name(asked.title) or _("{name}'s table").format(name=name),
        settings=settings,
        bots=asked.bots,
        level=asked.level,
        code="" if asked.code is None else str(asked.code),
        port=asked.port or 0,
        doors=doors,
        speed=read_speed(asked),
    )


def read_speed(asked: Arguments) -> Speed:
    return Speed(asked.speed or Speed.NORMAL)


def join_request(asked: Arguments) -> requests.JoinRequest:
    return requests.JoinRequest(
        _name(asked), asked.where, asked.code, asked.watch, claims_name=bool(asked.name)
    )


def _name(asked: Arguments) -> str:
    """Return the player's name: from `--name`, else from the preferences."""
    return clean_name(asked.name) or player_name(PreferencesStore(usual_path()).read()[0])


def handle_for(asked: Arguments) -> requests.TableHandle:
    """Return the handle of the requested table, for the screens; ask for a code if need be.

    Raises `SeveralTables`, or `UserError`: it cannot be opened, found or joined.
    """
    match asked.command:
        case "host":
            return _open(host_request(asked), Console())
        case "join":
            return tables.table_handle(_credentials(join_request(asked), Console()))
        case "learn":
            return learn(_name(asked))
        case _:
            return tables.TableService().practise(practice_request(asked))


def play_in_lines(asked: Arguments, *, shows_reactions: bool) -> int:
    """Host, join or practise in plain-text mode; return the exit code."""
    is_service = asked.command == "join" and asked.watch
    console = JsonConsole(outlives_input=is_service) if asked.json else Console()
    console.shows_reactions = shows_reactions
    console.say(bot_log_lines(asked))
    match asked.command:
        case "host":
            handle = _open(host_request(asked), console)
            return _visit(handle, console, is_on_autopilot=asked.autopilot)
        case "join":
            return join_in_lines(join_request(asked), console, is_on_autopilot=asked.autopilot)
        case "learn":
            return take_lesson(_name(asked), console)
        case _:
            request = practice_request(asked)
            return practise_in_lines(request, console, is_on_autopilot=asked.autopilot)


def own_command(*words: str) -> str:
    """Return the command for this program as its user types it, which may not be `sabtui`."""
    file = sys.argv[0]
    own = [Path(sys.executable).name, file] if file.endswith(".pyz") else ["sabtui"]
    return shlex.join([*own, *words])


def how_to_stop(command: str) -> str:
    """Explain how to end a program in this terminal, and which command reopens it."""
    return _("Ctrl+C stops it; {command} brings it back.").format(command=command)


def run_headless(asked: Arguments) -> int:
    """Run a table in this terminal, without a player, until it ends; return the exit code."""
    request = host_request(asked)
    launcher.check_doors(request.doors)
    if isinstance(request, requests.ReopenRequest):
        at = asyncio.run(tables.find_elsewhere(Path(request.journal)))
        if at is not None:
            raise UserError(lobby.goes_on_elsewhere(at))
    log_little()

    def say(opened: launcher.TableOpened) -> None:
        lines = requests.invitation_lines(tables.invitation_of(opened))
        if people := opened.starts_with:
            text = ngettext(
                "The game starts automatically once {count} person is ready.",
                "The game starts automatically once {count} people are ready.",
                people,
            )
            lines.append(text.format(count=people))
        title, speed = opened.title, read_speed(asked)
        named = [f"--resume={title}"] if title.startswith("-") else ["--resume", title]
        paced = [] if speed is Speed.NORMAL else ["--speed", speed]
        lines.append(how_to_stop(own_command("host", *named, "--headless", *paced)))
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    options = launcher.LaunchOptions(request, 0, current_language(), asked.start_with or 0)

    def say_moved(at: Address) -> None:
        print(lobby.goes_on_elsewhere(at), flush=True)  # noqa: T201 - as above

    calls = ServerOptions(on_door=print_door_news, on_code=print_code, on_moved=say_moved)
    asyncio.run(table_process.serve(options, say, calls))
    return 0


def print_door_news(door: DoorNow, code: RoomCode | None) -> None:
    """Print how guests join at a door, or why they cannot; for a person, also the code to scan."""
    addresses = [str(address) for address in requests.typable_addresses(tuple(own_addresses()), 0)]
    lines = door_news(door, addresses)
    if door.kind is DoorKind.WEB and door.port and addresses and sys.stdout.isatty():
        link = web_address(door.port, host_of(addresses[0]), "" if code is None else str(code))
        # Black on white: many phones read nothing else.
        lines += [f"\x1b[30;107m{row}\x1b[0m" for row in qr_rows(link)]
    print(*lines, sep="\n", flush=True)  # noqa: T201 - as above


def print_code(code: RoomCode | None) -> None:
    """Print the lines with the room code again, after it has changed or the table was opened."""
    lines = requests.code_lines("" if code is None else str(code))
    print(*lines, sep="\n", flush=True)  # noqa: T201 - as above


def log_little() -> None:
    """Log only warnings, on standard error."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    # Nothing from zeroconf: the table itself tells the host if mDNS fails.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)


def read_doors(asked: Arguments) -> tuple[DoorKind, ...]:
    return (DoorKind.SSH,) * asked.ssh + (DoorKind.WEB,) * asked.web


def _visit(
    handle: requests.TableHandle, console: Console, *greeting: str, is_on_autopilot: bool
) -> int:
    """Play at a table in lines, after lines that tell others how to join; return the exit code."""
    from sabtui.club.lines import visit_in_lines  # noqa: PLC0415 - a feature

    invited = [] if handle.invitation is None else requests.invitation_lines(handle.invitation)
    return visit_in_lines(handle, console, [*greeting, *invited], is_on_autopilot=is_on_autopilot)


def bot_log_lines(asked: Arguments) -> list[str]:
    """Return the line that says where the log of another author's bot is, none for our bots."""
    if asked.command not in {"host", "practise"} or asked.level not in installed_bots():
        return []
    log = log_file() if asked.command == "practise" else launcher.state_folder() / launcher.LOG_NAME
    return [
        _("If the bot {name} fails, the reason is in {file}.").format(name=asked.level, file=log)
    ]


def _open(
    request: requests.HostRequest | requests.ReopenRequest, console: Console
) -> requests.TableHandle:
    """Open or resume a table; if it has moved elsewhere, ask in a line whether to join it there.

    Raises `UserError`: it cannot be opened, or input ended before the answer.
    """
    try:
        return asyncio.run(tables.open_table(request))
    except requests.GoesOnElsewhere as elsewhere:
        console.say([elsewhere.question])
        typed = console.ask(yes_or_no())
        if typed is None or (said := typed.strip().casefold()) in QUIT_WORDS:
            raise
        if said in ("", *yes_words()):
            return elsewhere.there
        open_here = elsewhere.open_here
    return asyncio.run(open_here())


def join_in_lines(request: requests.JoinRequest, console: Console, *, is_on_autopilot: bool) -> int:
    """Join a table, or come back to it; return the exit code.

    If no table is named and there is none yet, wait for one.
    """
    credentials = None
    has_said_so = False
    while credentials is None:
        try:
            credentials = _credentials(request, console)
        except SeveralTables as several:
            if not console.is_eager:
                raise
            credentials = _credentials(
                replace(request, at=_ask_which_table(several, console)), console
            )
        except NoTableFound as nothing:
            if request.at or not console.is_eager:
                raise
            if not has_said_so:
                console.say([str(nothing), _("Waiting for a table; Ctrl+C ends this.")])
            has_said_so = True
    handle = tables.table_handle(credentials)
    return _visit(handle, console, _("Joining..."), is_on_autopilot=is_on_autopilot)


def practise_in_lines(
    request: requests.PracticeRequest, console: Console, *, is_on_autopilot: bool = False
) -> int:
    """Play against bots until the player leaves or the input ends; return the exit code."""
    text = _("A practice game with {bots}, edition {edition}. Type ? for help.").format(
        edition=edition_name(request.edition.text), bots=join_words(request.opponents)
    )
    handle = requests.practise(request, usual=Speed.INSTANT, polite=not console.is_eager)
    table = face_for(console)(console, is_on_autopilot=is_on_autopilot, is_silent=True)
    return table.visit(handle.make, [text])


def take_lesson(name: str, console: Console) -> int:
    """Take the lesson until the player leaves or the input ends; return the exit code."""
    text = _("The lesson: two short rounds. Type ? for help.")
    return face_for(console)(console, is_silent=True).visit(learn(name, pace_s=0.0).make, [text])


def _ask_which_table(several: SeveralTables, console: Console) -> DiscoveredGame:
    """Ask for the number of the table to join until it is valid; raise `several` if input ends."""
    row = _("{title}: {facts}")
    for number, game in enumerate(several.games, 1):
        facts = ", ".join(filter(None, (network.players_words(game), network.status_words(game))))
        console.say([row.format(title=f"{number} {game.title}", facts=facts)])
    while True:
        typed = console.ask(" ".join([_("Join"), f"1-{len(several.games)}"]))
        if typed is None:
            raise several
        if typed.strip() in map(str, range(1, len(several.games) + 1)):
            return several.games[int(typed) - 1]


def _credentials(request: requests.JoinRequest, console: Console) -> Credentials:
    """Return the credentials to join with; ask for a room code that is needed.

    Raises `SeveralTables`, or `UserError`: none can be joined, or input ended before the code.
    """
    found = None
    try:
        found = asyncio.run(tables.credentials_to_join(request))
    finally:
        if found is None or found.pin is None:
            _print_lost_seats()
    if found.pin is None and found.code is None:
        return replace(found, code=ask_code(found, console))
    return found


@cache
def _print_lost_seats() -> None:
    """Warn once about kept seats that cannot be read: nothing else would remind the player."""
    for lost in tables.lost_seats():
        complain(f"sabtui: {lost}")


def ask_code(credentials: Credentials, console: Console) -> RoomCode | None:
    """Ask for the room code until it is valid, `None` if none is needed; raises `UserError`."""
    try:
        if not asyncio.run(asks_for_code(credentials)):
            return None
    except DialFailed as error:
        raise UserError(connection.why_ended(error.reason)) from error
    while True:
        typed = console.ask(network.code_asked(credentials.title))
        if typed is None or typed.strip().casefold() in QUIT_WORDS:
            raise UserError(connection.why_ended(Rejection.CODE_NEEDED))
        try:
            return RoomCode.parse(typed)
        except BadCode as bad:
            console.say([f"{network.bad_code(bad)}."])
