#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Branches of firmware/ and mavlink/ that the tests take: a table by file, then every line with one that none takes.

    ci/coverage.py OBJECTS PROGRAM ...   runs the programs, which were built with --coverage into the folder OBJECTS

Branches of assertions do not count: they are for mistakes of authors. Nor do those of ci/coverage.txt, where each line is
'path: piece of a source line  # why no test takes its branches'.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys

from figures import Figures

ROOMS = ('firmware', 'mavlink')
HERE = os.path.dirname(os.path.abspath(__file__))
EXCEPTIONS = os.path.join(HERE, 'coverage.txt')


def run_programs(objects, programs):
    for old in glob.glob(f'{objects}/**/*.gcda', recursive=True):
        os.remove(old)
    env = dict(os.environ, MF_PHYSICS_PLANS='30', MF_STATE_STEPS='20000')
    return subprocess.run([sys.executable, f'{HERE}/test.py', '--timeout', '600', '--unit', *programs], env=env).returncode


def branches_of(source, objects):
    """{line: [times each branch was taken]}"""
    data = f'{objects}/{source[:-2]}.gcda'
    if not os.path.exists(data):
        return {}
    out = subprocess.run(['gcov', '-b', '-j', '-t', data], capture_output=True, check=True).stdout
    taken = collections.defaultdict(list)
    for file in json.loads(out)['files']:
        if file['file'] == source:
            for line in file['lines']:
                taken[line['line_number']] += [branch['count'] for branch in line['branches']]
    return taken


def assertions(text):
    """Numbers of the lines that belong to an assertion."""
    lines = set()
    for begin in re.finditer(r'\b(?:MF_ASSERT|assert)\(', text):
        at, depth = begin.end(), 1
        while depth:
            depth += {'(': 1, ')': -1}.get(text[at], 0)
            at += 1
        lines.update(range(text.count('\n', 0, begin.start()) + 1, text.count('\n', 0, at) + 2))
    return lines


def load_exceptions():
    """[path, piece of a line, how often it was of use]"""
    with open(EXCEPTIONS, encoding='utf-8') as f:
        rules = [re.match(r'([^\s:]+): (.+?)\s+# .', line) for line in f if not line.startswith('#') and line.strip()]
    return [[*rule.groups(), 0] for rule in rules]


def main():
    objects, programs = sys.argv[1], sys.argv[2:]
    failed = run_programs(objects, programs)
    exceptions = load_exceptions()
    missing, total, covered = [], 0, 0
    print(f'{"branches":>35} {"taken":>7} {"excepted":>9}')
    for source in sorted(name for room in ROOMS for name in glob.glob(f'{room}/*.c')):
        with open(source, encoding='utf-8') as f:
            text = f.read()
        lines, left_out = text.split('\n'), assertions(text)
        here, taken_here, excepted = 0, 0, 0
        for number, counts in sorted(branches_of(source, objects).items()):
            if number in left_out or not counts:
                continue
            never = counts.count(0)
            rule = next((r for r in exceptions if never and r[0] == source and r[1] in lines[number - 1]), None)
            if rule:
                rule[2] += never
                excepted += never
            elif never:
                missing.append(f'{source}:{number}: {never} of {len(counts)} never: {lines[number - 1].strip()}')
            here += len(counts) - (never if rule else 0)
            taken_here += len(counts) - never
        print(f'{source:26} {here:8} {taken_here / here if here else 1:7.1%} {excepted or "":>9}')
        total, covered = total + here, covered + taken_here
    print('\n'.join(missing))
    for rule in exceptions:
        if not rule[2]:
            print(f'ci/coverage.txt: of no use any more: {rule[0]}: {rule[1]}')
            failed = 1
    figures = Figures()
    figures.add('coverage.branches', 100 * covered / total if total else None, '%')
    return figures.exit_code() or failed


if __name__ == '__main__':
    sys.exit(main())
