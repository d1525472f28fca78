"""The files and sentences of the browser door's page, and which requests are answered.

Everything comes from this folder: the headers forbid a page to load anything from elsewhere.
"""

from __future__ import annotations

import gzip
import ipaddress
import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from importlib.resources import files
from string import Template
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from engine.cards import CARDS, Role, Tool
from engine.edition import EDITIONS
from net.discovery.networks import LOOPBACK_HOSTS, own_addresses
from net.protocol.messages import Refusal
from net.protocol.requests import Reaction
from net.secure.code import words
from sabtui.app import DEFAULT_BOT_LEVEL, RULES_TOPICS
from sabtui.app.requests import typable_addresses
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import list_shades
from sabtui.art.pixels import encode_png
from sabtui.art.store import read_index, read_sprite
from sabtui.table.commands import BOT
from sabtui.text import i18n
from sabtui.text.cards import action_words, broken_card, cell_words, role_words, tool_words
from sabtui.text.connection import lost_host, you_left
from sabtui.text.door_words import door_full, log_in_again, wrong_code
from sabtui.text.events import you_win
from sabtui.text.i18n import _, capitalise, lazy, pgettext, put_title
from sabtui.text.lobby import your_dwarf
from sabtui.text.moves import choose_gold, your_gold, your_turn
from sabtui.text.reasons import refusal_sentence
from sabtui.text.seats import autopilot_purpose, leave_for_now, own_seat_waits
from sabtui.text.settings import book_name, level_choices, table_settings
from sabtui.text.talk import reaction_word

SOCKET_PATH: Final = "/table"  # path of the page's websocket; everything else is a file

WORDS_PATH: Final = "/words.js"
"""Path of the page's sentences, in the language that the browser asks for."""

STAGE_PATH: Final = "/stage"  # path of the page for a projector, which asks for no name

FILES: Final = {
    "/": "index.html",
    STAGE_PATH: "index.html",
    **{
        f"/{name}": name
        for name in (
            *("page.css", "icon.svg", "awake.mp4", "old.js", "page.js", "code.js", "exchange.js"),
            *("connection.js", "state.js", "camera.js", "pictures.js", "parts.js"),
            *("table.js", "sheets.js", "stage.js", "pocket.js"),
            *("vendor/noble.js", "vendor/preact.js", "vendor/qr.js"),
        )
    },
}
"""Files by their paths: no path is ever looked up on the disk."""

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "mp4": "video/mp4",
    "js": "text/javascript; charset=utf-8",
}

PICTURES_PATH: Final = "/pictures.json"  # path of the names and lengths of all pictures

PICTURES_FOLDER: Final = "/pictures/"
"""Path of the pictures; a size follows it, such as 144x128. All of one size are in one file."""

_COOKIE: Final = re.compile(r"\blanguage=(\w{2,5})\b", re.ASCII)
"""Cookie with the language that was chosen on the page."""

_COMMENT: Final = re.compile(rb"^[ \t]*//.*\n|/\*.*\*/\n", re.MULTILINE)
_INDENT: Final = re.compile(rb"^[ \t]+", re.MULTILINE)

_HOST: Final = re.compile(r"[\w.:\[\]-]{1,260}", re.ASCII)

HEADERS: Final = {
    # Pictures are blobs; to older browsers a websocket of the same host is not "self".
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' blob:; media-src 'self'; connect-src 'self' ws://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Connection": "close",
}


def asks_words(request: Request) -> bool:
    """Return True for a request of the page's sentences: they depend on the room code."""
    return request.path.partition("?")[0] == WORDS_PATH


def respond(request: Request, *, asks_code: bool = True) -> Response | None:
    """Return the answer to a request, or `None` for the page's own websocket.

    `asks_code` is True at a table with a room code.

    A page of another origin is refused, and so is a host name that is not this computer's:
    otherwise any page on the internet could point a name of its own at our address, and talk to us
    under it.
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
        run = copy_context().run
        body = run(_make_words_script, language, _find_origin(host), asks_code=asks_code)
        return _shorten(_answer(HTTPStatus.OK, _TYPES["js"], body, host), request)
    if path == PICTURES_PATH:
        pictures = _describe_pictures()
        return _shorten(_answer(HTTPStatus.OK, "application/json", pictures, host), request)
    size = path.removeprefix(PICTURES_FOLDER)
    if size in read_index().sprites:
        data = b"".join(_encode_pictures(size).values())
        return _shorten(_answer(HTTPStatus.OK, "application/octet-stream", data, host), request)
    if path not in FILES:
        return _refuse(HTTPStatus.NOT_FOUND, host)
    name = FILES[path]
    kind, body = _TYPES[name.rpartition(".")[2]], _read_file(name)
    if kind == _TYPES["html"]:
        language = _choose_language(request.headers)
        is_stage = path == STAGE_PATH
        run = copy_context().run
        body = run(_fill_in, body.decode(), language, is_stage=is_stage).encode()
    return _shorten(_answer(HTTPStatus.OK, kind, body, host), request)


def is_ours(host: str) -> bool:
    """Return True if a Host header is an address, or this computer's own name.

    Longer names that begin with it are not ours: an attacker can make `NAME.evil.example` lead
    here.
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
    chosen = _COOKIE.search(_read_header(headers, "Cookie"))
    if chosen and chosen[1] in i18n.languages():
        return chosen[1]
    return read_accepted_language(_read_header(headers, "Accept-Language"))


