#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every Markdown link: the file is there, the anchor is a heading of it, and each page of docs/ can be reached from
README.md. Links to other machines are left alone: a check must give the same answer without a network. When it came, no link led
to 30 pages."""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r'!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)')
FENCE = re.compile(r'^(```|~~~).*?^\1', re.M | re.S)
CODE = re.compile(r'`[^`\n]*`')
HEADING = re.compile(r'^#{1,6} +(.+?)\s*$', re.M)
ROOT = 'README.md'


def pages():
    """All Markdown files, from the top."""
    for folder, folders, names in os.walk(TOP):
        folders[:] = sorted(f for f in folders if f not in ('.git', 'build', 'node_modules', '.schemathesis'))
        for name in sorted(names):
            if name.endswith('.md'):
                yield os.path.relpath(os.path.join(folder, name), TOP)


def text_of(page):
    with open(os.path.join(TOP, page), encoding='utf-8') as f:
        return FENCE.sub('', f.read())


class Anchors:
    """What the headings of one page are called in addresses: lower case, without punctuation, - for blanks; -1, -2 where they
    repeat."""

    def __init__(self):
        self.count = {}

    def of(self, heading):
        name = re.sub(r'[^\w\- ]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading.replace('`', '')).lower()).replace(' ', '-')
        self.count[name] = self.count.get(name, -1) + 1
        return name + (f'-{self.count[name]}' if self.count[name] else '')


def anchors(page):
    names = Anchors()
    return {names.of(heading) for heading in HEADING.findall(text_of(page))}


def links(page):
    """(line, target) of each link."""
    text = CODE.sub(lambda m: ' ' * len(m[0]), text_of(page))
    with open(os.path.join(TOP, page), encoding='utf-8') as f:
        whole = f.read().split('\n')
    for match in LINK.finditer(text):
        line = next((i for i, t in enumerate(whole, 1) if f'({match[1]})' in t), 0)
        yield line, match[1]


def main():
    wrong, checked, leads = 0, 0, {}
    for page in pages():
        leads[page] = set()
        for line, target in links(page):
            checked += 1
            if re.match(r'[a-z]+:', target):
                continue
            path, _, anchor = target.partition('#')
            to = os.path.relpath(os.path.join(TOP, os.path.dirname(page), path), TOP) if path else page
            if not os.path.exists(os.path.join(TOP, to)):
                print(f'{page}:{line}: {target}: there is no {to}')
            elif anchor and anchor not in anchors(to):
                print(f'{page}:{line}: {target}: {to} has no such heading; it has {", ".join(sorted(anchors(to)))}')
            else:
                leads[page].add(to)
                continue
            wrong += 1
    reached, new = set(), {ROOT}
    while new:
        reached |= new
        new = set().union(*(leads.get(page, set()) for page in new)) - reached
    for page in sorted(p for p in leads if p.startswith('docs/') and p not in reached):
        print(f'{page}: no link leads here from {ROOT}')
        wrong += 1
    print(f'links: {checked} checked, {wrong} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
