#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py BUILD [MAKE]: lines and branches that unit tests, tests/sim and process tests take together, by room and by file, as gcov counts them.

BUILD holds the objects that COV=1 compiled, with the counts of the tests beside them. Every .c of a room counts, whether it is
compiled or not. It fails on a room below its rows of ci/budgets, on a room without a row, and on a file of which no line ran.
Branches of assertions do not count, since they are for mistakes of authors. ci/coverage.txt excepts files and branches, each line
with a reason; a line of it that nothing needs fails, too. BUILD/uncovered.txt lists the lines and branches that no test takes.

A process writes its counts when it ends, also by _exit(), abort() and before exec, and by SIGTERM and SIGINT (ci/coverage.h). One that
is killed loses them. Processes that end at the same time add to the same files under locks. With MAKE it compiles at -O0 and runs
all tests before, which takes 280 s of a processor; process tests that are left out, and long ones that run, are named below.
"""
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

from figures import Figures
from public import ROOMS

# Process tests that make no sense with counters: of what is installed or compiled elsewhere, and of limits of the stack and of time.
FILES_OUT = ('test_install.py', 'test_library.py')
TESTS_OUT = ('test_host_limits.py::Limits::test_stack_and_processes', 'test_process.py::Ending::test_signals_end_it_within_100_ms')
# Tests marked 'long' that run, too, since much of a room runs in no other: pieces of their names.
LONG_OF = 'test_geoid.py test_geoid_fetch.py test_standin.py test_virtual_time.py::Waits test_misbehaviour_of_each_vehicle'
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'coverage.txt')


class Count:
    """Lines and branches of a file or a room, and how many of them tests take"""

    def __init__(self):
        self.files = self.lines = self.lines_taken = self.branches = self.branches_taken = self.excepted = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, name):
        def share(taken, whole):
            return f'{whole:6} {100 * taken / whole:6.1f} %' if whole else f'{whole:6}        -'
        return (f'{name:40} {self.files:5} {share(self.lines_taken, self.lines)} '
                f'{share(self.branches_taken, self.branches)} {self.excepted or "":>8}')


def room_of(path):
    parts = path.split('/')
    return '/'.join(parts[:2]) if parts[0] in ('boards', 'tools') else parts[0]


def gcov(files):
    """{source: {line: (times it ran, [times each of its branches was taken])}} of the objects that these files describe"""
    found = {}
    for text in subprocess.run(['gcov', '-b', '-j', '-t', *files], capture_output=True, text=True, check=True).stdout.splitlines():
        document = json.loads(text)
        source = re.search(r'/obj/(.*)\.o\.gc', document['data_file'])[1] + '.c'
        lines = found.setdefault(source, {})
        for line in (line for file in document['files'] if file['file'] == source for line in file['lines']):
            ran, branches = lines.get(line['line_number'], (0, []))
            lines[line['line_number']] = (max(ran, line['count']), branches + [branch['count'] for branch in line['branches']])
    return found


def run_tests(build, make):
    """Compile with counters and run all tests. Whether process tests pass is for 'make test': their programs are slower here."""
    for old in glob.glob(f'{build}/**/*.gcda', recursive=True):
        os.remove(old)
    left_out = [f'--ignore=tests/process/{file}' for file in FILES_OUT] + [f'--deselect=process/{test}' for test in TESTS_OUT]
    environment = {name: value for name, value in os.environ.items() if name not in ('CI', 'DIST', 'MF_LONG')}
    environment.update(LONG_OF=LONG_OF, PYTEST_ADDOPTS='-rN --tb=line')
    for goal in ['unit'], ['process', f'ARGS={" ".join(left_out)}']:
        done = subprocess.run([make, f'BUILD={build}', 'COV=1', *goal], env=environment, check=goal == ['unit'],
                              close_fds=False)     # make shares its jobs by descriptors
    if done.returncode:
        print('process tests have failed: what they ran counts, and "make process" says whether they fail without counters, too')


def read_counts(build, sources):
    objects = [f'{build}/obj/{source[:-2]}.o' for source in sources]
    files = [o + ('.gcda' if os.path.exists(o + '.gcda') else '.gcno') for o in objects if os.path.exists(o + '.gcno')]
    counts = {}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(gcov, (files[i:i + 20] for i in range(0, len(files), 20))):
            counts.update(found)
    return counts


def assertions(text):
    """Numbers of the lines that belong to an assertion"""
    lines = set()
    for begin in re.finditer(r'\b(?:MF_ASSERT|assert)\(', text):
        at, depth = begin.end(), 1
        while depth:
            depth += {'(': 1, ')': -1}.get(text[at], 0)
            at += 1
        lines.update(range(text.count('\n', 0, begin.start()) + 1, text.count('\n', 0, at) + 2))
    return lines


def load_exceptions():
    """[[path of a file or folder, piece of a line or None, how often it was needed]]"""
    with open(EXCEPTIONS, encoding='utf-8') as f:
        return [[*re.match(r'([^\s:]+)(?:: (.+?))?\s+# .', line).groups(), 0] for line in f if not line.startswith('#') and line.strip()]


def count_file(source, found, exceptions, uncovered):
    with open(source, encoding='utf-8') as f:
        text = f.read()
    lines, left_out, count = text.split('\n'), assertions(text), Count()
    count.files = 1
    for number, (ran, branches) in sorted(found.items()):
        count.lines += 1
        count.lines_taken += ran > 0
        if not ran:
            uncovered.append(f'{source}:{number}: line never: {lines[number - 1].strip()}')
        never = branches.count(0)
        if number in left_out or not branches:
            continue
        rule = next((r for r in exceptions if never and r[0] == source and r[1] and r[1] in lines[number - 1]), None)
        if rule:
            rule[2] += never
            count.excepted += never
        elif never and ran:
            uncovered.append(f'{source}:{number}: {never} of {len(branches)} never: {lines[number - 1].strip()}')
        count.branches += len(branches) - (never if rule else 0)
        count.branches_taken += len(branches) - never
    return count


def judge(rooms):
    """Compare rooms with ci/budgets: lines of each, and branches of those that have a row. @return True if all keep theirs"""
    figures, whole, seen = Figures(), Count(), set()
    for room, count in rooms.items():
        whole.add(count)
        for kind, taken, all_of_it in (('lines', count.lines_taken, count.lines), ('branches', count.branches_taken, count.branches)):
            name = f'coverage.{kind}.{room}'
            if kind == 'lines' or name in figures.limits:
                figures.add(name, 100 * taken / all_of_it if all_of_it else None, '%')
                seen.add(name)
    figures.add('coverage.lines', 100 * whole.lines_taken / whole.lines, '%')
    figures.add('coverage.branches', 100 * whole.branches_taken / whole.branches, '%')
    rows = {name for name in figures.limits if re.match(r'coverage\.(lines|branches)\.', name)}
    for name in sorted(seen ^ rows):
        print(f'ci/budgets: {"no row" if name in seen else "no room"} for {name}')
    return not figures.exit_code() and seen == rows


def main():
    build = sys.argv[1]
    if len(sys.argv) > 2:
        run_tests(build, sys.argv[2])
    sources = sorted(path for room in ROOMS for path in glob.glob(f'{room}/**/*.c', recursive=True))
    counts, exceptions, uncovered = read_counts(build, sources), load_exceptions(), []
    rooms, never = collections.defaultdict(Count), []
    print(f'{"":40} files  lines    taken branches  taken  excepted')
    for source in sources:
        count = count_file(source, counts.get(source, {}), exceptions, uncovered)
        if count.lines_taken == 0 and (count.lines or source not in counts):
            rule = next((r for r in exceptions if r[1] is None and (source + '/').startswith(r[0] + '/')), None)
            if rule:
                rule[2] += 1
                continue
            never.append(source)
        rooms[room_of(source)].add(count)
        if count.branches_taken < count.branches or count.lines_taken < count.lines:
            print(count.row(source))
    print()
    for room, count in rooms.items():
        print(count.row(room))
    with open(f'{build}/uncovered.txt', 'w', encoding='utf-8') as f:
        f.writelines(f'{line}\n' for line in uncovered)
    for source in never:
        print(f'{source}: no line of it ran in any test')
    useless = [rule for rule in exceptions if not rule[2]]
    for path, piece, _ in useless:
        print(f'ci/coverage.txt: nothing needs this: {path}{": " + piece if piece else ""}')
    kept = judge({room: count for room, count in rooms.items() if count.lines})
    return not kept or bool(never or useless)


if __name__ == '__main__':
    sys.exit(main())
