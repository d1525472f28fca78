"""Each kind of message has a tag of its own, and each text in it says what may be shown of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, get_args

import pytest
from msgspec import Struct, inspect

from net.protocol.fields import has_clean_text
from net.protocol.framing import Message
from net.protocol.hall import NextTable
from net.protocol.messages import CLIENT_KINDS, HOST_KINDS, Snapshot
from net.protocol.requests import TableRequest
from net.secure.handshake import HANDSHAKE_CLIENT_KINDS, HANDSHAKE_HOST_KINDS
from net.server.bot_worker import Failed, Thought

WORDS: Final = re.compile(r"[a-z]+(-[a-z]+)*")

KINDS: dict[str, tuple[type[Struct], ...]] = {
    "messages": tuple(
        # `Share` goes both ways.
        dict.fromkeys((*HANDSHAKE_CLIENT_KINDS, *HANDSHAKE_HOST_KINDS, *CLIENT_KINDS, *HOST_KINDS))
    ),
    "requests": get_args(TableRequest),
    "bots": (Thought, Failed),
}


@pytest.mark.parametrize("kinds", KINDS.values(), ids=KINDS)
def test_tags_are_words_and_unique(kinds: tuple[type[Struct], ...]) -> None:
    configs = [kind.__struct_config__ for kind in kinds]
    tags = [config.tag for config in configs]
    assert len(set(tags)) == len(tags)
    assert all(isinstance(tag, str) and WORDS.fullmatch(tag) for tag in tags)
    fields = {config.tag_field for config in configs}
    assert fields == ({"is"} if issubclass(kinds[0], Message) else {"type"})


def texts(form: inspect.Type, *, is_checked: bool = False) -> Iterator[bool]:
    match form:
        case inspect.Metadata(inner, extra=extra):
            yield from texts(inner, is_checked="is_clean" in (extra or {}))
        case inspect.StrType(pattern=pattern):
            yield is_checked or pattern is not None
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from texts(field.type)
        case inspect.UnionType(parts) | inspect.TupleType(parts):
            for part in parts:
                yield from texts(part, is_checked=is_checked)
        case inspect.VarTupleType(part):
            yield from texts(part, is_checked=is_checked)
        case _:
            pass


@pytest.mark.parametrize("kind", HOST_KINDS)
def test_what_clean_text_is_each_field_says_in_which_a_host_sends_some(kind: type[Struct]) -> None:
    assert all(texts(inspect.type_info(kind)))


def test_text_is_found_wherever_it_is() -> None:
    assert len(list(texts(inspect.type_info(Snapshot)))) > 20
    assert has_clean_text(NextTable(1, "Gold", ("Ann", "Ben")))
    assert not has_clean_text(NextTable(1, "Gold", ("Ann", "\x1b[2J")))
