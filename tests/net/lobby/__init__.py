"""People, seats and talk at a table, as values."""
