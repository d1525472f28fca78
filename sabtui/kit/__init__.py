"""For programs of others: a place at a table, from Python.

client  `join`, which watches a table, or sits at it
"""

from sabtui.kit.client import JoinedTable, join

__all__ = ["JoinedTable", "join"]
