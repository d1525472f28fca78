"""Nobody but a room itself sets its fields: `room.field = ...` stands in `net.room.room` alone."""

import ast
from pathlib import Path

import net

NET = Path(next(iter(net.__path__)))
OWN = NET / "room" / "room.py"


def set_fields(text: str) -> list[str]:
    """The fields of a room that a module sets, deletes, or puts something into by a key."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
        for field in [node.value if isinstance(node, ast.Subscript) else node]
        if isinstance(field, ast.Attribute)
        and ast.unparse(field.value).rpartition(".")[2] in {"room", "_room"}
    ]


def test_nobody_sets_a_field_of_a_room_but_the_room_itself() -> None:
    modules = [path for path in NET.rglob("*.py") if path != OWN]
    assert len(modules) > 50
    assert {path.name: found for path in modules if (found := set_fields(path.read_text()))} == {}


def test_what_sets_a_field_is_found() -> None:
    text = "room.disk = x; self._room.written += 1; table.room.doors[kind] = door; del room.steps"
    assert set_fields(text) == [
        "room.disk",
        "self._room.written",
        "table.room.doors[kind]",
        "room.steps",
    ]
    assert set_fields("room = Room(); self.room = room; room.sessions.now = 1; x = room.disk") == []
