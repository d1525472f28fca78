"""The host's shell: one asyncio process that runs one table, whose rules are all in `net.room`.

Read in this order: table (what is kept), saving (nothing leaves before it is on disk), links, bots
with thinker and worker, and host, which joins them up.
"""
