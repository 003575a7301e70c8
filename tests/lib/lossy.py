# SPDX-License-Identifier: Apache-2.0
"""A network that loses, doubles and overtakes MAVLink frames, between UDP clients and a UDP server. Seeded."""
import random
import select
import socket
import threading

from mavlink import frame_size


def frames(data):
    """The MAVLink frames in a datagram, one by one."""
    while len(data) >= 8:
        size = frame_size(data)
        yield data[:size]
        data = data[size:]


class Direction:
    """One way of it: each frame leaves no, one or two times, possibly after the one that follows it."""

    def __init__(self, seed, loss):
        self.random, self.loss, self.kept = random.Random(seed), loss, None
        self.lost = self.doubled = self.overtaken = 0

    def pass_on(self, frame, send):
        kept, self.kept = self.kept, None
        if self.random.random() < self.loss:
            self.lost += 1
        elif kept is None and self.random.random() < self.loss:
            self.kept = frame
            return
        else:
            copies = 1 + (self.random.random() < self.loss)
            self.doubled += copies - 1
            for _ in range(copies):
                send(frame)
        if kept is not None:
            self.overtaken += 1
            send(kept)


class Network:
    """A UDP port that stands for the server's. What a frame suffers depends on the seed and on its number."""

    def __init__(self, server_port, seed, loss):
        self.near = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.near.bind(('127.0.0.1', 0))
        self.far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.far.connect(('127.0.0.1', server_port))
        self.port = self.near.getsockname()[1]
        self.client = None
        self.up, self.down = Direction(2 * seed, loss), Direction(2 * seed + 1, loss)
        self.done = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def to_client(self, frame):
        if self.client is not None:
            self.near.sendto(frame, self.client)

    def run(self):
        while not self.done:
            try:
                ready, _, _ = select.select([self.near, self.far], [], [], 0.1)
                if self.near in ready:
                    data, self.client = self.near.recvfrom(65536)
                    for frame in frames(data):
                        self.up.pass_on(frame, self.far.send)
                if self.far in ready:
                    for frame in frames(self.far.recv(65536)):
                        self.down.pass_on(frame, self.to_client)
            except ConnectionError:  # the other end is gone, or not yet there
                pass

    def close(self):
        self.done = True
        self.thread.join()
        self.near.close()
        self.far.close()
