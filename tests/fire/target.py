# SPDX-License-Identifier: Apache-2.0
"""One build/mayfly on ports that it chose itself, and what its control API says of it."""
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.request

MAYFLY = pathlib.Path(os.environ.get("MAYFLY", "build/mayfly")).resolve()
START_S = 10
END_S = 10
AWAKE_S = 0.3


class DroneError(Exception):
    """Mayfly itself did what it must not."""


class Drone:
    """tcp: its server's port. Its log is read all the time, so that it never waits for us."""

    def __init__(self, *args):
        self.log = []
        self.process = subprocess.Popen(
            [MAYFLY, "--tcp", "127.0.0.1:0", "--udp", "none", "--udp-out", "none", "--api", "127.0.0.1:0", *args],
            stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        self.reader.start()
        self.tcp = self.said(r"tcp 127\.0\.0\.1:(\d+):")
        self.api = self.said(r"http://127\.0\.0\.1:(\d+)/")
        self.over = threading.Event()
        threading.Thread(target=self.keep_awake, daemon=True).start()

    def read_log(self):
        self.log.extend(iter(self.process.stderr.readline, ""))

    def keep_awake(self):
        """A drone that nobody watches sleeps. A connection would find its clock where it fell asleep, and its first samples would
        count as late."""
        while not self.over.wait(AWAKE_S):
            try:
                self.ask("/healthz")
            except OSError:
                pass

    def said(self, pattern):
        """The port in the line of the log that matches."""
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            found = re.search(pattern, "".join(self.log))
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.process.kill()
        self.process.wait()
        self.reader.join(1)
        raise DroneError("did not start: " + "".join(self.log).strip())

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.api}{path}", method=method)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.read().decode()

    def vehicle(self):
        return json.loads(self.ask("/v1/vehicle"))

    def fired(self):
        """How often rules of misbehaviour did something."""
        return sum(rule["fired"] for rule in json.loads(self.ask("/v1/misbehaviour"))["rules"])

    def behave(self):
        self.ask("/v1/misbehaviour", "DELETE")

    def overruns(self):
        return int(re.search(r"^mayfly_overruns_total (\d+)", self.ask("/metrics"), re.M)[1])

    def stop(self):
        """End it. Returns what is wrong with it, if anything, and how many deadlines it missed."""
        try:
            overruns = self.overruns()
        except OSError:
            overruns = 0
        self.over.set()
        alive = self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "does not end on SIGTERM", overruns
        self.reader.join(1)
        log = "".join(self.log)
        if not alive or code != 0 or re.search(r"assert|AddressSanitizer|runtime error", log):
            return f"ended {'badly' if alive else 'by itself'}, exit code {code}: {log.strip()[-500:]}", overruns
        return "", overruns
