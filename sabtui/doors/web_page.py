"""The files and sentences of the browser door's page, and which requests are answered.

Everything comes from this folder: the headers forbid a page to ask any other address for anything.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from contextvars import copy_context
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from engine.cards import CARDS, Tool
from net.secure.code import words
from sabtui.app import RULES_TOPICS
from sabtui.art.colours import list_shades
from sabtui.art.store import read_index, read_packed
from sabtui.table.deeds import BOT
from sabtui.text import i18n
from sabtui.text.cards import action_words, cards_counted, tool_words
from sabtui.text.doors import browser_door_full, log_in_again, wrong_code
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.seats import autopilot_purpose, leave_for_now

SOCKET_PATH: Final = "/table"  # path of the page's websocket; everything else is a file

WORDS_PATH: Final = "/words.js"
"""Path of the page's sentences, in the language that the browser asks for."""

FILES: Final = {
    "/": "index.html",
    "/stage": "index.html",
    **{
        f"/{name}": name
        for name in (
            *("page.css", "icon.svg", "vendor/noble.js"),
            *("page.js", "exchange.js", "code.js", "connection.js", "camera.js", "draw.js"),
            *("elements.js", "pictures.js", "sheets.js", "state.js"),
        )
    },
}
"""Files by their paths: no path is ever looked up on the disk."""

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "js": "text/javascript; charset=utf-8",
}

PICTURES_PATH: Final = "/pictures.json"  # path of the names, sizes and colours of all pictures

PICTURES_FOLDER: Final = "/pictures/"
"""Path of the pictures; behind it stands a size, such as 144x128, of which all are in one file."""

MOST_CARDS: Final = 9  # most cards in a hand for which the page has words; no edition deals so many

_COOKIE: Final = re.compile(r"\blanguage=(\w{2,5})\b", re.ASCII)
"""Cookie with the language that was chosen on the page."""

_HOST: Final = re.compile(r"[\w.:\[\]-]{1,260}", re.ASCII)

HEADERS: Final = {
    # The page paints its pictures; to older browsers a websocket of the same host is not "self".
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' blob:; connect-src 'self' ws://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Connection": "close",
}


def asks_words(request: Request) -> bool:
    """Return True for a request of the page's sentences: they tell if a room code is needed."""
    return request.path.partition("?")[0] == WORDS_PATH


def respond(request: Request, *, asks_code: bool = True) -> Response | None:
    """Return the answer to a request, or `None` for the page's own websocket.

    `asks_code` is True at a table with a room code.

    A page of another origin is refused, and so is a name that is not this computer's: otherwise any
    page on the internet could give itself a name with our address, and talk to us in it.
    """
    host = _read_header(request.headers, "Host")
    if not is_ours(host):
        return _refuse(HTTPStatus.MISDIRECTED_REQUEST, "localhost")
    path = request.path.partition("?")[0]
    if path == SOCKET_PATH:
        is_same = _read_header(request.headers, "Origin") == f"http://{host}"
        return None if is_same else _refuse(HTTPStatus.FORBIDDEN, host)
    if asks_words(request):
        language = _choose_language(request.headers)
        body = copy_context().run(_make_words_script, language, asks_code=asks_code)
        return _answer(HTTPStatus.OK, _TYPES["js"], body, host)
    if path == PICTURES_PATH:
        return _answer(HTTPStatus.OK, "application/json", _describe_pictures(), host)
    size = path.removeprefix(PICTURES_FOLDER)
    if size in read_index().sprites:
        response = _answer(HTTPStatus.OK, "application/octet-stream", read_packed(size), host)
        response.headers["Content-Encoding"] = "deflate"
        return response
    if path not in FILES:
        return _refuse(HTTPStatus.NOT_FOUND, host)
    name = FILES[path]
    return _answer(HTTPStatus.OK, _TYPES[name.rpartition(".")[2]], _read_file(name), host)


def is_ours(host: str) -> bool:
    """Return True if a Host header is an address, or this computer's own name.

    No name that begins with it is ours: an attacker can let `NAME.evil.example` lead here.
    """
    if not _HOST.fullmatch(host):
        return False
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    name = name.strip("[]").casefold()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().casefold()
        short = own.partition(".")[0]
        return name in {"localhost", own, short, f"{short}.local"}
    return True


def read_accepted_language(accepted: str) -> str:
    """Return our first language that an Accept-Language header names, English if it names none."""
    for wish in accepted.split(",")[:16]:
        language, _hyphen, country = wish.partition(";")[0].strip().casefold().partition("-")
        found = i18n.language_of({"LANG": f"{language}_{country.upper()}" if country else language})
        if found != "en" or language == "en":
            return found
    return "en"


