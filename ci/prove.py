#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves with Frama-C's Eva that code which reads foreign bytes has no undefined behaviour, whatever the bytes are.

    python3 ci/prove.py [--build build] [--when ci] [--all] [--jobs 2] [NAME ...]
    python3 ci/prove.py --table    writes what proofs.txt, discharged.txt and the last runs say into the table of SECURITY.md

tests/prove/proofs.txt lists the proofs, tests/prove/hints.txt where Eva tells cases apart, tests/prove/discharged.txt the alarms
that a person has judged. A proof fails on any other alarm, on an assumption that Frama-C would make by itself, and if its entry
point does not come to its end. A line of discharged.txt that matches no alarm fails, too. A proof whose inputs are those of its
last success does not run again (--all: it does). A proof, or each of the parts that proofs.txt gives it, has 15 minutes of a
processor. SECURITY.md has a row for each proof, in the order of the list. Fuzzers show faults that exist; this shows that none
does, and no commit records one that it found.
"""
import argparse
import concurrent.futures
import csv
import fnmatch
import hashlib
import os
import re
import signal
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = 'tests/prove/proofs.txt'
JUDGED = 'tests/prove/discharged.txt'
HINTS = 'tests/prove/hints.txt'
PAGE = 'SECURITY.md'
# Seconds of a processor, kB. Beyond the hard limit Linux would send SIGKILL, which does not say why.
LIMITS = 'ulimit -S -t 900; ulimit -H -t 905; ulimit -v 6000000; exec "$@"'

# Numbers from the wire may be no numbers; what they are converted to is checked. The rest of the options ends a proof
# at whatever Frama-C would otherwise assume with a warning.
OPTIONS = ['-c11', '-no-unicode', '-warn-special-float', 'none', '-eva', '-eva-no-show-progress',
           '-eva-warn-key', 'alarm=inactive,builtins:missing-spec=abort,libc:unsupported-spec=abort',
           '-kernel-warn-key', 'annot:missing-spec=abort,typing:implicit-function-declaration=abort,asm=abort',
           '-kernel-msg-key=-*']
HINT = re.compile(r'(after )?(split|dynamic_split|merge|slevel|loop unroll|assert) ')  # none of which Eva believes without a proof
CLOSED = ('Valid', 'Considered valid', 'Dead')


class Proof:
    """One line of the list, for one layout of data: what ships is proven for 64 bits, each night for 32, too."""

    def __init__(self, words, layout, part):
        self.name, self.entry, when, self.precision = words[:4]
        self.when, parts = parts_of(when)
        self.in_ci = self.when == 'ci' and layout == 64
        self.machdep = f'gcc_x86_{layout}'
        self.title = f"{self.name}{f'.{part}' if parts > 1 else ''}-{layout}"
        self.defines = ' '.join([f'-DPART={part} -DPARTS={parts}', *(word for word in words if word.startswith('-D'))])
        rest = words[4:]
        options = next((i for i, word in enumerate(rest) if word.startswith('-')), len(rest))
        self.sources, self.options = rest[:options], [word for word in rest[options:] if not word.startswith('-D')]


class Judged:
    """One line of the list of alarms that a person has judged."""

    def __init__(self, number, words):
        self.number, self.matched = number, set()
        self.proof, self.function, self.kind, self.property, self.reason = words

    def matches(self, proof, alarm):
        return (fnmatch.fnmatchcase(proof.title, self.proof) and alarm['function'] == self.function and
                alarm['property kind'] == self.kind and as_text(alarm['property']) == self.property)


def parts_of(when):
    """(ci or nightly, number of parts): 'nightly/12' is run in 12 parts."""
    when, _, parts = when.partition('/')
    return when, int(parts or 1)


def as_text(text):
    return ' '.join(text.split())


def lines_of(path):
    """(number, text) of the lines that say something; one that begins with spaces goes on with the one before."""
    found = []
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        for number, line in enumerate(f, 1):
            if line.strip() and not line.startswith('#'):
                if line[0].isspace() and found:
                    found[-1] = (found[-1][0], found[-1][1] + ' ' + line.strip())
                else:
                    found.append((number, line.strip()))
    return found


def read_proofs():
    proofs = []
    for number, line in lines_of(LIST):
        words = line.split()
        if len(words) < 5 or not re.fullmatch(r'(ci|nightly)(/[1-9]\d*)?', words[2]):
            sys.exit(f'{LIST}:{number}: needs name, entry, ci or nightly with /parts, precision, sources')
        proofs += [Proof(words, layout, part) for layout in (64, 32) for part in range(parts_of(words[2])[1])]
    return proofs


def read_judged():
    judged = []
    for number, line in lines_of(JUDGED):
        words = [word.strip() for word in re.split(r'\s\|\s', line, maxsplit=4)]
        if len(words) != 5 or not all(words):
            sys.exit(f'{JUDGED}:{number}: needs proof | function | kind | property | reason')
        judged.append(Judged(number, words))
    return judged


def read_hints():
    hints = {}
    for number, line in lines_of(HINTS):
        words = [word.strip() for word in re.split(r'\s\|\s', line)]
        if len(words) != 3 or not HINT.match(words[2]):
            sys.exit(f'{HINTS}:{number}: needs file | line | split, dynamic_split, merge, loop unroll or assert')
        hints.setdefault(words[0], []).append((number, *words[1:]))
    return hints


def hinted(path, hints):
    """The text of a source with its hints, every line where it was."""
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        lines = f.read().split('\n')
    result = lines.copy()
    for number, start, hint in hints:
        found = [at for at, line in enumerate(lines) if line.lstrip().startswith(start)]
        if len(found) != 1:
            sys.exit(f'{HINTS}:{number}: {path} has {len(found)} lines that begin with: {start}')
        at = found[0]
        if hint.startswith('after '):
            result[at] += f' /*@ {hint[6:]}; */ ;'
        else:  # before a declaration none may stand but with a statement of its own
            result[at] = f"/*@ {hint}; */ {'' if hint.startswith('loop') else ';'} {result[at]}"
    return '\n'.join(result)


class Prover:
    def __init__(self, build, judged):
        self.folder = os.path.join(build, 'prove')
        self.judged = judged
        self.version = subprocess.run(['frama-c', '-version'], capture_output=True, text=True, check=True).stdout.strip()
        self.share = subprocess.run(['frama-c', '-print-share-path'], capture_output=True, text=True,
                                    check=True).stdout.strip()
        copies = os.path.abspath(os.path.join(self.folder, 'hinted'))  # before the tree itself: a proof may include a source
        self.includes = f'-iquote{copies} -I. -D_GNU_SOURCE'
        self.copies = {}
        for path, hints in read_hints().items():
            self.copies[path] = os.path.join(self.folder, 'hinted', path)
            os.makedirs(os.path.dirname(self.copies[path]), exist_ok=True)
            with open(self.copies[path], 'w', encoding='utf-8') as copy:
                copy.write(hinted(path, hints))

    def sources(self, proof):
        return [os.path.abspath(self.copies[path]) if path in self.copies else path for path in proof.sources]

    def digest(self, proof):
        """Of everything that decides how the proof ends; lines may move."""
        text = subprocess.run(['gcc', '-E', '-P', '-C', '-nostdinc', f'-I{self.share}/libc', '-D__FC_MACHDEP_X86_64',
                               *self.includes.split(), *proof.defines.split(), *self.sources(proof)], cwd=TOP, capture_output=True)
        if text.returncode != 0:
            sys.exit(f'{proof.title}: {text.stderr.decode()}')
        mine = [(j.function, j.kind, j.property) for j in self.judged if fnmatch.fnmatchcase(proof.title, j.proof)]
        with open(os.path.abspath(__file__), 'rb') as script:
            parts = [text.stdout, repr((vars(proof), mine, self.version)).encode(), script.read()]
        return hashlib.sha256(b'\0'.join(parts)).hexdigest()

    def path(self, proof, suffix):
        return os.path.join(self.folder, f'{proof.title}.{suffix}')

    def proven_s(self, proof):
        """Time that the proof took [s]; None: it has not been, or its inputs have changed."""
        try:
            with open(self.path(proof, 'ok'), encoding='utf-8') as stamp:
                digest, seconds = stamp.read().split()
        except (FileNotFoundError, ValueError):
            return None
        return float(seconds) if digest == self.digest(proof) else None

    def run(self, proof):
        """(lines to print, ok) of a proof."""
        table, log = self.path(proof, 'csv'), self.path(proof, 'log')
        for path in (table, self.path(proof, 'ok')):
            if os.path.exists(path):
                os.unlink(path)
        digest = self.digest(proof)
        command = ['sh', '-c', LIMITS, 'prove', 'frama-c', '-machdep', proof.machdep,
                   f'-cpp-extra-args={self.includes} {proof.defines}', *OPTIONS, '-eva-precision',
                   proof.precision, '-main', proof.entry, *proof.options, *self.sources(proof), '-then', '-report-csv',
                   os.path.abspath(table)]
        with open(log, 'w', encoding='utf-8') as out:
            process = subprocess.Popen(command, cwd=TOP, stdout=out, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
            code = process.returncode = os.waitstatus_to_exitcode(status)
        with open(log, encoding='utf-8', errors='replace') as out:
            text = out.read()
        seconds = used.ru_utime + used.ru_stime  # of a processor: they run side by side, and beside others
        if code == -signal.SIGXCPU:
            return [f'{proof.title}: not at its end after {seconds:.0f} s of a processor'], False
        if code != 0 or not os.path.exists(table):
            return [f'{proof.title}: Frama-C ended with {code}, see {log}'] + text.splitlines()[-12:], False
        alarms, discharged = self.judge(proof, table)
        wrong = [f"{a['file']}:{a['line']}: {a['function']}: {a['property kind']}: {as_text(a['property'])}" for a in alarms]
        if re.search(rf'Values at end of function {proof.entry}:\s+NON TERMINATING FUNCTION', text):
            wrong.append(f'{proof.entry} never ends: what comes behind its last reachable line is not looked at')
        reached = re.search(r'(\d+) statements reached \(out of (\d+)\)', text)
        line = (f'  {proof.title:22} {len(alarms):3} alarms {discharged:3} discharged {seconds:6.0f} s '
                f'{reached[1] + " of " + reached[2] if reached else "no":>14} statements')
        if not wrong:
            with open(self.path(proof, 'ok'), 'w', encoding='utf-8') as stamp:
                stamp.write(f'{digest} {seconds:.1f}')
        return [line] + ['    ' + w for w in wrong], not wrong

    def judge(self, proof, table):
        """(alarms that are left, how many were discharged)"""
        left, discharged = [], 0
        with open(table, encoding='utf-8', newline='') as f:
            for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
                if row['status'] in CLOSED or row['directory'].startswith('FRAMAC_SHARE'):
                    continue
                if row['property kind'] == 'precondition':
                    continue  # of a function; it stands once more at the call that may break it
                lines = [j for j in self.judged if j.matches(proof, row)]
                for j in lines:
                    j.matched.add(proof.title)
                discharged += bool(lines)
                left += [] if lines else [row]
        return left, discharged


def rows_of(lines):
    """(index, cells) of the lines that are rows of proofs in the page."""
    rows = [(at, [cell.strip() for cell in line.strip('|\n').split('|')]) for at, line in enumerate(lines)
            if re.match(r'\| `\w+` \|', line)]
    return [(at, cells) for at, cells in rows if len(cells) == 6]


def check_page(proofs, judged, seconds=None):
    """Names, times of running and numbers of judged alarms in the page. @p seconds  by name: write them, and these times."""
    with open(os.path.join(TOP, PAGE), encoding='utf-8') as f:
        lines = f.readlines()
    parts = {}
    for proof in proofs:
        if proof.machdep == 'gcc_x86_64':
            parts.setdefault(proof.name, []).append(proof)
    names = [cells[0].strip('`') for _, cells in rows_of(lines)]
    if names != list(parts):
        sys.exit(f'{PAGE}: its table of proofs has {names}, {LIST} has {list(parts)}')
    for (at, cells), (name, of) in zip(rows_of(lines), parts.items()):
        when = 'CI' if of[0].when == 'ci' else 'nightly'
        count = sum(any(fnmatch.fnmatchcase(p.title, j.proof) for p in of) for j in judged)
        want = [when + (f', {len(of)} parts' if len(of) > 1 else ''), cells[4], str(count)]
        if seconds is not None:
            took = [s for s in seconds[name] if s is not None]
            want[1] = (f'{len(of)} x ' if len(of) > 1 else '') + f'{max(took):.0f}' if took else want[1]
            lines[at] = f"| {' | '.join(cells[:3] + want)} |\n"
        elif cells[3:] != want:
            sys.exit(f'{PAGE}:{at + 1}: should end with {want}: run ci/prove.py --table')
    if seconds is not None:
        with open(os.path.join(TOP, PAGE), 'w', encoding='utf-8') as f:
            f.writelines(lines)


def write_page(prover, proofs, judged):
    """Write the times of the proofs, or of the longest of their parts, whose last success still holds."""
    seconds = {}
    for proof in proofs:
        if proof.machdep == 'gcc_x86_64':
            seconds.setdefault(proof.name, []).append(prover.proven_s(proof))
    check_page(proofs, judged, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--when', default='ci', choices=('ci', 'nightly'), help='nightly: those that take longer, too')
    parser.add_argument('--all', action='store_true', help='those whose inputs have not changed, too')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='proofs at a time')
    parser.add_argument('--table', action='store_true', help='write the table of SECURITY.md, and run nothing')
    parser.add_argument('names', nargs='*')
    args = parser.parse_args()
    proofs, judged = read_proofs(), read_judged()
    prover = Prover(args.build, judged)
    if args.table:
        return write_page(prover, proofs, judged)
    check_page(proofs, judged)
    wanted = [p for p in proofs if (p.name in args.names or p.title in args.names if args.names else
                                           args.when == 'nightly' or p.in_ci)]
    todo = [p for p in wanted if args.all or prover.proven_s(p) is None]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(prover.run, p) for p in todo]):
            lines, ok = future.result()
            failed += not ok
            print('\n'.join(lines), flush=True)
    for j in judged:
        stale = [p.title for p in todo if fnmatch.fnmatchcase(p.title, j.proof)]
        if stale and not j.matched:
            failed += 1
            print(f'{JUDGED}:{j.number}: matches no alarm of {", ".join(stale)}: take it away')
    print(f'prove: {len(wanted) - len(todo)} unchanged, {len(todo)} run, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
