#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py BUILD: lines and branches that unit tests and tests/sim take, by room and by file, as gcov counts them.

BUILD holds the objects that COV=1 compiled, with the counts of the tests beside them. Every .c of a room counts; a file that
no test runs counts with 0. Branches of assertions do not count, since they are for mistakes of authors, nor do those of
ci/coverage.txt, where each line is 'path: piece of a source line  # why no test takes its branches'. BUILD/uncovered.txt lists
the branches that no test takes. Among them was RC_MAP_*, which no test had ever set.
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

JUDGED = ('firmware', 'mavlink')
ROOMS = JUDGED + ('math', 'hal', 'world', 'drone', 'fleet', 'host', 'hal-posix', 'hal-sim', 'hal-stm32', 'boards', 'tools')
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
    """[path, piece of a line, how many branches it excepts]"""
    with open(EXCEPTIONS, encoding='utf-8') as f:
        return [[*re.match(r'([^\s:]+): (.+?)\s+# .', line).groups(), 0] for line in f if not line.startswith('#') and line.strip()]


def count_file(source, found, exceptions, uncovered):
    with open(source, encoding='utf-8') as f:
        text = f.read()
    lines, left_out, count = text.split('\n'), assertions(text), Count()
    count.files = 1
    for number, (ran, branches) in sorted(found.items()):
        count.lines += 1
        count.lines_taken += ran > 0
        never = branches.count(0)
        if number in left_out or not branches:
            continue
        rule = next((r for r in exceptions if never and r[0] == source and r[1] in lines[number - 1]), None)
        if rule:
            rule[2] += never
            count.excepted += never
        elif never:
            uncovered.append(f'{source}:{number}: {never} of {len(branches)} never: {lines[number - 1].strip()}')
        count.branches += len(branches) - (never if rule else 0)
        count.branches_taken += len(branches) - never
    return count


def main():
    build = sys.argv[1]
    sources = sorted(path for room in ROOMS for path in glob.glob(f'{room}/**/*.c', recursive=True))
    counts, exceptions, uncovered = read_counts(build, sources), load_exceptions(), []
    rooms, judged, whole = collections.defaultdict(Count), Count(), Count()
    print(f'{"":40} files  lines    taken branches  taken  excepted')
    for source in (source for source in sources if source in counts):
        count = count_file(source, counts[source], exceptions, uncovered)
        rooms[room_of(source)].add(count)
        if count.branches_taken < count.branches or count.lines_taken < count.lines:
            print(count.row(source))
    for room, count in rooms.items():
        print(count.row(room))
        whole.add(count)
        if room in JUDGED:
            judged.add(count)
    with open(f'{build}/uncovered.txt', 'w', encoding='utf-8') as f:
        f.writelines(f'{line}\n' for line in uncovered)
    print(f'not compiled for this machine: {" ".join(source for source in sources if source not in counts)}')
    useless = [rule for rule in exceptions if not rule[2]]
    for path, piece, _ in useless:
        print(f'ci/coverage.txt: no branch of {path} needs this: {piece}')
    figures = Figures()
    figures.add('coverage.branches', 100 * judged.branches_taken / judged.branches if judged.branches else None, '%')
    figures.add('coverage.branches.all', 100 * whole.branches_taken / whole.branches if whole.branches else None, '%')
    figures.add('coverage.lines.all', 100 * whole.lines_taken / whole.lines if whole.lines else None, '%')
    return figures.exit_code() or bool(useless)


if __name__ == '__main__':
    sys.exit(main())
