# SPDX-License-Identifier: Apache-2.0
"""Flights as JSON and KML (build/replay --json, --kml), and remote identification, as recordings of build/mayfly show
them. Frames are decoded here, by MAVLink's definitions; positions and altitudes must be theirs to the last digit."""
import datetime
import json
import struct
import xml.etree.ElementTree

from drone import Drone, run
from mavlink import EXTENDED_SYS_STATE, GLOBAL_POSITION_INT, GPS_RAW_INT, HEARTBEAT, MISSION_ITEM_REACHED
from names import assert_names
from recordings import BOOT, OUT, RecordedCase, recording, records, replay, sent

BASIC_ID, LOCATION, SYSTEM, OPERATOR_ID = 12900, 12901, 12904, 12905
EPOCH = '2026-03-01T12:34:56Z'
EPOCH_S = 1772368496
KML = '{http://www.opengis.net/kml/2.2}'
GX = '{http://www.google.com/kml/ext/2.2}'
SETTLED = ('--clock', 'fast', '--epoch', EPOCH)


def utc(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))


def utc_at(t_us):
    return datetime.datetime.fromtimestamp(EPOCH_S, datetime.timezone.utc) + datetime.timedelta(microseconds=t_us)


class Export(RecordedCase):
    def export(self, *more):
        result = replay('--json', self.path('f.json'), '--kml', self.path('f.kml'), *more, self.flight)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r'f\.json: \d+\D+\d+ .*link 0 \(tcp .*\)\n.*f\.kml: ')
        text = self.bytes('f.json')
        text.decode('ascii')
        return json.loads(text), xml.etree.ElementTree.fromstring(self.bytes('f.kml'))

    def test_sim039_json_says_what_the_frames_said(self):
        data = self.fly(*SETTLED, '--home', '46.5,6.6,400.123,211', '--sysid', '7', '--stream', 'GPS_RAW_INT=10')
        flight, _ = self.export()
        self.assertEqual((flight['format'], flight['version'], flight['system_id'], flight['component_id'],
                          flight['complete'], len(flight['boots'])), ('mayfly-flight', 1, 7, 1, True, 1))
        boot = flight['boots'][0]
        self.assertEqual(utc(boot['utc']), utc_at(0))
        said, fixes = [], {}
        for _, msgid, p in sent(data):
            if msgid == GLOBAL_POSITION_INT:
                position = struct.unpack_from('<IiiiihhhH', p)
                if not said or said[-1][0] < position[0]:
                    said.append(position)
            elif msgid == GPS_RAW_INT and p[28] >= 3:
                fixes[struct.unpack_from('<Q', p)[0]] = struct.unpack_from('<iii', p, 8) + struct.unpack_from('<i', p, 30)
        self.assertGreater(len(said), 200)
        self.assertEqual(len(boot['samples']), len(said))
        both = 0
        for sample, (ms, lat, lon, alt, height, vx, vy, vz, hdg) in zip(boot['samples'], said):
            self.assertEqual(sample['t_s'], ms / 1e3)
            self.assertEqual(utc(sample['utc']), utc_at(ms * 1000))
            self.assertEqual((sample['lat_deg'], sample['lon_deg']), (lat / 1e7, lon / 1e7))
            self.assertEqual((sample['alt_amsl_m'], sample['height_m']), (alt / 1e3, height / 1e3))
            self.assertEqual(sample['vel_ned_mps'], [vx / 1e2, vy / 1e2, vz / 1e2])
            self.assertEqual(sample['heading_deg'], hdg / 1e2)
            if ms * 1000 in fixes:
                self.assertEqual(fixes[ms * 1000][:3], (lat, lon, alt))
                self.assertEqual(sample['alt_ellipsoid_m'], fixes[ms * 1000][3] / 1e3)
                both += 1
        self.assertGreater(both, 200)

    def test_events_are_those_of_the_frames(self):
        data = self.fly(*SETTLED)
        flight, _ = self.export()
        said, last = [], {'armed': False}

        def change(key, value, event, t_us):
            if last.get(key) != value:
                last[key] = value
                said.append((t_us / 1e6, event))

        for t_us, msgid, p in sent(data):
            if msgid == HEARTBEAT:
                armed = p[6] & 128 != 0
                change('armed', armed, 'armed' if armed else 'disarmed', t_us)
                change('mode', p[:4], ('mode', struct.unpack_from('<I', p)[0]), t_us)
            elif msgid == EXTENDED_SYS_STATE:
                state = ('undefined', 'on_ground', 'in_air', 'takeoff', 'landing')[p[1]]
                change('landed', state, ('landed_state', state), t_us)
            elif msgid == MISSION_ITEM_REACHED:
                said.append((t_us / 1e6, ('mission_item_reached', struct.unpack_from('<H', p)[0])))
        events = flight['boots'][0]['events']
        got = []
        for e in events:
            self.assertEqual(utc(e['utc']), utc_at(round(e['t_s'] * 1e6)))
            value = e.get('custom_mode', e.get('state', e.get('item')))
            got.append((e['t_s'], e['type'] if value is None else (e['type'], value)))
        self.assertEqual(got, said)
        self.assertEqual([e['mode'] for e in events if e['type'] == 'mode'],
                         ['HOLD', 'MISSION', 'HOLD', 'RTL', 'LAND', 'HOLD'])
        self.assertEqual([e['item'] for e in events if e['type'] == 'mission_item_reached'], [0, 1, 2, 3, 4])

    def test_kml_has_the_same_flight_above_mean_sea_level(self):
        self.fly(*SETTLED)
        flight, kml = self.export()
        samples, events = flight['boots'][0]['samples'], flight['boots'][0]['events']
        self.assertEqual(kml.tag, KML + 'kml')
        folders = kml.findall(f'{KML}Document/{KML}Folder')
        self.assertEqual([f.find(KML + 'name').text for f in folders], ['Boot 1'])
        line = folders[0].find(f'{KML}Placemark/{KML}LineString')
        track = folders[0].find(f'{KML}Placemark/{GX}Track')
        expected = [(s['lon_deg'], s['lat_deg'], s['alt_amsl_m']) for s in samples]
        for geometry in (line, track):
            self.assertEqual(geometry.find(KML + 'altitudeMode').text, 'absolute')
        self.assertEqual([tuple(map(float, c.split(','))) for c in line.find(KML + 'coordinates').text.split()], expected)
        self.assertEqual([tuple(map(float, c.text.split())) for c in track.findall(GX + 'coord')], expected)
        self.assertEqual([w.text for w in track.findall(KML + 'when')], [s['utc'] for s in samples])
        marks = [p for p in folders[0].findall(KML + 'Placemark') if p.find(KML + 'Point') is not None]
        self.assertEqual([m.find(f'{KML}TimeStamp/{KML}when').text for m in marks],
                         [e['utc'] for e in events if e['t_s'] >= samples[0]['t_s']])
        self.assertEqual([m.find(KML + 'name').text for m in marks][-3:], ['on_ground', 'disarmed', 'mode HOLD'])

    def test_equal_recordings_give_equal_bytes_and_reboots_have_their_own_place(self):
        self.fly(*SETTLED)
        data = self.recorded()
        self.export()
        first = self.bytes('f.json'), self.bytes('f.kml')
        self.export()
        self.assertEqual((self.bytes('f.json'), self.bytes('f.kml')), first)
        at = next(i for i in range(8, len(data)) if data[i:i + 3] == struct.pack('<BH', BOOT, 8))
        self.write(self.flight, data[:-5] + data[at:-5])    # the same flight again after a reboot, and no end
        flight, kml = self.export()
        self.assertFalse(flight['complete'])
        self.assertEqual(len(flight['boots']), 2)
        self.assertEqual(flight['boots'][0], flight['boots'][1])
        self.assertEqual(len(kml.findall(f'{KML}Document/{KML}Folder')), 2)

    def test_a_link_without_positions(self):
        data = self.fly(*SETTLED)
        self.write(self.flight, recording((kind, p) for kind, p in records(data) if kind != OUT or p[2 + 7] != GLOBAL_POSITION_INT))
        flight, kml = self.export()
        self.assertEqual(flight['boots'][0]['samples'], [])
        self.assertGreater(len(flight['boots'][0]['events']), 10)
        self.assertEqual(kml.findall(f'.//{KML}LineString') + kml.findall(f'.//{GX}Track'), [])

    def test_what_cannot_be_written_or_read_is_said(self):
        self.fly(*SETTLED)
        for args, why in ((['--json', '/nosuch/f.json'], '/nosuch/f.json'),
                          (['--kml', '/dev/full'], '/dev/full'),
                          (['--json', '/dev/full'], '/dev/full'),
                          (['--json', self.path('x'), '--link', '9'], 'link 9')):
            result = replay(*args, self.flight)
            self.assertEqual(result.returncode, 2, args)
            assert_names(result.stderr, why)


