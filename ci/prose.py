#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prose.py [-v] [FILE...] | --lower: checks that the sentences of the documents are short, and that comments of C stand alone.

Counts the words of each sentence without code blocks, tables, headings and comments; inline code is one word, a list item ends a
sentence. Prints the findings with file:line. FILE: a document or a source file; without FILE all documents that have limits, and all
sources. -v: all sentences, the longest first. When it came, it found 103 sentences in 43 pages.

ci/comments.txt has the number of comments that break a rule, for each source file that had some when the rules came. A file with more
fails, and all of its hits are printed. --lower checks nothing, and writes the present numbers where these are lower; a file that
moved keeps its number under the new path if its name is the same.
"""
import glob
import os
import re
import statistics
import sys

import style

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

LEDGER = 'ci/comments.txt'
SOURCE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*+<?(.*?)\*/|//([^\n]*)', re.S)
NO_PROSE = re.compile(r'SPDX|clang-format|-{4}|$')
# Rules of a comment, with a replacement for each: it must be clear without the line above it.
COMMENT_RULES = [(why, re.compile(pattern)) for why, pattern in (
    ('names no actor: "the client", "no listener"',
     r'\b(?:[Nn]o|[Ss]ome|[Ee]very|[Aa]ny)body\b|\b[Ww]ho(?:ever|m)\b|(?:^|[.;:,] )Who\b|\b(?:of|by|to|for|with|as) who\b'),
    ('is a clause, not a sentence or a thing: "Send...", "True if...", "Time of..."',
     r'^(?:What(?:ever)?|Where|When|How|Whether|Whose)\b[^?]*$'),
    ('begins with a pronoun: repeat the noun', r'^(?:Its?|They|Their|Them|Ones?|That|This|These|He|His|There|Then|So)\b'),
    ('begins with a preposition: "Velocity of a moving body"',
     r'^(?:Of|By|As|With(?:in|out)?|From|To|In|For|At|On|After|Before|Between|Behind|Beside|Towards|Up to|Below|Above|Among|Over)\b'),
    ('continues another comment', r'^\.\.\.|^[Tt]he same\b|\bas above\b'),
    ('denies the noun, not the verb: "is not a number", "NULL: not connected"',
     r'\b(?:is|are|was|were|has|have) (?:none|no (?!longer|more\b))\b'),
    ('has a passive without an actor: "X sends", "the caller waits for"',
     r'\b(?:is|are|was|were|be|been|being) (?:told|asked|heard|waited for|looked at|let (?:go|in)|given|said|taken|meant|wanted|sought'
     r'|chosen|permitted)\b'),
    ('has a word of literature: except, also, must, index, again',
     r'\b(?:but for|besides?|shall|hence|manieth|to be had|wherever|thereby|herein|(?:of|by) itself|for (?:good|ever)|anew)\b'))]


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


def comments(text):
    """(line, comment) of C, as one line of text; not licences, section rules and commands of tools"""
    for match in SOURCE.finditer(text):
        body = re.sub(r'^[ \t]*\*+(?= |$)', '', match[1] or match[2] or '', flags=re.M)
        body = ' '.join(body.split()).removeprefix('@brief ')
        if not NO_PROSE.match(body):
            yield text.count('\n', 0, match.start()) + 1, body


def check_comments(text):
    """(line, finding) of each comment that breaks a rule, the first one"""
    for line, comment in comments(text):
        why = next((why for why, pattern in COMMENT_RULES if pattern.search(comment)), None)
        if why:
            yield line, f'{why}: {comment[:70]}'


def is_source(path):
    return path.endswith(('.c', '.h'))


def read_ledger(text):
    """{path: most comments that may break a rule}"""
    return {path: int(most) for most, path in (line.split() for line in text.split('\n') if line and not line.startswith('#'))}


def over(allowed, hits):
    """Findings of the files that have more hits than the ledger allows"""
    return [f'{path}:{line}: {why}' for path, found in hits.items() if len(found) > allowed.get(path, 0) for line, why in found]


def lowered(allowed, hits):
    """The ledger with present numbers where these are lower, and with the lines of moved files at their new paths"""
    gone = {os.path.basename(path): most for path, most in allowed.items() if path not in hits}
    now = {path: min(len(found), allowed.get(path, gone.get(os.path.basename(path), 0))) for path, found in hits.items()}
    return {path: most for path, most in now.items() if most > 0}


def write_ledger(old, allowed):
    """Keeps the lines that explain the file"""
    with open(os.path.join(TOP, LEDGER), 'w', encoding='utf-8') as f:
        f.writelines(line + '\n' for line in old.split('\n') if line.startswith('#'))
        f.writelines(f'{most} {path}\n' for path, most in sorted(allowed.items()))


def main():
    named = [os.path.relpath(a, TOP) for a in sys.argv[1:] if not a.startswith('-')]
    every = '-v' in sys.argv
    pages = [path for path in named if not is_source(path)] if named else \
        [page for limit in LIMITS for page in sorted(glob.glob(limit[0], root_dir=TOP))]
    texts = {path: style.read(path) for path in named or style.tracked() if is_source(path)}
    hits = {path: list(check_comments(text)) for path, text in texts.items()}
    ledger = style.read(LEDGER)
    if '--lower' in sys.argv:
        write_ledger(ledger, lowered(read_ledger(ledger), hits))
        return 0
    wrong = over(read_ledger(ledger), hits)
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
    print(f'prose: {len(wrong)} findings in {len(pages)} pages and {len(texts)} sources; {sum(map(len, hits.values()))} of '
          f'{sum(len(list(comments(text))) for text in texts.values())} comments break a rule')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
