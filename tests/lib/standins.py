# SPDX-License-Identifier: Apache-2.0
"""Stand-ins (docs/stand-ins.md) for tests on a laptop and in a cluster: certificates, the cloud service, a plan and its volumes,
and 40 minutes of missions in one."""
import json
import math
import os
import ssl
import struct
import subprocess
import time
import urllib.request

from certificates import certificate
from paths import GEOID, TOP, built

TEMPLATE = os.path.join(TOP, 'tools', 'standin', 'standin.yaml')
PATIENCE_S = 30.0
SQUARE = [0, 1, 2, 3, 4, 5]  # items of build/fly's square with a speed, each a milestone
METRES_OF_DEGREE = 111320.0


def ask_cloud(url, context):
    """{id: what the service knows of it}; OSError where it does not take the certificate of an ssl context"""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    with opener.open(url + '/v1/instances', timeout=PATIENCE_S) as answer:
        return {i['id']: i for i in json.load(answer)['instances']}


class Cloud:
    """build/standin cloud on a free port, for those with a certificate of `factory`; the folder has its certificates."""

    def __init__(self, folder, volumes=None, address='127.0.0.1'):
        self.folder = folder
        certificate(folder, 'factory', 'cloud', 'IP:' + address)
        certificate(folder, 'factory', 'operator')
        argv = [built('standin'), 'cloud', '--listen', address + ':0', '--certificate', self.path('cloud.crt'),
                '--key', self.path('cloud.key'), '--ca', self.path('factory.crt')]
        if volumes:
            with open(self.path('volumes.json'), 'w', encoding='ascii') as file:
                json.dump(volumes, file)
            argv += ['--volumes', self.path('volumes.json')]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[1].rstrip('/:')

    def path(self, name):
        return os.path.join(self.folder, name)

    def instances(self):
        """{id: what the service knows of it}"""
        context = ssl.create_default_context(cafile=self.path('factory.crt'))
        context.load_cert_chain(self.path('operator.crt'), self.path('operator.key'))
        return ask_cloud(self.url, context)

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE_S)
        if self.process.returncode != 0:
            raise AssertionError(f'the cloud service ended with {self.process.returncode}')


# ---------------------------------------------------------------- plans and volumes above WGS84

