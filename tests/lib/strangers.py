# SPDX-License-Identifier: Apache-2.0
"""Connections that say nothing."""
import contextlib
import resource
import socket

CROWD = 1000


def strangers(case, port=None, path=None, kind=socket.SOCK_STREAM, count=CROWD):
    """So many silent connections to a port or to a local socket; they last as long as the test case, unless the other end closes them."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    left = case.enterContext(contextlib.ExitStack())
    for _ in range(count):
        if path is None:
            left.enter_context(socket.create_connection(('127.0.0.1', port), timeout=30))
        else:
            link = left.enter_context(socket.socket(socket.AF_UNIX, kind))
            link.settimeout(30)
            link.connect(path)
