#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs unit tests (cmocka programs), process tests (Python programs) and checks (commands), and sums them up.

One line per program, the whole output of those that failed, and at the end one line 'N passed, N failed'.
Unit tests run side by side, and so do process tests, twice as many of them: they wait most of their time, on ports of
their own. Checks run one after the other. Python programs are forks of this one, which has imported what they import:
an interpreter's start would be most of what many of them cost. Cases of process tests that take long are listed in
tests/process/long.txt: --cases brief leaves them out, --cases long runs them alone.
"""
import argparse
import atexit
import concurrent.futures
import gc
import os
import re
import resource
import runpy
import selectors
import shlex
import signal
import subprocess
import sys
import threading
import time
import traceback
import unittest


UNITS_AT_ONCE = 8  # tests of one start: it loads libraries, which takes longer than most of them
LONG, LONG_S = 'tests/process/long.txt', 0.06  # what a case that is not in it may take of a processor [s]


class Result:
    def __init__(self, name, passed, failed, skipped, output, seconds, busy=''):
        self.name, self.passed, self.failed, self.skipped = name, passed, failed, skipped
        self.output, self.seconds, self.busy = output, seconds, busy


def execute(argv, timeout_s, env):
    """Run argv in a process group of its own, so that nothing it started outlives a timeout."""
    start = time.monotonic()
    try:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors='replace', start_new_session=True, env=env)
    except OSError as error:
        return 127, f'{argv[0]}: {error}\n', 0.0
    try:
        output, _ = process.communicate(timeout=timeout_s)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += f'\nstill running after {timeout_s} s: killed\n'
        code = 124
    return code, output, time.monotonic() - start


def warm_up(scripts):
    """What most of them import, once."""
    import csv, hashlib, http.client, http.server, json, random, shutil, socket, ssl, struct, tempfile, unittest, urllib.request  # noqa: E401,F401
    import xml.etree.ElementTree  # noqa: F401
    sys.dont_write_bytecode = True
    if 'tests/process/test_process.py' in scripts:
        sys.path[0] = os.path.abspath('tests/process')
        import swarm_case, test_process  # noqa: E401,F401
        import test_api, test_mission, test_replay, test_simctl, test_swarm_bus, test_swarm_links, test_time_socket  # noqa: E401,F401
    gc.disable()  # they end before it would be worth its time, which is one in ten of theirs
    gc.freeze()


def long_cases():
    """{script: its cases that take long; '*' for all}."""
    scripts = {}
    with open(LONG, encoding='utf-8') as table:
        for line in table:
            if line.strip() and not line.startswith('#'):
                name, case = line.split()
                scripts.setdefault(os.path.join(os.path.dirname(LONG), name), set()).add(case)
    return scripts


class Cases:
    """Of a script's cases, those that are listed, or the others."""

    def __init__(self, listed, want):
        self.listed, self.want, self.known = listed, want, set()
        names_of, self.run_one = unittest.TestLoader.getTestCaseNames, unittest.TestCase.run
        unittest.TestLoader.getTestCaseNames = lambda loader, case: [name for name in names_of(loader, case) if self.wanted(name)]
        unittest.TestCase.run = lambda case, result=None: self.run(case, result)

    def wanted(self, name):
        self.known.add(name)
        return (name in self.listed or '*' in self.listed) == self.want

    @staticmethod
    def spent():
        return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))

    def run(self, case, result):
        before = self.spent()
        ended = self.run_one(case, result)
        if not self.want and self.spent() - before > 3 * LONG_S:  # on a machine that is as busy as it may be
            print(f'note: {case._testMethodName} took {self.spent() - before:.2f} s of a processor: a smaller world, or a line of {LONG}?')
        return ended

    def unknown(self):
        return sorted(self.listed - self.known - {'*'})


