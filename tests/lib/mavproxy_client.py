# SPDX-License-Identifier: Apache-2.0
"""MAVProxy with its console on pipes."""
import pathlib
import subprocess
import sys
import time


class Proxy:
    """MAVProxy with its console on pipes."""

    def __init__(self, master, directory):
        program = pathlib.Path(sys.executable).with_name("mavproxy.py")
        self.output = open(directory / "mavproxy.log", "w+")
        self.process = subprocess.Popen(
            [sys.executable, program, "--master", master, "--nowait", "--force-connected",
             "--state-basedir", str(directory)],
            cwd=directory, stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT, text=True)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def log(self):
        self.output.flush()
        return pathlib.Path(self.output.name).read_text(errors="replace")

    def wait(self, part, timeout=20, begin=0):
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if part in self.log()[begin:]:
                return
            time.sleep(0.1)
        raise AssertionError(f"no '{part}' in:\n{self.log()[-2000:]}")

    def ask(self, line, *answers):
        """Say a line and wait for all that must come after it."""
        begin = len(self.log())
        self.say(line)
        for answer in answers:
            self.wait(answer, begin=begin)

    def stop(self):
        self.process.kill()     # its input thread does not end by itself
        self.process.wait()
        self.output.close()
