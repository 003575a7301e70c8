# SPDX-License-Identifier: Apache-2.0
"""Which row of firmware/state/differences.def covers a difference."""
import os
import re

from session import HERE

TABLE = os.path.join(HERE, '..', '..', 'firmware', 'state', 'differences.def')
# Commands that PX4's SITL without a camera, gimbal, winch or calibration does not answer, and parameters of others that it does not
UNANSWERED = {35, 93, 203, 204, 205, 206, 214, 220, 242, 243, 245, 260, 311, 400, 500, 521, 530, 531, 532, 1000, 1001, 2003, 3000, 30001, 30002, 42600}
OTHER_MODES = {'SLOW', 'ALT_CRUISE', 'PRECLAND', 'VTOL_TO', *(f'EXT{i}' for i in range(1, 9))}
NO_MODES = 'modes Position Slow'


def command(*numbers):
    return lambda d: d.about['cmd'] in numbers


def item(kind):
    """The difference is in the item of this kind of command"""
    return lambda d: any(i['cmd'] == kind for i in d.about['items'])


def any_of(_):
    return True


# (kinds, condition, words of the row's first column)
COVERS = [
    ('accept.*', lambda d: d.about['cmd'] in range(5000, 5101), 'fence items in a mission'),
    ('text', lambda d: item(5003)(d) or item(5001)(d), 'fence items in a mission'),
    ('command.ack', lambda d: d.about['cmd'] in UNANSWERED and not d.px4, 'unknown commands'),
    ('command.(ack|text)', command(420), 'INJECT_FAILURE'),
    ('command.ack', command(186), 'speeds above 100 m/s'),
    ('command.(ack|text)', command(35, 241, 2600, 42006), 'answers and texts of calibrations'),
    ('command.(state|text)', command(23, 84), NO_MODES),
    ('command.text', command(262), 'text of a refused mode'),
    ('command.state', lambda d: d.about['cmd'] in (22, 262), 'take-off without an altitude in the air'),
    ('mode.*', lambda d: OTHER_MODES & {d.about['from'], d.about['to'], d.about['result']}, NO_MODES),
    ('mode', lambda d: d.px4[1] == 'TAKEOFF', 'take-off without an altitude in the air'),
    ('mode.text', lambda d: not d.px4 and d.ours[0].startswith('Switching to'), 'text of a refused mode'),
    ('interval', lambda d: d.px4['set'] == 0 or d.ours[0] == [4], 'messages of SET_MESSAGE_INTERVAL'),
    ('request', any_of, 'messages of SET_MESSAGE_INTERVAL'),
    ('slow leg', any_of, 'times of some legs'),
    ('lost', any_of, 'MISSION_ITEM_REACHED of an item before'),
    ('events.mode', item(20), 'NAV_RETURN_TO_LAUNCH as the last item'),
    ('end', item(20), 'NAV_RETURN_TO_LAUNCH as the last item'),
    ('text', lambda d: d.about['items'][-1]['cmd'] == 177, 'a DO_JUMP as the last item'),
    ('upload', lambda d: any(i['z'] != i['z'] for i in d.about['items']), 'speeds above 100 m/s'),
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
