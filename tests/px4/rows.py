# SPDX-License-Identifier: Apache-2.0
"""Which row of firmware/state/differences.def covers a difference."""
import os
import re

from session import HERE

TABLE = os.path.join(HERE, '..', '..', 'firmware', 'state', 'differences.def')
# (kinds, condition, words of the row's first column)
COVERS = [
]


def row_of(difference):
    """Words of the row that covers it, or None"""
    return next((words for kinds, holds, words in COVERS if re.fullmatch(kinds, difference.kind) and holds(difference)), None)


def check():
    """Faults of COVERS: words that not exactly one row has"""
    with open(TABLE, encoding='utf-8') as f:
        table = f.read()
    firsts = [m[1] for m in re.finditer(r'^(?:STRICT\("[^"]*", |OPTION\(|ALWAYS\()"([^"]*)"', table, re.M)]
    faults = [f'{words!r} is the beginning of {n} rows' for words in sorted({c[2] for c in COVERS}) for n in [sum(f.startswith(words) for f in firsts)] if n != 1]
    for fault in faults:
        print(f'rows.py: {fault}')
    return faults
