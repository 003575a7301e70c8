# SPDX-License-Identifier: Apache-2.0
"""The shell behind SERIAL_CONTROL, as consoles of ground stations write it."""
import time

from pymavlink.dialects.v20 import all as A

CONSOLE = A.SERIAL_CONTROL_FLAG_EXCLUSIVE | A.SERIAL_CONTROL_FLAG_RESPOND | A.SERIAL_CONTROL_FLAG_MULTI
VERSIONS = "HW arch: MAYFLY\nMayfly version: 0.2.0\nPX4 version: Release 1.17.0 (17891583)\n"

def write(link, text, flags=CONSOLE, device=A.SERIAL_CONTROL_DEV_SHELL):
    data = list(text.encode())
    for i in range(0, max(len(data), 1), 70):
        part = data[i:i + 70]
        link.mav.serial_control_send(device, flags, 0, 0, len(part), part + [0] * (70 - len(part)))


def read(link, end="nsh> ", timeout=20.0):
    """What the shell says until its text ends with the prompt, and nothing comes behind it for a moment."""
    text, deadline = "", time.monotonic() + timeout
    while time.monotonic() < deadline:
        m = link.recv_match(type="SERIAL_CONTROL", blocking=True, timeout=0.3)
        if m is None and text.endswith(end):
            return text
        if m is not None:
            assert (m.device, m.flags, m.baudrate) == (A.SERIAL_CONTROL_DEV_SHELL, A.SERIAL_CONTROL_FLAG_REPLY, 0)
            text += bytes(m.data[:m.count]).decode()
    raise AssertionError(f"no prompt behind: {text!r}")


def run(link, line):
    """One line as a console writes it: its echo and the prompt are taken off."""
    write(link, line + "\n")
    text = read(link)
    assert text.startswith(line + "\n") and text.endswith("nsh> "), text
    return text[len(line) + 1:-len("nsh> ")]
