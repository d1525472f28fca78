"""The files of the page, and which requests are answered."""

from __future__ import annotations

import gzip
import html
import json
import re
import socket
from importlib.resources import files

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from net.secure.code import words
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import list_shades
from sabtui.art.pixels import encode_png
from sabtui.art.store import read_sprite
from sabtui.doors.web_page import (
    FILES,
    SOCKET_PATH,
    collect_page_words,
    is_ours,
    read_accepted_language,
    respond,
)
from sabtui.text.i18n import languages

HOST = "192.168.1.20:7361"
PAGE = files("sabtui.doors") / "page"
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "mp4": "video/mp4",
    "js": "text/javascript; charset=utf-8",
}
MOST_LINES = 2000
"""Most lines of our own scripts and style."""

MOST_BYTES = 60_000  # most bytes of text that a first load takes
MOST_RELOADED_BYTES = 15_000  # the same, of all that is answered, for a page that is loaded again


def ask(path: str, *, asks_code: bool = True, **headers: str) -> Response | None:
    wanted = {"Host": HOST, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return respond(Request(path, Headers(wanted)), asks_code=asks_code)


def got(path: str, *, asks_code: bool = True, **headers: str) -> Response:
    response = ask(path, asks_code=asks_code, **headers)
    assert response is not None
    return response


def test_every_file_of_the_page_is_served_with_its_type_and_never_from_elsewhere() -> None:
    for path, name in FILES.items():
        response = got(path)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == TYPES[name.rpartition(".")[2]]
        body = PAGE.joinpath(*name.split("/")).read_bytes()
        if name in OURS and name.endswith((".js", ".css")):
            code = [line.strip() for line in body.decode().splitlines()]
            code = [line for line in code if not line.startswith(("//", "/*"))]
            assert response.body.decode().splitlines() == code, "all but the comments"
        elif not name.endswith(".html"):  # its words depend on who asks
            assert response.body == body
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert f"connect-src 'self' ws://{HOST};" in policy


def test_the_pictures_of_all_cards_are_served_as_they_were_baked() -> None:
    for size, pictures in json.loads(got("/pictures.json").body).items():
        response = got(f"/pictures/{size}")
        assert response.headers["Content-Type"] == "application/octet-stream"
        width, height = map(int, size.split("x"))
        data = response.body
        for name, length in pictures:
            rows = read_sprite(Drawing(name), (width, height)).rows
            assert data[:length] == encode_png(rows, list_shades())
            data = data[length:]
        assert data == b""


OURS = {
    name: (PAGE / name).read_text(encoding="utf-8")
    for name in sorted(FILES.values())
    if "vendor" not in name and not name.endswith(".mp4")
}
"""Our own files, by their names."""


def test_files_of_ours_name_files_that_are_served_and_no_address_outside() -> None:
    named = r"""(?:src|href)="(/[^"]+)"|url\("(/[^"]+)"\)|from "\.(/[^"]+)\""""
    for name, text in OURS.items():
        for found in re.findall(named, text):
            (path,) = filter(None, found)
            assert path in FILES or path == "/words.js", (name, path)
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text), name
        assert re.findall(r"wss?://[^`]*", text) in ([], ["ws://${location.host}/table"]), name


def test_what_is_no_file_of_the_page_is_not_found() -> None:
    for path in ("/../web_page.py", "//", "/vendor/", "/page", "/etc/passwd", ""):
        assert got(path).status_code == 404
    for path in ("/pictures/1x1", "/pictures/9x4-half", "/pictures/../index"):
        assert got(path).status_code == 404


def test_the_websocket_is_for_pages_of_this_door_alone() -> None:
    assert ask(SOCKET_PATH, Origin=f"http://{HOST}") is None
    for origin in ("http://evil.example", "null", "http://192.168.1.20:7362", f"https://{HOST}"):
        assert got(SOCKET_PATH, Origin=origin).status_code == 403
    assert got(SOCKET_PATH).status_code == 403


def test_a_name_that_is_not_ours_is_refused_even_if_it_leads_here() -> None:
    evil = "rebound.example:7361"
    assert got(SOCKET_PATH, Host=evil, Origin=f"http://{evil}").status_code == 421
    assert got("/", Host=evil).status_code == 421
    assert got("/", Host="").status_code == 421


@pytest.mark.parametrize("own", [socket.gethostname(), "Mole", "mole.example"])
def test_this_computers_own_name_is_ours_and_none_that_only_begins_with_it(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: own)
    short = own.partition(".")[0].lower()
    for host in (short, f"{short.upper()}.local:7361", f"{own}:7361", "localhost:7361"):
        assert is_ours(host)
    for host in (f"{short}.rebound.example:7361", f"{short}.local.rebound.example"):
        assert not is_ours(host)
    for host in ("localhost.example", "", "localhost; script-src *"):
        assert not is_ours(host)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("pt-PT", "pt_BR"),
        ("es", "es_AR"),
        ("de-DE,it;q=0.5", "it"),
        ("en-GB,fr;q=0.5", "en"),
        ("de", "en"),
        ("", "en"),
        (",;=,-", "en"),
        ("fr" * 10_000, "en"),
        ("xx," * 15 + "it", "it"),
        ("xx," * 16 + "it", "en"),
    ],
)
def test_the_page_speaks_the_first_language_of_the_browser_that_we_have(
    accepted: str, language: str
) -> None:
    assert read_accepted_language(accepted) == language


