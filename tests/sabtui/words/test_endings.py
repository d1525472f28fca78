"""Why the table refused, and why a seat ended: a sentence each, and no two alike."""

from __future__ import annotations

from dataclasses import replace

from net.client.seat import Ending, Now, Standing
from net.link import LinkFault
from net.messages import DiskIs, Farewell, No
from net.secure.client import Rejection
from net.table_view import Held
from sabtui.words.endings import disk_told, ended, standing
from sabtui.words.refusals import refused
from tests.sabtui.tables import ANA, BRUNO, EVA, lobby

ENDINGS: tuple[Ending, ...] = (*Farewell, *Rejection, *LinkFault, *No)
HELD = Held(1, 1, lobby(), None)


def is_sentence(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".?" and text.isprintable() and len(text) < 130


def test_every_refusal_says_another_thing_to_do() -> None:
    told = [refused(why) for why in No]
    assert all(map(is_sentence, told))
    assert all(": " in sentence or "wait" in sentence for sentence in told)
    assert len(set(told)) == len(told)


def test_every_ending_has_a_sentence_of_its_own() -> None:
    told = [ended(why) for why in ENDINGS]
    assert all(map(is_sentence, told))
    assert len(set(told)) == len(told)
    assert ended(None) == "You have left the table."


def test_a_link_is_told_as_it_stands() -> None:
    told = [standing(Now(how, BRUNO, HELD)) for how in Standing]
    assert all(map(is_sentence, told))
    assert len(set(told)) == len(told)
    over = Now(Standing.ENDED, ending=Farewell.KICKED)
    assert standing(over) == ended(Farewell.KICKED)


def test_a_lost_host_means_something_else_to_each() -> None:
    lost = Now(Standing.LOST, BRUNO, HELD)
    assert standing(lost) == "The host is gone; looking for it again. Your seat is kept."
    watching = replace(lost, member=EVA)
    assert standing(watching) == "The host is gone; looking for it again."
    assert "sabtui host --resume" in standing(replace(lost, member=ANA))


def test_only_the_host_is_told_what_to_do_about_the_disk() -> None:
    told = {disk_told(disk, is_host=host) for disk in DiskIs for host in (True, False)}
    assert all(map(is_sentence, told))
    assert len(told) == 5
    assert "mend the disk, or go on unsaved" in disk_told(DiskIs.FULL, is_host=True)
