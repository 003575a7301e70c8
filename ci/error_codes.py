#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""error_codes.py: writes tools/simctl/base/code.h, the words of the controller's errors, into docs/controller.md.

It fails if a request can get a word or a status that the table lacks, or if the table has one that no request gets.
"""
import os
import pathlib
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE, PAGE = 'tools/simctl/base/code.h', 'docs/controller.md'
ROW = re.compile(r'X\((\w+), "([\d, ]+)",\s+"([^"]*)"\)')
BLOCK = re.compile(r'(<!-- errors: made of tools/simctl/base/code.h -->\n\n).*?(\n\n|\Z)', re.S)
REFUSAL = re.compile(r'web_refuse\(\s*[^,]+,\s*(\d{3}|status),\s*([^,]+),')
STATUS_TOO_LONG = re.compile(r'MHD_HTTP_URI_TOO_LONG, "(\w+)"')
# Files that no request reaches: commands, and what is read when the controller starts.
NOT_ANSWERED = {'client.c', 'client_answer.c', 'command_run.c', 'commands.c', 'document.c', 'drone_token.c', 'kube_settings.c', 'serve.c', 'shelf.c'}
# Words that the others say only when the controller starts, or reads its templates and tenants.
AT_START = {'ca', 'local', 'name', 'no_container', 'onboard', 'pod', 'templates', 'tenants', 'thread'}
AT_START_IN = {('emulator', 'template.c')}


def said():
    """{word: {statuses}} as the code says them."""
    words = {}
    for path in sorted(p for room in ('simctl', 'web') for p in pathlib.Path(TOP, 'tools', room).rglob('*.c')):
        if path.name in NOT_ANSWERED:
            continue
        text = path.read_text(encoding='utf-8')
        for status, codes in REFUSAL.findall(text) + [('414', f'"{w}"') for w in STATUS_TOO_LONG.findall(text)]:
            for word in set(re.findall(r'"(\w+)"', codes)) - AT_START - {w for w, file in AT_START_IN if file == path.name}:
                words.setdefault(word, set()).update({'404', '410'} if status == 'status' else {status})
    return words


def main():
    with open(os.path.join(TOP, TABLE), encoding='utf-8') as f:
        rows = ROW.findall(f.read())
    listed = {word: set(statuses.split(', ')) for word, statuses, _ in rows}
    words = said()
    wrong = []
    for word in sorted(words.keys() | listed.keys()):
        here, there = words.get(word, set()), listed.get(word, set())
        if here != there:
            wrong.append(f"{word}: the code says {', '.join(sorted(here)) or 'nothing'}, {TABLE} {', '.join(sorted(there)) or 'nothing'}")
    table = '| `code` | status | |\n|---|---|---|\n' + '\n'.join(f'| `{w}` | {s} | {help} |' for w, s, help in rows)
    path = os.path.join(TOP, PAGE)
    with open(path, encoding='utf-8') as f:
        text = f.read()
    fresh = BLOCK.sub(lambda m: m[1] + table + (m[2] or '\n'), text)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(fresh)
    print('\n'.join(wrong), end='')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
