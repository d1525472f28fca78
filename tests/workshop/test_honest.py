"""An evening at which nobody cheats: nobody is told of anything."""

from tests.workshop.rigged import ALL, Evening, findings_told


async def test_honest_programs_name_nobody(table: Evening) -> None:
    await table.begin()
    await table.play_out()
    for name in ALL:
        assert set(findings_told(table.people[name])) == {"let in", "audit: checked"}
