# SPDX-License-Identifier: Apache-2.0
"""Missions: what PX4 did with each, and what Mayfly does."""
import collections
import re

from session import command, mode_name, text_of, upload, wait, head

Difference = collections.namedtuple('Difference', 'kind name detail px4 ours about')
# items that take no time: PX4's receiver polls every 10 ms, and misses an ITEM_REACHED that the next one replaces before
INSTANT = {20, 80, 112, 114, 176, 177, 178, 179, 183, 187, 189, 195, 196, 197, 200, 201, 203, 204, 205, 206, 207, 211, 212, 214, 260, 400, 420, 530, 531, 532,
           534, 1000, 1001, 2000, 2001, 2003, 2500, 2501, 3000, 4501, 42600}
ACCEPTANCE_M, ACCEPTANCE_UP_M, M_PER_E7 = 2.0, 0.8, 0.0111195
# texts of PX4's own sensors and logger, and the answer to items that its client no longer sent after a refusal
FOREIGN = r'\[logger\]|Preflight Fail: heading|Compass|Preflight Fail: Compass|IGN MISSION_ITEM: No transfer'
SLACK_S, SLACK = 2.0, 0.05
STARTED_S = 8.0
LATER_S = 60  # as long may Mayfly need more than PX4 did


def plain(text):
    """A text with N for each number: altitudes of a simulated barometer wander"""
    return re.sub(r'-?\d+(\.\d+)?', 'N', text)


def joined(texts):
    """[(time, text)] with chunks put together, without the foreign ones"""
    whole = []
    for t, text, full in texts:
        if whole and whole[-1][2]:
            whole[-1] = (whole[-1][0], (whole[-1][1] + text).strip(), full)
        else:
            whole.append((t, text, full))
    return [(t, text) for t, text, _ in whole if text and not re.match(FOREIGN, text)]


def facts_of_px4(recorded):
    """Of a recorded flight: answers, events with their times, the end"""
    facts = {'ack': None, 'start': None, 'events': [], 'end': None, 'since': 20}
    begun = armed = mode = None
    texts = []
    for e in recorded:
        if e['m'] == 'UPLOADED':
            facts['ack'] = e['ack']
        elif e['m'] == 'START':
            facts['start'], begun = e['result'], e['t']
        elif e['m'] == 'END':
            facts['end'] = (bool(e['base'] & 128), mode_name(e['custom']), e['landed'])
            facts['since'] = e['since']
        if e['m'] == 'STATUSTEXT':
            texts.append((e['t'], e['text'].strip(), len(e['text']) == 50))
        if begun is None:
            mode = e['custom'] if e['m'] == 'CURRENT_MODE' else mode
            continue
        t = e['t'] - begun
        if e['m'] == 'MISSION_ITEM_REACHED':
            facts['events'].append((t, 'item', e['seq']))
        elif e['m'] == 'CURRENT_MODE' and e['custom'] != mode:
            mode = e['custom']
            facts['events'].append((t, 'mode', mode_name(mode)))
        elif e['m'] == 'HEARTBEAT' and bool(e['base'] & 128) != armed:
            armed = bool(e['base'] & 128)
            facts['events'].append((t, 'armed', armed))
    facts['texts'] = [(t - (begun or 0), text) for t, text in joined(texts)]
    return facts


def facts_of_mayfly(sent):
    facts = {'ack': None, 'start': None, 'events': [], 'landed': []}
    armed, mode = False, None
    texts = []
    for t, name, f in sent:
        since = t - STARTED_S
        if name == 'MISSION_ACK' and facts['ack'] is None:
            facts['ack'] = f['type']
        elif name == 'COMMAND_ACK' and f['command'] == 300 and f['result'] != 5:
            facts['start'] = f['result']
        elif name == 'STATUSTEXT':
            texts.append((since, text_of(f), len(f['text'].rstrip(b'\0')) == 50))
        elif name == 'EXTENDED_SYS_STATE':
            facts['landed'].append((since, f['landed_state']))
        elif name == 'CURRENT_MODE' and f['custom_mode'] != mode:
            mode = f['custom_mode']
            facts['events'].append((since, 'mode', mode_name(mode)))
        elif name == 'MISSION_ITEM_REACHED':
            facts['events'].append((since, 'item', f['seq']))
        elif name == 'HEARTBEAT' and bool(f['base_mode'] & 128) != armed:
            armed = bool(f['base_mode'] & 128)
            facts['events'].append((since, 'armed', armed))
    facts['texts'] = joined(texts)
    return facts


def stop_at(px4, ours):
    """The instant of our flight at which PX4's recording would have stopped: disarmed, finished, at an item, or by its time"""
    last = [e for e in px4['events'] if e[1] == 'item'][-1:]
    if not px4['end'][0]:
        return next((t + 2 for t, kind, value in ours['events'] if (kind, value) == ('armed', False)), None)
    if any(text.startswith('Mission finished') for _, text in px4['texts']):
        return next((t + 6 for t, text in ours['texts'] if text.startswith('Mission finished')), None)
    if last and px4['since'] - last[0][0] < 1.5:
        return next((t + 1 for t, kind, value in ours['events'] if (kind, value) == last[0][1:]), None)
    # by its time: as long after the last item that PX4 reached
    ours_last = next((t for t, kind, value in ours['events'] if last and (kind, value) == last[0][1:]), None)
    return px4['since'] if ours_last is None else ours_last + px4['since'] - last[0][0]


