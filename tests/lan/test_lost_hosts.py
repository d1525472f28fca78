"""Sixty hosts that are lost on a LAN, a network in two parts, and a host that slept.

`make soak` runs them. The times of all are told in one table at the end of the run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from tests.lan.lan import NewLan
from tests.lan.losses import LOST_HOST
from tests.lan.lost_hosts import SEED, Losing, Plan, draw_plans
from tests.lan.players import MOVED, MOVED_SELF, NEW_HOST, SILENT, all_read

pytestmark = pytest.mark.level("soak")

PLANS = draw_plans(12)


@pytest.mark.needs("ssh", "nft")
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.text)
async def test_hosts_are_lost(
    plan: Plan, new_lan: NewLan, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    rng = Random(SEED + plan.number)
    async with new_lan(plan.people + plan.watcher) as lan, AsyncExitStack() as stack:
        table = Losing(lan, tmp_path, plan)
        await table.open(stack)
        host = table.players[0]
        for loss in plan.losses:
            host, measured = await table.lose(host, loss, rng)
            record_property(LOST_HOST, [*measured])
            print(measured)  # noqa: T201 - the measured figure


@pytest.mark.needs("nft")
async def test_a_network_in_two_parts_has_one_table_that_plays_and_one_when_it_is_whole(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(5) as lan:
        table = Losing(lan, tmp_path, Plan(61, 5, absent="bot"))
        ann, ben, *others = await table.at_the_middle()
        before = await table.knowledge(ann, ben, *others)
        await lan.run("split", "h1", "h2")
        await all_read(SILENT, *others)
        others[0].says("go-on")
        await all_read(NEW_HOST, *others)
        assert await table.knowledge(*others) == before[2:]
        table.rest((1, "gold"))  # who may play does
        others[0].says("t we play")
        ann.says("t we are two of five")
        for person in (ann, ben):
            await person.reads('two of five"$')
        alone = {person.name: len(person.lines) for person in (ann, ben)}
        for _ in range(2):
            await others[0].reads(MOVED_SELF)
        ann.says("t we still are")
        for person in (ann, ben):
            await person.reads('still are"$')
            said = [line for _, line in person.lines[alone[person.name] :]]
            assert not [line for line in said if re.search(f" {MOVED}", line)]
        await lan.run("split")
        for person in (ann, ben):
            await table.go_over(person)
        await table.one_table(others[0])
        await all_read("^At 1 (gold|between)$", ann, ben, *others)


async def test_a_host_that_slept_while_the_others_went_on_plays_with_them_alone(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        table = Losing(lan, tmp_path, Plan(62, 3))
        ann, ben, cleo = await table.at_the_middle()
        before = await table.knowledge(ann, ben, cleo)
        await table.strike("lid", ann)
        await ben.reads(SILENT)
        ben.says("go-on")
        await all_read(NEW_HOST, ben, cleo)
        assert await table.knowledge(ben, cleo) == before[1:]
        slept = len(ann.lines)
        table.rest((1, "gold"))  # who may play does, at either table
        await table.heal("lid", ann)
        await ann.reads(NEW_HOST)
        said = [line for _, line in ann.lines[slept:]]
        assert not [line for line in said if re.match(MOVED_SELF, line)]
        await table.one_table(ben)
        ben.says("t all are here")
        await all_read("^At 1 (gold|between)$", ann, ben, cleo)
