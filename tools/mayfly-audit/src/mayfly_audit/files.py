# SPDX-License-Identifier: Apache-2.0
"""Files that are written. Where they go, a foreign tree may have a link to somewhere else."""
from __future__ import annotations

import os
import stat
import tempfile
from typing import BinaryIO


def is_device(path: str) -> bool:
    """Standard output and the like, which no file may take the place of."""
    folder = os.path.realpath(os.path.dirname(path) or ".")
    return folder.split(os.sep)[1:2] in (["dev"], ["proc"]) or (os.path.exists(path) and not os.path.isfile(path))


def mode_of(path: str) -> int:
    """Of the file that stands there, or of a new one."""
    try:
        status = os.lstat(path)
        if stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode)
    except OSError:
        pass
    mask = os.umask(0o77)
    os.umask(mask)
    return 0o666 & ~mask


def write_whole(path: str, text: str, private: bool = False) -> None:
    """All of it or nothing. A link is replaced, not followed."""
    data = text.encode("utf-8", "backslashreplace")
    if is_device(path):
        with open(path, "wb") as device:
            device.write(data)
        return
    number, temporary = tempfile.mkstemp(prefix=".mayfly-audit-", dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(number, "wb") as file:
            os.fchmod(file.fileno(), 0o600 if private else mode_of(path))
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def fresh(path: str) -> BinaryIO:
    """An empty file, in place of what stands there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    return open(path, "xb")