def cut(facts, stop):
    """The facts up to an instant, with the state there"""
    stop = stop if stop is not None else float('inf')
    before = [e for e in facts['events'] if e[0] <= stop]
    def last(kind):
        return [value for _, k, value in before if k == kind][-1:]
    end = ((last('armed') or [False])[0], (last('mode') or ['LOITER'])[0], [value for t, value in facts['landed'] if t <= stop][-1])
    return {**facts, 'events': [e for e in before if e[0] >= 0], 'texts': [x for x in facts['texts'] if x[0] <= stop], 'end': end}


def fly(conform, mission):
    px4 = facts_of_px4(mission['px4'])
    lines = head() + wait(6) + upload(mission['items']) + wait(2) + [command(300)] + wait(int(px4['since'] + (LATER_S if px4['start'] == 0 else 1)))
    ours = facts_of_mayfly(conform.run(lines))
    return px4, cut(ours, stop_at(px4, ours))


def settle(events):
    """Events without repetitions of an item in a row"""
    kept = []
    for e in events:
        if kept[-1:] == [] or e[1] != 'item' or kept[-1][1:] != e[1:]:
            kept.append(e)
    return kept


def near(a, b):
    """Is the second item within the acceptance radius of the first?"""
    level = ((a['x'] - b['x']) ** 2 + ((a['y'] - b['y']) * 0.677) ** 2) ** 0.5 * M_PER_E7
    return b['cmd'] in (16, 17, 19, 22) and level <= ACCEPTANCE_M + 1 and abs((a['z'] or 0) - (b['z'] or 0)) <= ACCEPTANCE_UP_M


def may_be_lost(items):
    """Numbers of the items whose ITEM_REACHED PX4's receiver may miss"""
    return {i for i in range(len(items) - 1) if items[i + 1]['cmd'] in INSTANT or near(items[i], items[i + 1])}


def lost(px4, ours, losable):
    """Are the second events the first, and others that may be lost? The lost ones, or None"""
    missing, rest = [], list(px4)
    for e in ours:
        if rest and rest[0] == e:
            rest.pop(0)
        elif e in losable:
            missing.append(e)
        else:
            return None
    return missing if not rest else None


def compare(mission, px4, ours):
    """(differences, {leg: (PX4's seconds, ours)} or None where the two did not fly the same)"""
    name, found, legs = mission['id'], [], None
    def differ(kind, a, b):
        found.append(Difference(kind, name, f'{a}, here {b}', px4, ours, mission))
    if px4['ack'] != ours['ack']:
        differ('upload', f'MISSION_ACK {px4["ack"]}', ours['ack'])
    elif px4['start'] != ours['start']:
        differ('start', f'MISSION_START {px4["start"]}', ours['start'])
    elif px4['start'] == 0:
        legs = compare_flights(mission, px4, ours, differ)
    if px4['ack'] == ours['ack'] and px4['start'] == ours['start']:
        texts = [sorted({plain(text) for _, text in facts['texts']}) for facts in (px4, ours)]
        if texts[0] != texts[1]:
            differ('text', [t for t in texts[0] if t not in texts[1]], [t for t in texts[1] if t not in texts[0]])
    return found, legs


def compare_flights(mission, px4, ours, differ):
    def of(facts, kind):
        return [value for _, k, value in settle(facts['events']) if k == kind]
    items = [of(facts, 'item') for facts in (px4, ours)]
    missing = lost(*items, may_be_lost(mission['items']))
    alike = missing is not None
    if missing:
        differ('lost', missing, [])
    for kind in ('item', 'mode', 'armed'):
        if of(px4, kind) != of(ours, kind) and not (kind == 'item' and alike):
            differ(f'events.{kind}', of(px4, kind), of(ours, kind))
    swapped = out_of_order(px4, ours) if alike else []
    if swapped:
        differ('order', swapped, 'the other way round')
    if px4['end'] != ours['end']:
        differ('end', px4['end'], ours['end'])
    return compare_legs(px4, ours, differ) if alike else None


def out_of_order(px4, ours):
    """Pairs of an event and a later one, a second apart at least, that come the other way round here: messages of two modules of PX4 overtake"""
    first = [{e[1:]: e[0] for e in reversed(facts['events'])} for facts in (px4, ours)]
    both = [e for e in first[0] if e in first[1]]
    return [(a, b) for a in both for b in both if first[0][a] + 1 < first[0][b] and first[1][a] > first[1][b]]


def compare_legs(px4, ours, differ):
    times = [{e[2]: e[0] for e in facts['events'] if e[1] == 'item'} for facts in (px4, ours)]
    both = sorted(set(times[0]) & set(times[1]), key=lambda i: times[0][i])
    legs = {(i, j): (times[0][j] - times[0][i], times[1][j] - times[1][i]) for i, j in zip(both, both[1:])}
    for (i, j), (theirs, mine) in legs.items():
        if not is_close(theirs, mine):
            differ('slow leg' if theirs > mine else 'fast leg', f'{i} to {j}: {theirs:.1f} s', f'{mine:.1f} s')
    return legs


def is_close(theirs, mine):
    return abs(theirs - mine) <= max(SLACK_S, SLACK * theirs)