def _find_origin(host: str) -> str:
    """Return the address of this door for others, "" for a page that another computer loads.

    A projector's page, which this computer loads, shows it to the room.
    """
    address, _colon, port = host.rpartition(":")
    if not port.isdecimal() or address.strip("[]") not in {"localhost", *LOOPBACK_HOSTS}:
        return ""
    with suppress(OSError):  # the system cannot list our addresses now
        for there in typable_addresses(tuple(own_addresses()), int(port)):
            return f"http://{there}"
    return ""


def _fill_in(page: str, language: str, *, is_stage: bool) -> str:
    """Return the page's HTML with the words of its form; this sets a context's language."""
    i18n.set_language(i18n.load_locale(language))
    texts = {
        "language": language.replace("_", "-"),
        "old": too_old(),
        "name": _("Your name"),
        "code": _("Room code: the two words your host gives you"),
        "enter": capitalise(_("watch")) if is_stage else _("Join"),
        "sealed": _(
            "Sealed with the room code. Whoever runs this Wi-Fi could still fake this page."
        ),
        "language_label": _("Language"),
    }
    choices = (
        f'<option value="{code}"{" selected" * (code == language)}>{escape(i18n.autonym(code))}'
        for code in i18n.languages()
    )
    filled = {name: escape(text) for name, text in texts.items()}
    return Template(page).substitute(filled, languages="\n".join(choices))


def _make_words_script(language: str, origin: str, *, asks_code: bool) -> bytes:
    """Return the script with the page's sentences; this sets the language of its context."""
    i18n.set_language(i18n.load_locale(language))
    data: dict[str, object] = {
        "language": language,
        "asksCode": asks_code,
        "codeWords": words(),
    }
    data |= {"origin": origin, **collect_page_words()}
    return f"export default {json.dumps(data, ensure_ascii=False)};\n".encode()


@cache
def _encode_pictures(size: str) -> dict[str, bytes]:
    width, height = map(int, size.split("x"))
    return {
        name: encode_png(read_sprite(Drawing(name), (width, height)).rows, list_shades())
        for name in read_index().sprites[size]
    }


@cache
def _describe_pictures() -> bytes:
    """Return the names and lengths of the pictures of each size, in their order, as JSON."""
    lengths = {
        size: [(name, len(data)) for name, data in _encode_pictures(size).items()]
        for size in read_index().sprites
    }
    return json.dumps(lengths).encode()


def _read_header(headers: Headers, name: str) -> str:
    """Return the value of a header, "" if missing or repeated."""
    found = headers.get_all(name)
    return found[0] if len(found) == 1 else ""


@cache
def _read_file(name: str) -> bytes:
    """Return a file of the page, by its name in `FILES`; our own scripts without their comments."""
    body = files("sabtui.doors").joinpath("page", *name.split("/")).read_bytes()
    is_ours = name.endswith((".js", ".css")) and not name.startswith("vendor/")
    return _INDENT.sub(b"", _COMMENT.sub(b"", body)) if is_ours else body


# Few: a stranger can make bodies differ, by the port in a Host header.
@lru_cache(maxsize=64)
def _pack(body: bytes) -> bytes:
    """Return a body as gzip, the same for the same body."""
    return gzip.compress(body, mtime=0)


def _shorten(response: Response, request: Request) -> Response:
    """Shorten an answer: empty if the browser has it already, else as gzip."""
    headers, body = response.headers, response.body
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers["ETag"] = tag
    headers["Vary"] = "Accept-Language, Accept-Encoding, Cookie"
    if _read_header(request.headers, "If-None-Match").removeprefix("W/") == tag:
        del headers["Content-Length"]
        return Response(HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_MODIFIED.phrase, headers, b"")
    takes_gzip = "gzip" in _read_header(request.headers, "Accept-Encoding")
    if takes_gzip and "Content-Encoding" not in headers:
        packed = _pack(bytes(body))
        headers["Content-Encoding"] = "gzip"
        del headers["Content-Length"]
        headers["Content-Length"] = str(len(packed))
        return Response(response.status_code, response.reason_phrase, headers, packed)
    return response


def _refuse(status: HTTPStatus, host: str) -> Response:
    """Answer without a file, only with the reason."""
    return _answer(status, "text/plain; charset=utf-8", f"{status.phrase}\n".encode(), host)


def _answer(status: HTTPStatus, kind: str, body: bytes, host: str) -> Response:
    """Return an answer of this content type to a page from `host`, with `HEADERS`."""
    headers = Headers({name: value.format(host=host) for name, value in HEADERS.items()})
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body)


