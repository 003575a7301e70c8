# SPDX-License-Identifier: Apache-2.0
"""What a controller on this machine costs: 100 instances made ready, and flying, by build/simctl beside the drone's program."""
import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
now = time.monotonic


class Controller:
    def __init__(self, binary):
        simctl = os.path.join(os.path.dirname(binary), 'simctl')
        self.folder = tempfile.TemporaryDirectory(prefix='mayfly-bench-')
        self.process = subprocess.Popen([simctl, 'serve', '--listen', '127.0.0.1:0', '--mayfly', binary,
                                         '--state', os.path.join(self.folder.name, 'state')],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        words = self.process.stdout.readline().split()
        if len(words) < 2:
            raise RuntimeError('the controller did not start')
        self.url = words[1].rstrip(':')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        self.folder.cleanup()

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={'Content-Type': 'application/json'})
        with OPENER.open(request, timeout=90) as answer:
            return json.load(answer)

    def start(self, count):
        """Instances that are ready."""
        made = self.ask('POST', '/v1/instances?wait=ready', {'count': count})['instances']
        if any(one['state'] != 'ready' for one in made):
            raise RuntimeError(f'not all of {count} instances are ready')
        return made

    def processes(self):
        """Itself and its children, the drones."""
        pids = [self.process.pid]
        for name in filter(str.isdigit, os.listdir('/proc')):
            with contextlib.suppress(OSError), open(f'/proc/{name}/stat', encoding='ascii', errors='replace') as f:
                if int(f.read().rsplit(')', 1)[1].split()[1]) == self.process.pid:
                    pids.append(int(name))
        return pids


def cpu_s(pid):
    total = 0
    for task in os.listdir(f'/proc/{pid}/task'):
        with contextlib.suppress(OSError), open(f'/proc/{pid}/task/{task}/schedstat', encoding='ascii') as f:
            total += int(f.read().split()[0])
    return total * 1e-9


def memory_mb(pid, what):
    with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as f:
        return next(int(line.split()[1]) for line in f if line.startswith(what + ':')) * 1024 / 1e6
