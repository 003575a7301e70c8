# SPDX-License-Identifier: Apache-2.0
"""The page of mission items says what a real PX4 answered to each command in each frame."""
import json
import os
import re

import pytest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ACCEPT = os.path.join(os.environ.get('PX4_DATA', os.path.join(TOP, '..', 'shared', 'data')), 'px4_commands', 'accept.json')
ROW = re.compile(r'^\| (\d+) \| \w+ \| (\w+) \| ([\d, ]+) \| [^|]* \| ([^|]*) \|$', re.M)
LISTED = {5000}  # a row of the page of differences
BEYOND = {10, 11}  # frames that only Mayfly has


def answer(row, frame):
    """MISSION_ACK.type that PX4 gives, by the page"""
    plan, frames, px4 = row
    taken = {2} if px4 == 'frame 2 only' else {int(f) for f in frames.split(',')} - BEYOND
    return 3 if px4 == 'refused' or frame not in taken else 0 if plan == 'MISSION' else 1


@pytest.mark.skipif(not os.path.exists(ACCEPT), reason='no recordings of PX4')
def test_sim031_the_page_has_px4s_answers():
    with open(os.path.join(TOP, 'docs', 'mission-items.md'), encoding='utf-8') as f:
        rows = {int(number): rest for number, *rest in ROW.findall(f.read())}
    with open(ACCEPT, encoding='utf-8') as f:
        recorded = [e for e in json.load(f) if e['cmd'] not in LISTED]
    wrong = [(e['cmd'], e['frame'], e['ack']) for e in recorded if (answer(rows[e['cmd']], e['frame']) if e['cmd'] in rows else 3) != e['ack']]
    assert len(recorded) > 500 and wrong == []
