# SPDX-License-Identifier: Apache-2.0
"""A controller of the time of a drone or a swarm, by its time socket (docs/time.md)."""
import select
import socket

PATIENCE_S = 30.0
S = 1_000_000   # microseconds


class TimeController:
    """One controller, on a connection that it made or took."""

    def __init__(self, sock):
        self.sock = sock
        sock.settimeout(PATIENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = sock.makefile('r', encoding='ascii', newline='\n')
        self.hello = self.line()
        self.first = self.expect('now')

    def say(self, text):
        self.sock.sendall(text.encode('latin-1') + b'\n')

    def line(self):
        return self.lines.readline().rstrip('\n')

    def expect(self, word):
        """The next line that is not only a change of wishes: a dictionary of its pairs."""
        line = self.line()
        while line.startswith('next '):
            line = self.line()
        pairs = line.split()
        if not pairs or pairs[0] != word:
            raise AssertionError(f'{word!r} expected, got {line!r}')
        return dict(zip(pairs[::2], pairs[1::2])) if word != 'error' else line

    def ask(self, text, word='at'):
        self.say(text)
        return self.expect(word)

    def at(self, text):
        """Vehicle time at which time stands after this command."""
        return int(self.ask(text)['at'])

    def quiet(self, seconds=0.1):
        """Nothing is said for a while."""
        return not select.select([self.sock], [], [], seconds)[0]

    def close(self):
        self.lines.close()
        self.sock.close()
