#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py FOLDER: no link of the site is dead, no anchor missing, no name there twice, and nothing comes from another machine."""
import html.parser
import os
import re
import sys
import urllib.parse

# Attributes that a browser loads by itself; <a href> it only follows.
LOADED = {'src', 'srcset', 'poster', 'data', 'action', 'background'}
OUTSIDE = re.compile(r'([a-z][a-z0-9+.-]*:)?//', re.I)


class Links(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.wrong = [], [], []     # of links: line, address
        with open(path, encoding='utf-8') as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == 'id':
                self.names.append(value)
            elif name in LOADED or name == 'href':
                if OUTSIDE.match(value) and not (tag == 'a' and name == 'href'):
                    self.wrong.append((self.getpos()[0], f'<{tag} {name}={value}> comes from another machine'))
                elif not re.match(r'[a-z]+:', value):
                    self.links.append((self.getpos()[0], value))
            elif name.startswith('on') or name == 'style':
                self.wrong.append((self.getpos()[0], f'<{tag} {name}>: scripts and styles stand in files of their own'))


def of_files(folder):
    for where, _, names in os.walk(folder):
        for name in sorted(names):
            yield os.path.join(where, name)


def check(folder):
    """(file, line, what is wrong) of everything, and how many links were looked at."""
    files = list(of_files(folder))
    pages = {path: Links(path) for path in files if path.endswith('.html')}
    wrong, count = [], 0
    for path, page in pages.items():
        wrong += [(path, line, why) for line, why in page.wrong]
        wrong += [(path, 0, f'id={name} stands there twice') for name in set(page.names) if page.names.count(name) > 1]
        for line, address in page.links:
            count += 1
            target, _, anchor = urllib.parse.unquote(address).partition('#')
            to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.isfile(to):
                wrong.append((path, line, f'{address}: there is no {to}'))
            elif anchor and anchor not in pages[to].names:
                wrong.append((path, line, f'{address}: {to} has no {anchor}'))
    for path in files:
        if path.endswith('.css'):
            with open(path, encoding='utf-8') as f:
                wrong += [(path, 0, f'{found} comes from somewhere else') for found in re.findall(r'@import|url\([^)]*\)', f.read())]
    return wrong, count, len(pages)


def main():
    wrong, links, pages = check(sys.argv[1])
    for path, line, why in wrong:
        print(f'{path}:{line}: {why}')
    print(f'site: {links} links of {pages} pages checked, {len(wrong)} wrong')
    return 1 if wrong or not links else 0


if __name__ == '__main__':
    sys.exit(main())
