"""The pages in docs/: their tables match the code, and what they show works."""
