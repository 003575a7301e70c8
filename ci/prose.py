#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prose.py [-v] [FILE...]: checks that the sentences of the documents are short and name who acts.

Counts the words of each sentence without code blocks, tables, headings and comments; inline code is one word, a list item ends a
sentence. Prints the findings with file:line. Without FILE: all documents that have limits. -v: all sentences, the longest first.
When it came, it found 103 sentences in 43 pages.
"""
import glob
import os
import re
import statistics
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Files, and their limits: words of a sentence, of the median sentence, of the file (0: none). The first pattern that fits counts.
LIMITS = [
    ('README.md', 35, 14, 900),
    ('docs/*.md', 35, 20, 0),
    ('docs/audit/*.md', 35, 20, 0),
    ('docs/audit/rules/*.md', 35, 20, 0),
    ('ARCHITECTURE.md', 35, 20, 0),
    ('CONTRIBUTING.md', 35, 20, 0),
    ('SECURITY.md', 35, 20, 0),
    ('tools/*/README.md', 35, 20, 0),
]

COMMENT = re.compile(r'<!--.*?-->', re.S)
FENCE = re.compile(r'^( *)(```|~~~).*?^ *\2[^\n]*$', re.M | re.S)
CODE = re.compile(r'(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)', re.S)
IMAGE = re.compile(r'!\[[^\]]*\]\([^)]*\)')
LINK = re.compile(r'\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)')
ADDRESS = re.compile(r'<?\b(?:https?|tcp|udp|tcpout|udpin|udpout)://[^\s>)]*[^\s>).,:;]>?')
ITEM = re.compile(r'^(\s*)(?:[*+-]|\d+[.)])\s+')
END = re.compile(r'(?<=[.!?])["\')\]]*\s+(?=["\'(\[]*[A-Z0-9`§_*])|(?<=[.!?]["\')\]])\s+(?=["\'(\[]*[A-Z0-9`§_*])')
SHORT = re.compile(r'(?:\b(?:e\.g|i\.e|vs|cf|ca|approx|No|Dr|St|Inc|Ltd))\.$')  # a point that ends no sentence
WORD = re.compile(r'\S*[\w§]\S*')
NOMINAL = re.compile(r'^\W*(What|Who|Whoever|Whatever)\b(?!.*\?["\')]*$)', re.S)


def blank(match):
    """The text of a match without its characters, so that line numbers stay."""
    return '\n' * match[0].count('\n')


def one_word(match):
    """Inline code or an address counts as one word. (A § cannot be mistaken for the end of a sentence.)"""
    return '§' + blank(match)


def blocks(text):
    """(line, text) of each paragraph and list item: what is neither code nor table nor heading."""
    text = FENCE.sub(blank, COMMENT.sub(blank, text))
    block, start, after_blank, in_list = [], 0, True, False
    for number, line in enumerate(text.split('\n') + [''], 1):
        item = ITEM.match(line)
        code = line.startswith('    ') and after_blank and not in_list
        plain = line.strip() and not code and not re.match(r'\s*(#{1,6} |\||---+\s*$)', line)
        if block and (not plain or item):
            yield start, '\n'.join(block)
            block = []
        if plain:
            if not block:
                start = number
            block.append(line[item.end():] if item else line.lstrip(' >'))
        in_list = bool(item) or (in_list and (not line.strip() or line.startswith(' ')))
        after_blank = not line.strip() or code
    assert not block, 'the last line is empty'


def sentences(text):
    """(line, sentence) of each, with inline code as one word."""
    for start, block in blocks(text):
        block = ADDRESS.sub(one_word, CODE.sub(one_word, IMAGE.sub(blank, block)))
        block = LINK.sub(r'\1', block)
        begin = 0
        for end in [m for m in END.finditer(block) if not SHORT.search(block[:m.start()])] + [None]:
            sentence = block[begin:end.start() if end else len(block)]
            if WORD.search(sentence):
                yield start + block.count('\n', 0, begin), ' '.join(sentence.split())
            begin = end.end() if end else 0


def limits(page):
    """(pattern, words of a sentence, of the median, of the file)."""
    return next((limit for limit in LIMITS if page in glob.glob(limit[0], root_dir=TOP)), LIMITS[1])


def check(page, found):
    """(line, finding) of each sentence that breaks a rule"""
    _, long_max, median_max, words_max = limits(page)
    counts = [len(WORD.findall(s)) for _, s in found]
    median = statistics.median(counts) if counts else 0
    findings = [(line, f'{count} words, {long_max} are the limit: {sentence[:70]}...') for (line, sentence), count in zip(found, counts) if count > long_max]
    findings += [(line, f'begins with a clause, not with a thing: {sentence[:70]}...') for line, sentence in found if NOMINAL.match(sentence)]
    if median > median_max:
        findings.append((1, f'the median sentence has {median:g} words, {median_max} are the limit'))
    if words_max and sum(counts) > words_max:
        findings.append((1, f'{sum(counts)} words, {words_max} are the limit'))
    return sorted(findings)


def main():
    arguments = sys.argv[1:]
    every = '-v' in arguments
    pages = [os.path.relpath(a, TOP) for a in arguments if a != '-v'] or \
        [page for limit in LIMITS for page in sorted(glob.glob(limit[0], root_dir=TOP))]
    wrong = []
    for page in pages:
        with open(os.path.join(TOP, page), encoding='utf-8') as f:
            found = list(sentences(f.read()))
        wrong += [f'{page}:{line}: {why}' for line, why in check(page, found)]
        if every:
            for line, sentence in sorted(found, key=lambda s: -len(WORD.findall(s[1]))):
                print(f'{page}:{line}: {len(WORD.findall(sentence)):3} {sentence}')
    for finding in wrong:
        print(finding)
    if wrong:
        print('    why: readers are in a hurry, and many of them are not native speakers')
    print(f'prose: {len(wrong)} findings in {len(pages)} pages')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