def read_page(response: Response) -> dict[str, object]:
    text = response.body.decode().removeprefix("export default ").removesuffix(";\n")
    found: dict[str, object] = json.loads(text)
    return found


def test_the_sentences_are_those_that_the_page_asks_for() -> None:
    shown = read_page(got("/words.js", Accept_Language="fr"))
    assert shown["language"] == "fr"
    assert shown["codeWords"] == list(words())
    assert shown["asksCode"] is True
    assert read_page(got("/words.js", asks_code=False))["asksCode"] is False
    scripts = "".join(text for name, text in OURS.items() if name.endswith(".js"))
    asked = set(re.findall(r"\bwords\.(\w+)", scripts))
    asked -= {
        "language",
        "codeWords",
        "asksCode",
        "origin",
        "js",
        "find",
        "filter",
        "includes",
        "map",
    }
    assert asked <= set(collect_page_words())
    assert set(collect_page_words()) - asked <= {
        f"refused_{reason}" for reason in ("seat", "wait", "full", "version", "table", "name")
    }


def test_a_language_that_was_chosen_on_the_page_goes_before_that_of_the_browser() -> None:
    for cookie, language in (("language=it", "it"), ("a=b; language=pt_BR", "pt_BR")):
        chosen = read_page(got("/words.js", Accept_Language="fr", Cookie=cookie))
        assert chosen["language"] == language
    for cookie in ("language=xx", "language=../x", "slanguage=it"):
        assert read_page(got("/words.js", Accept_Language="fr", Cookie=cookie))["language"] == "fr"


def test_scripts_and_style_stay_small_and_hold_no_sentence() -> None:
    lines = [
        line
        for name, text in OURS.items()
        if name.endswith((".js", ".css"))
        for line in text.splitlines()
    ]
    assert len(lines) <= MOST_LINES
    strings = [text for line in lines for text in re.findall(r'"([^"]*)"', line)]
    assert not [text for text in strings if re.fullmatch(r"[A-Z][a-z]+( [a-z]+)+[.?!]?", text)]


def first_load(language: str = "en") -> list[Response]:
    paths = [path for path in FILES if path not in {"/stage", "/vendor/qr.js", "/awake.mp4"}]
    paths += ["/words.js", "/pictures.json"]
    return [got(path, Accept_Encoding="gzip, deflate", Accept_Language=language) for path in paths]


def test_files_are_short_on_the_wire_and_a_reload_says_that_they_are_the_same() -> None:
    for language in ("en", "fr"):
        texts = first_load(language)
        assert sum(len(text.body) for text in texts) <= MOST_BYTES
        for text in texts:
            assert gzip.decompress(text.body)
            assert text.headers["Content-Length"] == str(len(text.body))
    reloaded = 0
    for path in (*FILES, "/words.js", "/pictures.json", "/pictures/144x128"):
        tag = got(path).headers["ETag"]
        again = got(path, If_None_Match=tag)
        assert (again.status_code, again.body) == (304, b"")
        reloaded += len(again.serialize())
        assert got(path, If_None_Match='"another"').status_code == 200
        assert "Cross-Origin-Opener-Policy" not in again.headers, "no browser takes it over http"
    assert reloaded <= MOST_RELOADED_BYTES
    french, english = (
        got("/words.js", Accept_Language=one).headers["ETag"] for one in ("fr", "en")
    )
    assert french != english


def test_the_form_is_in_the_language_of_its_reader_who_may_choose_another() -> None:
    for path, enter in (("/", "Rejoindre"), ("/stage", "Regarder")):
        form = html.unescape(got(path, Accept_Language="fr").body.decode())
        assert f">{enter}<" in form
        assert '<option value="fr" selected>Français' in form
        assert [code for code in languages() if f'<option value="{code}"' in form] == [*languages()]


def test_without_scripts_the_page_says_what_to_do_in_the_language_of_its_reader() -> None:
    texts = [got("/", Accept_Language=one).body.decode() for one in ("en", "fr", "pt-BR")]
    for language, text in zip(("en", "fr", "pt-BR"), texts, strict=True):
        assert f'<html lang="{language}">' in text
        assert "$" not in text
    assert "Still reading this?" in texts[0]
    assert "Still reading this?" not in texts[1]


def test_scripts_ask_for_nothing_that_browsers_of_2020_cannot_read() -> None:
    for name, text in OURS.items():
        if name.endswith(".js"):
            for later in (
                r"\?\?=",
                r"\|\|=",
                r"&&=",
                r"\bthis\.#",
                r"^\s*#\w",
                r"\bawait import\(?!\(",
            ):
                assert not re.search(later, text, re.MULTILINE), (name, later)
