# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation, for tests that run them as they stand."""
import os
import re
import shlex

from paths import BUILD, TOP

# the kinds of blocks: ```sh and so on; one that is only indented has none
BLOCK = re.compile(r'^```(?P<kind>\w*)\n(?P<fenced>.*?)^```$|^\n(?P<indented> {4}\S[^\n]*\n(?: {4,}\S[^\n]*\n|\n(?= {4}))*)', re.M | re.S)


def section(page, heading=None):
    """The text of a page, or of what stands below one of its headings."""
    with open(os.path.join(TOP, page), encoding='utf-8') as f:
        text = f.read()
    if heading is None:
        return text
    text = re.sub(r'^```.*?^```', lambda m: m[0].replace('\n#', '\n\0'), text, flags=re.M | re.S)
    found = re.search(rf'^#+ {re.escape(heading)}[^\n]*\n(.*?)(?=^#+ |\Z)', text, re.M | re.S)
    assert found, f'{page} has no heading {heading}'
    return found[1].replace('\0', '#')     # a comment of a shell is no heading


def examples(page, heading=None, kind='sh'):
    """The blocks of one kind, in their order; kind '': those that are indented."""
    found = []
    for match in BLOCK.finditer(section(page, heading)):
        if match['fenced'] is not None and match['kind'] == kind:
            found.append(match['fenced'])
        elif match['indented'] is not None and kind == '':
            found.append(re.sub(r'^ {4}', '', match['indented'], flags=re.M))
    return found


def commands(*where, **more):
    """The lines of these examples."""
    return [line for block in examples(*where, **more) for line in block.splitlines() if line.strip()]


def of_build(line):
    """A command that names programs in build/, with BUILD instead."""
    return line.replace('build/', shlex.quote(BUILD) + '/')
