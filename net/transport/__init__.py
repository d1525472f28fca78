"""Connections between programs: frames over TLS over TCP, with limits on what strangers cost.

`connection` is one connection, `listener` the host's accept loop, `limits` the quotas of bytes and
frames, and the admission of connections that are not trusted yet, `authenticate` the handshake of
`net.security` run on a connection, `tunnel` what the system's ssh carries. Nothing here knows the
game or its messages.
"""
