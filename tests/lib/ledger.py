# SPDX-License-Identifier: Apache-2.0
"""ledger.py RUNS >tests/data/hashes.txt: the ledger of what runs of a swarm come to, a line per test: its id, and the hashes that its
runs print, in order.

Each test of tests/lib/swarm_case.py compares its hashes with its line, so a change that moves any vehicle of any test is seen. A test without
a line is not compared: its clients live by the wall's clock, or it is new. To write the ledger anew, for a commit that changes hashes and
does nothing else:

    for i in 1 2 3; do MF_LONG=1 MF_HASHES=$PWD/build/hashes make hashes; done
    python3 tests/lib/ledger.py build/hashes >tests/data/hashes.txt

MF_HASHES=FILE appends the lines of a run to FILE and compares nothing; a test whose lines there differ gets none in the ledger.
"""
import functools
import os
import sys

from paths import DATA

LEDGER = os.path.join(DATA, 'hashes.txt')


def lines_of(path):
    with open(path, encoding='utf-8') as f:
        return [line.split() for line in f]


@functools.cache
def known():
    """{id of a test: its hashes with MF_LONG=1}"""
    return {name: hashes for name, *hashes in lines_of(LEDGER)}


def compare(name, hashes):
    """Fails if these hashes are not among those of the ledger, in their order: a sample of cases has fewer runs than all of them."""
    if os.environ.get('MF_HASHES'):
        with open(os.environ['MF_HASHES'], 'a', encoding='utf-8') as f:
            f.write(' '.join([name, *hashes]) + '\n')
        return
    expected = known().get(name, hashes)
    rest = iter(expected)
    assert all(one in rest for one in hashes), f'{LEDGER}: {name}: {" ".join(hashes)} instead of {" ".join(expected)}'


def merge(path):
    runs = {}
    for name, *hashes in lines_of(path):
        runs.setdefault(name, []).append(hashes)
    for name, all_of_it in sorted(runs.items()):
        if all_of_it[0] and all(one == all_of_it[0] for one in all_of_it):
            print(name, *all_of_it[0])


if __name__ == '__main__':
    merge(sys.argv[1])