def undulations(model, places):
    run = subprocess.run([GEOID, 'at', '--model', model], input=''.join(f'{lat},{lon}\n' for lat, lon in places),
                         capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return [float(line) for line in run.stdout.splitlines()]


def corners(home, side_m):
    """South-west, where home is, and on clockwise."""
    north, east = side_m / METRES_OF_DEGREE, side_m / METRES_OF_DEGREE / math.cos(math.radians(home[0]))
    return [home, (home[0] + north, home[1]), (home[0] + north, home[1] + east), (home[0], home[1] + east)]


def plan(path, home, side_m, alt_wgs84_m, model):
    """A square at one altitude above WGS84, written as a plan in heights above sea by a model."""
    route = corners(home, side_m)
    route += route[:1]
    heights = [alt_wgs84_m - n for n in undulations(model, route)]
    items = [{'type': 'SimpleItem', 'command': 22 if i == 0 else 16, 'frame': 0, 'autoContinue': True, 'doJumpId': i + 1,
              'params': [0, 0, 0, None, lat, lon, height]} for i, ((lat, lon), height) in enumerate(zip(route, heights))]
    with open(path, 'w', encoding='ascii') as file:
        json.dump({'fileType': 'Plan', 'version': 1, 'groundStation': 'tests',
                   'mission': {'version': 2, 'firmwareType': 12, 'vehicleType': 2, 'cruiseSpeed': 15, 'hoverSpeed': 5,
                               'plannedHomePosition': [*home, heights[0]], 'items': items}}, file)
    return path


def volumes(home, side_m, alt_wgs84_m, above_m, below_m):
    """A column over home, down to the ground, and a layer around the route."""
    def altitude(value):
        return {'value': value, 'reference': 'W84', 'units': 'M'}
    south_west = (home[0] - 20 / METRES_OF_DEGREE, home[1] - 30 / METRES_OF_DEGREE)
    return [{'outline_circle': {'center': {'lat': home[0], 'lng': home[1]}, 'radius': {'value': 5, 'units': 'M'}},
             'altitude_lower': altitude(alt_wgs84_m - 500), 'altitude_upper': altitude(alt_wgs84_m + above_m)},
            {'outline_polygon': {'vertices': [{'lat': lat, 'lng': lon} for lat, lon in corners(south_west, side_m + 60)]},
             'altitude_lower': altitude(alt_wgs84_m - below_m), 'altitude_upper': altitude(alt_wgs84_m + above_m)}]


# ---------------------------------------------------------------- an ensemble on two geoids

DENVER = (39.74, -104.99)
ALTITUDE_M, SIDE_M = 1700.0, 120.0  # above WGS84; of the square
ENSEMBLE_VOLUMES = volumes(DENVER, SIDE_M, ALTITUDE_M, 0.3, 0.3)
CONFORMITY = {'egm96': 'conforming', 'navd88': 'conforming', 'wrong': 'nonconforming'}


def pack_navd88(folder, grid=None):
    """navd88.mfpk, around Denver: of a grid of NOAA, else of a surface 0.9 m beneath EGM96 there."""
    more = [grid]
    if grid is None:
        more = ['--frame', 'none', os.path.join(folder, 'navd88.gtx')]
        with open(more[-1], 'wb') as out:
            out.write(struct.pack('>ddddii', 39.0, -106.0, 0.5, 0.5, 5, 5) + struct.pack('>25f', *[-17.9] * 25))
    subprocess.run([GEOID, 'pack', '--model', 'navd88', '--out', os.path.join(folder, 'navd88.mfpk'), *more],
                   check=True, capture_output=True, timeout=120)


def ensemble(folder, fly, cloud):
    """Flies a plan made on EGM96, one made on NAVD88, and one made on NAVD88 with a drone that has EGM96.

    @param folder  has pack_navd88()'s pack, and gets the plans  @param fly  (geoid, plan's name, home) -> instance at its end
    @param cloud  () -> ask_cloud()'s answer, of a service that has volumes()
    @return {name: what the cloud service knows of that flight}
    """
    models = {'egm96': 'egm96', 'navd88': 'navd88:' + os.path.join(folder, 'navd88.mfpk')}
    ids = {}
    for name, planned, flown in (('egm96', 'egm96', 'egm96'), ('navd88', 'navd88', 'navd88'), ('wrong', 'navd88', 'egm96')):
        ground, = undulations(models[flown], [DENVER])
        plan(os.path.join(folder, name + '.plan'), DENVER, SIDE_M, ALTITUDE_M, models[planned])
        ids[name] = fly(flown, name + '.plan', f'{DENVER[0]},{DENVER[1]},{ALTITUDE_M - 60 - ground}')['id']
    known = cloud()
    return {name: known[one] for name, one in ids.items()}


# ---------------------------------------------------------------- 40 minutes in one

def report_of(text):
    """What `standin onboard` has printed at the end of a flight."""
    return json.loads(text[text.index('{'):])


def forty_minutes(start, wait_until_ended, logs, cloud, instances=4):
    """Instances fly 10 minutes each on the event clock, with reports to a cloud service.

    start(count=, template=, values=) -> instances; wait_until_ended(instance) -> it; logs(instance) -> text of `onboard`.
    @return (vehicle time [s], wall time [s], milestones); AssertionError where one is missed
    """
    begin, flown, milestones = time.monotonic(), 0.0, 0
    values = {'clock': 'event', 'mission': ['--side', '750', '--speed', '5']}
    if cloud:
        values['cloud'] = cloud
    for one in start(count=instances, template='standin', values=values):
        ended = wait_until_ended(one)
        assert ended['outcome'] == 'completed', (ended, logs(one))
        report = report_of(logs(one))
        items = [leg['item'] for leg in report['legs']]
        assert items == SQUARE, (one['id'], items)
        assert report['end']['miss_m'] < 0.1, report['end']
        flown += report['flight']['vehicle_s']
        milestones += len(items)
    assert flown >= instances * 600, flown
    return flown, time.monotonic() - begin, milestones
