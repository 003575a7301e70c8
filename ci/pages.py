#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py BUILD [--check]: what pages of docs/ show of the tree is the tree's.

A line `<!-- file: PATH -->` or `<!-- output: PROGRAM -->` says what the fenced block under it holds: a file without its
licence line, or what a program of BUILD prints, perhaps with an option. Blocks are written anew; with --check the stale ones are only named.
"""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r'^(<!-- (file|output): (\S+(?: --\S+)?) -->\n```\w*\n)(.*?)(^```$)', re.M | re.S)


def content(build, kind, name):
    if kind == 'output':
        words = name.split()
        return subprocess.run([os.path.abspath(os.path.join(build, words[0])), *words[1:]], capture_output=True, text=True, check=True,
                              timeout=10).stdout
    with open(os.path.join(TOP, name), encoding='utf-8') as f:
        return ''.join(line for line in f if 'SPDX-License-Identifier' not in line)


def main():
    build, check = sys.argv[1], '--check' in sys.argv[2:]
    blocks = stale = 0
    for name in sorted(os.listdir(os.path.join(TOP, 'docs'))):
        path = os.path.join(TOP, 'docs', name)
        if not name.endswith('.md'):
            continue
        with open(path, encoding='utf-8') as f:
            text = f.read()
        blocks += len(BLOCK.findall(text))
        fresh = BLOCK.sub(lambda m: m[1] + content(build, m[2], m[3]) + m[5], text)
        if fresh != text and check:
            stale += 1
            print(f'docs/{name} does not show what the tree has: make docs')
        elif fresh != text:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(fresh)
    print(f'pages: {blocks} blocks are those of the tree' if blocks and not stale else f'pages: {stale} of {blocks} blocks')
    return 1 if stale or not blocks else 0


if __name__ == '__main__':
    sys.exit(main())
