#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks rules of CONTRIBUTING.md that neither the compiler nor clang-tidy nor clang-format knows.

Prints each finding with the rule and why it exists. It has found parameters without effect that docs/parameters.md did not
mark, and capacities that a port of the firmware would have missed.
"""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PURE = ('mavlink', 'math', 'hal', 'firmware', 'world', 'drone')
ROOMS = PURE + ('host', 'hal-posix', 'hal-sim', 'hal-stm32', 'fleet', 'boards', 'tools', 'tests', 'ci', '.ci', 'docs')
ENDINGS = ('.c', '.h', '.def', '.py', '.sh')
ALONE = ('Makefile', 'Containerfile', '.clang-format', '.clang-tidy', '.gitignore')
FILE_LINES_MAX = 800

# Spelled with brackets, so that this file does not find itself. [(pattern, rule, reason, file that may)]
BANNED = [
    (re.compile(r'\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b'), 'no notes to oneself in the tree', 'an issue tells others what is left to do', ''),
    (re.compile(r'[Nn]ot (?:yet )?imple[m]ented\b|[Ss]tu[b](?:bed)?\b'), 'nothing half done in the tree',
     'what is not supported returns its error and stands in the README', ''),
    (re.compile(r'/(?<![\w.]/)(?:wor[k]|roo[t]|hom[e]/\w+)/'), 'no path of one machine', 'the tree builds anywhere', ''),
    (re.compile(r'\b(?:v?sprint[f]|strto[k]|alloc[a])\s*\('), 'no call whose limits cannot be seen', 'bounded forms exist for each', ''),
    (re.compile(r'(?:set|long)jm[p]\s*\('), 'no jumps', 'a reader must see where a function returns to', 'host/base/guard.c'),
]
LIMITS = 'firmware/state/limits.h'
CAPACITY = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+_(?:KEPT|MAX|SESSIONS|ROOM_MIN|BURST))[ \t]+\(?[0-9]+u?\b(?!.*_US\b)', re.M)
FOREIGN_CAPACITIES = ('MF_PARAM_NAME_MAX', 'MF_CHANNELS_MAX', 'CELLS_MAX', 'VERTEX_MAX',  # MAVLink's
                      'PWM_MAX', 'INT_RETRIES_MAX', 'LATE_MAX', 'LEAD_MAX')  # of nothing that is stored
FAULT = re.compile(r'MF_FAUL[T]_[A-Z]')
SWITCH = re.compile(r'^[ \t]*#[ \t]*(?:if|ifdef|elif)\b|^[ \t]*#[ \t]*ifndef (?!MF_\w+_H\b)(\w+)\s*$(?!\n#[ \t]*define \1\b)', re.M)
PARAMETERS = 'firmware/state/params.def'


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        return f.read()


def tracked():
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(TOP, room)):
            folders[:] = sorted(d for d in folders if d not in ('__pycache__', 'corpus', 'vectors'))
            for name in sorted(names):
                if name.endswith(ENDINGS) or room == '.ci':
                    yield os.path.relpath(os.path.join(folder, name), TOP)
    yield from ALONE


def check_file(path, text, find):
    room = path.split('/')[0]
    if 'SPDX-License-Identifier: Apache-2.0' not in '\n'.join(text.split('\n', 2)[:2]):
        find(path, 'the file names no licence (SPDX-License-Identifier: Apache-2.0)', 'each file states its terms by itself')
    if text.count('\n') > FILE_LINES_MAX and not path.endswith('.def'):  # a table is as long as it is
        find(path, f'{text.count(chr(10))} lines, at most {FILE_LINES_MAX}', 'a file holds one concept')
    rules = [(pattern, what, why) for pattern, what, why, may in BANNED if path != may]
    if room in PURE:
        rules.append((SWITCH, 'no preprocessor switch', 'differences live in hal-*/ and boards/, and a test runs what flies'))
    if room == 'firmware':
        rules.append((FAULT, 'firmware/ names no fault', 'a device that fails by itself must do the same as one that a client made fail'))
    for pattern, what, why in rules:
        for found in pattern.finditer(text):
            find(f'{path}:{text.count(chr(10), 0, found.start()) + 1}', f'{what}: {found[0].strip()}', why)
    for macro in CAPACITY.findall(text) if room == 'firmware' and path != LIMITS else ():
        if macro not in FOREIGN_CAPACITIES:
            find(path, f'a capacity outside {LIMITS}: {macro}', 'a port of the firmware changes all of them in one place')


def check_parameters(texts, find):
    listed = {kind: set(re.findall(rf'^{kind}\((\w+)', texts[PARAMETERS], re.M)) for kind in ('P', 'READ_ONLY', 'INERT')}
    used = set()
    for path, text in texts.items():
        if path.startswith('firmware/') and path != PARAMETERS:
            used |= set(re.findall(r'\bMF_PARAM_(\w+)', text))
    for name in sorted(listed['P'] - used - listed['READ_ONLY'] - listed['INERT']):
        find(PARAMETERS, f'no function reads {name}: is it INERT?', 'a user would wait for an effect')
    for name in sorted(listed['INERT'] & used):
        find(PARAMETERS, f'{name} is read, so it is not INERT', 'docs/parameters.md would call it so')


def main():
    findings = []

    def find(where, what, why):
        findings.append(f'{where}: {what}\n    why: {why}')
    texts = {path: read(path) for path in tracked()}
    for path, text in texts.items():
        check_file(path, text, find)
    check_parameters(texts, find)
    print('\n'.join(findings + [f'style: {len(findings)} findings in {len(texts)} files']))
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
