"""Connections between programs: frames over TLS over TCP, with limits on what strangers cost.

`connection` is one connection, `listener` the host's accept loop, `admission` the limits on
connections that are not trusted yet, `rate_limit` the quotas of bytes and frames, `authenticate`
the handshake of `net.security` run on a connection, `tunnel` what the system's ssh carries. Nothing
here knows the game or its messages.
"""