too_old: Final = lazy(
    "Still reading this? Your browser is too old or has no scripts. Try another one."
)


def collect_page_words() -> dict[str, object]:
    """Return all sentences and labels of the page, by their names in its scripts."""
    lay, tap_back = capitalise(_("lay")), _("Tap to come back.")
    no_digging = _("{what}: you cannot dig. Repair it, or discard.")
    return {
        "stage": capitalise(pgettext("a player", "projector")),
        "watching": put_title(capitalise(_("watching")), "{names}"),
        "joining": _("One moment..."),
        "lost": lost_host(),
        "ended": f"{you_left()} {own_seat_waits()} {tap_back}",
        "ended_watch": f"{you_left()} {tap_back}",
        "elsewhere": _("You are playing in another window. Tap to play here instead."),
        "your_turn": your_turn().upper(),
        "your_gold": your_gold().upper(),
        "you": capitalise(pgettext("a player", "you")),
        "free": pgettext("seat", "free"),
        "bot": pgettext("label", "bot"),
        "levels": {level.typed: level.shown for level in level_choices(DEFAULT_BOT_LEVEL)},
        "roles": {role.name.lower(): role_words(role) for role in Role},
        "sides": {
            name: cell_words(cell, spelt=False).replace("1", "{count}")
            for name, cell in (
                *(("east", (1, 0)), ("west", (-1, 0))),
                *(("south", (0, 1)), ("north", (0, -1))),
            )
        },
        "ready": pgettext("a player", "ready"),
        "tools": {tool.value: tool_words(tool) for tool in Tool},
        "turn": capitalise(pgettext("label", "rotate")),
        "verbs": {
            "through": lay,
            "dead_end": lay,
            **{
                card.kind.name.lower(): capitalise(action_words(card).verb)
                for card in CARDS
                if not card.ways
            },
        },
        "discard": capitalise(_("discard")),
        "gold": capitalise(_("gold")),
        "choose_card": _("Choose a card."),
        "choose_place": _("Tap a green place."),
        "choose_player": _("Choose a player."),
        "choose_gold": choose_gold(),
        "only_discard": _("You can only discard it now."),
        "no_digging": {
            word: no_digging.format(what=capitalise(broken_card(tool)))
            for tool, word in zip(Tool, ("pick", "lantern", "cart"), strict=True)
        },
        "you_watch": _("You're watching. Once this game is over, you can take a seat."),
        "tap_seat": _("You're watching. Tap a free seat to play."),
        "you_win": you_win(),
        "role": _("Your role"),
        "hold": _("Only you may look: hold the card."),
        "got_it": _("Got it"),
        "menu": _("Menu"),
        "add_bot": capitalise(BOT.purpose()),
        "settings": capitalise(_("settings")),
        "dwarf": your_dwarf(),
        "choices": [*_list_choices()],
        "reactions": {reaction.name.lower(): reaction_word(reaction) for reaction in Reaction},
        "how_to_play": _("How to play"),
        "lesson": [*_teach()],
        "fair": _("Fair deal"),
        "new_table": capitalise(_("new table")),
        "talk": _("Chat"),
        "say": _("say something to everybody"),
        "send": capitalise(_("send")),
        "claims": capitalise(_("claims")),
        "goals": capitalise(_("goals")),
        "help": capitalise(_("help")),
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
        "refused_full": door_full(),
        "refused_version": _("This page is out of date. Reload it."),
        "refused_table": _("The table is not answering. Tell your host."),
        "refused_name": refusal_sentence(Refusal.NO_NAME),
    }


def _list_choices() -> Iterator[dict[str, object]]:
    """Yield what a host can set before a game: the typed word, and its values with their names."""
    for setting in table_settings():
        choices = [(choice.typed, choice.shown) for choice in setting.choices]
        if setting.field == "edition":
            choices = [(book, capitalise(book_name(book))) for book in EDITIONS]
        if setting.word and choices:
            yield {"word": setting.word, "choices": choices}


def _teach() -> Iterator[dict[str, object]]:
    """Yield the steps of a first lesson: a sentence, and the names of the pictures above it."""
    yield {
        "pictures": ("lit-start-15-0", "lit-path-10-0", "goal"),
        "text": _("Dig together from the start to the treasure. It is under one of three goals."),
    }
    yield {
        "pictures": ("lit-path-7-0", "lit-path-3-0"),
        "text": _("Tap a card: green places light up. Tap one, then tap it again to play."),
    }
    yield {
        "pictures": ("miner", "saboteur"),
        "text": _("Some are saboteurs. They win if nobody reaches the treasure. Who is one?"),
    }
    yield {
        "pictures": ("break-L", "repair-L"),
        "text": _("Break a suspect's tool: they cannot dig until somebody repairs it."),
    }
    yield {
        "pictures": ("map", "gold-3"),
        "text": _("Maps look at a goal. Talk, accuse, bluff! Most gold after all rounds wins."),
    }
