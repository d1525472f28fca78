"""Builds an offline install folder: every wheel that Sabtui needs, and install scripts.

`python -m tools.stick FOLDER [PLATFORM...]`. Without a platform the folder is for all of
`PLATFORMS`; with `here` it is only for this machine and this Python, which is quick. Wheels come
from the index that pip is configured to use, and nothing in the folder names that index.
"""
