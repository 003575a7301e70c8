#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py BUILD: do the tests notice when the code is wrong?

Changes one operator, constant or statement of a file at a time, compiles that file, links the tests of BUILD that contain it, and
runs them until one fails: first the test that mirrors the file, then those that noticed earlier mutants of it, then the rest of
its room, tests/sim, and all others. A mutant that no test notices survives, and is printed with the line that runs it again.
ci/mutants.txt lists survivors that are explained; an entry whose code is gone fails. Survivors led to tests of faults that begin
together, of rejected sticks, of the size of a read, and of MAVLink FTP.

Each room that has unit tests gives so many mutants, and one figure: the share that tests notice, of those that are not explained. A
file that no test links counts with all its mutants, except main(), which only process tests run. A wrong program may remove files
or send signals to any process: each test runs in namespaces of its own, where it sees no other process, and where the root file
system is read-only but for /tmp.
"""
import argparse
import bisect
import collections
import concurrent.futures
import functools
import glob
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import threading

import style
from coverage import room_of
from figures import Figures

LISTED = 'ci/mutants.txt'
# A test should notice an error by samples of its cases.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != 'MF_LONG'}
CPU_S, CPU_FACTOR, WALL_S = 3, 5, 60
MEMORY_BYTES = 4 << 30
BOX = ['unshare', *(['--user', '--map-root-user'] if os.getuid() else []), '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c',
       'mount -o remount,bind,ro / && mount -t tmpfs none /tmp || exit 1; "$0"; exit $?']
# `make sanitize` runs the same tests: what it would notice ends a mutant, too, and needs no other libraries
TRAPS = ['-fsanitize=undefined,float-cast-overflow', '-fsanitize-undefined-trap-on-error']

TOKEN = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*) | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*') |
    (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[fFuUlL]*) | (?P<word>[A-Za-z_]\w*) |
    (?P<operator><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:;,.(){}\[\]\#\\])
    ''', re.X | re.S)
SWAP = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='], '&&': ['||'],
        '||': ['&&'], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'], '<<': ['>>'], '>>': ['<<'], '&': ['|'], '|': ['&'],
        '^': ['|'], '+=': ['-='], '-=': ['+='], '|=': ['&='], '&=': ['|='], '++': ['--'], '--': ['++'], 'true': ['false'],
        'false': ['true'], '!': ['']}
UNARY = {'+', '-', '*', '&'}  # which of these may be another operator with one operand only
QUIET_CALLS = {'MF_ASSERT', 'assert', '_Static_assert', 'sizeof'}
DECLARATION = re.compile(r'\s*(static|const|struct|enum|union|unsigned|u?int\d*_t|float|double|bool|char|size_t|mf_us_t|int|long|void)\b')
STATEMENT = re.compile(r'\s+(?!return\b|else\b|goto\b|case\b|default\b|do\b|for\b|while\b|if\b|switch\b|MF_ASSERT\b|assert\b|_Static_assert\b|\(void\)\w+;)[\w(*].*;\s*(/\*.*\*/)?$')


class Mutant:
    """A file in which `length` characters at `at` are replaced by `word`; the line before and after."""

    def __init__(self, source, at, length, word):
        i = bisect.bisect_right(source.starts, at) - 1
        column = at - source.starts[i]
        self.source, self.edit, self.path, self.line = source, (at, length, word), source.path, i + 1
        self.old, self.function = source.lines[i].strip(), source.function_at(at)
        self.new = (source.lines[i][:column] + word + source.lines[i][column + length:]).strip()

    def text(self):
        at, length, word = self.edit
        return self.source.text[:at] + word + self.source.text[at + length:]



def tokens(text):
    """(kind, word, where) without comments"""
    for found in TOKEN.finditer(text):
        if found.lastgroup != 'comment':
            yield found.lastgroup, found.group(), found.start()


def other_numbers(word):
    """What a constant is changed to"""
    suffix = word[len(word.rstrip('uUlL')):] if word[:2].lower() == '0x' or '.' not in word else ''
    core = word[:len(word) - len(suffix)]
    if '.' in word or ('e' in word.lower() and word[:2].lower() != '0x'):
        mark = 'f' if core[-1] in 'fF' else ''
        value = float(core.rstrip('fF'))
        return [f'{2.0 * value if value else 1.0}{mark}']
    value = int(core, 16) if core[:2].lower() == '0x' else int(core, 8) if len(core) > 1 and core[0] == '0' else int(core)
    return [f'{value + 1}{suffix}'] + ([f'{value - 1}{suffix}'] if value == 1 else [])


class Source:
    """A file and its mutants."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as f:
            self.text = f.read()
        self.lines = self.text.split('\n')
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.functions = [(m.start(), m.group(1)) for m in re.finditer(r'^(?!\s|#|/|\*)[^;={}\n]*?(\w+)\([^;{]*\)\s*\n?\{', self.text, re.M)]

    def function_at(self, at):
        i = bisect.bisect_right(self.functions, (at, '~')) - 1
        return self.functions[i][1] if i >= 0 else ''

    def mutants(self):
        yield from self.tokens_changed()
        yield from self.statements_gone()

    def tokens_changed(self):
        before, quiet, depth = '', 0, 0
        for kind, word, at in tokens(self.text):
            line = self.lines[bisect.bisect_right(self.starts, at) - 1]
            directive = line.lstrip().startswith('#') and not re.match(r'#define \w+ +\(?\(?-?\d', line)
            if word == '(':
                depth += 1
                quiet = quiet or (depth if before in QUIET_CALLS else 0)
            elif word == ')':
                depth -= 1
                quiet = 0 if quiet == depth + 1 else quiet
            if not quiet and not directive and kind != 'string':
                for new in self.others(kind, word, before, line, at):
                    yield Mutant(self, at, len(word), new)
            before = word

    def others(self, kind, word, before, line, at):
        if kind == 'number':
            left = line[:at - self.starts[bisect.bisect_right(self.starts, at) - 1]]
            size = before == '[' and (re.search(r'\b(float|double|char|int|u?int\d+_t)\[$', left) or DECLARATION.match(line) and '=' not in left)
            return [] if size else other_numbers(word)
        if word in UNARY and not re.match(r'[\w)\]]', before[-1:] or '('):
            return ['+'] if word == '-' else []
        if word in UNARY and (self.text[at - 1] != ' ' or self.text[at + len(word)] not in ' \n'):
            return []  # clang-format puts blanks around an operator with two operands: this is a pointer or a cast
        if word == '*' and DECLARATION.match(self.text[:at].rsplit('\n', 1)[1].rsplit('(', 1)[-1]):
            return []
        return SWAP.get(word, [])

    def statements_gone(self):
        for i, line in enumerate(self.lines[:-1]):
            above = next((x for x in reversed(self.lines[:i]) if x.strip() and not x.lstrip().startswith(('/*', '*'))), '')
            whole = re.search(r'(;|\{|\}|:)\s*(/\*.*\*/)?$', above) and line.count('(') == line.count(')')
            if whole and self.functions and STATEMENT.match(line) and not DECLARATION.match(line):
                yield Mutant(self, self.starts[i], len(line), ';')
            if re.match(r'\s*case .*:$', line) and re.match(r'\s*(case|default)\b', self.lines[i + 1]):
                yield Mutant(self, self.starts[i], len(line), '')