class RemoteId(RecordedCase):
    def those(self, data, msgid):
        return [(t_us, p) for t_us, m, p in sent(data) if m == msgid]

    def test_off_by_default(self):
        data = self.fly(*SETTLED)
        self.assertEqual([m for _, m, _ in sent(data) if 12900 <= m < 13000], [])

    def test_sim039_rates_ids_and_replay(self):
        data = self.fly(*SETTLED, '--remote-id', '--uas-id', 'MAYF5ABCDE', '--operator-id', 'FIN87astrdge12k8',
                        '--eu-category', 'open', '--eu-class', 'c2', '--ua-type', 'hybrid', '--stream',
                        'OPEN_DRONE_ID_SYSTEM=2')
        for msgid, every_us in ((BASIC_ID, 3000000), (LOCATION, 1000000), (SYSTEM, 500000), (OPERATOR_ID, 3000000)):
            times = [t_us for t_us, _ in self.those(data, msgid)][1:]  # the first one comes with the link
            self.assertGreater(len(times), 5, msgid)
            for a, b in zip(times, times[1:]):
                self.assertAlmostEqual((b - a) / every_us, 1, delta=0.1, msg=msgid)
        basic, operator, system = (self.those(data, m)[-1][1] for m in (BASIC_ID, OPERATOR_ID, SYSTEM))
        self.assertEqual((basic[22], basic[23], basic[24:44]), (1, 4, b'MAYF5ABCDE'.ljust(20, b'\0')))
        self.assertEqual(operator[23:43], b'FIN87astrdge12k8'.ljust(20, b'\0'))
        self.assertEqual(tuple(system[50:54]), (0, 1, 1, 3))  # take-off; EU, open, class 2
        text = self.settings()
        self.assertEqual([s for s in text if s.startswith('remote_id=')],
                         ['remote_id=1 4 1 3 ' + b'MAYF5ABCDE'.ljust(20, b'\0').hex() + ' '
                          + b'FIN87astrdge12k8'.ljust(20, b'\0').hex()])
        self.replays()

    def test_sim039_location_agrees_with_the_receiver(self):
        data = self.fly(*SETTLED, '--remote-id', '--stream', 'GPS_RAW_INT=10')
        fixes, home = {}, None
        for t_us, msgid, p in sent(data):
            if msgid == GPS_RAW_INT:
                fixes[t_us] = struct.unpack_from('<ii', p, 8) + struct.unpack_from('<i', p, 30)
                home = home or fixes[t_us]
        agreed, status = 0, set()
        for t_us, p in self.those(data, LOCATION):
            lat, lon, baro, geodetic, height, second = struct.unpack_from('<iiffff', p)
            self.assertLess(abs((EPOCH_S + t_us / 1e6) % 3600 - second), 0.2)
            status.add(p[52])
            if t_us in fixes:
                self.assertEqual((lat, lon), fixes[t_us][:2])
                self.assertAlmostEqual(geodetic, fixes[t_us][2] / 1e3, places=3)
                self.assertAlmostEqual(geodetic - home[2] / 1e3, height, delta=0.0015)  # both are rounded to 1 mm
                self.assertAlmostEqual(baro - 488, height, places=3)
                agreed += 1
        self.assertGreater(agreed, 10)
        self.assertEqual(status, {1, 2})
        _, system = self.those(data, SYSTEM)[-1]
        self.assertEqual(struct.unpack_from('<ii', system), home[:2])
        self.assertAlmostEqual(struct.unpack_from('<f', system, 16)[0], home[2] / 1e3, places=3)

    def test_ids_that_are_none(self):
        for args, why in ((['--uas-id', 'A' * 21], '--uas-id 20'),
                          (['--operator-id', 'd\u00e9j\u00e0'], '--operator-id 20'),
                          (['--uas-id-type', 'uuid'], '--uas-id-type uas_id'),
                          (['--uas-id-type', 'uuid', '--uas-id', '0123'], '--uas-id UUID 32'),
                          (['--uas-id-type', 'uuid', '--uas-id', '0' * 33], '--uas-id UUID 32'),
                          (['--uas-id-type', 'uuid', '--uas-id', 'g' * 32], '--uas-id UUID 32'),
                          (['--ua-type', 'balloon'], '--ua-type balloon none aeroplane')):
            result = run('--tcp', '0', *args)
            self.assertEqual(result.returncode, 2, args)
            assert_names(result.stderr, 'mayfly ' + why)

    def test_the_kinds_of_ids(self):
        uuid = '00112233-4455-6677-8899-AABBCCDDEEFF'
        for args, begin in ((['--uas-id-type', 'none', '--uas-id', 'X'], f'0 2 0 0 {"00" * 20} '),
                            (['--uas-id-type', 'registration', '--uas-id', 'D-1'], f'2 2 0 0 442d31{"00" * 17} '),
                            (['--uas-id-type', 'uuid', '--uas-id', uuid], '3 2 0 0 00112233445566778899aabbccddeeff00000000 '),
                            (['--instance', '254', '--sysid', '9'], f'1 2 0 0 {b"MAYF8000000FF".hex()}{"00" * 7} ')):
            with Drone('--record', self.flight, *args) as drone:
                drone.port()
                drone.end()
            text = self.settings()
            self.assertTrue([s for s in text if s.startswith('remote_id=' + begin)], text)
