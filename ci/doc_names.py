#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that paths in backticks, targets of make, and identifiers that begin with mf_, MF_ or mayfly_ exist where a page names them.

It has found a function that was renamed, and pages that named four targets of make that were gone.
"""
import fnmatch
import os
import re
import sys

from calls import BLANKS

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED = {'.git', 'build', '.ci', 'node_modules', '__pycache__'}
HISTORY = {'CHANGELOG.md'}  # tells of what was, too
TEXT = ('.c', '.h', '.def', '.py', '.sh', '.mk', '.toml', '.txt', '.html', '.cjs', '.yml', '.yaml', '.ld', '.S', '.s', '.in', '')
FILE_ENDS = ('.c', '.h', '.def', '.py', '.sh', '.mk', '.md', '.json', '.toml', '.txt', '.ld', '.html')
SPAN = re.compile(r'(`+)(.+?)\1', re.S)
WORD = re.compile(r'\b(?:mf_|MF_|mayfly_)\w*')
MAKE = re.compile(r'(?:`|^ {4}|&& )make (?:[A-Z_]+=\S+ )*([a-z][\w/.-]*)|^make ([a-z][\w/.-]*)(?= *#|$)', re.M)
# MF_FAULT_##name: names that a table makes
PASTED = re.compile(r'\b(\w+_)##')


def files():
    """Paths of all files from the top."""
    for folder, folders, names in os.walk(TOP):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), TOP)


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8', errors='replace') as f:
        return f.read()


class Tree:
    def __init__(self):
        self.paths = set(files())
        self.folders = {os.path.dirname(p) for p in self.paths}
        for folder in list(self.folders):
            while folder:
                folder = os.path.dirname(folder)
                self.folders.add(folder)
        self.names = {os.path.basename(p) for p in self.paths}
        self.targets = {word for makefile in ('Makefile', 'ci/nightly.mk')
                        for line in re.findall(r'^([a-z][a-z0-9 -]*):(?!=)', read(makefile), re.M) for word in line.split()}
        tokens, self.prefixes = set(), set()
        for path in self.paths:
            if os.path.splitext(path)[1] in TEXT:
                with open(os.path.join(TOP, path), 'rb') as f:
                    text = f.read()
                tokens.update(text.translate(BLANKS).split())
                if b'_##' in text:
                    self.prefixes.update(prefix for prefix in PASTED.findall(text.decode(errors='replace')) if prefix.count('_') > 1)
        self.tokens = {token.decode() for token in tokens}

    def has_path(self, path):
        """A file, a folder, or a pattern of some; relative to the top, or anywhere if it is a name alone."""
        path = path.rstrip('/')
        if path in self.paths or path in self.folders or ('/' not in path and path in self.names):
            return True
        if '*' in path:
            return any(fnmatch.fnmatch(p, path) for p in (self.paths | self.folders if '/' in path else self.names))
        return os.path.splitext(path)[1] == '' and any(path + '.' + end in self.paths for end in ('c', 'h'))

    def has_name(self, name, open_end):
        """An identifier; one with an open end (MF_PARAM_<NAME>) stands for all that begin so."""
        if name in self.tokens or (open_end and (name in self.prefixes or any(t.startswith(name) for t in self.tokens))):
            return True
        return any(name.startswith(p) and name[len(p):] in self.tokens for p in self.prefixes)


def is_path(span, tree):
    """Does it claim to be a path of this tree? Of its top, or a file by its name."""
    if not re.fullmatch(r'[\w.*/-]+', span) or span.startswith(('/', '.', '-')):
        return False
    first = span.split('/')[0]
    if '/' in span:
        return first in {p.split('/')[0] for p in tree.folders if p} or span.endswith(FILE_ENDS)
    return span.endswith(('.c', '.h', '.def')) and not span.startswith('*')


def check(page, tree):
    findings = []
    text = read(page)
    prose = re.sub(r'^```.*?^```', lambda m: '\n' * m[0].count('\n'), text, flags=re.M | re.S)
    for found in SPAN.finditer(prose):
        span = found[2].strip()
        if is_path(span, tree) and not span.startswith('build/') and not tree.has_path(span) \
                and not tree.has_path(os.path.join(os.path.dirname(page), span)):
            findings.append((prose.count('\n', 0, found.start()) + 1, f'`{span}`', 'no such path in the tree'))
    for found in MAKE.finditer(text):
        target = found[1] or found[2]
        if target not in tree.targets and '/' not in target:
            findings.append((text.count('\n', 0, found.start()) + 1, f'make {target}', 'no such target'))
    for found in WORD.finditer(text):
        open_end = text[found.end():found.end() + 1] in ('<', '*', '{', '#') or found[0].endswith('_')
        if not tree.has_name(found[0], open_end):
            findings.append((text.count('\n', 0, found.start()) + 1, found[0], 'no such identifier in the tree'))
    return [f'{page}:{line}: {what}: {why}' for line, what, why in sorted(findings)]


def main():
    tree = Tree()
    pages = sorted(p for p in tree.paths if p.endswith('.md') and p not in HISTORY)
    findings = [f for page in pages for f in check(page, tree)]
    for finding in findings:
        print(finding)
    if findings:
        print('    why: a page that names what is gone sends its reader astray, and nothing else notices')
    print(f'names in documents: {len(findings)} do not exist, in {len(pages)} pages')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
