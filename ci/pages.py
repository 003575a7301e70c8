#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py BUILD: writes into pages of docs/ what they show of the tree.

A line `<!-- file: PATH -->` or `<!-- output: PROGRAM -->` names the content of the fenced block under it: a file without its
licence line, or the output of a program of BUILD, perhaps with an option.
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
    for name in sorted(os.listdir(os.path.join(TOP, 'docs'))):
        path = os.path.join(TOP, 'docs', name)
        if name.endswith('.md'):
            with open(path, encoding='utf-8') as f:
                text = f.read()
            fresh = BLOCK.sub(lambda m: m[1] + content(sys.argv[1], m[2], m[3]) + m[5], text)
            if fresh != text:
                with open(path, 'w', encoding='utf-8') as f:
                    f.write(fresh)


if __name__ == '__main__':
    main()
