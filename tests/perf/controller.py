# SPDX-License-Identifier: Apache-2.0
"""What a controller on this machine costs: 100 instances made ready, and flying, by build/simctl beside the drone's program."""
import os
import tempfile

import local_controller
from process_table import children


class Controller(local_controller.Controller):
    def __init__(self, binary):
        self.folder = tempfile.TemporaryDirectory(prefix='mayfly-bench-')
        super().__init__('--mayfly', binary, '--state', os.path.join(self.folder.name, 'state'))

    def __exit__(self, *_):
        super().__exit__()
        self.folder.cleanup()

    def start(self, count):
        """Instances that are ready."""
        made = super().start(count=count)
        if any(one['state'] != 'ready' for one in made):
            raise RuntimeError(f'not all of {count} instances are ready')
        return made

    def processes(self):
        """Itself and its children, the drones."""
        return [self.process.pid, *children(self.process.pid)]


def memory_mb(pid, what):
    with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as f:
        return next(int(line.split()[1]) for line in f if line.startswith(what + ':')) * 1024 / 1e6
