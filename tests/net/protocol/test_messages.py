"""Each kind of message and of request has a tag of its own, which is not the name of its class."""

from __future__ import annotations

import re
from typing import Final, get_args

import pytest
from msgspec import Struct

from net.protocol.framing import Message
from net.protocol.messages import CLIENT_KINDS, HOST_KINDS
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
