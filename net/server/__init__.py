"""The host's process: one asyncio loop that runs one table.

`server` joins everything up, `tables` creates or resumes a table from its journal, `output` holds
frames back until their steps are on disk and queues them for each client, `bots` paces the bots,
`bot_process` asks them in processes of their own, whose program, with what it is asked, is
`bot_worker`, `process` starts processes and hides their memory, and `bounded_log` is what they log.
`doors` starts the doors beside the table, `door_answers` answers them by `door_messages`;
`standbys` finds out whose program could not go on with the table. No rule is decided here:
`net.room` does that.
"""
