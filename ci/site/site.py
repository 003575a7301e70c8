#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""site.py FOLDER: the documentation as static HTML with a search, for a web server or a double click.

Each Markdown page that a link reaches from README.md becomes a page, each source file that it names a page of text; other files are
copied. Links stay relative, and nothing is loaded from another machine: the search reads an index that lies beside the pages.
"""
import html
import json
import os
import posixpath
import re
import shutil
import sys

from markdown_it import MarkdownIt

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import doc_links  # noqa: E402

TOP = doc_links.TOP
FIRST, INDEX = 'README.md', 'docs/README.md'
COPIED = ('.png', '.json', '.plan', '.yaml', '.html')      # a browser shows or saves these as they are
COLOURS = os.path.join(TOP, 'host', 'api', 'picture.css')  # the live picture's, light and dark
OUTSIDE = re.compile(r'[a-z][a-z0-9+.-]*:')


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def place(path):
    """Where a file of the repository goes in the site."""
    folder, name = posixpath.split(path)
    if name == 'README.md':
        return posixpath.join(folder, 'index.html')
    if name.endswith('.md'):
        return path[:-3] + '.html'
    return path if name.endswith(COPIED) else path + '.html'


class Page:
    """A Markdown page: its HTML, the files it links to, and its sections for the search."""

    def __init__(self, path, markdown):
        self.path, self.out, self.linked = path, place(path), []
        self.tokens = markdown.parse(read(os.path.join(TOP, path)))
        self.title, self.headings = '', []     # of these: level, anchor, text
        self.sections = [['', '', '', '']]     # anchor, heading, first cells of its tables, text
        names = doc_links.Anchors()
        for i, token in enumerate(self.tokens):
            if token.type == 'heading_open':
                self.heading(token, self.tokens[i + 1], names)
            elif token.type in ('fence', 'code_block'):
                self.say(token.content)
            elif token.type == 'inline':
                if self.tokens[i - 1].type != 'heading_open':
                    self.say(plain(token) + (' ·' if token.content and self.tokens[i - 1].type == 'td_open' else ''))   # cells stay apart
                if self.tokens[i - 1].type == 'td_open' and self.tokens[i - 2].type == 'tr_open':
                    self.sections[-1][2] += plain(token) + ' '
                if not token.content and self.tokens[i - 1].tag == 'th':     # a header without a word is none
                    self.tokens[i - 1].tag = self.tokens[i + 1].tag = 'td'
                for child in token.children:
                    self.link(child)
        self.body = markdown.renderer.render(self.tokens, markdown.options, {})

    def say(self, text):
        self.sections[-1][3] += ' '.join(text.split()) + ' '

    def heading(self, token, inline, names):
        anchor, text = names.of(inline.content), plain(inline)
        token.attrSet('id', anchor)
        if token.tag == 'h1':
            self.title = self.title or text
        else:
            self.headings.append((token.tag, anchor, text))
            self.sections.append([anchor, text, '', ''])

    def link(self, token):
        name = {'link_open': 'href', 'image': 'src'}.get(token.type)
        target = name and token.attrGet(name)
        if not target or OUTSIDE.match(target) or target.startswith('#'):
            return
        path, _, anchor = target.partition('#')
        to = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path))
        self.linked.append(to)
        token.attrSet(name, relative(self.out, place(to)) + ('#' + anchor if anchor else ''))


def plain(inline):
    """The text of a heading or paragraph without its marks."""
    return ''.join(' ' if c.type in ('softbreak', 'hardbreak', 'html_inline') else c.content for c in inline.children)


def relative(origin, to):
    return posixpath.relpath(to, posixpath.dirname(origin) or '.')


def pages_of(markdown):
    """All pages that links reach from the first one, and the other files that they name."""
    pages, others, new = {}, set(), [FIRST]
    while new:
        path = new.pop(0)
        if path in pages or path in others:
            continue
        if not path.endswith('.md'):
            others.add(path)
            continue
        pages[path] = Page(path, markdown)
        new += pages[path].linked
    return pages, sorted(others)


def groups(pages):
    """The pages by reader, as the table of the documentation's index has them: each once, where it stands first."""
    seen, found, row = {FIRST, INDEX}, [('', [FIRST, INDEX])], None
    for match in re.finditer(r'^\| (?P<who>[^|\[\]]+) \|(?P<links>.*\]\(.*)$', read(os.path.join(TOP, INDEX)).split('\n## By question')[0], re.M):
        row = []
        for _, target in re.findall(r'\[([^\]]*)\]\(([^)#]+)', match['links']):
            path = posixpath.normpath(posixpath.join('docs', target))
            if path in pages and path not in seen:
                seen.add(path)
                row.append(path)
        found.append((match['who'], row))
    rest = [path for path in sorted(pages) if path not in seen]
    return found + ([('More', rest)] if rest else [])


def navigation(page, pages, order):
    out = []
    for who, paths in order:
        out.append(f'<p>{html.escape(who)}</p>' if who else '')
        out.append('<ul>' + ''.join(
            f'<li><a href="{relative(page.out, pages[p].out)}"{" aria-current=page" if p == page.path else ""}>{html.escape(pages[p].title)}</a>'
            for p in paths) + '</ul>')
    return ''.join(out)


def contents(page):
    rows = [f'<li class={tag}><a href="#{anchor}">{html.escape(text)}</a>' for tag, anchor, text in page.headings if tag in ('h2', 'h3')]
    return f'<p>On this page</p><ul>{"".join(rows)}</ul>' if len(rows) > 1 else ''


def write(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def fill(template, **values):
    return re.sub(r'\{(\w+)\}', lambda m: values[m[1]], template)


def tables_scroll(markdown):
    """A table that is wider than the screen moves sideways by itself; the page does not."""
    markdown.add_render_rule('table_open', lambda self, *_: '<div class=wide tabindex=0><table>\n')
    markdown.add_render_rule('table_close', lambda self, *_: '</table></div>\n')


def main():
    folder, = sys.argv[1:]
    markdown = MarkdownIt('commonmark').enable('table')
    tables_scroll(markdown)
    pages, others = pages_of(markdown)
    order, template = groups(pages), read(os.path.join(HERE, 'page.html'))
    shutil.rmtree(folder, ignore_errors=True)

    def put(page, body, title):
        write(folder, page.out, fill(template, title=html.escape(title), top=relative(page.out, '.') + '/', body=body,
                                     nav=navigation(page, pages, order), contents=contents(page)))
    for page in pages.values():
        put(page, page.body, page.title)
    for path in others:
        if place(path) == path:
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            shutil.copyfile(os.path.join(TOP, path), os.path.join(folder, path))
        else:
            source = Page.__new__(Page)
            source.path, source.out, source.headings = path, place(path), []
            put(source, f'<h1>{html.escape(path)}</h1><pre><code>{html.escape(read(os.path.join(TOP, path)))}</code></pre>', path)
    index = [[page.out, page.title, *section] for page in pages.values() for section in page.sections]
    write(folder, 'index.js', 'const INDEX = ' + json.dumps(index, ensure_ascii=False, separators=(',', ':')) + '\n')
    roots = re.search(r':root \{.*?\n\}\n@media .*?\n\}\n', read(COLOURS), re.S)
    write(folder, 'site.css', roots[0] + read(os.path.join(HERE, 'site.css')))
    write(folder, 'site.js', read(os.path.join(HERE, 'site.js')))
    print(f'site: {len(pages)} pages, {len(others)} other files, in {folder}/index.html')


if __name__ == '__main__':
    main()
