#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""texts.py: writes tests/texts.txt: the texts for users, by source file and in its order, so that a change shows their English.

Tests assert the data of a text and not its sentence (tests/unit/support/names.h). A text is a string literal that has two words of
English side by side. Adjacent literals are one text, and {NAME} is a macro or an expression in it. Comments and assertions have none.
"""
import ast
import html.parser
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = 'tests/texts.txt'
ROOMS = 'hal firmware world drone host hal-posix hal-sim hal-stm32 fleet boards tools'.split()
NOT_PRODUCT = {'tests', 'examples', 'study', 'build', '__pycache__'}

LITERAL = r'"(?:\\.|[^"\\\n])*"'
JS_LITERAL = rf"{LITERAL}|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
COMMENT = r'/\*.*?\*/|//[^\n]*'
MACRO = r'[A-Z][A-Z0-9_]+\b|PRI\w+'
RUN = re.compile(rf'{LITERAL}(?:[\s\\]*(?:{LITERAL}|{MACRO}))*')
ASSERTION = re.compile(r'\b(?:MF_ASSERT|_Static_assert|assert)\(.*?\);', re.S)
ENGLISH = re.compile(r"(?<![\w%<$-])[A-Za-z][a-z'_]*[,;:]? [a-z][a-z']+(?![\w(=<-])")
NOT_ENGLISH = re.compile(r"""</\w|<\w+[ >]|HTTP/1\.1|^Connection:              # HTML, HTTP
    |;(?:\S|\s*\})|\bvoid\ main\b|^(?:precision\ highp|use\ strict|SELECT)\b      # code
    |^\#[a-z]|^(?:chip|wide)\ |(?:\b[a-z]+_[a-z_]+\ ){2}                   # names of styles, lists of names
    |\b\w+!?:[a-z\[{]\w*(?:\ \w+!?:|$)                                   # keys of a schema
    |^[\w-]+:\s*\n|^[a-z]\w*:\ .*\n\s*[a-z]\w*:""", re.X)                    # YAML
INSERTED = re.compile(r'\{[^{}]*\}')
MEMBER = re.compile(r'"((?:\\.|[^"\\])*)"(\s*:)?')


def resolve(literal):
    """Return the text of a literal without escapes; bytes of UTF-8 become characters."""
    text = ast.literal_eval(f'"""{literal[1:-1]} """')[:-1]
    try:
        return text.encode('latin-1').decode()
    except UnicodeError:
        return text


def of_c(source):
    source = re.sub(rf"({LITERAL})|'(?:\\.|[^'\\])+'|{COMMENT}", lambda m: m[1] or ' ', source, flags=re.S)
    for run in RUN.findall(ASSERTION.sub('', source)):
        parts = re.findall(rf'({LITERAL})|PRI([diuxX])\w+|({MACRO})', run)
        yield ''.join(resolve(text) if text else kind or f'{{{macro}}}' for text, kind, macro in parts)


def of_js(source):
    return [resolve(match[1]) for match in re.finditer(rf'({JS_LITERAL})|{COMMENT}', source, re.S) if match[1]]


def of_python(source):
    def walk(node):
        if isinstance(node, ast.JoinedStr):
            yield ''.join(v.value if isinstance(v, ast.Constant) else f'{{{ast.unparse(v.value)}}}' for v in node.values)
        elif isinstance(node, ast.Constant):
            yield node.value if isinstance(node.value, str) else ''
        elif not isinstance(node, ast.Assert) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            for child in ast.iter_child_nodes(node):
                yield from walk(child)
    tree = ast.parse(source)
    return ([ast.get_docstring(tree)] if '__doc__' in source else []) + list(walk(tree))


class Page(html.parser.HTMLParser):
    """Collects the texts of a page and of its script."""
    def __init__(self, source):
        super().__init__()
        self.texts, self.inside = [], ''
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.texts += [value for name, value in attrs if name in ('title', 'placeholder', 'aria-label', 'alt') and value]

    def handle_data(self, data):
        self.texts += of_js(data) if self.inside == 'script' else [] if self.inside == 'style' else [' '.join(data.split())]


READERS = {'.c': of_c, '.h': of_c, '.def': of_c, '.cc': of_c, '.hh': of_c, '.js': of_js, '.py': of_python, '.html': lambda s: Page(s).texts}


def english(texts):
    """Yield each text that has English once; of a template of JSON yield the values."""
    for text in dict.fromkeys(texts):
        text = text.replace("'", '"') if text.startswith("{'") else text
        for part in [value for value, colon in MEMBER.findall(text) if not colon] if '":' in text else [text]:
            plain = INSERTED.sub('', INSERTED.sub('', part))
            if ENGLISH.search(plain) and not NOT_ENGLISH.search(plain):
                yield '\n    '.join(line.rstrip() for line in part.strip('\n').split('\n'))


def main():
    paths = [path for room in ROOMS for path in sorted((TOP / room).rglob('*')) if path.suffix in READERS]
    with open(TOP / GOLDEN, 'w', encoding='utf-8') as golden:
        for path in (p for p in paths if not NOT_PRODUCT & set(p.relative_to(TOP).parts)):
            texts = list(english(READERS[path.suffix](path.read_text(encoding='utf-8'))))
            if texts:
                golden.write('\n'.join([f'== {path.relative_to(TOP)}', *texts, '', '']))


if __name__ == '__main__':
    main()
