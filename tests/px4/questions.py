# SPDX-License-Identifier: Apache-2.0
"""Single items, commands, modes, message intervals and requests: what PX4 answered, and what Mayfly does."""
import json
import os

from missions import Difference, joined, plain
from session import BEAT, HOME, NUMBERS, choose, command, head, item, mode_name, number, take_off, text_of, upload, wait

ON_GROUND_S, IN_AIR_S = 6.0, 26.0


def answer(sent, since, command_id):
    """(results, mode, armed, texts) after a command sent at a time"""
    acks = [f['result'] for t, name, f in sent if t >= since and name == 'COMMAND_ACK' and f['command'] == command_id]
    beats = [f for t, name, f in sent if name == 'HEARTBEAT']
    modes = [f['custom_mode'] for t, name, f in sent if name == 'CURRENT_MODE']
    texts = [(t, text_of(f), len(f['text'].rstrip(b'\0')) == 50) for t, name, f in sent if t >= since and name == 'STATUSTEXT']
    return acks, mode_name(modes[-1] if modes else beats[-1]['custom_mode']), bool(beats[-1]['base_mode'] & 128), told(texts)


def told(texts):
    return [plain(text) for _, text in joined(texts)]


def told_by_px4(texts):
    return told([(0, text.strip(), len(text) == 50) for text in texts])


def one_accept(conform, e):
    place = e['frame'] != 2
    asked = {'cmd': e['cmd'], 'frame': e['frame'], 'ac': 1, 'p': [0, 0, 0, 0], 'x': 473980000 if place else 0, 'y': 85457000 if place else 0,
             'z': 510 if e['frame'] == 0 else 20 if place else 0}
    sent = conform.run(head() + wait(2) + upload([item(22, up_m=10), asked]) + wait(1))
    acks = [f['type'] for _, name, f in sent if name == 'MISSION_ACK']
    texts = told([(t, text_of(f), False) for t, name, f in sent if name == 'STATUSTEXT'])
    name, found = f'command {e["cmd"]} frame {e["frame"]}', []
    if acks[:1] != [e['ack']]:
        found.append(Difference('accept', name, f'MISSION_ACK {e["ack"]}, here {acks[:1]}', e, acks, e))
    elif told_by_px4(e['texts']) != texts:
        found.append(Difference('accept.text', name, f'{e["texts"]}, here {texts}', e, texts, e))
    return found


def one_command(conform, e, air):
    since = IN_AIR_S if air else ON_GROUND_S
    sent = conform.run(head() + wait(ON_GROUND_S) + (take_off() if air else []) + [command(e['cmd'], *e['p'])] + wait(2))
    acks, mode, armed, texts = answer(sent, since, e['cmd'])
    name, found = f'{"air" if air else "ground"} {e["cmd"]} {e["p"]}', []
    def differ(kind, theirs, mine):
        if theirs != mine:
            found.append(Difference(kind, name, f'{theirs}, here {mine}', theirs, mine, e))
    differ('command.ack', e['acks'], acks)
    differ('command.state', (e['mode'], e['armed']), (mode, armed))
    differ('command.text', told_by_px4(e['texts']), texts)
    return found


def one_int(conform, e, air):
    since = IN_AIR_S + 10 if air else ON_GROUND_S
    place = e['cmd'] in (192, 34, 195, 179, 22, 21)
    p1 = {192: 'param1=-1 param2=1 param4=nan', 400: 'param1=1', 512: 'param1=148', 178: 'param1=1 param2=4 param3=-1',
          34: 'param1=20 param2=3'}.get(e['cmd'], '')
    x, y = (473979230, 85457270) if place else (0, 0)
    # PX4 was higher than the targets of these commands, as it is here at 40 m
    sent = conform.run(head() + wait(ON_GROUND_S) + (take_off(40)[:2] + wait(30) if air else [])
                       + [f'send 0 COMMAND_INT command={e["cmd"]} frame={e["frame"]} {p1} x={x} y={y} z={e["z"]}'] + wait(2))
    acks, mode, armed, _ = answer(sent, since, e['cmd'])
    name = f'{"air" if air else "ground"} {e["cmd"]} frame {e["frame"]} z {e["z"]}'
    if acks[:1] != [e['ack']]:
        return [Difference('command_int', name, f'{e["ack"]}, here {acks}', e, acks, e)]
    here = (mode, armed)
    return [] if here == (e['mode'], e['armed']) else [Difference('command_int.state', name, f'{e["mode"]} {e["armed"]}, here {here}', e, here, e)]


