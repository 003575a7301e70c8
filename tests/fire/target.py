# SPDX-License-Identifier: Apache-2.0
"""The drone that a client meets, on ports that it chose itself, and what its control API says of it."""
import re
import signal
import subprocess
import threading

from drone import ApiDrone

AWAKE_S = 0.3


class TargetError(Exception):
    """Mayfly itself did what it must not."""


class Target(ApiDrone):
    def __init__(self, *args):
        try:
            super().__init__(*args)
            self.port()
        except AssertionError as error:
            self.end(signal.SIGKILL)
            raise TargetError(f"did not start: {error}") from error
        self.over = threading.Event()
        threading.Thread(target=self.keep_awake, daemon=True).start()

    def keep_awake(self):
        """A drone that nobody watches sleeps. A connection would find its clock where it fell asleep, and its first samples would
        count as late."""
        while not self.over.wait(AWAKE_S):
            try:
                self.get("/healthz")
            except OSError:
                pass

    def vehicle(self):
        return self.get("/v1/vehicle")[1]

    def fired(self):
        """How often rules of misbehaviour did something."""
        return sum(rule["fired"] for rule in self.get("/v1/misbehaviour")[1]["rules"])

    def behave(self):
        self.ask("DELETE", "/v1/misbehaviour")

    def overruns(self):
        return int(re.search(r"^mayfly_overruns_total (\d+)", self.get("/metrics")[1], re.M)[1])

    def stop(self):
        """End it. Returns what is wrong with it, if anything, and how many deadlines it missed."""
        try:
            overruns = self.overruns()
        except OSError:
            overruns = 0
        self.over.set()
        alive = self.process.poll() is None
        try:
            code, _ = self.end()
        except subprocess.TimeoutExpired:
            self.end(signal.SIGKILL)
            return "does not end on SIGTERM", overruns
        log = "".join(self.lines)
        if not alive or code != 0 or re.search(r"assert|AddressSanitizer|runtime error", log):
            return f"ended {'badly' if alive else 'by itself'}, exit code {code}: {log.strip()[-500:]}", overruns
        return "", overruns
