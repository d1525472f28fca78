"""Builds what is published, twice, and tries each part where nothing of ours is installed.

`python -m tools.release` needs git and a network; docs/packaging.md says what it shows.
"""
