#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the compiler and clang-tidy do not: the rules of CONTRIBUTING.md that a machine can see.

Prints each finding with the rule and why it exists, then the figures: functions, their lengths, assertions.
"""
import os
import re
import statistics
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PURE = ('mavlink', 'math', 'hal', 'firmware', 'world', 'drone')
ROOMS = PURE + ('host', 'hal-posix', 'hal-sim', 'hal-stm32', 'fleet', 'boards', 'tools', 'tests', 'ci', '.ci', 'docs')
CODE = ('.c', '.h', '.def')
SCRIPTS = ('.py', '.sh')

PARAMETERS = 'firmware/state/params.def'

FUNCTION_LINES_MAX = 70
FUNCTION_LINES_MEDIAN_MAX = 15
FILE_LINES_MAX = 800
COMMENT_COLUMNS_MAX = 100  # clang-format breaks them, but in macros and tables
TRIVIAL_LINES = 10  # a function up to this length has nothing to assert that its caller does not see
SWITCHES_MAX = 5

# Spelled with brackets, so that this file does not find itself.
BANNED = [
    (re.compile(r'\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b'), 'no notes to oneself in the tree',
     'what is left to do stands in an issue, where others see it'),
    (re.compile(r'\bnot (yet )?imple[m]ented\b|\bstu[b](bed)?\b', re.I), 'nothing half done in the tree',
     'what is not supported says so by its error and is listed in the README'),
    (re.compile(r'(?<![\w.])/(wor[k]|roo[t]|hom[e]/\w+)/'), 'no path of somebody\'s machine',
     'the tree builds anywhere'),
    (re.compile(r'\b(strcpy|strcat|sprintf|vsprintf|gets|atoi|atol|atof|strtok|alloca)\s*\('),
     'no call whose limits cannot be seen', 'bounded or checked forms exist for each'),
]
# One thing, one word: what it is called here, and words that it is not called. Names in code count, too.
WORDS = {
    'misbehaviour': r'misch[i]ef|rules[p]ec',
    'link quality': r'shap[e]r|links[p]ec',
    'wrapper or decorator': r'mf_behin[d]',
    'framer': r'cutte[r]',
    'HTTP clients': r'requeste[r]',
    'default': r'usua[l]_|_usua[l]',
    'control inputs': r'mf_signa[l]',
}
# A file without any of these, in whatever case, needs no look at its lines.
HINTS = tuple(re.sub(r'[][]', '', hint).lower() for hint in (
    *'TO[D]O FIX[M]E X[X]X HA[C]K imple[m]ented stu[b] /wor[k] /roo[t] /hom[e] strcpy strcat sprintf get[s]( atoi atol atof strtok alloca'.split(),
    *'|'.join(WORDS.values()).split('|'))) + ('jmp',)
LIMITS = 'firmware/state/limits.h'
CAPACITY = re.compile(r'^\s*#\s*define\s+(\w+_(?:KEPT|MAX|SESSIONS|ROOM_MIN|BURST))\s+\(?[0-9]+u?\b(?!.*_US\b)')
FOREIGN_CAPACITIES = ('MF_PARAM_NAME_MAX', 'MF_CHANNELS_MAX', 'CELLS_MAX', 'VERTEX_MAX',  # MAVLink's
                      'PWM_MAX', 'INT_RETRIES_MAX', 'LATE_MAX', 'LEAD_MAX')  # of nothing that is stored
SPACES = (' \n', '\t', '\r', '\f', '\v', '\xa0')  # a file without any has none at the end of a line
JUMP = re.compile(r'\b(setjmp|longjmp)\s*\(')
JUMPS_IN = 'host/base/guard.c'  # the way out of a broken instance
FAULT = re.compile(r'\bMF_FAUL[T]_[A-Z]')
PLATFORM = re.compile(r'^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(_\w+|linux|unix|SITL|UNIT_TEST|POSIX|ARM|STM32\w*|QEMU)\b')
GUARD = re.compile(r'^\s*#\s*ifndef\s+MF_\w+_H\b')
SWITCH = re.compile(r'^\s*#\s*(?:if|ifdef|ifndef|elif)\b')
DEFAULT = re.compile(r'^\s*#\s*ifndef\s+(\w+)\s*$')


class Report:
    def __init__(self):
        self.findings = []
        self.lengths = []         # of all functions of the rooms
        self.asserts = {}         # room: (functions that are not trivial, assertions)
        self.switches = 0
        self.comments = {}        # '.c' and '.h' of firmware/: [lines of code, lines with a comment]

    def find(self, where, what, why):
        self.findings.append(f'{where}: {what}\n    why: {why}')


def functions(lines):
    """(first line, name, lines) of each function, signature included: our braces stand alone in column 0."""
    start = None
    for i, line in enumerate(lines):
        if line == '{':
            start = i
        elif line == '}' and start is not None:
            head = start - 1
            while head > 0 and lines[head - 1].strip() and not lines[head - 1].startswith(('}', '#', '/*', ' *', '*')):
                head -= 1
            name = re.search(r'(\w+)\s*\(', ' '.join(lines[head:start]))
            yield head + 1, name[1] if name else '?', i - head + 1
            start = None


def check_functions(path, room, lines, report):
    for first, name, length in functions(lines):
        if length > FUNCTION_LINES_MAX:
            report.find(f'{path}:{first}', f'{name} has {length} lines, at most {FUNCTION_LINES_MAX}',
                        'a function that fits a screen can be checked by eye')
        if room == 'tests':
            continue
        report.lengths.append(length)
        if length > TRIVIAL_LINES:
            count, asserts = report.asserts.get(room, (0, 0))
            report.asserts[room] = (count + 1, asserts)


def check_width(path, lines, report):
    for number, line in enumerate(lines, 1):
        if len(line) > COMMENT_COLUMNS_MAX and re.match(r'\s*\*|.*/\*', line):
            report.find(f'{path}:{number}', f'a comment up to column {len(line)}, at most {COMMENT_COLUMNS_MAX}',
                        'two files side by side fit a screen')


def check_faults(path, lines, report):
    """Faults are the world's and the policy's: firmware/ passes requests on, whatever they name."""
    for number, line in enumerate(lines, 1):
        if FAULT.search(line):
            report.find(f'{path}:{number}', 'firmware/ names no fault: MF_FAULT_ stands behind hal/inject',
                        'a device that fails by itself must do the same as one that was told to fail')


def check_capacities(path, lines, report):
    """How many of a thing fit is decided in one place; lengths that a protocol or a table gives stand with it."""
    for number, line in enumerate(lines, 1):
        for macro in CAPACITY.findall(line):
            if macro not in FOREIGN_CAPACITIES:
                report.find(f'{path}:{number}', f'a capacity outside {LIMITS}: {macro}', 'whoever ports it sees all of them at once')


def check_switches(path, lines, report):
    """Preprocessor conditions in the rooms without an operating system."""
    for number, line in enumerate(lines, 1):
        if not SWITCH.match(line) or GUARD.match(line):
            continue
        if PLATFORM.match(line):
            report.find(f'{path}:{number}', f'a condition on the platform: {line.strip()}',
                        'differences live in hal-*/ and boards/; what is tested is what flies')
        default = DEFAULT.match(line)
        if default and number < len(lines) and re.match(rf'\s*#\s*define\s+{default[1]}\b', lines[number]):
            continue  # a default that may be given from outside is no switch
        report.switches += 1


def count_comments(path, lines, report):
    """A line that holds code and a comment counts as both."""
    counts = report.comments.setdefault(os.path.splitext(path)[1], [0, 0])
    inside = False
    for line in lines:
        text = line.strip()
        comment = inside or '/*' in text or text.startswith('//')
        counts[0] += bool(text) and not inside and not text.startswith(('/*', '//'))
        counts[1] += bool(text) and comment
        inside = '*/' not in text[text.rfind('/*') + 1:] if '/*' in text else inside and '*/' not in text


def hinted_lines(lower):
    """Numbers of the lines that HINTS are in."""
    numbers = set()
    for hint in HINTS:
        at = lower.find(hint)
        while at >= 0:
            numbers.add(lower.count('\n', 0, at) + 1)
            at = lower.find(hint, at + 1)
    return numbers


def check_words(path, lines, hinted, report):
    for number in sorted(hinted):
        line = lines[number - 1]
        for pattern, what, why in BANNED:
            if pattern.search(line):
                report.find(f'{path}:{number}', f'{what}: {line.strip()}', why)
        for word, others in WORDS.items():
            if re.search(others, line, re.I):
                report.find(f'{path}:{number}', f'here it is called {word}: {line.strip()}', 'one thing has one word, in code and prose')
        if JUMP.search(line) and path != JUMPS_IN:
            report.find(f'{path}:{number}', f'jumps stand in {JUMPS_IN} alone: {line.strip()}', 'who returns where must be seen')


def check_file(path, report):
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        text = f.read()
    lines = text.split('\n')
    room = path.split('/')[0]
    first = lines[1] if lines[0].startswith('#!') and len(lines) > 1 else lines[0]
    if 'SPDX-License-Identifier: Apache-2.0' not in first:
        report.find(f'{path}:1', 'the first line names no licence (SPDX-License-Identifier: Apache-2.0)',
                    'every file says by itself under which terms it may be used')
    if len(lines) - 1 > FILE_LINES_MAX and not path.endswith('.def'):  # a table is as long as it is
        report.find(path, f'{len(lines) - 1} lines, at most {FILE_LINES_MAX}', 'a file holds one concept')
    check_words(path, lines, hinted_lines(text.lower()), report)
    for number, line in enumerate(lines if any(space in text for space in SPACES) else (), 1):
        if line != line.rstrip() or '\t' in line and path.endswith(CODE + SCRIPTS):
            report.find(f'{path}:{number}', 'space at the end of a line, or a tab', 'differences show what changed')
    if path.endswith('.c') or path.endswith('.h'):
        check_width(path, lines, report)
        check_functions(path, room, lines, report)
        if room != 'tests':
            count, asserts = report.asserts.get(room, (0, 0))
            report.asserts[room] = (count, asserts + sum(len(re.findall(r'\b(?:MF_ASSERT|assert)\(', l)) for l in lines
                                                         if ('ASSERT(' in l or 'assert(' in l) and '#define' not in l and '# define' not in l))
    if room in PURE and path.endswith(('.c', '.h')):
        check_switches(path, lines, report)
    if room == 'firmware' and path.endswith(('.c', '.h')):
        count_comments(path, lines, report)
    if room == 'firmware':
        check_faults(path, lines, report)
        if path != LIMITS:
            check_capacities(path, lines, report)


def tracked():
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(TOP, room)):
            folders[:] = sorted(d for d in folders if d not in ('__pycache__', 'corpus', 'vectors'))
            for name in sorted(names):
                if name.endswith(CODE + SCRIPTS) or room == '.ci':
                    yield os.path.relpath(os.path.join(folder, name), TOP)
    for name in ('Makefile', 'Containerfile', '.clang-format', '.clang-tidy', '.gitignore'):
        if os.path.exists(os.path.join(TOP, name)):
            yield name


def check_parameters(report):
    with open(os.path.join(TOP, PARAMETERS), encoding='utf-8') as table:
        text = table.read()
    listed = {kind: set(re.findall(rf'^{kind}\((\w+)', text, re.M)) for kind in ('P', 'READ_ONLY', 'INERT')}
    used = set()
    for path in tracked():
        if path.startswith('firmware/') and path != PARAMETERS:
            with open(os.path.join(TOP, path), encoding='utf-8') as source:
                used |= set(re.findall(r'\bMF_PARAM_(\w+)', source.read()))
    for name in sorted(listed['P'] - used - listed['READ_ONLY'] - listed['INERT']):
        report.find(PARAMETERS, f'nobody reads {name}: is it INERT?', 'a user would wait for an effect')
    for name in sorted(listed['INERT'] & used):
        report.find(PARAMETERS, f'{name} is read, so it is not INERT', 'docs/parameters.md would say so')


def main():
    report = Report()
    files = 0
    for path in tracked():
        check_file(path, report)
        files += 1
    check_parameters(report)
    lengths = report.lengths or [0]
    median = statistics.median(lengths)
    if median > FUNCTION_LINES_MEDIAN_MAX:
        report.find('functions', f'median length {median}, at most {FUNCTION_LINES_MEDIAN_MAX}', 'short pieces have names')
    if report.switches > SWITCHES_MAX:
        report.find('rooms without an operating system', f'{report.switches} preprocessor switches, at most {SWITCHES_MAX}',
                    'each doubles what would have to be tested')
    for finding in report.findings:
        print(finding)
    print(f'figure: {files} files, {len(report.lengths)} functions, median {median:g} lines, longest {max(lengths)}')
    for room, (count, asserts) in sorted(report.asserts.items()):
        if room in PURE and count:
            few = ' (aim: one each)' if room == 'firmware' and asserts < count else ''
            print(f'figure: {room}: {asserts} assertions in {count} functions of more than {TRIVIAL_LINES} lines{few}')
    comments = ', '.join(f'{kind} {with_comment / code:.2f}' for kind, (code, with_comment) in sorted(report.comments.items()))
    print(f'figure: firmware: comment lines per code line: {comments} (aim: .c 0.12, .h 0.7)')
    print(f'style: {len(report.findings)} findings')
    return 1 if report.findings else 0


if __name__ == '__main__':
    sys.exit(main())