def one_interval(conform, id_, e):
    sent = conform.run(head() + wait(3) + [command(511, id_, 1000000), 'run 0.5', command(510, id_), 'run 0.5'])
    acks = [f['result'] for _, name, f in sent if name == 'COMMAND_ACK' and f['command'] == 511]
    now = [f['interval_us'] for _, name, f in sent if name == 'MESSAGE_INTERVAL' and f['message_id'] == id_]
    here = (acks[:1], now[-1:])
    return [] if here == ([e['set']], [e['interval']]) else [
        Difference('interval', f'message {id_}', f'{e["set"]}, {e["interval"]}, here {here}', e, here, id_)]


def one_request(conform, id_, e):
    sent = conform.run(head() + wait(3) + [command(512, id_), 'run 1'])
    acks = [f['result'] for _, name, f in sent if name == 'COMMAND_ACK' and f['command'] == 512]
    return [] if acks[:1] == [e['req']] else [Difference('request', f'message {id_}', f'{e["req"]}, here {acks[:1]}', e, acks, id_)]


def one_mode(conform, e, kind):
    """kind: in the air, sticks, mission loaded"""
    air, sticks, plan = (c == '1' for c in kind)
    def stick(seconds):
        lines = ['send 0 MANUAL_CONTROL target=1 x=0 y=0 z=500 r=0'] if sticks else []
        return [BEAT, *(line for _ in range(int(seconds * 10)) for line in lines + ['run 0.1'])]
    square = [item(16, 3 + 22 * i, 20) for i in range(3)]
    lines = head() + wait(3) + (upload(square) if plan else []) + wait(2) + (take_off() if air else [])
    since = 7.0 + (20 if air else 0)
    # PX4 enters Orbit by its command only
    first = command(34, 20, 3, 0, 0, None, None, None) if e['from'] == 'ORBIT' else choose(e['from'])
    sent = conform.run(lines + stick(1) + [first] + stick(1) + [choose(e['to'])] + stick(1.5))
    acks, mode, _, texts = answer(sent, since - 0.001, 176)
    name, found = f'{kind} {e["from"]} to {e["to"]}', []
    # PX4's two answers come from two modules, and overtake each other
    if mode != e['result'] or sorted(e.get('acks', acks)[-2:]) != sorted(acks):
        theirs, mine = (e.get('acks', [e['ack']]), e['result']), (acks, mode)
        found.append(Difference('mode', name, f'{theirs}, here {mine}', theirs, mine, e))
    # the way of a mode depends on where PX4 was then; the text of the mode before may come late
    ignored = ('RTL:', 'Climb', *(['Executing Mission'] if e['from'] == 'MISSION' else []))
    theirs, mine = [[t for t in some if not t.startswith(ignored)] for some in (told_by_px4(e['texts']), texts)]
    if theirs != mine:
        found.append(Difference('mode.text', name, f'{theirs}, here {mine}', theirs, mine, e))
    return found


def load(data, name):
    with open(os.path.join(data, 'px4_commands', name), encoding='utf-8') as f:
        return json.load(f)


def of(data):
    """(group, function, arguments) for each question that PX4 answered"""
    yield from (('items', one_accept, (e,)) for e in load(data, 'accept.json'))
    for air in (False, True):
        where = 'air' if air else 'ground'
        yield from (('commands', one_command, (e, air)) for e in load(data, f'cmds_{where}.json'))
        yield from (('commands_int', one_int, (e, air)) for e in load(data, f'cmdint_{where}.json'))
    yield from (('intervals', one_interval, (int(n), e)) for n, e in load(data, 'intervals.json').items())
    yield from (('requests', one_request, (int(n), e)) for n, e in load(data, 'requests.json').items())
    for kind in ('000', '001', '101', '111'):
        # a mode that PX4 did not enter first has no answer
        yield from (('modes', one_mode, (e, kind)) for e in load(data, f'modes_{kind}.json') if e.get('before') == e['from'] and e['to'] in NUMBERS)
