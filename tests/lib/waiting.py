# SPDX-License-Identifier: Apache-2.0
"""What a test waits for, and not longer."""
import contextlib
import subprocess
import time

PATIENCE_S = 60.0
END_S = 5.0


def end_process(process):
    """SIGTERM, and SIGKILL if that does not end it in time: one that is killed writes no counts for 'make coverage'. Its pipes stay open."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
        process.kill()
        process.wait(PATIENCE_S)


def wait_until(condition, what, patience_s=PATIENCE_S, pause_s=0.02, pause_most_s=0.25, errors=OSError):
    """The first true value of condition(), which may fail with these errors on the way. Who waits long asks seldom."""
    end, last = time.monotonic() + patience_s, None
    while True:
        try:
            last = condition()
            if last:
                return last
        except errors as error:
            last = error
        if time.monotonic() > end:
            raise AssertionError(f'{what}: not within {patience_s:g} s: {last!r}')
        time.sleep(pause_s)
        pause_s = min(1.5 * pause_s, max(pause_s, pause_most_s))


def listens_at(path):
    """Whether a program listens at the path of a local socket, which exists from bind() on, before listen()."""
    accepts = '00010000'   # the kernel's __SO_ACCEPTCON, in the column Flags
    with open('/proc/net/unix', encoding='utf-8', errors='replace') as rows:
        return any(row.split()[3] == accepts for row in rows if row.rstrip('\n').endswith(' ' + path))