class Listed:
    """Survivors that are explained: blocks of a path, '- line', '+ line' and the reason."""

    def __init__(self):
        self.entries, self.used, self.broken = {}, set(), []
        if not os.path.exists(LISTED):
            return
        with open(LISTED, encoding='utf-8') as f:
            blocks = re.split(r'\n\s*\n', re.sub(r'(?m)^#.*\n?', '', f.read()))
        for block in (b.strip() for b in blocks if b.strip()):
            lines = block.split('\n')
            if len(lines) < 4 or not lines[1].startswith('-') or not lines[2].startswith('+'):
                self.broken.append(f'not path, -, + and reason: {lines[0]}')
                continue
            self.entries[(lines[0], lines[1][1:].strip(), lines[2][1:].strip())] = ' '.join(lines[3:])

    def has(self, mutant):
        return (mutant.path, mutant.old, mutant.new) in self.entries

    def check(self, candidates, path):
        """Entries that no mutant of today's code fits are stale; of the files whose paths begin so."""
        there = {(m.path, m.old, m.new) for m in candidates}
        self.broken += [f'{at}: no mutant of the code changes "{old}" into "{new}"' for at, old, new in self.entries if at.startswith(path) and (at, old, new) not in there]
        return self.broken


def defined(path):
    """Symbols of a program or an object: (file, name) of those that only their file knows, ('', name) of the others"""
    found, file = set(), ''
    for line in subprocess.run(['nm', '-ap', '--defined-only', path], capture_output=True, text=True, check=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == 'a' and name.endswith('.c'):
            file = name
        elif name[0] != '.':
            found.add((file if kind.islower() else '', name))
    return found


class Program:
    """A test: which functions it has, how long it takes"""

    def __init__(self, path):
        self.path, self.cpu_s = path, None

    @functools.cached_property
    def symbols(self):
        return defined(self.path)


def limits(cpu_s):
    def set_them():
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s), int(cpu_s) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_them


