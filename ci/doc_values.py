# SPDX-License-Identifier: Apache-2.0
"""Values that hand-written pages repeat are those of the code: defaults of parameters, texts and tests in docs/failsafes.md, which names
each parameter that failsafes read, and the number of kept events in docs/api.md."""
import pathlib
import re
import sys

PAGE = pathlib.Path('docs/failsafes.md')


def read(path):
    return pathlib.Path(path).read_text(encoding='utf-8')


def defaults():
    """{parameter: default}"""
    return {name: float(value.rstrip('f')) for name, value in re.findall(r'^P\((\w+), +\w+, +([-\d.]+f?),', read('firmware/state/params.def'), re.M)}


def literals():
    """The texts of the firmware, one after the other, pieces of one text joined."""
    code = '\n'.join(read(path) for path in pathlib.Path('firmware').rglob('*.c'))
    return re.sub(r'"\s*\n\s*"', '', code)


def findings():
    page, known, texts = read(PAGE), defaults(), literals()
    if len(known) < 100:
        yield 'firmware/state/params.def: too few parameters found'
    said = re.findall(r'`([A-Z][A-Z0-9_]+)` \(([-\d.]+)\)', page)
    for name, value in said:
        if known.get(name) != float(value):
            yield f'{name} ({value}): the default is {known.get(name)}'
    for name in sorted(set(re.findall(r'MF_PARAM_([A-Z][A-Z0-9_]+)', read('firmware/flight/failsafe.c'))) - {name for name, _ in said}):
        yield f'{name} is missing, with its default in parentheses'
    quoted = re.findall(r'"([^"\n]+)"', page)
    for text in quoted:
        if f'"{re.sub("[0-9]+ seconds$", "", text)}"' not in texts:
            yield f'"{text}" is no text of the firmware'
    tests = re.findall(r'`(test_\w+)` of (tests/\S+\.c)', page)
    for test, path in tests:
        if not pathlib.Path(path).exists() or f' {test}(' not in read(path):
            yield f'{path} has no {test}'
    if min(len(said), len(quoted), len(tests)) < 8:
        yield 'too few values found: has the form of the tables changed?'
    kept = re.search(r'#define MF_API_EVENTS_KEPT (\d+)u', read('host/api/api.h'))[1]
    if f'keeps the last {kept} events' not in read('docs/api.md'):
        yield f'docs/api.md: the drone keeps the last {kept} events'


wrong = list(findings())
for finding in wrong:
    print(f'{PAGE}: {finding}')
print(f'values in documents: {len(wrong)} findings')
sys.exit(1 if wrong else 0)
