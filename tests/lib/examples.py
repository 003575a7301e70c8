# SPDX-License-Identifier: Apache-2.0
"""Examples run as they stand, so with the ports that they name."""
import contextlib
import socket
import time

PATIENCE_S = 600


@contextlib.contextmanager
def alone(name):
    """While it lasts no other test of this machine runs that example: they have one each, and wait."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as held:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                held.bind(f'\0mayfly-test-example-{name}')
                break
            except OSError:
                assert time.monotonic() < until, f'another test goes on running the example {name}'
                time.sleep(0.1)
        yield
