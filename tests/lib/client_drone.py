# SPDX-License-Identifier: Apache-2.0
"""A drone for clients, which are told its ports before it has them."""
import signal
import subprocess
import sys

import documents
from connections import listens
from paths import MAYFLY
from ports import free_port, give_back
from waiting import wait_until

PATIENCE_S = 60         # with what would hang for ever


class Drone:
    """One build/mayfly. tcp, udp: its servers; udp_out: where it talks to by itself."""

    def __init__(self, *args):
        self.args = args
        for _ in range(3):  # a program that is no test may take a port before the drone does
            self.tcp, self.udp, self.udp_out = free_port(), free_port(), free_port()
            why = self.start()
            if why is None:
                return
            give_back([self.tcp, self.udp, self.udp_out])
            if "taken by another program" not in why:
                break
        raise RuntimeError(why)

    def start(self):
        """Why it does not listen, or None."""
        self.process = subprocess.Popen(
            [MAYFLY, "--tcp", f"127.0.0.1:{self.tcp}", "--udp", f"127.0.0.1:{self.udp}",
             "--udp-out", f"127.0.0.1:{self.udp_out}", *self.args],
            stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.process.poll() is not None or listens(self.tcp), "mayfly listens", PATIENCE_S)
        return None if self.process.poll() is None else "mayfly ended: " + self.process.stderr.read()

    def url(self, transport):
        """A MAVSDK connection string."""
        return {"tcp": f"tcpout://127.0.0.1:{self.tcp}",
                "udp": f"udpout://127.0.0.1:{self.udp}",
                "udp-out": f"udpin://127.0.0.1:{self.udp_out}"}[transport]

    def stop(self):
        """End it; it must have survived the test and end cleanly. Returns its log."""
        alive = self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        try:
            _, log = self.process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        give_back([self.tcp, self.udp, self.udp_out])
        assert alive, f"mayfly died during the test:\n{log}"
        assert self.process.returncode == 0, log
        return log


def run_example(page, index, drone):
    """A Python example of the documentation, as it stands but for the port. Returns what it printed."""
    code = [c for c in documents.examples(page, kind="python") if "mavsdk" in c][index]
    done = subprocess.run([sys.executable, "-c", code.replace(":5760", f":{drone.tcp}")], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
