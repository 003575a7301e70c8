# SPDX-License-Identifier: Apache-2.0
"""Port numbers for programs that cannot take port 0 and say which one they got, such as mavsdk_server."""
from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from typing import Optional

# Below those that the kernel gives to connections (32768 and up), so that nobody gets one by chance.
FIRST, LAST = 15000, 17999


class ReservedPort:
    """A TCP port on this machine that no other process which asks here gets until release()."""

    def __init__(self) -> None:
        folder = os.path.join(tempfile.gettempdir(), f"pytest-mayfly-{os.getuid()}")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.number, self._fd = 0, -1
        count = LAST - FIRST + 1
        first = os.getpid() * 16 % count
        for i in range(count):
            number = FIRST + (first + i) % count
            fd = self._lock(os.path.join(folder, str(number)))
            if fd is not None and self._is_free(number):
                self.number, self._fd = number, fd
                return
            if fd is not None:
                os.close(fd)
        raise OSError("no TCP port is free")

    @staticmethod
    def _lock(path: str) -> Optional[int]:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(fd)
            return None
        return fd

    @staticmethod
    def _is_free(number: int) -> bool:
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", number))
            except OSError:
                return False
        return True

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
