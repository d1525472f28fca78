"""Strict msgpack: from the bytes of one frame to one plain value, or to a fault.

The only module that knows the msgpack package, which ships no types. It knows nothing of sockets,
of lengths on the wire or of messages, and whatever bytes it is given, it raises BadFrame alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgpack  # type: ignore[import-untyped] # msgpack - ships no types

DEPTH: Final = 16
"""How deep lists and maps may lie in each other, the outermost being the first."""

ELEMENTS: Final = 1024
"""How many elements a list or a map may have; no message may need more."""

PAD: Final = b"\xc1"
"""What fills a frame behind its value: the one byte that can begin no msgpack value, so that a
reader that forgets the padding fails at once."""


class Fault(StrEnum):
    """What is wrong with a frame."""

    LENGTH = "length"  # not a length that a frame may have at this stage of a link
    CUT_SHORT = "cut short"  # the link ended inside of it
    MALFORMED = "malformed"  # not msgpack, or a list or map of more than ELEMENTS
    TEXT = "text"  # text that is not UTF-8
    EXTENSION = "extension"  # an extension type, a timestamp among them
    KEY = "key"  # a key of a map that is no text, or stands in it twice
    DEPTH = "depth"  # lists and maps nested deeper than DEPTH
    PADDING = "padding"  # bytes behind the value that are not the padding it should have
    MESSAGE = "message"  # a good value, and no message that this side may be sent


class BadFrame(Exception):
    """The other side sent what no honest one sends. It ends that link, and nothing else."""

    def __init__(self, why: Fault) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


def unpack(body: bytes) -> tuple[object, int]:
    """Read one value and what pads it.

    Args:
        body: one frame without its length, at most 64 KiB.

    Returns:
        The value, of None, bool, int, float, str, bytes, list and dict with text keys alone, and
        the number of bytes it took. The rest is PAD.

    Raises:
        BadFrame: for anything else, whatever the bytes.
    """
    padding = b""
    try:
        value: object = msgpack.unpackb(
            body,
            raw=False,
            use_list=True,
            strict_map_key=True,
            object_pairs_hook=_unique,
            ext_hook=_refuse_extension,
            max_str_len=len(body),
            max_bin_len=len(body),
            # msgpack makes room for a list before it has seen its elements, and for a list in it
            # likewise: without this, 64 KiB could claim hundreds of megabytes.
            max_array_len=ELEMENTS,
            max_map_len=ELEMENTS,
            max_ext_len=0,
        )
    except msgpack.ExtraData as extra:
        value, padding = extra.unpacked, extra.extra
    except msgpack.StackError:
        raise BadFrame(Fault.DEPTH) from None
    except UnicodeDecodeError:
        raise BadFrame(Fault.TEXT) from None
    except ValueError:
        raise BadFrame(Fault.MALFORMED) from None
    if padding.count(PAD) != len(padding):
        raise BadFrame(Fault.PADDING)
    _check_depth(value)
    return value, len(body) - len(padding)


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """Make a map of its pairs, of which none may hide another."""
    found = dict(pairs)
    if len(found) < len(pairs) or not all(isinstance(key, str) for key in found):
        raise BadFrame(Fault.KEY)
    return found


def _refuse_extension(_code: int, _data: bytes) -> object:
    """Refuse the empty extensions, which max_ext_len=0 lets pass."""
    raise BadFrame(Fault.EXTENSION)


def _check_depth(value: object) -> None:
    """Go down level by level, as nothing here may recurse as deep as a stranger likes."""
    level = [value]
    for _ in range(DEPTH + 1):
        lists = [node for node in level if isinstance(node, list)]
        maps = [node for node in level if isinstance(node, dict)]
        if not lists and not maps:
            return
        level = [child for node in lists for child in node]
        level += [child for node in maps for child in node.values()]
    raise BadFrame(Fault.DEPTH)
