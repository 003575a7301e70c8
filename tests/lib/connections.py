# SPDX-License-Identifier: Apache-2.0
"""Sockets of clients."""
import socket


def listens(port, host='127.0.0.1'):
    try:
        socket.create_connection((host, port), 1).close()
        return True
    except OSError:
        return False


def exactly(sock, n):
    got = b''
    while len(got) < n:
        more = sock.recv(n - len(got))
        if not more:
            raise EOFError
        got += more
    return got


class Connection:
    """A client that close_all() closes, at the end of a test."""
    all = []

    def __init__(self, sock):
        self.socket = sock
        self.socket.settimeout(30)
        self.all.append(self)

    def exactly(self, n):
        return exactly(self.socket, n)

    def close(self):
        self.socket.close()

    @classmethod
    def close_all(cls):
        while cls.all:
            cls.all.pop().close()
