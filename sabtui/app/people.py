"""Names that belong to one person, as the user told it: a small file beside the records.

The file `people.json` has each name without case, and the name that its owner is known by. A file
that cannot be read counts as empty, and is overwritten only when the user tells something new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from net.protocol.text import clean_name
from sabtui.app.files import write_over

PEOPLE_NAME: Final = "people.json"
"""Name of the file in the folder of records."""

MAX_PEOPLE_BYTES: Final = 1 << 20
"""Bytes of that file that are read."""


@dataclass(frozen=True, slots=True)
class People:
    """Names that belong to one person: each name without case, and the name they are known by."""

    same: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """Return the name that a person is known by."""
        seen = {name.casefold()}
        while (known := self.same.get(name.casefold())) is not None:
            name = known
            if name.casefold() in seen:
                break
            seen.add(name.casefold())
        return name

    def joined(self, name: str, known_as: str) -> People:
        """Return these people with a name told to be another person's, too."""
        known_as = self.name(known_as)
        if known_as.casefold() == self.name(name).casefold():
            return self
        return People({**self.same, name.casefold(): known_as})

    def parted(self, name: str) -> People:
        """Return these people with a name that is nobody else's any more."""
        return People({one: of for one, of in self.same.items() if one != name.casefold()})


NOBODY_ELSE: Final = People()
"""Everybody is known by one name."""


def load_people(folder: Path) -> People:
    """Return what was told of names in a library's folder."""
    try:
        with (folder / PEOPLE_NAME).open("rb") as file:
            same = msgspec.json.decode(file.read(MAX_PEOPLE_BYTES), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return NOBODY_ELSE
    return People({name.casefold(): clean_name(of) or name for name, of in same.items()})


def save_people(people: People, folder: Path) -> None:
    """Keep what was told of names.

    Raises:
        UserError: the file cannot be written.
    """
    text = json.dumps(dict(people.same), ensure_ascii=False, indent=1)
    write_over(folder / PEOPLE_NAME, f"{text}\n")
