# SPDX-License-Identifier: Apache-2.0
"""Tests of C are programs: pytest runs BUILD/tests/unit/math/test_trig for tests/unit/math/test_trig.c, and prints what a failed one prints.

In the environment:
    BUILD=build        the folder of programs
    MF_LONG=1          runs tests marked 'long', too, and all cases of which tests otherwise take samples (tests/lib/cases.py)
    LONG_OF='a b'      runs tests marked 'long' whose names with file and class contain one of these words
    WRAP='valgrind'    a command before each program of C. With exit code 99 it has found an error; assertions that fail under it do not count,
                       since arithmetic and limits are not those of the machine there.
    CI=1               a test that is skipped fails, except for a reason in MAY_SKIP
"""
import os
import re
import shlex
import signal
import subprocess

import pytest

from paths import BUILD, TOP

FOUND = 99
# {piece of a reason: why CI does not have what the test needs}
MAY_SKIP = {
    'shared/data/geoid': 'published grids of geoids, and what other programs compute with them, are too large for the tree',
    'GEOTRANS': 'the same of NGA',
    'recordings of PX4': 'missions and commands of a real PX4 are no part of the tree',
    'other environment': 'make interop runs each test with the version of MAVSDK that it is for, of two',
    'IPv6': 'a property of the machine',
    'cgroup': 'a property of the machine',
    'one processor': 'a property of the machine',
    **({} if os.environ.get('DEMAND') == 'yes' else {'make nightly': 'the packages of other processors take 1 GB', 'golang-go': 'Go takes as much'}),
}


def pytest_xdist_auto_num_workers(config):
    """Most tests wait for programs most of their time."""
    return 4 * (os.cpu_count() or 1)


def pytest_collect_file(file_path, parent):
    if file_path.suffix == '.c' and file_path.name.startswith('test_'):
        return Program.from_parent(parent, path=file_path)
    return None


def pytest_collection_modifyitems(config, items):
    if not os.environ.get('MF_LONG'):
        long_of = os.environ.get('LONG_OF', '').split()
        kept = [item for item in items if not item.get_closest_marker('long') or any(word in item.nodeid for word in long_of)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if os.environ.get('CI') == '1' and report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if not any(piece in reason for piece in MAY_SKIP):
            report.outcome, report.longrepr = 'failed', f'{item.nodeid} is skipped, and CI has what it needs: {reason}'


class Program(pytest.File):
    def collect(self):
        yield Run.from_parent(self, name=self.path.stem)


class Failed(Exception):
    """A program's output"""


class Run(pytest.Item):
    def runtest(self):
        wrap = shlex.split(os.environ.get('WRAP', ''))
        program = os.path.join(BUILD, os.path.relpath(self.path.with_suffix(''), TOP))
        done = subprocess.run([*wrap, program], cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors='replace', env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT='TAP'), check=False)
        skipped = re.findall(r'^ok \d+ - (\S+) # SKIP', done.stdout, re.M)
        code = f'signal {signal.Signals(-done.returncode).name}' if done.returncode < 0 else f'exit code {done.returncode}'
        wrong = done.returncode in (FOUND,) or done.returncode < 0 if wrap else done.returncode != 0
        if wrong or not re.search(r'^(not )?ok ', done.stdout, re.M):
            raise Failed(f'{" ".join([*wrap, program])}: {code}\n{done.stdout}')
        if skipped:
            pytest.skip(f'{" ".join(skipped)}: {done.stdout}')

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name
