#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity.py BUILD DATA [-v] [NAME ...]: what a real PX4 did with missions and commands, and what Mayfly does with the same.

DATA has recorded facts in px4_missions/ and px4_commands/. Each mission and question goes through BUILD/conform with PX4's rules and
physical motion. Prints each class of difference with its count, and the row of firmware/state/differences.def that covers it; -v: each
difference, and of named missions the events. Exit code 1: a difference that no row covers. NAME: only these missions.
"""
import collections
import concurrent.futures
import glob
import json
import os
import sys

from session import Conform
import missions
import questions
import rows
from figures import Figures  # of ci/, where session.py looks


def load_missions(data, names):
    for path in sorted(glob.glob(f'{data}/px4_missions/*.json')):
        if not names or os.path.basename(path)[:-5] in names:
            with open(path, encoding='utf-8') as f:
                yield json.load(f)


def show(mission, px4, ours):
    for i, item in enumerate(mission['items']):
        print('   ', i, item)
    for who, facts in (('px4', px4), ('mayfly', ours)):
        print(who, 'ack', facts['ack'], 'start', facts['start'], 'end', facts['end'])
        for e in sorted(facts['events'] + [(t, 'text', x) for t, x in facts['texts']], key=lambda e: e[0]):
            print(f'    {e[0]:7.2f} {e[1]} {e[2]}')


def fly_all(conform, pool, flown, names):
    """Differences of missions, and figures of them"""
    found, count = [], collections.Counter()
    for mission, (px4, ours) in zip(flown, pool.map(lambda m: missions.fly(conform, m), flown)):
        differences, legs = missions.compare(mission, px4, ours)
        found += differences
        if names:
            show(mission, px4, ours)
        kinds = {d.kind for d in differences}
        both = px4['start'] == ours['start'] == 0
        count.update(missions=1, verdict=(px4['ack'] == 0) == (ours['ack'] == 0), ack=px4['ack'] == ours['ack'], start=px4['start'] == ours['start'],
                     both=both, events=both and not kinds & {'events.item', 'events.mode', 'events.armed', 'order'}, end=both and 'end' not in kinds)
        for theirs, mine in (legs or {}).values():
            count.update(legs=1, close=missions.is_close(theirs, mine))
    return found, count


def ask_all(conform, pool, data):
    asked = list(questions.of(data))
    found, count = [], collections.Counter()
    for (group, _, _), differences in zip(asked, pool.map(lambda q: q[1](conform, *q[2]), asked)):
        found += differences
        count.update({f'{group} asked': 1, f'{group} alike': not differences})
    return found, count


def report(found, verbose):
    """Print each class with its row. Number of those that no row covers"""
    classes = collections.defaultdict(list)
    for d in found:
        classes[d.kind, rows.row_of(d)].append(d)
    for (kind, row), some in sorted(classes.items(), key=str):
        print(f'{kind}: {len(some)}  {f"[{row}]" if row else "NOT LISTED"}')
        for d in some if verbose or not row else ():
            print(f'    {d.name}: {d.detail}')
    return sum(not row for _, row in classes)


def main():
    build, data = sys.argv[1:3]
    names = [a for a in sys.argv[3:] if a != '-v']
    if not os.path.isdir(os.path.join(data, 'px4_missions')):
        print(f'px4-parity: left out: no recordings in {data}')
        return 0
    faults = rows.check()
    conform, flown = Conform(build), list(load_missions(data, names))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found, n = fly_all(conform, pool, flown, names)
        asked, m = ask_all(conform, pool, data) if not names else ([], {})
    unlisted = report(found + asked, '-v' in sys.argv)
    print(f'{n["missions"]} missions: upload verdict {n["verdict"]}, MISSION_ACK {n["ack"]}, answer to start {n["start"]}; of {n["both"]} flown by both: '
          f'events {n["events"]}, final state {n["end"]}; {n["close"]} of {n["legs"]} legs within 2 s or 5 %')
    for group in sorted({key.split()[0] for key in m}):
        print(f'{group}: {m[f"{group} alike"]} of {m[f"{group} asked"]}')
    figures = Figures()
    figures.add('px4.legs', 100 * n['close'] / max(1, n['legs']), '%')
    figures.add('px4.unlisted', unlisted + len(faults), 'classes')
    return max(figures.exit_code(), bool(faults))


if __name__ == '__main__':
    sys.exit(main())