def _choose_language(headers: Headers) -> str:
    """Return the language that was chosen on the page, else what the browser asks for."""
    chosen = _COOKIE.search(_read_header(headers, "Cookie"))
    if chosen and chosen[1] in i18n.languages():
        return chosen[1]
    return read_accepted_language(_read_header(headers, "Accept-Language"))


def _make_words_script(language: str, *, asks_code: bool) -> bytes:
    """Return the script with the page's sentences; this sets the language of its context."""
    i18n.set_language(i18n.load_locale(language))
    told: dict[str, object] = {"language": language, "asksCode": asks_code, "codeWords": words()}
    told |= collect_page_words()
    return f"export default {json.dumps(told, ensure_ascii=False)};\n".encode()


@cache
def _describe_pictures() -> bytes:
    """Return the pictures' names in each size, and the colours of their pixels, as JSON."""
    colours = [shade.colour for shade in list_shades()[: len(read_index().palette)]]
    told = {"sizes": read_index().sprites, "colours": colours}
    return json.dumps(told).encode()


def _read_header(headers: Headers, name: str) -> str:
    """Return the value of a header, "" if it is not there, or more than once."""
    found = headers.get_all(name)
    return found[0] if len(found) == 1 else ""


@cache
def _read_file(name: str) -> bytes:
    """Return a file of the page, by its name in `FILES`."""
    return files("sabtui.doors").joinpath("page", *name.split("/")).read_bytes()


def _refuse(status: HTTPStatus, host: str) -> Response:
    """Return an answer without a file, which only says why."""
    return _answer(status, "text/plain; charset=utf-8", f"{status.phrase}\n".encode(), host)


def _answer(status: HTTPStatus, kind: str, body: bytes, host: str) -> Response:
    """Return an answer of this content type to a page from `host`, with `HEADERS`."""
    headers = Headers({name: value.format(host=host) for name, value in HEADERS.items()})
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body)


def collect_page_words() -> dict[str, object]:
    """Return all sentences and labels of the page, by their names in its scripts."""
    lay = capitalise(_("lay"))
    return {
        "name": _("Your name"),
        # Translators: the name of a projector's screen that watches a table, such as: Projector.
        "stage": _("Projector"),
        "watching": capitalise(_("watching")),
        "watch": capitalise(_("watch")),
        "code": _("Room code: the two words your host gives you"),
        "enter": _("Sit down"),
        "joining": _("One moment..."),
        "opening": _("Opening the mine..."),
        "lost": _("The connection is lost: trying again..."),
        "ended": _("You have left the table. Your seat is kept: tap to come back."),
        "elsewhere": _("You play in another window now. Tap to play here."),
        "language_label": _("Language"),
        "languages": i18n.languages(),
        "your_turn": _("YOUR TURN"),
        "your_gold": _("YOUR GOLD"),
        "you": capitalise(pgettext("a player", "you")),
        "free": pgettext("seat", "free"),
        "bot": pgettext("label", "bot"),
        "ready": pgettext("label", "ready"),
        "cards": [cards_counted(count) for count in range(MOST_CARDS + 1)],
        "tools": {tool.value: tool_words(tool) for tool in Tool},
        "turn": capitalise(pgettext("label", "turn")),
        "deeds": {
            "through": lay,
            "dead_end": lay,
            **{
                card.kind.name.lower(): capitalise(action_words(card).deed)
                for card in CARDS
                if not card.ways
            },
        },
        "discard": capitalise(_("discard")),
        "gold": capitalise(_("gold")),
        "choose_card": _("Choose a card."),
        "choose_place": _("Choose a green place."),
        "only_discard": _("It can only be discarded now."),
        "add_bot": capitalise(BOT.purpose()),
        "new_table": capitalise(_("new table")),
        "talk": _("Talk"),
        "say": _("say something to everybody"),
        "send": capitalise(_("send")),
        "claims": capitalise(_("claims")),
        "hint": capitalise(pgettext("label", "hint")),
        "rules": _("Rules"),
        "rules_pages": len(RULES_TOPICS),
        "auto": capitalise(autopilot_purpose()),
        "leave": capitalise(leave_for_now()),
        "result": _("Result"),
        "back": capitalise(_("back")),
        "next": capitalise(pgettext("replay", "next")),
        "yes": _("Yes"),
        "no": _("No"),
        "refused_code": wrong_code(),
        "refused_seat": log_in_again(),
        "refused_wait": _("Too many wrong codes: wait {seconds} seconds, then try again."),
        "refused_full": browser_door_full(),
        "refused_version": _("This page is out of date: load it again."),
        "refused_table": _("The table does not answer: tell your host."),
        "refused_name": _("Type a name with at least one letter."),
    }
