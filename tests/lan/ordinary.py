"""A laptop whose player is an ordinary user: an account of its own, a /tmp of its own, no rights.

Needs root, as only root can become somebody else; and may do so in no user namespace but the
first. What the player's programs consist of is put where that user can read it.
"""

from __future__ import annotations

import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from pathlib import Path
from typing import Final

from tests.lan.lan import HOUSE, Lan, Program
from tests.lan.tools import SBIN, find

USER: Final = 61_234
"""An account that nobody else has."""

HOME: Final = Path("/tmp/player")  # noqa: S108 - in a /tmp of the laptop's own

TOOLS: Final = ":".join(("/usr/bin", "/bin", *SBIN))
"""PATH on that laptop, which has no tools of the test's own."""

_PREPARE = """
IFS='
'
mkdir /run/consists
n=0
for folder in $FOLDERS; do
  n=$((n+1)); mkdir /run/consists/$n; mount --bind "$folder" /run/consists/$n
done
for folder in /tmp /dev/shm $CLOSED; do mount -t tmpfs -o mode=1777 tmpfs "$folder"; done
n=0
for folder in $FOLDERS; do
  n=$((n+1)); mkdir -p "$folder"; mount --bind /run/consists/$n "$folder"
done
mkdir -m 700 $PLAYER_HOME
chown $USER_ID:$USER_ID $PLAYER_HOME
echo ready
exec cat
"""


class OrdinaryLaptop:
    """A laptop of a LAN, for programs of an ordinary user. Made by `prepare`."""

    def __init__(self, lan: Lan, laptop: str, keeper: int) -> None:
        self._lan = lan
        self._laptop = laptop
        self._keeper = keeper

    @classmethod
    async def prepare(cls, lan: Lan, laptop: str) -> OrdinaryLaptop:
        """Give a laptop its own folders."""
        folders = sorted({str(HOUSE), sys.prefix, sys.base_prefix}, key=len)
        closed = {found for folder in folders if (found := _find_closed(Path(folder)))}
        env = {
            "PATH": TOOLS,
            "FOLDERS": "\n".join(folders),
            "CLOSED": "\n".join(sorted(closed)),
            "PLAYER_HOME": str(HOME),
            "USER_ID": str(USER),
        }
        lan_keeper = (f"--target={lan.keeper}", "--net", "--mount")
        process = await create_subprocess_exec(
            *(str(find("nsenter")), *lan_keeper, "unshare", "--mount", "sh", "-ec", _PREPARE),
            stdin=PIPE,
            stdout=PIPE,
            env=env,
        )
        program = lan.keep(process)
        assert await program.line() == "ready"
        return cls(lan, laptop, process.pid)

    async def start(self, *command: str) -> Program:
        """Start a program of the player."""
        env = {"PATH": TOOLS}
        return self._lan.keep(
            await create_subprocess_exec(*self.command(*command), stdin=PIPE, stdout=PIPE, env=env)
        )

    async def sabtui(self, *arguments: str) -> Program:
        """Start Sabtui for the player."""
        return await self.start(sys.executable, "-m", "sabtui", *arguments)

    def command(self, *command: str) -> tuple[str, ...]:
        """What starts a program as that player, who has no rights at all."""
        user = (f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all")
        env = (f"HOME={HOME}", f"PATH={TOOLS}", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1")
        return (
            *(str(find("nsenter")), f"--target={self._keeper}", "--net", "--mount"),
            *("ip", "netns", "exec", self._laptop),
            *("setpriv", *user, "--no-new-privs"),
            *("env", "-i", f"--chdir={HOUSE}", *env, *command),
        )


def _find_closed(folder: Path) -> str:
    """The first folder on the way to one that is closed to others, "" if there is none."""
    ways = (*reversed(folder.parents), folder)
    return next((str(path) for path in ways if not path.stat().st_mode & 1), "")
