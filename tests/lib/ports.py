# SPDX-License-Identifier: Apache-2.0
"""Ports that no other test gets: a socket in the abstract namespace stands for each until this process ends or gives it back."""
import itertools
import random
import socket

# The kernel hands out none of these to connections.
FIRST, LAST = 20000, 32000
CANDIDATES = itertools.cycle(random.SystemRandom().sample(range(FIRST, LAST), LAST - FIRST))
CLAIMS = {}


def claim(port):
    """True if the port is free, for TCP and UDP, and then this process's."""
    held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        held.bind(f'\0mayfly-test-port-{port}')
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as s:
                s.bind(('', port))
    except OSError:
        held.close()
        return False
    CLAIMS[port] = held
    return True


def give_back(ports):
    for port in ports:
        CLAIMS.pop(port).close()


def free_ports(count=1):
    """The first of some free ports that follow each other."""
    for first in CANDIDATES:
        ports = range(first, first + count)
        taken = next((port for port in ports if not claim(port)), None)
        if taken is None:
            return first
        give_back(range(first, taken))
    raise AssertionError


def free_port():
    return free_ports(1)


def free_instance():
    """A drone's --instance whose ports are free: those of MAVLink, and that of the control API."""
    return next(i for i in random.SystemRandom().sample(range(100, 250), 150) if all(map(claim, (5760 + i, 18570 + i, 14580 + i, 5759 - i))))