class Fork:
    """A Python program in a process group of its own, all of its cases or some; call it only while there is one thread."""

    def __init__(self, argv, name, cases, env):
        self.name, self.output, self.start, self.killed = name, b'', time.monotonic(), False
        self.pipe, into = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self.become(argv, into, cases, env)
        os.close(into)

    @staticmethod
    def become(argv, into, cases, env):
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for fd, place in ((nothing, 0), (into, 1), (into, 2)):
            os.dup2(fd, place)
        os.closerange(3, 256)
        os.environ.update(env)
        sys.argv = argv
        sys.path[0] = os.path.dirname(os.path.abspath(argv[0]))
        some = Cases(*cases) if cases else None
        code = 0
        try:
            runpy.run_path(os.path.abspath(argv[0]), run_name='__main__')
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            if code and not isinstance(end.code, int):
                print(end.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
            code = 1
        if some and some.unknown():
            print(f'{LONG} names cases that {argv[0]} has not: {", ".join(some.unknown())}')
            code = 1
        threading._shutdown()  # as the interpreter's own end, which would free each object of this one's first
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    def end(self):
        os.close(self.pipe)
        if self.killed:
            self.output += b'\nstill running after its time: killed\n'
        _, status, used = os.wait4(self.pid, 0)
        output = self.output.decode(errors='replace')
        return Result(self.name, *count_process(os.waitstatus_to_exitcode(status), output), output, time.monotonic() - self.start,
                      f', {used.ru_utime + used.ru_stime:.2f} s of a processor')


def run_forks(commands, jobs, timeout_s, env):
    """Results of (arguments, name, what Cases() wants) as they end, `jobs` at a time."""
    waiting = list(commands)
    with selectors.PollSelector() as pipes:
        while waiting or pipes.get_map():
            while waiting and len(pipes.get_map()) < jobs:
                fork = Fork(*waiting.pop(0), env)
                pipes.register(fork.pipe, selectors.EVENT_READ, fork)
            for key, _ in pipes.select(1):
                more = os.read(key.fd, 65536)
                key.data.output += more
                if not more:
                    pipes.unregister(key.fd)
                    yield key.data.end()
            for key in pipes.get_map().values():
                if time.monotonic() - key.data.start > timeout_s and not key.data.killed:
                    os.killpg(key.data.pid, signal.SIGKILL)
                    key.data.killed = True


def scripts_of(options):
    """The process tests as run_forks() takes them."""
    if options.cases == 'all':
        return [([script], script, None) for script in options.process]
    long = long_cases()
    lost = sorted(long.keys() - set(options.process))
    if options.cases == 'long' and lost:
        sys.exit(f'{LONG} names scripts that are not there: {", ".join(lost)}')
    return [([script], script, (long.get(script, set()), options.cases == 'long')) for script in options.process
            if options.cases == 'brief' or script in long]


def count_tap(output):
    """Counts of a cmocka program in TAP form, and how many it had planned."""
    planned = sum(int(n) for n in re.findall(r'^1\.\.(\d+)', output, re.M))
    skipped = len(re.findall(r'^(?:not )?ok\b.*# SKIP', output, re.M))
    passed = len(re.findall(r'^ok\b(?!.*# SKIP)', output, re.M))
    failed = len(re.findall(r'^not ok\b(?!.*# SKIP)', output, re.M))
    return planned, passed, failed, skipped


def tests_of(path, at_once):
    """(program, names of some of its tests): a program `tests` has many, and lists them; it runs some in one start."""
    if os.path.basename(path) != 'tests':
        return [(path, [])]
    names = subprocess.run([path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return [(path, names[i:i + at_once]) for i in range(0, len(names), at_once)]


def run_units(path, names, wrap, judge, timeout_s, env):
    """Results of tests of a program, each of which is a process of its own."""
    code, output, seconds = execute([*wrap, path, *names], timeout_s, dict(env, CMOCKA_MESSAGE_OUTPUT='TAP'))
    if len(names) < 2:
        full = os.path.join(os.path.dirname(path), *names) if names else path
        return [unit_result(full, code, output, seconds, wrap, judge)]
    ended = re.split(r'\nended (\S+) (-?\d+) ([\d.]+)\n', output)  # what a test printed, its name, code and seconds, the next one's
    told = {name: (int(one), text, float(took)) for text, name, one, took in zip(*(ended[i::4] for i in range(4)))}
    return [unit_result(os.path.join(os.path.dirname(path), name), *told.get(name, (code or 1, ended[-1], seconds)), wrap, judge)
            for name in names]


def unit_result(name, code, output, seconds, wrap, judge):
    planned, passed, failed, skipped = count_tap(output)
    lost = planned - passed - failed - skipped
    if failed and judge is not None and code != judge:
        output += f'note: {failed} assertions did not hold under "{wrap[0]}"; only what it finds itself counts here\n'
        passed, failed, code = passed + failed, 0, 0
    if lost > 0:
        failed += lost  # it died on the way
    if code != 0 and failed == 0:
        failed = 1  # a sanitizer or valgrind spoke, or it died before its first test
    if planned == 0 and failed == 0:
        failed, output = 1, output + 'no test ran\n'
    return Result(name, passed, failed, skipped, output, seconds)


def count_process(code, output):
    """Counts of a Python test program: unittest's summary, an own 'N passed, N failed', or the exit code alone."""
    own = re.findall(r'^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?', output, re.M)
    ran = re.search(r'^Ran (\d+) tests? in', output, re.M)
    if own:
        passed, failed, skipped = (int(n or 0) for n in own[-1])
    elif ran:
        counts = {k: int(v) for k, v in re.findall(r'(failures|errors|skipped|unexpected successes)=(\d+)', output)}
        failed = counts.get('failures', 0) + counts.get('errors', 0) + counts.get('unexpected successes', 0)
        skipped = counts.get('skipped', 0)
        passed = max(0, int(ran.group(1)) - failed - skipped)
    else:
        passed, failed, skipped = (1, 0, 0) if code == 0 else (0, 1, 0)
    if code != 0 and failed == 0:
        failed = 1
    return passed, failed, skipped


def run_process(argv, name, timeout_s, env):
    code, output, seconds = execute(argv, timeout_s, env)
    return Result(name, *count_process(code, output), output, seconds)


def show(result, verbose):
    word = 'FAIL' if result.failed else 'ok  '
    skipped = f', {result.skipped} skipped' if result.skipped else ''
    print(f'{word} {result.name}: {result.passed} passed, {result.failed} failed{skipped} ({result.seconds:.2f} s{result.busy})')
    if result.failed or verbose:
        print(''.join(f'     {line}\n' for line in result.output.splitlines()), end='')
    else:  # figures, what a check has to say and what was skipped, shown even when all is well
        for line in result.output.splitlines():
            if re.match(r'(note|figure|skipped): ', line, re.I) or re.search(r'# SKIP|\.\.\. skipped | must \S+ (ok|near|over|under)$', line):
                print(f'     {line}')
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--wrap', default='', help='command put before each unit test, such as valgrind')
    parser.add_argument('--judge', type=int, metavar='CODE', help='with --wrap: a unit test fails if it dies or ends with '
                        'CODE, which the wrapper gives when it found something; failed assertions are only noted')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--timeout', type=float, default=120, help='for each program [s]')
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('--unit', nargs='*', default=[], metavar='PROGRAM')
    parser.add_argument('--process', nargs='*', default=[], metavar='SCRIPT')
    parser.add_argument('--cases', choices=('all', 'brief', 'long'), default='all', help=f'of process tests, all or without those of {LONG}, or only they')
    parser.add_argument('--check', nargs='*', default=[], metavar='COMMAND')
    options = parser.parse_args()
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE='1')
    env['PATH'] = os.pathsep.join([os.path.dirname(sys.executable), env.get('PATH', os.defpath)])  # a shim of python3 costs more than Python
    results = []

    def done(result):
        results.append(result)
        show(result, options.verbose)

    wrap = shlex.split(options.wrap)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        units = [some for path in options.unit for some in tests_of(path, 1 if wrap else UNITS_AT_ONCE)]
        for results_ in pool.map(lambda some: run_units(*some, wrap, options.judge, options.timeout, env), units):
            for result in results_:
                done(result)
    if options.check or options.process:
        warm_up(options.process)
    for command in options.check:
        argv = shlex.split(command)
        if argv[0].startswith('python'):
            for result in run_forks([(argv[1:], command, None)], 1, options.timeout, env):
                done(result)
        else:
            done(run_process(argv, command, options.timeout, env))
    for result in run_forks(scripts_of(options), 2 * options.jobs, max(options.timeout, 300), env):
        done(result)

    if options.process and options.cases == 'brief':
        print(f'note: `make long` runs the cases of {LONG}, which this left out')
    total = [sum(getattr(r, k) for r in results) for k in ('passed', 'failed', 'skipped')]
    skipped = f', {total[2]} skipped' if total[2] else ''
    print(f'{total[0]} passed, {total[1]} failed{skipped}')
    return 1 if total[1] or not results else 0


if __name__ == '__main__':
    sys.exit(main())
