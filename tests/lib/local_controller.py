# SPDX-License-Identifier: Apache-2.0
"""build/simctl serve as a process of a test, on a free port (docs/controller.md)."""
import contextlib
import os
import signal
import subprocess
import tempfile

from controller_client import Client
from paths import MAYFLY, SIMCTL

PATIENCE_S = 60.0


class Controller(Client):
    """Its end says on stderr what errors has then. files: open files that it may have at once"""

    def __init__(self, *args, files=None):
        limit = [] if files is None else ['prlimit', f'--nofile={files}']
        self.log, self.errors = tempfile.TemporaryFile(), ''    # a pipe that nobody reads would stop it
        self.process = subprocess.Popen([*limit, SIMCTL, 'serve', '--listen', '127.0.0.1:0', '--mayfly', MAYFLY, *args],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith('simctl: http://'):
            self.kill()
            raise AssertionError(line + self.errors)
        super().__init__(line.split()[1].rstrip(':'))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def reap(self):
        self.process.communicate(timeout=PATIENCE_S)
        self.log.seek(0)
        self.errors = self.log.read().decode()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.reap()
            assert self.process.returncode == 0, (self.process.returncode, self.errors)

    def kill(self):
        self.process.kill()
        self.reap()

    def run(self, *args, code=0):
        """simctl as its client: what it says on stdout, or of an error on stderr."""
        done = subprocess.run([SIMCTL, *args], env=dict(os.environ, MAYFLY_CONTROLLER=self.url), capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr


@contextlib.contextmanager
def templates(**texts):
    """A folder of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            with open(os.path.join(folder, name + '.yaml'), 'w', encoding='utf-8') as f:
                f.write(text)
        yield folder
