"""Text and back: positions, records, and what is refused."""
