"""Tables that lose their hosts, one after another, for `test_lost_hosts`: who sits, what happens.

All is drawn from `SEED`, so that a table is the same in each run. Times are measured at the lines
that people read.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.lan.digger import ASLEEP, TIMES
from tests.lan.lan import PATIENCE, Lan, signal_to, within
from tests.lan.losses import GATHERED, HOWS, WHENS, Measured
from tests.lan.players import (
    ALSO_AT,
    CODE,
    LOOK_AGAIN_S,
    NEW_HOST,
    SILENT,
    Player,
    homes,
    table_processes,
)
from tests.lan.test_ssh import ssh
from tests.terminal import Terminal

SEED = 45
NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eli", "Fay")
WATCHER = "Wim"

AUTOPILOT = "Ay"
"""The key with which a guest at a door lets a bot play."""


@dataclass(frozen=True)
class Loss:
    """How a host is lost, and when; with one `missing`, who cannot come either."""

    how: str
    when: str
    missing: bool


@dataclass(frozen=True)
class Plan:
    """Who sits at a table, and how it loses its hosts."""

    number: int
    people: int
    bot: bool = False
    door: bool = False
    watcher: bool = False
    losses: tuple[Loss, ...] = ()
    absent: str = "wait"

    @property
    def text(self) -> str:
        """Who sits, for the name of a test."""
        more = [name for name in ("bot", "door", "watcher") if getattr(self, name)]
        return "-".join([str(self.number), f"{self.people} people", *more])


def load_now() -> float:
    """Return how many processes wanted a core in the last minute, on average."""
    return float(Path("/proc/loadavg").read_text().split()[0])


def draw_plans(count: int) -> list[Plan]:
    """Draw this many tables, each with five losses."""
    rng, plans = Random(SEED), list[Plan]()
    bag = list[str]()
    for number in range(count):
        door = number % 3 == 2
        people = rng.randint(4 if door else 3, 6)
        losses = []
        first = 1 + number // 3 % 4 if door else 0
        for when in (*WHENS[first:], *WHENS[1 : 1 + first]):
            bag = bag or rng.sample(HOWS, len(HOWS))
            how = next((way for way in bag if not (door and way == "own cable")), "killed")
            if how in bag:
                bag.remove(how)
            enough = 2 * (people - 2) > people + door  # are there without the host and one more
            missing = how != "own cable" and enough and rng.random() < 0.5
            losses.append(Loss(how, when, missing))
        bot, watcher = rng.random() < 0.4, rng.random() < 0.4
        absent = "bot" if door else "wait"  # for the guest, who may not come back
        plans.append(Plan(number, people, bot, door, watcher, tuple(losses), absent))
    return plans


@dataclass
class Losing:
    """A table with a laptop for each of its `players`, at which a host is lost."""

    lan: Lan
    home: Path
    plan: Plan
    players: list[Player] = field(default_factory=list)
    eva: Terminal | None = None
    at: tuple[int, str] = (0, "lobby")
    marks: int = 0

    async def open(self, stack: AsyncExitStack) -> None:
        """Let all come and sit down."""
        plan, seats = self.plan, self.plan.people + self.plan.bot + self.plan.door
        self.rest((0, "over"))
        game = ("--players", str(max(seats, 3)), "--bots", str(int(plan.bot)), "--speed", "instant")
        absent = ("--absent", plan.absent, *(("--ssh",) if plan.door else ()))
        ann = await self.come("Ann", "--autopilot", "host", "Rush", *game, *absent)
        await ann.reads("Room code: amber-tulip")
        for name in NAMES[1 : plan.people]:
            await (await self.come(name, "--autopilot", "join")).reads("^Table: Rush")
            await ann.reads(f"^{name} has joined")
        if plan.watcher:
            await (await self.come(WATCHER, "--watch", "join")).reads("^Table: Rush")
        if plan.door:
            self.eva = await stack.enter_async_context(await ssh(self.lan, self.home / "eva"))
            await self.eva.sees("eva(?s:.*)You have joined")
            await ann.reads("^eva has joined")

    async def at_the_middle(self) -> list[Player]:
        """Let all come, and play until the middle of a round; return all, the host first."""
        async with AsyncExitStack() as stack:
            await self.open(stack)
        await self.play_until(self.players[0], "middle")
        return self.players

    async def come(self, name: str, how: str, verb: str, *more: str) -> Player:
        """Start somebody's program at their laptop."""
        digger = (sys.executable, "-m", "tests.lan.digger", str(self.home / "rest"))
        arguments = (verb, *more, "--plain", how, "--code", CODE, "--name", name)
        command = ("env", *homes(self.home / name), "PYTHONUNBUFFERED=1", *digger, *arguments)
        laptop = f"h{len(self.players) + 1}"
        self.players.append(Player(name, await self.lan.start(laptop, *command)))
        return self.players[-1]

    def laptop(self, player: Player) -> str:
        """Return somebody's laptop."""
        return f"h{self.players.index(player) + 1}"

    def rest(self, time: tuple[int, str]) -> None:
        """Say when all are to rest."""
        file = self.home / "rest"
        file.with_suffix(".new").write_text(f"{time[0]} {time[1]}")
        file.with_suffix(".new").replace(file)

    async def play_until(self, host: Player, when: str, slow: Player | None = None) -> None:
        """Play on until it is time; for a draw, with somebody whose program does not answer."""
        if when == "lobby":
            return
        number, now = self.at
        number += when == "draw" or now == "lobby" or TIMES.index(now) >= TIMES.index(when)
        if when != "draw":
            self.rest((number, when))
        elif slow is not None:
            slow.program.signal("STOP")
        seated = [
            player for player in self.players if player.name != WATCHER and player is not slow
        ]
        for line in ("start", "next", "t go on"):  # what is not due is refused
            host.says(line)
        if self.eva is not None and when != "draw":
            await self.eva.sees("your hand")
            self.eva.type("  ")  # what is shown first is over
            await self.eva.sees("turn: |YOUR TURN")
            self.eva.type(AUTOPILOT)
            self.eva = None
        # Saboteurs have their gold at once, and after the last round all is over.
        last = {"gold": "gold|between|over", "between": "between|over"}.get(when, when)
        reached = when
        for player in seated:
            reached = (await player.reads(f"^At {number} ({last})$"))[1][1]
        self.at = (number, reached) if when != "draw" else self.at

    async def knowledge(self, *players: Player) -> list[list[str]]:
        """Return what each is told of the hand, role and gold of the own seat."""
        return [await self._knowledge(player) for player in players]

    async def _knowledge(self, player: Player) -> list[str]:
        self.marks += 1
        before = len(player.lines)
        for line in ("hand", "role", f"t mark {self.marks}"):
            player.says(line)
        await player.reads(f'mark {self.marks}"$')
        told = [line for _, line in player.lines[before:]]
        hand = max((at for at, line in enumerate(told) if line.startswith(" 1 ")), default=0)
        cards = [line for line in told[hand:] if re.match(r"^ \d ", line)]
        role = dict.fromkeys(line for line in told if re.match("^You are a |^Your gold", line))
        return [
            *(re.sub(r"^( \d .*): .*", r"\1", line) for line in cards),
            *role,
        ]  # not where it fits

    def tables(self) -> dict[str, int]:
        """Return the processes that run a table here, by whose computer that is."""
        found = {player.name: table_processes(self.home / player.name) for player in self.players}
        return {name: process for name, processes in found.items() for process in processes}

    async def strike(self, how: str, player: Player) -> None:
        """Let a program, or a laptop, be gone."""
        if how == "killed":
            signal_to(self.tables()[player.name], "KILL")
        elif how == "lid":
            for process in (self.tables()[player.name], player.program.pid):
                signal_to(process, "STOP")
        else:
            await self.lan.run("cable", self.laptop(player), "out")

    async def heal(self, how: str, player: Player) -> None:
        """Let a laptop be back."""
        if how == "lid":
            (self.home / player.name / ASLEEP).write_text("3600")
            for process in (self.tables()[player.name], player.program.pid):
                signal_to(process, "CONT")
        elif how != "killed":
            await self.lan.run("cable", self.laptop(player), "in")

    @staticmethod
    async def go_over(player: Player) -> tuple[float, float]:
        """Let somebody whose own cable was out go over, and return when they did, and were there.

        They are asked, unless their computer has slept shortly before: then it goes by itself.
        """
        begun, found = await player.reads(f"{ALSO_AT}|{NEW_HOST}")
        if not re.search(ALSO_AT, found.string):
            return begun, begun
        player.says("go-over")
        return time.monotonic(), (await player.reads(NEW_HOST))[0]

    async def one_table(self, *players: Player) -> Player:
        """Wait until there is one table alone, and return at whose computer, of these."""
        names = [player.name for player in players]
        async with asyncio.timeout(PATIENCE):
            while len(found := [*self.tables()]) != 1 or found[0] not in names:  # noqa: ASYNC110 - others'
                await asyncio.sleep(LOOK_AGAIN_S)
        return players[names.index(found[0])]

    async def lose(self, host: Player, loss: Loss, rng: Random) -> tuple[Player, Measured]:
        """Lose the host as planned, and go on; return the next host, and what was measured."""
        others = [
            player for player in self.players if player.name != WATCHER and player is not host
        ]
        chosen, *rest = rng.sample(others, len(others))
        is_drawing = loss.when == "draw"
        slow = rest[0] if rest and is_drawing else None
        await self.play_until(host, loss.when, slow)
        # Nobody has cards while a round is drawn, and of a finished game the lobby alone moves.
        has_cards = self.at[1] not in ("lobby", "over") and not is_drawing
        before = await self.knowledge(host, *others) if has_cards else []
        gone = chosen if loss.how == "own cable" else host
        missing = [rest[-1]] if loss.missing else []
        for person in missing:
            await self.strike("cable", person)
        await self.strike(loss.how, gone)
        if slow is not None:
            slow.program.signal("CONT")
        await chosen.reads(SILENT)
        begun = time.monotonic()
        chosen.says("go-on")
        if gone is chosen:
            alone, _ = await chosen.reads("^You are the host now")
            within(GATHERED, "alone at the own computer", begun, alone)
            begun = time.monotonic()
            await self.heal(loss.how, chosen)
            begun, until = await self.go_over(chosen)
            chosen = host
        else:
            arrived = [await player.reads(NEW_HOST) for player in others if player not in missing]
            until = max(when for when, _ in arrived)
            if self.at[1] in ("middle", "gold"):
                chosen.says("pause")
                await chosen.reads("^The game is paused")
            await self.heal(loss.how, gone)
            for person in missing:
                await self.heal("cable", person)
            if loss.how == "cable":
                await self.go_over(host)
            else:
                await host.reads(NEW_HOST)
            watchers = [player for player in self.players if player.name == WATCHER]
            for one in (*missing, *watchers):
                await one.reads(NEW_HOST)
        await self.one_table(chosen)
        if before:
            seats = [host, *others] if not self.plan.door else others
            for player, knew in zip(seats, before[-len(seats) :], strict=True):
                knows = await self._knowledge(player)
                assert knows == knew, f"{player.name} knew {knew}, knows {knows}:\n{player.said}"
        if gone is not chosen and self.at[1] in ("middle", "gold"):
            chosen.says("go")
        load = load_now()
        return chosen, Measured(loss.how, loss.when, loss.missing, until - begun, load)