def passes(path, cpu_s):
    """Does a test pass, within so many seconds of the processor?"""
    try:
        return subprocess.run([*BOX, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT,
                              preexec_fn=limits(cpu_s), timeout=WALL_S, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Bench:
    """Compiles, links, runs."""

    def __init__(self, args, folder):
        self.build, self.folder, self.lock = args.build, folder, threading.Lock()
        self.compiler, self.linker, self.libraries = (shlex.split(text) for text in (args.compile, args.link, args.libraries))
        self.programs = [Program(path) for path in args.tests]
        self.kills = collections.Counter()
        self.plain, self.symbols = {}, {}

    def limit_s(self, program):
        """Limit of processor time of a test, from what it takes without a mutant, which the first call measures"""
        with self.lock:
            if program.cpu_s is None:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                if not passes(program.path, 600):
                    raise RuntimeError(f'{program.path} fails without any mutant')
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                program.cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return CPU_S + CPU_FACTOR * program.cpu_s

    def compile(self, path, text, folder):
        """The bytes of the object, without what only debuggers read; None: it does not compile"""
        source, made = os.path.join(folder, path), os.path.join(folder, 'mutant.o')
        os.makedirs(os.path.dirname(source), exist_ok=True)
        with open(source, 'w', encoding='utf-8') as f:
            f.write(text)
        command = [*self.compiler, *TRAPS, '-w', '-g0', f'-fmacro-prefix-map={folder}/=', '-c', source, '-o', made]
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return None
        with open(made, 'rb') as f:
            return f.read()

    def link(self, program, folder):
        """The test with the mutant, which stands before the archives, so that the file's own object is not taken; None: it does not contain it"""
        name = os.path.relpath(program.path, self.build)
        archives = [f'{self.build}/{archive}.a' for archive in ('testing', 'other', 'host', 'libmayfly')]
        command = [*self.linker, '-s', f'{self.build}/obj/{name}.o', f'{folder}/mutant.o', '-Wl,--start-group', *archives, '-Wl,--end-group',
                   *self.libraries, '-o', f'{folder}/test']
        linked = subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
        return f'{folder}/test' if linked else None

    def prepare(self, path):
        """The code of a file as it is, and its functions"""
        with self.lock:
            if path not in self.plain:
                with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                    with open(path, encoding='utf-8') as f:
                        self.plain[path] = self.compile(path, f.read(), folder)
                self.symbols[path] = defined(f'{self.build}/obj/{path[:-2]}.o')
            return self.plain[path], self.symbols[path]

    def order(self, mutant, symbols):
        """The tests that contain the function, the likeliest first"""
        room, base = os.path.split(mutant.path[:-2])
        own = {('', mutant.function), (f'{base}.c', mutant.function)} & symbols
        wanted = own or symbols

        def rank(program):
            name = os.path.basename(program.path)[len('test_'):]
            alike = len(os.path.commonprefix([name, base]))
            return (name != base, -self.kills[(mutant.path, program.path)], f'/unit/{room}/' not in program.path, -alike, '/sim/' not in program.path, program.cpu_s or 0.0)
        return sorted((p for p in self.programs if wanted & p.symbols), key=rank)

    def judge(self, mutant):
        """'killed by TEST', 'survived', 'equal' (the same code) or 'broken' (it does not compile)"""
        plain, symbols = self.prepare(mutant.path)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            code = self.compile(mutant.path, mutant.text(), folder)
            if code is None or code == plain:
                return 'broken' if code is None else 'equal'
            for program in self.order(mutant, symbols):
                test = self.link(program, folder)
                if test and not passes(test, self.limit_s(program)):
                    self.kills[(mutant.path, program.path)] += 1
                    return f'killed by {os.path.relpath(program.path, self.build)}'
        return 'survived'


def rooms():
    """Those that unit tests can link"""
    tested = {room_of(os.path.relpath(folder, 'tests/unit') + '/') for folder, _, _ in os.walk('tests/unit')}
    return sorted(set(style.PURE) | {room.rstrip('/') for room in tested if os.path.isdir(room)} - {'.', 'boards', 'tools'})


def sources(begin):
    """Those whose paths begin so"""
    for room in rooms():
        for path in sorted(os.path.join(folder, name) for folder, _, names in os.walk(room) for name in names if name.endswith('.c')):
            source = Source(path) if path.startswith(begin) else None
            if source and not any(name == 'main' for _, name in source.functions):
                yield source


def choose(candidates, path, args):
    """A sample of each room, in an order of its own, or what args.at names"""
    if path.endswith('.c'):
        return [m for m in candidates if args.at in (path, f'{path}:{m.line}')]
    chosen = []
    for room in rooms():
        inside = [m for m in candidates if room_of(m.path) == room]
        random.Random(f'{args.seed} {room}').shuffle(inside)
        chosen += inside[:args.count]
    return chosen


def show(mutant, verdict):
    print(f'{verdict}: {mutant.path}:{mutant.line}\n    - {mutant.old}\n    + {mutant.new}', flush=True)


def run(bench, chosen, listed, args):
    """@return {room: counts}"""
    counts = {room_of(mutant.path): collections.Counter() for mutant in chosen}

    def one(mutant):
        return mutant, bench.judge(mutant)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, verdict in pool.map(one, chosen):
            word = verdict.split()[0]
            if word == 'survived' and listed.has(mutant):
                word = 'explained'
            counts[room_of(mutant.path)][word] += 1
            if word == 'survived':
                show(mutant, verdict)
                print(f'    make mutants AT={mutant.path}:{mutant.line}', flush=True)
            elif '.c' in args.at:
                show(mutant, verdict)
    return counts


WORDS = ('killed', 'survived', 'explained', 'equal', 'broken')


def table(counts, args):
    """The rooms, and a figure for each"""
    figures = Figures()
    print(f'mutants: at most {args.count} a room, seed {args.seed}; equal: the same code, broken: it does not compile')
    print(f'| {"room":16} | {" | ".join(WORDS)} | noticed |\n|---|{"---:|" * (len(WORDS) + 1)}')
    shares = {}
    for room, count in counts.items():
        judged = count['killed'] + count['survived']
        shares[room] = 100.0 * count['killed'] / judged if judged else None
        share = f'{shares[room]:5.1f} %' if judged else '-'
        print(f'| {room:16} | {" | ".join(f"{count[word]:{len(word)}}" for word in WORDS)} | {share:>7} |')
    for room, share in shares.items():
        figures.add(f'mutants.{room.replace("/", ".")}', share, '%')
    return figures.exit_code()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('tests', nargs='+')
    arguments.add_argument('--compile', help='command that compiles a file')
    arguments.add_argument('--link', help='command that links a test')
    arguments.add_argument('--libraries', help='its end')
    arguments.add_argument('--count', type=int, default=40, help='of each room')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--at', default='', help='only those of a room or folder, or all of a file or line, such as firmware/flight/fence.c:120')
    args = arguments.parse_args()
    path = args.at.split(':')[0] if '.c' in args.at else os.path.join(args.at, '')
    candidates = [mutant for source in sources(path) for mutant in source.mutants()]
    listed = Listed()
    for what in listed.check(candidates, path):
        print(f'mutants: {LISTED}: {what}')
    chosen = choose(candidates, path, args)
    if listed.broken or not chosen:
        return 1
    with tempfile.TemporaryDirectory(dir=args.build) as folder:
        counts = run(Bench(args, folder), chosen, listed, args)
    if args.at:
        print(', '.join(f'{sum(count[word] for count in counts.values())} {word}' for word in WORDS))
        return 1 if any(count['survived'] for count in counts.values()) else 0
    return table(counts, args)


if __name__ == '__main__':
    sys.exit(main())
